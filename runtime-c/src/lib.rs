//! The C runtime, embedded: the archive that compiled programs are linked with, and the headers.
//!
//! The driver writes [`ARCHIVE`] to a file and links it behind the program's object, with
//! [`LINK_FLAGS`], and [`SERVER_FLAG`] for a server. What the archive expects of the object, and the
//! object of the archive, is in `include/futc_program.h` ([`PROGRAM_HEADER`]).

/// The static library `libfutc_runtime.a`.
pub const ARCHIVE: &[u8] = include_bytes!(env!("FUTC_RUNTIME_ARCHIVE"));

/// The same, compiled with AddressSanitizer: blocks lie between fences, and are never used again. It is
/// linked with [`SANITIZE_FLAG`].
pub const SANITIZED_ARCHIVE: &[u8] = include_bytes!(env!("FUTC_RUNTIME_ASAN_ARCHIVE"));

/// The same, compiled with ThreadSanitizer, and linked with [`SANITIZE_THREADS_FLAG`].
pub const THREAD_SANITIZED_ARCHIVE: &[u8] = include_bytes!(env!("FUTC_RUNTIME_TSAN_ARCHIVE"));

/// What programs for WebAssembly are linked with.
pub mod wasm {
    /// The runtime.
    pub const ARCHIVE: &[u8] = include_bytes!(env!("FUTC_RUNTIME_WASM_ARCHIVE"));

    /// The runtime for several threads, which is linked with [`THREADS_FLAGS`].
    pub const THREADS_ARCHIVE: &[u8] = include_bytes!(env!("FUTC_RUNTIME_WASM_THREADS_ARCHIVE"));

    /// What the linker puts in the places of functions of the C library (`wasm/threads/locked.c`).
    pub const THREADS_FLAGS: &[&str] = &[
        "--wrap=aligned_alloc",
        "--wrap=calloc",
        "--wrap=fclose",
        "--wrap=fopen",
        "--wrap=free",
        "--wrap=malloc",
        "--wrap=open_memstream",
        "--wrap=posix_memalign",
        "--wrap=realloc",
    ];

    /// The C library: wasi-libc.
    pub const LIBC: &[u8] = include_bytes!(env!("FUTC_WASM_LIBC"));

    /// What clang's code calls: arithmetic that the machine has no instructions for.
    pub const BUILTINS: &[u8] = include_bytes!(env!("FUTC_WASM_BUILTINS"));

    /// What calls `main`.
    pub const COMMAND: &[u8] = include_bytes!(env!("FUTC_WASM_COMMAND"));

    /// What sets up a module that others call.
    pub const REACTOR: &[u8] = include_bytes!(env!("FUTC_WASM_REACTOR"));

    /// What makes a server of an executable.
    pub const SERVER_FLAG: &str = "--undefined=futc_link_server";
}

/// What libraries need of the runtime as one file of C, which includes only headers of the system.
pub const SOURCE: &str = include_str!(env!("FUTC_RUNTIME_SOURCE"));

/// What the linker needs for the sanitizer's own library.
pub const SANITIZE_FLAG: &str = "-fsanitize=address";

/// The same for the one of threads.
pub const SANITIZE_THREADS_FLAG: &str = "-fsanitize=thread";

/// The file name to give the archive.
pub const ARCHIVE_NAME: &str = "libfutc_runtime.a";

/// The text of `futc_program.h`, the binary interface between compiled code and runtime.
pub const PROGRAM_HEADER: &str = include_str!("../include/futc_program.h");

/// The text of `futc_library.h`, which the functions of libraries are written with.
pub const LIBRARY_HEADER: &str = include_str!("../include/futc_library.h");

/// Declarations of the functions of libraries that are in the archive: those that every library has.
pub const CONTEXT_API: &str = include_str!("../include/futc_context_api.inc");

/// Those of libraries that run in several threads.
pub const THREADS_API: &str = include_str!("../include/futc_threads_api.inc");

/// Those of libraries that run on a device.
pub const DEVICE_API: &str = include_str!("../include/futc_device_api.inc");

/// What makes the linker take the functions of libraries out of the archive.
pub const LIBRARY_FLAG: &str = "-Wl,-u,futhark_context_new";

/// The same for packages for Python.
pub const PYTHON_FLAG: &str = "-Wl,-u,futhark_python";

/// What the linker needs behind the archive.
pub const LINK_FLAGS: &[&str] = &["-lm", "-lpthread", "-ldl"];

/// What the linker needs for a server instead of a plain executable.
pub const SERVER_FLAG: &str = "-Wl,-u,futc_link_server";

#[cfg(test)]
mod tests {
    #[test]
    fn archive_is_one() {
        for archive in [
            super::ARCHIVE,
            super::SANITIZED_ARCHIVE,
            super::THREAD_SANITIZED_ARCHIVE,
            super::wasm::ARCHIVE,
            super::wasm::THREADS_ARCHIVE,
            super::wasm::LIBC,
            super::wasm::BUILTINS,
        ] {
            assert!(archive.starts_with(b"!<arch>\n"));
        }
    }
}
