//! Modulo unrolling: maps whose points use quotients or remainders of their index by a small power of two go several
//! points at a time, of which each has a remainder of its own that is known.
//!
//! ```text
//! segmap (j < n) {                 (e, o) = segmap (k < n / 2) {
//!   a = (j - 1) >> 1                 … j = 2k: x = xs[k - 1], y = xs[k] …
//!   b = j >> 1               →       … j = 2k + 1: x = xs[k], y = xs[k] …
//!   x = xs[a]                      }
//!   y = xs[b]                      z = segmap (i < n - n / 2 * 2) { … as before … }
//!   in (return x + y)              the elements of e and o in turn, and z behind them
//! }
//! ```
//!
//! Points that read what lies at half their index, as in interpolation and wavelets, read neighbours then, which LLVM makes vectors of,
//! where it would gather before; what is stored in turn it interleaves. Comparisons of such quotients become comparisons of the index
//! for [`split_index_sets`](super::split_index_sets). (Barua et al., "Maps: a compiler-managed memory system for Raw machines", call it so.)
//!
//! Refused as in [`split_index_sets`](super::split_index_sets), and what lanes suit better. At level `mem`, for one thread. Bodies stand two or four times, and once
//! more for the points that are left.

use super::{
    I64, KnownValues, Main, Row, SplitNest, each_statement, rows, rows_of, size, specialise,
    splits, whole,
};
use crate::analysis::bodies::is_straight;
use crate::analysis::lanes::{Lanes, expected_lanes};
use crate::ir::eval::cmp_op;
use crate::ir::traverse::{Renamer, Rewrite, Subst, Visit, rewrite, walk};
use crate::ir::varmap::VarMap;
use crate::ir::{
    BinOp, Builder, Const, Defs, DimIndex, Exp, KernelBody, LmadDim, PatElem, Poly, Program,
    SegKind, SegLevel, SegOp, SegSpace, Stm, StmAttr, SubExp, Type, Var,
};

/// Larger bodies do not stand several times.
const MOST_STATEMENTS: usize = 120;
/// The largest power of two by which maps are unrolled.
const MOST_BITS: u32 = 2;
/// Distances from the index below this never overflow.
const SMALL_DISTANCE: i64 = 1 << 20;

/// Unrolls maps.
pub fn modulo_unroll(program: Program) -> Program {
    each_statement(program, unrolled)
}

fn unrolled(stm: &Stm, defs: &Defs, b: &mut Builder) -> Option<Vec<Stm>> {
    let (space, [], body) = splits(stm, MOST_STATEMENTS)? else { return None };
    let (&(index, n), outer) = space.dims.split_last().map(|(d, outer)| (d, outer.len()))?;
    if suits_lanes(index, body) {
        return None;
    }
    let periods = Periods::of(index, body, defs)?;
    let times = 1 << periods.bits;
    if size(&body.stms) * times > MOST_STATEMENTS {
        return None;
    }
    let arrays = rows_of(&stm.pat, space, outer)?;
    b.loc = stm.loc;
    b.begin();
    let (before, body) = if space.dims.len() > 1 {
        rows::apart(&[(index, n)], body, &mut b.names)
    } else {
        (Vec::new(), body.clone())
    };
    b.push_all(before);
    let times = i64::try_from(times).ok()?;
    let count = b.quot(n, SubExp::i64(times));
    let covered = b.mul(count, SubExp::i64(times));
    let flat = periods.main(stm, (index, &body), count, &arrays, b);
    let left = b.sub(n, covered);
    let work = SplitNest {
        index,
        point: &[],
        ops: &[],
        body: &body,
        main: &Main::default(),
        defs,
        certs: &stm.certs,
        attrs: &stm.attrs,
    };
    let rest = work.piece((covered, left), &KnownValues::default(), &[StmAttr::Peeled], &arrays, b);
    Some(whole(stm, (space, outer), &arrays, &[flat, rest], b))
}

/// Whether points go better by lanes, which want their results side by side: LLVM makes no vectors around loops, nor of functions under branches.
fn suits_lanes(index: Var, body: &KernelBody) -> bool {
    let functions = |l: Lanes| l.estimate.masked_functions;
    !body.stms.iter().all(is_straight) || expected_lanes(index, body, true).is_some_and(functions)
}

/// A quotient or remainder of the index by a power of two.
#[derive(Clone, Copy)]
struct Period {
    /// What is added to the index before.
    distance: i64,
    /// The power.
    bits: u32,
    /// Which of both.
    quotient: bool,
}

/// Those of a body.
struct Periods {
    found: VarMap<Period>,
    /// The largest power of two.
    bits: u32,
}

