//! Libraries (docs/libraries.md): what C programs do with them, under sanitizers.
//!
//! A test is a program in C in `library/`, and a Futhark program of the same name there or made here. The
//! runtime of `--sanitize=address` is linked in, so that leaks are failures too.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod common;

use common::{all_arrays, succeeded};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library")
}

/// A library of a program, in a folder of its own.
struct Built {
    dir: TempDir,
    name: &'static str,
}

impl Built {
    fn new(name: &'static str, text: Option<&str>, options: &[&str]) -> Built {
        let dir = tempfile::tempdir().unwrap();
        let source = match text {
            None => folder().join(name).with_extension("fut"),
            Some(text) => {
                let source = dir.path().join(name).with_extension("fut");
                std::fs::write(&source, text).unwrap();
                source
            }
        };
        succeeded(
            Command::new(env!("CARGO_BIN_EXE_futc"))
                .args(["-w", "-O1", "--no-cache", "--library"])
                .args(options)
                .arg(source)
                .arg("-o")
                .arg(dir.path().join(name)),
        );
        Built { dir, name }
    }

    fn compiler(&self, compiler: &str, flags: &[&str]) -> Command {
        let mut command = Command::new(compiler);
        command.args(["-Wall", "-Wextra", "-pedantic", "-Werror", "-g"]).args(flags);
        command.arg("-I").arg(self.dir.path()).arg("-I").arg(folder());
        command
    }

    /// Compiles and runs the program in C.
    fn run(&self, flags: &[&str]) {
        let program = self.dir.path().join("program");
        succeeded(
            self.compiler("cc", flags)
                .args(["-std=c99", "-D_POSIX_C_SOURCE=200809L"])
                .arg(folder().join(self.name).with_extension("c"))
                .arg(format!("-L{}", self.dir.path().display()))
                .args([&format!("-l{}", self.name), "-lm", "-lpthread", "-ldl", "-o"])
                .arg(&program),
        );
        Self::run_program(&program, self.dir.path());
    }

    /// Compiles the library's file of C, with nothing else of ours.
    fn compile_source(&self, compiler: &str, flags: &[&str]) -> PathBuf {
        let file = self.dir.path().join(self.name);
        let object = file.with_extension("o");
        succeeded(
            Command::new(compiler)
                .args(["-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-c"])
                .args(flags)
                .arg(file.with_extension("c"))
                .arg("-o")
                .arg(&object),
        );
        object
    }

    /// Compiles the library's file of C, and runs the program with it.
    fn run_source(&self, compiler: &str, standard: &str, flags: &[&str]) {
        let object = self.compile_source(compiler, &[&[standard], flags].concat());
        let program = self.dir.path().join("program");
        succeeded(
            self.compiler(compiler, flags)
                .args(["-std=c99", "-D_POSIX_C_SOURCE=200809L"])
                .arg(folder().join(self.name).with_extension("c"))
                .arg(object)
                .args(["-lm", "-lpthread", "-o"])
                .arg(&program),
        );
        Self::run_program(&program, self.dir.path());
    }

    fn run_program(program: &Path, libraries: &Path) {
        let mut command = Command::new(program);
        // What is absurdly large is refused by the runtime, not by the sanitizer.
        command.env("ASAN_OPTIONS", "allocator_may_return_null=1");
        succeeded(command.env("LD_LIBRARY_PATH", libraries));
    }
}

const SANITIZE: &[&str] = &["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"];
const TARGETS: &[&str] = &["seq", "multicore", "small-tasks", "gpu-emu"];

/// On all targets that are programs of the host, with sanitizers.
fn check(name: &'static str, text: Option<&str>) {
    for target in TARGETS {
        let target = format!("--target={target}");
        Built::new(name, text, &[&target, "--sanitize=address"]).run(SANITIZE);
    }
}

#[test]
fn tuples_are_several_results_by_an_option() {
    for target in TARGETS {
        let target = format!("--target={target}");
        let built =
            Built::new("several", None, &[&target, "--sanitize=address", "--several-results"]);
        built.run(SANITIZE);
    }
}

#[test]
fn opaque_values_are_made_taken_apart_and_stored() {
    check("values", None);
}

#[test]
fn errors_leave_contexts_and_values_usable() {
    check("errors", None);
}

#[test]
fn contexts_serve_several_threads() {
    check("threads", None);
}

#[test]
fn arrays_of_all_types_and_ranks_go_in_and_out() {
    check("arrays", Some(&all_arrays("copy xs")));
}

#[test]
fn shared_libraries_show_their_interface_only() {
    let built = Built::new("values", None, &["--lib-kind=shared"]);
    built.run(&[]);
    shows_interface(&built.dir.path().join("libvalues.so"));
}

