//! The language server alone, as `futc lsp` starts it: it builds where LLVM is not, and is what
//! the tests talk to.

fn main() -> std::process::ExitCode {
    match futc_lsp::run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("futc-lsp: {e}");
            std::process::ExitCode::FAILURE
        }
    }
}
