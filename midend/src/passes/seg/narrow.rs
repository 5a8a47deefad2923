//! Reductions in 32 bits where 64 are not needed.
//!
//! ```text
//! (v, p) = segred (i < n) op [0, n] {        (v, p) = if n <= 2147483647 {
//!   \(a, j, b, k) { … if k < j … }             (v, q) = segred (i < n) op [0, trunc n] {
//!   x = xs[i]                            ⟶       … the same of i32 …
//!   in (return x, return i) }                    in (return x, return (trunc i)) }
//!                                              in (v, sext q)
//!                                            } else { as before }
//! ```
//!
//! A search for a position reduces pairs of a value and an index; a count adds up zeros and
//! ones. Both are `i64`, as sizes are, and take twice the vector registers of what they stand beside.
//! An operand is narrowed
//!
//! * if it is the index, and the operator does nothing with it but compare it with its like, take the
//!   smaller or greater one, choose and pass on: all of that is the same of the lower halves, as long
//!   as both fit;
//! * if it is the sum of what is zero or one, or of what came from fewer bits, and there are not so
//!   many of them that the sum might not fit.
//!
//! Whether there are is asked at run time, unless it is known. Of reductions inside of a map, it is asked before the map, of
//! which there are two versions then: where points go by lanes, a lane is half as wide in the one. The other, for reductions
//! of more than 2³¹ elements, is left to loops. Only reductions to scalars are looked at; if they are in another
//! segmented operation than a map, they are short. Cost: linear in the program, and the code of what is narrowed twice.

use crate::analysis::contraction::accumulation;
use crate::ir::traverse::{for_each_block_mut, free_in, rename_exp};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, Body, CmpOp, Const, ConvOp, Exp, Forced, IntType, KernelBody, KernelResult, Level,
    NameSource, PatElem, Prim, Program, Reduction, SegKind, SegLevel, SegOp, Stm, StmAttr, SubExp,
    Type, Var,
};

/// The greatest `i32`.
const MOST: i64 = i32::MAX as i64;
const I32: Type = Type::Prim(Prim::Int(IntType::I32));

/// Narrows reductions.
pub fn narrow(mut prog: Program) -> Program {
    if prog.level == Level::Seg {
        let mut names = NameSource::new(prog.next_tag);
        list(&mut prog.consts.stms, &mut names);
        for f in &mut prog.funs {
            list(&mut f.body.stms, &mut names);
        }
        prog.next_tag = names.next_tag();
    }
    prog
}

fn list(stms: &mut Vec<Stm>, names: &mut NameSource) {
    let mut out = Vec::with_capacity(stms.len());
    for mut stm in std::mem::take(stms) {
        match &mut stm.exp {
            Exp::Match { cases, default, .. } => {
                for (_, body) in cases {
                    list(&mut body.stms, names);
                }
                list(&mut default.stms, names);
            }
            Exp::Loop { body, .. } => list(&mut body.stms, names),
            _ => {}
        }
        if let Some(narrowed) = Narrowed::of(&stm, names) {
            narrowed.replace(stm, &mut out, names);
        } else if let Some((exp, fits)) = inside_of_map(&stm, names) {
            versions(stm, exp, fits, &mut out, names);
        } else {
            out.push(stm);
        }
    }
    *stms = out;
}

/// A narrowed reduction.
struct Narrowed {
    /// The operation, and which of its results are narrow now.
    exp: Exp,
    narrow: Vec<bool>,
    /// What it needs beside: the lower halves of neutral elements.
    before: Vec<Stm>,
    /// It is the same for no more than so many elements.
    size: SubExp,
    most: i64,
    /// Neutral elements that must fit.
    fit: Vec<SubExp>,
}

