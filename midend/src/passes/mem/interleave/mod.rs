//! Interleaving: points that go through arrays of their own in sequence become strips, in which the arrays of
//! neighbouring points lie element beside element.
//!
//! ```text
//! ys: [n][m] = segmap (i < n) {             loop (ys = scratch) for s < ⌈n / 32⌉ {
//!   a: [m] @ alloc m                          first = min(32 · s, n - 32)
//!   loop j < m {                              rs: [m][32] = copy(transpose xs[first :+ 32, 0 :+ m])
//!     x = xs[i, j]                            strip: [32][m] = segmap (t < 32) {
//!     … a[j - 1] … a with [j] = …      →        a: [m] @ alloc 32 · m -> {t; (m, 32)}
//!   } …                                         loop j < m { x = rs[j, t] … }
//!   in (return …) }                             … }
//!                                             ys with [first :+ 32] = strip }
//!                                           and all points as before, if that was none
//! ```
//!
//! A loop each of whose rounds waits for the one before takes the time of these operations one after the other. Where there are
//! many points, each can have a lane of vectors instead ([`crate::analysis::lanes`]), and a round takes as long for
//! all as for one. Then what a lane reads should lie beside what its neighbours read. So the blocks of a point have room for all
//! points of the strip, and what points read of rows of other arrays is transposed before ([`rows`]), in blocks that stay in
//! the third cache. The last strip overlaps the one before it. Fewer points, and arrays for which that room is too
//! small, are left as they were ([`strips`]): both are in the code, and sizes decide at run time.
//!
//! What a loop carries may be arrays that each round makes anew ([`slots`]), in sequence or by maps: rounds of these wait for one
//! another, too, and each begins and ends with fewer elements than vectors have.
//!
//! Points that go through a row again and again, in the rounds of a loop, go in strips for its sake alone, where all rows of a strip
//! stay in the first cache: lanes would gather what they read anew in each round.
//!
//! The operation that a strip is has the attribute [`StmAttr::Strip`], which keeps other passes from cutting its body. Maps
//! that went in strips before are left as they are.
//!
//! What reductions reduce is stored before, where that can go in strips ([`reductions`]).
//!
//! Where all that points do in sequence stands in maps of a known number of points, it is the points of these that go in strips.
//!
//! Refused: operations that are none without it, by the analysis of lanes; bodies that do little in sequence beside the rows that
//! would have to be transposed; arrays whose sizes differ from point to point; results that lie in a block
//! that the body reads. At level `mem`, for one thread, before allocations are moved out of loops.
//!
//! Cost: linear in the program, but for the analysis of lanes. Bodies of strips stand twice.

mod groups;
mod reductions;
mod rows;
mod slots;
mod strips;

use super::blocks::own_blocks;
use super::rebase::{Moved, Rebase};
use crate::analysis::bodies::{returns, size};
use crate::analysis::lanes::{Class, Lanes, lanes};
use crate::analysis::places::Places;
use crate::ir::traverse::{
    Rewrite, Visit, any_exp, for_each_block, for_each_block_mut, free_in, rewrite, walk,
};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, Builder, Defs, Exp, Forced, IntType, KernelBody, Level, Lmad, MemBind, NameSource,
    Param, PatElem, Poly, Prim, Program, SegKind, SegLevel, SegOp, Stm, StmAttr, SubExp, Type, Var,
};
use crate::machine::Instructions;
use crate::passes::strips::{FEWEST, MOST, STRIP_BYTES, width};
use reductions::stored;
use rows::{reads_again, rows_read};
use slots::in_slots;
use std::slice;
use strips::{Placed, Strips, emit};

/// Larger bodies do not stand twice.
const MOST_STATEMENTS: usize = 200;
/// Blocks that are no larger may stay as they are: lanes have room for them by themselves.
const SMALL_BLOCK: i64 = 256;
/// Operations in sequence that pay for a row that is transposed.
const FOR_A_ROW: usize = 2;
/// So many operations an operation on floats waits for as long as.
const FLOAT: usize = 2;

