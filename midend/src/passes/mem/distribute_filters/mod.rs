//! Loop distribution of filters and partitions: flags and elements are computed by chunks that stay in the first cache, apart
//! from the loop that puts what is kept side by side.
//!
//! ```text
//! (c, out) = loop (c = 0, out) for i < n {      p @ m = alloc 128
//!   x = index xs[i]                             (c, out) = loop (c = 0, out) for k < (n + 127) / 128 {
//!   t = x % 3                                     first = k * 128, length = min 128 (n - first)
//!   q = t == 0                            →       qs @ p = segmap (j < length) {
//!   f = if q then 1 else 0                          i = j + first, x = …, q = t == 0, return q }
//!   out' = update out[c] with x                   #[compacts] loop (c, out) for j < length {
//!   in (c + f, out') }                              i = j + first, x = index xs[i], q = index qs[j]
//!                                                   out' = update out[c] with x, f = if q then 1 else 0
//!                                                   in (c + f, out') } }
//! ```
//!
//! Where an element of a filter goes depends on all before it, so that nothing in such a loop becomes vectors. In a map of
//! their own predicates do, and the loop that is left is one that processors have instructions for
//! ([`Strategy::Compress`](crate::ir::Strategy)). It pays without these, too: reading a flag is quicker than to compare,
//! as the loop waits for its count alone. What goes to the distance of the index from counts, as the rest of a partition does, is
//! counted itself, and what is accumulated is scanned in each chunk ([`scans`]). The same is written in the same order, and what fails
//! first does.
//!
//! Left alone: loops over few elements, what reads elements where sums say, bodies with loops that lanes are not worth it for, and what makes arrays or calls.
//! At level `mem`, before small blocks are promoted to the stack. Cost: linear; the code of a loop for each.

use super::chunks::{
    CHUNK, Kept, barred, block, chunk_of_map, elements_of_chunk, results_of_chunk,
};
use crate::analysis::bodies::{is_straight, reads_from_anywhere};
use crate::analysis::filters::{Count, Filter, Place};
use crate::analysis::lanes::expected_lanes;
use crate::analysis::sums::Counted;
use crate::ir::traverse::{Renamer, Rewrite, Visit, any_exp, walk};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, Body, Builder, Const, DimIndex, Exp, IntType, KernelBody, KernelResult, LoopForm, Param,
    PatElem, Prim, Program, Stm, StmAttr, SubExp, Type, Var,
};
use crate::passes::index_set_splitting::each_statement;
use scans::Scans;

mod scans;

const I64: IntType = IntType::I64;
/// Fewer elements than this stay in one loop.
const FEWEST: i64 = 64;

/// Distributes filters and partitions.
pub fn distribute_filters(program: Program) -> Program {
    let mut scratch = Scratch(VarSet::default());
    scratch.body(&program.consts);
    program.funs.iter().for_each(|f| scratch.fun(f));
    each_statement(program, |s, _, b| distribute(s, &scratch.0, b))
}

/// Arrays that begin without elements.
struct Scratch(VarSet);

impl Visit for Scratch {
    fn stm(&mut self, s: &Stm) {
        if let Exp::Scratch { .. } = s.exp {
            self.0.extend(s.pat.iter().map(|p| p.var));
        }
        walk::stm(self, s);
    }
}

