//! When it pays. Every number that decides it stands here, but how long lists are (`limits`).
//!
//! A statement weighs what its machine code does roughly. Unrolled code costs its size: in the compiler, in the
//! cache of instructions, and where the combinator itself would have gone by vectors. It buys scalars in
//! registers in place of an array in memory, and bodies that the lanes of a combinator around them can take.
//! So it is bought where code is run for many points at once; elsewhere only where next to nothing is copied.

use super::elements::{List, count, small_shape};
use super::limits::{MOST_CARRIED, MOST_ELEMENTS};
use super::state::State;
use crate::ir::traverse::{for_each_block, free_in_exp, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, Body, DimIndex, Exp, Lambda, LoopForm, MathFn, Soac, Stm, SubExp, Type, Var,
};

/// A combinator over more rows is a loop.
const MOST_ROWS: usize = 16;
/// So few rows of arrays in memory are folded up without a loop.
const FEW_ROWS: usize = 4;
/// Rows of more bytes in memory are folded up as rows.
const MOST_BYTES: i64 = 32;
/// A loop of more rounds stays one.
const MOST_ROUNDS: usize = 16;
/// So does one of more rounds over rows in memory, or over rows of more bytes. Straight code reads the elements of several shorter rows
/// at a time and shuffles them; as loops, these would be transposed first.
const MOST_OF_ROW: usize = 8;
const MOST_BYTES_OF_ROW: i64 = 40;
/// What becomes of one combinator or loop weighs no more than this, where lanes go by …
const MOST_BY_LANES: usize = 1024;
/// … and elsewhere.
const MOST_ELSEWHERE: usize = 96;
/// The program may become this much heavier, and by as many statements as it has.
const SLACK: usize = 4000;

/// Where code stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Frequency {
    /// It is run once.
    Once,
    /// It is run again and again, one after the other.
    Rounds,
    /// It is run for the points of a combinator.
    Points,
}

/// What may still be spent.
#[derive(Clone)]
pub(super) struct Budget(usize);

impl Budget {
    /// For a program of so many statements.
    pub(super) fn of(statements: usize) -> Budget {
        Budget(statements.saturating_add(SLACK))
    }

    fn take(&mut self, weight: usize) -> bool {
        let enough = weight <= self.0;
        if enough {
            self.0 -= weight;
        }
        enough
    }
}

fn most(place: Frequency) -> usize {
    match place {
        Frequency::Points => MOST_BY_LANES,
        Frequency::Once | Frequency::Rounds => MOST_ELSEWHERE,
    }
}

/// The number of rows of a combinator that becomes straight code.
pub(super) fn rows_to_unroll(
    stm: &Stm,
    used: &VarSet,
    place: Frequency,
    unrolling: bool,
    state: &State,
    budget: &mut Budget,
) -> Option<usize> {
    let Exp::Soac(Soac::Screma { width, inputs, lambda: _, scans, reduces }) = &stm.exp else {
        return None;
    };
    let rows = count(*width).filter(|n| (1..=MOST_ROWS).contains(n))?;
    let results = stm.pat.iter().all(|p| p.ty.rank() == 0 || small(&p.ty));
    let lists: Vec<Option<&List>> = inputs.iter().map(|&v| state.list(v)).collect();
    if !results || place == Frequency::Once && !lists.iter().all(Option::is_some) {
        return None;
    }
    let known = lists.iter().flatten().any(|l| !l.is_constant());
    let folds = !scans.is_empty() || !reduces.is_empty();
    // The rows of a result that is only handed on, made of arrays in memory, are a dimension more of
    // the combinator around: it makes them where they go. What is folded up of rows in memory has a
    // short loop, which gets shorter only by a little.
    let pays = match folds {
        true => lists.iter().all(Option::is_some) || rows <= FEW_ROWS,
        false => stm.pat.iter().any(|p| used.contains(&p.var)),
    };
    let pays = pays || known || unrolling || place == Frequency::Once;
    let weight = weight(&stm.exp)?;
    (pays && weight <= most(place) && (unrolling || budget.take(weight))).then_some(rows)
}