impl Narrowed {
    fn of(stm: &Stm, names: &mut NameSource) -> Option<Narrowed> {
        let Exp::Seg(SegOp { level, space, kind: SegKind::Red(ops), body }) = &stm.exp else {
            return None;
        };
        let &[(index, size)] = space.dims.as_slice() else { return None };
        let results: usize = ops.iter().map(|op| op.neutral.len()).sum();
        if results != stm.pat.len() || stm.pat.iter().any(|p| p.ty.rank() > 0) {
            return None;
        }
        let (mut ops, mut body) = (ops.clone(), body.clone());
        let mut narrow = vec![false; results];
        let mut most = MOST;
        let (mut before, mut fit) = (Vec::new(), Vec::new());
        let mut at = 0;
        for op in &mut ops {
            let k = op.neutral.len();
            if let Some(greatest) = sums_of_small(op, &mut body, at, names) {
                most = most.min(MOST / greatest);
                narrow[at] = true;
            } else {
                for place in indexes_passed_on(op, &body, at, index) {
                    narrow[at + place] = true;
                    let half = lower_half(index.into(), &mut body.stms, names);
                    let certs = certs_of(&body, at + place, index);
                    if let Some(s) = body.stms.last_mut() {
                        s.certs = certs;
                    }
                    body.results[at + place] = KernelResult::Return(half);
                    body.types[at + place] = I32;
                    let neutral = op.neutral[place];
                    match neutral {
                        SubExp::Const(c) => {
                            let c = c.as_int().filter(|c| i32::try_from(*c).is_ok())?;
                            op.neutral[place] = Const::int(IntType::I32, c).into();
                        }
                        SubExp::Var(_) => {
                            op.neutral[place] = lower_half(neutral, &mut before, names);
                            if neutral != size {
                                fit.push(neutral);
                            }
                        }
                    }
                }
            }
            at += k;
        }
        if let SubExp::Const(n) = size
            && n.as_int().is_none_or(|n| n > most)
        {
            return None;
        }
        let space = space.clone();
        let exp = Exp::Seg(SegOp { level: *level, space, kind: SegKind::Red(ops), body });
        narrow.contains(&true).then_some(Narrowed { exp, narrow, before, size, most, fit })
    }

    /// What is asked before the narrow operation.
    fn fits(&self) -> Fits {
        let sizes = self.size.var().map(|_| (self.size, self.most)).into_iter().collect();
        Fits { sizes, neutral: self.fit.clone() }
    }

    /// The narrow operation, and the wide values of its results under other names, or under the same.
    fn stms(self, stm: &Stm, renamed: bool, names: &mut NameSource) -> (Vec<Stm>, Vec<SubExp>) {
        let mut stms = self.before;
        let (mut pat, mut result, mut widen) = (Vec::new(), Vec::new(), Vec::new());
        for (p, narrow) in stm.pat.iter().zip(&self.narrow) {
            let var = if renamed { names.like(p.var) } else { p.var };
            if *narrow {
                let half = names.like(p.var);
                pat.push(PatElem::new(half, I32));
                let exp = Exp::ConvOp(ConvOp::SExt(IntType::I32, IntType::I64), half.into());
                widen.push(beside(stm, PatElem::new(var, Type::I64), exp));
            } else {
                pat.push(PatElem::new(var, p.ty.clone()));
            }
            result.push(var.into());
        }
        let exp = if renamed { rename_exp(&self.exp, names) } else { self.exp };
        stms.push(Stm { pat, exp, schedule: None, attrs: Vec::new(), ..stm.clone() });
        stms.extend(widen);
        (stms, result)
    }

    /// Puts the narrow operation and, where it is needed, a choice in place of the wide one.
    fn replace(self, stm: Stm, out: &mut Vec<Stm>, names: &mut NameSource) {
        let Some(scrutinee) = self.fits().ask(&stm, out, names) else {
            out.extend(self.stms(&stm, false, names).0);
            return;
        };
        let (stms, result) = self.stms(&stm, true, names);
        choose(scrutinee, Body { stms, result }, stm, Vec::new(), out, names);
    }
}

/// What must be so for narrow operations to be the same.
#[derive(Default)]
struct Fits {
    /// Sizes, and how large each may be.
    sizes: Vec<(SubExp, i64)>,
    /// Neutral elements that must fit.
    neutral: Vec<SubExp>,
}

impl Fits {
    /// Emits the question, if there is one.
    fn ask(self, stm: &Stm, out: &mut Vec<Stm>, names: &mut NameSource) -> Option<SubExp> {
        let mut all: Option<SubExp> = None;
        let mut and = |out: &mut Vec<Stm>, exp: Exp, names: &mut NameSource| {
            let this = names.fresh("fits");
            out.push(beside(stm, PatElem::new(this, Type::Prim(Prim::Bool)), exp));
            all = Some(match all {
                None => this.into(),
                Some(before) => {
                    let both = names.fresh("fit");
                    let exp = Exp::BinOp(BinOp::LogAnd, before, this.into());
                    out.push(beside(stm, PatElem::new(both, Type::Prim(Prim::Bool)), exp));
                    both.into()
                }
            });
        };
        for (size, most) in self.sizes {
            let few = Exp::CmpOp(CmpOp::SLe(IntType::I64), size, SubExp::i64(most));
            and(out, few, names);
        }
        for x in self.neutral {
            let half = lower_half(x, out, names);
            let whole = names.fresh("whole");
            let back = Exp::ConvOp(ConvOp::SExt(IntType::I32, IntType::I64), half);
            out.push(beside(stm, PatElem::new(whole, Type::I64), back));
            let same = Exp::CmpOp(CmpOp::Eq(Prim::I64), whole.into(), x);
            and(out, same, names);
        }
        all
    }
}

