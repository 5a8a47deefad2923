//! Filters in one pass over their input.
//!
//! A filter counts, with a scan, how many elements are kept up to each place, and then writes each
//! that is kept to where the count says. One thread knows the count when it comes to an element:
//!
//! ```text
//! (upto, flags) = segscan (i < n) op [0] (+) {    room = scratch [n]
//!   …                                             (k, kept) = loop (c = 0, out = room) for i < n {
//!   f = if p then 1 else 0                          …
//!   in (return f, return p)                         out' = update out[c] with x
//! }                                                 f = if p then 1 else 0
//! k = if n == 0 then 0 else upto[n - 1]       →     in (c + f, out')
//! out = scratch [k]                               }
//! kept = segmap (i < n) {                         kept = index kept[0 :+ k]
//!   p = flags[i]; c = upto[i]
//!   j = if p then c - 1 else -1
//!   in (write out {[j] = x})
//! }
//! ```
//!
//! What is stored at `c` though it is not kept is overwritten by what comes next, so that nothing
//! hangs on a branch that cannot be guessed. The price is room for all elements, which is less than
//! the counts took. Only scalar code may stand between the two operations, and what they pass to
//! each other must not be used elsewhere.

use crate::ir::contraction::accumulation;
use crate::ir::traverse::{Rewrite, Subst, for_each_block, for_each_block_mut, free_in_stm};
use crate::ir::{
    BinOp, Body, CmpOp, Const, ConvOp, DimIndex, Exp, IntType, KernelBody, KernelResult, Level,
    LoopForm, Mentions, NameSource, Param, PatElem, Program, Reduction, SegLevel, SegOp, Stm,
    SubExp, Type, UnOp, Var,
};

/// Puts scans of flags and the writes that they place into one loop.
pub fn compact(mut prog: Program) -> Program {
    if prog.level == Level::Seg {
        let mut names = NameSource::new(prog.next_tag);
        let mentions = Mentions::of_program(&prog);
        stms(&mut prog.consts.stms, &mentions, &mut names);
        for f in &mut prog.funs {
            stms(&mut f.body.stms, &mentions, &mut names);
        }
        prog.next_tag = names.next_tag();
    }
    prog
}

fn stms(list: &mut Vec<Stm>, mentions: &Mentions, names: &mut NameSource) {
    for stm in list.iter_mut() {
        for_each_block_mut(&mut stm.exp, &mut |b| stms(b, mentions, names));
    }
    let mut at = 0;
    while at < list.len() {
        if let Some(filter) = Filter::find(list, at, mentions) {
            filter.apply(list, names);
        }
        at += 1;
    }
}

/// A scan of flags and the writes that it places: positions in a list of statements.
struct Filter {
    scan: usize,
    count: usize,
    /// Where the results of the writes begin their lives.
    rooms: Vec<usize>,
    writes: usize,
    /// The values written.
    values: Vec<SubExp>,
    /// In the body of the writes: what the scan's body yields, and the count including this element.
    passed: Vec<(Var, Passed)>,
}

#[derive(Clone, Copy)]
enum Passed {
    /// A result of the scan's body.
    Result(usize),
    Count,
}