impl Periods {
    /// Nothing if no quotient of the index is among what array elements are read at.
    fn of(index: Var, body: &KernelBody, defs: &Defs) -> Option<Periods> {
        let mut search = Search { index, defs, found: VarMap::default(), read: false };
        search.kernel_body(body);
        let bits = search.found.values().map(|p| p.bits).max()?;
        search.read.then_some(Periods { found: search.found, bits })
    }

    /// What remainders, and comparisons of these, are at the points of one remainder.
    fn known(&self, body: &KernelBody, remainder: i64) -> KnownValues {
        let mut known = KnownValues::default();
        for (v, period) in self.found.iter().filter(|(_, p)| !p.quotient) {
            // Groups begin at multiples of the power.
            let value = (remainder + period.distance) & ((1 << period.bits) - 1);
            known.values.insert(*v, SubExp::i64(value));
        }
        let mut compared = Compared { known };
        compared.kernel_body(body);
        compared.known
    }

    /// Emits the map over so many times all remainders, and what it makes in the order of the index.
    fn main(
        &self,
        stm: &Stm,
        (index, body): (Var, &KernelBody),
        count: SubExp,
        rows: &[Row],
        b: &mut Builder,
    ) -> Vec<Var> {
        let times = 1 << self.bits;
        let k = b.names.fresh("k");
        let mut stms = Vec::new();
        // k times smaller powers.
        let mut steps: Vec<SubExp> = vec![k.into()];
        for bits in 1..=self.bits {
            let step = b.names.fresh("step");
            let product = Exp::BinOp(BinOp::Mul(I64), k.into(), SubExp::i64(1 << bits));
            stms.push(Stm::new(vec![PatElem::new(step, Type::I64)], product));
            steps.push(step.into());
        }
        let (mut results, mut types, mut pat) = (Vec::new(), Vec::new(), Vec::new());
        for remainder in 0..times {
            let here = b.names.like(index);
            let mut copy = specialise(body, &self.known(body, remainder));
            Quotients { periods: self, steps: &steps, remainder }.kernel_body(&mut copy);
            let mut subst: Subst = [(index, here)].into_iter().collect();
            subst.kernel_body(&mut copy);
            let all = steps.last().copied().unwrap_or(k.into());
            let sum = Exp::BinOp(BinOp::Add(I64), all, SubExp::i64(remainder));
            copy.stms.insert(0, Stm::new(vec![PatElem::new(here, Type::I64)], sum));
            Renamer::new(&mut b.names).kernel_body(&mut copy);
            stms.extend(copy.stms);
            results.extend(copy.results);
            types.extend(copy.types);
            pat.extend(rows.iter().map(|row| in_turn(row, (remainder, times), count, b)));
        }
        let space = SegSpace { dims: vec![(k, count)] };
        let body = KernelBody { stms, results, types };
        let exp = Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body });
        let parts: Vec<PatElem> = pat.clone();
        b.push(Stm {
            schedule: None,
            pat,
            exp,
            certs: stm.certs.clone(),
            attrs: stm.attrs.clone(),
            loc: b.loc,
        });
        let flat = rows.iter().enumerate().map(|(at, row)| {
            let parts = parts.iter().skip(at).step_by(rows.len());
            together(row, parts, (count, times), b)
        });
        flat.collect()
    }
}

/// The pattern element for the points that have a remainder.
fn in_turn(row: &Row, (remainder, times): (i64, i64), count: SubExp, b: &mut Builder) -> PatElem {
    let mut lmad = row.lmad.clone();
    if let Some(d) = lmad.dims.first_mut() {
        let stride = Poly::of(&d.stride);
        d.n = count;
        d.stride = stride.mul(&Poly::constant(times)).to_size();
        lmad = lmad.shifted(&stride.mul(&Poly::constant(remainder)));
    }
    row.part(count, lmad, b)
}

