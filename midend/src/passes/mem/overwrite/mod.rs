//! Maps over the array that they replace.
//!
//! ```text
//! loop (m, d @ m) for k < n {                 loop (m, d @ m) for k < n {
//!                                               r = alloc 4·n
//!                                               row @ r → (n,1) = copy d[k, 0..n]
//!                                               …
//!   new = alloc 4·n·n                             ⟶
//!   e @ new = segmap (i < n, j < n) {           e @ m = segmap (i < n, j < n) {
//!     x = index d[i, j]                           x = index d[i, j]
//!     y = index d[k, j]                           y = index row[j]
//!     z = index d[i, k]                           z = index column[i]
//!     … }                                         … }
//!   in (new, e) }                               in (m, e) }
//! ```
//!
//! A map that is the last to need an array, and reads besides the element at the place of its own only slices in
//! which the index of some dimension is the same at all points (a row, a column, a plane, an element), may leave its
//! result where the array was, when these slices have been copied: half the memory, for copies that are small beside
//! the map. Steps of Floyd–Warshall, Gauss–Jordan and LU decomposition are so, and all that goes from round to round
//! point by point. A point of a map of rows may read what it likes of its own row until it begins to write it.
//!
//! The block must be its variable's own ([`owners`]): allocated here, given up by a caller, or carried by loops that
//! nobody else gave it to. If only the first block of a loop is not, as of `loop d = graph for k < n`, it is
//! copied before the loop, provided that there are as many rounds as the array is long in some dimension, or known to be
//! some. Where `m` ends as what the loop hands on, nothing is exchanged and nothing allocated
//! in a round any more.
//!
//! The slices may be of indexes that are out of bounds, if no point reads them (there may be none): then nothing is
//! copied. Dimensions known to be short are not worth it (`Size`). Bodies that go by lanes keep a block of their own, as
//! in [`super::reuse()`], which does the same without loops and slices.
//!
//! At level `mem`, for maps of one thread (before they are cut into tasks). Inside of other maps nothing is copied. Not on devices: a
//! copy is a kernel there, which takes longer to start than a map of small matrices takes, and what is written
//! is not in the way of what is read.
//!
//! Cost: for each map, linear in it and in the statements after it; linear in the loops around for each block.

mod owners;
mod reads;

use super::blocks::Blocks;
use super::section::Sections;
use crate::ir::traverse::{Rewrite, Subst, rewrite};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, Body, CmpOp, Const, DimIndex, Exp, IntType, Level, Lmad, LoopForm, MemBind, MemSpace,
    NameSource, PatElem, Poly, Program, Size64, Stm, SubExp, Type, Var,
};
use owners::{FirstCopied, Owners, points, returned};
use reads::{Slice, collecting, reads};

/// Puts results of maps over arrays that die in them.
pub fn overwrite(mut prog: Program) -> Program {
    if prog.level != Level::Mem {
        return prog;
    }
    let blocks = Blocks::of_program(&prog);
    let sections = Sections::of_program(&prog);
    let plan = {
        let mut f = Finder {
            blocks: &blocks,
            sections: &sections,
            owners: Owners::of_program(&prog, &blocks, &sections),
            counters: VarMap::default(),
            next: VarMap::default(),
            inside: false,
            plan: Plan::default(),
        };
        f.list(&prog.consts.stms, &prog.consts.result);
        for fun in &prog.funs {
            f.list(&fun.body.stms, &fun.body.result);
        }
        f.plan
    };
    if plan.over.is_empty() {
        return prog;
    }
    let mut subst = Subst::new();
    for new in plan.over.keys() {
        subst.insert(*new, plan.place_of(*new));
    }
    let mut apply = Apply { plan, sections, names: NameSource::new(prog.next_tag) };
    apply.body(&mut prog.consts);
    for f in &mut prog.funs {
        apply.fun(f);
    }
    prog.next_tag = apply.names.next_tag();
    subst.body(&mut prog.consts);
    for f in &mut prog.funs {
        subst.fun(f);
    }
    prog
}

/// What is to be done.
#[derive(Default)]
struct Plan {
    /// Which block takes the place of which.
    over: VarMap<Var>,
    /// The slices to be copied before a map, by the first variable that it binds.
    slices: VarMap<Vec<Copied>>,
    /// Of which slice of its map a statement in it reads an element.
    read: VarMap<(Var, usize)>,
    /// Parameters of loops whose first blocks are copied, with the arrays that lie there.
    first: VarMap<Var>,
}

