//! Loops that put elements side by side as their flags say ([`crate::passes::mem::distribute_filters()`]), at level `mem`.
//!
//! ```text
//! #[compacts] (c, out) = loop (c, out) for j < n {
//!   i = j + first;  x = index xs[i];  q = index qs[j]
//!   out' = update out[c] with x
//!   f = if q then 1 else 0
//!   in (c + f, out') }
//! ```
//!
//! With room for `n` elements from `c` on, vectors may be stored there whole, since nobody reads what lies behind the last element that
//! is kept ([`StmAttr::Compacts`]).

use super::places::Places;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, Body, Const, DimIndex, Exp, IntType, LoopForm, PatElem, Prim, Stm, StmAttr, SubExp,
    Type, UnOp, Var,
};

const I64: IntType = IntType::I64;
const BOOL: Type = Type::Prim(Prim::Bool);

/// A loop that compacts arrays, and does nothing else.
pub struct Compaction<'a> {
    /// The counter.
    pub index: Var,
    /// How many elements there are.
    pub n: SubExp,
    /// Arrays that are read.
    pub arrays: Vec<Var>,
    /// Statements that add something to the counter.
    pub sums: Vec<&'a Stm>,
    /// What is told apart.
    pub kinds: Vec<Kind>,
    sources: VarMap<Source<'a>>,
}

/// Elements with a count of their own.
pub struct Kind {
    /// Which parameter the count is.
    pub count: usize,
    /// Whether an element is of this kind.
    pub flag: SubExp,
    /// Where its values go: which parameter, and what.
    pub outputs: Vec<(usize, SubExp)>,
}

/// What a value is in each iteration.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// An element whose neighbours lie side by side: the counter is added to the last index.
    Read {
        /// The array.
        array: Var,
        /// Where it is read.
        dims: &'a [DimIndex],
    },
    /// The opposite of another flag.
    Not(SubExp),
    /// One of two other flags.
    Or(SubExp, SubExp),
    /// A sum of the counter and something that stays the same.
    Counter,
    /// Always the same.
    Same,
}

impl<'a> Compaction<'a> {
    /// Of a statement whose arrays lie where vectors of neighbours can be read and written.
    pub fn legal(s: &'a Stm, places: &Places) -> Option<Compaction<'a>> {
        let found = Compaction::find(s)?;
        let Exp::Loop { params, .. } = &s.exp else { return None };
        let mut read = Vec::new();
        for array in &found.arrays {
            let place = places.of(*array)?;
            if place.last_stride() != Some(1) {
                return None;
            }
            read.push(place.mem.block);
        }
        let fits = |(at, _): &(usize, SubExp)| {
            let to = params.get(*at).and_then(|p| places.of(p.var));
            to.is_some_and(|to| to.stride(0) == Some(1) && !read.contains(&to.mem.block))
        };
        let fits = found.kinds.iter().flat_map(|k| &k.outputs).all(fits);
        fits.then_some(found)
    }

    /// Of a statement, wherever its arrays lie.
    pub fn find(s: &'a Stm) -> Option<Compaction<'a>> {
        let Exp::Loop { params, form, body, .. } = &s.exp else { return None };
        let LoopForm::For { var: index, ty: I64, bound: n } = *form else { return None };
        if !s.has(StmAttr::Compacts) {
            return None;
        }
        let reads = Reads::of(s, body, index)?;
        let mut kinds: Vec<(Var, Kind)> = Vec::new();
        for (at, p) in params.iter().enumerate().filter(|(_, p)| p.ty == Type::I64) {
            let add = made(body, body.result.get(at)?.var()?)?;
            let Exp::BinOp(BinOp::Add(I64), x, y) = add.exp else { return None };
            let one = if x == p.var.into() { y } else { x };
            let Exp::Match { scrutinee, cases, default } = &made(body, one.var()?)?.exp else {
                return None;
            };
            let [(Const::Bool(true), yes)] = cases.as_slice() else { return None };
            let is = |body: &Body, x: i64| body.result == [SubExp::i64(x)];
            if !(x == p.var.into() || y == p.var.into()) || !is(yes, 1) || !is(default, 0) {
                return None;
            }
            if matches!(reads.source(*scrutinee)?, Source::Counter) {
                return None;
            }
            kinds.push((p.var, Kind { count: at, flag: *scrutinee, outputs: Vec::new() }));
        }
        for (at, p) in params.iter().enumerate().filter(|(_, p)| p.ty != Type::I64) {
            let update = made(body, body.result.get(at)?.var()?)?;
            let Exp::Update { array, dims, value } = &update.exp else { return None };
            let [DimIndex::Fix(SubExp::Var(place))] = *dims.as_slice() else { return None };
            let in_place = p.mem.is_some() && s.pat.get(at)?.mem == p.mem;
            if *array != p.var || !in_place || p.ty.shape().len() != 1 {
                return None;
            }
            let (_, kind) = kinds.iter_mut().find(|(count, _)| *count == place)?;
            if matches!(reads.source(*value)?, Source::Not(_) | Source::Or(..)) {
                return None;
            }
            kind.outputs.push((at, *value));
        }
        let kinds: Vec<_> = kinds.into_iter().map(|(_, kind)| kind).collect();
        let sums = reads.sums(body);
        let Reads { arrays, of: sources, .. } = reads;
        (!kinds.is_empty()).then_some(Compaction { index, n, sums, arrays, kinds, sources })
    }

    /// What a value is that the loop binds or that is bound before.
    pub fn source(&self, x: SubExp) -> Source<'a> {
        x.var().and_then(|v| self.sources.get(&v).copied()).unwrap_or(Source::Same)
    }

    /// The widest element that is moved, in bytes.
    pub fn widest(&self, places: &Places, stm: &Stm) -> Option<i64> {
        let Exp::Loop { params, .. } = &stm.exp else { return None };
        let outputs = self.kinds.iter().flat_map(|k| &k.outputs);
        let bytes = |(at, _): &(usize, SubExp)| {
            params.get(*at).and_then(|p| places.of(p.var)).map(|place| place.elem.bytes())
        };
        outputs.map(bytes).max().flatten()
    }
}

/// What a loop's statements read, apart from what they carry on.
struct Reads<'a> {
    of: VarMap<Source<'a>>,
    /// What the loop binds.
    bound: VarSet,
    /// Arrays that are read.
    arrays: Vec<Var>,
}