/// A statement at the place of another.
fn beside(stm: &Stm, pat: PatElem, exp: Exp) -> Stm {
    Stm { loc: stm.loc, ..Stm::new(vec![pat], exp) }
}

/// Puts a choice between what is narrow and a statement, with some attributes, in its place.
fn choose(
    scrutinee: SubExp,
    narrow: Body,
    stm: Stm,
    attrs: Vec<StmAttr>,
    out: &mut Vec<Stm>,
    names: &mut NameSource,
) {
    let wide: Vec<PatElem> =
        stm.pat.iter().map(|p| PatElem::new(names.like(p.var), p.ty.clone())).collect();
    let result = wide.iter().map(|p| p.var.into()).collect();
    let (exp, certs) = (stm.exp, stm.certs);
    let wide = Stm { schedule: None, pat: wide, exp, certs, attrs, loc: stm.loc };
    let default = Body { result, stms: vec![wide] };
    let cases = vec![(Const::Bool(true), narrow)];
    let exp = Exp::Match { scrutinee, cases, default };
    let (pat, attrs, loc) = (stm.pat, stm.attrs, stm.loc);
    out.push(Stm { schedule: None, pat, exp, certs: Vec::new(), attrs, loc });
}

/// A map with narrow reductions in it, and what must be so for it, if there is something to narrow.
fn inside_of_map(stm: &Stm, names: &mut NameSource) -> Option<(Exp, Fits)> {
    let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) = &stm.exp else {
        return None;
    };
    let is_index = |v: &Var| space.dims.iter().any(|(i, _)| i == v);
    let free = free_in(|f| f.kernel_body(body));
    let outside: VarSet = free.into_iter().filter(|v| !is_index(v)).collect();
    let mut inside = Inside { outside, fits: Fits::default(), narrowed: false, names };
    let mut exp = stm.exp.clone();
    for_each_block_mut(&mut exp, &mut |stms| inside.list(stms));
    let Inside { fits, narrowed, .. } = inside;
    narrowed.then_some((exp, fits))
}

/// The reductions inside of a map.
struct Inside<'n> {
    /// What is the same for all points.
    outside: VarSet,
    fits: Fits,
    narrowed: bool,
    names: &'n mut NameSource,
}

impl Inside<'_> {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        let mut out = Vec::with_capacity(stms.len());
        for mut stm in std::mem::take(stms) {
            let narrowed = Narrowed::of(&stm, self.names);
            let fits = narrowed.as_ref().map(Narrowed::fits).filter(|f| self.is_outside(f));
            if let Some((narrowed, fits)) = narrowed.zip(fits) {
                self.narrowed = true;
                for size in fits.sizes {
                    if !self.fits.sizes.contains(&size) {
                        self.fits.sizes.push(size);
                    }
                }
                for x in fits.neutral {
                    if !self.fits.neutral.contains(&x) {
                        self.fits.neutral.push(x);
                    }
                }
                out.extend(narrowed.stms(&stm, false, self.names).0);
                continue;
            }
            for_each_block_mut(&mut stm.exp, &mut |stms| self.list(stms));
            out.push(stm);
        }
        *stms = out;
    }

    /// Whether it is known before the map.
    fn is_outside(&self, fits: &Fits) -> bool {
        let asked = fits.sizes.iter().map(|(n, _)| n).chain(&fits.neutral);
        asked.into_iter().all(|x| x.var().is_none_or(|v| self.outside.contains(&v)))
    }
}

/// Puts a map with narrow reductions and, where it is needed, a choice in place of the wide one.
fn versions(stm: Stm, exp: Exp, fits: Fits, out: &mut Vec<Stm>, names: &mut NameSource) {
    let Some(scrutinee) = fits.ask(&stm, out, names) else {
        out.push(Stm { exp, ..stm });
        return;
    };
    let pat: Vec<PatElem> =
        stm.pat.iter().map(|p| PatElem::new(names.like(p.var), p.ty.clone())).collect();
    let result = pat.iter().map(|p| p.var.into()).collect();
    let exp = rename_exp(&exp, names);
    let narrow = Body { stms: vec![Stm { pat, exp, ..stm.clone() }], result };
    // Nobody has so many elements for each point.
    let wide = vec![StmAttr::Schedule(Forced::Loops)];
    choose(scrutinee, narrow, stm, wide, out, names);
}

