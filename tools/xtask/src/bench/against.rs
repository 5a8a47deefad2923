//! This compiler against an older one, in turns: how long compiling takes, how large the program is, and
//! how long it runs.

use super::args::Args;
use super::process::all_programs;
use super::turns::{self, Builder, Variant, mean};
use indicatif::ProgressBar;
use std::path::Path;

/// New over old, of a program.
struct Ratios {
    name: String,
    /// Microseconds that the new one runs.
    time: f64,
    run: f64,
    compile: f64,
    bytes: f64,
}

/// Options of the compiler, which is to make code for one thread unless they name a target.
fn on_one_thread(options: &[String]) -> Vec<String> {
    let named = options.iter().any(|o| o.starts_with("--target=") || o == "--target");
    let target = (!named).then(|| "--target=seq".to_owned());
    target.into_iter().chain(options.iter().cloned()).collect()
}

/// Measures all programs with both compilers, and prints a table. The error names programs that could not
/// be measured.
pub fn run(root: &Path, args: &Args, old: &Path, bar: &ProgressBar) -> Result<(), String> {
    let programs = root.join("benches/programs");
    let names = if args.names.is_empty() { all_programs(&programs)? } else { args.names.clone() };
    bar.set_length(names.len() as u64);
    let old_options = args.old_options.as_ref().unwrap_or(&args.options);
    let builders = [(old.to_owned(), old_options), (root.join(&args.futc), &args.options)]
        .map(|(futc, options)| Builder { futc, options: on_one_thread(options) });
    let variants = [0, 1].map(|builder| Variant { builder, arguments: Vec::new() });
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for name in &names {
        bar.set_message(name.clone());
        match turns::program(args, &builders, (&variants, &[]), &programs, name) {
            Ok(turns::Program { built, ran, .. }) => {
                if let ([old, new], [before, after]) = (built.as_slice(), ran.as_slice()) {
                    rows.push(Ratios {
                        name: name.clone(),
                        time: after.time,
                        run: after.time / before.time,
                        compile: new.compile / old.compile,
                        bytes: new.bytes as f64 / old.bytes as f64,
                    });
                }
            }
            Err(e) => failures.push(format!("{name}: {e}")),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    println!("| Program | ms | time: new / old | compile time: new / old | bytes: new / old |");
    println!("|:---|---:|---:|---:|---:|");
    for r in &rows {
        let ms = r.time / 1000.0;
        println!("| {} | {ms:.3} | {:.3} | {:.3} | {:.3} |", r.name, r.run, r.compile, r.bytes);
    }
    println!(
        "| geometric mean | | {:.3} | {:.3} | {:.3} |",
        mean(rows.iter().map(|r| r.run)),
        mean(rows.iter().map(|r| r.compile)),
        mean(rows.iter().map(|r| r.bytes))
    );
    match failures.is_empty() {
        true => Ok(()),
        false => Err(format!("not everything was measured:\n{}", failures.join("\n"))),
    }
}