fn distribute(stm: &Stm, scratch: &VarSet, b: &mut Builder) -> Option<Vec<Stm>> {
    let filter = Filter::find(stm, scratch)?;
    let Counted { index, n, params, .. } = filter.rounds;
    let few = matches!(n, SubExp::Const(n) if n.as_int().is_some_and(|n| n < FEWEST));
    let kinds = Kinds::of(&filter)?;
    if few || stm.attrs.iter().any(|a| !matches!(a, StmAttr::Schedule(_))) {
        return None;
    }
    b.loc = stm.loc;
    let first = b.fresh("first", Type::I64);
    let scans = match &filter.sums {
        Some(sums) => Some(Scans::of(&filter, sums, b)?),
        None => None,
    };
    let computed = Kinds::computed(&filter, scans.as_ref(), first, b)?;
    // What reads where sums say waits for memory, and had better scan meanwhile.
    let scans_pay = |s: &Scans<'_>| {
        pays(index, &s.elements) && !reads_from_anywhere(&computed.stms, VarSet::default())
    };
    if !pays(index, &computed) || !scans.as_ref().is_none_or(scans_pay) {
        return None;
    }
    let kept = Kept::of(index, &computed)?;
    b.begin();
    let blocks: Vec<_> = kept.types.iter().map(|t| block(*t, b)).collect();
    let scan_blocks = scans.as_ref().map(|s| s.blocks(b));
    let rounded = b.add(n, SubExp::i64(CHUNK - 1));
    let count = b.quot(rounded, SubExp::i64(CHUNK));
    let chunk = b.names.fresh("chunk");
    b.begin();
    let product = Exp::BinOp(BinOp::Mul(I64), chunk.into(), SubExp::i64(CHUNK));
    b.push(Stm::new(vec![PatElem::new(first, Type::I64)], product));
    let left = b.sub(n, first.into());
    let length = b.min(left, SubExp::i64(CHUNK));
    let range = (index, first.into(), length);
    let sums = match (&scans, &scan_blocks) {
        (Some(scans), Some(blocks)) => scans.of_chunk(stm, range, params, blocks, b)?,
        _ => Vec::new(),
    };
    let results = results_of_chunk(&kept, &blocks, length, b);
    if !results.is_empty() {
        let map = chunk_of_map(stm, range, (&computed, &kept), results.clone(), b);
        b.push(map);
    }
    let j = b.names.fresh("j");
    let (stms, values) =
        elements_of_chunk((index, j, first.into()), (&computed, &kept), &results, b);
    let carried = kinds.carried(&filter, b);
    let inner = kinds.compaction(stm, &filter, (j, length), (stms, &values), &carried, b)?;
    let mut compacted =
        inner.pat.iter().map(|p| SubExp::from(p.var)).collect::<Vec<_>>().into_iter();
    b.push(inner);
    let mut result = Vec::new();
    for at in 0..carried.len() {
        match sums.iter().find(|(sum, _)| *sum == at) {
            Some((_, value)) => result.push(*value),
            None => result.push(compacted.next()?),
        }
    }
    let body = Body { stms: b.end(), result };
    let zeros = carried.iter().skip(params.len()).map(|_| SubExp::i64(0));
    let init = filter.rounds.init.iter().copied().chain(zeros).collect();
    let mut pat = stm.pat.clone();
    pat.extend(carried.iter().skip(pat.len()).map(|p| b.pat("rest", p.ty.clone())));
    let form = LoopForm::For { var: chunk, ty: I64, bound: count };
    let mut exp = Exp::Loop { params: carried, init, form, body };
    Renamer::new(&mut b.names).exp(&mut exp);
    b.push(Stm { pat, exp, ..stm.clone() });
    Some(b.end())
}

/// Whether chunks of what is computed gain something.
fn pays(index: Var, computed: &KernelBody) -> bool {
    !any_exp(|v| v.kernel_body(computed), barred)
        && (computed.stms.iter().all(is_straight)
            || expected_lanes(index, computed, true).is_some())
}

/// The kinds of elements that a loop tells apart: those of each count, and those that go to a distance from the index.
struct Kinds {
    /// The counts that distances are less, of each kind that has none of its own.
    rests: Vec<Vec<Var>>,
}