/// Puts points in strips.
pub fn interleave(mut program: Program) -> Program {
    if program.level != Level::Mem {
        return program;
    }
    let places = Places::of_program(&program);
    let names = NameSource::new(program.next_tag);
    let mut i = Interleave { places: &places, b: Builder::new(names) };
    i.list(&mut program.consts.stms);
    for f in &mut program.funs {
        i.list(&mut f.body.stms);
    }
    program.next_tag = i.b.names.next_tag();
    program
}

/// Points of the strips that the points of a statement are to go in: who cuts its range keeps them together. Tags from `tag` on
/// are not in use.
pub(super) fn strip_width(stm: &Stm, places: &Places, tag: u32) -> Option<i64> {
    let Exp::Seg(SegOp { kind, body, .. }) = &stm.exp else { return None };
    let mut i = Interleave { places, b: Builder::new(NameSource::new(tag)) };
    if matches!(kind, SegKind::Red(_)) {
        // Blocks that are promoted to the stack leave lanes to the reduction itself, which has more rounds for them.
        let allocates = any_exp(|v| v.kernel_body(body), |e| matches!(e, Exp::Alloc { .. }));
        let arrays = body.types.iter().any(|t| t.rank() > 0) || allocates;
        let suits = suits_as_map(stm) || suits_strips(body, in_sequence(&body.stms, false));
        return (arrays && returns(body) && suits).then(|| strip_points(body));
    }
    let strips = if i.goes_inside(stm) { None } else { i.strips(stm) };
    strips.map(|strips| strips.width)
}

/// Points that a strip of such a body has at most.
fn strip_points(body: &KernelBody) -> i64 {
    struct Narrowest(i64);
    impl Visit for Narrowest {
        fn pat_elem(&mut self, p: &PatElem) {
            if let Type::Array { elem, .. } = &p.ty {
                self.0 = self.0.min(elem.bytes());
            }
        }
    }
    let of_results = body.types.iter().filter_map(Type::elem).map(Prim::bytes).min();
    let mut narrowest = Narrowest(of_results.unwrap_or(STRIP_BYTES / FEWEST));
    narrowest.kernel_body(body);
    width(narrowest.0)
}

/// Whether a body does something in sequence, and is not too large to stand twice.
fn suits_strips(body: &KernelBody, waits: usize) -> bool {
    waits > 0 && size(&body.stms) <= MOST_STATEMENTS
}

/// Whether the points of a reduction look as if they were to go in strips.
fn suits_as_map(stm: &Stm) -> bool {
    let Exp::Seg(SegOp { space, kind: SegKind::Red(_), body, .. }) = &stm.exp else { return false };
    let [(index, _)] = *space.dims.as_slice() else { return false };
    suits_strips(body, in_sequence(&body.stms, false)) || suits_rows(index, body)
}

/// Whether a body goes through a row in each round of a loop, and is not too large to stand twice.
fn suits_rows(index: Var, body: &KernelBody) -> bool {
    size(&body.stms) <= MOST_STATEMENTS && reads_again(index, body)
}

struct Interleave<'p> {
    places: &'p Places,
    b: Builder,
}

