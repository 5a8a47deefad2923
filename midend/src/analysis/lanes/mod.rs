//! What the variables of a map's body are when neighbouring points are computed together, each in a
//! lane of vectors.
//!
//! ```text
//! segmap (i < n) {                        i         linear, by 1
//!   x = index xs[i]                       varying, read from neighbours
//!   r = loop (p = 0) for j < k {          j uniform, p varying
//!     c = index cs[j]                     uniform
//!     t = x * p  s = c + t  in s          varying
//!   }
//!   in (return r) }
//! ```
//!
//! *Uniform* values are the same in all lanes and stay scalars, as do indexes that are *linear* in
//! the lane; only what *varies* becomes a vector. Control flow is uniform if its condition is; else
//! lanes that do not take part are masked. Lanes that are in a loop have gone through as many rounds, whenever the
//! others left it: what a loop carries on, such as a counter, may be uniform or linear in those that take part,
//! though it varies behind the loop. Arrays that a point makes for itself are *private*
//! ([`arrays`]): every lane has one. The analysis says whether a body can be computed so, and by
//! [`Lanes::estimate`] whether that is worth it ([`cost`]). The idea is that of ispc (Pharr and Mark, "ispc: A
//! SPMD compiler for high-performance CPU programming", 2012).

mod arrays;
mod cost;
mod facts;
mod lookups;
mod obstacle;
mod tables;

pub use facts::{Class, FEW, Home, Lanes, MIDDLING, SHORT, SOME};
pub use obstacle::{Obstacle, Why};
pub use tables::Lookup;

use arrays::moves;
use cost::{Cost, has_vectors, is_loop_of_scalars};
pub use cost::{Estimate, Rule, is_instruction};
use facts::{Analysis, Homes, Possible};
use tables::Bytes;

