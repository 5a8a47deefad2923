//! What to measure, from the command line.

use std::path::PathBuf;

/// What to measure.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Programs of benches/programs [default: all].
    pub names: Vec<String>,
    /// The compiler.
    #[arg(long, default_value = "target/release/futc")]
    pub futc: PathBuf,
    /// Rounds, in each of which every version of a program has its turn.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Runs of a process, after one to warm up.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Where results are kept, a file for each program, so that programs can be measured one after the other.
    #[arg(long, default_value = "target/strategies")]
    pub results: PathBuf,
    /// Measure nothing, and write docs/cost-model.md of the results that there are.
    #[arg(long, conflicts_with_all = ["names", "rounds", "runs"])]
    pub page: bool,
}
