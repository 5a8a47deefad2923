//! Chores of the repository: `cargo xtask tidy`, `cargo xtask conformance DIR`,
//! `cargo xtask mutate`, `cargo xtask passes`, `cargo xtask random`, `cargo xtask vary`,
//! `cargo xtask bench`, `cargo xtask strategies`, `cargo xtask refactor`, `cargo xtask scale`, `cargo xtask mlir`, `cargo xtask figures`,
//! `cargo xtask manual`, `cargo xtask package`, `cargo xtask smoke-install`.

mod bench;
mod conformance;
mod figures;
mod guard;
mod manual;
mod mlir;
mod mutate;
mod package;
mod passes;
mod random;
mod refactor;
mod rejects;
mod scale;
mod smoke;
mod strategies;
mod tidy;
mod vary;

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
    /// Check file headers, the crates ARCHITECTURE.md names, the walls between crates, and the layers of
    /// files inside of them.
    Tidy,
    /// Run futc test over a directory of programs and write docs/conformance.md.
    Conformance(conformance::Args),
    /// Break valid programs in random ways, and see what the front end says about them.
    Mutate(mutate::Args),
    /// Run the cases of test blocks before and after every pass, and compare.
    Passes(passes::Args),
    /// Run generated programs before and after every pass, and as compiled code, and compare.
    Random(random::Args),
    /// Run programs on inputs made from those of their test blocks, and compare the targets.
    Vary(vary::Args),
    /// Measure the programs of benches/programs against C and Python, and write
    /// docs/benchmarks.md.
    Bench(bench::Args),
    /// Measure what README.md has figures of, and write them there with the commit.
    Figures(figures::Args),
    /// Count the operations of MLIR that the programs of benches/programs become, and write
    /// docs/mlir.md.
    Mlir,
    /// Time every strategy that is legal for a nest of the programs of benches/programs against the one that is chosen.
    Strategies(strategies::Args),
    /// Record the loops of programs of benches/programs, and simulate them with many workers.
    Scale(scale::Args),
    /// Rewrite the programs of benches/programs in ways that must cost nothing, and compare code and time.
    Refactor(refactor::Args),
    /// Make the user's manual, of docs/, as pages for browsers in target/manual.
    Manual,
    /// Make a Debian package, a tarball and a wheel for Python of the compiler.
    Package(package::Args),
    /// Do what docs/install.md says in a system that has only what it names.
    SmokeInstall(smoke::Args),
}

fn main() -> ExitCode {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let result = match Cli::parse().chore {
        Chore::Tidy => tidy::run(&root),
        Chore::Conformance(args) => conformance::run(&root, &args),
        Chore::Mutate(args) => mutate::run(&root, &args),
        Chore::Passes(args) => passes::run(&root, &args),
        Chore::Random(args) => random::run(&root, &args),
        Chore::Vary(args) => vary::run(&root, &args),
        Chore::Bench(args) => bench::run(&root, &args),
        Chore::Figures(args) => figures::run(&root, &args),
        Chore::Mlir => mlir::run(&root),
        Chore::Strategies(args) => strategies::run(&root, &args),
        Chore::Scale(args) => scale::run(&root, &args),
        Chore::Refactor(args) => refactor::run(&root, &args),
        Chore::Manual => manual::run(&root),
        Chore::Package(args) => package::run(&root, &args),
        Chore::SmokeInstall(args) => smoke::run(&root, &args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("xtask: {e}");
            ExitCode::FAILURE
        }
    }
}
