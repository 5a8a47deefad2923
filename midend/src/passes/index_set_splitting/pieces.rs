//! The pieces of a map or reduction.

use super::limits::{Limits, value};
use super::main_piece::Main;
use super::rims::in_rims;
use super::specialise::{KnownValues, specialise};
use crate::ir::traverse::{Renamer, Rewrite, Subst, apply_lambda, for_each_block};
use crate::ir::{
    Builder, Defs, Exp, KernelBody, Lmad, MemBind, PatElem, Poly, Prim, Reduction, SegKind,
    SegLevel, SegOp, SegSpace, Stm, StmAttr, SubExp, Type, Var,
};

/// Ranges known to be shorter stay whole.
pub(super) const SHORT: i64 = 16;

pub(super) fn size(stms: &[Stm]) -> usize {
    stms.iter().fold(stms.len(), |n, s| {
        let mut below = 0;
        for_each_block(&s.exp, &mut |b| below += size(b));
        n + below
    })
}

/// Whether a statement goes round.
pub(super) fn has_loops(stm: &Stm) -> bool {
    let mut found = matches!(stm.exp, Exp::Loop { .. } | Exp::Seg(_));
    for_each_block(&stm.exp, &mut |stms| found |= stms.iter().any(has_loops));
    found
}

/// A number of points that is known.
pub(super) fn points(n: SubExp) -> Option<i64> {
    match n {
        SubExp::Const(c) => c.as_int(),
        SubExp::Var(_) => None,
    }
}

/// How many results operators have.
pub(super) fn reduced(ops: &[Reduction]) -> usize {
    ops.iter().map(|r| r.neutral.len()).sum()
}

/// Where the rows of arrays that are stored go that lie along a dimension.
pub(super) fn rows_of(pat: &[PatElem], space: &SegSpace, dimension: usize) -> Option<Vec<Row>> {
    let here: Vec<SubExp> = space.dims.iter().take(dimension).map(|d| d.0.into()).collect();
    let row = |p: &PatElem| {
        let mem = p.mem.as_ref()?;
        let lmad = mem.lmad.row(&here);
        let point = p.ty.shape().get(dimension + 1..)?.to_vec();
        Some(Row { elem: p.ty.elem()?, point, base: p.var, block: mem.block, lmad })
    };
    pat.iter().map(row).collect()
}

/// Binds what the reductions of the pieces come to together.
pub(super) fn total(pat: &[PatElem], ops: &[Reduction], parts: &[Vec<Var>], b: &mut Builder) {
    let mut parts = parts.iter().map(|vs| vs.iter().map(|v| SubExp::from(*v)).collect::<Vec<_>>());
    let mut sums = parts.next().unwrap_or_default();
    for part in parts {
        let mut next = Vec::with_capacity(sums.len());
        for r in ops {
            let these = next.len()..next.len() + r.neutral.len();
            let operands = [&sums, &part].into_iter().flat_map(|xs| xs.get(these.clone()));
            let operands: Vec<SubExp> = operands.flatten().copied().collect();
            let body = apply_lambda(&r.op, &operands, &mut b.names);
            for s in body.stms {
                b.push(s);
            }
            next.extend(body.result);
        }
        sums = next;
    }
    for (p, x) in pat.iter().zip(sums) {
        b.bind(vec![p.clone()], Exp::SubExp(x));
    }
}

/// Where a row of results goes.
pub(super) struct Row {
    pub(super) elem: Prim,
    /// What there is of each point.
    pub(super) point: Vec<SubExp>,
    pub(super) base: Var,
    pub(super) block: Var,
    pub(super) lmad: Lmad,
}

impl Row {
    pub(super) fn part(&self, n: SubExp, lmad: Lmad, b: &mut Builder) -> PatElem {
        self.array([&[n], self.point.as_slice()].concat(), lmad, b)
    }

    pub(super) fn array(&self, shape: Vec<SubExp>, lmad: Lmad, b: &mut Builder) -> PatElem {
        let ty = Type::array(self.elem, shape);
        PatElem::in_mem(b.names.like(self.base), ty, MemBind { block: self.block, lmad })
    }

    /// The pattern element for `n` indexes from `start`.
    pub(super) fn piece(&self, start: SubExp, n: SubExp, b: &mut Builder) -> PatElem {
        let mut lmad = self.lmad.clone();
        if let Some(d) = lmad.dims.first_mut() {
            let distance = Poly::of(&d.stride).mul(&Poly::leaf(start));
            d.n = n;
            lmad = lmad.shifted(&distance);
        }
        self.part(n, lmad, b)
    }
}

/// A range of the index, and what is known there.
pub(super) struct Piece {
    pub(super) start: SubExp,
    pub(super) end: SubExp,
    pub(super) known: KnownValues,
    attrs: &'static [StmAttr],
    /// It lies beside the main piece and may have many points, of which more is known than of the whole.
    again: bool,
}

/// What becomes of a piece that is worth being split itself, if anything does.
pub(super) type Again<'a> = dyn Fn(&Stm, &mut Builder) -> Option<Vec<Stm>> + 'a;

/// The body and what is known of it.
pub(super) struct SplitNest<'w> {
    pub(super) index: Var,
    /// The dimensions inside of that which is split.
    pub(super) point: &'w [(Var, SubExp)],
    pub(super) ops: &'w [Reduction],
    pub(super) body: &'w KernelBody,
    pub(super) main: &'w Main,
    /// What is known of sizes outside.
    pub(super) defs: &'w Defs,
    pub(super) certs: &'w [Var],
    pub(super) attrs: &'w [StmAttr],
}

