//! Checks of sizes, and the invariant that they keep.
//!
//! Every dimension of an array in scope is a constant, a dimension of a parameter, or has been
//! checked, by an assertion of the kind [`AssertKind::Size`] in this body or one around it, not to be
//! negative. Such an assertion is made whenever the body it stands in is run, whether or not the
//! array is needed in the end: passes replace arrays of which only the size is wanted by that
//! size, and what is then made of it relies on the check.
//!
//! A size that was checked in a body further inside (of a map, whose rows have it; of a branch;
//! of a function) is checked again behind it, as that body may be dead, or not be run at all.
//! The same goes for payloads that are not there: arrays of sums hold something of their size.

use super::builder::{size, text};
use super::spec::Spec;
use super::value::Value;
use crate::ir::{AssertKind, CmpOp, Exp, IntType, MsgPart, PatElem, Stm, SubExp, Var};

impl Spec<'_> {
    /// As [`Self::check`], for what sizes rely on.
    pub(super) fn check_size(&mut self, cond: SubExp, msg: Vec<MsgPart>) -> Vec<Var> {
        let certs = self.check(cond, msg);
        self.mark_checks(&certs, AssertKind::Size);
        certs
    }

    /// As [`Self::check_size`], that these dimensions, of which `msg` tells, are not negative.
    pub(super) fn check_dims(&mut self, dims: &[SubExp], msg: &dyn Fn(SubExp) -> Vec<MsgPart>) {
        for &d in dims {
            if !self.is_size(d) {
                let ok = self.le(SubExp::i64(0), d);
                let certs = self.check_size(ok, msg(d));
                self.note_size(d, &certs);
            }
        }
    }

    /// What a statement yields has dimensions as all arrays have, whether or not anything is left
    /// of the code that made it.
    pub(super) fn check_result(&mut self, value: &Value) {
        let mut dims = Vec::new();
        self.real_dims(value, &mut dims);
        self.check_shape(&dims);
    }

    /// Dimensions of an array that stands for none in the source, or that nothing else is said of.
    pub(super) fn check_shape(&mut self, dims: &[SubExp]) {
        self.check_dims(dims, &|d| vec![text("Negative size of an array: "), size(d), text(".")]);
    }

    /// The rows of a map have sizes as all arrays have, even if there are none: what the function
    /// checks of them in its own right is checked before.
    pub(super) fn check_rows(&mut self, rows: &[SubExp], stms: &[Stm]) {
        let depth = self.depth();
        for &d in rows.iter().filter(|d| !self.is_size(**d)).collect::<Vec<_>>() {
            let Some(inner) = find_check(stms, d) else { continue };
            let Exp::Assert { msg, .. } = &inner.exp else { continue };
            let told = msg.iter().all(|m| match m {
                MsgPart::Value(x, _) => self.visible(*x, depth),
                MsgPart::Text(_) => true,
            });
            if !told {
                continue;
            }
            let ok = self.le(SubExp::i64(0), d);
            let certs = self.check_size(ok, msg.clone());
            self.set_loc(&certs, inner.loc);
            self.note_size(d, &certs);
        }
    }

    /// Whether something in scope says that `d` is not negative.
    pub(super) fn is_size(&self, d: SubExp) -> bool {
        match d {
            SubExp::Const(c) => c.as_int().is_some_and(|c| c >= 0),
            SubExp::Var(_) => self.size_certs(d).is_some(),
        }
    }

    /// The certificates of the dimensions, for what reckons with them.
    pub(super) fn certs_of(&self, dims: &[SubExp]) -> Vec<Var> {
        let mut out: Vec<Var> = Vec::new();
        for d in dims {
            for c in self.size_certs(*d).unwrap_or_default() {
                if !out.contains(c) {
                    out.push(*c);
                }
            }
        }
        out
    }

    /// The dimensions of a parameter are those of an array that exists.
    pub(super) fn note_param(&mut self, value: &Value) {
        let mut dims = Vec::new();
        self.real_dims(value, &mut dims);
        for d in dims {
            self.note_size(d, &[]);
        }
    }

    /// The dimensions of the arrays in a value, payloads that are not there included: what stands for them
    /// is checked where it is made.
    fn real_dims(&self, value: &Value, out: &mut Vec<SubExp>) {
        match value {
            Value::Leaf(l) => out.extend(self.shape(*l)),
            Value::Record(fields) => fields.iter().for_each(|(_, v)| self.real_dims(v, out)),
            Value::Sum(ls) => out.extend(ls.iter().flat_map(|l| self.shape(*l))),
            Value::Constr(..) | Value::Fun(_) => {}
        }
    }

    /// What is known of sizes behind a statement.
    pub(super) fn note_statement(&mut self, pat: &[PatElem], exp: &Exp, certs: &[Var]) {
        match exp {
            // Other names, and what `check_result` sees to.
            Exp::SubExp(_)
            | Exp::Soac(_)
            | Exp::Match { .. }
            | Exp::Loop { .. }
            | Exp::Call { .. } => {}
            _ => {
                for p in pat {
                    for d in p.ty.shape().to_vec() {
                        self.note_size(d, certs);
                    }
                }
            }
        }
    }
}

/// The check, among these statements, that a size is not negative.
pub(super) fn find_check(stms: &[Stm], d: SubExp) -> Option<&Stm> {
    let says_so = |cond: Var| {
        stms.iter().any(|s| {
            matches!(s.exp, Exp::CmpOp(CmpOp::SLe(IntType::I64), a, b) if a == SubExp::i64(0) && b == d)
                && s.pat.iter().any(|p| p.var == cond)
        })
    };
    stms.iter().find(|s| matches!(s.exp, Exp::Assert { cond: SubExp::Var(c), .. } if says_so(c)))
}