impl Kinds {
    /// Nothing if an element may be of several.
    fn of(filter: &Filter<'_>) -> Option<Kinds> {
        let placed = (filter.rounds.body.stms.iter().enumerate())
            .filter(|(k, _)| !filter.elements.contains(k))
            .all(|(_, s)| s.certs.is_empty());
        let scalar = |s: &&Stm| s.pat.iter().all(|p| matches!(p.ty, Type::Prim(_) | Type::Cert));
        let scalars = filter
            .elements
            .iter()
            .filter_map(|k| filter.rounds.body.stms.get(*k))
            .all(|s| scalar(&s));
        if !placed || !scalars {
            return None;
        }
        let mut rests: Vec<Vec<Var>> = Vec::new();
        for o in filter.outputs.iter().filter(|o| o.place.count.is_none()) {
            let flags: Option<Vec<SubExp>> =
                o.place.less.iter().map(|c| flag(filter, *c)).collect();
            if !exclusive(&flags?, filter) {
                return None;
            }
            if !rests.contains(&o.place.less) {
                rests.push(o.place.less.clone());
            }
        }
        let flags = filter.counts.iter().all(|c| exclusive(&[c.flag], filter));
        flags.then_some(Kinds { rests })
    }

    /// What is computed of an element: its flags, and its values.
    fn computed(
        filter: &Filter<'_>,
        scans: Option<&Scans<'_>>,
        first: Var,
        b: &mut Builder,
    ) -> Option<KernelBody> {
        let mut stms = match scans {
            Some(scans) => scans.at_element(first, b)?,
            None => Vec::new(),
        };
        let of_sums = |k: &usize| filter.sums.as_ref().is_some_and(|s| s.elements.contains(k));
        let others = filter.elements.iter().filter(|k| !of_sums(k));
        stms.extend(others.filter_map(|k| filter.rounds.body.stms.get(*k).cloned()));
        b.begin();
        let mut results = Vec::new();
        for count in &filter.counts {
            let x =
                condition(count.flag, filter).unwrap_or_else(|| b.eq(count.flag, SubExp::i64(1)));
            results.push(x);
        }
        let mut types = vec![Type::Prim(Prim::Bool); results.len()];
        for o in &filter.outputs {
            results.push(o.value);
            types.push(Type::Prim(o.elem));
        }
        stms.extend(b.end());
        let results = results.into_iter().map(KernelResult::Return).collect();
        Some(KernelBody { stms, results, types })
    }

    /// What the loops over chunks and over their elements carry: as before, and counts of the rests.
    fn carried(&self, filter: &Filter<'_>, b: &mut Builder) -> Vec<Param> {
        let counts = self.rests.iter().map(|_| b.param("rest", Type::I64)).collect::<Vec<_>>();
        filter.rounds.params.iter().cloned().chain(counts).collect()
    }

    /// The loop over the elements of a chunk.
    fn compaction(
        &self,
        stm: &Stm,
        filter: &Filter<'_>,
        (j, length): (Var, SubExp),
        (mut stms, computed): (Vec<Stm>, &[SubExp]),
        carried: &[Param],
        b: &mut Builder,
    ) -> Option<Stm> {
        let rest_at = |k: usize| filter.rounds.params.len() + k;
        let (flags, values) = computed.split_at_checked(filter.counts.len())?;
        b.begin();
        let flag = |v: &Var| {
            let is = |c: &Count| filter.rounds.params.get(c.at).is_some_and(|p| p.var == *v);
            filter.counts.iter().position(is).and_then(|k| flags.get(k).copied())
        };
        let mut rests = Vec::new();
        for rest in &self.rests {
            let of: Option<Vec<SubExp>> = rest.iter().map(flag).collect();
            let any = of?.into_iter().reduce(|x, y| b.or(x, y))?;
            rests.push(b.not(any));
        }
        let mut result: Vec<SubExp> = carried.iter().map(|p| p.var.into()).collect();
        for (o, value) in filter.outputs.iter().zip(values) {
            let count = match &o.place {
                Place { count: Some(count), .. } => *count,
                Place { count: None, less, .. } => {
                    carried.get(rest_at(self.rests.iter().position(|r| r == less)?))?.var
                }
            };
            let p = carried.get(o.at)?;
            let dims = vec![DimIndex::Fix(count.into())];
            let exp = Exp::Update { array: p.var, dims, value: *value };
            let mut to = b.pat("filled", p.ty.clone());
            to.mem.clone_from(&p.mem);
            *result.get_mut(o.at)? = to.var.into();
            b.push(Stm::new(vec![to], exp));
        }
        let counts = filter.counts.iter().map(|c| c.at);
        let counts = counts.chain((0..self.rests.len()).map(rest_at));
        for (at, flag) in counts.zip(flags.iter().chain(&rests)) {
            let one = b.choose(*flag, SubExp::i64(1), SubExp::i64(0));
            *result.get_mut(at)? = b.add(carried.get(at)?.var.into(), one);
        }
        stms.extend(b.end());
        // Sums are accumulated by then.
        let is_sum =
            |at: usize| filter.sums.as_ref().is_some_and(|s| s.all.iter().any(|s| s.at == at));
        let compacted: Vec<usize> = (0..carried.len()).filter(|at| !is_sum(*at)).collect();
        let of = |xs: &[SubExp]| compacted.iter().filter_map(|at| xs.get(*at).copied()).collect();
        let params: Vec<Param> =
            compacted.iter().filter_map(|at| carried.get(*at).cloned()).collect();
        let body = Body { stms, result: of(&result) };
        let form = LoopForm::For { var: j, ty: I64, bound: length };
        let init = params.iter().map(|p| p.var.into()).collect();
        let pat = params.iter().map(|p| {
            let mut to = b.pat("filled", p.ty.clone());
            to.mem.clone_from(&p.mem);
            to
        });
        let pat = pat.collect();
        let mut exp = Exp::Loop { params, init, form, body };
        Renamer::new(&mut b.names).exp(&mut exp);
        let mut attrs = stm.attrs.clone();
        attrs.push(StmAttr::Compacts);
        Some(Stm { loc: stm.loc, attrs, ..Stm::new(pat, exp) })
    }
}

