//! What was decided about an operation, and why: for users who ask.

use crate::analysis::lanes::{Estimate, Obstacle};
use crate::ir::{Forced, Loc, Schedule, SegLevel, Strategy};
use futc_typed::name::Name;

/// What was decided about an operation.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// The function it is in; nothing for constants.
    pub fun: Option<Name>,
    /// Where it stands.
    pub loc: Option<Loc>,
    /// What it does with its points.
    pub kind: Kind,
    /// How many dimensions its points have.
    pub dims: usize,
    /// Who runs it.
    pub level: SegLevel,
    /// What it stands in.
    pub within: Within,
    /// How it is gone through; nothing of what others run.
    pub schedule: Option<Schedule>,
    /// What lanes of its points would come to, or what stands in their way; of maps and reductions that are scheduled.
    pub lanes: Option<Result<Judged, Obstacle>>,
    /// What was asked for, and why it was refused if it was.
    pub forced: Option<(Forced, Option<Refusal>)>,
    /// What could be asked for and would be another schedule.
    pub alternatives: Vec<Forced>,
}

/// Kinds of operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A map.
    Map,
    /// A reduction.
    Reduction,
    /// A scan.
    Scan,
    /// A histogram.
    Histogram,
    /// A loop, or what becomes one, as filters do: told of only if a schedule is asked for.
    Loop,
}

impl Kind {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Map => "map",
            Kind::Reduction => "reduction",
            Kind::Scan => "scan",
            Kind::Histogram => "histogram",
            Kind::Loop => "loop",
        }
    }
}

/// What an operation stands in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Within {
    /// It is a strip of another one.
    pub strip: bool,
    /// A task that threads share.
    pub task: bool,
    /// An operation that goes by lanes, but for the points that are too few for a vector.
    pub lanes: bool,
    /// What it goes through fits the caches.
    pub in_cache: bool,
}

/// Lanes that are possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judged {
    /// Whether they are expected to pay, and why.
    pub estimate: Estimate,
    /// Its points were put together for lanes.
    pub in_strips: bool,
    /// They are taken, as points are rows of a stencil.
    pub in_rows: bool,
    /// They would pay, were it not for elements that are read from anywhere, which this processor does slowly.
    pub slow_gathers: bool,
    /// Lanes would gain by divisions alone, which the processor does one by one.
    pub slow_divisions: bool,
    /// Lanes would pay, were it not for operations on 64-bit integers of which this processor's vectors have none.
    pub slow_integers: bool,
}

/// Why a schedule that was asked for cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Lanes cannot do it.
    Lanes(Obstacle),
    /// It is not legal for another reason.
    Illegal(&'static str),
}

/// Whether a schedule has lanes.
pub(super) fn has_lanes(schedule: &Schedule) -> bool {
    schedule.strategies.iter().any(|s| matches!(s, Strategy::Lanes { .. }))
}

/// Whether a schedule has lanes that are aligned with the result.
pub(super) fn has_aligned_lanes(schedule: &Schedule) -> bool {
    schedule.strategies.iter().any(|s| matches!(s, Strategy::Lanes { aligned: true, .. }))
}
