//! The code of a map in strips.

use super::rows::Row;
use crate::ir::traverse::{Renamer, Rewrite, Subst};
use crate::ir::{
    BinOp, Body, Builder, DimIndex, Exp, Forced, IntType, KernelBody, Lmad, LoopForm, MemBind,
    MemSpace, Param, PatElem, Poly, SegKind, SegLevel, SegOp, SegSpace, Stm, StmAttr, SubExp, Type,
    Var,
};
use crate::passes::strips::fits;

/// Rows that are read again and again stay in the first cache.
const MOST_BYTES_OF_ROWS: i64 = 16 << 10;

/// What waits for the round before takes less time in strips as long as their blocks stay in the third cache: exponential means 0.4, tridiagonal
/// solves 0.13 of it with blocks of 1 to 5 MiB.
const MOST_BYTES: i64 = 16 << 20;

/// A map in strips.
pub(super) struct Strips<'s> {
    pub(super) stm: &'s Stm,
    /// Its index, how many points it has, and what each does.
    pub(super) index: Var,
    pub(super) n: SubExp,
    pub(super) body: &'s KernelBody,
    /// Points of a strip, the first of them, and the number of a point in it.
    pub(super) width: i64,
    pub(super) first: Var,
    pub(super) lane: Var,
    /// What a point of a strip does.
    pub(super) lanes_body: KernelBody,
    /// Blocks of a strip, and the bytes that a point has of each.
    pub(super) buffers: Vec<(Var, Poly)>,
    pub(super) rows: Vec<Row>,
    pub(super) results: Vec<Placed>,
}

impl Strips<'_> {
    /// Whether a strip has no blocks but for rows.
    pub(super) fn only_rows(&self) -> bool {
        self.buffers.len() == self.rows.len()
    }
}

/// Where a strip's part of a result is made.
pub(super) enum Placed {
    /// Where the result lies.
    There,
    /// In a block of the strip.
    Apart(MemBind),
}

/// A map in strips.
pub(super) fn emit(strips: &Strips<'_>, b: &mut Builder) -> Vec<Stm> {
    let Strips { stm, n, width, .. } = strips;
    let width = SubExp::i64(*width);
    b.loc = stm.loc;
    b.certs.clone_from(&stm.certs);
    b.begin();
    let sizes: Vec<Poly> = strips.buffers.iter().map(|(_, bytes)| bytes.clone()).collect();
    let again = strips.only_rows() && strips.rows.iter().any(|row| row.again);
    let most = if again { MOST_BYTES_OF_ROWS } else { MOST_BYTES };
    let fits = fits(&sizes, strips.width, strips.n, most, b);
    let one = b.choose(fits, SubExp::i64(1), SubExp::i64(0));
    let none = SubExp::i64(0);
    let last = b.sub(width, SubExp::i64(1));
    let rounded = b.add(*n, last);
    let count = b.quot(rounded, width);
    let count = b.choose(fits, count, none);
    let done = b.choose(fits, *n, none);
    let rest = b.sub(*n, done);
    let outs: Vec<PatElem> = stm.pat.iter().map(|p| like(p, b)).collect();
    for out in &outs {
        let Some(elem) = out.ty.elem() else { continue };
        b.bind(vec![out.clone()], Exp::Scratch { elem, shape: out.ty.shape().to_vec() });
    }
    let params: Vec<Param> = stm
        .pat
        .iter()
        .map(|p| Param {
            var: b.names.like(p.var),
            ty: p.ty.clone(),
            mem: p.mem.clone(),
            unique: false,
        })
        .collect();
    let strip = b.names.fresh("strip");
    b.begin();
    let result = one_strip(strips, strip, one, &params, b);
    let body = Body { stms: b.end(), result };
    let all = rest == none;
    let looped: Vec<PatElem> =
        stm.pat.iter().map(|p| if all { p.clone() } else { like(p, b) }).collect();
    let init = outs.iter().map(|p| p.var.into()).collect();
    let form = LoopForm::For { var: strip, ty: IntType::I64, bound: count };
    b.bind(looped.clone(), Exp::Loop { params, init, form, body });
    // Nothing is left over if the blocks are known to fit.
    let parts = if all { Vec::new() } else { others(strips, done, rest, b) };
    for ((p, from), part) in stm.pat.iter().zip(&looped).zip(parts) {
        let dims = slice(&p.ty, done, rest);
        let exp = Exp::Update { array: from.var, dims, value: part.into() };
        b.bind(vec![p.clone()], exp);
    }
    b.certs.clear();
    b.end()
}