impl Plan {
    /// A result may be over a result that is itself over something.
    fn place_of(&self, mut block: Var) -> Var {
        while let Some(other) = self.over.get(&block) {
            block = *other;
        }
        block
    }
}

/// A slice to be copied, and the indexes that must be in bounds for that, each with its dimension's size.
struct Copied {
    slice: Slice,
    checked: Vec<(SubExp, SubExp)>,
}

struct Finder<'p> {
    blocks: &'p Blocks,
    sections: &'p Sections,
    owners: Owners<'p>,
    /// Counters of the loops around, and their bounds.
    counters: VarMap<SubExp>,
    /// The parameter that stands for a block of a loop's results in the next round.
    next: VarMap<Var>,
    /// The list is that of a map's points.
    inside: bool,
    plan: Plan,
}

/// An allocation in a list.
#[derive(Clone, Copy)]
struct Alloc<'p> {
    at: usize,
    bytes: &'p Size64,
}

impl Finder<'_> {
    /// A list of statements, of the host or of a map's points.
    fn list(&mut self, stms: &[Stm], result: &[SubExp]) {
        let mut allocs: VarMap<Alloc<'_>> = VarMap::default();
        for (at, s) in stms.iter().enumerate() {
            match &s.exp {
                Exp::Alloc { bytes, space: MemSpace::Host } => {
                    allocs.extend(s.pat.iter().map(|p| (p.var, Alloc { at, bytes })));
                }
                Exp::Loop { params, form, body, .. } => {
                    if let LoopForm::For { var, ty: IntType::I64, bound } = form {
                        self.counters.insert(*var, *bound);
                    }
                    let blocks = params.iter().zip(&body.result);
                    let blocks = blocks.filter(|(p, _)| matches!(p.ty, Type::Mem(_)));
                    self.next.extend(blocks.filter_map(|(p, x)| Some((x.var()?, p.var))));
                    self.list(&body.stms, &body.result);
                }
                Exp::Match { cases, default, .. } => {
                    for b in cases.iter().map(|(_, b)| b).chain([default]) {
                        self.list(&b.stms, &b.result);
                    }
                }
                Exp::Seg(op) => {
                    self.map(stms, result, at, &allocs);
                    if let Some(body) = points(op) {
                        let outside = std::mem::replace(&mut self.inside, true);
                        self.list(&body.stms, &returned(body));
                        self.inside = outside;
                    }
                }
                _ => {}
            }
        }
    }

    fn map(&mut self, stms: &[Stm], result: &[SubExp], at: usize, allocs: &VarMap<Alloc<'_>>) {
        let Some(s) = stms.get(at) else { return };
        let (Some(first), Some(_)) = (s.pat.first().map(|p| p.var), collecting(s)) else { return };
        let used = self.blocks.used_in(s);
        let mut taken = VarSet::default();
        for p in &s.pat {
            let Some(m) = p.mem.as_ref().map(|m| m.block) else { continue };
            let Some(alloc) = allocs.get(&m) else { continue };
            if !self.is_fresh(stms, at, *alloc, m) {
                continue;
            }
            // Where a loop has it in the next round, so that loops exchange no blocks; else not where another result is wanted. In the order
            // of their numbers, so that the output is always the same.
            let wanted = |b: &Var| {
                let by =
                    |p: &PatElem| p.mem.as_ref().and_then(|m| self.next.get(&m.block)) == Some(b);
                match self.next.get(&m) {
                    Some(next) if next == b => 0,
                    _ if s.pat.iter().any(by) => 2,
                    _ => 1,
                }
            };
            let mut candidates: Vec<Var> = used
                .iter()
                .copied()
                .filter(|b| *b != m && !taken.contains(b) && self.owners.beside(*b, m))
                .filter(|b| self.owners.operands(*b) == 0 && self.dies(stms, result, at, *b))
                .collect();
            candidates.sort_unstable_by_key(|b| (wanted(b), *b));
            let found = candidates.into_iter().find_map(|old| {
                let copied = self.owners.own(old)?;
                let over = self.over(s, p, old, alloc.bytes)?;
                // Points that allocate more than before would be no better off.
                (!self.inside || copied.is_empty() && over.0.is_empty())
                    .then_some((old, copied, over))
            });
            let Some((old, copied, (slices, of))) = found else { continue };
            taken.insert(old);
            self.plan.over.insert(m, old);
            self.plan
                .first
                .extend(copied.iter().map(|FirstCopied { param, array }| (*param, *array)));
            let known = self.plan.slices.entry(first).or_default();
            let before = known.len();
            known.extend(slices);
            self.plan.read.extend(of.into_iter().map(|(v, k)| (v, (first, before + k))));
        }
    }

    /// Whether nothing uses a block from its allocation to a statement that makes one array in it.
    fn is_fresh(&self, stms: &[Stm], at: usize, alloc: Alloc<'_>, block: Var) -> bool {
        let unused = stms.get(alloc.at + 1..at).is_some_and(|between| {
            !between.iter().any(|s| self.blocks.used_in(s).contains(&block))
        });
        let results = stms.get(at).into_iter().flat_map(|s| &s.pat);
        let alone = results.filter(|p| p.mem.as_ref().is_some_and(|m| m.block == block)).count();
        unused && alone == 1 && !self.plan.over.contains_key(&block)
    }

    /// Whether nothing after a statement uses a block.
    fn dies(&self, stms: &[Stm], result: &[SubExp], at: usize, block: Var) -> bool {
        let named = |x: &SubExp| x.var().is_some_and(|v| self.blocks.used_by(v) == Some(block));
        stms.get(at + 1..)
            .is_some_and(|after| !after.iter().any(|s| self.blocks.used_in(s).contains(&block)))
            && !result.iter().any(named)
    }

    /// The slices that must be copied so that the result `p` of a map may lie in the block `old` instead of one of so many
    /// bytes, and which statements read of them.
    fn over(
        &self,
        s: &Stm,
        p: &PatElem,
        old: Var,
        bytes: &Size64,
    ) -> Option<(Vec<Copied>, VarMap<usize>)> {
        let place = p.mem.as_ref()?;
        let defs = &self.sections.defs;
        let whole = Poly::of(&Size64::bytes(p.ty.elem()?, p.ty.shape()));
        // What lies in the block already is as large.
        let array = self.array_at(s, old, &place.lmad)?;
        let (ty, _) = self.sections.place(array)?;
        let alike = Poly::of(&Size64::bytes(ty.elem()?, ty.shape()));
        if !place.lmad.is_row_major(defs)
            || !defs.equal(&Poly::of(bytes), &whole)
            || !defs.equal(&whole, &alike)
        {
            return None;
        }
        let found = reads((self.blocks, self.sections), s, p, old)?;
        let slices: Vec<Copied> =
            found.slices.into_iter().map(|k| self.copied(k)).collect::<Option<_>>()?;
        let mut size = Size::default();
        slices.iter().try_for_each(|c| size.add(self.sections, &c.slice))?;
        size.pays().then_some((slices, found.of))
    }

    /// An array that a statement reads in a block at a place.
    fn array_at(&self, s: &Stm, block: Var, lmad: &Lmad) -> Option<Var> {
        crate::ir::traverse::free_in_exp(&s.exp).into_iter().find(|v| {
            self.sections.place(*v).is_some_and(|(_, m)| {
                m.block == block && m.lmad.same_place(lmad, &self.sections.defs)
            })
        })
    }

    fn copied(&self, slice: Slice) -> Option<Copied> {
        let (ty, _) = self.sections.place(slice.array)?;
        let inside = |x: SubExp, n: SubExp| {
            let defs = &self.sections.defs;
            let below = x.var().and_then(|v| self.counters.get(&v));
            below.is_some_and(|bound| defs.equal(&Poly::leaf(*bound), &Poly::leaf(n)))
        };
        let indexes = slice.fixed.iter().zip(ty.shape());
        let checked = indexes.filter_map(|(x, n)| x.map(|x| (x, *n)));
        let checked = checked.filter(|(x, n)| !inside(*x, *n)).collect();
        Some(Copied { slice, checked })
    }
}

