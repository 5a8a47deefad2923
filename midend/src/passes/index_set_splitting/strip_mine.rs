//! Strip-mining: maps become nests over blocks of their range in which quotients of the index have one
//! value each.
//!
//! ```text
//! segmap (i < n) {              c = if 0 < d then n / d else 0
//!   q = i / d                   a = segmap (b < c) { segmap (k < d) { i = b * d + k … b … k … } }
//!   r = i % d             →     z = segmap (j < n - c * d) { … as before … }
//!   s = i / (2 * d) …           concat (reshape a) z
//! }
//! ```
//!
//! A division costs more than most of what is done with its quotient, and an index made of quotient
//! and remainder shows nobody that neighbours are read. Inside of a block both are plain, and
//! [`split_index_sets`](super::split_index_sets) sees that comparisons of them are comparisons of the index. Quotients by
//! small multiples of `d`, and by `d` times sizes, come from the number of the block, and so do those of remainders by these.
//! Comparisons of remainders with multiples of `d` come from there too. Where it is bits of the index
//! that are asked for, see [`bits`](super::bits).
//!
//! Where twice `d` is a divisor too, blocks go in pairs, one loop for both: the halves of what
//! butterflies make have much in common.
//!
//! The index may be that of a larger range, of which the map has a part from `first`, as tasks have: then blocks are those of
//! the larger range, if the part begins with one. [`strip`] says where such parts may begin.
//!
//! Short blocks cost more than they save: if `d` turns out to be small, all of the range is left as it
//! was. Refused as in [`split_index_sets`](super::split_index_sets); and small constants, by which LLVM divides well. At
//! level `mem`, for one thread.