/// Whether arrays of this type may be lists of scalars.
pub(super) fn small(ty: &Type) -> bool {
    small_shape(ty).is_some_and(|s| s.iter().product::<usize>() <= MOST_ELEMENTS)
}

/// Whether a loop or branch may hand on scalars in place of such an array.
pub(super) fn is_carried(ty: &Type) -> bool {
    small_shape(ty).is_some_and(|s| s.iter().product::<usize>() <= MOST_CARRIED)
}

/// Whether a reduction folds up scalars in place of arrays of this type, which its lambda yields at this place. Vectors that are
/// read from memory and are longer go by lanes themselves; those of the elements of a matrix do not.
pub(super) fn is_folded(ty: &Type, lambda: &Lambda, place: usize) -> bool {
    let is_param = |x: &SubExp| x.var().is_some_and(|v| lambda.params.iter().any(|p| p.var == v));
    let read = ty.rank() == 1 && lambda.body.result.get(place).is_some_and(is_param);
    let bytes = |ty: &Type| ty.elem().map_or(0, |elem| elem.bytes());
    let few = |n: usize| n <= MOST_CARRIED && !(read && n as i64 * bytes(ty) > MOST_BYTES);
    small_shape(ty).is_some_and(|s| few(s.iter().product()))
}

/// Whether the rounds of a loop become straight code: the indexes of small arrays become constants by it.
pub(super) fn is_unrolled(
    exp: &Exp,
    place: Frequency,
    unrolling: bool,
    state: &State,
    budget: &mut Budget,
) -> bool {
    let Exp::Loop { params, init: _, form: LoopForm::For { var, ty: _, bound }, body } = exp else {
        return false;
    };
    let rounds = match bound {
        SubExp::Const(c) => c.as_int().and_then(|n| usize::try_from(n).ok()),
        SubExp::Var(_) => None,
    };
    let Some(rounds) = rounds.filter(|n| *n <= MOST_ROUNDS) else { return false };
    let Some(weight) = body_weight(body).map(|w| w * rounds) else { return false };
    let arrays: VarSet = params.iter().filter(|p| is_carried(&p.ty)).map(|p| p.var).collect();
    let tables = unrolling || reckons(&body.stms, *var);
    let pays = picks(&body.stms, &mut VarSet::from_iter([*var]), &arrays, tables, state)
        || place == Frequency::Points
            && rounds <= MOST_OF_ROW
            && params.iter().all(|p| p.ty.rank() == 0)
            && reads_short_rows(&body.stms, &mut VarSet::from_iter([*var]), state);
    pays && weight <= most(place) && (unrolling || budget.take(weight))
}

/// Whether a counter goes along short rows in memory. It has these names, of several widths.
fn reads_short_rows(stms: &[Stm], counter: &mut VarSet, state: &State) -> bool {
    let mut found = false;
    for s in stms {
        if let (Exp::ConvOp(_, x), [p]) = (&s.exp, s.pat.as_slice())
            && x.var().is_some_and(|v| counter.contains(&v))
        {
            counter.insert(p.var);
        }
        if let Exp::Index { array, dims } = &s.exp
            && let Some(Type::Array { elem, shape }) = state.types.get(array)
        {
            let along = |d: &DimIndex| matches!(d, DimIndex::Fix(i) if i.var().is_some_and(|v| counter.contains(&v)));
            let row = dims.iter().position(along).and_then(|k| shape.get(k..));
            let sizes = row.map(|row| row.iter().map(|n| count(*n)).collect::<Option<Vec<_>>>());
            let bytes =
                sizes.flatten().map(|row| row.iter().product::<usize>() as i64 * elem.bytes());
            found |= bytes.is_some_and(|n| n <= MOST_BYTES_OF_ROW);
        }
        for_each_block(&s.exp, &mut |b| found |= reads_short_rows(b, counter, state));
    }
    found
}

