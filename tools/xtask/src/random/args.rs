//! How many programs to make, and the limits of the work on each.

use std::path::PathBuf;
use std::time::Duration;

/// How many programs to make, and what to do with them.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many programs.
    #[arg(short = 'n', long, default_value_t = 1000)]
    pub number: u64,
    /// The first program's seed; the next ones follow.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// What is to agree: `interpreter` is every pass, the others are targets of the compiler.
    #[arg(long, value_delimiter = ',', default_value = "interpreter")]
    pub target: Vec<String>,
    /// The compiler, for targets; target/debug/futc by default.
    #[arg(long)]
    pub futc: Option<PathBuf>,
    /// So many programs are compiled at once.
    #[arg(long, default_value_t = 10)]
    pub batch: u64,
    /// Edit the programs so many times instead, and compare what is compiled with and without a cache.
    #[arg(long, value_name = "TIMES")]
    pub edits: Option<u64>,
    /// Go on after something wrong was found.
    #[arg(short, long)]
    pub keep_going: bool,
    /// Print what the programs reach: operations, and what passes did.
    #[arg(long)]
    pub stats: bool,
    /// Print the program and its arguments, and do nothing else.
    #[arg(long)]
    pub show: bool,
    /// Write minimal programs to this folder, which is made if need be; and the one at work as
    /// now.fut, as a stack overflow ends the run.
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
}

/// One program takes no longer, but for shrinking.
pub const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Shrinking takes no longer.
pub const SHRINK: Duration = Duration::from_secs(30);

/// A new database after so many programs, as the old one keeps something of each.
pub const FRESH: u64 = 300;