use crate::analysis::bodies::{results_of, returns};
use crate::analysis::contraction::accumulation;
use crate::ir::traverse::{Visit, for_each_block, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{BinOp, ConvOp, IntType};
use crate::ir::{Body, DimIndex, Exp, KernelBody, KernelResult, Lambda, LoopForm, SegLevel};
use crate::ir::{Const, SubExp, Type, Var};
use crate::ir::{Lmad, MemBind, Param, PatElem, Poly};
use crate::ir::{SegKind, SegOp, Stm};
use crate::machine::Instructions;

/// The lanes of a body along the dimension `index`, or what stands in the way of them; `place_of` says where an array
/// lies that is not made by the body, if that is known. Where processors gather, they scatter, too, and in the order of the lanes.
pub fn lanes(
    index: Var,
    body: &KernelBody,
    instructions: Instructions,
    place_of: &dyn Fn(Var) -> Option<MemBind>,
) -> Result<Lanes, Obstacle> {
    let gathers = instructions.gathers;
    if !gathers && !returns(body) {
        return Err(Why::NoScatters.into());
    }
    let mut used = Used::default();
    used.kernel_body(body);
    let lanes = Lanes {
        classes: [(index, Class::Linear(1))].into_iter().collect(),
        used: used.0,
        flipped: VarMap::default(),
        nearly_linear: VarSet::default(),
        round: VarSet::default(),
        widest: 1,
        carried: 0,
        in_registers: true,
        reads: 0,
        operations: 0,
        diverges: false,
        straight: !has_loops(&body.stms),
        functions: 0,
        estimate: Estimate::default(),
        homes: Homes::default(),
        short: Vec::new(),
        tables: Vec::new(),
        lookups: VarMap::default(),
    };
    let mut a = Analysis {
        lanes,
        cost: Cost::default(),
        depth: 0,
        masked: false,
        instructions,
        narrow: VarSet::default(),
        bytes: Bytes::default(),
        place_of,
    };
    a.stms(&body.stms)?;
    a.results(body)?;
    a.settle_bytes();
    if short_sums(body)
        && let Some(Exp::Seg(SegOp { space, kind: SegKind::Red(_), .. })) =
            body.stms.last().map(|s| &s.exp)
    {
        let outside = |n: &SubExp| n.var().is_none_or(|n| !a.lanes.classes.contains_key(&n));
        let sizes = space.dims.iter().map(|(_, n)| *n).filter(outside);
        let limits: Vec<_> = sizes.map(|n| (n, SHORT)).collect();
        a.lanes.short.extend(limits);
    }
    let estimate = a.cost.estimate(body, a.lanes.straight, gathers);
    let functions = a.cost.functions;
    let in_registers = a.cost.in_memory == 0;
    let (operations, reads) = (a.cost.operations.count, a.cost.reads);
    Ok(Lanes { operations, functions, estimate, in_registers, reads, ..a.lanes })
}

/// The lanes of a body before it is known where arrays lie, if they are worth it.
pub fn expected_lanes(index: Var, body: &KernelBody, gathers: bool) -> Option<Lanes> {
    lanes(index, body, Instructions::gathering(gathers), &|_| None).ok().filter(Lanes::pays)
}

/// Those of an operation of one thread.
pub fn expected_lanes_of(op: &SegOp) -> Option<Lanes> {
    let (index, _) = op.space.dims.last()?;
    match &op.kind {
        SegKind::Map => expected_lanes(*index, &op.body, true),
        SegKind::Red(ops) => {
            let folded = results_of(ops);
            let stores = op.body.results.len() > folded;
            let stores = Instructions::gathering(stores);
            let lanes = lanes(*index, &op.body, stores, &|_| None).ok()?;
            let stored = op.body.results.iter().skip(folded);
            let collects = stored.into_iter().any(|r| matches!(r, KernelResult::Return(_)));
            Some(if collects { lanes.collecting() } else { lanes }).filter(Lanes::pays)
        }
        SegKind::Scan(_) | SegKind::Hist(_) => None,
    }
}

/// Whether all that a body does is to add up what is computed without arrays: if there is much of
/// it, that is vectors by itself.
pub fn short_sums(body: &KernelBody) -> bool {
    let Some((last, before)) = body.stms.split_last() else { return false };
    let Exp::Seg(SegOp { space, kind: SegKind::Red(ops), body: inner, .. }) = &last.exp else {
        return false;
    };
    let scalar = |s: &Stm| {
        matches!(
            s.exp,
            Exp::SubExp(_)
                | Exp::UnOp(..)
                | Exp::BinOp(..)
                | Exp::CmpOp(..)
                | Exp::ConvOp(..)
                | Exp::Math(..)
        )
    };
    space.dims.len() == 1
        && before.iter().chain(&inner.stms).all(scalar)
        && ops.iter().all(|r| accumulation(r).is_some())
        && body.results.iter().all(|r| {
            matches!(r, KernelResult::Return(SubExp::Var(v)) if last.pat.iter().any(|p| p.var == *v))
        })
}

#[derive(Default)]
struct Used(VarMap<usize>);

impl Visit for Used {
    fn var(&mut self, v: &Var) {
        *self.0.entry(*v).or_default() += 1;
    }
    fn exp(&mut self, e: &Exp) {
        if let Exp::Loop { form: LoopForm::While { cond }, .. } = e {
            self.var(cond);
        }
        walk::exp(self, e);
    }
}

fn has_loops(stms: &[Stm]) -> bool {
    stms.iter().any(|s| {
        let mut inside = matches!(s.exp, Exp::Loop { .. } | Exp::Seg(_));
        for_each_block(&s.exp, &mut |b| inside |= has_loops(b));
        inside
    })
}

impl Analysis<'_> {
    fn set(&mut self, v: Var, ty: &Type, class: Class) {
        if let (Type::Prim(p), Class::Varying) = (ty, class) {
            self.lanes.widest = self.lanes.widest.max(p.bytes());
        }
        self.lanes.classes.insert(v, class);
    }

    fn joined(&self, xs: impl IntoIterator<Item = SubExp>) -> Class {
        let uniform = xs.into_iter().all(|x| self.lanes.of(x) == Class::Uniform);
        if uniform { Class::Uniform } else { Class::Varying }
    }

    fn stms(&mut self, stms: &[Stm]) -> Possible {
        stms.iter().try_for_each(|s| self.stm(s).map_err(|o| o.at(s.loc)))
    }

    fn stm(&mut self, s: &Stm) -> Possible {
        if s.pat.iter().any(|p| matches!(p.ty, Type::Mem(_))) {
            return Err(match &s.exp {
                Exp::Call { fun, .. } => Why::Call(*fun),
                Exp::Alloc { .. } => Why::Allocates,
                _ => Why::Moves,
            }
            .into());
        }
        let class = match &s.exp {
            Exp::SubExp(x) if s.pat.iter().all(|p| p.ty.rank() == 0) => self.lanes.of(*x),
            Exp::UnOp(_, x) | Exp::ConvOp(_, x) => self.operation(&[*x]),
            Exp::BinOp(op, a, b) => self.binary(*op, *a, *b)?,
            Exp::CmpOp(_, a, b) => self.operation(&[*a, *b]),
            Exp::Math(f, _, xs) => {
                let class = self.operation(xs);
                self.cost.function(*f, class == Class::Varying, self.depth);
                class
            }
            Exp::Index { array, dims } if s.pat.iter().all(|p| p.ty.rank() == 0) => {
                self.index(*array, dims, &s.pat)?
            }
            Exp::Assert { cond, .. } => {
                self.cost.checks += usize::from(self.lanes.of(*cond) != Class::Uniform);
                Class::Uniform
            }
            Exp::Match { scrutinee, cases, default } => {
                return self.branch(s, *scrutinee, cases, default);
            }
            Exp::Loop { params, init, form, body } => {
                return self.repeat(&s.pat, params, init, Some(form), &mut |a| {
                    a.stms(&body.stms)?;
                    a.stay(params, &body.result)?;
                    Ok(body.result.iter().map(|x| a.lanes.of(*x)).collect())
                });
            }
            Exp::Seg(op) => return self.segmented(&s.pat, op),
            Exp::Call { fun, .. } => return Err(Why::Call(*fun).into()),
            _ => return self.array(s),
        };
        for p in &s.pat {
            match p.ty {
                Type::Prim(_) if class == Class::Varying && self.is_wide_byte(p, &s.exp) => {
                    self.lanes.classes.insert(p.var, class);
                }
                Type::Prim(_) => self.set(p.var, &p.ty, class),
                Type::Cert => {}
                Type::Array { .. } | Type::Mem(_) => return Err(Why::Unknown.into()),
            }
            if class == Class::Varying && self.is_nearly_linear(&s.exp) {
                self.lanes.nearly_linear.insert(p.var);
            }
            if is_narrow(&s.exp) {
                self.narrow.insert(p.var);
            }
            if class == Class::Varying && self.goes_round(&s.exp) {
                self.lanes.round.insert(p.var);
            }
            if let Exp::BinOp(BinOp::Xor(IntType::I64), a, b) = s.exp {
                match (self.lanes.of(a), self.lanes.of(b)) {
                    (Class::Linear(1), Class::Uniform) => self.lanes.flipped.insert(p.var, (a, b)),
                    (Class::Uniform, Class::Linear(1)) => self.lanes.flipped.insert(p.var, (b, a)),
                    _ => None,
                };
            }
        }
        Ok(())
    }

    /// Whether what varies is read or bounded, or that moved by what is uniform.
    fn is_nearly_linear(&self, e: &Exp) -> bool {
        let known = |x: &SubExp| x.var().is_some_and(|v| self.lanes.nearly_linear.contains(&v));
        let uniform = |x: &SubExp| self.lanes.of(*x) == Class::Uniform;
        match e {
            Exp::Index { .. } | Exp::BinOp(BinOp::SMin(_) | BinOp::SMax(_), ..) => true,
            Exp::SubExp(x) | Exp::ConvOp(_, x) => known(x),
            Exp::BinOp(BinOp::Add(_) | BinOp::Sub(_), a, b) => {
                known(a) && uniform(b) || uniform(a) && known(b)
            }
            _ => false,
        }
    }

    /// Whether what varies is a bound or remainder of what is linear, or that moved by what is uniform.
    fn goes_round(&self, e: &Exp) -> bool {
        let uniform = |x: &SubExp| self.lanes.of(*x) == Class::Uniform;
        match e {
            Exp::BinOp(BinOp::SMin(_) | BinOp::SMax(_) | BinOp::Add(_), a, b) => {
                self.is_round(*a) && uniform(b) || uniform(a) && self.is_round(*b)
            }
            Exp::BinOp(BinOp::SMod(_) | BinOp::SRem(_) | BinOp::Sub(_), a, b) => {
                self.is_round(*a) && uniform(b)
            }
            Exp::SubExp(x) => self.is_round(*x),
            _ => false,
        }
    }

    fn is_round(&self, x: SubExp) -> bool {
        self.lanes.of(x) == Class::Linear(1)
            || x.var().is_some_and(|v| self.lanes.round.contains(&v))
    }

    /// An operation inside, whose points every lane goes through by itself, in order.
    fn segmented(&mut self, pat: &[PatElem], op: &SegOp) -> Possible {
        let SegOp { level: SegLevel::Seq, space, kind, body } = op else {
            return Err(Why::OthersRun.into());
        };
        let differs = !space.dims.iter().all(|(_, n)| self.lanes.of(*n) == Class::Uniform);
        let apart = || match kind {
            SegKind::Red(ops) => is_loop_of_scalars(pat, space) && !has_vectors(ops, &body.stms),
            _ => false,
        };
        if differs && !apart() {
            return Err(Why::SizeDiffers.into());
        }
        for (var, _) in &space.dims {
            self.lanes.classes.insert(*var, Class::Uniform);
        }
        let ops = match kind {
            SegKind::Red(ops) | SegKind::Scan(ops) => ops,
            SegKind::Map => {
                let before = self.cost;
                self.depth += space.dims.len();
                self.stms(&body.stms)?;
                self.depth -= space.dims.len();
                if self.cost.reads_apart_since(&before) && self.goes_by_vectors(op) {
                    self.cost.gained_inside_since(&before);
                }
                self.cost.loops += 1;
                pat.iter().try_for_each(|p| self.fresh(p))?;
                if body.types.iter().all(|t| t.rank() == 0) {
                    self.collects(pat);
                }
                return self.returned(pat, body);
            }
            SegKind::Hist(_) => return Err(Why::Histogram.into()),
        };
        let params: Vec<Param> =
            ops.iter().flat_map(|r| r.op.params.iter().take(r.neutral.len())).cloned().collect();
        let init: Vec<SubExp> = ops.iter().flat_map(|r| r.neutral.clone()).collect();
        let before = self.cost.gathers;
        let (folded, stored) = pat.split_at(params.len().min(pat.len()));
        let scalars = folded.iter().all(|p| p.ty.rank() == 0);
        let bound = if scalars { folded } else { &[] };
        // The loop of the reduction is one more.
        let outer = space.dims.len().saturating_sub(1);
        self.depth += outer;
        let form = differs.then(|| space.dims.last()).flatten();
        let form = form.map(|(var, n)| LoopForm::For { var: *var, ty: IntType::I64, bound: *n });
        self.repeat(bound, &params, &init, form.as_ref(), &mut |a| a.step(ops, body))?;
        self.depth -= outer;
        pat.iter().filter(|p| p.mem.is_some()).try_for_each(|p| self.fresh(p))?;
        self.collects(if scalars { stored } else { pat });
        if !scalars || !stored.is_empty() {
            return Ok(());
        }
        let [(_, n)] = space.dims.as_slice() else { return Err(Why::Unknown.into()) };
        let outside = n.var().is_none_or(|v| !self.lanes.classes.contains_key(&v));
        if self.cost.gathers != before && self.instructions.gathers && outside {
            self.cost.gathers = before;
            let splits = ops.iter().all(|r| accumulation(r).is_some());
            let commute = ops.iter().all(|r| r.commutative);
            let most = if splits {
                SHORT
            } else if commute {
                SOME
            } else {
                MIDDLING
            };
            let limit = (*n, most);
            if !self.lanes.short.contains(&limit) {
                self.lanes.short.push(limit);
            }
        } else if matches!(n, SubExp::Var(_)) {
            self.cost.along_rows.join(self.cost.gathers.since(before));
        }
        Ok(())
    }

    /// Whether a map inside would be vectors along its own innermost dimension, all of neighbours, if points came one by one.
    fn goes_by_vectors(&self, op: &SegOp) -> bool {
        let Some((index, n)) = op.space.dims.last() else { return false };
        let few = matches!(n, SubExp::Const(n) if n.as_int().is_some_and(|n| n < ROW));
        let inside = || lanes(*index, &op.body, self.instructions, self.place_of).ok();
        !few && inside().is_some_and(|l| l.estimate.anywhere == 0 && l.estimate.calls == 0)
    }

    /// One step of a reduction; the classes of the new accumulators.
    fn step(&mut self, ops: &[crate::ir::Reduction], body: &KernelBody) -> Possible<Vec<Class>> {
        self.stms(&body.stms)?;
        let mut results = body.results.iter();
        let mut out = Vec::new();
        for r in ops {
            let Lambda { params, body: op, .. } = &r.op;
            for p in params.iter().skip(r.neutral.len()) {
                let Some(KernelResult::Return(x)) = results.next() else {
                    return Err(Why::Scatter.into());
                };
                let class = self.lanes.of(*x);
                self.set(p.var, &p.ty, class);
            }
            self.stms(&op.stms)?;
            out.extend(op.result.iter().map(|x| self.lanes.of(*x)));
        }
        // What is stored besides.
        let stored = results.len();
        let types = body.types.iter().rev().take(stored);
        if results.any(|r| !matches!(r, KernelResult::Return(_))) {
            return Err(Why::Scatter.into());
        }
        if types.into_iter().any(|ty| ty.rank() > 0) {
            return Err(Why::Unknown.into());
        }
        Ok(out)
    }

    fn operation(&mut self, xs: &[SubExp]) -> Class {
        let class = self.joined(xs.iter().copied());
        if class == Class::Varying {
            self.cost.operation(self.depth);
        }
        class
    }

    fn binary(&mut self, op: BinOp, a: SubExp, b: SubExp) -> Possible<Class> {
        use Class::{Linear, Uniform, Varying};
        let i64 = IntType::I64;
        let (x, y) = (self.lanes.of(a), self.lanes.of(b));
        let by = |s: i64| if s == 0 { Uniform } else { Linear(s) };
        if matches!(op, BinOp::FMod(_) | BinOp::FPow(_)) && (x, y) != (Uniform, Uniform) {
            self.cost.vector_function(self.depth);
        }
        if (x == Varying || y == Varying) && is_long(op) {
            self.cost.long_operation(self.depth);
        }
        if (x == Varying || y == Varying) && self.by_floats(op, a, b) {
            self.cost.division(self.depth);
        }
        let some = |n: Option<i64>| n.ok_or(Why::Overflow);
        Ok(match (op, x, y) {
            (_, Uniform, Uniform) => Uniform,
            (BinOp::Add(t), Linear(s), Uniform) | (BinOp::Add(t), Uniform, Linear(s))
                if t == i64 =>
            {
                Linear(s)
            }
            (BinOp::Add(t), Linear(s), Linear(r)) if t == i64 => by(some(s.checked_add(r))?),
            (BinOp::Sub(t), Linear(s), Uniform) if t == i64 => Linear(s),
            (BinOp::Sub(t), Uniform, Linear(s)) if t == i64 => Linear(some(s.checked_neg())?),
            (BinOp::Sub(t), Linear(s), Linear(r)) if t == i64 => by(some(s.checked_sub(r))?),
            (BinOp::Mul(t), Linear(s), Uniform) | (BinOp::Mul(t), Uniform, Linear(s))
                if t == i64 =>
            {
                let constant = [a, b].into_iter().find_map(|x| match x {
                    SubExp::Const(c) => c.as_int(),
                    SubExp::Var(_) => None,
                });
                match constant {
                    Some(c) => by(some(s.checked_mul(c))?),
                    None => self.operation(&[a, b]),
                }
            }
            (_, Varying, _) | (_, _, Varying) | (_, Linear(_), _) | (_, _, Linear(_)) => {
                self.operation(&[a, b])
            }
        })
    }

    /// Whether an operator is a division of which LLVM makes no vectors.
    fn by_floats(&self, op: BinOp, dividend: SubExp, divisor: SubExp) -> bool {
        let Some(t) = divided(op) else { return false };
        match divisor {
            SubExp::Var(_) => true,
            SubExp::Const(_) => {
                t == IntType::I64
                    && is_divided_by_lanes(op, divisor)
                    && !dividend.var().is_some_and(|x| self.narrow.contains(&x))
            }
        }
    }

    fn index(&mut self, array: Var, dims: &[DimIndex], pat: &[PatElem]) -> Possible<Class> {
        if self.lanes.home(array).is_some() {
            return self.element(array, dims);
        }
        let mut classes = Vec::with_capacity(dims.len());
        for d in dims {
            match d {
                DimIndex::Fix(i) => classes.push(self.lanes.of(*i)),
                DimIndex::Slice { .. } => return Err(Why::Slice.into()),
            }
        }
        if classes.iter().all(|c| *c == Class::Uniform) {
            return Ok(Class::Uniform);
        }
        if self.is_lookup(array, dims, &classes, pat) {
            self.cost.lookup(self.depth);
            return Ok(Class::Varying);
        }
        // Where it is not known how an array lies, rows are neighbours more often than not.
        let place = (self.place_of)(array);
        let unit = |d: usize| match place.as_ref().and_then(|p| p.lmad.dims.get(d)) {
            Some(dim) => Poly::of(&dim.stride).as_const() == Some(1),
            None => d + 1 == dims.len(),
        };
        let mut moves = classes.iter().enumerate().filter(|(_, c)| **c != Class::Uniform);
        let neighbours = match (moves.next(), moves.next()) {
            (Some((d, Class::Linear(1 | -1))), None) => unit(d),
            _ => false,
        };
        let step = place.as_ref().and_then(|p| step(&p.lmad, &classes));
        if !self.masked && step.is_some_and(|s| STRIDES.contains(&s)) {
            self.cost.read_strided(self.depth);
        } else {
            self.cost.read(neighbours, self.masked, self.depth);
        }
        Ok(Class::Varying)
    }

    fn branch(
        &mut self,
        s: &Stm,
        scrutinee: SubExp,
        cases: &[(Const, Body)],
        default: &Body,
    ) -> Possible {
        let uniform = self.lanes.of(scrutinee) == Class::Uniform;
        let masked = self.masked;
        self.masked |= !uniform;
        let bodies: Vec<&Body> = cases.iter().map(|c| &c.1).chain([default]).collect();
        for b in &bodies {
            self.stms(&b.stms)?;
        }
        self.masked = masked;
        if !uniform {
            self.cost.divergent_branch(self.depth);
        }
        for b in &bodies {
            self.stay(&s.pat, &b.result)?;
        }
        for (i, p) in s.pat.iter().enumerate() {
            if !matches!(p.ty, Type::Prim(_)) {
                self.same_home(p)?;
                continue;
            }
            let mut class = None;
            for b in &bodies {
                let this = b.result.get(i).map_or(Class::Varying, |x| self.lanes.of(*x));
                class = Some(class.map_or(this, |c: Class| c.join(this)));
            }
            let class = class.filter(|_| uniform).unwrap_or(Class::Varying);
            self.set(p.var, &p.ty, class);
            if class == Class::Varying {
                self.lanes.nearly_linear.insert(p.var);
                if bodies.iter().all(|b| b.result.get(i).is_some_and(|x| self.is_round(*x))) {
                    self.lanes.round.insert(p.var);
                }
            }
        }
        Ok(())
    }

    /// A loop: the classes of its parameters are those that it comes back to.
    fn repeat(
        &mut self,
        pat: &[PatElem],
        params: &[Param],
        init: &[SubExp],
        form: Option<&LoopForm>,
        body: &mut dyn FnMut(&mut Self) -> Possible<Vec<Class>>,
    ) -> Possible {
        self.stay(params, init)?;
        let scalars = |p: &&Param| matches!(p.ty, Type::Prim(_));
        let mut diverges = false;
        if let Some(LoopForm::For { var, bound, .. }) = form {
            diverges = self.lanes.of(*bound) != Class::Uniform;
            self.lanes.classes.insert(*var, Class::Uniform);
        }
        for (p, x) in params.iter().zip(init).filter(|(p, _)| scalars(p)) {
            let class = self.lanes.of(*x);
            self.set(p.var, &p.ty, class);
        }
        let masked = self.masked;
        self.depth += 1;
        loop {
            for p in params.iter().filter(|p| p.ty.rank() > 0) {
                self.carried_home(p, params)?;
            }
            if let Some(LoopForm::While { cond }) = form {
                diverges |= self.lanes.class(*cond) != Class::Uniform;
            }
            self.masked |= diverges;
            let before = self.cost;
            let results = body(self)?;
            let mut settled = true;
            for (p, new) in params.iter().zip(results).filter(|(p, _)| scalars(p)) {
                let old = self.lanes.class(p.var);
                let class = old.join(new);
                if class != old {
                    settled = false;
                    self.set(p.var, &p.ty, class);
                }
            }
            if settled {
                break;
            }
            self.cost = before;
        }
        self.depth -= 1;
        self.masked = masked;
        let varying = params.iter().filter(|p| self.lanes.class(p.var) == Class::Varying).count();
        self.lanes.carried = self.lanes.carried.max(varying);
        self.lanes.diverges |= diverges;
        if varying > 0 {
            self.cost.loops += 1;
        }
        for (p, param) in pat.iter().zip(params).filter(|(p, _)| p.ty.rank() == 0) {
            match self.lanes.class(param.var) {
                class if !diverges => self.set(p.var, &p.ty, class),
                // Each lane has what it left the loop with.
                _ if self.lanes.uses(p.var) => self.set(p.var, &p.ty, Class::Varying),
                _ => _ = self.lanes.classes.insert(p.var, Class::Varying),
            }
        }
        for p in pat.iter().filter(|p| p.ty.rank() > 0) {
            if diverges && moves(p, pat) {
                return Err(Why::Moves.into());
            }
            self.carried_home(p, pat)?;
        }
        Ok(())
    }
}

