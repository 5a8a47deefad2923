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

    /// Whether the last strategy is [`Strategy::Scalar`].
    pub fn is_scalar(self) -> bool {
        self.strategies.last() == Some(&Strategy::Scalar)
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