/// The lower half of an `i64`.
fn lower_half(x: SubExp, stms: &mut Vec<Stm>, names: &mut NameSource) -> SubExp {
    let half = names.fresh("half");
    let exp = Exp::ConvOp(ConvOp::ZExt(IntType::I64, IntType::I32), x);
    stms.push(Stm::new(vec![PatElem::new(half, I32)], exp));
    half.into()
}

/// If the operator, whose operand is result `at` of the body, sums what is small: narrows it, and
/// tells the greatest of what is summed.
fn sums_of_small(
    op: &mut Reduction,
    body: &mut KernelBody,
    at: usize,
    names: &mut NameSource,
) -> Option<i64> {
    if accumulation(op) != Some(BinOp::Add(IntType::I64)) || op.neutral != [SubExp::i64(0)] {
        return None;
    }
    let Some(KernelResult::Return(SubExp::Var(x))) = body.results.get(at) else { return None };
    let stm = body.stms.iter().find(|s| s.pat.iter().any(|p| p.var == *x))?;
    let [_] = stm.pat.as_slice() else { return None };
    let (exp, greatest) = small(&stm.exp)?;
    let half = names.like(*x);
    let pat = vec![PatElem::new(half, I32)];
    let half_of = Stm { certs: stm.certs.clone(), loc: stm.loc, ..Stm::new(pat, exp) };
    body.stms.push(half_of);
    body.results[at] = KernelResult::Return(half.into());
    body.types[at] = I32;
    let all = |p: &mut crate::ir::Param| p.ty = I32;
    op.op.params.iter_mut().for_each(all);
    op.op.ret = vec![I32];
    for s in &mut op.op.body.stms {
        s.pat.iter_mut().for_each(|p| p.ty = I32);
        if let Exp::BinOp(add, ..) = &mut s.exp {
            *add = BinOp::Add(IntType::I32);
        }
    }
    op.neutral = vec![Const::I32(0).into()];
    Some(greatest)
}

/// An expression of a small natural number, as an `i32`, and the greatest it can be.
fn small(exp: &Exp) -> Option<(Exp, i64)> {
    match exp {
        Exp::ConvOp(ConvOp::BToI(IntType::I64), x) => {
            Some((Exp::ConvOp(ConvOp::BToI(IntType::I32), *x), 1))
        }
        Exp::ConvOp(ConvOp::ZExt(from @ (IntType::I8 | IntType::I16), IntType::I64), x) => {
            let exp = Exp::ConvOp(ConvOp::ZExt(*from, IntType::I32), *x);
            Some((exp, (1 << from.bits()) - 1))
        }
        Exp::Match { scrutinee, cases, default } => {
            let mut greatest = 1;
            let mut halve = |body: &Body| {
                let ([], [SubExp::Const(c)]) = (body.stms.as_slice(), body.result.as_slice())
                else {
                    return None;
                };
                let c = c.as_int().filter(|c| (0..=i64::from(u16::MAX)).contains(c))?;
                greatest = greatest.max(c);
                let half = Const::int(IntType::I32, c).into();
                Some(Body { stms: Vec::new(), result: vec![half] })
            };
            let cases =
                cases.iter().map(|(c, b)| Some((*c, halve(b)?))).collect::<Option<Vec<_>>>()?;
            let default = halve(default)?;
            Some((Exp::Match { scrutinee: *scrutinee, cases, default }, greatest))
        }
        _ => None,
    }
}

/// Which operands of an operator, counted from its first, are the index and only chosen from: the
/// operator is narrowed there. Its first operand is result `at` of the body.
fn indexes_passed_on(op: &mut Reduction, body: &KernelBody, at: usize, index: Var) -> Vec<usize> {
    let k = op.neutral.len();
    let is_index = |i: &usize| match body.results.get(at + i) {
        Some(KernelResult::Return(SubExp::Var(v))) => *v == index || is_copy(body, *v, index),
        _ => false,
    };
    let places: Vec<usize> =
        (0..k).filter(|i| op.op.ret.get(*i) == Some(&Type::I64)).filter(is_index).collect();
    let mut narrowed = op.op.clone();
    let mut halves = Halves::default();
    for (i, p) in narrowed.params.iter_mut().enumerate() {
        if places.contains(&(i % k)) {
            p.ty = I32;
            halves.of.insert(p.var);
        }
    }
    let chosen = halves.stms(&mut narrowed.body.stms).is_some();
    let results = narrowed.body.result.iter_mut().enumerate();
    let fits = chosen
        && results.into_iter().all(|(i, x)| {
            if places.contains(&i) { halves.half(x).is_some() } else { !halves.is_half(*x) }
        });
    if places.is_empty() || !fits {
        return Vec::new();
    }
    for i in &places {
        narrowed.ret[*i] = I32;
    }
    op.op = narrowed;
    places
}

