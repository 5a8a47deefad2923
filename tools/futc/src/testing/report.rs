//! What `futc test` says while and after testing.

use super::case::{CaseResult, Verdict};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal as _;
use std::path::Path;

/// Counts, and how to show them.
pub struct Report {
    bar: Option<ProgressBar>,
    programs: usize,
    /// Cases as expected.
    pub passed: usize,
    /// Cases not as expected.
    pub failed: usize,
    /// Of those, crashes.
    pub crashed: usize,
    /// Cases left out.
    pub skipped: usize,
    json: Vec<serde_json::Value>,
}

impl Report {
    /// For that many programs; with a progress line if that can be seen.
    pub fn new(programs: usize, plain: bool) -> Report {
        let bar = (!plain && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(programs as u64);
            if let Ok(style) =
                ProgressStyle::with_template("{bar:30} {pos}/{len} programs, {msg} ({eta} left)")
            {
                bar.set_style(style);
            }
            bar
        });
        Report { bar, programs, passed: 0, failed: 0, crashed: 0, skipped: 0, json: Vec::new() }
    }

    /// Takes note of a program's results.
    pub fn add(&mut self, program: &Path, results: &[CaseResult], plain: bool) {
        let name = program.display();
        let mut bad = Vec::new();
        for r in results {
            let (word, detail) = match &r.verdict {
                Verdict::Passed => {
                    self.passed += 1;
                    ("passed", "")
                }
                Verdict::Skipped(why) => {
                    self.skipped += 1;
                    ("skipped", *why)
                }
                Verdict::Failed(d) => {
                    self.failed += 1;
                    bad.push(format!("{name}: {}: {}", r.name, clip(d)));
                    ("failed", d.as_str())
                }
                Verdict::Crashed(d) => {
                    self.failed += 1;
                    self.crashed += 1;
                    bad.push(format!("{name}: {}: crashed: {}", r.name, clip(d)));
                    ("crashed", d.as_str())
                }
            };
            self.json.push(serde_json::json!({
                "program": name.to_string(), "case": r.name, "result": word,
                "checkable": r.checkable, "detail": clip(detail),
            }));
        }
        for line in &bad {
            match &self.bar {
                Some(bar) => bar.println(line),
                None => println!("{line}"),
            }
        }
        if plain && bad.is_empty() {
            println!("{name}: ok");
        }
        if let Some(bar) = &self.bar {
            bar.inc(1);
            bar.set_message(format!("{} passed, {} failed", self.passed, self.failed));
        }
    }

    /// The last line.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        println!("{} programs, {} crashes", self.programs, self.crashed);
        println!("{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped);
    }

    /// Every result, for tools.
    pub fn json(&self) -> serde_json::Value {
        serde_json::Value::Array(self.json.clone())
    }
}

/// At most a screenful.
fn clip(s: &str) -> String {
    const LIMIT: usize = 1500;
    match s.char_indices().nth(LIMIT) {
        Some((i, _)) => format!("{}…", s.get(..i).unwrap_or("")),
        None => s.to_string(),
    }
}