/// What a round of the loop over strips does.
fn one_strip(
    strips: &Strips<'_>,
    strip: Var,
    one: SubExp,
    params: &[Param],
    b: &mut Builder,
) -> Vec<SubExp> {
    let width = SubExp::i64(strips.width);
    let from = b.mul(strip.into(), width);
    let last = b.sub(strips.n, width);
    b.bind(
        vec![PatElem::new(strips.first, Type::I64)],
        Exp::BinOp(BinOp::SMin(IntType::I64), from, last),
    );
    let first = SubExp::from(strips.first);
    for (buffer, bytes) in &strips.buffers {
        // Where no strip fits, there is no block.
        let bytes = bytes.mul(&Poly::constant(strips.width)).mul(&Poly::leaf(one)).to_size();
        let space = MemSpace::Host;
        b.bind(vec![PatElem::new(*buffer, Type::Mem(space))], Exp::Alloc { bytes, space });
    }
    for row in &strips.rows {
        transpose(row, strips.width, first, b);
    }
    let mut parts = Vec::with_capacity(params.len());
    for (p, placed) in params.iter().zip(&strips.results) {
        let mut shape = p.ty.shape().to_vec();
        if let Some(n) = shape.first_mut() {
            *n = width;
        }
        let Some((elem, whole)) = p.ty.elem().zip(p.mem.as_ref()) else { continue };
        let mem = match placed {
            Placed::There => {
                let lmad = whole.lmad.slice(&slice(&p.ty, first, width));
                MemBind { block: whole.block, lmad }
            }
            Placed::Apart(mem) => mem.clone(),
        };
        let ty = Type::array(elem, shape);
        parts.push(PatElem::in_mem(b.names.like(p.var), ty, mem));
    }
    let space = SegSpace { dims: vec![(strips.lane, width)] };
    let body = strips.lanes_body.clone();
    let op = SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body };
    let mut stm = Stm { loc: b.loc, ..Stm::new(parts.clone(), Exp::Seg(op)) };
    Renamer::new(&mut b.names).exp(&mut stm.exp);
    stm.attrs.push(StmAttr::Strip);
    stm.attrs.extend(strips.stm.attrs.iter().copied());
    b.push(stm);
    params
        .iter()
        .zip(&parts)
        .map(|(p, part)| {
            let pat = PatElem { var: b.names.like(p.var), ty: p.ty.clone(), mem: p.mem.clone() };
            let out = pat.var;
            let dims = slice(&p.ty, first, width);
            b.bind(vec![pat], Exp::Update { array: p.var, dims, value: part.var.into() });
            out.into()
        })
        .collect()
}

/// Transposes the rows of a strip.
fn transpose(row: &Row, width: i64, first: SubExp, b: &mut Builder) {
    let whole = |start, n| DimIndex::Slice { start, n, stride: SubExp::i64(1) };
    let width = SubExp::i64(width);
    let mut dims = row.dims.clone();
    for (d, at) in dims.iter_mut().enumerate() {
        if d == row.point {
            *at = whole(first, width);
        } else if d == row.element {
            *at = whole(SubExp::i64(0), row.size);
        }
    }
    let mut view = row.mem.lmad.slice(&dims);
    let by_points = row.point < row.element;
    let shape = if by_points { vec![width, row.size] } else { vec![row.size, width] };
    let mem = MemBind { block: row.mem.block, lmad: view.clone() };
    let pat = PatElem::in_mem(b.names.like(row.array), Type::array(row.elem, shape), mem);
    let mut source = pat.var;
    b.bind(vec![pat], Exp::Index { array: row.array, dims });
    let ty = Type::array(row.elem, vec![row.size, width]);
    if by_points {
        let perm = vec![1, 0];
        view = view.permute(&perm);
        let mem = MemBind { block: row.mem.block, lmad: view };
        let pat = PatElem::in_mem(b.names.like(row.array), ty.clone(), mem);
        let array = std::mem::replace(&mut source, pat.var);
        b.bind(vec![pat], Exp::Rearrange { array, perm });
    }
    let place = MemBind { block: row.block, lmad: Lmad::row_major(&[row.size, width]) };
    b.bind(vec![PatElem::in_mem(row.copy, ty, place)], Exp::Copy(source));
}

/// The points that are in no strip, one by one.
fn others(strips: &Strips<'_>, done: SubExp, rest: SubExp, b: &mut Builder) -> Vec<Var> {
    let Strips { stm, index, body, .. } = strips;
    let mut body = KernelBody::clone(body);
    let point = b.names.like(*index);
    let sum = Exp::BinOp(BinOp::Add(IntType::I64), point.into(), done);
    let here = b.names.like(*index);
    let subst: Subst = [(*index, SubExp::from(here))].into_iter().collect();
    Renamer::with(&mut b.names, subst).kernel_body(&mut body);
    body.stms.insert(0, Stm::new(vec![PatElem::new(here, Type::I64)], sum));
    let pat: Vec<PatElem> = stm
        .pat
        .iter()
        .filter_map(|p| {
            let mem = p.mem.as_ref()?;
            let mut shape = p.ty.shape().to_vec();
            *shape.first_mut()? = rest;
            let lmad = mem.lmad.slice(&slice(&p.ty, done, rest));
            let mem = MemBind { block: mem.block, lmad };
            Some(PatElem::in_mem(b.names.like(p.var), Type::array(p.ty.elem()?, shape), mem))
        })
        .collect();
    let made = pat.iter().map(|p| p.var).collect();
    let space = SegSpace { dims: vec![(point, rest)] };
    let op = SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body };
    // They are in no strip, whoever asked for strips.
    let mut attrs = stm.attrs.clone();
    attrs.retain(|a| *a != StmAttr::Schedule(Forced::Strips));
    b.push(Stm { loc: b.loc, certs: b.certs.clone(), attrs, ..Stm::new(pat, Exp::Seg(op)) });
    made
}

/// A part of an array along its first dimension.
fn slice(ty: &Type, start: SubExp, n: SubExp) -> Vec<DimIndex> {
    let whole = |start, n| DimIndex::Slice { start, n, stride: SubExp::i64(1) };
    let inner = ty.shape().iter().skip(1).map(|n| whole(SubExp::i64(0), *n));
    [whole(start, n)].into_iter().chain(inner).collect()
}

/// The same array under another name.
fn like(p: &PatElem, b: &mut Builder) -> PatElem {
    PatElem { var: b.names.like(p.var), ty: p.ty.clone(), mem: p.mem.clone() }
}
