//! Notes what the pass decides, for [`decisions`](super::decisions).

use super::decision::{Decision, Judged, Kind, Refusal, Within, has_aligned_lanes};
use super::legal;
use super::nest::Nest;
use super::scheduler::{Context, Scheduler};
use super::worth::{divisions_do_not_pay, gathers_do_not_pay, long_operations_do_not_pay};
use crate::analysis::lanes::{Lanes, Why};
use crate::ir::{Forced, Schedule, SegKind, SegLevel, Stm};

impl Scheduler<'_> {
    /// Notes what was decided about an operation, if anybody wants to know.
    pub(super) fn note(
        &self,
        stm: &Stm,
        nest: Nest<'_>,
        context: Context,
        forced: Option<(Forced, Option<Refusal>)>,
    ) {
        let Some(said) = self.said else { return };
        let op = nest.op;
        let scheduled = !op.level.is_kernel() && op.level != SegLevel::Tasks && !context.kernel;
        let judged = |lanes: Lanes| Judged {
            estimate: lanes.estimate,
            in_strips: context.strip,
            in_rows: stm.schedule.as_ref().is_some_and(has_aligned_lanes),
            slow_gathers: op.kind == SegKind::Map
                && gathers_do_not_pay(&lanes, &op.body, self.machine),
            slow_divisions: divisions_do_not_pay(&lanes, self.machine),
            slow_integers: long_operations_do_not_pay(&lanes, self.machine),
        };
        let (kind, lanes) = match &op.kind {
            SegKind::Map if context.rows => (Kind::Map, scheduled.then(|| Err(Why::Rows.into()))),
            SegKind::Map => {
                (Kind::Map, scheduled.then(|| legal::lanes_of_map(nest, self.places, self.machine)))
            }
            SegKind::Red(ops) => (
                Kind::Reduction,
                scheduled.then(|| legal::lanes_of_reduction(nest, ops, self.places, self.machine)),
            ),
            SegKind::Scan(_) => (Kind::Scan, None),
            SegKind::Hist(_) => (Kind::Histogram, None),
        };
        said.borrow_mut().push(Decision {
            fun: context.fun,
            loc: stm.loc,
            kind,
            dims: op.space.dims.len(),
            level: op.level,
            within: within(context),
            schedule: scheduled.then(|| stm.schedule.clone()).flatten(),
            lanes: lanes.map(|l| l.map(judged)),
            forced,
            alternatives: match &stm.schedule {
                Some(schedule) if scheduled => self.alternatives(nest, context, schedule),
                _ => Vec::new(),
            },
        });
    }

    /// Notes that a loop has no schedules, of which one is asked for.
    pub(super) fn note_loop(&self, stm: &Stm, context: Context, how: Forced) {
        let Some(said) = self.said else { return };
        let why = "it is a loop, or becomes one, as filters do, and has no schedules";
        said.borrow_mut().push(Decision {
            fun: context.fun,
            loc: stm.loc,
            kind: Kind::Loop,
            dims: 1,
            level: SegLevel::Seq,
            within: within(context),
            schedule: None,
            lanes: None,
            forced: Some((how, Some(Refusal::Illegal(why)))),
            alternatives: Vec::new(),
        });
    }

    /// What could be asked for instead of a schedule.
    fn alternatives(&self, nest: Nest<'_>, context: Context, schedule: &Schedule) -> Vec<Forced> {
        let room = self.room.get();
        let other = |how: &Forced| {
            let made = self.forced(nest, context, *how);
            self.room.set(room);
            made.is_ok_and(|s| s.is_some_and(|s| s.strategies != schedule.strategies))
        };
        Forced::ALL.into_iter().filter(other).collect()
    }
}

/// What an operation stands in.
fn within(context: Context) -> Within {
    Within {
        strip: context.strip,
        task: context.task,
        lanes: context.lanes,
        in_cache: context.in_cache,
    }
}
