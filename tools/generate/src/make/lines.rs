//! Loops inside of maps that carry a line each and read it elsewhere than they write it: transforms, permutations.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// The first lines of more of them than a vector has lanes, of whole numbers.
    pub fn lines(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Array(m, inner) = elem else { return None };
        let Ty::Scalar(Scalar::Exact(p)) = &**inner else { return None };
        let extra = [17, 33, 40, 70][self.r.below(4)];
        let points = self.estimate(n).saturating_add(extra).saturating_mul(self.estimate(m));
        if !p.is_int() || !self.affords(points.saturating_mul(6)) {
            return None;
        }
        let ty = Ty::array(n, elem.clone());
        let (n, m) = (n.to_text(), m.to_text());
        let [all, xss, table] = [self.name("n"), self.name("xss"), self.name("xs")];
        let (i, x, s) = (self.name("at"), self.name("v"), self.name("k"));
        let (c, d, op) = (self.r.below(5), 1 + self.r.below(3), self.r.of(["+", "-", "^"]));
        // Which differ from line to line. None is out of bounds, as nobody may need what is read with it.
        let differs = format!("(i64.{p} {x}[j] % {m})");
        let places = [
            format!("{m} - 1 - j"),
            format!("(j * {d} + {s}) % {m}"),
            format!("j / (2 * {s}) * {s} + j % {s}"),
            format!("{table}[j]"),
            format!("i64.max 0 (j - {d})"),
            format!("if j % 2 == 0 then j / 2 else {m} / 2 + j / 2"),
            if self.r.one_in(4) { differs } else { "j".to_owned() },
            "j".to_owned(),
        ];
        // Indexes that are made of memory and divisions, or of counters alone.
        let tables = [
            format!("(j * 5 + {c}) % {m}"),
            format!("if j == 0 then {m} - 1 else if j == {m} - 1 then 0 else j - 1"),
            "if j > 2 then j - 2 else j".to_owned(),
        ];
        let entry = &tables[self.r.below(tables.len())];
        let place = |g: &mut Maker| places[g.r.below(places.len())].clone();
        let (a, b) = (place(self), place(self));
        let values = [
            format!("{x}[{a}] {op} {c}"),
            format!("{x}[{a}] {op} {x}[{b}]"),
            format!("{x}[{a}] {op} {p}.i64 {i}"),
            format!("if j % (2 * {s}) < {s} then {x}[{a}] else {x}[{b}] {op} {c}"),
            format!("{x}[{a}] {op} {xss}[{i}, j]"),
            format!("{x}[{a}] {op} (if {x}[{b}] > {c} then 1 else {p}.i64 {s})"),
        ];
        let value = &values[self.r.below(values.len())];
        let round = format!("tabulate {m} (\\j -> {value})");
        let zeros = format!("replicate {m} {c}");
        let first = if self.r.one_in(4) { &zeros } else { &x };
        let looped = match self.r.below(5) {
            0 => format!("loop {x} = {first} for {s} in [1, 2, 4] do {round}"),
            1 => {
                format!("(loop ({x}, {s}) = ({first}, 1) while {s} < {m} do ({round}, 2 * {s})).0")
            }
            2 => format!(
                "(loop ({x}, w, {s}) = ({first}, {zeros}, 1) while {s} < {m} do ({round}, {x}, {s} + 1 + {d})).1"
            ),
            3 => format!("loop {x} = {first} for k < {d} do let {s} = k + 1 in {round}"),
            // As many rounds as the line says.
            _ => format!("loop {x} = {first} for k < {i} % 3 do let {s} = k + 1 in {round}"),
        };
        Some(Expr::new(
            &ty,
            parts![format!(
                "let {all} = {n} + {extra} let {table} = map (\\j -> {entry}) (iota {m})\nlet {xss} = \
                 tabulate_2d {all} {m} (\\i j -> {p}.i64 (i * 3 + j * {d} - 5))\nin take {n} (map2 (\\{i} {x} -> \
                 {looped}) (iota {all}) {xss})"
            )],
        ))
    }
}