use super::bits::Bits;
use super::block::{Block, MOST_STATEMENTS, SHORTEST, begin_of, indexes_in_whole};
use super::quotients::Quotients;
use super::strip_carried::{is_chunk, split_carried};
use super::{
    I64, KnownValues, Main, Row, SMALL, SplitNest, are_stored, each_statement, rows_of, size,
    splits, whole,
};
use crate::ir::traverse::{Renamer, Rewrite, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, Builder, Defs, Exp, KernelBody, KernelResult, Lmad, LmadDim, PatElem, Poly, Program,
    SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

/// Maps, histograms and reductions in blocks.
pub fn strip_mine(program: Program) -> Program {
    each_statement(program, |s, defs, b| split(s, defs, b).or_else(|| split_carried(s, defs, b)))
}

fn split(stm: &Stm, defs: &Defs, b: &mut Builder) -> Option<Vec<Stm>> {
    let (space, [], body) = splits(stm, MOST_STATEMENTS)? else { return None };
    let (&(index, n), outer) = space.dims.split_last().map(|(d, outer)| (d, outer.len()))?;
    // What neighbours are divided by is no part of blocks: no multiple of their length is that near.
    let is_near = |first: SubExp| match first {
        SubExp::Const(c) => c.as_int().is_some_and(|c| c.unsigned_abs() < SHORTEST.unsigned_abs()),
        SubExp::Var(_) => false,
    };
    let (firsts, cut) = indexes_in_whole(index, body)
        .into_iter()
        .filter(|(_, firsts)| !firsts.iter().any(|first| is_near(*first)))
        .find_map(|(i, firsts)| Some((firsts, Cut::of(i, index, body, defs)?)))?;
    // A chunk begins anywhere in a block, and has few: it goes piece by piece.
    let of_chunk = matches!(&stm.exp, Exp::Seg(op) if is_chunk(stm, op));
    if of_chunk && !firsts.is_empty() && matches!(cut, Cut::Quotients(_)) {
        return None;
    }
    let rows = rows_of(&stm.pat, space, outer)?;
    b.loc = stm.loc;
    b.begin();
    let (zero, first) = (SubExp::i64(0), begin_of(&firsts, b));
    let Strip { by, halves, length, pays } = cut.strip(body, b);
    let divisor = b.max(length, SubExp::i64(1));
    let count = b.quot(n, divisor);
    let (mut count, mut before) = (b.choose(pays, count, zero), zero);
    if first != zero {
        let rest = b.rem(first, divisor);
        let begins = b.eq(rest, zero);
        let positive = b.le(zero, first);
        let small = b.le(first, SubExp::i64(SMALL));
        let aligned = b.and(begins, positive);
        let aligned = b.and(aligned, small);
        count = b.choose(aligned, count, zero);
        before = b.quot(first, divisor);
    }
    let covered = b.mul(count, length);
    let tiles = Tiles { count, length, halves, by, first, before };
    let main = cut.blocks(stm, (index, body), tiles, &rows, b);
    let flat = main.iter().zip(&rows).map(|(array, row)| {
        let pat = row.piece(zero, covered, b);
        let var = pat.var;
        b.bind(vec![pat], Exp::Reshape { array: *array, shape: vec![covered] });
        var
    });
    let flat: Vec<Var> = flat.collect();
    let left = b.sub(n, covered);
    let work = SplitNest {
        index,
        point: &[],
        ops: &[],
        body,
        main: &Main::default(),
        defs,
        certs: &stm.certs,
        attrs: &stm.attrs,
    };
    let rest = work.piece((covered, left), &KnownValues::default(), &[], &rows, b);
    Some(whole(stm, (space, outer), &rows, &[flat, rest], b))
}

/// Emits the length of the strips that a map of one dimension would be mined by: parts that begin with one are mined as the
/// whole is. It is 1 where strips do not pay, or if there is less than one.
pub(in crate::passes) fn strip(op: &SegOp, defs: &Defs, b: &mut Builder) -> Option<SubExp> {
    let [(index, n)] = *op.space.dims.as_slice() else { return None };
    if !matches!(op.kind, SegKind::Map) || !are_stored(&op.body, MOST_STATEMENTS) {
        return None;
    }
    let strip = Cut::of(index, index, &op.body, defs)?.strip(&op.body, b);
    let fits = b.le(strip.length, n);
    let pays = b.and(strip.pays, fits);
    Some(b.choose(pays, strip.length, SubExp::i64(1)))
}

/// `halves` blocks of the length `by`, and whether it pays to have them.
struct Strip {
    by: SubExp,
    halves: i64,
    length: SubExp,
    pays: SubExp,
}

/// `count` times `halves` blocks of the length `by`, from an index on that has so many of these times before it.
#[derive(Clone, Copy)]
struct Tiles {
    count: SubExp,
    length: SubExp,
    halves: i64,
    by: SubExp,
    first: SubExp,
    before: SubExp,
}

/// What has one value in a block.
enum Cut {
    Quotients(Quotients),
    Bits(Bits),
}

impl Cut {
    /// What has one value in a block of the index's range; `own` is the map's index, which is that in a part of it.
    fn of(index: Var, own: Var, body: &KernelBody, defs: &Defs) -> Option<Cut> {
        match Quotients::of(index, own, body, defs) {
            Some(quotients) => Some(Cut::Quotients(quotients)),
            None => Some(Cut::Bits(Bits::of(index, own, body, defs)?)),
        }
    }

    /// Emits how long blocks are, and whether to have them.
    fn strip(&self, body: &KernelBody, b: &mut Builder) -> Strip {
        let (by, pays) = self.length(b);
        let halves = if 2 * size(&body.stms) <= MOST_STATEMENTS { self.halves() } else { 1 };
        let small = b.le(by, SubExp::i64(SMALL));
        let pays = b.and(pays, small);
        Strip { by, halves, length: b.mul(by, SubExp::i64(halves)), pays }
    }

    /// The length of blocks, and whether it is worth having them.
    fn length(&self, b: &mut Builder) -> (SubExp, SubExp) {
        match self {
            Cut::Quotients(q) => {
                let pays = b.le(SubExp::i64(SHORTEST), q.by);
                let fits = q.fits(b);
                (q.by, b.and(pays, fits))
            }
            Cut::Bits(bits) => bits.length(b),
        }
    }

    /// How many blocks go together.
    fn halves(&self) -> i64 {
        match self {
            Cut::Quotients(q) if q.has_double() => 2,
            Cut::Quotients(_) | Cut::Bits(_) => 1,
        }
    }

    /// Puts into the body what is known in a block; emits what that takes.
    fn divide(&self, body: &mut KernelBody, block: Block, b: &mut Builder) {
        match self {
            Cut::Quotients(q) => q.divide(body, block, b),
            Cut::Bits(bits) => bits.divide(body, block, b),
        }
    }

    /// The map over blocks; its arrays.
    fn blocks(
        &self,
        stm: &Stm,
        (index, body): (Var, &KernelBody),
        tiles: Tiles,
        rows: &[Row],
        b: &mut Builder,
    ) -> Vec<Var> {
        let Tiles { count, length, halves, by, first: part, before } = tiles;
        let tiled = |row: &Row, lengths: &[(SubExp, SubExp)]| {
            let mut dims = row.lmad.dims.clone();
            let stride = dims.pop().map(|d| d.stride);
            let stride = stride.unwrap_or_else(|| Poly::constant(1).to_size());
            dims.extend(lengths.iter().map(|(n, step)| {
                let stride = Poly::of(&stride).mul(&Poly::leaf(*step)).to_size();
                LmadDim { n: *n, stride }
            }));
            Lmad { offset: row.lmad.offset.clone(), dims }
        };
        let one = SubExp::i64(1);
        let number = b.names.fresh("block");
        let k = b.names.fresh("k");
        b.begin();
        let first = b.mul(number.into(), length);
        let in_whole = b.add(number.into(), before);
        let mut inner = KernelBody { stms: Vec::new(), results: Vec::new(), types: Vec::new() };
        let mut pat = Vec::new();
        for h in 0..halves {
            let half = SubExp::i64(h);
            let (at_number, at_half, start) = if halves == 1 {
                (in_whole, None, first)
            } else {
                let twice = b.mul(in_whole, SubExp::i64(halves));
                let at = b.mul(by, half);
                (b.add(twice, half), Some((in_whole, h)), b.add(first, at))
            };
            let block = Block { number: at_number, half: at_half, start: b.add(part, start), k };
            let mut body = body.clone();
            self.divide(&mut body, block, b);
            let sum = Exp::BinOp(BinOp::Add(I64), start, k.into());
            body.stms.insert(0, Stm::new(vec![PatElem::new(index, Type::I64)], sum));
            Renamer::new(&mut b.names).kernel_body(&mut body);
            b.push_all(take_invariant(&mut body, &[k]));
            inner.stms.extend(body.stms);
            inner.results.extend(body.results);
            inner.types.extend(body.types);
            pat.extend(rows.iter().map(|row| {
                let dims = [(count, length), (SubExp::i64(halves), by), (by, one)];
                let place = tiled(row, &dims).row(&[number.into(), half]);
                row.part(by, place, b)
            }));
        }
        let parts: Vec<Var> = pat.iter().map(|p| p.var).collect();
        let space = SegSpace { dims: vec![(k, by)] };
        b.bind(
            pat,
            Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body: inner }),
        );
        let whole = |row: &Row| tiled(row, &[(count, length), (length, one)]);
        let mut results = Vec::with_capacity(rows.len());
        let mut types = Vec::with_capacity(rows.len());
        for (r, row) in rows.iter().enumerate() {
            let pat = row.part(length, whole(row).row(&[number.into()]), b);
            results.push(KernelResult::Return(pat.var.into()));
            types.push(pat.ty.clone());
            let arrays = parts.iter().skip(r).step_by(rows.len()).copied().collect();
            b.bind(vec![pat], Exp::Concat { dim: 0, arrays, size: length });
        }
        let body = KernelBody { stms: b.end(), results, types };
        let space = SegSpace { dims: vec![(number, count)] };
        let mut exp = Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body });
        Renamer::new(&mut b.names).exp(&mut exp);
        let pat: Vec<_> =
            rows.iter().map(|row| row.array(vec![count, length], whole(row), b)).collect();
        let arrays = pat.iter().map(|p| p.var).collect();
        b.push(Stm {
            schedule: None,
            pat,
            exp,
            certs: stm.certs.clone(),
            attrs: stm.attrs.clone(),
            loc: b.loc,
        });
        arrays
    }
}

/// Takes out of a body the arithmetic that does not depend on what it binds, nor on `moving`.
fn take_invariant(body: &mut KernelBody, moving: &[Var]) -> Vec<Stm> {
    let mut inside: VarSet = moving.iter().copied().collect();
    let mut out = Vec::new();
    let stms = std::mem::take(&mut body.stms);
    body.stms.extend(stms.into_iter().filter_map(|s| {
        let scalar =
            matches!(s.exp, Exp::BinOp(..) | Exp::CmpOp(..) | Exp::ConvOp(..) | Exp::UnOp(..));
        if scalar && free_in_stm(&s).iter().all(|v| !inside.contains(v)) {
            out.push(s);
            None
        } else {
            inside.extend(s.pat.iter().map(|p| p.var));
            Some(s)
        }
    }));
    out
}
