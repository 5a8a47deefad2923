//! Operands whose rows the innermost dimension of a nest goes across are transposed before it.
//!
//! ```text
//! segmap seq (i < n, j < k) {                 ct = copy(rearrange(c, [1, 0]))
//!   s = segred seq (q < d) op … {             segmap seq (i < n, j < k) {
//!     x = index p[i, q]                         s = segred seq (q < d) op … {
//!     y = index c[j, q]                →          x = index p[i, q]
//!     … }                                         y = index ct[q, j]
//!   in (return f(s))                              … }
//! }                                             in (return f(s))
//!                                             }
//! ```
//!
//! Distances between all pairs of points are written so. Neighbouring points of the nest read what lies a row apart, once for
//! each point of the dimensions around, or short rows are reduced one by one. Transposed, they read neighbours. A reduction over the dimensions of
//! such a nest becomes a map of reductions. Contractions stay as they are: they are packed when they are computed
//! ([`crate::analysis::contraction`]).
//!
//! So are matrices that straight maps read across, wherever in a row or column they do, also in batches ([`straight`]): squares are
//! transposed in registers, so that every line of the cache is read once, and whole.
//!
//! A version as before is for few points around, for which the copy would not pay, for fewer than lanes take, and for long rows, which are
//! reduced by vectors.
//! At level `seg`, for what the host comes to. Cost: linear.

mod straight;

use crate::analysis::contraction::contraction;
use crate::ir::traverse::{Renamer, Rewrite, Visit, for_each_block_mut, free_in_stm, walk};
use crate::ir::{
    Body, Builder, Const, DimIndex, Exp, Forced, KernelBody, KernelResult, Level, NameSource,
    PatElem, Poly, Prim, Program, SegKind, SegLevel, SegOp, SegSpace, Stm, StmAttr, SubExp, Type,
    Var,
};

/// Fewer points than this around an operand are not worth its copy.
const FEW: i64 = 8;
/// Lanes take so many neighbours and more.
const LANES: i64 = 16;
/// Rows of more bytes are reduced by vectors of their own: strips of transposed ones would be larger than the first cache.
const MOST_BYTES: i64 = 384;
/// What is so few elements apart is read by vectors of all that lies between.
const CLOSE: i64 = 8;

/// Transposes operands.
pub fn transpose_operands(mut prog: Program) -> Program {
    if prog.level != Level::Seg {
        return prog;
    }
    let mut types = Types(Builder::new(NameSource::new(prog.next_tag)));
    types.body(&prog.consts);
    prog.funs.iter().for_each(|f| Visit::fun(&mut types, f));
    types.0.know_pat(&prog.globals);
    let mut b = types.0;
    host(&mut prog.consts.stms, &mut b);
    for f in &mut prog.funs {
        b.know_params(&f.params);
        host(&mut f.body.stms, &mut b);
    }
    prog.next_tag = b.names.next_tag();
    prog
}

/// The types of what a program binds.
struct Types(Builder);

impl Visit for Types {
    fn stm(&mut self, s: &Stm) {
        self.0.know_pat(&s.pat);
        if let Exp::Loop { params, .. } = &s.exp {
            self.0.know_params(params);
        }
        walk::stm(self, s);
    }
}

/// Statements that the host comes to.
fn host(list: &mut Vec<Stm>, b: &mut Builder) {
    for mut stm in std::mem::take(list) {
        if let Exp::Match { .. } | Exp::Loop { .. } = stm.exp {
            for_each_block_mut(&mut stm.exp, &mut |inner| host(inner, b));
        }
        match versions(&stm, b) {
            Some(made) => list.extend(made),
            None => list.push(stm),
        }
    }
}

/// The nest with transposed operands, or as it was, as sizes say.
fn versions(stm: &Stm, b: &mut Builder) -> Option<Vec<Stm>> {
    // The user has said how it is to be computed.
    if stm.attrs.iter().any(|a| matches!(a, StmAttr::Schedule(_))) {
        return None;
    }
    let op = nest(stm, &mut b.names)?;
    let straight = straight::reads(&op);
    // Few neighbours, or long rows.
    let forced = straight.is_none().then_some(StmAttr::Schedule(Forced::Loops));
    let (pays, transposed) = match straight {
        Some(reads) => of_straight(op, &reads, stm, b)?,
        None => of_reductions(op, stm, b)?,
    };
    b.begin();
    let mut before = stm.exp.clone();
    Renamer::new(&mut b.names).exp(&mut before);
    let mut default = finish(stm, before, b);
    if let Some(s) = default.stms.last_mut() {
        s.attrs.extend(forced);
    }
    let cases = vec![(Const::Bool(true), transposed)];
    b.bind(stm.pat.clone(), Exp::Match { scrutinee: pays, cases, default });
    Some(b.end())
}