/// Whether a variable is another name of the index.
pub(super) fn is_copy(body: &KernelBody, v: Var, index: Var) -> bool {
    copy(body, v, index).is_some()
}

/// The statement that gives the index this other name.
fn copy(body: &KernelBody, v: Var, index: Var) -> Option<&Stm> {
    let named = |s: &&Stm| s.pat.first().is_some_and(|p| p.var == v);
    body.stms.iter().filter(named).find(|s| s.exp == Exp::SubExp(index.into()))
}

/// What must hold for a result that is another name of the index.
fn certs_of(body: &KernelBody, result: usize, index: Var) -> Vec<Var> {
    match body.results.get(result) {
        Some(KernelResult::Return(SubExp::Var(v))) => {
            copy(body, *v, index).map_or_else(Vec::new, |s| s.certs.clone())
        }
        _ => Vec::new(),
    }
}

/// The variables of an operator that are lower halves now.
#[derive(Default)]
struct Halves {
    of: VarSet,
}

/// Nothing: something else is done with a half than is the same of the whole.
type Same = Option<()>;

impl Halves {
    fn is_half(&self, x: SubExp) -> bool {
        x.var().is_some_and(|v| self.of.contains(&v))
    }

    /// An operand as a half: it is one, or a constant that has one.
    fn half(&self, x: &mut SubExp) -> Same {
        match x {
            SubExp::Var(v) => self.of.contains(v).then_some(()),
            SubExp::Const(c) => {
                let c = c.as_int().filter(|c| i32::try_from(*c).is_ok())?;
                *x = Const::int(IntType::I32, c).into();
                Some(())
            }
        }
    }

    fn stms(&mut self, stms: &mut [Stm]) -> Same {
        stms.iter_mut().try_for_each(|s| self.stm(s))
    }

    fn stm(&mut self, s: &mut Stm) -> Same {
        match &mut s.exp {
            Exp::SubExp(x) => {
                if self.is_half(*x) {
                    self.bind(s.pat.first_mut()?);
                }
            }
            Exp::CmpOp(op, x, y) if self.is_half(*x) || self.is_half(*y) => {
                let (i64, i32) = (IntType::I64, IntType::I32);
                *op = match *op {
                    CmpOp::Eq(Prim::I64) => CmpOp::Eq(Prim::Int(i32)),
                    CmpOp::SLt(t) if t == i64 => CmpOp::SLt(i32),
                    CmpOp::SLe(t) if t == i64 => CmpOp::SLe(i32),
                    _ => return None,
                };
                self.half(x)?;
                self.half(y)?;
            }
            Exp::BinOp(op, x, y) if self.is_half(*x) || self.is_half(*y) => {
                *op = match *op {
                    BinOp::SMin(_) => BinOp::SMin(IntType::I32),
                    BinOp::SMax(_) => BinOp::SMax(IntType::I32),
                    _ => return None,
                };
                self.half(x)?;
                self.half(y)?;
                self.bind(s.pat.first_mut()?);
            }
            Exp::Match { scrutinee, cases, default } if !self.is_half(*scrutinee) => {
                for body in cases.iter_mut().map(|c| &mut c.1).chain([&mut *default]) {
                    self.stms(&mut body.stms)?;
                }
                for (i, p) in s.pat.iter_mut().enumerate() {
                    let mut bodies: Vec<&mut Body> =
                        cases.iter_mut().map(|c| &mut c.1).chain([&mut *default]).collect();
                    if !bodies.iter().any(|b| b.result.get(i).is_some_and(|x| self.is_half(*x))) {
                        continue;
                    }
                    for body in &mut bodies {
                        self.half(body.result.get_mut(i)?)?;
                    }
                    self.bind(p);
                }
            }
            exp => {
                let mut mentions = false;
                for v in crate::ir::traverse::free_in_exp(exp) {
                    mentions |= self.of.contains(&v);
                }
                return (!mentions).then_some(());
            }
        }
        Some(())
    }