/// How large slices are beside the whole of an array, in parts of 1024.
#[derive(Default)]
struct Size {
    parts: i64,
    slices: usize,
}

/// What is not known is taken for as long.
const LONG: i64 = 64;
/// More is not worth copying.
const MOST_PARTS: i64 = 1024 / 8;
const MOST_SLICES: usize = 8;

impl Size {
    fn add(&mut self, sections: &Sections, slice: &Slice) -> Option<()> {
        let (ty, _) = sections.place(slice.array)?;
        let long = |n: &SubExp| sections.defs.expand(&Poly::leaf(*n)).as_const().unwrap_or(LONG);
        let fixed = slice.fixed.iter().zip(ty.shape());
        let fixed = fixed.filter_map(|(x, n)| x.map(|_| long(n).max(1)));
        self.slices += 1;
        // A scalar is nothing.
        if slice.fixed.iter().any(Option::is_none) {
            self.parts += 1024 / fixed.fold(1, i64::saturating_mul);
        }
        Some(())
    }

    fn pays(&self) -> bool {
        self.parts <= MOST_PARTS && self.slices <= MOST_SLICES
    }
}

/// Does what is planned.
struct Apply {
    plan: Plan,
    sections: Sections,
    names: NameSource,
}

/// Where the elements of a slice are to be found.
#[derive(Clone, Copy)]
enum Home {
    Scalar(Var),
    Array(Var),
}

