//! What the command lines of the reference compiler have and ours have not: each is answered by what
//! there is in its place.

use crate::args;
use futc_frontend::check::types::alike::closest_text;
use futc_mlir::Target;
use std::ffi::OsString;
use std::path::Path;

const COMPILING: &str = "futc PROG.fut compiles for one thread of the host";
const GPU: &str = "futc PROG.fut --target=nvptx compiles for NVIDIA GPUs";
const PYTHON: &str = "futc PROG.fut --python makes a package for Python";
const RUNNING: &str = "futc run PROG.fut -e NAME runs a function on values from standard input";

/// Subcommands, and what to do instead.
const COMMANDS: &[(&str, &str)] = &[
    ("autotune", "compiled programs have no tuning parameters"),
    ("c", COMPILING),
    ("cuda", GPU),
    ("dev", "futc PROG.fut --emit=STATION and --print-after=PASS show intermediate programs"),
    ("doc", "futc query PROG.fut LINE COLUMN tells of a name, and futc lsp shows comments"),
    ("eval", RUNNING),
    ("hip", GPU),
    ("ispc", COMPILING),
    ("literate", "futc test runs scripts in test blocks (script input)"),
    ("opencl", GPU),
    ("pkg", "libraries are put below lib/ by hand, and imported from there"),
    ("profile", "compiled programs take --profile, and futc bench measures them"),
    ("pyopencl", PYTHON),
    ("python", PYTHON),
    ("repl", RUNNING),
    ("script", "futc test runs scripts in test blocks (script input)"),
    ("thanks", "you are welcome"),
];

/// What to say of a command line that asks for what there is not, if it does. A program that has
/// the name of a command is one.
pub fn hint(arguments: &[OsString]) -> Option<String> {
    let first = arguments.first()?.to_str()?;
    let command = COMMANDS.iter().find(|(name, _)| *name == first);
    if let Some((name, instead)) = command
        && !Path::new(name).exists()
    {
        return Some(format!("there is no 'futc {name}' yet: {instead}"));
    }
    if let Some(target) = Target::named(first)
        && !Path::new(first).exists()
    {
        let name = target.name;
        return Some(format!(
            "there is no 'futc {name}': futc PROG.fut --target={name} compiles for it"
        ));
    }
    misspelt(first)
}

/// Of a word that is neither a command nor looks like a program.
fn misspelt(word: &str) -> Option<String> {
    let is_program = word.contains(['.', '/']) || Path::new(word).exists();
    if word.is_empty() || word.starts_with('-') || is_program {
        return None;
    }
    let commands = args::command();
    let names: Vec<&str> = commands
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
        .map(clap::Command::get_name)
        .collect();
    // Hidden commands are commands, and clap adds one of its own.
    if word == "help" || commands.find_subcommand(word).is_some() {
        return None;
    }
    let hint = match closest_text(word, names.iter().copied()) {
        Some(like) => format!("did you mean 'futc {like}'?"),
        None => "'futc --help' lists the commands".to_owned(),
    };
    Some(format!("there is no command '{word}', and no file of that name: {hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory as _;

    #[test]
    fn what_is_elsewhere_is_not_here_too() {
        let here = Cli::command();
        for (name, _) in COMMANDS {
            assert!(here.find_subcommand(name).is_none(), "{name} is a subcommand");
            let line = [OsString::from(name), OsString::from("p.fut")];
            assert!(hint(&line).is_some_and(|h| h.contains(name)), "{name}");
        }
        assert_eq!(hint(&["p.fut".into()]), None);
        assert_eq!(hint(&["run".into(), "p.fut".into()]), None);
        assert_eq!(hint(&["--emit=mlir".into()]), None);
        assert_eq!(hint(&["help".into(), "test".into()]), None);
        assert_eq!(hint(&["processor".into(), "native".into()]), None);
    }
}
