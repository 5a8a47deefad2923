//! Blocks of a range in which the high bits of the index have one value.
//!
//! ```text
//! segmap (i < n) {           b = d & -d                  the lowest bit of all masks
//!   j = i ^ d                … of the block from s = b · block, where i = s + k …
//!   c = i & d          →       j = (s ^ d) + k
//!   l = i & (d - 1)            c = s & d
//!   m = i ^ (d - 1)            l = (s & (d - 1)) + k
//! }                            m = (s ^ (d - 1)) - k
//! ```
//!
//! The networks of sorting and of transforms pair places that differ in one bit, or in all bits below
//! one, which is another one in each stage: then a block is a run of places whose partners are a run
//! as well. Nothing is asked of masks but that their bits below `b` are clear, for the index has just
//! `k` there; or that they are set, as they are in what is one less than a multiple of `b`.

use super::I64;
use super::block::Block;
use crate::ir::traverse::{Rewrite, Subst, Visit, rewrite, walk};
use crate::ir::varmap::VarSet;
use crate::ir::{BinOp, Builder, Const, Defs, Exp, KernelBody, Poly, Stm, SubExp, Var};

/// Shorter blocks do not pay.
const SHORTEST: i64 = 32;

/// Masks of an index.
pub(super) struct Bits {
    /// Those whose bits below the length of blocks are clear.
    high: Vec<SubExp>,
    /// Those whose bits there are set.
    low: Vec<SubExp>,
    /// The index, by all its names.
    names: VarSet,
}

/// The masks of an index in a body.
struct Masks {
    names: VarSet,
    inside: VarSet,
    found: Vec<(BinOp, SubExp)>,
}

impl Visit for Masks {
    fn bind(&mut self, v: &Var) {
        self.inside.insert(*v);
    }

    fn stm(&mut self, s: &Stm) {
        if let (Exp::SubExp(SubExp::Var(v)), [p]) = (&s.exp, s.pat.as_slice())
            && self.names.contains(v)
        {
            self.names.insert(p.var);
        }
        if let Some(found) = masked(&s.exp, &self.names)
            && !self.found.contains(&found)
        {
            self.found.push(found);
        }
        walk::stm(self, s);
    }
}

/// Operator and mask, if the other operand is the index.
fn masked(exp: &Exp, names: &VarSet) -> Option<(BinOp, SubExp)> {
    let Exp::BinOp(op @ (BinOp::And(I64) | BinOp::Or(I64) | BinOp::Xor(I64)), x, y) = exp else {
        return None;
    };
    let index = |x: &SubExp| x.var().is_some_and(|v| names.contains(&v));
    match (index(x), index(y)) {
        (true, false) => Some((*op, *y)),
        (false, true) => Some((*op, *x)),
        _ => None,
    }
}

impl Bits {
    /// The masks of a body, if there are any; `own` is the index of the map, which may be a part of a range.
    pub(super) fn of(index: Var, own: Var, body: &KernelBody, defs: &Defs) -> Option<Bits> {
        let names = [index].into_iter().collect();
        let inside = [index, own].into_iter().collect();
        let mut m = Masks { names, inside, found: Vec::new() };
        m.kernel_body(body);
        // Arithmetic with the lowest bits is left as it is.
        let outside = |x: &SubExp| match x {
            SubExp::Var(v) => !m.inside.contains(v),
            SubExp::Const(Const::I64(c)) => c & (SHORTEST - 1) == 0,
            SubExp::Const(_) => false,
        };
        let found: Vec<_> = m.found.iter().copied().filter(|(_, mask)| outside(mask)).collect();
        if found.iter().all(|(_, mask)| mask.var().is_none()) {
            return None;
        }
        let mut bits = Bits { high: Vec::new(), low: Vec::new(), names: m.names };
        for (_, mask) in &found {
            let constant = defs.expand(&Poly::leaf(*mask)).eval(&|_| 0);
            let masks = if constant == -1 { &mut bits.low } else { &mut bits.high };
            if !masks.contains(mask) {
                masks.push(*mask);
            }
        }
        Some(bits)
    }

    /// The length of blocks, and whether it is worth having them.
    pub(super) fn length(&self, b: &mut Builder) -> (SubExp, SubExp) {
        let (zero, one) = (SubExp::i64(0), SubExp::i64(1));
        let mut all = zero;
        let multiples = self.high.iter().map(|mask| (*mask, zero));
        for (mask, more) in multiples.chain(self.low.iter().map(|mask| (*mask, one))) {
            let multiple = b.add(mask, more);
            all = if all == zero { multiple } else { b.binop(BinOp::Or(I64), all, multiple) };
        }
        let minus = b.sub(zero, all);
        let by = b.binop(BinOp::And(I64), all, minus);
        let pays = b.le(SubExp::i64(SHORTEST), by);
        (by, pays)
    }

    /// Puts into the body what is known in a block; emits what that takes.
    pub(super) fn divide(&self, body: &mut KernelBody, block: Block, b: &mut Builder) {
        Masked { bits: self, block, b, subst: Subst::new() }.kernel_body(body);
    }
}

/// Puts what is known in a block for masked indexes.
struct Masked<'m> {
    bits: &'m Bits,
    block: Block,
    b: &'m mut Builder,
    subst: Subst,
}

impl Rewrite for Masked<'_> {
    fn var(&mut self, v: &mut Var) {
        self.subst.var(v);
    }

    fn subexp(&mut self, x: &mut SubExp) {
        self.subst.subexp(x);
    }

    fn stms(&mut self, list: &mut Vec<Stm>) {
        list.retain_mut(|s| {
            if let Some((op, mask)) = masked(&s.exp, &self.bits.names)
                && let [p] = s.pat.as_slice()
            {
                let set = self.bits.low.contains(&mask);
                if set || self.bits.high.contains(&mask) {
                    let start = self.b.binop(op, self.block.start, mask);
                    let k = self.block.k.into();
                    s.exp = match (op, set) {
                        (BinOp::And(_), false) | (BinOp::Or(_), true) => {
                            self.subst.insert(p.var, start);
                            return false;
                        }
                        (BinOp::Xor(_), true) => Exp::BinOp(BinOp::Sub(I64), start, k),
                        _ => Exp::BinOp(BinOp::Add(I64), start, k),
                    };
                    return true;
                }
            }
            rewrite::stm(self, s);
            true
        });
    }
}
