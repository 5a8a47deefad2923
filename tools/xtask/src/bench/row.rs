//! What was measured of a program.

use super::peers::Kind;
use std::collections::BTreeMap;

/// What a peer took.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// The median run, in microseconds.
    pub time: f64,
    /// The most memory that a process held, in bytes.
    pub memory: u64,
}

/// A program's row.
pub struct Row {
    pub name: String,
    /// Seconds that futc compiled.
    pub compile: f64,
    /// The pass or stage that most of it went into, and its share.
    pub costliest: (String, f64),
    /// The bytes of the largest array among inputs and results.
    pub largest: u64,
    pub futc: Cost,
    pub peers: BTreeMap<Kind, Cost>,
}

impl Row {
    /// The quicker of the C compilers.
    pub fn best_c(&self) -> Option<Cost> {
        [Kind::Gcc, Kind::Clang]
            .iter()
            .filter_map(|k| self.peers.get(k).copied())
            .min_by(|a, b| a.time.total_cmp(&b.time))
    }

    /// futc's time over that of the quicker C compiler.
    pub fn ratio(&self) -> Option<f64> {
        self.best_c().map(|c| self.futc.time / c.time)
    }

    /// futc's time over that of a peer.
    pub fn ratio_to(&self, kind: Kind) -> Option<f64> {
        self.peers.get(&kind).map(|c| self.futc.time / c.time)
    }
}
