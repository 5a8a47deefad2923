//! Quotients and remainders of an index by what does not change, and what becomes of them in blocks of the index's range in which
//! each quotient has one value.

use super::block::Block;
use super::{I64, KnownValues, specialise};
use crate::ir::traverse::{Rewrite, Subst, Visit, rewrite, walk};
use crate::ir::varmap::{FastMap, VarMap, VarSet};
use crate::ir::{BinOp, Builder, CmpOp, Const, Defs, Exp, KernelBody, Poly, Stm, SubExp, Var};

/// Smaller constants are left to LLVM.
const SMALL_CONSTANT: i64 = 16;
/// Quotients by this many times the block's length are told from the number of the block.
const MOST_BLOCKS: i64 = 16;
/// As many sizes may stand between a divisor and the block's length, as between a volume and a row.
const MOST_FACTORS: usize = 2;
/// Each of them, and their product with a number of blocks, is below this: with blocks that are not long, no product wraps.
const MOST_TIMES: i64 = 1 << 20;

/// Quotients and remainders of an index, and of these remainders.
pub(super) struct Quotients {
    /// The divisor that the others are multiples of.
    pub(super) by: SubExp,
    /// The divisors.
    multiples: Vec<Multiple>,
    /// The index, by all its names.
    names: VarSet,
}

/// A divisor: so many times the length of a block, and times sizes.
struct Multiple {
    divisor: SubExp,
    times: i64,
    sizes: Vec<Var>,
}

/// The divisors of an index in a body.
struct Divisors {
    names: VarSet,
    /// Remainders of the index.
    remainders: VarSet,
    inside: VarSet,
    found: Vec<SubExp>,
    /// What remainders are divided by.
    nested: Vec<SubExp>,
}

impl Divisors {
    /// Whether a divisor is known outside of the body, and none of those that are left to LLVM.
    fn outside(&self, x: SubExp) -> bool {
        match x {
            SubExp::Var(v) => !self.inside.contains(&v),
            SubExp::Const(Const::I64(c)) => c >= SMALL_CONSTANT,
            SubExp::Const(_) => false,
        }
    }
}

impl Visit for Divisors {
    fn bind(&mut self, v: &Var) {
        self.inside.insert(*v);
    }

    fn stm(&mut self, s: &Stm) {
        if let (Exp::SubExp(SubExp::Var(v)), [p]) = (&s.exp, s.pat.as_slice()) {
            for names in [&mut self.names, &mut self.remainders] {
                if names.contains(v) {
                    names.insert(p.var);
                }
            }
        }
        if let Some((SubExp::Var(v), divisor, which)) = division(&s.exp)
            && self.outside(divisor)
        {
            let of_index = self.names.contains(&v);
            if of_index || self.remainders.contains(&v) {
                let found = if of_index { &mut self.found } else { &mut self.nested };
                if !found.contains(&divisor) {
                    found.push(divisor);
                }
                if let (Which::Remainder, [p]) = (which, s.pat.as_slice()) {
                    self.remainders.insert(p.var);
                }
            }
        }
        walk::stm(self, s);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Quotient,
    Remainder,
}

/// Dividend, divisor, and what is asked for. Rounding does not matter where neither is negative.
fn division(exp: &Exp) -> Option<(SubExp, SubExp, Which)> {
    match exp {
        Exp::BinOp(BinOp::SDiv(I64) | BinOp::SQuot(I64), x, y) => Some((*x, *y, Which::Quotient)),
        Exp::BinOp(BinOp::SMod(I64) | BinOp::SRem(I64), x, y) => Some((*x, *y, Which::Remainder)),
        _ => None,
    }
}

impl Multiple {
    /// A divisor as a multiple of another.
    fn of(divisor: SubExp, by: SubExp, defs: &Defs) -> Option<Multiple> {
        let (whole, part) = (defs.expand(&Poly::leaf(divisor)), defs.expand(&Poly::leaf(by)));
        let constant = |m: &i64| whole.sub(&part.mul(&Poly::constant(*m))).is_zero();
        if let Some(times) = (1..=MOST_BLOCKS).find(constant) {
            return Some(Multiple { divisor, times, sizes: Vec::new() });
        }
        let [(vars, c)] = *whole.monomials().collect::<Vec<_>>() else { return None };
        let [(of_part, d)] = *part.monomials().collect::<Vec<_>>() else { return None };
        let mut sizes = vars.to_vec();
        for v in of_part {
            let at = sizes.iter().position(|w| w == v)?;
            sizes.remove(at);
        }
        let times = c.checked_div(d).filter(|times| c == d * times)?;
        let few = (1..=MOST_FACTORS).contains(&sizes.len()) && (1..=MOST_BLOCKS).contains(&times);
        few.then_some(Multiple { divisor, times, sizes })
    }

