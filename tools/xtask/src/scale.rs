//! How programs for `multicore` would do with more workers than this machine has: their loops are recorded, task by task, and
//! replayed through a simulation of the runtime's scheduler. Prints what bounds each program, and writes `docs/scaling.md`.
//!
//! Tasks are cut for a number of workers, so each has recordings of its own. What speed-ups are over is a recording with
//! one thread, which does not cut at all.

mod args;
mod bounds;
mod machine;
mod outcome;
mod page;
mod record;
mod recordings;
mod simulation;
mod trace;

pub use args::Args;

use crate::bench::process::{all_programs, write};
use crate::figures::commit;
use indicatif::{ProgressBar, ProgressStyle};
use machine::Machine;
use outcome::Program;
use record::Recorded;
use std::path::Path;

/// Records, simulates, prints, and writes the page if one is named. The error names programs that could not be simulated.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let programs = root.join("benches/programs");
    let names = if args.names.is_empty() { all_programs(&programs)? } else { args.names.clone() };
    let machine = machine(args)?;
    println!("{}", page::assumed(&machine));
    let bar = ProgressBar::new(names.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg} {eta}") {
        bar.set_style(style);
    }
    let (mut done, mut failures) = (Vec::new(), Vec::new());
    for name in &names {
        bar.set_message(name.clone());
        match program(root, args, &machine, name) {
            Ok(program) => {
                bar.suspend(|| println!("{}", page::program(&program)));
                done.push(program);
            }
            Err(e) => failures.push(format!("{name}: {e}")),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    println!("{}", page::table(&done, args.reference()));
    if let Some(out) = &args.out {
        let text = page::page(&done, &machine, args, &commit(root)?);
        write(&root.join(out), &text)?;
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(format!("not everything was simulated:\n{}", failures.join("\n"))),
    }
}

/// The machine at hand, with what the command line says of another.
fn machine(args: &Args) -> Result<Machine, String> {
    let mut machine = Machine::measure()?;
    if let Some(bandwidth) = args.bandwidth {
        machine.bandwidth = bandwidth;
        machine.bandwidth_of_one = machine.bandwidth_of_one.min(bandwidth);
    }
    if let Some(wake) = args.wake {
        machine.wake = wake * 1000.0;
    }
    Ok(machine)
}

fn program(root: &Path, args: &Args, machine: &Machine, name: &str) -> Result<Program, String> {
    let folder = root.join(&args.recordings).join(name);
    let programs = root.join("benches/programs");
    if !args.replay || args.measure {
        let source = programs.join(name).join(format!("{name}.fut"));
        let recorded = Recorded::build(&root.join(&args.futc), &source)?;
        if !args.replay {
            recorded.record(&folder, args)?;
        }
        if args.measure {
            recorded.measure(&programs, &folder, args)?;
        }
    }
    outcome::program(name, &folder, args, machine)
}
