//! Maps of which some points divide what is the same in all of them: what other points do must not decide the quotient.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// Quotients or remainders of two values from outside of the map, or elements at such a place.
    pub fn divided_where(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Scalar(Scalar::Exact(p)) = elem else { return None };
        if !p.is_int() || !self.affords(self.estimate(n)) {
            return None;
        }
        let ty = Ty::array(n, elem.clone());
        let (xs, i) = (self.name("xs"), self.name("at"));
        let (c, d) = (self.name("x"), self.name("x"));
        let made = self.short(|m| m.expr(&ty));
        let (dividend, divisor) = (self.short(|m| m.expr(elem)), self.short(|m| m.expr(elem)));
        let size = n.to_text();
        let k = self.r.below(12);
        let holds = match self.r.below(5) {
            0 => format!("{i} == {k}"),
            1 => format!("{i} >= {k}"),
            2 => format!("{i} % 3 == {}", k % 3),
            3 => format!("{xs}[{i}] > {c}"),
            _ => format!("{xs}[{size} - 1 - {i}] != {d}"),
        };
        let op = self.r.of(["/", "%", "//", "%%"]);
        let point = match self.r.below(3) {
            0 => format!("{c} {op} {d}"),
            1 => format!("({c} {op} {d}) * 3 + {xs}[{i}]"),
            _ => format!("{xs}[(i64.{p} {c} {op} i64.{p} {d}) % {size}]"),
        };
        let other = if self.r.one_in(2) { format!("{xs}[{i}]") } else { format!("0{p}") };
        Some(Expr::new(
            &ty,
            parts![
                format!("let {xs} : {ty} = "),
                made,
                format!("\nlet {c} : {p} = "),
                dividend,
                format!("\nlet {d} : {p} = "),
                divisor,
                format!(
                    "\nin tabulate {size} (\\{i} -> if {d} != 0 && {holds} then {point} else {other})"
                )
            ],
        ))
    }
}
