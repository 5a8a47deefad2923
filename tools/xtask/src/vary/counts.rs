//! What a run of all pairs comes to.

use futc_generate::vary::kinds::Kind;
use std::collections::BTreeMap;
use std::fmt;

/// Numbers of pairs of a program and an input; those for each target are given with its name.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// All.
    pub pairs: usize,
    /// The interpreter has results.
    pub results: usize,
    /// The interpreter fails, and how.
    pub failures: BTreeMap<Kind, usize>,
    /// Sizes of arguments were made to differ.
    pub disagreeing: usize,
    /// Something about sizes or indexes fails of which nobody needs the value.
    pub unread: usize,
    /// Runs on targets, by target and what became of them.
    pub runs: BTreeMap<(String, &'static str), usize>,
}

impl Counts {
    /// One run on a target.
    pub fn run(&mut self, target: &str, what: &'static str) {
        *self.runs.entry((target.to_owned(), what)).or_default() += 1;
    }

    /// All of both.
    pub fn add(&mut self, other: &Counts) {
        self.pairs += other.pairs;
        self.results += other.results;
        self.disagreeing += other.disagreeing;
        self.unread += other.unread;
        for (kind, n) in &other.failures {
            *self.failures.entry(*kind).or_default() += n;
        }
        for (what, n) in &other.runs {
            *self.runs.entry(what.clone()).or_default() += n;
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>7} pairs of a program and an input; in the interpreter", self.pairs)?;
        writeln!(f, "{:>7}   have results", self.results)?;
        for (kind, n) in &self.failures {
            writeln!(f, "{n:>7}   fail: {kind}")?;
        }
        writeln!(
            f,
            "{:>7} pairs with arguments of sizes that differ on purpose",
            self.disagreeing
        )?;
        writeln!(f, "{:>7} pairs with a failing size or index that nothing needs", self.unread)?;
        for ((target, what), n) in &self.runs {
            writeln!(f, "{n:>7} {target}: {what}")?;
        }
        Ok(())
    }
}
