//! Loops that filters and partitions are ([`crate::passes::seg::compact`]), at level `mem`.
//!
//! ```text
//! (c, out, rest) = loop (c = 0, out = scratch, rest = scratch, a = a0) for i < n {
//!   s = a + …                      what scans accumulate, if there are any
//!   …                              elements and flags, which need nothing else of what is carried
//!   c' = c + f
//!   out' = update out[c] with x
//!   p = i - c
//!   rest' = update rest[p] with x
//!   in (c', out', rest', s)
//! }
//! ```
//!
//! What is stored behind the last element that is kept is nobody's: the array began without elements.

use super::sums::{Counted, Sum, Sums};
use crate::ir::traverse::free_in_stm;
use crate::ir::varmap::VarSet;
use crate::ir::{BinOp, DimIndex, Exp, IntType, Prim, Stm, SubExp, Type, Var};

const I64: IntType = IntType::I64;

/// A loop that compacts arrays.
pub(crate) struct Filter<'a> {
    pub(crate) rounds: Counted<'a>,
    /// Statements that compute flags and elements.
    pub(crate) elements: Vec<usize>,
    /// Statements that take counts from the index.
    pub(crate) distances: Vec<usize>,
    pub(crate) counts: Vec<Count>,
    pub(crate) outputs: Vec<Output>,
    /// What else it accumulates, which may decide what is kept.
    pub(crate) sums: Option<Sums<'a>>,
}

/// A count of elements that are kept.
#[derive(Clone, Copy)]
pub(crate) struct Count {
    /// Which parameter it is.
    pub(crate) at: usize,
    /// What it grows by.
    pub(crate) flag: SubExp,
}

/// An array that is filled from its beginning.
pub(crate) struct Output {
    /// Which parameter it is.
    pub(crate) at: usize,
    pub(crate) elem: Prim,
    /// The statement that writes to it.
    pub(crate) update: usize,
    /// What is written.
    pub(crate) value: SubExp,
    pub(crate) place: Place,
}

/// Where an element goes.
#[derive(Clone)]
pub(crate) struct Place {
    /// A count, or the index.
    pub(crate) count: Option<Var>,
    /// Less these counts.
    pub(crate) less: Vec<Var>,
    /// The statements that take them from the index.
    distances: Vec<usize>,
}

impl<'a> Filter<'a> {
    /// Of a statement, with the arrays that begin without elements.
    pub(crate) fn find(s: &'a Stm, scratch: &VarSet) -> Option<Filter<'a>> {
        let rounds = Counted::find(s)?;
        let Counted { params, init, body, .. } = rounds;
        let mut known = vec![false; body.stms.len()];
        let mut tainted = VarSet::default();
        let (mut outputs, mut distances, mut given) = (Vec::new(), Vec::new(), Vec::new());
        for (at, p) in params.iter().enumerate().filter(|(_, p)| p.ty.rank() > 0) {
            let Type::Array { elem, shape } = &p.ty else { return None };
            let initial = init.get(at)?.var().filter(|v| scratch.contains(v))?;
            let updated = body.result.get(at)?.var()?;
            let update = rounds.defined(updated)?;
            let Exp::Update { array, dims, value } = &body.stms.get(update)?.exp else {
                return None;
            };
            let [DimIndex::Fix(SubExp::Var(place))] = *dims.as_slice() else { return None };
            let same_place = s.pat.get(at)?.mem == p.mem && p.mem.is_some();
            if *array != p.var || shape.len() != 1 || initial == p.var || !same_place {
                return None;
            }
            given.push(*value);
            *known.get_mut(update)? = true;
            tainted.extend([p.var, updated]);
            let place = Place::find(&rounds, place)?;
            for &at in &place.distances {
                *known.get_mut(at)? = true;
                tainted.extend(body.stms.get(at)?.pat.iter().map(|p| p.var));
                distances.push(at);
            }
            outputs.push(Output { at, elem: *elem, update, value: *value, place });
        }
        let (mut counts, mut sums) = (Vec::new(), Vec::new());
        for (k, p) in params.iter().enumerate().filter(|(_, p)| p.ty.rank() == 0) {
            let sum = rounds.sum(k)?;
            if !outputs.iter().any(|o| o.place.depends_on(p.var)) {
                sums.push(sum);
                continue;
            }
            if *init.get(k)? != SubExp::i64(0) || !sum.adds(I64) {
                return None;
            }
            let next = body.result.get(k)?.var()?;
            *known.get_mut(rounds.defined(next)?)? = true;
            tainted.extend([p.var, next]);
            given.push(sum.element);
            counts.push(Count { at: k, flag: sum.element });
        }
        let free = |x: &SubExp| x.var().is_none_or(|v| !tainted.contains(&v));
        let mut elements: Vec<usize> =
            (0..body.stms.len()).filter(|k| known.get(*k) == Some(&false)).collect();
        let mut apart = elements.iter().filter_map(|k| body.stms.get(*k));
        let apart = apart.all(|s| free_in_stm(s).iter().all(|v| !tainted.contains(v)));
        if counts.is_empty() || !apart || !given.iter().all(free) {
            return None;
        }
        let added: Vec<usize> = sums.iter().filter_map(|s: &Sum| rounds.next(s.at)).collect();
        elements.retain(|k| !added.contains(k));
        let sums = if sums.is_empty() { None } else { Some(rounds.sums(sums)?) };
        // What fails first is to fail first: elements of sums are computed before all else.
        if sums.as_ref().is_some_and(Sums::both_fail) {
            return None;
        }
        Some(Filter { rounds, elements, distances, counts, outputs, sums })
    }
}

impl Place {
    /// What a place is computed from: a count, or the index less some.
    fn find(rounds: &Counted<'_>, place: Var) -> Option<Place> {
        let is_count = |v: Var| rounds.params.iter().any(|p| p.var == v && p.ty == Type::I64);
        let (mut less, mut distances) = (Vec::new(), Vec::new());
        let mut from = place;
        let count = loop {
            if is_count(from) {
                break Some(from);
            }
            if from == rounds.index {
                break None;
            }
            let sub = rounds.defined(from)?;
            let Exp::BinOp(BinOp::Sub(I64), SubExp::Var(x), SubExp::Var(c)) =
                rounds.body.stms.get(sub)?.exp
            else {
                return None;
            };
            if !is_count(c) {
                return None;
            }
            distances.push(sub);
            less.push(c);
            from = x;
        };
        // Elements that all go to other places are no filter.
        (count.is_some() == less.is_empty()).then_some(Place { count, less, distances })
    }

    fn depends_on(&self, count: Var) -> bool {
        self.count == Some(count) || self.less.contains(&count)
    }
}
