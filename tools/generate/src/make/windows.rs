//! Reductions whose sizes differ from point to point: windows that end at the borders, prefixes, and as many rounds as an element
//! says.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// An array of whole numbers, each reduced from so many elements as its place or an element says.
    pub fn in_windows(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Scalar(Scalar::Exact(p)) = elem else { return None };
        let columns = self.r.of([1, 3, 9, 20, 40]);
        // Points take little beside what other kinds have for each.
        if !p.is_int() || !self.affords(self.estimate(n).saturating_mul(columns) / 4) {
            return None;
        }
        let xs = self.name("xs");
        let text = self.r.of([
            "let ys = tabulate N (\\i -> i * 13 % 31) in tabulate N (\\i -> P.i64 (i64.sum ys[LOW:HIGH]))",
            "let ys = tabulate N (\\i -> i * 13 % 31) \
             in tabulate N (\\i -> P.i64 (i64.OP (map (\\j -> MADE) (LOW ..< HIGH))))",
            "let m = tabulate_2d N K (\\i j -> i * 7 + j) in map (\\r -> P.i64 (WEIGHED r)) \
             (tabulate_2d N K (\\i j -> i64.OP (map (\\x -> i64.OP m[x, LOWK:HIGHK]) (LOW ..< HIGH))))",
            "let m = tabulate_2d N K (\\i j -> i * 7 + j) in map (\\r -> P.i64 (WEIGHED r)) \
             (tabulate_2d N K (\\i j -> i64.OP (map (\\l -> i64.OP (map (\\y -> m[i, y] * l - j) (LOWK ..< HIGHK))) (iota 3))))",
            "let m = tabulate_2d N K (\\i j -> i * 7 + j) in map (\\r -> P.i64 (WEIGHED r)) \
             (tabulate_2d N K (\\i j -> i64.OP (map (\\r -> i64.OP (map (\\_ -> j) r[LOWK:HIGHK])) m)))",
            "let ks = tabulate N (\\i -> i * 5 % 17) \
             in map2 (\\c i -> P.i64 (i64.OP (map (\\j -> j * i - c * 3) (iota c)))) ks (iota N)",
            "let ks = tabulate N (\\i -> i * 5 % 17) \
             in map2 (\\c i -> P.i64 (i64.OP (map (\\j -> (j * i - c) / (c + 1)) (iota c)))) ks (iota N)",
            "let ks = tabulate N (\\i -> i * 11 % 13) \
             in map2 (\\c i -> P.i64 (i64.OP (map (\\j -> loop s = i for l < R do s * 2 - j) (iota c)))) ks (iota N)",
            "let ks = tabulate N (\\i -> i * 11 % 13) in map2 (\\c i -> let (a, b) = reduce (\\(a, b) (c, d) -> (a * c, b * c + d)) \
             (1, 0) (map (\\j -> (i + j, j - c)) (iota c)) in P.i64 (a + b)) ks (iota N)",
            "let ks = tabulate N (\\i -> i * 11 % 13) \
             in map2 (\\c i -> P.bool (AND (map (\\j -> (j * i) % 3 != R) (iota c)))) ks (iota N)",
            "let ks = tabulate N (\\i -> i * 7 % 19) in map2 (\\c i -> let f = map (\\j -> j * i + c) (iota c) \
             in P.i64 (i64.sum f + i64.maximum (map (% 5) f))) ks (iota N)",
            "map (\\i -> P.i64 (i64.OP (map (\\j -> if (i + j) % 3 == 0 then j else i * R) (iota (i % 23))))) (iota N)",
        ]);
        let text = text
            .replace(
                "MADE",
                self.r.of(["ys[j] * i", "if ys[j] % 2 == 0 then i else j", "ys[(j + R) % N] - j"]),
            )
            .replace("WEIGHED", self.r.of(["i64.sum", "foldl (\\a x -> a * 3 + x) 1"]))
            .replace("OP", self.r.of(["sum", "sum", "maximum", "minimum", "product"]))
            .replace("AND", self.r.of(["and", "or"]))
            .replace("LOWK", self.r.of(["i64.max 0 (j - R)", "i64.max 0 (j - R)", "0", "j / 2"]))
            .replace("HIGHK", self.r.of(["i64.min K (j + R + 1)", "(j + 1)", "K"]))
            .replace("LOW", self.r.of(["i64.max 0 (i - R)", "i64.max 0 (i - R)", "0", "i / 2"]))
            .replace(
                "HIGH",
                self.r.of(["i64.min N (i + R + 1)", "i64.min N (i + R)", "(i + 1)", "N"]),
            )
            .replace('R', self.r.of(["0", "1", "2", "3", "7"]))
            .replace('K', &columns.to_string())
            .replace('N', &n.to_text())
            .replace('P', &p.to_string());
        let ty = Ty::array(n, elem.clone());
        Some(Expr::new(&ty, parts![format!("let {xs} : {ty} = ({text}) in {xs}")]))
    }

    /// Windows of which some are slices that fail, unless there are none: whatever becomes of their lengths, nobody may go through
    /// them.
    pub(super) fn failing_windows(&mut self, n: &Size) -> Expr {
        let end = self.r.of(["i64.min 3 (j + i64.highest)", "(j - 1)", "(j + 2)"]);
        let text = "map i64.sum (tabulate_2d N 3 (\\i j -> i64.OP (map (\\r -> i64.OP (map (\\_ -> i) r[i64.max 0 (j - R):END])) \
                    (tabulate_2d N 3 (\\i j -> i * 7 + j)))))";
        let text = text
            .replace("OP", self.r.of(["sum", "maximum"]))
            .replace("END", end)
            .replace('R', self.r.of(["0", "1", "3"]))
            .replace('N', &n.to_text());
        Expr::new(&Ty::array(n, Ty::I64), parts![text])
    }
}
