//! What to measure, from the command line.

use std::path::PathBuf;

/// What to measure.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Programs of benches/programs [default: all].
    pub names: Vec<String>,
    /// Only these refactorings [default: all].
    #[arg(long, value_delimiter = ',')]
    pub only: Vec<String>,
    /// The compiler.
    #[arg(long, default_value = "target/release/futc")]
    pub futc: PathBuf,
    /// Rounds, in each of which the original and the changed program have their turns.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Runs of a process, after one to warm up.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Write a page of the results.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write the changed programs, and what they are compared with, to this folder.
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Change and check programs, and do not compile them.
    #[arg(long)]
    pub dry: bool,
}
