//! What a choice is made by, and how far loops are unrolled in every strategy.

use super::decision::Decision;
use super::legal;
use super::nest::Nest;
use crate::analysis::places::Places;
use crate::ir::{Exp, Stm};
use crate::machine::Machine;
use futc_typed::name::Name;
use std::cell::{Cell, RefCell};

/// What schedules are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Aim {
    /// The program is for a device, and what is scheduled is its host's part.
    pub kernels: bool,
    /// Small code rather than the quickest: nobody waits for all of a long program.
    pub small: bool,
}

/// Where an operation stands.
#[derive(Clone, Copy, Default)]
pub(super) struct Context {
    /// So many operations are around it.
    pub(super) depth: usize,
    /// In a kernel.
    pub(super) kernel: bool,
    /// What it goes through fits the caches.
    pub(super) in_cache: bool,
    /// Of the statement at hand: it is a product of matrices that is large enough for blocks.
    pub(super) blocks: bool,
    /// Of the statement at hand: it is a product of matrices of few rows.
    pub(super) few_rows: bool,
    /// Of the statement at hand: its rows are mostly short.
    pub(super) short_rows: bool,
    /// The function.
    pub(super) fun: Option<Name>,
    /// It is a strip of another operation.
    pub(super) strip: bool,
    /// Of the statement at hand: there are few points.
    pub(super) peeled: bool,
    /// Of the statement at hand: each point is a row, whose points are in maps of their own.
    pub(super) rows: bool,
    /// A task.
    pub(super) task: bool,
    /// An operation around it goes by lanes.
    pub(super) lanes: bool,
}

/// What there is to choose by.
#[derive(Clone, Copy)]
pub(super) struct Scheduler<'a> {
    pub(super) machine: &'a Machine,
    pub(super) aim: Aim,
    pub(super) places: &'a Places,
    /// There may be strategies for sizes beyond the caches.
    pub(super) large: bool,
    /// Bytes of the function's stack that are left for arrays of lanes.
    pub(super) room: &'a Cell<i64>,
    /// Where decisions are noted, if anybody wants to know them.
    pub(super) said: Option<&'a RefCell<Vec<Decision>>>,
}

impl Scheduler<'_> {
    /// How many points of the innermost dimension of an operation with checks should stand in an
    /// iteration.
    ///
    /// Where a check may leave a loop, LLVM makes no vectors of it, and if it unrolls it at all, it asks
    /// after each point whether that was the last one. A loop that always runs eight times is unrolled
    /// without these questions, which take about as long as a short body. Rows of matrices and what
    /// else is inside of other points may be short, so that a second loop costs more than the questions.
    /// Branches are left alone: another place of the same branch is no easier to foretell.
    pub(super) fn unroll(&self, nest: Nest<'_>, context: Context) -> i64 {
        let long = !self.aim.kernels && context.depth == 0;
        if long && !self.aim.small && legal::unrolls(nest.op) {
            points_at_once(&nest.op.body.stms)
        } else {
            1
        }
    }
}

/// How many points of a straight body with checks an iteration should take.
pub(super) fn points_at_once(stms: &[Stm]) -> i64 {
    let checked = stms.iter().any(|s| matches!(s.exp, Exp::Assert { .. }));
    let branches = stms.iter().any(|s| matches!(s.exp, Exp::Match { .. }));
    match stms.len() {
        _ if !checked || branches => 1,
        0..9 => 8,
        9..=16 => 4,
        _ => 1,
    }
}