/// What a count grows by.
fn flag(filter: &Filter<'_>, count: Var) -> Option<SubExp> {
    let of = |at: usize| filter.rounds.params.get(at).is_some_and(|p| p.var == count);
    filter.counts.iter().find(|c| of(c.at)).map(|c| c.flag)
}

/// The condition under which a flag is 1, if it is made of one.
fn condition(flag: SubExp, filter: &Filter<'_>) -> Option<SubExp> {
    let v = flag.var()?;
    let made = filter.rounds.body.stms.iter().find(|s| s.pat.iter().any(|p| p.var == v))?;
    let Exp::Match { scrutinee, cases, default } = &made.exp else { return None };
    let [(Const::Bool(true), yes)] = cases.as_slice() else { return None };
    let is = |body: &Body, x: i64| body.result == [SubExp::i64(x)];
    (is(yes, 1) && is(default, 0)).then_some(*scrutinee)
}

/// Whether flags are 0 or 1, and at most one of them is 1: constants in each branch of what makes them.
fn exclusive(flags: &[SubExp], filter: &Filter<'_>) -> bool {
    at_most_one(flags, &mut vec![&filter.rounds.body.stms])
}

fn at_most_one<'a>(flags: &[SubExp], scopes: &mut Vec<&'a Vec<Stm>>) -> bool {
    let Some(v) = flags.iter().find_map(|x| x.var()) else {
        let ones = flags.iter().filter(|x| **x == SubExp::i64(1)).count();
        let zeros = flags.iter().filter(|x| **x == SubExp::i64(0)).count();
        return ones <= 1 && ones + zeros == flags.len();
    };
    let makes = |s: &&'a Stm| s.pat.iter().any(|p| p.var == v);
    let Some(made) = scopes.iter().flat_map(|s| s.iter()).find(makes) else { return false };
    let Exp::Match { cases, default, .. } = &made.exp else { return false };
    let mut bodies = cases.iter().map(|(_, b)| b).chain([default]);
    bodies.all(|body| {
        let inside = |x: &SubExp| {
            let at = made.pat.iter().position(|p| SubExp::from(p.var) == *x);
            at.and_then(|at| body.result.get(at).copied()).unwrap_or(*x)
        };
        let flags: Vec<SubExp> = flags.iter().map(inside).collect();
        scopes.push(&body.stms);
        let ok = at_most_one(&flags, scopes);
        scopes.pop();
        ok
    })
}
