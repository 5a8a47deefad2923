//! Elements of arrays.

use super::Maker;
use crate::parts;
use crate::tree::{Expr, Part};
use crate::types::{Size, Ty};

impl Maker {
    /// An element or row of an array in scope. The index is in bounds by the way it is made.
    pub fn element(&mut self, ty: &Ty) -> Option<Expr> {
        if let Some(e) = self.element_of_matrix(ty) {
            return Some(e);
        }
        let i = self.some_var(|v| matches!(&v.ty, Ty::Array(_, t) if **t == *ty))?;
        let xs = self.mention(i);
        let Ty::Array(n, _) = xs.ty.clone() else { return None };
        let groups = xs.groups.clone();
        let (guard, at) = self.index(&n);
        let Some(guard) = guard else {
            return Some(Expr::shared(ty, groups, parts![xs, "[", at, "]"]));
        };
        let other = self.leaf(ty);
        let groups = groups.into_iter().chain(other.groups.iter().copied()).collect();
        let parts = parts!["if ", guard, " > 0 then ", xs, "[", at, "] else ", other];
        Some(Expr::shared(ty, groups, parts))
    }

    fn element_of_matrix(&mut self, ty: &Ty) -> Option<Expr> {
        if !self.r.one_in(3) {
            return None;
        }
        let i = self.some_var(|v| match &v.ty {
            Ty::Array(_, t) => matches!(&**t, Ty::Array(_, t) if **t == *ty),
            _ => false,
        })?;
        let xss = self.mention(i);
        let Ty::Array(n, t) = xss.ty.clone() else { return None };
        let Ty::Array(m, _) = *t else { return None };
        let groups = xss.groups.clone();
        let ((g, a), (h, b)) = (self.index(&n), self.index(&m));
        let whole = Expr::shared(ty, groups.clone(), parts![xss, "[", a, ", ", b, "]"]);
        let guard = match (g, h) {
            (None, None) => return Some(whole),
            (Some(g), None) | (None, Some(g)) => parts![g, " > 0"],
            (Some(g), Some(h)) => parts![g, " > 0 && ", h, " > 0"],
        };
        let other = self.leaf(ty);
        let groups = groups.into_iter().chain(other.groups.iter().copied()).collect();
        let mut parts = parts!["if "];
        parts.extend(guard);
        parts.extend(parts![" then ", whole, " else ", other]);
        Some(Expr::shared(ty, groups, parts))
    }

    /// An index into arrays of a size; and that size, if the index is only valid where it is not 0.
    pub fn index(&mut self, n: &Size) -> (Option<Part>, Expr) {
        let word = |text: String| Expr::new(&Ty::I64, parts![text]);
        let known = self.some_var(|v| v.below.as_ref() == Some(n));
        if let Some(i) = known
            && !self.r.one_in(4)
        {
            let e = self.mention(i);
            if self.r.one_in(4) {
                let e = Expr::new(&Ty::I64, parts![Maker::size_text(n), " - 1 - ", e]);
                return (None, e);
            }
            return (None, e);
        }
        if let Size::Const(k @ 1..) = n {
            if self.r.one_in(2) {
                let k = self.r.between(0, k - 1);
                return (None, word(format!("{k}i64")));
            }
            let i = self.expr(&Ty::I64);
            return (None, Expr::new(&Ty::I64, parts![i, format!(" % {k}i64")]));
        }
        let size = Maker::size_text(n);
        let i = match self.r.below(4) {
            0 => word("0i64".into()),
            1 => Expr::new(&Ty::I64, parts![size.clone(), " - 1"]),
            _ => {
                let i = self.expr(&Ty::I64);
                Expr::new(&Ty::I64, parts![i, " % ", size.clone()])
            }
        };
        (Some(size), i)
    }
}