impl Rewrite for Apply {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        rewrite::stms(self, stms);
        let mut out = Vec::with_capacity(stms.len());
        for mut s in std::mem::take(stms) {
            let first = s.pat.first().map(|p| p.var);
            if matches!(s.exp, Exp::Alloc { .. })
                && first.is_some_and(|v| self.plan.over.contains_key(&v))
            {
                continue;
            }
            if let Exp::Loop { .. } = &s.exp {
                self.copy_first(&mut s, &mut out);
            }
            if let Some(first) = first
                && let Some(slices) = self.plan.slices.remove(&first)
            {
                let homes: Vec<Option<Home>> =
                    slices.iter().map(|c| self.copy(c, &s, &mut out)).collect();
                let mut moved = ReadElsewhere { read: &self.plan.read, map: first, homes, slices };
                moved.exp(&mut s.exp);
            }
            out.push(s);
        }
        *stms = out;
    }
}

impl Apply {
    /// Copies the first blocks of a loop that need it.
    fn copy_first(&mut self, s: &mut Stm, out: &mut Vec<Stm>) {
        let loc = s.loc;
        let Exp::Loop { params, init, .. } = &mut s.exp else { return };
        for k in 0..params.len() {
            let Some(p) = params.get(k) else { continue };
            let Some(array) = self.plan.first.get(&p.var).copied() else { continue };
            let Some((ty, _)) = self.sections.place(array) else { continue };
            let Some(elem) = ty.elem() else { continue };
            let (block, copy) = (self.names.like(p.var), self.names.like(array));
            let mem = MemBind { block, lmad: Lmad::row_major(ty.shape()) };
            let bytes = Size64::bytes(elem, ty.shape());
            let pat = PatElem { mem: Some(mem), ..PatElem::new(copy, ty.clone()) };
            out.push(Stm { loc, ..alloc(block, bytes) });
            out.push(Stm { loc, ..Stm::new(vec![pat], Exp::Copy(array)) });
            let lies_there =
                |q: &crate::ir::Param| q.mem.as_ref().is_some_and(|m| m.block == p.var);
            let inside = params.iter().position(lies_there);
            for (at, x) in [(Some(k), block), (inside, copy)] {
                if let Some(slot) = at.and_then(|at| init.get_mut(at)) {
                    *slot = x.into();
                }
            }
        }
    }

