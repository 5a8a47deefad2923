//! A filter or partition as it is found in a program.

use super::places::{Partition, Passed};
use crate::analysis::size_facts::SizeFacts;
use crate::ir::{Mentions, NameSource, SubExp, Var};

/// The pass over a program.
pub(super) struct Compacter {
    pub(super) names: NameSource,
    pub(super) mentions: Mentions,
    pub(super) known: SizeFacts,
}

/// A scan of flags and the writes that it places: positions in a list of statements.
pub(super) struct Filter {
    pub(super) scan: usize,
    /// Where the counts in the end are read.
    pub(super) counters: Vec<usize>,
    /// Scalars made of them before the writes.
    pub(super) late: Vec<usize>,
    /// Where the results of the writes begin their lives.
    pub(super) buffers: Vec<usize>,
    pub(super) writes: usize,
    pub(super) writes_of: Vec<Written>,
    /// In the body of the writes: what the scan makes.
    pub(super) passed: Vec<(Var, Passed)>,
    /// For each count what stands for it before an element, and what it is called in the end.
    pub(super) counts: Vec<(Var, Option<Var>)>,
}

/// What is written to one destination.
pub(super) struct Written {
    pub(super) value: SubExp,
    pub(super) size: SubExp,
    pub(super) parts: Vec<Partition>,
}
