//! Schedules of loops that compact arrays.
//!
//! | loop | schedule |
//! | --- | --- |
//! | of a processor that puts elements of a vector side by side | compress, if there is room for whole vectors, else loops |
//! | of others | none: a loop |

use super::scheduler::{Context, Scheduler};
use crate::analysis::compaction::Compaction;
use crate::ir::{Schedule, Stm, Strategy};

/// Bytes of the elements that instructions put side by side; narrower ones are widened.
const ELEMENT: i64 = 4;

impl Scheduler<'_> {
    /// The schedule of a loop that compacts arrays, if it has one.
    pub(super) fn compaction(&self, stm: &Stm, context: Context) -> Option<Schedule> {
        if !self.machine.compresses || context.kernel {
            return None;
        }
        let found = Compaction::legal(stm, self.places)?;
        let widest = found.widest(self.places, stm).unwrap_or(ELEMENT);
        let lanes = self.machine.lanes(widest.max(ELEMENT));
        let strategies = vec![Strategy::Compress { lanes }, Strategy::Loops { unroll: 1 }];
        (lanes > 1).then(|| Schedule::new(strategies))
    }
}
