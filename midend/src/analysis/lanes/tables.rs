//! What is known of bytes and of the lookups that they are for (`lookups.rs`).

use crate::ir::varmap::VarMap;
use crate::ir::{SubExp, Var};

/// The greatest byte.
pub(super) const MOST: i64 = 255;

/// A read of a table of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lookup {
    /// The index, as it is before it becomes wider.
    pub byte: SubExp,
    /// The bits of it that count.
    pub mask: i64,
    /// Which dimension it is of.
    pub dim: usize,
    /// Elements from index 0 on among which the index is.
    pub slots: i64,
    /// The index as it stands in the program.
    pub(super) index: Var,
}

/// What is a byte, whatever its type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Byte {
    pub(super) byte: SubExp,
    pub(super) mask: i64,
    pub(super) most: i64,
}

impl Byte {
    pub(super) fn of(byte: SubExp) -> Byte {
        Byte { byte, mask: MOST, most: MOST }
    }

    pub(super) fn at_most(self, most: i64) -> Byte {
        Byte { most: self.most.min(most), ..self }
    }
}

/// What is known of the bytes of a body.
#[derive(Default)]
pub(super) struct Bytes {
    pub(super) known: VarMap<Byte>,
    /// Those that are wider: the bytes of the types, and what they were made of, in order.
    pub(super) wide: Vec<(Var, i64, Option<Var>)>,
    pub(super) lookups: VarMap<Lookup>,
}

impl Bytes {
    /// The widest type of bytes that something uses besides lookups.
    pub(super) fn widest(&self, uses: &VarMap<usize>) -> i64 {
        let mut by_lookups: VarMap<usize> = VarMap::default();
        for lookup in self.lookups.values() {
            *by_lookups.entry(lookup.index).or_default() += 1;
        }
        let mut widest = 1;
        for (v, bytes, from) in self.wide.iter().rev() {
            if uses.get(v) != by_lookups.get(v) {
                widest = widest.max(*bytes);
            } else if let Some(from) = from {
                *by_lookups.entry(*from).or_default() += 1;
            }
        }
        widest
    }
}
