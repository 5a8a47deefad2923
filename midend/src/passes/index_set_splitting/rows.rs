//! What of the body of a map over several dimensions is the same all along a row.
//!
//! ```text
//! segmap (i < n, j < m) {                segmap (i < n) {
//!   first = eq(i, 0)                       first = eq(i, 0)
//!   k = i - 1                              k = i - 1
//!   r = if first { in 0 } else {    →      … the pieces of the row:
//!     x = xs[k, j] … in y                  segmap (j < m) {
//!   }                                        r = if first { in 0 } else { … }
//!   in (return r)                            in (return r)
//! }                                        } … }
//! ```
//!
//! Whole numbers and truth values that do not depend on the innermost index are computed before the
//! row, those of branches too: nothing is lost if a branch is not taken, as they cannot fail.

use crate::ir::traverse::free_in_stm;
use crate::ir::varmap::VarSet;
use crate::ir::{Const, Exp, KernelBody, Prim, Stm, SubExp, Type, Var};

/// The statements that are the same for all indexes of the innermost dimension, in order, and the body
/// without them.
pub(super) fn apart(index: Var, body: &KernelBody) -> (Vec<Stm>, KernelBody) {
    let mut body = body.clone();
    let mut rows = Rows { varying: [index].into_iter().collect(), before: Vec::new() };
    rows.stms(&mut body.stms);
    (rows.before, body)
}

struct Rows {
    /// The index, and what statements that stay bind.
    varying: VarSet,
    before: Vec<Stm>,
}

impl Rows {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        for mut s in std::mem::take(stms) {
            if harmless(&s) && free_in_stm(&s).iter().all(|v| !self.varying.contains(v)) {
                self.before.push(s);
                continue;
            }
            if let Exp::Match { cases, default, .. } = &mut s.exp {
                for body in cases.iter_mut().map(|c| &mut c.1).chain([default]) {
                    self.stms(&mut body.stms);
                }
            }
            self.varying.extend(s.pat.iter().map(|p| p.var));
            stms.push(s);
        }
    }
}

/// Whether a statement costs little and cannot fail.
fn harmless(s: &Stm) -> bool {
    let scalars = s.pat.iter().all(|p| match p.ty {
        Type::Prim(Prim::Int(_) | Prim::Bool) => true,
        Type::Prim(Prim::Float(_)) | Type::Array { .. } | Type::Cert | Type::Mem(_) => false,
    });
    scalars
        && match &s.exp {
            Exp::BinOp(op, _, by) => {
                let positive = |c: &Const| c.as_int().is_some_and(|c| c > 0);
                !op.is_partial() || matches!(by, SubExp::Const(c) if positive(c))
            }
            Exp::SubExp(_) | Exp::CmpOp(..) | Exp::UnOp(..) | Exp::ConvOp(..) => true,
            Exp::Match { cases, default, .. } => {
                cases.iter().map(|c| &c.1).chain([default]).all(|b| b.stms.iter().all(harmless))
            }
            _ => false,
        }
}
