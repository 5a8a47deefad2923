//! Chores of the repository: `cargo xtask tidy`, `cargo xtask conformance DIR`,
//! `cargo xtask mutate`.

mod conformance;
mod guard;
mod mutate;
mod rejects;
mod tidy;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Chores of the repository.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Check file headers, the crates ARCHITECTURE.md names, and the walls between crates.
    Tidy,
    /// Run futc test over a directory of programs and write docs/conformance.md.
    Conformance(conformance::Args),
    /// Break valid programs in random ways, and see what the front end says about them.
    Mutate(mutate::Args),
}

fn main() -> ExitCode {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let result = match Cli::parse().chore {
        Chore::Tidy => tidy::run(&root),
        Chore::Conformance(args) => conformance::run(&root, &args),
        Chore::Mutate(args) => mutate::run(&root, &args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("xtask: {e}");
            ExitCode::FAILURE
        }
    }
}