/// The names that a shared library has for others.
fn shows_interface(library: &Path) {
    let symbols = succeeded(Command::new("nm").args(["-D", "--defined-only"]).arg(library));
    let symbols = String::from_utf8(symbols.stdout).unwrap();
    let names = symbols.lines().filter_map(|l| l.split_whitespace().last());
    let others: Vec<&str> = names.filter(|n| !n.starts_with("futhark_")).collect();
    assert!(symbols.contains("futhark_entry_grow"), "{symbols}");
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn many_calls_need_no_more_memory_than_one() {
    for kind in ["static", "shared"] {
        Built::new("growth", None, &[&format!("--lib-kind={kind}")]).run(&["-O1"]);
    }
}

#[test]
fn headers_are_c_and_cpp() {
    // What runs only on a GPU is linked here.
    for target in ["seq", "multicore", "nvptx"] {
        let built = Built::new("values", None, &[&format!("--target={target}")]);
        for (compiler, language, standard) in
            [("cc", "c", "-std=c99"), ("c++", "c++", "-std=c++17")]
        {
            succeeded(
                built
                    .compiler(compiler, &[standard, "-x", language])
                    .arg(folder().join("linkage.c"))
                    .args(["-x", "none"])
                    .arg(built.dir.path().join("libvalues.a"))
                    .args(["-lm", "-lpthread", "-ldl", "-o"])
                    .arg(built.dir.path().join("linked")),
            );
        }
    }
}

/// Those that take libraries as C.
const COMPILERS: &[&str] = &["cc", "/usr/lib/llvm-22/bin/clang"];
const SOURCE: &str = "--lib-kind=source";

#[test]
fn files_of_c_are_libraries_for_gcc_and_clang() {
    for target in TARGETS {
        let built = Built::new("values", None, &[&format!("--target={target}"), SOURCE]);
        for compiler in COMPILERS {
            built.run_source(compiler, "-std=c99", &[]);
        }
        built.run_source("cc", "-std=gnu11", &[]);
    }
}

#[test]
fn files_of_c_run_under_sanitizers() {
    for target in ["seq", "multicore"] {
        let options = [&format!("--target={target}"), SOURCE, "--sanitize=address"];
        let arrays = all_arrays("copy xs");
        for (name, text) in [("arrays", Some(arrays.as_str())), ("errors", None)] {
            Built::new(name, text, &options).run_source("cc", "-std=c99", SANITIZE);
        }
    }
}

#[test]
fn files_of_c_run_in_threads_and_need_no_more_memory() {
    Built::new("threads", None, &["--target=multicore", SOURCE]).run_source("cc", "-std=c99", &[]);
    Built::new("growth", None, &[SOURCE]).run_source("cc", "-std=c99", &[]);
}

#[test]
fn files_of_c_become_shared_objects_that_show_their_interface_only() {
    for compiler in COMPILERS {
        let built = Built::new("values", None, &["--target=multicore", SOURCE]);
        let object = built.compile_source(compiler, &["-std=c99"]);
        let library = built.dir.path().join("libvalues.so");
        succeeded(
            Command::new(compiler)
                .args(["-shared", "-Wl,-z,defs", "-Wl,-z,text"])
                .arg(object)
                .args(["-lm", "-lpthread", "-o"])
                .arg(&library),
        );
        shows_interface(&library);
        built.run(&[]);
    }
}

/// What begins with `futhark_` is renamed as some bindings do it; all else must not clash.
#[test]
fn files_of_c_are_several_in_one_program() {
    let dir = tempfile::tempdir().unwrap();
    for compiler in COMPILERS {
        let mut files = Vec::new();
        for (name, factor) in [("one", 2), ("two", 3)] {
            let text = format!("entry scaled (xs: []i64) = i64.sum (map (* {factor}) xs)");
            let built = Built::new(name, Some(&text), &["--target=multicore", SOURCE]);
            for extension in ["h", "c"] {
                let file = Path::new(name).with_extension(extension);
                let text = std::fs::read_to_string(built.dir.path().join(&file)).unwrap();
                let text = text.replace("futhark_", &format!("{name}_"));
                std::fs::write(dir.path().join(file), text).unwrap();
            }
            files.push(dir.path().join(name).with_extension("c"));
        }
        let program = dir.path().join("program");
        succeeded(
            Command::new(compiler)
                .args(["-Wall", "-Wextra", "-Werror", "-std=gnu11", "-O1", "-I"])
                .arg(dir.path())
                .arg(folder().join("two.c"))
                .args(files)
                .args(["-lm", "-lpthread", "-o"])
                .arg(&program),
        );
        Built::run_program(&program, dir.path());
    }
}
