//! What to simulate, from the command line.

use std::path::PathBuf;

/// What to simulate.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Programs of benches/programs [default: all].
    pub names: Vec<String>,
    /// The compiler.
    #[arg(long, default_value = "target/release/futc")]
    pub futc: PathBuf,
    /// Numbers of workers.
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4, 16, 64, 128],
          value_parser = clap::value_parser!(u32).range(2..=1024))]
    pub workers: Vec<u32>,
    /// Recordings for each number of workers, of which each task takes the median; and rounds of measurements.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Where recordings are kept, a folder for each program.
    #[arg(long, default_value = "target/scale")]
    pub recordings: PathBuf,
    /// Record nothing, and simulate what was recorded before.
    #[arg(long)]
    pub replay: bool,
    /// Gigabytes that the memory moves in a second, for all workers [default: what copies by all threads of this machine
    /// reach].
    #[arg(long)]
    pub bandwidth: Option<f64>,
    /// Microseconds from waking a thread until it runs.
    #[arg(long)]
    pub wake: Option<f64>,
    /// Also run the programs with one thread and with as many as the machine has, and compare with the prediction. What is measured
    /// again for the same recordings adds to what was before: the quickest runs count.
    #[arg(long)]
    pub measure: bool,
    /// Write a page in Markdown.
    #[arg(long)]
    pub out: Option<PathBuf>,
}

/// That the page tells the most of, if it is among those asked for.
const REFERENCE: u32 = 16;

impl Args {
    /// As without arguments.
    #[cfg(test)]
    pub fn example() -> Args {
        Args {
            names: Vec::new(),
            futc: PathBuf::new(),
            workers: vec![2, 16],
            runs: 1,
            recordings: PathBuf::new(),
            replay: false,
            bandwidth: None,
            wake: None,
            measure: false,
            out: None,
        }
    }

    /// The number of workers for which it is told what bounds a program.
    pub fn reference(&self) -> u32 {
        let most = self.workers.iter().copied().max().unwrap_or(REFERENCE);
        if self.workers.contains(&REFERENCE) { REFERENCE } else { most }
    }
}
