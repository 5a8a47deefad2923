//! What to measure, from the command line.

use super::peers::{Installed, Kind};
use std::path::PathBuf;

/// What to run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Programs of benches/programs, or `bandwidth` for that table alone [default: all].
    pub names: Vec<String>,
    /// Whom to measure futc against.
    #[arg(long, value_delimiter = ',', default_value = "gcc,clang,numpy,jax,numba")]
    pub peers: Vec<Kind>,
    /// Runs per process, after one to warm up.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Rounds, in each of which every peer has its turn.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// The compiler.
    #[arg(long, default_value = "target/release/futc")]
    pub futc: PathBuf,
    /// Measure against this older compiler alone; nothing is written to docs.
    #[arg(long, value_name = "FUTC", conflicts_with = "peers")]
    pub against: Option<PathBuf>,
    /// Measure target multicore against seq, with one thread and with all; nothing is written to docs. `sweep`
    /// instead of names of programs: the forms of parallelism of benches/sweep.fut at sizes from 1 to 10⁷,
    /// or those that are named behind it.
    #[arg(long, conflicts_with_all = ["peers", "against"])]
    pub cores: bool,
    /// Options of the compiler, where none but futc is measured. Code is for one thread unless they name a target.
    #[arg(long = "option", value_name = "OPTION", allow_hyphen_values = true)]
    pub options: Vec<String>,
    /// Those of the older compiler, if they are others: it may be the same one, of which two targets or processors
    /// are compared.
    #[arg(
        long = "old-option",
        value_name = "OPTION",
        allow_hyphen_values = true,
        requires = "against"
    )]
    pub old_options: Option<Vec<String>>,
    /// The Python of NumPy, JAX and Numba.
    #[arg(long, default_value = "python3")]
    pub python: PathBuf,
    /// The sources of parlaylib (github.com/cmuparlay/parlaylib), for peer `parlay` and, with --cores, for programs that have a version for it.
    #[arg(long, value_name = "DIR")]
    pub parlaylib: Option<PathBuf>,
}

impl Args {
    /// Where what peers need is.
    pub fn installed(&self) -> Installed<'_> {
        Installed { python: &self.python, parlaylib: self.parlaylib.as_deref() }
    }
}
