//! A strip of points under construction, and what is remembered while it is.

use super::super::function::Array;
use crate::Error;
use crate::dialect::{Ix, Val};
use futc_midend::analysis::lanes::Lanes;
use futc_midend::ir::varmap::VarMap;
use futc_midend::ir::{BinOp, Stm, Strategy, SubExp, Var};
use std::cell::RefCell;

pub(super) type Result<T> = std::result::Result<T, Error>;

/// How a schedule has points go by lanes: see [`futc_midend::ir::Strategy::Lanes`].
#[derive(Clone, Copy)]
pub(in super::super) struct ByLanes {
    pub(in super::super) width: i64,
    pub(in super::super) aligned: bool,
    pub(in super::super) speculate: usize,
    pub(in super::super) shared: bool,
    pub(in super::super) partial: i64,
}

impl ByLanes {
    /// The fewest points that they do for, and the most, if there are any.
    pub(super) fn points(self) -> (i64, Option<i64>) {
        let least = if self.partial > 0 { self.partial } else { self.width };
        (least, (self.partial > 0).then_some(self.width - 1))
    }

    pub(in super::super) fn of(strategy: Strategy) -> Option<ByLanes> {
        match strategy {
            Strategy::Lanes { width, aligned, speculate, shared, partial } => {
                Some(ByLanes { width, aligned, speculate, shared, partial })
            }
            _ => None,
        }
    }
}

/// A strip of points under construction.
#[derive(Clone, Copy)]
pub(in super::super) struct Strip<'l, 'c, 'p> {
    pub(super) classes: &'l Lanes,
    /// The statements of the points, all of them.
    pub(super) whole: &'p [Stm],
    /// How many points.
    pub(super) width: i64,
    /// Sides of branches of at most so many statements of arithmetic are computed for all of them.
    pub(super) speculate: usize,
    /// The index, and the first of the points.
    pub(super) first: (Var, Val<'c>),
    /// How many there are, if they may be fewer than lanes.
    pub(super) points: Option<Val<'c>>,
    /// Quotients by what is uniform, met before in this list of statements or in those around it.
    pub(super) quotients: &'l RefCell<Vec<Quotient<'c>>>,
    /// The lanes that take part; all of them, if absent.
    pub(super) mask: Option<Val<'c>>,
    /// Arrays that the body makes.
    pub(super) arrays: &'l RefCell<VarMap<LaneArray<'c>>>,
    /// The function for points of which one fails, once a check has called it.
    pub(super) failing: &'l RefCell<Option<Failing<'c>>>,
}

/// A quotient of integers.
pub(super) struct Quotient<'c> {
    /// By which operator.
    pub(super) op: BinOp,
    pub(super) dividend: SubExp,
    pub(super) divisor: SubExp,
    pub(super) value: Val<'c>,
}

/// An array of each lane.
#[derive(Clone)]
pub(super) struct LaneArray<'c> {
    /// That of the first lane.
    pub(super) array: Array<'c>,
    /// How far the next lane's is, in elements.
    pub(super) step: Ix<'c>,
}

/// The function for points of which one fails.
#[derive(Clone)]
pub(super) struct Failing<'c> {
    pub(super) symbol: String,
    /// The values of its first parameters.
    pub(super) captured: Vec<Val<'c>>,
}
