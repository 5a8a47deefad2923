//! Schedules of scans.

use super::legal;
use super::nest::Nest;
use super::scheduler::Scheduler;
use crate::analysis::bodies::lanewise_size;
use crate::analysis::contraction::accumulation;
use crate::ir::{PastCaches, Poly, Prim, Reduction, Schedule, Strategy};

/// Elements scanned at a time: few enough to stay in the first cache.
pub(super) const CHUNK: i64 = 1024;
/// Operations on vectors per element from which on there is nothing to gain.
const MOST: i64 = 3;
/// Fewer elements than this are scanned in order.
const SHORTEST: i64 = 32;
/// Chunks that are fetched side by side while results go past the caches.
const AHEAD: i64 = 8;
/// Shorter rows stay in the caches.
const ROW: i64 = 128;

impl Scheduler<'_> {
    pub(super) fn scan(&self, nest: Nest<'_>, ops: &[Reduction]) -> Schedule {
        let Some(vectors) = self.vectors(nest, ops) else { return Schedule::loops() };
        let rest = (!vectors.is_unconditional()).then_some(Strategy::Loops { unroll: 1 });
        Schedule::new([vectors].into_iter().chain(rest).collect())
    }

    /// Elements that vectors scan at a time, if they can.
    pub(super) fn lanes_of_scan(&self, nest: Nest<'_>) -> Option<i64> {
        let results = legal::vectors(nest, self.places)?;
        results.iter().map(|(elem, _)| self.machine.lanes(elem.bytes())).min()
    }

    fn vectors(&self, nest: Nest<'_>, ops: &[Reduction]) -> Option<Strategy> {
        let [op] = ops else { return None };
        let results = legal::vectors(nest, self.places)?;
        let short = |n: &i64| *n < SHORTEST;
        let (_, n) = nest.op.space.dims.last()?;
        let known = Poly::leaf(*n).as_const();
        if known.as_ref().is_some_and(short) {
            return None;
        }
        // A chunk costs some calls, of which a single row has few.
        let rows = if known.is_none() && nest.op.space.dims.len() > 1 { SHORTEST } else { 0 };
        let lanes = self.lanes_of_scan(nest)?;
        let pays = match accumulation(op) {
            Some(_) => results.iter().all(|(elem, _)| *elem != Prim::Bool),
            None => lanewise_size(&op.op).is_some_and(|size| {
                let size = i64::try_from(size + results.len()).unwrap_or(i64::MAX / 64);
                lanes > 1 && size * i64::from(lanes.ilog2()) <= MOST * lanes
            }),
        };
        if !pays {
            return None;
        }
        // Past the caches go whole vectors.
        let from = self.machine.beyond_caches;
        let mut stored = results.iter().filter_map(|(_, to)| *to);
        let large = stored.clone().all(|to| to.bytes().is_none_or(|n| n >= from));
        let whole = stored.any(|to| lanes * to.elem.bytes() == self.machine.vector_bytes);
        let passes = whole && legal::passes_caches(nest, self.places);
        let past_caches = (large && passes && self.large).then_some(PastCaches {
            ahead: AHEAD,
            least: ROW,
            from,
        });
        Some(Strategy::Vectors { lanes, chunk: CHUNK, rows, past_caches })
    }
}
