//! `futc datacmp` and `futc dataget`.

use crate::args::{DatacmpArgs, DatagetArgs};
use crate::exit::{Exit, Failure};
use futc_testing::block;
use futc_testing::compare::compare_all;
use futc_testing::input::input_values;
use futc_testing::value::{Reader, Value};
use std::io::Write;
use std::path::Path;

fn read(file: &Path) -> Result<Vec<Value>, Failure> {
    let bytes =
        std::fs::read(file).map_err(|e| Failure::usage(format!("{}: {e}", file.display())))?;
    Reader::new(&bytes).all().map_err(|e| Failure::usage(format!("{}: {e}", file.display())))
}

/// Runs `futc datacmp`: prints every difference.
pub fn datacmp(args: &DatacmpArgs) -> Result<Exit, Failure> {
    let (a, b) = (read(&args.file_a)?, read(&args.file_b)?);
    let differences = compare_all(&a, &b, usize::MAX);
    for d in &differences {
        println!("{}", d.0);
    }
    Ok(if differences.is_empty() { Exit::Success } else { Exit::Failed })
}

/// Runs `futc dataget`.
pub fn dataget(args: &DatagetArgs) -> Result<Exit, Failure> {
    let text = std::fs::read_to_string(&args.program)
        .map_err(|e| Failure::usage(format!("{}: {e}", args.program.display())))?;
    let spec = block::parse(&text)
        .map_err(|e| Failure::usage(format!("{}: {e}", args.program.display())))?;
    let mut found = spec.cases.iter().filter(|c| c.name.contains(&args.dataset));
    let case = match (found.next(), found.next()) {
        (Some(c), None) => c,
        (Some(c), Some(_)) => {
            // Several match: one of exactly that name is meant.
            match spec.cases.iter().find(|c| c.name == args.dataset) {
                Some(exact) => exact,
                None => {
                    return Err(Failure::usage(format!(
                        "several data sets match '{}': {}, …",
                        args.dataset, c.name
                    )));
                }
            }
        }
        (None, _) => {
            let names: Vec<&str> = spec.cases.iter().map(|c| c.name.as_str()).collect();
            return Err(Failure::usage(format!(
                "no data set matches '{}'; there are: {}",
                args.dataset,
                names.join(", ")
            )));
        }
    };
    let mut out = std::io::stdout().lock();
    for v in input_values(&args.program, &case.input).map_err(Failure::usage)? {
        out.write_all(&v.to_binary()).map_err(|e| Failure::new(format!("standard output: {e}")))?;
    }
    Ok(Exit::Success)
}
