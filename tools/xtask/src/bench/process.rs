//! Running commands, and what programs there are.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a command to its end, with its output to a file if one is named; the error is what it says.
pub fn succeed(command: &mut Command, output: Option<&Path>) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdout(match output {
        Some(path) => File::create(path).map_err(|e| format!("{}: {e}", path.display()))?.into(),
        None => Stdio::piped(),
    });
    let done = command
        .stderr(Stdio::piped())
        .spawn()
        .and_then(std::process::Child::wait_with_output)
        .map_err(|e| format!("{name}: {e}"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = [done.stdout, done.stderr].concat();
    Err(format!("{}\n{}", done.status, String::from_utf8_lossy(&said).trim()))
}

/// The middle of some times.
pub fn median(times: &mut [f64]) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    let (low, high) = (times.get(times.len().checked_sub(1)? / 2)?, times.get(times.len() / 2)?);
    Some(f64::midpoint(*low, *high))
}

/// The directories of `programs` that hold a program of their name, sorted.
pub fn all_programs(programs: &Path) -> Result<Vec<String>, String> {
    let mut names: Vec<String> = std::fs::read_dir(programs)
        .map_err(|e| format!("{}: {e}", programs.display()))?
        .filter_map(Result::ok)
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .filter(|n| programs.join(n).join(format!("{n}.fut")).is_file())
        .collect();
    names.sort();
    Ok(names)
}

/// Writes a file; the error names it.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