impl Filter {
    /// The filter whose scan stands at `at`.
    fn find(list: &[Stm], at: usize, mentions: &Mentions) -> Option<Filter> {
        let scan = list.get(at)?;
        let (n, body) = flags(&scan.exp)?;
        let upto = scan.pat.first()?.var;
        let count = (at + 1..list.len())
            .find(|&j| list.get(j).is_some_and(|s| last_element(list, s, upto, n)))?;
        let k = list.get(count)?.pat.first()?.var;
        let writes = (count + 1..list.len())
            .find(|&j| list.get(j).is_some_and(|s| free_in_stm(s).contains(&upto)))?;
        let writer = list.get(writes)?;
        let Exp::Seg(SegOp::Map { level: SegLevel::Seq, space, body: writer_body }) = &writer.exp
        else {
            return None;
        };
        let [(i, m)] = space.dims.as_slice() else { return None };
        if *m != n {
            return None;
        }
        let mut passed = Vec::new();
        for stm in &writer_body.stms {
            let (Exp::Index { array, dims }, [element]) = (&stm.exp, stm.pat.as_slice()) else {
                continue;
            };
            if let Some(r) = scan.pat.iter().position(|p| p.var == *array) {
                if *dims != [DimIndex::Fix((*i).into())] {
                    return None;
                }
                passed.push((element.var, if r == 0 { Passed::Count } else { Passed::Result(r) }));
            }
        }
        let condition = condition_of_flag(body)?;
        let mut values = Vec::new();
        let mut rooms = Vec::new();
        for result in &writer_body.results {
            let KernelResult::Write { dest, writes: places } = result else { return None };
            let [(index, value)] = places.as_slice() else { return None };
            let [SubExp::Var(index)] = index.as_slice() else { return None };
            if !places_kept(writer_body, *index, &passed, body, condition) {
                return None;
            }
            let room = (count + 1..writes).find(|&j| {
                list.get(j).is_some_and(|s| s.pat.first().is_some_and(|p| p.var == *dest))
            })?;
            let Exp::Scratch { shape, .. } = &list.get(room)?.exp else { return None };
            if *shape != [SubExp::Var(k)] || !mentions.only_in(*dest, [writer]) {
                return None;
            }
            values.push(*value);
            rooms.push(room);
        }
        // What the scan yields, and how many are kept, is nobody else's before they are.
        let counter = list.get(count)?;
        let mine = scan.pat.iter().all(|p| mentions.only_in(p.var, [scan, counter, writer]));
        let between = (at + 1..writes).filter(|j| *j != count && !rooms.contains(j));
        let quiet = between
            .filter_map(|j| list.get(j))
            .all(|s| is_scalar(s) && !free_in_stm(s).contains(&k));
        let results = !rooms.is_empty() && body.results.len() == scan.pat.len();
        (mine && quiet && results).then_some(Filter {
            scan: at,
            count,
            rooms,
            writes,
            values,
            passed,
        })
    }

    /// Replaces both operations and what stands for the count and the rooms.
    fn apply(self, list: &mut Vec<Stm>, names: &mut NameSource) {
        let gone = |at: usize| at == self.scan || at == self.count || self.rooms.contains(&at);
        let (Some(scan), Some(counter), Some(writer)) =
            (list.get(self.scan), list.get(self.count), list.get(self.writes))
        else {
            return;
        };
        let Some(new) = self.one_loop(scan, counter, writer, names) else { return };
        let mut new = Some(new);
        let old = std::mem::take(list);
        for (at, stm) in old.into_iter().enumerate() {
            if at == self.writes {
                list.extend(new.take().into_iter().flatten());
            } else if !gone(at) {
                list.push(stm);
            }
        }
    }

