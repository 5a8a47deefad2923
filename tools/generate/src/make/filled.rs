//! Loops that fill an array from one end to the other, also line by line inside of a map, and read what they have written; some read
//! what is in it before, or what a map has made for them. None is out of bounds, as nobody may need what is read with it.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// The array, or the first of more lines than a vector has lanes, of whole numbers.
    pub fn filled(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let (m, scalar) = match elem {
            Ty::Array(m, inner) => (m, &**inner),
            Ty::Scalar(_) => (n, elem),
            _ => return None,
        };
        let Ty::Scalar(Scalar::Exact(p)) = scalar else { return None };
        let lines = !matches!(elem, Ty::Scalar(_));
        let extra = if lines { [17, 33, 40][self.r.below(3)] } else { 0 };
        let points = if lines { self.estimate(n).saturating_add(extra) } else { 1 };
        let points = points.saturating_mul(self.estimate(m));
        if !p.is_int() || !self.affords(points.saturating_mul(8)) {
            return None;
        }
        let ty = Ty::array(n, elem.clone());
        let (n, m, p) = (n.to_text(), m.to_text(), p.to_string());
        let [x, made, d, e, i] =
            [self.name("v"), self.name("xs"), self.name("xs"), self.name("xs"), self.name("at")];
        let (c, op) = (self.r.below(5), self.r.of(["+", "-", "^"]));
        let at = self.r.of(["k", "k", "M - 1 - k"]).replace('M', &m);
        let value = self.read_while_filling().replace('M', &m).replace("X[", &format!("{x}["));
        let (first, second) =
            (value.replace("D[", &format!("{d}[")), value.replace("D[", &format!("{e}[")));
        let coefficient = self.r.of(["A[k]", "A[k]", "A[i]", "A[k] * A[k]", "A[M - 1 - i]"]);
        let coefficient = coefficient.replace("A[", &format!("{made}[")).replace('M', &m);
        let carried = match self.r.below(4) {
            0 => format!("{p}.max ({p}.min y ({coefficient})) (y {op} {c})"),
            1 => format!("{p}.min ({coefficient}) ({p}.min (y + 1) ({first}))"),
            _ => format!("y {op} {coefficient}"),
        };
        // What the round before has made, and what it has not, among the operands of an extremum.
        let (a, b) = match self.r.below(4) {
            0 => (
                format!("{p}.max (w + {coefficient}) ({p}.max ({first}) {made}[k])"),
                format!("{p}.min {x}[k] ({p}.min ({second}) w)"),
            ),
            1 => (
                format!("{p}.max ({p}.max {x}[k] (y {op} {c})) ({first})"),
                format!("{second} - y"),
            ),
            _ => (format!("{first} + y"), format!("{second} - y")),
        };
        let rounds = self.r.of(["M", "M", "M", "M", "M", "(M - 1)"]).replace('M', &m);
        let begin = [
            format!("replicate {m} {c}"),
            format!("replicate {m} {c}"),
            format!("copy {x}"),
            format!("map (\\w -> w + 1) {made}"),
        ];
        let begin = &begin[self.r.below(begin.len())];
        let line = format!(
            "let {made} = map (\\w -> w {op} {c}) {x} in (loop ({d}, {e}, y) = ({begin}, replicate {m} 1, {c}) for k < {rounds} do \
             let i = {at} let w = y let y = {carried} let ({d}, {e}) = ({d} with [i] = {a}, {e} with [i] = {b}) in \
             ({d}, {e}, y)).{}",
            self.r.below(2)
        );
        if lines {
            return Some(Expr::new(
                &ty,
                parts![format!(
                    "take {n} (map (\\{i} -> let {x} = tabulate {m} (\\j -> {p}.i64 ({i} * 3 + j * {c} - 5)) in {line}) (iota ({n} + {extra})))"
                )],
            ));
        }
        let xs = self.short(|g| g.expr(&ty));
        Some(Expr::new(&ty, parts![format!("let {x} : {ty} = copy ("), xs, format!(") in {line}")]))
    }

    /// What is read of the array `D`, which is filled, before a round writes at `i`.
    fn read_while_filling(&mut self) -> &'static str {
        self.r.of([
            "X[k]",
            "X[k]",
            "X[i]",
            "X[i]",
            "X[M - 1 - i]",
            "D[i]",
            "(if k > 0 then D[k - 1] else 2)",
            "(if i > 0 then D[i - 1] else 2)",
            "(if i > 1 then D[i - 2] + X[i] else 1)",
            "(if i < M - 1 then D[i + 1] else 3)",
            "(if i < M - 2 then D[i + 2] else X[i])",
            "D[i64.max 0 (i - 1)]",
            "D[i64.min (M - 1) (i + 1)]",
            "D[M - 1 - i]",
            "D[i / 2]",
            "D[k]",
        ])
    }
}
