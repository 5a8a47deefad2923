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

/// Quotients and remainders of an index.
pub(super) struct Quotients {
    /// The divisor that the others are multiples of.
    pub(super) by: SubExp,
    /// The divisors, and how many times `by` they are.
    pub(super) multiples: Vec<(SubExp, i64)>,
    /// The index, by all its names.
    names: VarSet,
}

/// The divisors of an index in a body.
struct Divisors {
    names: VarSet,
    inside: VarSet,
    found: Vec<SubExp>,
}

impl Visit for Divisors {
    fn bind(&mut self, v: &Var) {
        self.inside.insert(*v);
    }

    fn stm(&mut self, s: &Stm) {
        if let (Exp::SubExp(SubExp::Var(v)), [p]) = (&s.exp, s.pat.as_slice())
            && self.names.contains(v)
        {
            self.names.insert(p.var);
        }
        if let Some((SubExp::Var(v), divisor, _)) = division(&s.exp)
            && self.names.contains(&v)
            && !self.found.contains(&divisor)
        {
            self.found.push(divisor);
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

impl Quotients {
    /// Those of an index in a body; `own` is the operation's index, which is that in a part of the range.
    pub(super) fn of(index: Var, own: Var, body: &KernelBody, defs: &Defs) -> Option<Quotients> {
        let names = [index].into_iter().collect();
        let inside = [index, own].into_iter().collect();
        let mut d = Divisors { names, inside, found: Vec::new() };
        d.kernel_body(body);
        let outside = |x: &SubExp| match x {
            SubExp::Var(v) => !d.inside.contains(v),
            SubExp::Const(Const::I64(c)) => *c >= SMALL_CONSTANT,
            SubExp::Const(_) => false,
        };
        let divisors: Vec<SubExp> = d.found.iter().copied().filter(outside).collect();
        let times = |by: &SubExp, d: &SubExp| {
            (1..=MOST_BLOCKS)
                .find(|m| defs.equal(&Poly::leaf(*d), &Poly::leaf(*by).mul(&Poly::constant(*m))))
                .map(|m| (*d, m))
        };
        divisors
            .iter()
            .map(|by| Quotients {
                by: *by,
                multiples: divisors.iter().filter_map(|d| times(by, d)).collect(),
                names: d.names.clone(),
            })
            .max_by_key(|q| q.multiples.len())
    }

    /// Puts into the body what is known in a block; emits what that takes.
    pub(super) fn divide(&self, body: &mut KernelBody, block: Block, b: &mut Builder) {
        let mut parts = FastMap::default();
        for (divisor, times) in &self.multiples {
            let (quotient, start, known) = match block.half {
                _ if *times == 1 => (block.number, SubExp::i64(0), Some(0)),
                Some((pair, half)) if *times == 2 => {
                    (pair, b.mul(self.by, SubExp::i64(half)), Some(half))
                }
                _ => {
                    let quotient = b.quot(block.number, SubExp::i64(*times));
                    let within = b.rem(block.number, SubExp::i64(*times));
                    (quotient, b.mul(within, self.by), None)
                }
            };
            parts.insert(
                *divisor,
                StripPart { times: *times, quotient, start: Start { start, known } },
            );
        }
        let (subst, starts) = (Subst::new(), VarMap::default());
        let mut divided = Divided { names: &self.names, k: block.k, parts, subst, starts };
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

/// What is known in a block for a divisor that is so many times its length.
struct StripPart {
    times: i64,
    quotient: SubExp,
    start: Start,
}

/// Puts what is known in a block for quotients and remainders.
struct Divided<'n> {
    names: &'n VarSet,
    k: Var,
    /// By divisor.
    parts: FastMap<SubExp, StripPart>,
    subst: Subst,
    /// Remainders.
    starts: VarMap<Start>,
}

impl Divided<'_> {
    /// `start + k` is below a multiple of the block's length if `start` is. The outcome, if known.
    fn compare(&self, exp: &mut Exp) -> Option<bool> {
        let (rest, multiple, below) = match exp {
            Exp::CmpOp(CmpOp::SLt(I64), a, b) => (a, b, true),
            Exp::CmpOp(CmpOp::SLe(I64), b, a) => (a, b, false),
            _ => return None,
        };
        let times = self.parts.get(multiple)?.times;
        let start = self.starts.get(&rest.var()?)?;
        *rest = start.start;
        start.known.map(|at| (at < times) == below)
    }
}

impl Rewrite for Divided<'_> {
    fn var(&mut self, v: &mut Var) {
        self.subst.var(v);
    }

    fn subexp(&mut self, x: &mut SubExp) {
        self.subst.subexp(x);
    }

    fn stms(&mut self, list: &mut Vec<Stm>) {
        list.retain_mut(|s| {
            if let Some((SubExp::Var(v), divisor, which)) = division(&s.exp)
                && self.names.contains(&v)
                && let Some(part) = self.parts.get(&divisor)
                && let [p] = s.pat.as_slice()
            {
                // The certificates say that the divisor is not zero, which is known here.
                match which {
                    Which::Quotient => {
                        self.subst.insert(p.var, part.quotient);
                        return false;
                    }
                    Which::Remainder => {
                        let start = part.start;
                        if start.known == Some(0) {
                            self.starts.insert(self.k, start);
                            self.subst.insert(p.var, self.k);
                            return false;
                        }
                        s.certs.clear();
                        s.exp = Exp::BinOp(BinOp::Add(I64), start.start, self.k.into());
                        self.starts.insert(p.var, start);
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
