//! New statements.

use super::simplifier::Simplifier;
use super::step::step;
use crate::ir::{BinOp, Exp, IntType, PatElem, Stm, SubExp, Type, typing};

impl Simplifier {
    /// Binds a new statement, or yields what it comes to.
    pub(super) fn emit(&mut self, base: &str, exp: Exp, like: &Stm, out: &mut Vec<Stm>) -> SubExp {
        let exp = match step(self, &exp) {
            Some((e, certs)) if certs.is_empty() => e,
            _ => exp,
        };
        if let Exp::SubExp(x) = exp {
            return x;
        }
        let ty = match typing::exp_types(&exp, self) {
            Ok(mut ts) => ts.pop().unwrap_or(Type::I64),
            Err(_) => Type::I64,
        };
        let var = self.names.fresh(base);
        let stm = Stm {
            schedule: None,
            pat: vec![PatElem::new(var, ty.clone())],
            exp,
            certs: Vec::new(),
            attrs: Vec::new(),
            loc: like.loc,
        };
        self.types.insert(var, ty);
        self.define(&stm);
        out.push(stm);
        var.into()
    }

    /// `x + y` at `i64`.
    pub(super) fn add(&mut self, x: SubExp, y: SubExp, like: &Stm, out: &mut Vec<Stm>) -> SubExp {
        self.emit("i", Exp::BinOp(BinOp::Add(IntType::I64), x, y), like, out)
    }

    /// `x * y` at `i64`.
    pub(super) fn mul(&mut self, x: SubExp, y: SubExp, like: &Stm, out: &mut Vec<Stm>) -> SubExp {
        self.emit("i", Exp::BinOp(BinOp::Mul(IntType::I64), x, y), like, out)
    }
}
