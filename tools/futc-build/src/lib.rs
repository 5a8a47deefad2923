//! Compiles Futhark programs in build scripts, and makes a safe module of each (docs/rust.md).
//!
//! ```text
//! prog.fut ─ futc ─► prog.c, prog.json     compile.rs
//! prog.c ─ names, cc, ar ─► libprog.a      compile.rs
//! prog.json ─► prog.rs                     manifest.rs, names.rs, types.rs, generate.rs, opaque.rs
//!              with support.rs in it, and ndarray.rs if the crate has a feature of that name
//! ```
//!
//! It calls the command `futc` instead of having the compiler in it: a build script with LLVM in it would take
//! minutes to link, and crates could not choose their compiler. What a program has is read in the manifest,
//! so that no C is parsed: neither bindgen nor libclang is needed.

mod compile;
mod error;
mod generate;
mod manifest;
mod names;
mod opaque;
mod types;

pub use error::Error;

use compile::Job;
use std::path::Path;

/// Compiles a program for the default target. See [`Program`].
pub fn compile(program: impl AsRef<Path>) -> Result<(), Error> {
    Program::new(program).compile()
}

/// A program to be compiled, and how.
#[derive(Clone, Debug)]
pub struct Program(Job);

impl Program {
    /// A program, by its path from the crate's root.
    pub fn new(path: impl AsRef<Path>) -> Program {
        Program(Job::new(path.as_ref()))
    }

    /// What the module's file is called in `OUT_DIR`, without `.rs`; by default as the program.
    pub fn name(mut self, name: &str) -> Program {
        self.0.name = Some(name.to_owned());
        self
    }

    /// What to compile for, as `futc --target` has it, such as `multicore`.
    pub fn target(mut self, target: &str) -> Program {
        self.0.target = Some(target.to_owned());
        self
    }

    /// The processor to compile for, as `futc --target-cpu` has it; by default the one at hand.
    pub fn target_cpu(self, cpu: &str) -> Program {
        self.argument(&format!("--target-cpu={cpu}"))
    }

    /// Another argument for futc.
    pub fn argument(mut self, argument: &str) -> Program {
        self.0.arguments.push(argument.to_owned());
        self
    }

    /// Compiles: makes `NAME.rs` in `OUT_DIR`, and has cargo link what it needs. The command is `futc`, or what
    /// the environment's `FUTC` names.
    pub fn compile(&self) -> Result<(), Error> {
        compile::run(&self.0)
    }
}