    /// Emits how many blocks it has.
    fn blocks(&self, b: &mut Builder) -> SubExp {
        self.sizes.iter().fold(SubExp::i64(self.times), |x, v| b.mul(x, (*v).into()))
    }
}

impl Quotients {
    /// Those of an index in a body; `own` is the operation's index, which is that in a part of the range.
    pub(super) fn of(index: Var, own: Var, body: &KernelBody, defs: &Defs) -> Option<Quotients> {
        let mut d = Divisors {
            names: [index].into_iter().collect(),
            remainders: VarSet::default(),
            inside: [index, own].into_iter().collect(),
            found: Vec::new(),
            nested: Vec::new(),
        };
        d.kernel_body(body);
        let multiples = |of: &[SubExp], by| -> Vec<Multiple> {
            of.iter().filter_map(|d| Multiple::of(*d, by, defs)).collect()
        };
        let candidates = d.found.iter().chain(&d.nested).map(|by| {
            let mut all = multiples(&d.found, *by);
            let of_index = all.len();
            all.extend(
                multiples(&d.nested, *by).into_iter().filter(|m| !d.found.contains(&m.divisor)),
            );
            (of_index, *by, all)
        });
        let (of_index, by, multiples) = candidates.max_by_key(|(n, _, all)| (*n, all.len()))?;
        (of_index > 0).then_some(Quotients { by, multiples, names: d.names })
    }

    /// Whether one of the divisors is twice the length of a block.
    pub(super) fn has_double(&self) -> bool {
        self.multiples.iter().any(|m| m.times == 2 && m.sizes.is_empty())
    }

    /// Emits whether the sizes between divisors and blocks are such that no product wraps, if blocks are not long.
    pub(super) fn fits(&self, b: &mut Builder) -> SubExp {
        let most = SubExp::i64(MOST_TIMES);
        let mut fits = SubExp::bool(true);
        for m in self.multiples.iter().filter(|m| !m.sizes.is_empty()) {
            for v in &m.sizes {
                let positive = b.le(SubExp::i64(1), (*v).into());
                let small = b.le((*v).into(), most);
                fits = b.and(fits, positive);
                fits = b.and(fits, small);
            }
            let blocks = m.blocks(b);
            let small = b.le(blocks, most);
            fits = b.and(fits, small);
        }
        fits
    }

    /// Puts into the body what is known in a block; emits what that takes.
    pub(super) fn divide(&self, body: &mut KernelBody, block: Block, b: &mut Builder) {
        let parts = self.multiples.iter().map(|m| (m.divisor, m)).collect();
        let numbers = self.names.iter().map(|v| (*v, block.number)).collect();
        let (subst, starts) = (Subst::new(), VarMap::default());
        let mut divided = Divided { numbers, by: self.by, block, parts, subst, starts, b };
        divided.kernel_body(body);
        // Branches may be decided now.
        *body = specialise(body, &KnownValues::default());
    }
}

/// Where a block begins in a multiple of its length: and if known, after how many blocks.
#[derive(Clone, Copy)]
struct Start {
    start: SubExp,
    known: Option<i64>,
}

/// Puts what is known in a block for quotients and remainders.
struct Divided<'n, 'b> {
    /// The index and its remainders, and which block each is in.
    numbers: VarMap<SubExp>,
    by: SubExp,
    block: Block,
    /// By divisor.
    parts: FastMap<SubExp, &'n Multiple>,
    subst: Subst,
    /// Remainders.
    starts: VarMap<Start>,
    /// Where the body stands.
    b: &'b mut Builder,
}

impl Divided<'_, '_> {
    /// `start + k` is below a multiple of the block's length if `start` is. The outcome, if known.
    fn compare(&self, exp: &mut Exp) -> Option<bool> {
        let (rest, multiple, below) = match exp {
            Exp::CmpOp(CmpOp::SLt(I64), a, b) => (a, b, true),
            Exp::CmpOp(CmpOp::SLe(I64), b, a) => (a, b, false),
            _ => return None,
        };
        let part = self.parts.get(multiple)?;
        let start = self.starts.get(&rest.var()?)?;
        *rest = start.start;
        let known = start.known.filter(|_| part.sizes.is_empty());
        known.map(|at| (at < part.times) == below)
    }