impl SplitNest<'_> {
    /// The pieces, in order: what each is reduced to, and its arrays. Nothing if there would be
    /// only one.
    pub(super) fn pieces(
        &self,
        limits: &Limits,
        rows: &[Row],
        again: &Again<'_>,
        b: &mut Builder,
    ) -> Option<Vec<Vec<Var>>> {
        let ranges = self.ranges(limits, b)?;
        let piece = |r: &Piece| {
            let n = b.sub(r.end, r.start);
            b.begin();
            let made = self.piece((r.start, n), &r.known, r.attrs, rows, b);
            for s in b.end() {
                match r.again.then(|| again(&s, b)).flatten() {
                    Some(stms) => b.push_all(stms),
                    None => b.push(s),
                }
            }
            made
        };
        Some(ranges.iter().map(piece).collect())
    }

    /// The ranges of the pieces, in order, and what is known in each. Nothing if there would be only one.
    pub(super) fn ranges(&self, limits: &Limits, b: &mut Builder) -> Option<Vec<Piece>> {
        let zero = SubExp::i64(0);
        let known = self.known(limits, b);
        let aside = |(cond, outcome): (Var, bool)| KnownValues {
            values: [(cond, SubExp::bool(outcome))].into_iter().collect(),
            ..KnownValues::default()
        };
        let mut pieces = Vec::new();
        let mut add = |start, end, known: KnownValues, attrs: &'static [StmAttr], again: bool| {
            pieces.push(Piece { start, end, known, attrs, again });
        };
        let long = !self.main.rims_are_short;
        let rim = if self.main.rims_are_short { [StmAttr::Peeled].as_slice() } else { &[] };
        let mut start = zero;
        if let Some((end, what)) = limits.row {
            add(start, end, aside(what), &[], false);
            start = end;
        }
        for (end, what) in &limits.low {
            add(start, *end, aside(*what), &[], false);
            start = *end;
        }
        let (first, last) = in_rims(self.main, limits.certain, self.defs);
        let (more, too) = (long && !first.is_empty(), long && !last.is_empty());
        let beside = |values| KnownValues { values, ..KnownValues::default() };
        add(start, limits.from, beside(first), rim, more);
        add(limits.from, limits.to, known, &[], false);
        let end = limits.high.last().map_or(limits.n, |h| h.0);
        add(limits.to, end, beside(last), rim, too);
        for (i, (start, what)) in limits.high.iter().enumerate().rev() {
            let end = i.checked_sub(1).and_then(|i| limits.high.get(i)).map_or(limits.n, |h| h.0);
            add(*start, end, aside(*what), &[], false);
        }
        pieces.retain(|p| p.start != p.end);
        (pieces.len() > 1).then_some(pieces)
    }

    /// What holds in the main piece.
    pub(super) fn known(&self, limits: &Limits, b: &mut Builder) -> KnownValues {
        let mut known = KnownValues { index: Some(self.index), ..KnownValues::default() };
        for (v, outcome) in &self.main.outcomes {
            known.values.insert(*v, SubExp::bool(*outcome));
        }
        known.values.extend(self.main.same.iter().map(|(v, x)| (*v, *x)));
        for u in &self.main.uniform {
            let first = Poly::leaf(limits.from).mul(&Poly::constant(u.factor)).add(&u.rest);
            let first = value(&first, b);
            let cond = b.lt(first, SubExp::i64(0));
            known.values.insert(u.cond, cond);
        }
        for c in &self.main.chosen {
            let Some(cond) = known.values.get(&c.cond).copied() else { continue };
            let (yes, no) = (value(&c.rests.0, b), value(&c.rests.1, b));
            let distance = b.choose(cond, yes, no);
            if matches!(c.factor, 1 | -1) {
                known.moving.insert(c.var, (c.factor, distance));
            }
        }
        known
    }

    /// The map or reduction over `n` indexes from `start`; what it is reduced to, and its arrays.
    pub(super) fn piece(
        &self,
        (start, n): (SubExp, SubExp),
        known: &KnownValues,
        attrs: &[StmAttr],
        rows: &[Row],
        b: &mut Builder,
    ) -> Vec<Var> {
        let totals = self.ops.iter().flat_map(|r| &r.op.ret);
        let mut pat: Vec<PatElem> =
            totals.map(|t| PatElem::new(b.names.fresh("total"), t.clone())).collect();
        pat.extend(rows.iter().map(|r| r.piece(start, n, b)));
        let mut body = specialise(self.body, known);
        let index = b.names.like(self.index);
        let space = SegSpace { dims: [&[(index, n)], self.point].concat() };
        let mut renamer = Subst::new();
        if start == SubExp::i64(0) {
            renamer.insert(self.index, index);
        } else {
            body.stms.insert(0, Stm::index_in_whole(self.index, index, start));
        }
        renamer.kernel_body(&mut body);
        let mut exp = Exp::Seg(if self.ops.is_empty() {
            SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }
        } else {
            SegOp { level: SegLevel::Seq, space, kind: SegKind::Red(self.ops.to_vec()), body }
        });
        Renamer::new(&mut b.names).exp(&mut exp);
        let vars = pat.iter().map(|p| p.var).collect();
        let stm = Stm {
            schedule: None,
            pat,
            exp,
            certs: self.certs.to_vec(),
            attrs: [self.attrs, attrs].concat(),
            loc: b.loc,
        };
        b.push(stm);
        vars
    }
}