impl Interleave<'_> {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        let mut out = Vec::with_capacity(stms.len());
        for mut s in std::mem::take(stms) {
            if !self.goes_inside(&s)
                && let Some(strips) = self.strips(&s)
            {
                let emitted = emit(&strips, &mut self.b);
                out.extend(emitted);
                continue;
            }
            if suits_as_map(&s)
                && let Some(made) = stored(&s, &mut self.b)
                && let Some(strips) = self.strips(&made.map)
            {
                let emitted = emit(&strips, &mut self.b);
                out.extend(made.room.into_iter().chain(emitted).chain([made.reduction]));
                continue;
            }
            if !self.stays_whole(&s.exp) {
                for_each_block_mut(&mut s.exp, &mut |b| self.list(b));
            }
            out.push(s);
        }
        *stms = out;
    }

    /// Whether an operation goes by lanes of its own, or is one of a kernel.
    fn stays_whole(&self, e: &Exp) -> bool {
        let Exp::Seg(SegOp { level, space, kind, body }) = e else { return false };
        let place_of = |v: Var| self.places.of(v).map(|place| place.mem.clone());
        let by_lanes = || {
            let (index, _) = space.dims.last()?;
            lanes(*index, &without_blocks(body), Instructions::gathering(true), &place_of)
                .ok()
                .filter(Lanes::pays)
        };
        let may = matches!(kind, SegKind::Map | SegKind::Red(_));
        level.is_kernel() || may && by_lanes().is_some()
    }

    /// Whether all that the points of a map do in sequence stands in maps whose points can go in strips themselves, and whose
    /// number is known: what they have takes less room.
    fn goes_inside(&mut self, stm: &Stm) -> bool {
        let Exp::Seg(SegOp { level: SegLevel::Seq, kind: SegKind::Map, body, .. }) = &stm.exp
        else {
            return false;
        };
        let mut waiting =
            body.stms.iter().filter(|s| in_sequence(slice::from_ref(s), false) > 0).peekable();
        waiting.peek().is_some()
            && stm.forced().is_none()
            && waiting.all(|s| self.is_known_strip(s))
    }

    /// Whether a statement is a map of a known number of points that go in strips.
    fn is_known_strip(&mut self, stm: &Stm) -> bool {
        let Exp::Seg(SegOp { space, .. }) = &stm.exp else { return false };
        let known = space.dims.iter().all(|(_, n)| Poly::leaf(*n).as_const().is_some());
        known && self.strips(stm).is_some()
    }

    /// A statement in strips, if it is a map that is better so.
    fn strips<'s>(&mut self, stm: &'s Stm) -> Option<Strips<'s>> {
        let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) = &stm.exp
        else {
            return None;
        };
        let ([(index, n)], None) = (space.dims.as_slice(), &stm.schedule) else { return None };
        let forced = stm.forced();
        let in_strips = [StmAttr::Strips, StmAttr::Rest].iter().any(|a| stm.attrs.contains(a));
        if in_strips || forced.is_some_and(|how| how != Forced::Strips) {
            return None;
        }
        let forced = forced.is_some();
        let most = Poly::leaf(*n).as_const().unwrap_or(MOST);
        let waits = in_sequence(&body.stms, false);
        let suits = || suits_strips(body, waits) || suits_rows(*index, body);
        if most < FEWEST || !returns(body) || !forced && !suits() || says_sizes_are_equal(body) {
            return None;
        }
        let (strips, lanes) = self.of_width(stm, FEWEST)?;
        let of_rows = strips.rows.iter().map(|row| row.elem.bytes()).max();
        let bytes = of_rows.filter(|_| strips.only_rows()).unwrap_or(lanes.widest);
        let mut width = width(bytes);
        while width > most {
            width /= 2;
        }
        let apart = strips.results.iter().filter(|r| matches!(r, Placed::Apart(_))).count();
        let mut pays = waits > 0 && waits >= FOR_A_ROW * (strips.rows.len() + apart);
        pays |= apart == 0 && strips.only_rows() && strips.rows.iter().any(|row| row.again);
        // What lanes can do as it is, they do.
        let pays = pays && lanes.pays() && lanes.short.is_empty();
        if strips.buffers.is_empty() || !(pays || forced) {
            return None;
        }
        self.of_width(stm, width).map(|(strips, _)| strips)
    }

    /// A map in strips of a width, and what its points do by lanes.
    fn of_width<'s>(&mut self, stm: &'s Stm, width: i64) -> Option<(Strips<'s>, Lanes)> {
        let Exp::Seg(SegOp { space, body, .. }) = &stm.exp else { return None };
        let (index, n) = *space.dims.first()?;
        let (in_slots, of_slots) = in_slots(body, &self.places.defs, &mut self.b)?;
        let names = &mut self.b.names;
        let (first, lane) = (names.fresh("first"), names.fresh("lane"));
        let share = || Moved::Share { index: Poly::var(lane), count: Poly::constant(width) };
        let mut moved = VarMap::default();
        let mut buffers: Vec<(Var, Poly)> = Vec::new();
        for (block, bytes, _) in own_blocks(space, &in_slots)? {
            let bytes = Poly::of(&bytes);
            let small = bytes.as_const().is_some_and(|n| n <= SMALL_BLOCK);
            if small && !of_slots.contains(&block) {
                continue;
            }
            let buffer = names.like(block);
            moved.insert(block, Moved::To(buffer, Poly::constant(0)));
            moved.insert(buffer, share());
            buffers.push((buffer, bytes));
        }
        let mut results = Vec::with_capacity(stm.pat.len());
        let mut written = VarSet::default();
        for (p, ty) in stm.pat.iter().zip(&body.types) {
            let mem = p.mem.as_ref()?;
            let row = mem.lmad.row(&[index.into()]);
            written.insert(mem.block);
            if Poly::of(&mem.lmad.dims.first()?.stride).as_const() == Some(1) {
                results.push(Placed::There);
                continue;
            }
            if ty.rank() == 0
                || !row.is_contiguous(&self.places.defs)
                || moved.contains_key(&mem.block)
            {
                return None;
            }
            let buffer = names.like(mem.block);
            let back = Poly::constant(0).sub(&Poly::of(&row.offset));
            moved.insert(mem.block, Moved::To(buffer, back));
            moved.insert(buffer, share());
            let elements = row.dims.iter().map(|d| Poly::leaf(d.n));
            let bytes = Poly::constant(p.ty.elem()?.bytes());
            buffers.push((buffer, elements.fold(bytes, |all, n| all.mul(&n))));
            results.push(Placed::Apart(strip_of(buffer, &row, width)));
        }
        let reads = |v: &Var| self.places.of(*v).is_some_and(|p| written.contains(&p.mem.block));
        if free_in(|f| f.kernel_body(&in_slots)).iter().any(reads) {
            return None;
        }
        let of_body = buffers.iter().map(|r| r.0).collect::<VarSet>();
        let rows = rows_read(index, lane, &in_slots, self.places, &moved, names);
        let mut lanes_body = in_slots;
        rows::Instead { rows: &rows, lane }.kernel_body(&mut lanes_body);
        Rebase { moved }.kernel_body(&mut lanes_body);
        Plain { buffers: &of_body, defs: &self.places.defs }.kernel_body(&mut lanes_body);
        let sum = Exp::BinOp(BinOp::Add(IntType::I64), first.into(), lane.into());
        lanes_body.stms.insert(0, Stm::new(vec![PatElem::new(index, Type::I64)], sum));
        let place_of = |v: Var| match rows.iter().find(|r| r.copy == v) {
            Some(row) => Some(row.place(width)),
            None => self.places.of(v).map(|place| place.mem.clone()),
        };
        let lanes =
            lanes(lane, &without_blocks(&lanes_body), Instructions::gathering(true), &place_of)
                .ok()?;
        let mut same = Same { lanes: &lanes, lane, buffers: &of_body, all: true };
        same.kernel_body(&lanes_body);
        if !same.all {
            return None;
        }
        for row in &rows {
            buffers.push((row.block, Poly::leaf(row.size).mul(&Poly::constant(row.elem.bytes()))));
        }
        let strips =
            Strips { stm, index, n, body, width, first, lane, lanes_body, buffers, rows, results };
        Some((strips, lanes))
    }
}