    /// Copies a slice before a map, if its indexes are in bounds.
    fn copy(&mut self, c: &Copied, map: &Stm, out: &mut Vec<Stm>) -> Option<Home> {
        let (ty, place) = self.sections.place(c.slice.array)?.clone();
        let elem = ty.elem()?;
        let mut emit = |names: &mut NameSource, exp: Exp| {
            let v = names.fresh("inside");
            out.push(Stm { loc: map.loc, ..Stm::new(vec![PatElem::new(v, Type::BOOL)], exp) });
            SubExp::Var(v)
        };
        let mut inside: Option<SubExp> = None;
        for (x, n) in &c.checked {
            // As unsigned numbers, negative ones are large.
            let one = emit(&mut self.names, Exp::CmpOp(CmpOp::ULt(IntType::I64), *x, *n));
            inside = Some(match inside {
                Some(all) => emit(&mut self.names, Exp::BinOp(BinOp::LogAnd, all, one)),
                None => one,
            });
        }
        let dims: Vec<DimIndex> = c
            .slice
            .fixed
            .iter()
            .zip(ty.shape())
            .map(|(x, n)| x.map_or_else(|| DimIndex::full(*n), DimIndex::Fix))
            .collect();
        let along = c.slice.fixed.iter().zip(ty.shape()).filter(|(x, _)| x.is_none());
        let shape: Vec<SubExp> = along.map(|(_, n)| *n).collect();
        let row = Type::array(elem, shape.clone());
        let array = c.slice.array;
        let index = Exp::Index { array, dims: dims.clone() };
        if shape.is_empty() {
            let pat = |v| vec![PatElem::new(v, row.clone())];
            let load = self.names.like(array);
            let stm = Stm { loc: map.loc, ..Stm::new(pat(load), index) };
            let Some(inside) = inside else {
                out.push(stm);
                return Some(Home::Scalar(load));
            };
            let v = self.names.like(array);
            let exp = choice(inside, (vec![stm], load.into()), (vec![], Const::zero(elem).into()));
            out.push(Stm { loc: map.loc, ..Stm::new(pat(v), exp) });
            return Some(Home::Scalar(v));
        }
        let block = self.names.like(place.block);
        out.push(Stm { loc: map.loc, ..alloc(block, Size64::bytes(elem, &shape)) });
        let lies = |v: Var, block: Var, lmad: Lmad| {
            vec![PatElem { mem: Some(MemBind { block, lmad }), ..PatElem::new(v, row.clone()) }]
        };
        let home = |v: Var| lies(v, block, Lmad::row_major(&shape));
        let (view, copy) = (self.names.like(array), self.names.like(array));
        let stms = [
            Stm::new(lies(view, place.block, place.lmad.slice(&dims)), index),
            Stm { loc: map.loc, ..Stm::new(home(copy), Exp::Copy(view)) },
        ];
        let Some(inside) = inside else {
            out.extend(stms);
            return Some(Home::Array(copy));
        };
        let (v, nothing) = (self.names.like(array), self.names.like(array));
        let scratch = Stm::new(home(nothing), Exp::Scratch { elem, shape: shape.clone() });
        let exp = choice(inside, (stms.into(), copy.into()), (vec![scratch], nothing.into()));
        out.push(Stm { loc: map.loc, ..Stm::new(home(v), exp) });
        Some(Home::Array(v))
    }
}

fn alloc(block: Var, bytes: Size64) -> Stm {
    let pat = vec![PatElem::new(block, Type::Mem(MemSpace::Host))];
    Stm::new(pat, Exp::Alloc { bytes, space: MemSpace::Host })
}

/// `if cond then … else …`
fn choice(cond: SubExp, yes: (Vec<Stm>, SubExp), no: (Vec<Stm>, SubExp)) -> Exp {
    let body = |(stms, x): (Vec<Stm>, SubExp)| Body { stms, result: vec![x] };
    let cases = vec![(Const::Bool(true), body(yes))];
    Exp::Match { scrutinee: cond, cases, default: body(no) }
}

/// Lets a map read copies.
struct ReadElsewhere<'p> {
    read: &'p VarMap<(Var, usize)>,
    map: Var,
    homes: Vec<Option<Home>>,
    slices: Vec<Copied>,
}

impl Rewrite for ReadElsewhere<'_> {
    fn stm(&mut self, s: &mut Stm) {
        if let (Exp::Index { dims, .. }, [p]) = (&s.exp, s.pat.as_slice())
            && let Some((map, k)) = self.read.get(&p.var)
            && *map == self.map
            && let (Some(Some(home)), Some(c)) = (self.homes.get(*k), self.slices.get(*k))
        {
            s.exp = match home {
                Home::Scalar(v) => Exp::SubExp((*v).into()),
                Home::Array(array) => {
                    let along = dims.iter().zip(&c.slice.fixed).filter(|(_, x)| x.is_none());
                    Exp::Index { array: *array, dims: along.map(|(d, _)| *d).collect() }
                }
            };
            return;
        }
        rewrite::stm(self, s);
    }
}
