//! What the numbers of a program are sums of, so that `a - 2` can be seen to be one less than
//! `a - 1`, wherever each is computed.

use crate::ir::traverse::{Visit, walk};
use crate::ir::varmap::VarMap;
use crate::ir::{CmpOp, Defs, Exp, IntType, Poly, Prim, Program, Stm, SubExp};

/// The sums and the comparisons.
#[derive(Default)]
pub(crate) struct SizeFacts {
    defs: Defs,
    equal: VarMap<(SubExp, SubExp)>,
}

impl Visit for SizeFacts {
    fn stm(&mut self, s: &Stm) {
        if let ([p], Exp::CmpOp(CmpOp::Eq(Prim::Int(IntType::I64)), a, b)) =
            (s.pat.as_slice(), &s.exp)
        {
            self.equal.insert(p.var, (*a, *b));
        }
        self.defs.learn(&s.pat, &s.exp);
        walk::stm(self, s);
    }
}

impl SizeFacts {
    /// Those of a program.
    pub(crate) fn of_program(p: &Program) -> SizeFacts {
        let mut known = SizeFacts::default();
        known.body(&p.consts);
        for f in &p.funs {
            known.fun(f);
        }
        known
    }

    /// What an `i64` comes to.
    pub(crate) fn sum(&self, x: SubExp) -> Poly {
        self.defs.expand(&Poly::leaf(x))
    }

    /// Whether `condition` says that `x` is zero.
    pub(crate) fn says_zero(&self, condition: SubExp, x: SubExp) -> bool {
        let Some((a, b)) = condition.var().and_then(|v| self.equal.get(&v)) else { return false };
        let (difference, x) = (self.sum(*a).sub(&self.sum(*b)), self.sum(x));
        difference == x || difference.add(&x).is_zero()
    }
}
