//! Loops that filters and partitions are ([`crate::passes::seg::compact`]), at level `mem`.
//!
//! ```text
//! (c, out, rest) = loop (c = 0, out = scratch, rest = scratch) for i < n {
//!   …                              elements and flags, which need none of what is carried
//!   c' = c + f                     f is 0 or 1
//!   out' = update out[c] with x
//!   p = i − c
//!   rest' = update rest[p] with x
//!   in (c', out', rest')
//! }
//! ```
//!
//! What is stored behind the last element that is kept is nobody's: the array began without elements.

use crate::ir::traverse::free_in_stm;
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, Body, DimIndex, Exp, IntType, LoopForm, Param, Prim, Stm, SubExp, Type, Var,
};

const I64: IntType = IntType::I64;

/// A loop that compacts arrays.
pub struct FilterLoop<'a> {
    /// The counter.
    pub index: Var,
    /// How many elements there are.
    pub n: SubExp,
    /// What is carried.
    pub params: &'a [Param],
    /// What it begins with.
    pub init: &'a [SubExp],
    /// The loop's body.
    pub body: &'a Body,
    /// Statements that compute elements and flags.
    pub elements: Vec<usize>,
    /// How many are kept, in the order of the parameters.
    pub counts: Vec<Count>,
    /// What they are written to.
    pub outputs: Vec<Output>,
}

/// A count of elements that are kept.
#[derive(Clone, Copy)]
pub struct Count {
    /// Which parameter it is.
    pub at: usize,
    /// What it grows by.
    pub flag: SubExp,
}

/// An array that is filled from its beginning.
pub struct Output {
    /// Which parameter it is.
    pub at: usize,
    /// The type of its elements.
    pub elem: Prim,
    /// What is written.
    pub value: SubExp,
    /// Where it goes.
    pub place: Place,
}

/// Where an element goes.
#[derive(Clone, PartialEq, Eq)]
pub struct Place {
    /// A count, or the index.
    pub count: Option<Var>,
    /// Less these counts.
    pub less: Vec<Var>,
}

impl<'a> FilterLoop<'a> {
    /// Of a statement, with the arrays that begin without elements.
    pub fn find(s: &'a Stm, scratch: &VarSet) -> Option<FilterLoop<'a>> {
        let Exp::Loop { params, init, form, body } = &s.exp else { return None };
        let LoopForm::For { var: index, ty: I64, bound: n } = *form else { return None };
        let defined = |v: Var| body.stms.iter().position(|s| s.pat.iter().any(|p| p.var == v));
        let mut known = vec![false; body.stms.len()];
        let mut tainted: VarSet = params.iter().map(|p| p.var).collect();
        let mut counts = Vec::new();
        for (at, p) in params.iter().enumerate().filter(|(_, p)| p.ty == Type::I64) {
            let next = body.result.get(at)?.var()?;
            let sum = defined(next)?;
            let Exp::BinOp(BinOp::Add(I64), x, y) = body.stms.get(sum)?.exp else { return None };
            let flag = match (x == p.var.into(), y == p.var.into()) {
                (true, false) => y,
                (false, true) => x,
                _ => return None,
            };
            if *init.get(at)? != SubExp::i64(0) {
                return None;
            }
            *known.get_mut(sum)? = true;
            tainted.insert(next);
            counts.push(Count { at, flag });
        }
        let is_count = |v: Var| params.iter().any(|p| p.var == v && p.ty == Type::I64);
        let mut outputs = Vec::new();
        for (at, p) in params.iter().enumerate().filter(|(_, p)| p.ty != Type::I64) {
            let Type::Array { elem, shape } = &p.ty else { return None };
            let initial = init.get(at)?.var().filter(|v| scratch.contains(v))?;
            let updated = body.result.get(at)?.var()?;
            let update = defined(updated)?;
            let Exp::Update { array, dims, value } = &body.stms.get(update)?.exp else {
                return None;
            };
            let [DimIndex::Fix(SubExp::Var(place))] = *dims.as_slice() else { return None };
            let same_place = s.pat.get(at)?.mem == p.mem && p.mem.is_some();
            if *array != p.var || shape.len() != 1 || initial == p.var || !same_place {
                return None;
            }
            *known.get_mut(update)? = true;
            tainted.insert(updated);
            // A count, or the index less some.
            let mut less = Vec::new();
            let mut from = place;
            let count = loop {
                if is_count(from) {
                    break Some(from);
                }
                if from == index {
                    break None;
                }
                let sub = defined(from)?;
                let Exp::BinOp(BinOp::Sub(I64), SubExp::Var(x), SubExp::Var(c)) =
                    body.stms.get(sub)?.exp
                else {
                    return None;
                };
                if !is_count(c) {
                    return None;
                }
                *known.get_mut(sub)? = true;
                tainted.insert(from);
                less.push(c);
                from = x;
            };
            // Elements that all go to other places are no filter.
            if count.is_some() != less.is_empty() {
                return None;
            }
            let place = Place { count, less };
            outputs.push(Output { at, elem: *elem, value: *value, place });
        }
        let free = |x: SubExp| x.var().is_none_or(|v| !tainted.contains(&v));
        let elements: Vec<usize> = (0..body.stms.len()).filter(|k| !known[*k]).collect();
        let apart = elements.iter().filter_map(|k| body.stms.get(*k));
        let apart = apart.into_iter().all(|s| free_in_stm(s).into_iter().all(|v| free(v.into())));
        let given = counts.iter().all(|c| free(c.flag)) && outputs.iter().all(|o| free(o.value));
        let fits = !counts.is_empty() && !outputs.is_empty() && apart && given;
        fits.then_some(FilterLoop { index, n, params, init, body, elements, counts, outputs })
    }
}
