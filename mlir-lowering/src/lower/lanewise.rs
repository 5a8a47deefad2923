//! Operators of reductions and scans on vectors of operands: every lane by itself.
//!
//! Operators are small and without side effects. Those of straight code can be applied to whole
//! vectors: both sides of a branch are computed, and lanes choose.

use super::function::Function;
use super::scalar::known_integer;
use crate::Error;
use crate::dialect::{Val, lanes_of};
use futc_midend::ir::{Body, Const, Exp, Lambda, Stm, SubExp};
use melior::ir::ValueLike;

type Result<T> = std::result::Result<T, Error>;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// Applies an operator to vectors, of which there is [`futc_midend::analysis::bodies::lanewise_size`].
    pub fn apply_lanewise(
        &mut self,
        op: &'p Lambda,
        accumulators: &[Val<'c>],
        elements: &[Val<'c>],
        lanes: i64,
    ) -> Result<Vec<Val<'c>>> {
        for (p, v) in op.params.iter().zip(accumulators.iter().chain(elements)) {
            self.env.insert(p.var, *v);
        }
        self.body_lanewise(&op.body, lanes)
    }

    fn body_lanewise(&mut self, body: &'p Body, lanes: i64) -> Result<Vec<Val<'c>>> {
        for stm in &body.stms {
            self.licensed(stm, |f| f.stm_lanewise(stm, lanes))?;
        }
        body.result.iter().map(|x| self.operand_lanewise(*x, lanes)).collect()
    }

    fn stm_lanewise(&mut self, stm: &'p Stm, lanes: i64) -> Result<()> {
        let value = match &stm.exp {
            Exp::Match { scrutinee, cases, default } => {
                let [(Const::Bool(on), case)] = cases.as_slice() else {
                    return Err(Error::bug("a branch of many cases on vectors"));
                };
                let (case, default) =
                    (self.body_lanewise(case, lanes)?, self.body_lanewise(default, lanes)?);
                let (yes, no) = if *on { (case, default) } else { (default, case) };
                let mask = self.operand_lanewise(*scrutinee, lanes)?;
                for (p, (yes, no)) in stm.pat.iter().zip(yes.into_iter().zip(no)) {
                    let value = self.b.select(mask, yes, no)?;
                    self.env.insert(p.var, value);
                }
                return Ok(());
            }
            Exp::SubExp(x) => self.operand_lanewise(*x, lanes)?,
            Exp::UnOp(op, x) => {
                let x = self.operand_lanewise(*x, lanes)?;
                self.un_op(*op, x)?
            }
            Exp::BinOp(op, x, y) => {
                let known = known_integer(*y);
                let (x, y) = (self.operand_lanewise(*x, lanes)?, self.operand_lanewise(*y, lanes)?);
                self.bin_op_of(*op, x, y, known)?
            }
            Exp::CmpOp(op, x, y) => {
                let (x, y) = (self.operand_lanewise(*x, lanes)?, self.operand_lanewise(*y, lanes)?);
                self.cmp_op(*op, x, y)?
            }
            Exp::ConvOp(op, x) => {
                let x = self.operand_lanewise(*x, lanes)?;
                self.conv_op(*op, x)?
            }
            _ => return Err(Error::bug("an operation that vectors do not have")),
        };
        if let Some(p) = stm.pat.first() {
            self.env.insert(p.var, value);
        }
        Ok(())
    }

    fn operand_lanewise(&mut self, x: SubExp, lanes: i64) -> Result<Val<'c>> {
        let width = u64::try_from(lanes).map_err(Error::bug)?;
        let vector = |scalar| melior::ir::Type::vector(&[width], scalar);
        match x {
            SubExp::Const(c) => self.b.constant_in(vector(self.b.types().prim(c.prim())), c),
            SubExp::Var(_) => {
                let value = self.operand(x)?;
                match lanes_of(value.r#type()) {
                    Some(_) => Ok(value),
                    None => self.b.vector_broadcast(value, vector(value.r#type())),
                }
            }
        }
    }
}