    fn one_loop(
        &self,
        scan: &Stm,
        counter: &Stm,
        writer: &Stm,
        names: &mut NameSource,
    ) -> Option<Vec<Stm>> {
        let (n, body) = flags(&scan.exp)?;
        let (
            Exp::Seg(SegOp::Scan { space, .. }),
            Exp::Seg(SegOp::Map { space: at, body: writes, .. }),
        ) = (&scan.exp, &writer.exp)
        else {
            return None;
        };
        let (&[(i, _)], &[(j, _)]) = (space.dims.as_slice(), at.dims.as_slice()) else {
            return None;
        };
        let mut out = Vec::new();
        let place =
            |base: &str, ty: Type, names: &mut NameSource| PatElem::new(names.fresh(base), ty);
        let stm = |pat: Vec<PatElem>, exp: Exp| Stm { loc: writer.loc, ..Stm::new(pat, exp) };

        let kept = names.fresh("kept");
        let param = |var: Var, ty: Type| Param { var, ty, unique: false, mem: None };
        let mut params = vec![param(kept, Type::I64)];
        let mut init = vec![SubExp::i64(0)];
        let total = place("kept", Type::I64, names);
        let mut pat = vec![total.clone()];
        for element in &writer.pat {
            let (elem, shape) = (element.ty.elem()?, element.ty.shape());
            let shape: Vec<SubExp> =
                std::iter::once(n).chain(shape.iter().skip(1).copied()).collect();
            let ty = Type::array(elem, shape.clone());
            let room = place("room", ty.clone(), names);
            init.push(room.var.into());
            out.push(stm(vec![room], Exp::Scratch { elem, shape }));
            params.push(param(names.like(element.var), ty.clone()));
            pat.push(PatElem::new(names.like(element.var), ty));
        }

        let mut inner = body.stms.clone();
        let KernelResult::Return(flag) = body.results.first()? else { return None };
        let after = place("kept", Type::I64, names);
        let next = SubExp::from(after.var);
        inner.push(stm(vec![after], Exp::BinOp(BinOp::Add(IntType::I64), kept.into(), *flag)));
        let mut subst = Subst::new();
        subst.insert(j, i);
        for (v, passed) in &self.passed {
            match passed {
                Passed::Count => subst.insert(*v, next),
                Passed::Result(r) => match body.results.get(*r)? {
                    KernelResult::Return(x) => subst.insert(*v, *x),
                    KernelResult::Write { .. } => return None,
                },
            }
        }
        let is_passed =
            |s: &Stm| self.passed.iter().any(|(v, _)| s.pat.iter().any(|p| p.var == *v));
        for s in writes.stms.iter().filter(|s| !is_passed(s)) {
            let mut s = s.clone();
            subst.stm(&mut s);
            inner.push(s);
        }
        let mut result = vec![next];
        for (value, p) in self.values.iter().zip(params.iter().skip(1)) {
            let after = PatElem::new(names.like(p.var), p.ty.clone());
            result.push(after.var.into());
            let dims = vec![DimIndex::Fix(kept.into())];
            let value = subst.lookup(*value);
            inner.push(stm(vec![after], Exp::Update { array: p.var, dims, value }));
        }
        let form = LoopForm::For { var: i, ty: IntType::I64, bound: n };
        let body = Body { stms: inner, result };
        let certs = scan.certs.iter().chain(&writer.certs).copied().collect();
        let places: Vec<Var> = pat.iter().skip(1).map(|p| p.var).collect();
        out.push(Stm { certs, ..stm(pat, Exp::Loop { params, init, form, body }) });
        let counted = Exp::SubExp(total.var.into());
        out.push(Stm { exp: counted, certs: Vec::new(), ..counter.clone() });
        let k = counter.pat.first()?.var;
        for (element, array) in writer.pat.iter().zip(places) {
            let stride = SubExp::i64(1);
            let dims = vec![DimIndex::Slice { start: SubExp::i64(0), n: k.into(), stride }];
            out.push(stm(vec![element.clone()], Exp::Index { array, dims }));
        }
        Some(out)
    }
}

/// The width and body of a scan of one dimension that counts.
fn flags(exp: &Exp) -> Option<(SubExp, &KernelBody)> {
    let Exp::Seg(SegOp::Scan { level: SegLevel::Seq, space, ops, body }) = exp else { return None };
    let ([(_, n)], [op]) = (space.dims.as_slice(), ops.as_slice()) else { return None };
    let zero = op.neutral == [SubExp::i64(0)];
    (zero && adds(op)).then_some((*n, body))
}

fn adds(op: &Reduction) -> bool {
    accumulation(op) == Some(BinOp::Add(IntType::I64))
}

/// Whether `stm` is the last element of `upto`, of which there are `n`, or zero if there is none.
fn last_element(list: &[Stm], stm: &Stm, upto: Var, n: SubExp) -> bool {
    let Some((condition, none, some)) = if_then_else(&stm.exp) else { return false };
    let empty = definition(list, condition).is_some_and(|s| {
        matches!(s.exp, Exp::CmpOp(CmpOp::Eq(_), a, b)
            if [a, b] == [n, SubExp::i64(0)] || [a, b] == [SubExp::i64(0), n])
    });
    let [SubExp::Var(last)] = some.result.as_slice() else { return false };
    let (Some(read), true) = (definition(&some.stms, (*last).into()), none.stms.is_empty()) else {
        return false;
    };
    let Exp::Index { array, dims } = &read.exp else { return false };
    let [DimIndex::Fix(at)] = dims.as_slice() else { return false };
    let before = definition(&some.stms, *at)
        .is_some_and(|s| s.exp == Exp::BinOp(BinOp::Sub(IntType::I64), n, SubExp::i64(1)));
    empty && none.result == [SubExp::i64(0)] && *array == upto && before && some.stms.len() == 2
}