/// Emits the array whose elements are those of `parts` in turn, which lie so.
fn together<'p>(
    row: &Row,
    parts: impl Iterator<Item = &'p PatElem>,
    (count, times): (SubExp, i64),
    b: &mut Builder,
) -> Var {
    let stride = row.lmad.dims.first().map(|d| d.stride.clone());
    let stride = stride.unwrap_or_else(|| Poly::constant(1).to_size());
    let one = SubExp::i64(1);
    let mut columns = Vec::new();
    for part in parts {
        let Some(mem) = &part.mem else { continue };
        let mut lmad = mem.lmad.clone();
        lmad.dims.push(LmadDim { n: one, stride: stride.clone() });
        let column = row.array(vec![count, one], lmad, b);
        columns.push(column.var);
        b.bind(vec![column], Exp::Reshape { array: part.var, shape: vec![count, one] });
    }
    let size = SubExp::i64(times);
    let mut lmad = row.lmad.clone();
    let long = Poly::of(&stride).mul(&Poly::constant(times)).to_size();
    lmad.dims = vec![LmadDim { n: count, stride: long }, LmadDim { n: size, stride }];
    let matrix = row.array(vec![count, size], lmad, b);
    let (matrix, all) = (vec![matrix.clone()], matrix.var);
    b.bind(matrix, Exp::Concat { dim: 1, arrays: columns, size });
    let covered = b.mul(count, size);
    let flat = row.piece(SubExp::i64(0), covered, b);
    let var = flat.var;
    b.bind(vec![flat], Exp::Reshape { array: all, shape: vec![covered] });
    var
}

/// Looks for quotients and remainders.
struct Search<'d> {
    index: Var,
    defs: &'d Defs,
    found: VarMap<Period>,
    /// A quotient is among the indexes of something that is read.
    read: bool,
}

impl Search<'_> {
    fn period(&self, e: &Exp) -> Option<Period> {
        let Exp::BinOp(op, x, SubExp::Const(Const::I64(by))) = e else { return None };
        let (bits, quotient) = match op {
            BinOp::AShr(I64) => (u32::try_from(*by).ok()?, true),
            BinOp::SDiv(I64) | BinOp::SQuot(I64) => (power(*by)?, true),
            BinOp::SMod(I64) | BinOp::SRem(I64) => (power(*by)?, false),
            BinOp::And(I64) => (power(by.checked_add(1)?)?, false),
            _ => return None,
        };
        // Of what is negative, these are others.
        let to_zero = matches!(op, BinOp::SQuot(I64) | BinOp::SRem(I64));
        let distance = self.defs.expand(&Poly::leaf(*x)).sub(&Poly::var(self.index)).as_const()?;
        let fits = (1..=MOST_BITS).contains(&bits)
            && distance.abs() < SMALL_DISTANCE
            && !(to_zero && distance < 0);
        fits.then_some(Period { distance, bits, quotient })
    }
}

/// Of which power of two a number is.
fn power(n: i64) -> Option<u32> {
    (n > 0 && n.count_ones() == 1).then(|| n.trailing_zeros())
}

impl Visit for Search<'_> {
    fn stm(&mut self, s: &Stm) {
        if let [p] = s.pat.as_slice()
            && let Some(period) = self.period(&s.exp)
        {
            self.found.insert(p.var, period);
        }
        if let Exp::Index { dims, .. } = &s.exp {
            let quotient = |v: &Var| self.found.get(v).is_some_and(|p| p.quotient);
            self.read |= dims.iter().any(|d| match d {
                DimIndex::Fix(x) => self.defs.expand(&Poly::leaf(*x)).vars().iter().any(quotient),
                DimIndex::Slice { .. } => false,
            });
        }
        walk::stm(self, s);
    }
}

/// Whether comparisons of remainders hold.
struct Compared {
    known: KnownValues,
}

impl Visit for Compared {
    fn stm(&mut self, s: &Stm) {
        if let (Exp::CmpOp(op, x, y), [p]) = (&s.exp, s.pat.as_slice()) {
            let value = |x: SubExp| match x {
                SubExp::Const(c) => Some(c),
                SubExp::Var(v) => match self.known.values.get(&v) {
                    Some(SubExp::Const(c)) => Some(*c),
                    _ => None,
                },
            };
            if let Some(holds) = value(*x).zip(value(*y)).and_then(|(x, y)| cmp_op(*op, x, y)) {
                self.known.values.insert(p.var, SubExp::bool(holds));
            }
        }
        walk::stm(self, s);
    }
}

/// Puts in what quotients are at the points that have one remainder.
struct Quotients<'p> {
    periods: &'p Periods,
    /// The number of the group, times powers of two.
    steps: &'p [SubExp],
    remainder: i64,
}

impl Rewrite for Quotients<'_> {
    fn stm(&mut self, s: &mut Stm) {
        let found = s.pat.first().and_then(|p| self.periods.found.get(&p.var));
        let step = found.and_then(|p| self.steps.get((self.periods.bits - p.bits) as usize));
        match (found, step) {
            (Some(p), Some(step)) if p.quotient => {
                let distance = SubExp::i64((self.remainder + p.distance) >> p.bits);
                s.exp = Exp::BinOp(BinOp::Add(I64), *step, distance);
            }
            _ => rewrite::stm(self, s),
        }
    }
}