    fn bind(&mut self, p: &mut PatElem) {
        p.ty = I32;
        self.of.insert(p.var);
    }
}

#[cfg(test)]
mod tests {
    use super::narrow;
    use crate::ir::parse::parse_program;
    use crate::ir::verify::verify;

    fn after(text: &str) -> String {
        let p = parse_program(&format!("level seg\n{text}")).unwrap_or_else(|e| panic!("{e}"));
        let p = narrow(p);
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        p.to_string()
    }

    fn argmax(operator: &str, neutral: &str) -> String {
        after(&format!(
            "fun main (n_1: i64, m_2: i64, xs_3: [n_1]f32) : (v_4: f32, p_5: i64) {{
  let (v_6: f32, p_7: i64) = segred seq (i_8 < n_1) op [0.0f32, {neutral}] \\(a_9: f32, j_10: i64, b_11: f32, k_12: i64) : (f32, i64) {{
    let c_13: bool = flt.f32(a_9, b_11)
    {operator}
    in (v_14, p_15)
  }} : (f32, i64) {{
    let x_16: f32 = index xs_3[i_8]
    in (return x_16, return i_8)
  }}
  in (v_6, p_7)
}}"
        ))
    }

    const CHOICE: &str =
        "let (v_14: f32, p_15: i64) = if c_13 { in (b_11, k_12) } else { in (a_9, j_10) }";

    #[test]
    fn indexes_that_are_chosen_from() {
        let out = argmax(CHOICE, "n_1");
        assert!(out.contains("sle.i64(n_1, 2147483647)"), "{out}");
        assert!(out.contains(": (f32, i32) {"), "{out}");
        assert!(out.contains("sext.i32.i64("), "{out}");
        // The wide one stays for the rest.
        assert!(out.contains(": (f32, i64) {"), "{out}");
    }

    #[test]
    fn neutral_elements_must_fit() {
        let out = argmax(CHOICE, "m_2");
        assert!(out.contains("eq.i64("), "{out}");
        let out = argmax(CHOICE, "-1");
        assert!(out.contains("op [0.0f32, -1i32]"), "{out}");
        let out = argmax(CHOICE, "4294967296");
        assert!(!out.contains("i32"), "{out}");
    }

    #[test]
    fn indexes_that_are_computed_with_stay() {
        let out = argmax(
            "let p_15: i64 = add.i64(j_10, k_12) let v_14: f32 = if c_13 { in b_11 } else { in a_9 }",
            "0",
        );
        assert!(!out.contains("i32"), "{out}");
    }

    fn sum(size: &str, element: &str) -> String {
        after(&format!(
            "fun main (n_1: i64, bs_2: [n_1]bool, xs_3: [n_1]i8, ys_4: [n_1]i32) : (r_5: i64) {{
  let r_6: i64 = segred seq (i_7 < {size}) commutative op [0] \\(a_8: i64, b_9: i64) : (i64) {{
    let c_10: i64 = add.i64(a_8, b_9)
    in c_10
  }} : (i64) {{
    let b_11: bool = index bs_2[i_7]
    let x_12: i8 = index xs_3[i_7]
    let y_13: i32 = index ys_4[i_7]
    let e_14: i64 = {element}
    in (return e_14)
  }}
  in r_6
}}"
        ))
    }

    #[test]
    fn counts_and_sums_of_few_bits() {
        for (element, most) in [
            ("btoi.i64(b_11)", "2147483647"),
            ("if b_11 { in 1 } else { in 0 }", "2147483647"),
            ("if b_11 { in 10 } else { in 0 }", "214748364"),
            ("zext.i8.i64(x_12)", "8421504"),
        ] {
            let out = sum("n_1", element);
            assert!(out.contains(&format!("sle.i64(n_1, {most})")), "{out}");
            assert!(out.contains("add.i32("), "{out}");
        }
        for element in
            ["zext.i32.i64(y_13)", "sext.i8.i64(x_12)", "if b_11 { in -1 } else { in 0 }"]
        {
            assert!(!sum("n_1", element).contains("add.i32("), "{element}");
        }
    }

    #[test]
    fn known_sizes_need_no_choice() {
        let out = sum("1000", "btoi.i64(b_11)");
        assert!(out.contains("add.i32(") && !out.contains("add.i64("), "{out}");
        let out = sum("4294967296", "btoi.i64(b_11)");
        assert!(!out.contains("add.i32("), "{out}");
    }
}
