//! Conjunctions and disjunctions beside maps with loops inside: one element decides, early or late.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// An array of whole numbers that are made of a truth value and of what is computed beside it.
    pub fn decided(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Scalar(Scalar::Exact(p)) = elem else { return None };
        let long = self.r.of([40, 159, 159, 300]);
        // A point takes little beside what other kinds have for each.
        if !p.is_int() || !self.affords(self.estimate(n).saturating_add(long)) {
            return None;
        }
        let size = n.to_text();
        let xs = self.name("xs");
        let length = self.r.of(["L", "L", "L", "(L + N)"]);
        // Which element decides: none if there are not so many.
        let at = self.r.between(0, long / 2).to_string();
        let truth = self.r.of([
            "and (map (\\y -> y != A) ys)",
            "or (map (\\y -> y == A) ys)",
            "and (map (\\y -> (loop s = y for k < y % 3 do s + A) != A) ys)",
            "or (map (\\y -> (loop s = y for k < y % 3 do s + A) == A) ys)",
            "all (\\y -> y != A && y < 1000) ys",
            "any (\\y -> y == A || y > 1000) ys",
            "reduce (!=) false (map (\\y -> y == A) ys)",
        ]);
        let beside = self.r.of([
            "map (\\y -> i64.sum (map (\\x -> x * y) (iota (i64.min M 6)))) ys",
            "map (\\y -> loop s = y for k < y % 4 do s * y + k) ys",
            "map (\\y -> if y % 3 == 0 then y / 3 else loop s = y while s > 1 do s / 2) ys",
            "map (+ 1) ys",
        ]);
        let text = "let ys = iota M let (p, r) = (TRUTH, BESIDE) \
                    in tabulate N (\\i -> P.i64 (if i < M then r[i] else i) + P.bool p)"
            .replace("TRUTH", truth)
            .replace("BESIDE", beside)
            .replace('M', length)
            .replace('L', &long.to_string())
            .replace('N', &size)
            .replace('A', &at)
            .replace('P', &p.to_string());
        let ty = Ty::array(n, elem.clone());
        Some(Expr::new(&ty, parts![format!("let {xs} : {ty} = ({text}) in {xs}")]))
    }
}
