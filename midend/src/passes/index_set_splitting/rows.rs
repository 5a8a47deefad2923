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
//! row, those of branches too: nothing is lost if a branch is not taken, as they cannot fail. So are divisions
//! that every point makes, though a row may have no points and the divisor be zero then: one is put in the
//! place of zero. LLVM leaves divisions where they are for that reason.

use crate::ir::traverse::free_in_stm;
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, Const, Exp, IntType, KernelBody, NameSource, PatElem, Prim, Stm, SubExp, Type, Var,
};
use std::borrow::Cow;

/// What is computed before each row, if there are dimensions around it, and the body without that.
pub(super) fn of_row<'b>(
    outer: usize,
    row: &[(Var, SubExp)],
    body: &'b KernelBody,
    names: &mut NameSource,
) -> (Vec<Stm>, Cow<'b, KernelBody>) {
    if outer == 0 {
        return (Vec::new(), Cow::Borrowed(body));
    }
    let (before, body) = apart(row, body, names);
    (before, Cow::Owned(body))
}

/// The statements that are the same for all indexes of the innermost dimensions `row`, in order, and the body
/// without them.
pub(super) fn apart(
    row: &[(Var, SubExp)],
    body: &KernelBody,
    names: &mut NameSource,
) -> (Vec<Stm>, KernelBody) {
    let mut body = body.clone();
    let mut rows = Rows { names, varying: row.iter().map(|d| d.0).collect(), before: Vec::new() };
    rows.stms(&mut body.stms, true);
    (rows.before, body)
}

struct Rows<'n> {
    names: &'n mut NameSource,
    /// The index, and what statements that stay bind.
    varying: VarSet,
    before: Vec<Stm>,
}

impl Rows<'_> {
    /// Takes out what it can of statements, which every point comes by or not.
    fn stms(&mut self, stms: &mut Vec<Stm>, always: bool) {
        for mut s in std::mem::take(stms) {
            if free_in_stm(&s).iter().all(|v| !self.varying.contains(v)) {
                if harmless(&s) {
                    self.before.push(s);
                    continue;
                }
                if always && let Some(divisor) = divisor(&mut s) {
                    let safe = self.names.fresh("divisor");
                    let least = SubExp::Const(Const::int(divisor.1, 1));
                    let exp = Exp::BinOp(BinOp::UMax(divisor.1), *divisor.0, least);
                    let ty = Type::Prim(Prim::Int(divisor.1));
                    let pat = vec![PatElem::new(safe, ty)];
                    *divisor.0 = safe.into();
                    let certs = s.certs.clone();
                    self.before.push(Stm { certs, loc: s.loc, ..Stm::new(pat, exp) });
                    self.before.push(s);
                    continue;
                }
            }
            if let Exp::Match { cases, default, .. } = &mut s.exp {
                for body in cases.iter_mut().map(|c| &mut c.1).chain([default]) {
                    self.stms(&mut body.stms, false);
                }
            }
            self.varying.extend(s.pat.iter().map(|p| p.var));
            stms.push(s);
        }
    }
}

/// The divisor of a statement that divides, with its type.
fn divisor(s: &mut Stm) -> Option<(&mut SubExp, IntType)> {
    match &mut s.exp {
        Exp::BinOp(
            BinOp::SDiv(ty)
            | BinOp::SMod(ty)
            | BinOp::SQuot(ty)
            | BinOp::SRem(ty)
            | BinOp::UDiv(ty)
            | BinOp::UMod(ty),
            _,
            by,
        ) => Some((by, *ty)),
        _ => None,
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
