//! Maps and reductions over flattened arrays, as nests over the arrays.
//!
//! ```text
//! ys = map(n, [xss], \xs -> map(m, [xs], f))       ys = map(n, [xss], \xs -> map(m, [xs], f))
//! flat = reshape(ys, [k])                     →    s = redomap(n, [ys], op, \y -> redomap(m, [y], op, g))
//! s = redomap(k, [flat], op, g)
//! ```
//!
//! A reduction reduces rows, and then what these come to, in the same order. Mapped results are reshaped afterwards. Other
//! inputs are reshaped as the array is before it is flattened; an `iota` is computed from the nest's indexes.
//!
//! That is done for arrays that a map of the same body makes, and for views that would be copied to be flattened. Stays:
//! what scans, reduces arrays, searches for a position or has attributes, and what belongs together with such a combinator or
//! another one over the flat array, as it reads what that makes or makes what that reads.

use crate::ir::traverse::rename_reduction;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, Body, DimIndex, Exp, IntType, Lambda, NameSource, Param, PatElem, Reduction, Soac, Stm,
    SubExp, Type, Var,
};

/// How a variable of the list is made, as far as it matters here.
enum Made {
    /// By a combinator.
    Combined(Type),
    /// As a view that is not one row behind the other.
    Apart(Type),
    /// By a reshape.
    Reshaped { array: Var, certs: Vec<Var> },
    /// As `0, 1, 2, …`.
    Counter,
}

/// Makes nests of combinators over flattened arrays in a list of statements.
pub(super) fn expand(stms: &mut Vec<Stm>, names: &mut NameSource) {
    if !stms.iter().any(|s| matches!(s.exp, Exp::Reshape { .. })) {
        return;
    }
    let flat = read_flat(stms);
    let mut made: VarMap<Made> = VarMap::default();
    let mut out: Vec<Stm> = Vec::with_capacity(stms.len());
    for stm in std::mem::take(stms) {
        let stays = stm.pat.iter().any(|p| flat.contains(&p.var));
        let nest = if stays { None } else { Flat::of(&stm, &made) };
        match nest {
            Some(nest) => {
                let new = nest.nest(&stm, &made, names);
                for s in &new {
                    note(&mut made, s);
                }
                out.extend(new);
            }
            None => {
                note(&mut made, &stm);
                out.push(stm);
            }
        }
    }
    *stms = out;
}

/// The arrays that combinators read which stay flat. What makes one stays flat as well, as the two belong together; and so
/// on.
fn read_flat(stms: &[Stm]) -> VarSet {
    let mut flat = VarSet::default();
    for s in stms.iter().rev() {
        let Exp::Soac(soac) = &s.exp else { continue };
        if parts(s).is_none() || s.pat.iter().any(|p| flat.contains(&p.var)) {
            flat.extend(soac.inputs());
        }
    }
    flat
}

/// The inputs, the lambda and the reductions of a combinator that may become a nest.
fn parts(s: &Stm) -> Option<(&[Var], &Lambda, &[Reduction])> {
    let Exp::Soac(Soac::Screma { width: _, inputs, lambda, scans, reduces }) = &s.exp else {
        return None;
    };
    let scalar = |r: &Reduction| r.op.ret.iter().all(|t| matches!(t, Type::Prim(_)));
    (scans.is_empty() && s.attrs.is_empty() && reduces.iter().all(scalar))
        .then_some((inputs, lambda, reduces))
}

fn note(made: &mut VarMap<Made>, s: &Stm) {
    for p in &s.pat {
        let how = match &s.exp {
            Exp::Soac(_) => Made::Combined(p.ty.clone()),
            Exp::Rearrange { .. } => Made::Apart(p.ty.clone()),
            Exp::Index { dims, .. } if leaves_gaps(dims) => Made::Apart(p.ty.clone()),
            Exp::Reshape { array, .. } if s.attrs.is_empty() => {
                Made::Reshaped { array: *array, certs: s.certs.clone() }
            }
            Exp::Iota { start, stride, ty: IntType::I64, .. }
                if *start == SubExp::i64(0) && *stride == SubExp::i64(1) =>
            {
                Made::Counter
            }
            _ => continue,
        };
        made.insert(p.var, how);
    }
}

