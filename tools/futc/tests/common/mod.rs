//! What tests of libraries and packages share.

use std::fmt::Write as _;
use std::process::{Command, Output};

/// Runs a command, which must succeed.
pub fn succeeded(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// A program with entry points for scalars and arrays of each element type and rank, which return what they are
/// given; arrays by this expression.
pub fn all_arrays(array: &str) -> String {
    let mut text = String::new();
    for prim in ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool"]
    {
        let _ = writeln!(text, "entry {prim}_0 (x: {prim}) : {prim} = x");
        for rank in 1..=5 {
            let ty = "[]".repeat(rank) + prim;
            let _ = writeln!(text, "entry {prim}_{rank} (xs: {ty}) : {ty} = {array}");
        }
    }
    text
}
