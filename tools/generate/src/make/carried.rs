//! Loops that carry two arrays and consume them: what a round hands to the next is one of the two, the other, a copy, an
//! array that is the same in every round, or what a function or a branch hands back.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// One of the arrays that such a loop ends with, of whole numbers.
    pub fn carried(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Scalar(Scalar::Exact(p)) = elem else { return None };
        if !p.is_int() || !self.affords(self.estimate(n).saturating_mul(8)) {
            return None;
        }
        let ty = Ty::array(n, elem.clone());
        let xs = self.short(|m| m.expr(&ty));
        let [v, a, b, j] = [self.name("v"), self.name("xs"), self.name("xs"), self.name("at")];
        let (op, c) = (self.r.of(["+", "-", "^"]), self.r.below(5));
        let rounds = self.r.below(4);
        // Places may lie outside, of arrays that have no elements, too.
        let (i, k) = (self.r.below(4), self.r.below(9));
        let updates = [
            String::new(),
            format!(
                "let {a} = scatter {a} [{i}, {k}] [{p}.i64 {j}, i64.sum (map i64.{p} {b}) |> {p}.i64] in "
            ),
            format!(
                "let {b} = scatter {b} [{i}] [{c}] let {a} = scatter {a} [{k}] [{p}.i64 {j}] in "
            ),
            format!("let ({a}, {b}) = ({b}, {a}) in "),
        ];
        let update = &updates[self.r.below(updates.len())];
        let fresh = [
            format!("copy {v}"),
            format!("map (\\x -> x {op} {c}) {v}"),
            format!("reverse (copy {v})"),
            format!("scan (+) 0 {v}"),
        ];
        let fresh = &fresh[self.r.below(fresh.len())];
        let next = [
            format!("({a}, {b})"),
            format!("({b}, {a})"),
            format!("({a}, copy {a})"),
            format!("(copy {b}, {b})"),
            format!("({fresh}, {a})"),
            format!("({b}, {fresh})"),
            format!("({fresh}, copy {v})"),
            format!("(if {j} % 3 == {c} then {a} else {fresh}, {b})"),
            format!("(copy (reverse {a}), {b})"),
        ];
        let next = &next[self.r.below(next.len())];
        let which = self.r.below(2);
        Some(Expr::new(
            &ty,
            parts![
                format!("let {v} = map (\\x -> x {op} {c}) "),
                xs,
                format!(
                    " in (loop ({a}: *{ty}, {b}: *{ty}) = (copy {v}, map (\\x -> x + {c}) {v}) for {j} < {rounds}i64 do \
                     {update}{next}).{which}"
                )
            ],
        ))
    }
}
