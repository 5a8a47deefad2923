//! Products of small matrices: maps over rows and columns, whose points go along the depth.
//!
//! ```text
//! c = segred (i < n, j < p, k < m) op [0] {       c = if n * p * m < 8192 || … {
//!   x = index a[i, k]                               segmap (i < n, j < p) {
//!   y = index b[k, j]                     →           loop (s = 0) for k < m { … op s (x * y) } } }
//!   in (return x * y) }                             else { segred … as before … }
//! ```
//!
//! Blocks that are packed pay for large products only, of several rows and columns. A small one has rows of a few elements: a vector of columns in a register,
//! the depth gone through for it, is written once, where a reduction down columns reads and writes its results for each row of the
//! second matrix. That is best for a few columns, too, unless rows and depth pay for packing. Large products of one row or two
//! stay reductions down columns, which go through the second matrix once, from one end to the other. Sizes are mostly known
//! when the program runs, so there are three versions; of a product that is said to be small, the map alone.
//!
//! Left alone are products whose sizes are all known, which other passes unroll, and those whose second matrix lies the other way
//! round, as both are read along the depth. For one thread, at level `mem`.

use crate::analysis::contraction::contraction;
use crate::analysis::places::Places;
use crate::ir::traverse::{Renamer, Rewrite, apply_lambda};
use crate::ir::{
    Body, Builder, Const, Exp, IntType, KernelBody, KernelResult, LoopForm, Param, PatElem,
    Program, SegKind, SegLevel, SegOp, SegSpace, Stm, StmAttr, SubExp,
};
use crate::passes::index_set_splitting::each_statement;
use crate::passes::schedule::{WORTH_BLOCKS, folds};

/// Fewer columns than this fill no tile,
const NARROW: i64 = 17;
/// which is worth it only for so many rows, by which packing the columns is shared, and so much depth.
const FOR_PACKING: i64 = 32;
/// Fewer rows make blocks slower than reductions down columns, however large they are.
const FEW_ROWS: i64 = 3;

/// Makes versions of products for small matrices.
pub fn small_products(program: Program) -> Program {
    let places = Places::of_program(&program);
    each_statement(program, |s, _, b| versions(s, &places, b))
}

/// The versions of a product.
fn versions(stm: &Stm, places: &Places, b: &mut Builder) -> Option<Vec<Stm>> {
    let Exp::Seg(op) = &stm.exp else { return None };
    let SegOp { level: SegLevel::Seq, space, kind: SegKind::Red(ops), body } = op else {
        return None;
    };
    let c = contraction(space, ops, body)?;
    let across = places.columns(space, &body.stms)?;
    let forced = stm.attrs.iter().any(|a| matches!(a, StmAttr::Schedule(_) | StmAttr::Blocks));
    if forced || !folds(op) || across + 2 != space.dims.len() {
        return None;
    }
    let sizes: Option<Vec<SubExp>> =
        [c.row, c.column, c.depth].iter().map(|d| Some(space.dims.get(*d)?.1)).collect();
    let sizes = sizes?;
    if sizes.iter().all(|n| matches!(n, SubExp::Const(_))) {
        return None;
    }
    b.loc = stm.loc;
    if stm.has(StmAttr::InCache) {
        b.begin();
        let exp = by_points(op, b)?;
        b.push(short_rows(Stm { exp, ..stm.clone() }));
        return Some(b.end());
    }
    let [rows, columns, depth] = *sizes.as_slice() else { return None };
    b.begin();
    let volume = b.product(&sizes);
    let small = b.lt(volume, SubExp::i64(WORTH_BLOCKS));
    let narrow = b.lt(columns, SubExp::i64(NARROW));
    let low = b.lt(rows, SubExp::i64(FOR_PACKING));
    let shallow = b.lt(depth, SubExp::i64(FOR_PACKING));
    let seldom = b.or(low, shallow);
    let narrow = b.and(narrow, seldom);
    let small = b.or(small, narrow);
    let few_rows = b.lt(rows, SubExp::i64(FEW_ROWS));
    let exp = by_points(op, b)?;
    let case = branch(short_rows(Stm { pat: b.renamed(&stm.pat), exp, ..stm.clone() }));
    let mut copy = |attr| {
        let mut large = Stm { pat: b.renamed(&stm.pat), ..stm.clone() };
        large.attrs.push(attr);
        Renamer::new(&mut b.names).exp(&mut large.exp);
        branch(large)
    };
    let cases = vec![(Const::Bool(true), copy(StmAttr::FewRows))];
    let default = copy(StmAttr::Blocks);
    let exp = Exp::Match { scrutinee: few_rows, cases, default };
    let large = branch(Stm::new(b.renamed(&stm.pat), exp));
    let cases = vec![(Const::Bool(true), case)];
    b.bind(stm.pat.clone(), Exp::Match { scrutinee: small, cases, default: large });
    Some(b.end())
}

fn short_rows(mut stm: Stm) -> Stm {
    stm.attrs.push(StmAttr::ShortRows);
    stm
}

fn branch(stm: Stm) -> Body {
    Body { result: stm.pat.iter().map(|p| p.var.into()).collect(), stms: vec![stm] }
}

/// The reduction as a map, each point of which goes along the reduced dimension.
fn by_points(op: &SegOp, b: &mut Builder) -> Option<Exp> {
    let SegOp { space, kind: SegKind::Red(ops), body, .. } = op else { return None };
    let (&(k, depth), dims) = space.dims.split_last()?;
    let [reduction] = ops.as_slice() else { return None };
    let [KernelResult::Return(x)] = *body.results.as_slice() else { return None };
    let sums = |b: &mut Builder| -> Vec<PatElem> {
        let types = reduction.op.ret.iter();
        types.map(|t| PatElem::new(b.names.fresh("sum"), t.clone())).collect()
    };
    let (before, after) = (sums(b), sums(b));
    let sum = before.first()?.var;
    let mut round = Body { stms: body.stms.clone(), result: Vec::new() };
    let added = apply_lambda(&reduction.op, &[sum.into(), x], &mut b.names);
    round.stms.extend(added.stms);
    round.result = added.result;
    let params = before.into_iter().map(|p| Param::new(p.var, p.ty)).collect();
    let form = LoopForm::For { var: k, ty: IntType::I64, bound: depth };
    let results = after.iter().map(|p| KernelResult::Return(p.var.into())).collect();
    let sum = Exp::Loop { params, init: reduction.neutral.clone(), form, body: round };
    let body = KernelBody { stms: vec![Stm::new(after, sum)], results, types: body.types.clone() };
    let space = SegSpace { dims: dims.to_vec() };
    let mut exp = Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body });
    Renamer::new(&mut b.names).exp(&mut exp);
    Some(exp)
}
