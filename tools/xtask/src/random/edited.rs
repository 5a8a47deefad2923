//! Generated programs that are edited at random and compiled after each edit, once with what the cache has
//! of all versions before, and once without a cache: the objects must be the same, byte by byte.

use super::Args;
use futc_generate::generate;
use futc_generate::random::Random;
use std::path::Path;
use std::process::Command;

/// Programs in one file.
const TOGETHER: u64 = 6;

/// What has been compared.
pub struct Edited {
    /// Versions that were compiled both ways.
    pub versions: u64,
    /// Edits that made a program invalid, and were taken back.
    pub refused: u64,
    /// Units that were found in the cache, in all versions.
    pub found: u64,
    /// Units of all versions.
    pub units: u64,
}

/// Edits as many programs as `args` say, so many times each; the error is the first difference.
pub fn run(root: &Path, args: &Args, edits: u64) -> Result<Edited, String> {
    let futc = args.futc.clone().unwrap_or_else(|| root.join("target/debug/futc"));
    let scratch = tempfile::tempdir().map_err(|e| format!("temporary directory: {e}"))?;
    let mut out = Edited { versions: 0, refused: 0, found: 0, units: 0 };
    let end = args.seed + args.number;
    let mut first = args.seed;
    while first < end {
        let last = (first + TOGETHER).min(end);
        let mut parts: Vec<String> =
            (first..last).map(|seed| generate(seed, &format!("p{seed}_")).text()).collect();
        let mut random = Random::new(first ^ 0x6564_6974);
        for round in 0..=edits {
            let before = parts.clone();
            if round > 0 {
                edit(&mut random, &mut parts);
            }
            let text = parts.join("\n");
            match compile(&futc, scratch.path(), &text)? {
                Some((found, units)) => {
                    out.versions += 1;
                    out.found += found;
                    out.units += units;
                }
                None if round == 0 => break,
                None => {
                    out.refused += 1;
                    parts = before;
                }
            }
        }
        first = last;
    }
    Ok(out)
}

/// Compiles a program both ways: how many of how many units were found. `None` if it is invalid.
fn compile(futc: &Path, folder: &Path, text: &str) -> Result<Option<(u64, u64)>, String> {
    let file = folder.join("p.fut");
    std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
    let object = |name: &str, more: &[&str]| {
        let output = folder.join(name);
        let mut command = Command::new(futc);
        command.args(["-w", "-O1", "--emit=obj", "--split-from=1", "--time-passes"]).args(more);
        // Functions that call each other are in several parts.
        command.args(["--part-size=4", "--no-inline"]);
        command.env("XDG_CACHE_HOME", folder).env_remove("FUTC_CACHE_SIZE");
        command.arg(&file).arg("-o").arg(&output);
        let done = command.output().map_err(|e| format!("{}: {e}", futc.display()))?;
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        match done.status.code() {
            Some(0) => {
                let bytes = std::fs::read(&output);
                bytes.map(|b| Some((b, said))).map_err(|e| format!("{}: {e}", output.display()))
            }
            Some(2) => Ok(None),
            _ => Err(format!("futc fails: {said}\n{text}")),
        }
    };
    let (warm, cold) = (object("warm.o", &[])?, object("cold.o", &["--no-cache"])?);
    match (warm, cold) {
        (None, None) => Ok(None),
        (Some((warm, said)), Some((cold, _))) if warm == cold => Ok(Some(counts(&said))),
        _ => Err(format!("the cache makes a difference for this program:\n{text}")),
    }
}

/// What `--time-passes` says of the cache: `cache 3 of 5 units found`.
fn counts(said: &str) -> (u64, u64) {
    let line = said.lines().find_map(|l| l.trim().strip_prefix("cache "));
    let mut words = line.unwrap_or_default().split(' ').filter_map(|w| w.parse().ok());
    (words.next().unwrap_or(0), words.next().unwrap_or(0))
}

fn edit(random: &mut Random, parts: &mut Vec<String>) {
    let at = random.below(parts.len().max(1));
    let other = random.below(parts.len().max(1));
    match random.below(8) {
        0 => parts.swap(at, other),
        1 if parts.len() > 1 => {
            parts.remove(at);
        }
        2 => {
            let seed = random.next() >> 40;
            parts.insert(at, generate(seed, &format!("q{seed}_")).text());
        }
        // Everything behind it moves.
        3 => parts.insert(at, "-- a line more\n".to_owned()),
        _ => {
            if let Some(part) = parts.get_mut(at) {
                change(random, part);
            }
        }
    }
}

/// Changes a number, or a sign of addition.
fn change(random: &mut Random, text: &mut String) {
    let bytes = text.as_bytes();
    let name = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'\'' || b == b'.';
    let places: Vec<usize> = (1..bytes.len().saturating_sub(1))
        .filter(|&i| match bytes[i] {
            b'0'..=b'9' => !name(bytes[i - 1]) && !bytes[i + 1].is_ascii_alphanumeric(),
            b'+' => bytes[i - 1] == b' ' && bytes[i + 1] == b' ',
            _ => false,
        })
        .collect();
    if let Some(&at) = random.pick(&places) {
        let new = match bytes[at] {
            b'+' => "-".to_owned(),
            _ => random.below(10).to_string(),
        };
        text.replace_range(at..=at, &new);
    }
}