/// What says whether an element is kept: the flag is one then, and else zero.
fn condition_of_flag(body: &KernelBody) -> Option<SubExp> {
    let Some(KernelResult::Return(flag)) = body.results.first() else { return None };
    match &definition(&body.stms, *flag)?.exp {
        Exp::ConvOp(ConvOp::BToI(IntType::I64), condition) => Some(*condition),
        exp => {
            let (condition, yes, no) = if_then_else(exp)?;
            if !yes.stms.is_empty() || !no.stms.is_empty() {
                return None;
            }
            let (one, zero) = ([SubExp::i64(1)], [SubExp::i64(0)]);
            if yes.result == one && no.result == zero {
                return Some(condition);
            }
            // The other way round: what is kept is what the condition does not hold for.
            let negated = |s: &&Stm| s.exp == Exp::UnOp(UnOp::Not, condition);
            let kept = body.stms.iter().find(negated)?.pat.first()?;
            (yes.result == zero && no.result == one).then_some(kept.var.into())
        }
    }
}

/// Whether `index` is the place of what is kept, and outside for the rest.
fn places_kept(
    writer: &KernelBody,
    index: Var,
    passed: &[(Var, Passed)],
    scan: &KernelBody,
    condition: SubExp,
) -> bool {
    let what = |x: SubExp| passed.iter().find_map(|(v, p)| (SubExp::Var(*v) == x).then_some(*p));
    let Some(stm) = definition(&writer.stms, index.into()) else { return false };
    let Some((kept, yes, no)) = if_then_else(&stm.exp) else { return false };
    let same = match what(kept) {
        Some(Passed::Result(r)) => scan.results.get(r) == Some(&KernelResult::Return(condition)),
        Some(Passed::Count) | None => false,
    };
    let ([before], [place]) = (yes.stms.as_slice(), yes.result.as_slice()) else { return false };
    let Exp::BinOp(BinOp::Sub(IntType::I64), count, one) = before.exp else { return false };
    let counted = matches!(what(count), Some(Passed::Count)) && one == SubExp::i64(1);
    let yields = before.pat.first().is_some_and(|p| *place == SubExp::Var(p.var));
    let outside = no.stms.is_empty()
        && matches!(no.result.as_slice(), [SubExp::Const(Const::I64(i))] if *i < 0);
    same && counted && yields && outside
}

fn if_then_else(exp: &Exp) -> Option<(SubExp, &Body, &Body)> {
    let Exp::Match { scrutinee, cases, default } = exp else { return None };
    match cases.as_slice() {
        [(Const::Bool(true), yes)] => Some((*scrutinee, yes, default)),
        _ => None,
    }
}

fn definition(stms: &[Stm], x: SubExp) -> Option<&Stm> {
    let v = x.var()?;
    stms.iter().find(|s| s.pat.iter().any(|p| p.var == v))
}

/// Code that reads and writes no array.
fn is_scalar(stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Match { .. } => {
            let mut scalar = true;
            for_each_block(&stm.exp, &mut |b| scalar = scalar && b.iter().all(is_scalar));
            scalar
        }
        _ => {
            stm.pat.iter().all(|p| matches!(p.ty, Type::Prim(_)))
                && matches!(
                    stm.exp,
                    Exp::SubExp(_)
                        | Exp::UnOp(..)
                        | Exp::BinOp(..)
                        | Exp::CmpOp(..)
                        | Exp::ConvOp(..)
                        | Exp::Math(..)
                )
        }
    }
}
