//! Standard output and standard error: results to the one, diagnostics to the other.

use crate::exit::{Exit, Failure};
use clap::ValueEnum;
use futc_frontend::diag::{Diagnostic, Severity, Sources, render};
use futc_testing::files::{self, Kind};
use std::io::{IsTerminal, Write as _};
use std::path::Path;
use std::sync::OnceLock;

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

/// Writes a result to a file, whole or not at all.
pub fn write_file(path: &Path, bytes: &[u8], kind: Kind) -> Result<(), Failure> {
    files::write(path, bytes, kind)
        .map_err(|e| Failure::usage(format!("cannot write {}: {e}", path.display())))
}

/// Refuses an output that would take the place of an input.
pub fn no_input(
    output: &Path,
    inputs: impl IntoIterator<Item = impl AsRef<Path>>,
) -> Result<(), Failure> {
    match inputs.into_iter().find(|input| files::same(output, input.as_ref())) {
        None => Ok(()),
        Some(input) => Err(Failure::usage(format!(
            "{} is not overwritten: it is the source file {}",
            output.display(),
            input.as_ref().display()
        ))),
    }
}

/// When colours are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Colour {
    /// In a terminal, unless NO_COLOR is set; elsewhere if CLICOLOR_FORCE is.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

static COLOUR: OnceLock<Colour> = OnceLock::new();

/// What `--color` says. Said once, before anything is shown.
pub fn set_colour(colour: Colour) {
    let _ = COLOUR.set(colour);
}

/// Whether what goes to `stream` is coloured.
pub fn colour_of(stream: &impl IsTerminal) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    let forced = std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| !v.is_empty() && v != "0");
    match COLOUR.get().copied().unwrap_or_default() {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto if set("NO_COLOR") => false,
        Colour::Auto if forced => true,
        Colour::Auto => {
            stream.is_terminal() && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
        }
    }
}

/// Shows diagnostics; rejected if one of them is an error.
pub fn report(diagnostics: &[Diagnostic], sources: &dyn Sources) -> Result<Exit, Failure> {
    if !diagnostics.is_empty() {
        let colour = colour_of(&std::io::stderr());
        let said = render(diagnostics, sources, colour) + &summary(diagnostics, colour);
        // There is nobody to tell that standard error is gone.
        let _ = std::io::stderr().lock().write_all(said.as_bytes());
    }
    Ok(exit_of(diagnostics))
}

/// How a command that has this to say of a program ends.
pub fn exit_of(diagnostics: &[Diagnostic]) -> Exit {
    match diagnostics.iter().any(|d| d.severity == Severity::Error) {
        true => Exit::Rejected,
        false => Exit::Success,
    }
}

/// How many there are, and where to read more.
fn summary(diagnostics: &[Diagnostic], colour: bool) -> String {
    let count =
        |severity: Severity| match diagnostics.iter().filter(|d| d.severity == severity).count() {
            0 => None,
            1 => Some(format!("1 {}", severity.word())),
            n => Some(format!("{n} {}s", severity.word())),
        };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let worst = if errors.is_some() { Severity::Error } else { Severity::Warning };
    let counts: Vec<String> = errors.into_iter().chain(warnings).collect();
    let word = match (colour, worst) {
        (false, _) => worst.word().to_owned(),
        (true, Severity::Error) => format!("\x1b[1;31m{}\x1b[0m", worst.word()),
        (true, Severity::Warning) => format!("\x1b[1;33m{}\x1b[0m", worst.word()),
    };
    let first = diagnostics.iter().find(|d| d.severity == worst).map_or("", |d| d.code.name());
    format!("{word}: {}\nTo read more: futc explain {first}\n", counts.join(", "))
}