/// Whether rows of a view are surely not one behind the other.
fn leaves_gaps(dims: &[DimIndex]) -> bool {
    let begins = |d: &&DimIndex| matches!(d, DimIndex::Fix(_));
    dims.iter().skip_while(begins).skip(1).any(|d| match d {
        DimIndex::Fix(_) => true,
        DimIndex::Slice { start, stride, .. } => {
            *start != SubExp::i64(0) || *stride != SubExp::i64(1)
        }
    })
}

/// A combinator over a flattened array.
struct Flat<'a> {
    inputs: &'a [Var],
    lambda: &'a Lambda,
    reduces: &'a [Reduction],
    /// The dimensions that were made one; at least two.
    dims: Vec<SubExp>,
    /// The certificates under which they were.
    certs: Vec<Var>,
}

impl<'a> Flat<'a> {
    fn of(s: &'a Stm, made: &VarMap<Made>) -> Option<Flat<'a>> {
        let (inputs, lambda, reduces) = parts(s)?;
        // Searches for a position know their own counter.
        let counts = inputs.iter().any(|v| matches!(made.get(v), Some(Made::Counter)));
        if counts && reduces.iter().any(|r| r.op.ret.len() > 1) {
            return None;
        }
        let mut found: Option<(Vec<SubExp>, Vec<Var>)> = None;
        for (v, p) in inputs.iter().zip(&lambda.params) {
            match made.get(v) {
                // It is made beside this, which would be read as a whole then.
                Some(Made::Combined(_)) => return None,
                Some(Made::Reshaped { array, certs }) if found.is_none() => {
                    found = match made.get(array) {
                        Some(Made::Combined(t) | Made::Apart(t)) => {
                            leading(t, &p.ty).map(|dims| (dims, certs.clone()))
                        }
                        _ => None,
                    };
                }
                _ => {}
            }
        }
        let (dims, certs) = found?;
        Some(Flat { inputs, lambda, reduces, dims, certs })
    }

    /// The nest, and what stands before and behind it.
    fn nest(&self, s: &Stm, made: &VarMap<Made>, names: &mut NameSource) -> Vec<Stm> {
        let mut out = Vec::new();
        let mut arrays = Vec::with_capacity(self.inputs.len());
        let mut elem = self.lambda.clone();
        let mut counters = Vec::new();
        for (v, p) in self.inputs.iter().zip(std::mem::take(&mut elem.params)) {
            if matches!(made.get(v), Some(Made::Counter)) {
                counters.push(p);
                continue;
            }
            let whole = within(&self.dims, &p.ty);
            let source = match made.get(v) {
                Some(Made::Reshaped { array, .. }) => Some(*array),
                _ => None,
            };
            let same = source.filter(|array| match made.get(array) {
                Some(Made::Combined(t) | Made::Apart(t)) => *t == whole,
                _ => false,
            });
            arrays.push(same.unwrap_or_else(|| {
                let array = names.fresh("rows");
                out.push(self.reshape(s, *v, PatElem::new(array, whole)));
                array
            }));
            elem.params.push(p);
        }
        let (iota, mut nest) = self.levels(s, elem, &counters, &arrays, names);
        nest.certs.clone_from(&s.certs);
        nest.certs.extend(self.certs.iter().filter(|c| !s.certs.contains(c)));
        let folded: usize = self.reduces.iter().map(|r| r.op.ret.len()).sum();
        let mut behind = Vec::new();
        for (i, (made, wanted)) in nest.pat.iter_mut().zip(&s.pat).enumerate() {
            if i < folded {
                made.clone_from(wanted);
            } else {
                behind.push(self.reshape(s, made.var, wanted.clone()));
            }
        }
        out.extend(iota);
        out.push(nest);
        out.extend(behind);
        out
    }

    fn reshape(&self, s: &Stm, array: Var, p: PatElem) -> Stm {
        let shape = p.ty.shape().to_vec();
        let mut stm = Stm::new(vec![p], Exp::Reshape { array, shape });
        stm.certs.clone_from(&self.certs);
        stm.loc = s.loc;
        stm
    }

    /// The combinators, one in the other, with new names for all results; before it the indexes of the outermost, if
    /// there are counters.
    fn levels(
        &self,
        s: &Stm,
        mut elem: Lambda,
        counters: &[Param],
        arrays: &[Var],
        names: &mut NameSource,
    ) -> (Option<Stm>, Stm) {
        let indexes: Vec<Var> = if counters.is_empty() {
            Vec::new()
        } else {
            self.dims.iter().map(|_| names.fresh("i")).collect()
        };
        if !counters.is_empty() {
            let position = self.position(&indexes, counters, names);
            elem.body.stms.splice(0..0, position);
        }
        let folded: usize = self.reduces.iter().map(|r| r.op.ret.len()).sum();
        let ret = elem.ret.clone();
        let elems: Vec<Type> = elem.params.iter().map(|p| p.ty.clone()).collect();
        let mut reduces = self.reduces.to_vec();
        let mut lambda = elem;
        let mut depth = self.dims.len() - 1;
        loop {
            let inner = self.dims.get(depth..).unwrap_or_default();
            let width = inner.first().copied().unwrap_or(SubExp::i64(1));
            // What it goes through are rows of the combinator around it.
            let rows: Vec<Param> =
                elems.iter().map(|t| Param::new(names.fresh("row"), within(inner, t))).collect();
            let mut inputs: Vec<Var> = match depth {
                0 => arrays.to_vec(),
                _ => rows.iter().map(|p| p.var).collect(),
            };
            let iota = indexes.get(depth).map(|i| {
                let all = names.fresh("iota");
                let exp = Exp::Iota {
                    n: width,
                    start: SubExp::i64(0),
                    stride: SubExp::i64(1),
                    ty: IntType::I64,
                };
                let p = PatElem::new(all, Type::I64.outer(width));
                inputs.push(all);
                lambda.params.push(Param::new(*i, Type::I64));
                Stm::new(vec![p], exp)
            });
            let result = |(i, t): (usize, &Type)| {
                let t = if i < folded { t.clone() } else { within(inner, t) };
                PatElem::new(names.fresh("r"), t)
            };
            let pat: Vec<PatElem> = ret.iter().enumerate().map(result).collect();
            let exp = Exp::Soac(Soac::Screma { width, inputs, lambda, scans: Vec::new(), reduces });
            let mut stm = Stm::new(pat, exp);
            stm.loc = s.loc;
            if depth == 0 {
                return (iota, stm);
            }
            depth -= 1;
            reduces = self.reduces.iter().map(|r| rename_reduction(r, names)).collect();
            lambda = Lambda {
                params: rows,
                ret: stm.pat.iter().map(|p| p.ty.clone()).collect(),
                body: Body {
                    result: stm.pat.iter().map(|p| p.var.into()).collect(),
                    stms: iota.into_iter().chain([stm]).collect(),
                },
            };
        }
    }

    /// The position in the flattened array, for each of these parameters.
    fn position(&self, indexes: &[Var], counters: &[Param], names: &mut NameSource) -> Vec<Stm> {
        let mut stms = Vec::new();
        let mut binary = |op: fn(IntType) -> BinOp, a: SubExp, b: SubExp| {
            let p = PatElem::new(names.fresh("at"), Type::I64);
            let x = p.var.into();
            stms.push(Stm::new(vec![p], Exp::BinOp(op(IntType::I64), a, b)));
            x
        };
        let mut at: Option<SubExp> = None;
        for (i, n) in indexes.iter().zip(&self.dims) {
            at = Some(match at {
                None => (*i).into(),
                Some(outer) => {
                    let begin = binary(BinOp::Mul, outer, *n);
                    binary(BinOp::Add, begin, (*i).into())
                }
            });
        }
        let at = at.unwrap_or(SubExp::i64(0));
        let named = |p: &Param| Stm::new(vec![PatElem::new(p.var, p.ty.clone())], Exp::SubExp(at));
        stms.extend(counters.iter().map(named));
        stms
    }
}

/// The dimensions of `whole` of which a flattened array's rows are `row`, if these are two or more.
fn leading(whole: &Type, row: &Type) -> Option<Vec<SubExp>> {
    let (dims, rest) = whole.shape().split_at_checked(whole.rank().checked_sub(row.rank())?)?;
    (dims.len() > 1 && rest == row.shape()).then(|| dims.to_vec())
}

/// Arrays of this type in these dimensions.
fn within(dims: &[SubExp], t: &Type) -> Type {
    dims.iter().rev().fold(t.clone(), |t, n| t.outer(*n))
}
