//! What is wrong as a program with a test block.

use super::report::Wrong;
use futc_generate::values::Data;
use futc_generate::vary::kinds::Kind;
use std::fmt::Write as _;
use std::path::Path;

/// Writes it to a folder, if there is one.
pub fn save(
    dir: Option<&Path>,
    program: &Path,
    wrong: &Wrong,
    number: usize,
) -> Result<(), String> {
    let (Some(dir), Some(case)) = (dir, &wrong.case) else { return Ok(()) };
    let bytes = std::fs::read(program).map_err(|e| format!("{}: {e}", program.display()))?;
    let stem = program.file_stem().unwrap_or_default().to_string_lossy();
    let file = dir.join(format!("{number:03}-{stem}.fut"));
    let mut text = format!("-- From {}; {}.\n", program.display(), wrong.class);
    let (entry, values, truth) = case;
    let all = |values: &[Data]| values.iter().map(Data::to_text).collect::<Vec<_>>().join(" ");
    let _ = writeln!(text, "-- ==\n-- entry: {entry}\n-- input {{ {} }}", all(values));
    let _ = match truth {
        Ok(values) => writeln!(text, "-- output {{ {} }}", all(values)),
        Err(e) => writeln!(text, "-- error: {}", pattern(Kind::of(e), e)),
    };
    text.push('\n');
    text.push_str(&without_blocks(&String::from_utf8_lossy(&bytes)));
    std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))
}

/// A pattern for a message: its words up to the first number.
fn pattern(kind: Kind, message: &str) -> String {
    if kind == Kind::Arguments {
        return "size".into();
    }
    let first = message.lines().next().unwrap_or_default();
    let first = first.strip_prefix("Error: ").unwrap_or(first);
    let words = first.split(|c: char| !c.is_alphabetic() && c != ' ').next().unwrap_or_default();
    words.trim().to_owned()
}

/// A program's text without its test blocks.
fn without_blocks(text: &str) -> String {
    let (mut out, mut inside) = (String::new(), false);
    for line in text.lines() {
        inside = line.strip_prefix("--").is_some_and(|rest| inside || rest.trim() == "==");
        if !inside {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_blocks_go_and_all_else_stays() {
        let text =
            "-- What it does.\n-- ==\n-- input { 1 }\n-- output { 2 }\n\n-- More.\ndef x = 1\n";
        assert_eq!(without_blocks(text), "-- What it does.\n\n-- More.\ndef x = 1\n");
    }

    #[test]
    fn patterns_match_the_message() {
        let message = "Error: Number of elements to replicate is negative: -1.\n\nBacktrace:\n";
        assert_eq!(
            pattern(Kind::of(message), message),
            "Number of elements to replicate is negative"
        );
    }
}
