//! What the pages of warnings say that the compiler gives once it has optimised a program.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use futc_frontend::explain::page;
use std::process::Command;

#[test]
fn programs_on_pages_do_what_the_page_says() {
    let dir = tempfile::tempdir().unwrap();
    for code in ["loop-not-unrolled", "run-time-check", "schedule-refused"] {
        let examples = page(code).unwrap().examples();
        assert_eq!(examples.len(), 2, "{code}");
        for example in examples {
            let program = dir.path().join("main.fut");
            std::fs::write(&program, &example.text).unwrap();
            let run = Command::new(env!("CARGO_BIN_EXE_futc"))
                .args(["--emit=mem", "-Wnone", "-W", code, "-o"])
                .args([dir.path().join("main.mem"), program])
                .output()
                .unwrap();
            let said = String::from_utf8(run.stderr).unwrap();
            assert!(run.status.success(), "{code}:\n{}{said}", example.text);
            let warned = said.contains(&format!("[{code}] Warning"));
            assert_eq!(warned, example.wrong, "{code}:\n{}{said}", example.text);
        }
    }
}
