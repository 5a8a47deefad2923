//! Maps whose points read what lies at quotients of their index by small powers of two, or do what remainders say.

use super::Maker;
use crate::parts;
use crate::tree::{Expr, Part};
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// Elements of an array, or of rows, at a part of the index.
    pub fn periodic(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let (m, scalar) = match elem {
            Ty::Array(m, inner) => (Some(m.clone()), (**inner).clone()),
            _ => (None, elem.clone()),
        };
        let Ty::Scalar(s) = scalar else { return None };
        let rows = self.estimate(n);
        let times = m.as_ref().map_or(rows, |m| rows.saturating_mul(self.estimate(m)));
        if !self.affords(times) {
            return None;
        }
        let ty = Ty::array(n, elem.clone());
        let (xs, row, i) = (self.name("xs"), self.name("at"), self.name("at"));
        let made = self.expr(&ty);
        let along = m.as_ref().unwrap_or(n);
        let columns = along.to_text();
        let body = self.scoped(times, false, |g| {
            if m.is_some() {
                g.declare_index(&row, n);
            }
            g.declare_index(&i, along);
            let array = if m.is_some() { format!("{xs}[{row}]") } else { xs.clone() };
            g.at_parts(&array, &i, &columns, s)
        });
        let head = match &m {
            Some(m) => format!("tabulate_2d {} {} (\\{row} {i} -> ", n.to_text(), m.to_text()),
            None => format!("tabulate {} (\\{i} -> ", n.to_text()),
        };
        let mut p = parts![format!("let {xs} : {ty} = "), made, format!("\nin {head}")];
        p.extend(body);
        p.extend(parts![")"]);
        Some(Expr::new(&ty, p))
    }

    /// What a point is that reads two elements of `xs`, which has `n`, at quotients of its index.
    fn at_parts(&mut self, xs: &str, i: &str, n: &str, s: Scalar) -> Vec<Part> {
        let mut p = Vec::new();
        let mut names = Vec::new();
        for _ in 0..2 {
            let (at, x) = (self.name("at"), self.name("x"));
            let quotient = self.quotient(i);
            let other = self.short(|g| g.expr(&Ty::Scalar(s)));
            p.extend(parts![
                format!("let {at} = {quotient}\nlet {x} = if {at} >= 0 && {at} < {n} then {xs}[{at}] else "),
                other,
                "\n"
            ]);
            names.push(x);
        }
        let (a, b) = (&names[0], &names[1]);
        let both = s.of_two(a, b);
        if self.r.one_in(2) {
            let remainder = self.remainder(i);
            p.extend(parts![format!("in if {remainder} then {both} else {a}")]);
        } else {
            p.extend(parts![format!("in {both}")]);
        }
        p
    }

    /// The index, less or more a little.
    fn moved(&mut self, i: &str) -> String {
        match self.r.below(4) {
            0 => format!("({i} - {})", 1 + self.r.below(9)),
            1 => format!("({i} + {})", 1 + self.r.below(9)),
            _ => i.to_owned(),
        }
    }

    fn quotient(&mut self, i: &str) -> String {
        let i = self.moved(i);
        let quotient = self.r.of([" / 2", " >> 1", " / 4", " >> 2", " >> 3", " // 2"]);
        let more = self.r.of(["", "", " + 1", " * 2"]);
        format!("({i}{quotient}){more}")
    }

    fn remainder(&mut self, i: &str) -> String {
        let i = self.moved(i);
        let remainder = self.r.of([" % 2", " & 1", " % 4", " & 3", " % 3", " & 2"]);
        let compared = self.r.of(["== 0", "!= 0", "== 1", "< 2", "> 1"]);
        format!("({i}{remainder}) {compared}")
    }
}
