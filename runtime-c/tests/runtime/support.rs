//! Compiles the runtime and C test programs, with sanitizers or as users get it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// How C code is compiled for a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// With AddressSanitizer and UndefinedBehaviorSanitizer.
    Sanitized,
    /// As `Sanitized`, fibers by `<ucontext.h>`.
    SanitizedUcontext,
    /// With ThreadSanitizer.
    Threads,
    /// Optimised, with the archive's flags.
    Plain,
    /// As `Plain`, sleeping by condition variables.
    PlainNoFutex,
}

impl Build {
    fn flags(self) -> Vec<&'static str> {
        let sanitize = [
            "-O1",
            "-g",
            "-fno-omit-frame-pointer",
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=undefined",
        ];
        match self {
            Build::Sanitized => sanitize.to_vec(),
            Build::SanitizedUcontext => [&sanitize[..], &["-DFUTC_UCONTEXT"]].concat(),
            Build::Threads => vec!["-O1", "-g", "-fsanitize=thread"],
            Build::Plain => vec!["-O2"],
            Build::PlainNoFutex => vec!["-O2", "-DFUTC_NO_FUTEX"],
        }
    }
}

/// The crate's folder.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Where this process may leave files.
pub fn scratch() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// The C compiler; a test fails where there is none.
fn cc(build: Build) -> Command {
    let mut command = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".into()));
    command.args(["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-fPIC"]);
    command.args(build.flags());
    for folder in ["include", "src", "tests"] {
        command.arg("-I").arg(root().join(folder));
    }
    command
}

fn run(command: &mut Command) {
    let output = command.output().expect("a C compiler is needed");
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
}

fn c_files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("src"))
        .expect("src")
        .map(|e| e.expect("entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    files
}

fn modified(path: &Path) -> Option<std::time::SystemTime> {
    path.metadata().and_then(|m| m.modified()).ok()
}

/// The newest of all sources and headers: objects older than that are made again.
fn newest_source() -> Option<std::time::SystemTime> {
    ["include", "src"]
        .iter()
        .flat_map(|f| std::fs::read_dir(root().join(f)).expect("folder"))
        .filter_map(|e| modified(&e.expect("entry").path()))
        .max()
}

/// The runtime's objects: all but where an executable or a library starts.
pub fn runtime_objects(build: Build) -> Vec<PathBuf> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().expect("no test panics while compiling");
    let folder = scratch().join(format!("{build:?}"));
    std::fs::create_dir_all(&folder).expect("scratch");
    let newest = newest_source();
    let mut objects = Vec::new();
    let mut stale = Vec::new();
    for file in c_files() {
        let stem = file.file_stem().expect("a file name").to_string_lossy().into_owned();
        let object = folder.join(format!("{stem}.o"));
        if modified(&object) < newest {
            stale.push((file, object.clone()));
        }
        let starts = ["main", "link_server", "library_context"].contains(&stem.as_str());
        if !starts && !stem.starts_with("python_") {
            objects.push(object);
        }
    }
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(2, |n| n.get());
        for part in stale.chunks(stale.len().div_ceil(threads).max(1)) {
            scope.spawn(move || {
                for (file, object) in part {
                    run(cc(build).arg("-c").arg(file).arg("-o").arg(object));
                }
            });
        }
    });
    objects
}

/// Links `tests/NAME.c` with objects and flags; returns the executable.
pub fn link(name: &str, output: &str, build: Build, more: &[PathBuf], flags: &[&str]) -> PathBuf {
    let objects = runtime_objects(build);
    let executable = scratch().join(format!("{output}-{build:?}"));
    run(cc(build)
        .arg(root().join("tests").join(format!("{name}.c")))
        .args(more)
        .args(objects)
        .args(["-lm", "-lpthread", "-ldl"])
        .args(flags)
        .arg("-o")
        .arg(&executable));
    executable
}

/// An object of the runtime by name, for those that are not linked into every test.
pub fn object(name: &str, build: Build) -> PathBuf {
    scratch().join(format!("{build:?}")).join(format!("{name}.o"))
}

/// Compiles `tests/NAME.c` into a shared library of the given file name.
pub fn shared_library(name: &str, file: &str, build: Build) -> PathBuf {
    let library = scratch().join(file);
    run(cc(build)
        .arg("-shared")
        .arg(root().join("tests").join(format!("{name}.c")))
        .arg("-o")
        .arg(&library));
    library
}