/// Says where arrays in blocks of a strip begin without the variables that only name a sum: in a task, a point's index is
/// one, and its row begins where the strip's block does only if that is known.
struct Plain<'a> {
    buffers: &'a VarSet,
    defs: &'a Defs,
}

impl Rewrite for Plain<'_> {
    fn mem_bind(&mut self, m: &mut MemBind) {
        if self.buffers.contains(&m.block) {
            m.lmad.offset = self.defs.expand(&Poly::of(&m.lmad.offset)).to_size();
        }
    }
}

/// Whether a body has an array under another name by an assertion that its size is another one. Such an assertion may hold only because the
/// map has points, which nobody would know of the points of a strip.
fn says_sizes_are_equal(body: &KernelBody) -> bool {
    struct Found(bool);
    impl Visit for Found {
        fn stm(&mut self, s: &Stm) {
            self.0 |= matches!(s.exp, Exp::SubExp(SubExp::Var(_)))
                && !s.certs.is_empty()
                && s.pat.iter().any(|p| p.ty.rank() > 0);
            walk::stm(self, s);
        }
    }
    let mut found = Found(false);
    found.kernel_body(body);
    found.0
}

/// A body whose blocks are allocated before it, as they will be.
pub(super) fn without_blocks(body: &KernelBody) -> KernelBody {
    struct Remove;
    impl Rewrite for Remove {
        fn stms(&mut self, stms: &mut Vec<Stm>) {
            stms.retain(|s| !matches!(s.exp, Exp::Alloc { .. }));
            rewrite::stms(self, stms);
        }
    }
    let mut body = body.clone();
    Remove.kernel_body(&mut body);
    body
}

