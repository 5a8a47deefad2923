//! The runtime for WebAssembly, compiled by clang against wasi-libc.
//!
//! clang and the archiver are LLVM's, as the C compiler at hand is for this machine. What programs are linked with
//! besides is copied from the distribution's packages, so that the compiler needs none of them but the linker.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files that WebAssembly does without, or has others for: devices, signals, the system's threads, Python.
const LEFT_OUT: &[&str] =
    &["cpus", "cuda", "emu", "fiber", "futex", "guard", "launch", "overflow", "threads"];

/// Those that one thread does without besides.
const OF_THREADS: &[&str] = &[
    "board",
    "chain",
    "chunks",
    "grain",
    "loop",
    "loop_profile",
    "loop_trace",
    "parallel_for",
    "pool",
    "rest",
    "worker",
];

/// What stands in their places, and in both variants.
const OWN: &[&str] = &["devices", "directory", "guard", "math_fixes"];

/// One way of compiling the runtime.
struct Variant {
    /// Its folder.
    name: &'static str,
    /// Files left out, besides [`LEFT_OUT`].
    without: &'static [&'static str],
    /// Files of its own, below `wasm/`.
    own: &'static [&'static str],
    /// Where headers of the C library are that the distribution's lacks.
    include: &'static str,
    flags: &'static [&'static str],
    /// The crate is told of the archive by this.
    variable: &'static str,
}

const VARIANTS: &[Variant] = &[
    Variant {
        name: "single",
        without: OF_THREADS,
        own: &["single"],
        include: "wasm/include",
        flags: &[],
        variable: "FUTC_RUNTIME_WASM_ARCHIVE",
    },
    Variant {
        name: "threads",
        without: &[],
        own: &[
            "threads/futex",
            "threads/locked",
            "threads/memory",
            "threads/mutex",
            "threads/threads",
        ],
        include: "wasm/threads/include",
        flags: &["-matomics", "-mmutable-globals", "-mthread-model", "posix"],
        variable: "FUTC_RUNTIME_WASM_THREADS_ARCHIVE",
    },
];

const PACKAGES: &str =
    "./x setup installs what is missing: clang-22, llvm-22, wasi-libc, libclang-rt-22-dev-wasm32";

/// Where LLVM is installed; `.cargo/config.toml` says the same to other crates.
fn llvm() -> PathBuf {
    std::env::var_os("LLVM_SYS_221_PREFIX").map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from)
}

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let name = command.get_program().display().to_string();
    let output = command.output().map_err(|e| format!("cannot run {name}: {e}; {PACKAGES}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{name} failed; {PACKAGES}\n{said}").into())
}

/// A file of the distribution's, copied so that it can be embedded.
fn copy(from: &Path, folder: &Path, variable: &str) -> Result<(), Box<dyn Error>> {
    let name = from.file_name().ok_or("a path without a name")?;
    let to = folder.join(name);
    std::fs::copy(from, &to).map_err(|e| format!("{}: {e}; {PACKAGES}", from.display()))?;
    println!("cargo::rustc-env={variable}={}", to.display());
    Ok(())
}

/// Makes the archives of these files and tells the crate where they and the C library are.
pub fn archives(files: &[PathBuf], out: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=wasm");
    let folder = out.join("wasm");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    for variant in VARIANTS {
        archive(files, variant, &folder.join(variant.name))?;
    }
    let library = Path::new("/usr/lib/wasm32-wasi");
    copy(&library.join("libc.a"), &folder, "FUTC_WASM_LIBC")?;
    // Not crt1-command.o: it leaves it to the linker to call constructors and destructors, around each exported function.
    // The destructors flush standard error, which another thread may be writing to.
    copy(&library.join("crt1.o"), &folder, "FUTC_WASM_COMMAND")?;
    copy(&library.join("crt1-reactor.o"), &folder, "FUTC_WASM_REACTOR")?;
    let builtins = "lib/clang/22/lib/wasi/libclang_rt.builtins-wasm32.a";
    copy(&llvm().join(builtins), &folder, "FUTC_WASM_BUILTINS")
}

fn archive(files: &[PathBuf], variant: &Variant, folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let here = std::env::current_dir()?;
    let stem = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let kept = files.iter().filter(|file: &&PathBuf| {
        let name = stem(file);
        let left_out = LEFT_OUT.iter().chain(variant.without).any(|left_out| *left_out == name);
        !left_out && !name.starts_with("python")
    });
    let own = OWN.iter().chain(variant.own).map(|name| PathBuf::from(format!("wasm/{name}.c")));
    let sources: Vec<PathBuf> = kept.cloned().chain(own).map(|file| here.join(file)).collect();
    let mut clang = Command::new(llvm().join("bin/clang"));
    // The triple by which wasi-libc's folders are called.
    clang.args([
        "--target=wasm32-wasi",
        "-Wno-deprecated",
        "-c",
        "-std=c11",
        "-O2",
        "-Werror",
        "-Wall",
        "-Wextra",
    ]);
    clang.args(["-msimd128", "-mbulk-memory", "-mnontrapping-fptoint", "-msign-ext"]);
    clang.args(variant.flags);
    clang.args(["-D_GNU_SOURCE", "-fvisibility=hidden"]);
    for include in ["include", "wasm", variant.include, "src"] {
        clang.arg("-I").arg(here.join(include));
    }
    run(clang.args(&sources).current_dir(folder))?;
    let archive = folder.join("libfutc_runtime.a");
    let objects = sources.iter().map(|file| folder.join(stem(file) + ".o"));
    run(Command::new(llvm().join("bin/llvm-ar")).arg("rcsD").arg(&archive).args(objects))?;
    println!("cargo::rustc-env={}={}", variant.variable, archive.display());
    Ok(())
}