/// When it pays to transpose what reductions inside of a map read, and the map then. Statements for the answer have begun.
fn of_reductions(op: SegOp, stm: &Stm, b: &mut Builder) -> Option<(SubExp, Body)> {
    let (&(j, k), around) = op.space.dims.split_last()?;
    let constant = |n: SubExp| Poly::leaf(n).as_const();
    if constant(k).is_some_and(|k| k < LANES) {
        return None;
    }
    let operands = operands(&op, (j, k), stm, b)?;
    b.loc = stm.loc;
    b.begin();
    let sizes: Vec<SubExp> = around.iter().map(|d| d.1).collect();
    let points = b.product(&sizes);
    let many = b.le(SubExp::i64(FEW), points);
    let wide = b.le(SubExp::i64(LANES), k);
    let mut pays = b.and(many, wide);
    for Operand { array, columns, .. } in &operands {
        let elements = MOST_BYTES / b.ty((*array).into()).elem().map_or(1, Prim::bytes);
        let short = b.le(*columns, SubExp::i64(elements));
        pays = b.and(pays, short);
        // What is transposed exists, whatever else the nest would fail by first.
        let shape = b.ty((*array).into()).shape().to_vec();
        for (read, there) in [k, *columns].into_iter().zip(shape) {
            if read != there {
                let exists = b.le(read, there);
                pays = b.and(pays, exists);
            }
        }
    }
    if pays == SubExp::bool(false) {
        b.end();
        return None;
    }
    b.begin();
    let mut op = op;
    for Operand { array, columns, certs } in operands {
        let mut read = array;
        if b.ty(array.into()).shape() != [k, columns] {
            let all = |n| DimIndex::Slice { start: SubExp::i64(0), n, stride: SubExp::i64(1) };
            let dims = vec![all(k), all(columns)];
            read = b.emit_with("part", &certs, Exp::Index { array, dims });
        }
        let copy = transposed(read, 0, b);
        put(&mut op.body.stms, (j, columns), (array, copy));
    }
    Some((pays, finish(stm, Exp::Seg(op), b)))
}

/// The same of what a straight map reads across.
fn of_straight(
    mut op: SegOp,
    reads: &straight::Reads,
    stm: &Stm,
    b: &mut Builder,
) -> Option<(SubExp, Body)> {
    let free = free_in_stm(stm);
    let sizes: Vec<SubExp> = op.space.dims.iter().map(|d| d.1).collect();
    let constant = |n: &SubExp| Poly::leaf(*n).as_const();
    let few = |n: &SubExp| constant(n).is_some_and(|n| n < LANES);
    let innermost = *sizes.last().filter(|n| !few(n))?;
    let mut operands = Vec::new();
    for (v, along) in &reads.across {
        let shape = b.ty((*v).into()).shape().to_vec();
        if free.contains(v) && shape.last().is_some_and(|n| !few(n)) {
            operands.push((*v, *along, shape));
        }
    }
    b.loc = stm.loc;
    b.begin();
    let mut pays = b.le(SubExp::i64(LANES), innermost);
    for (_, along, shape) in &mut operands {
        if let Some(n) = shape.last() {
            let many = b.le(SubExp::i64(LANES), *n);
            pays = b.and(pays, many);
        }
        // Nothing much is transposed that nobody reads.
        let n = shape.remove(*along);
        shape.push(n);
        if *shape != sizes {
            let (all, read) = (b.product(shape), b.product(&sizes));
            let most = b.le(all, read);
            pays = b.and(pays, most);
        }
    }
    if operands.is_empty() {
        b.end();
        return None;
    }
    b.begin();
    for (array, along, _) in operands {
        let copy = transposed(array, along, b);
        reads.put(&mut op, (array, along), copy);
    }
    Some((pays, finish(stm, Exp::Seg(op), b)))
}

/// A copy that has a dimension innermost.
fn transposed(array: Var, innermost: usize, b: &mut Builder) -> Var {
    let others = (0..b.ty(array.into()).rank()).filter(|d| *d != innermost);
    let perm = others.chain([innermost]).collect();
    let view = b.emit("across", Exp::Rearrange { array, perm });
    b.emit("transposed", Exp::Copy(view))
}