/// Points of an innermost dimension that are worth a vector, if their number is known.
pub const ROW: i64 = 8;

/// Distances of what lanes read from which vectors of all that lies between pay.
pub const STRIDES: std::ops::RangeInclusive<i64> = 2..=8;

/// How far in memory from lane to lane indexes of some classes are, if that is known.
fn step(lmad: &Lmad, classes: &[Class]) -> Option<i64> {
    let mut step = 0i64;
    for (dim, class) in lmad.dims.iter().zip(classes) {
        match class {
            Class::Uniform => {}
            Class::Linear(by) => {
                let stride = Poly::of(&dim.stride).as_const()?;
                step = step.checked_add(stride.checked_mul(*by)?)?;
            }
            Class::Varying => return None,
        }
    }
    (lmad.dims.len() == classes.len()).then_some(step)
}

/// What a division or remainder is of.
fn divided(op: BinOp) -> Option<IntType> {
    match op {
        BinOp::SDiv(t)
        | BinOp::SMod(t)
        | BinOp::SQuot(t)
        | BinOp::SRem(t)
        | BinOp::UDiv(t)
        | BinOp::UMod(t) => Some(t),
        _ => None,
    }
}

/// Whether vectors of 64-bit integers need several instructions for an operation, unless the processor has one.
fn is_long(op: BinOp) -> bool {
    let t = match op {
        BinOp::Mul(t) | BinOp::AShr(t) => Some(t),
        _ => divided(op),
    };
    t == Some(IntType::I64)
}

/// Dividends and divisors less than this have quotients that floats tell exactly.
pub const EXACT_QUOTIENTS: i64 = 1 << 52;

/// Whether lanes divide integers of 64 bits themselves, by way of floats or by an inverse: not by constants of which shifts are
/// made, nor by those that are negative or large.
pub fn is_divided_by_lanes(op: BinOp, divisor: SubExp) -> bool {
    let pays = |c: i64| (1..EXACT_QUOTIENTS).contains(&c) && c & (c - 1) != 0;
    divided(op) == Some(IntType::I64)
        && match divisor {
            SubExp::Var(_) => true,
            SubExp::Const(c) => c.as_int().is_some_and(pays),
        }
}

/// Whether an integer of 64 bits has fewer by the operation that makes it.
fn is_narrow(e: &Exp) -> bool {
    match e {
        Exp::BinOp(BinOp::And(_), a, b) => [a, b].iter().any(|x| {
            matches!(x, SubExp::Const(c) if c.as_int().is_some_and(|c| (0..1 << 32).contains(&c)))
        }),
        Exp::ConvOp(ConvOp::ZExt(from, _) | ConvOp::SExt(from, _), _) => *from != IntType::I64,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
