//! What generated programs show to be wrong.

use super::args::Args;
use futc_generate::Program;

/// Something wrong that a program shows.
pub struct Found {
    pub seed: u64,
    pub class: String,
    pub said: String,
    pub program: Program,
}

impl Found {
    /// Prints it.
    pub fn print(&self) {
        println!("seed {}: {}: {}", self.seed, self.class, self.said);
        println!("-- input: {}\n{}", self.program.input(), self.program.pretty());
    }

    /// Writes its program to the folder of such, if there is one.
    pub fn save(&self, args: &Args) -> Result<(), String> {
        let Some(dir) = &args.save else { return Ok(()) };
        let file = dir.join(format!("{}.fut", self.seed));
        std::fs::write(&file, self.program.pretty()).map_err(|e| format!("{}: {e}", file.display()))
    }
}