/// The rows of a strip, element beside element.
fn strip_of(buffer: Var, row: &Lmad, width: i64) -> MemBind {
    let dims = row.dims.clone();
    let zero = Poly::constant(0);
    let one = Lmad { offset: zero.to_size(), dims };
    let mut lmad = one.interleaved(&zero, &Poly::constant(width));
    let lanes = Lmad::row_major(&[SubExp::i64(width)]);
    lmad.dims.splice(0..0, lanes.dims);
    MemBind { block: buffer, lmad }
}

/// Whether arrays in blocks of a strip lie alike for all points: then they lie in them.
struct Same<'l> {
    lanes: &'l Lanes,
    lane: Var,
    buffers: &'l VarSet,
    all: bool,
}

impl Same<'_> {
    fn place(&mut self, mem: Option<&MemBind>) {
        if let Some(mem) = mem.filter(|m| self.buffers.contains(&m.block)) {
            let uniform =
                |x: &SubExp| *x == self.lane.into() || self.lanes.of(*x) == Class::Uniform;
            self.all &= mem.lmad.leaves().iter().all(uniform);
        }
    }
}

impl Visit for Same<'_> {
    fn pat_elem(&mut self, p: &PatElem) {
        self.place(p.mem.as_ref());
    }

    fn param(&mut self, p: &Param) {
        self.place(p.mem.as_ref());
    }
}

/// Operations of loops each of whose rounds may wait for the one before, as those of maps do that make an array of the one of the
/// round before.
fn in_sequence(stms: &[Stm], looped: bool) -> usize {
    within(stms, looped, false)
}

/// The same in a loop, which hands blocks on.
fn within(stms: &[Stm], looped: bool, hands_on: bool) -> usize {
    stms.iter().fold(0, |n, s| {
        let (looped, hands_on) = match &s.exp {
            Exp::Loop { params, .. } => (true, params.iter().any(|p| matches!(p.ty, Type::Mem(_)))),
            Exp::Seg(_) => (hands_on, hands_on),
            _ => (looped, hands_on),
        };
        let own = match &s.exp {
            Exp::BinOp(..) | Exp::UnOp(..) | Exp::CmpOp(..) | Exp::ConvOp(..) | Exp::Math(..)
                if looped =>
            {
                let float = s.pat.iter().any(|p| matches!(p.ty, Type::Prim(Prim::Float(_))));
                if float { FLOAT } else { 1 }
            }
            _ => 0,
        };
        let mut below = 0;
        for_each_block(&s.exp, &mut |b| below += within(b, looped, hands_on));
        n + own + below
    })
}
