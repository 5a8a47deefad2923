//! Standard output and standard error: results to the one, diagnostics to the other.

use crate::exit::{Exit, Failure};
use futc_frontend::diag::{Diagnostic, Severity, Sources, render};
use std::io::{IsTerminal as _, Write as _};

/// Writes a result.
pub fn put(text: &str) -> Result<(), Failure> {
    put_bytes(text.as_bytes())
}

/// Writes a result. A reader that has heard enough is no failure.
pub fn put_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("standard output: {e}")))
        }
        _ => Ok(()),
    }
}

/// Shows diagnostics; rejected if one of them is an error.
pub fn report(diagnostics: &[Diagnostic], sources: &dyn Sources) -> Result<Exit, Failure> {
    if !diagnostics.is_empty() {
        let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        eprint!("{}", render(diagnostics, sources, colour));
    }
    let bad = diagnostics.iter().any(|d| d.severity == Severity::Error);
    Ok(if bad { Exit::Rejected } else { Exit::Success })
}
