//! Integers of the host's in tasks, and in other functions that run operations of it.
//!
//! ```text
//! m = shl 1, s                         m = shl 1, s
//! task_0(room)       with room[0] = m  task_0(room)      with room[0] = s
//!   m = room[0]                    →     s = room[0]
//!                                        m = shl 1, s
//! ```
//!
//! A task finds what it needs from outside in words, of which LLVM knows nothing: not that a divisor is a power of two, nor that one
//! size is another one and 1. So integers are made there again of what the host makes them of, a few operations back. Steps of
//! a Fourier transform, which divide by `1 << s`, took 1.27 of the time of one thread's code before.

use super::function::{Function, Outer};
use crate::Error;
use crate::dialect::{InsertionPoint, Val};
use futc_midend::ir::traverse::{for_each_block, free_in};
use futc_midend::ir::varmap::VarMap;
use futc_midend::ir::{CmpOp, Exp, PatElem, Prim, Stm, Type, Var};

type Result<T> = std::result::Result<T, Error>;

/// Operations from an integer to what it is made of that a task repeats.
const LONGEST_CHAIN: usize = 6;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// An integer of the host's in a task, made of what the host makes it of: LLVM knows then that one index is another one and 1, or
    /// that a divisor is a power of two. A word that is read could be anything.
    pub(super) fn made_again(&mut self, v: Var) -> Result<Option<Val<'c>>> {
        self.made_by(v, LONGEST_CHAIN)
    }

    fn made_by(&mut self, v: Var, longest: usize) -> Result<Option<Val<'c>>> {
        let Some(Outer { env, remakes: true, .. }) = &self.outer else {
            return Ok(None);
        };
        let (env, Some(stm)) = (*env, self.m.integers.get(&v).copied()) else { return Ok(None) };
        let operands = free_in(|f| f.exp(&stm.exp));
        let known = |v: &Var| self.env.contains_key(v) || env.contains_key(v);
        if !operands.iter().all(known) {
            return Ok(None);
        }
        for x in operands {
            if !self.env.contains_key(&x) {
                let made = match longest.checked_sub(1) {
                    Some(less) => self.made_by(x, less)?,
                    None => None,
                };
                if made.is_none() {
                    self.handed_over(x)?;
                }
            }
        }
        let here = self.b.go(InsertionPoint::at_end(self.entry));
        let made = self.expression(stm);
        self.b.go(here);
        made?;
        Ok(self.env.get(&v).copied())
    }
}

/// The statements that make integers, by what they bind.
pub(super) fn integers(stms: &[Stm]) -> VarMap<&Stm> {
    let mut found = VarMap::default();
    add_integers(stms, &mut found);
    found
}

fn add_integers<'p>(stms: &'p [Stm], found: &mut VarMap<&'p Stm>) {
    for s in stms {
        if let [PatElem { var, ty: Type::Prim(Prim::Int(_) | Prim::Bool), .. }] = s.pat.as_slice()
            && is_repeatable(&s.exp)
        {
            found.insert(*var, s);
        }
        for_each_block(&s.exp, &mut |stms| add_integers(stms, found));
    }
}

/// Whether an operation makes an integer, or a truth value, of integers, and cannot fail where it has been computed before.
fn is_repeatable(e: &Exp) -> bool {
    let whole = |p: Prim| matches!(p, Prim::Int(_) | Prim::Bool);
    match e {
        Exp::BinOp(op, ..) => whole(op.prim()),
        Exp::CmpOp(op, ..) => match op {
            CmpOp::Eq(p) => whole(*p),
            CmpOp::FLt(_) | CmpOp::FLe(_) => false,
            CmpOp::ULt(_) | CmpOp::ULe(_) | CmpOp::SLt(_) | CmpOp::SLe(_) => true,
            CmpOp::LLt | CmpOp::LLe => true,
        },
        Exp::ConvOp(op, _) => {
            let (from, to) = op.types();
            whole(from) && whole(to)
        }
        // One of two integers.
        Exp::Match { scrutinee: _, cases, default } => {
            cases.iter().map(|c| &c.1).chain([default]).all(|body| body.stms.is_empty())
        }
        _ => false,
    }
}
