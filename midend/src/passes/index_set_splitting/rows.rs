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
//! place of zero. LLVM leaves divisions where they are for that reason. And so are whole numbers that every point reads at the same place, such as
//! a distance that the index is moved by, if there are points: only then is there certain to be such a place.

use crate::ir::traverse::free_in_stm;
use crate::ir::varmap::VarSet;
use crate::ir::{
    BinOp, Body, CmpOp, Const, Exp, IntType, KernelBody, NameSource, PatElem, Prim, Stm, SubExp,
    Type, Var,
};
use std::borrow::Cow;

/// What is computed before each row, if there are dimensions around it, and the body without that.
pub(super) fn of_row<'b>(
    outer: usize,
    row: &[(Var, SubExp)],
    body: &'b KernelBody,
    names: &mut NameSource,
) -> (Vec<Stm>, Cow<'b, KernelBody>) {
    let reads = || body.stms.iter().any(|s| matches!(s.exp, Exp::Index { .. }) && is_integer(s));
    if outer == 0 && !reads() {
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
    let varying = row.iter().map(|d| d.0).collect();
    let sizes = row.iter().map(|d| d.1).collect();
    let mut rows = Rows { names, varying, sizes, before: Vec::new() };
    rows.stms(&mut body.stms, true);
    (rows.before, body)
}

struct Rows<'n> {
    names: &'n mut NameSource,
    /// The index, and what statements that stay bind.
    varying: VarSet,
    /// What indexes are below.
    sizes: Vec<SubExp>,
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
                if always && matches!(s.exp, Exp::Index { .. }) && is_integer(&s) {
                    let guarded = self.guarded(s);
                    self.before.push(guarded);
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

impl Rows<'_> {
    /// A read, if there are points that make it.
    fn guarded(&mut self, s: Stm) -> Stm {
        let mut all = SubExp::bool(true);
        for n in self.sizes.clone() {
            let positive = self.names.fresh("positive");
            let some = Exp::CmpOp(CmpOp::SLt(IntType::I64), SubExp::i64(0), n);
            let bound = |v| vec![PatElem::new(v, Type::BOOL)];
            self.before.push(Stm { loc: s.loc, ..Stm::new(bound(positive), some) });
            all = if all == SubExp::bool(true) {
                positive.into()
            } else {
                let both = self.names.fresh("positive");
                let exp = Exp::BinOp(BinOp::LogAnd, all, positive.into());
                self.before.push(Stm { loc: s.loc, ..Stm::new(bound(both), exp) });
                both.into()
            };
        }
        let zero = s
            .pat
            .first()
            .and_then(|p| p.ty.elem())
            .map_or(SubExp::i64(0), |elem| SubExp::Const(Const::zero(elem)));
        let inside = s.pat.iter().map(|p| PatElem::new(self.names.like(p.var), p.ty.clone()));
        let inside: Vec<PatElem> = inside.collect();
        let result = inside.iter().map(|p| p.var.into()).collect();
        let read = Stm { pat: inside, ..s.clone() };
        let case = (Const::Bool(true), Body { stms: vec![read], result });
        let default = Body { stms: Vec::new(), result: vec![zero] };
        let exp = Exp::Match { scrutinee: all, cases: vec![case], default };
        Stm { loc: s.loc, ..Stm::new(s.pat, exp) }
    }
}

/// Whether what a statement binds is a whole number, and it needs no check.
fn is_integer(s: &Stm) -> bool {
    s.certs.is_empty()
        && matches!(s.pat.as_slice(), [p] if matches!(p.ty, Type::Prim(Prim::Int(_))))
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
