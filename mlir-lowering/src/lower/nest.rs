//! A segmented operation, and what is left of its schedule.

use crate::Error;
use crate::dialect::Val;
use futc_midend::ir::{PatElem, SegOp, Strategy};

type Result<T> = std::result::Result<T, Error>;

/// A segmented operation as it is to be emitted.
#[derive(Clone, Copy)]
pub struct Nest<'p> {
    /// What it binds.
    pub pat: &'p [PatElem],
    /// The operation.
    pub op: &'p SegOp,
    /// The strategies that are left to be taken, the preferred one first.
    pub strategies: &'p [Strategy],
    /// No point reads what another one writes.
    pub independent: bool,
}

/// What LLVM is told of loops.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LoopHint {
    /// Nothing.
    None,
    /// They are neither vectorised nor unrolled.
    Scalar,
    /// They are not unrolled, but may be vectorised.
    Rolled,
    /// They are not vectorised, but may be unrolled: loops inside go along neighbours, which LLVM no longer sees once it has unrolled them.
    Outer,
}

/// The strategy of what has no schedule.
pub static LOOPS: [Strategy; 1] = [Strategy::Loops { unroll: 1 }];

impl<'p> Nest<'p> {
    /// An operation whose threads go by loops.
    pub fn by_loops(self) -> Nest<'p> {
        Nest { strategies: &LOOPS, ..self }
    }

    /// The preferred strategy.
    pub fn first(self) -> Result<Strategy> {
        self.strategies.first().copied().ok_or_else(|| Error::bug("no strategy is left"))
    }

    /// What LLVM is told of the loops of the last strategy.
    pub fn hint(self) -> LoopHint {
        match self.strategies.last() {
            Some(Strategy::Scalar) => LoopHint::Scalar,
            Some(Strategy::Rolled) => LoopHint::Rolled,
            _ => LoopHint::None,
        }
    }

    /// For sizes that the preferred strategy is not for.
    pub fn rest(self) -> Nest<'p> {
        Nest { strategies: self.strategies.get(1..).unwrap_or_default(), ..self }
    }

    /// How many points an iteration of plain loops takes.
    pub fn unroll(self) -> i64 {
        let unroll = |s: &Strategy| match s {
            Strategy::Loops { unroll } => Some(*unroll),
            _ => None,
        };
        self.strategies.iter().find_map(unroll).unwrap_or(1)
    }
}

/// Where the results of a reduction without segments go.
pub enum ScalarResults<'c> {
    /// They are values.
    Values,
    /// Words in memory, since a kernel has no results.
    Slots(Val<'c>),
}