/// Whether a counter is an operand of arithmetic (a shift by it, say), which is the better for a constant.
fn reckons(stms: &[Stm], counter: Var) -> bool {
    let mut found = false;
    for s in stms {
        let is_scalar = matches!(s.exp, Exp::UnOp(..) | Exp::BinOp(..) | Exp::ConvOp(..));
        found |= is_scalar && free_in_exp(&s.exp).contains(&counter);
        for_each_block(&s.exp, &mut |b| found |= reckons(b, counter));
    }
    found
}

/// Whether an element of a small array is picked by what depends on these variables. `tables`: of constants
/// too. Where only they would gain, a table is as good as straight code: it is read once for all lanes.
fn picks(stms: &[Stm], on: &mut VarSet, arrays: &VarSet, tables: bool, state: &State) -> bool {
    let mut found = false;
    let mut arrays = arrays.clone();
    for s in stms {
        let depends = |x: &SubExp, on: &VarSet| x.var().is_some_and(|v| on.contains(&v));
        if let Exp::Index { array, dims } | Exp::Update { array, dims, .. } = &s.exp {
            let list = state.list(*array);
            let is_small =
                arrays.contains(array) || list.is_some_and(|l| tables || !l.is_constant());
            found |= is_small
                && dims.iter().any(|d| match d {
                    DimIndex::Fix(i) => depends(i, on),
                    DimIndex::Slice { start, .. } => depends(start, on),
                });
        }
        for p in s.pat.iter().filter(|p| is_carried(&p.ty)) {
            arrays.insert(p.var);
        }
        if free_in_exp(&s.exp).iter().any(|v| on.contains(v)) {
            on.extend(s.pat.iter().map(|p| p.var));
        }
        for_each_block(&s.exp, &mut |b| found |= picks(b, on, &arrays, tables, state));
    }
    found
}

/// The variables that statements of a list use.
pub(super) fn used(stms: &[Stm]) -> VarSet {
    stms.iter().flat_map(free_in_stm).collect()
}

/// What an expression weighs when everything inside is straight code; nothing if it cannot be.
fn weight(exp: &Exp) -> Option<usize> {
    match exp {
        Exp::SubExp(_) | Exp::Assert { .. } => Some(0),
        Exp::Math(f, _, _) => Some(match f {
            MathFn::Sqrt => 4,
            _ => 16,
        }),
        Exp::BinOp(BinOp::FPow(_) | BinOp::FMod(_) | BinOp::Pow(_), _, _) => Some(16),
        Exp::Match { scrutinee: _, cases, default } => {
            let mut all = 1;
            for b in cases.iter().map(|c| &c.1).chain([default]) {
                all += body_weight(b)?;
            }
            Some(all)
        }
        Exp::Soac(Soac::Screma { width, inputs: _, lambda, scans, reduces }) => {
            let rows = count(*width).filter(|n| (1..=MOST_ROWS).contains(n))?;
            let mut row = body_weight(&lambda.body)?;
            for r in scans.iter().chain(reduces) {
                row += body_weight(&r.op.body)?;
            }
            row.checked_mul(rows)
        }
        Exp::Loop { form: LoopForm::For { bound: SubExp::Const(n), .. }, body, .. } => {
            let rounds = usize::try_from(n.as_int()?.max(0)).ok()?;
            (rounds <= MOST_ROUNDS).then_some(body_weight(body)? * rounds)
        }
        Exp::Loop { .. } | Exp::Soac(_) | Exp::Seg(_) | Exp::Call { .. } => None,
        _ => Some(1),
    }
}

fn body_weight(b: &Body) -> Option<usize> {
    b.stms.iter().try_fold(0usize, |all, s| all.checked_add(weight(&s.exp)?))
}
