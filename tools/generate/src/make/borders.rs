//! Arrays of one value of which a slice is replaced next, as those with a border: in one dimension and two, also round by round.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// The array, of whole numbers.
    pub fn bordered(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let (m, scalar) = match elem {
            Ty::Array(m, inner) => (Some(m), &**inner),
            Ty::Scalar(_) => (None, elem),
            _ => return None,
        };
        let Ty::Scalar(Scalar::Exact(p)) = scalar else { return None };
        let points = self.estimate(n).saturating_mul(m.map_or(1, |m| self.estimate(m)));
        if !p.is_int() || !self.affords(points.saturating_mul(8)) {
            return None;
        }
        let ty = Ty::array(n, elem.clone());
        let xs = self.short(|g| g.fresh(&ty));
        let (x, r) = (self.name("xs"), self.name("xs"));
        let size = n.to_text();
        let mut sizes = self.slice("a", "k", &size);
        let text = if let Some(m) = m {
            let m = m.to_text();
            sizes += &self.slice("b", "l", &m);
            let fill = [
                "replicate N (replicate M C)",
                "replicate N (replicate M C)",
                "map (\\_ -> replicate M C) (iota N)",
            ];
            let value = [
                "X[a:a+k, b:b+l]",
                "map (map (+ C)) X[a:a+k, b:b+l]",
                "tabulate_2d k l (\\i j -> T.i64 (i * 3 + j))",
                "replicate k (replicate l C)",
                "map (\\row -> take l row) (take k X)",
            ];
            self.in_order(&fill, &value, "[a:a+k, b:b+l]").replace('M', &m)
        } else {
            let value = [
                "X[a:a+k]",
                "map (+ C) X[a:a+k]",
                "tabulate k (\\i -> T.i64 (i * 3))",
                "replicate k C",
                "scan (+) 0 (take k X)",
            ];
            self.in_order(&["replicate N C"], &value, "[a:a+k]")
        };
        let text = format!("{sizes}{text}");
        let c = self.r.below(7).to_string();
        let text =
            text.replace('N', &size).replace('X', &x).replace('C', &c).replace('T', &p.to_string());
        let looped = if self.r.one_in(3) {
            format!("loop {x} = {r} for _t < {}i32 do ({text})", self.r.below(4))
        } else {
            format!("let {x} = {r} in ({text})")
        };
        Some(Expr::new(&ty, parts![format!("let {r} : {ty} = ("), xs, format!(")\nin {looped}")]))
    }

    /// Where a slice of a dimension begins and how long it is.
    fn slice(&mut self, start: &str, count: &str, size: &str) -> String {
        let first = self.r.of(["0", "1", "1", "2", "SIZE / 2"]);
        let behind = self.r.of(["0", "1", "1", "3", "SIZE / 3"]);
        // An empty slice may begin anywhere.
        let away = self.r.of(["", "", "- 50000", "+ 70000"]);
        format!(
            "let {start} = i64.min SIZE ({first}) let {count} = i64.max 0 (SIZE - {start} - ({behind})) \
             let {start} = if {count} == 0 then {start} {away} else {start} "
        )
        .replace("SIZE", size)
    }

    /// Fill, value and update, with what else may happen to the array.
    fn in_order(&mut self, fills: &[&str], values: &[&str], slice: &str) -> String {
        let fill = format!("let p = {} ", fills[self.r.below(fills.len())]);
        let value = format!("let v = {} ", values[self.r.below(values.len())]);
        let first = if self.r.one_in(2) { fill + &value } else { value + &fill };
        let update = match self.r.below(5) {
            0 => "let q = p with SLICE = v in if N > 0 then q with [N - 1] = copy q[0] else q",
            1 => "let q = p with SLICE = v in q with SLICE = v",
            2 => "let q = copy p let p = p with SLICE = v in if k > 1 then p else q",
            _ => "p with SLICE = v",
        };
        let update = update.replace("SLICE", slice);
        if update.starts_with("let") { first + &update } else { format!("{first}in {update}") }
    }
}
