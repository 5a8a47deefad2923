//! The futc compiler driver: prints and exits; the work is done in the modules.

mod args;
mod benching;
mod cache;
mod code;
mod commands;
mod drop_in;
mod elsewhere;
mod exit;
mod javascript;
mod json;
mod library;
mod linked;
mod output;
mod picture;
mod python;
mod session;
mod signals;
mod testing;
mod version;
mod warnings;

use args::{Cli, Command};
use clap::FromArgMatches as _;
use exit::{Exit, Failure};
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    let command = match arguments.is_empty() {
        true => OsString::from("futc"),
        false => arguments.remove(0),
    };
    if drop_in::is_meant(&command) {
        match drop_in::translate(&arguments) {
            Ok(translated) => {
                translated.notes.iter().for_each(|note| eprintln!("{note}"));
                arguments = translated.arguments;
            }
            Err(why) => {
                eprintln!("{why}");
                return Exit::Rejected.into();
            }
        }
    }
    if let Some(hint) = elsewhere::hint(&arguments) {
        eprintln!("futc: {hint}");
        return Exit::Rejected.into();
    }
    let words = std::iter::once(command).chain(arguments);
    let parsed = args::command().try_get_matches_from(words);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(e) => e.exit(),
    };
    // Deeply nested programs meet recursive passes; the stack is reserved, not committed.
    let worker = std::thread::Builder::new().stack_size(1 << 30).spawn(move || run(&cli));
    let result = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(result)) => result,
        // The panic has been printed: what is left is to end as one.
        Ok(Err(_)) => return ExitCode::from(101),
        Err(e) => Err(Failure::new(format!("cannot start a thread: {e}"))),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            if !failure.message.is_empty() {
                eprintln!("futc: {}", failure.message);
            }
            failure.exit.into()
        }
    }
}

fn run(cli: &Cli) -> Result<Exit, Failure> {
    signals::clean_up_on_signals();
    output::set_colour(cli.color);
    match &cli.command {
        Some(Command::Dataset(a)) => commands::dataset::run(&a.options),
        Some(Command::Datacmp(a)) => commands::data::datacmp(a),
        Some(Command::Dataget(a)) => commands::data::dataget(a),
        Some(Command::Bench(a)) => commands::bench::run(a),
        Some(Command::Benchcmp(a)) => commands::benchcmp::run(a),
        Some(Command::Test(a)) => commands::test::run(a),
        Some(Command::Tokens(a)) => commands::source::tokens(a),
        Some(Command::CheckSyntax(a)) => commands::source::check_syntax(a),
        Some(Command::Defs(a)) => commands::source::defs(a),
        Some(Command::Explain(a)) => commands::explain::run(a),
        Some(Command::Check(a)) => commands::check::check(a),
        Some(Command::Fmt(a)) => commands::fmt::run(a),
        Some(Command::Query(a)) => commands::query::query(a),
        Some(Command::Lsp) => commands::query::lsp(),
        Some(Command::Imports(a)) => commands::check::imports(a),
        Some(Command::Hash(a)) => commands::check::hash(a),
        Some(Command::Doctor) => commands::doctor::run(),
        Some(Command::Show) => commands::show::run(),
        Some(Command::Install(a)) => commands::install::run(a),
        Some(Command::Processor(a)) => commands::processor::attempt(a),
        None => commands::compile::run(&cli.compile),
        Some(Command::Run(a)) => commands::run::run(a),
    }
}