    /// The quotient of a value in the block `number` by a divisor.
    fn quotient(&mut self, number: SubExp, part: &Multiple) -> SubExp {
        match self.block.half {
            Some((pair, _)) if self.is_pair(number, part) => pair,
            _ => {
                let blocks = part.blocks(self.b);
                self.b.quot(number, blocks)
            }
        }
    }

    /// After how many blocks of a divisor a value in the block `number` is, and where that begins.
    fn remainder(&mut self, number: SubExp, part: &Multiple) -> (SubExp, Start) {
        if part.is_block() {
            let zero = SubExp::i64(0);
            return (zero, Start { start: zero, known: Some(0) });
        }
        match self.block.half {
            Some((_, half)) if self.is_pair(number, part) => {
                let half_number = SubExp::i64(half);
                let start = self.b.mul(self.by, half_number);
                (half_number, Start { start, known: Some(half) })
            }
            _ => {
                let blocks = part.blocks(self.b);
                let within = self.b.rem(number, blocks);
                (within, Start { start: self.b.mul(within, self.by), known: None })
            }
        }
    }

    /// Whether a value in the block `number` is divided by a pair of blocks, and the block is a half of one.
    fn is_pair(&self, number: SubExp, part: &Multiple) -> bool {
        number == self.block.number && part.times == 2 && part.sizes.is_empty()
    }
}

impl Multiple {
    fn is_block(&self) -> bool {
        self.times == 1 && self.sizes.is_empty()
    }
}

impl Rewrite for Divided<'_, '_> {
    fn var(&mut self, v: &mut Var) {
        self.subst.var(v);
    }

    fn subexp(&mut self, x: &mut SubExp) {
        self.subst.subexp(x);
    }

    fn stms(&mut self, list: &mut Vec<Stm>) {
        list.retain_mut(|s| {
            if let (Exp::SubExp(SubExp::Var(v)), [p]) = (&s.exp, s.pat.as_slice())
                && let Some(number) = self.numbers.get(v).copied()
            {
                self.numbers.insert(p.var, number);
            }
            if let Some((SubExp::Var(v), divisor, which)) = division(&s.exp)
                && let Some(number) = self.numbers.get(&v).copied()
                && let Some(part) = self.parts.get(&divisor).copied()
                && let [p] = s.pat.as_slice()
            {
                // The certificates say that the divisor is not zero, which is known here.
                match which {
                    Which::Quotient => {
                        let quotient = self.quotient(number, part);
                        self.subst.insert(p.var, quotient);
                        return false;
                    }
                    Which::Remainder => {
                        let (within, start) = self.remainder(number, part);
                        if start.known == Some(0) {
                            self.starts.insert(self.block.k, start);
                            self.subst.insert(p.var, self.block.k);
                            return false;
                        }
                        s.certs.clear();
                        s.exp = Exp::BinOp(BinOp::Add(I64), start.start, self.block.k.into());
                        self.starts.insert(p.var, start);
                        self.numbers.insert(p.var, within);
                    }
                }
            }
            rewrite::stm(self, s);
            if let (Some(outcome), [p]) = (self.compare(&mut s.exp), s.pat.as_slice()) {
                self.subst.insert(p.var, SubExp::bool(outcome));
                return false;
            }
            true
        });
    }
}