impl<'a> Reads<'a> {
    /// Nothing if there are statements of other kinds.
    fn of(stm: &Stm, body: &'a Body, index: Var) -> Option<Reads<'a>> {
        let Exp::Loop { params, .. } = &stm.exp else { return None };
        let inner = body.stms.iter().flat_map(|s| s.pat.iter().map(|p| p.var));
        let bound = params.iter().map(|p| p.var).chain(inner).collect();
        let mut reads = Reads { of: VarMap::default(), bound, arrays: Vec::new() };
        reads.of.insert(index, Source::Counter);
        for s in &body.stms {
            let [element] = s.pat.as_slice() else { return None };
            let source = match &s.exp {
                _ if !s.certs.is_empty() => return None,
                Exp::BinOp(BinOp::Add(I64), x, y) => match (reads.source(*x), reads.source(*y)) {
                    (Some(Source::Counter), Some(Source::Same))
                    | (Some(Source::Same), Some(Source::Counter)) => Source::Counter,
                    _ => continue,
                },
                Exp::UnOp(UnOp::Not, x) if element.ty == BOOL => {
                    reads.source(*x)?;
                    Source::Not(*x)
                }
                Exp::BinOp(BinOp::LogOr, x, y) => {
                    reads.source(*x)?;
                    reads.source(*y)?;
                    Source::Or(*x, *y)
                }
                Exp::Index { array, dims } => reads.read(*array, dims)?,
                Exp::SubExp(x) if matches!(element.ty, Type::Prim(_)) => reads.source(*x)?,
                Exp::Update { .. } if body.result.contains(&element.var.into()) => continue,
                Exp::Match { cases, default, .. }
                    if default.stms.is_empty() && cases.iter().all(|(_, b)| b.stms.is_empty()) =>
                {
                    continue;
                }
                _ => return None,
            };
            reads.of.insert(element.var, source);
        }
        Some(reads)
    }

    /// An element that is read along the innermost dimension.
    fn read(&mut self, array: Var, dims: &'a [DimIndex]) -> Option<Source<'a>> {
        let (last, outer) = dims.split_last()?;
        let source = |d: &DimIndex| match d {
            DimIndex::Fix(x) => self.source(*x),
            DimIndex::Slice { .. } => None,
        };
        let same = outer.iter().all(|d| matches!(source(d), Some(Source::Same)));
        let along = matches!(source(last), Some(Source::Counter));
        if !same || !along {
            return None;
        }
        self.arrays.push(array);
        Some(Source::Read { array, dims })
    }

    /// Statements that add something to the counter.
    fn sums(&self, body: &'a Body) -> Vec<&'a Stm> {
        let counts = |s: &&Stm| {
            let of = |p: &PatElem| self.of.get(&p.var);
            s.pat.iter().any(|p| matches!(of(p), Some(Source::Counter)))
        };
        body.stms.iter().filter(counts).collect()
    }

    /// Where a value comes from; nothing if the loop computes it.
    fn source(&self, x: SubExp) -> Option<Source<'a>> {
        let Some(v) = x.var() else { return Some(Source::Same) };
        self.of.get(&v).copied().or((!self.bound.contains(&v)).then_some(Source::Same))
    }
}

/// The statement of a body that binds a variable.
fn made(body: &Body, v: Var) -> Option<&Stm> {
    body.stms.iter().find(|s| s.pat.iter().any(|p| p.var == v))
}