/// Ends a body with a statement that yields what another binds.
fn finish(stm: &Stm, exp: Exp, b: &mut Builder) -> Body {
    let pat: Vec<PatElem> =
        stm.pat.iter().map(|p| PatElem::new(b.names.like(p.var), p.ty.clone())).collect();
    let result = pat.iter().map(|p| p.var.into()).collect();
    b.push(Stm { pat, exp, ..stm.clone() });
    Body { stms: b.end(), result }
}

/// A map of two dimensions or more with reductions inside, as which a reduction is taken if it is over more than two.
fn nest(stm: &Stm, names: &mut NameSource) -> Option<SegOp> {
    let Exp::Seg(op @ SegOp { level: SegLevel::Seq, space, kind, body }) = &stm.exp else {
        return None;
    };
    match kind {
        SegKind::Map if space.dims.len() >= 2 => Some(op.clone()),
        SegKind::Red(ops) if space.dims.len() >= 3 => {
            let scalars = body.types.iter().all(|t| matches!(t, Type::Prim(_)));
            let returns = body.results.iter().all(|r| matches!(r, KernelResult::Return(_)));
            let reduced: usize = ops.iter().map(|r| r.neutral.len()).sum();
            if !scalars || !returns || reduced != stm.pat.len() {
                return None;
            }
            if contraction(space, ops, body).is_some() {
                return None;
            }
            let (own, around) = space.dims.split_last()?;
            let mut inner = op.clone();
            inner.space = SegSpace { dims: vec![*own] };
            let pat: Vec<PatElem> = (stm.pat.iter().zip(&body.types))
                .map(|(p, ty)| PatElem::new(names.like(p.var), ty.clone()))
                .collect();
            let results = pat.iter().map(|p| KernelResult::Return(p.var.into())).collect();
            let stms = vec![Stm { loc: stm.loc, ..Stm::new(pat, Exp::Seg(inner)) }];
            Some(SegOp {
                level: SegLevel::Seq,
                space: SegSpace { dims: around.to_vec() },
                kind: SegKind::Map,
                body: KernelBody { stms, results, types: body.types.clone() },
            })
        }
        _ => None,
    }
}

/// An array from outside of which each point of the innermost dimension reduces its own row.
struct Operand {
    array: Var,
    /// Of so many columns; what is read is a part of the array if its shape is another.
    columns: SubExp,
    /// The checks that the part exists.
    certs: Vec<Var>,
}

/// The operands of a map with reductions inside.
fn operands(op: &SegOp, (j, k): (Var, SubExp), stm: &Stm, b: &Builder) -> Option<Vec<Operand>> {
    let free = free_in_stm(stm);
    let mut operands: Vec<Operand> = Vec::new();
    for s in &op.body.stms {
        let Exp::Seg(inner) = &s.exp else { continue };
        let (SegLevel::Seq, SegKind::Red(_), &[(q, d)]) =
            (inner.level, &inner.kind, inner.space.dims.as_slice())
        else {
            continue;
        };
        for read in &inner.body.stms {
            let Exp::Index { array, dims } = &read.exp else { continue };
            let shape = b.ty((*array).into()).shape().to_vec();
            let whole = shape == [k, d];
            let part = read.certs.iter().all(|c| free.contains(c))
                && d.var().is_none_or(|d| free.contains(&d));
            let close = Poly::leaf(d).as_const().is_some_and(|d| d <= CLOSE);
            let known = |o: &Operand| o.array == *array;
            if is_across(dims, j, q)
                && free.contains(array)
                && (whole || part)
                && !close
                && !operands.iter().any(known)
            {
                let certs = if whole { Vec::new() } else { read.certs.clone() };
                operands.push(Operand { array: *array, columns: d, certs });
            }
        }
    }
    (!operands.is_empty()).then_some(operands)
}

fn is_across(dims: &[DimIndex], j: Var, q: Var) -> bool {
    *dims == [DimIndex::Fix(j.into()), DimIndex::Fix(q.into())]
}

/// Reads the transposed array instead.
fn put(stms: &mut [Stm], (j, d): (Var, SubExp), (array, transposed): (Var, Var)) {
    for s in stms {
        let Exp::Seg(inner) = &mut s.exp else { continue };
        let [(q, n)] = *inner.space.dims.as_slice() else { continue };
        if n != d {
            continue;
        }
        for read in &mut inner.body.stms {
            if let Exp::Index { array: from, dims } = &mut read.exp
                && *from == array
                && is_across(dims, j, q)
            {
                *from = transposed;
                dims.reverse();
            }
        }
    }
}
