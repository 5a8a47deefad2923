//! Lower bits of an index: those of what is made of it by sums and products are computed from the lower bits of the index
//! inside of a task's range.
//!
//! ```text
//! i = k + lo                  i = k + lo
//! x = 2 * i + 1          →    k' = u32 k;  i' = k' + u32 lo      (lo does not change: u32 lo is computed before)
//! y = u32 x                   y = 2 * i' + 1
//! ```
//!
//! Vectors have more lanes for these than for whole sums, and what LLVM finds for an index that is counted by, it does not
//! find for a sum.

use super::space::I64;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{BinOp, Builder, ConvOp, Exp, IntType, PatElem, Prim, Stm, SubExp, Type, Var};

/// Of more operations, the lower bits are taken at the end.
const MOST_OPERATIONS: usize = 8;

/// What is made of an index.
struct Made {
    exp: Exp,
    operations: usize,
}

/// The index in the whole and in the range, where the range begins, and what is made of the index.
struct LowBits<'b> {
    whole: Var,
    part: Var,
    first: SubExp,
    made: VarMap<Made>,
    b: &'b mut Builder,
}

/// Computes lower bits of an index and what is made of it as said above.
pub(super) fn narrow(
    stms: &mut Vec<Stm>,
    (whole, part): (Var, Var),
    first: SubExp,
    b: &mut Builder,
) {
    let mut low = LowBits { whole, part, first, made: VarMap::default(), b };
    let bound: VarSet = stms.iter().flat_map(|s| &s.pat).map(|p| p.var).collect();
    let mut out = Vec::with_capacity(stms.len());
    for mut s in std::mem::take(stms) {
        match (&s.exp, s.pat.as_slice()) {
            (Exp::ConvOp(op @ (ConvOp::ZExt(I64, ty) | ConvOp::SExt(I64, ty)), x), _)
                if *ty != I64 && low.operations(*x).is_some() =>
            {
                let value = low.of(*x, (*op, *ty), &mut out);
                s.exp = Exp::SubExp(value);
            }
            (exp, [p]) => low.learn(p.var, exp, &bound),
            _ => {}
        }
        out.push(s);
    }
    *stms = out;
}

impl LowBits<'_> {
    /// How many operations a value is made by, if it is made of the index.
    fn operations(&self, x: SubExp) -> Option<usize> {
        let v = x.var()?;
        if v == self.whole { Some(0) } else { self.made.get(&v).map(|m| m.operations) }
    }

    fn learn(&mut self, v: Var, exp: &Exp, bound: &VarSet) {
        let operations = match *exp {
            Exp::SubExp(x) => self.operations(x),
            Exp::BinOp(BinOp::Add(I64) | BinOp::Sub(I64) | BinOp::Mul(I64), x, y) => {
                match (self.operations(x), self.operations(y)) {
                    (None, None) => None,
                    (Some(n), Some(m)) => Some(n + m + 1),
                    (Some(n), None) if self.is_constant(y, bound) => Some(n + 1),
                    (None, Some(n)) if self.is_constant(x, bound) => Some(n + 1),
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(operations) = operations.filter(|n| *n <= MOST_OPERATIONS) {
            self.made.insert(v, Made { exp: exp.clone(), operations });
        }
    }

    /// Whether a value is the same at all points, as far as that is plain.
    fn is_constant(&self, x: SubExp, bound: &VarSet) -> bool {
        x.var().is_none_or(|v| v != self.part && !bound.contains(&v))
    }

    /// The lower bits of a value, by statements of the body.
    fn of(&mut self, x: SubExp, (op, ty): (ConvOp, IntType), out: &mut Vec<Stm>) -> SubExp {
        let mut bind = |b: &mut Builder, like: Var, exp: Exp| {
            let low = PatElem::new(b.names.like(like), Type::Prim(Prim::Int(ty)));
            let var = low.var;
            out.push(Stm::new(vec![low], exp));
            SubExp::Var(var)
        };
        if x == self.whole.into() {
            let k = bind(self.b, self.part, Exp::ConvOp(op, self.part.into()));
            let first = self.b.conv(op, self.first);
            return bind(self.b, self.whole, Exp::BinOp(BinOp::Add(ty), k, first));
        }
        let made = x.var().and_then(|v| Some((v, self.made.get(&v)?.exp.clone())));
        let (operator, v, x, y) = match made {
            Some((_, Exp::SubExp(x))) => return self.of(x, (op, ty), out),
            Some((v, Exp::BinOp(BinOp::Add(_), x, y))) => (BinOp::Add(ty), v, x, y),
            Some((v, Exp::BinOp(BinOp::Sub(_), x, y))) => (BinOp::Sub(ty), v, x, y),
            Some((v, Exp::BinOp(_, x, y))) => (BinOp::Mul(ty), v, x, y),
            Some(_) | None => {
                // Outer indexes are bound by the operation.
                return match x {
                    SubExp::Const(_) => self.b.conv(op, x),
                    SubExp::Var(v) => bind(self.b, v, Exp::ConvOp(op, x)),
                };
            }
        };
        let x = self.of(x, (op, ty), out);
        let y = self.of(y, (op, ty), out);
        let low = PatElem::new(self.b.names.like(v), Type::Prim(Prim::Int(ty)));
        let var = low.var;
        out.push(Stm::new(vec![low], Exp::BinOp(operator, x, y)));
        SubExp::Var(var)
    }
}
