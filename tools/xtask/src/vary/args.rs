//! Which programs, and how, from the command line.

use std::path::PathBuf;

/// Which programs, and how.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Programs, and folders of them; examples and lit-tests/programs by default.
    pub paths: Vec<PathBuf>,
    /// So many inputs for each entry point.
    #[arg(short = 'n', long, default_value_t = 10)]
    pub number: usize,
    /// What inputs are made from.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// What is to agree with the interpreter.
    #[arg(long, value_delimiter = ',', default_value = "seq,gpu-emu", value_name = "TARGET")]
    pub targets: Vec<String>,
    /// The compiler; target/debug/futc by default.
    #[arg(long)]
    pub futc: Option<PathBuf>,
    /// Compile with the address sanitizer.
    #[arg(long)]
    pub sanitize: bool,
    /// Every program but each N-th is left out.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub every: usize,
    /// So many generated programs, too, from those with this seed onwards.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub generated: u64,
    /// So many programs at once.
    #[arg(short, long, default_value_t = 2)]
    pub jobs: usize,
    /// Milliseconds that a call may take.
    #[arg(long, default_value_t = 1500)]
    pub limit: u64,
    /// Write what is wrong to this folder, which is made if need be, as programs with test blocks.
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Say which programs are left out, and where errors differ.
    #[arg(short, long)]
    pub verbose: bool,
}
