//! One index for rows, columns and planes, told by quotients and remainders: in maps, reductions, scans, filters and histograms.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// An array of whole numbers that are made of the places of a flat index.
    pub fn by_planes(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Scalar(Scalar::Exact(p)) = elem else { return None };
        let points = self.estimate(n).saturating_mul(60);
        if !p.is_int() || !self.affords(points.saturating_mul(2)) {
            return None;
        }
        let size = n.to_text();
        let xs = self.name("xs");
        let width = self.r.of([
            "9",
            "17",
            "40",
            "8 + N % 13",
            "i64.max 1 (N / 2)",
            "N + 1",
            "2",
            "i64.max 1 N",
        ]);
        let height = self.r.of(["3", "2", "5", "N % 4 + 1", "i64.max 1 (N / 9)", "w"]);
        let range = self.r.of(["N", "N", "(N * w)", "(N * 30)", "(h * w)", "(2 * h * w)"]);
        let point = self.flat_place();
        // What makes `N` elements of as many as the range has.
        let use_all = match self.r.below(8) {
            0 | 1 => "tabulate N (\\t -> T.i64 (POINT))",
            2 => {
                "let s = i64.sum (map (\\t -> POINT) (iota RANGE)) in map (\\t -> T.i64 (t + s)) (iota N)"
            }
            3 => {
                "let s = reduce i64.min i64.highest (map (\\t -> POINT) (iota RANGE)) in tabulate N (\\t -> T.i64 (t ^ s))"
            }
            4 => {
                "let (v, at) = reduce (\\(v, i) (u, j) -> if u > v || u == v && j < i then (u, j) else (v, i)) (i64.lowest, i64.highest) \
                 (map (\\t -> (POINT, t)) (iota RANGE)) in tabulate N (\\t -> T.i64 (t + v - at))"
            }
            5 => "scan (+) (T.i64 0) (map (\\t -> T.i64 (POINT)) (iota N))",
            6 => {
                "let f = filter (\\t -> (POINT) % 3 == 0) (iota RANGE) in let l = length f in \
                 tabulate N (\\t -> if t < l then T.i64 f[t] else T.i64 l)"
            }
            _ => {
                "let f = hist (+) 0 N (map (\\t -> (POINT) % i64.max 1 N) (iota RANGE)) (map (\\t -> t % w) (iota RANGE)) in \
                 map T.i64 f"
            }
        };
        let text = use_all.replace("POINT", &point).replace("RANGE", range);
        let text = format!("let w = {width} let h = {height} in {text}")
            .replace('N', &size)
            .replace('T', &p.to_string());
        let ty = Ty::array(n, elem.clone());
        Some(Expr::new(&ty, parts![format!("let {xs} : {ty} = ({text}) in {xs}")]))
    }

    /// A number that is made of the row, the column and the plane of an index `t`.
    fn flat_place(&mut self) -> String {
        let (row, column, plane) = match self.r.below(4) {
            0 => ("(t / w)", "(t % w)", "(t / (2 * w))"),
            1 => ("(t / w % h)", "(t % w)", "(t / (h * w))"),
            2 => ("(t % (h * w) / w)", "(t % (h * w) % w)", "(t / (h * w))"),
            _ => ("(t % (h * w * 2) % (h * w) / w)", "(t % w)", "(t / (w * h * 2))"),
        };
        let text = self.r.of([
            "Y * 3 + X - Z",
            "if X < Y then X * 5 + Z else Y - X",
            "if X == 0 || X == w - 1 then Y else (X + 1) * (Z + 1)",
            "(X + 1) % w + (X + w - 1) % w * Y + Z",
            "i64.max 0 (X - 1) + i64.min (h - 1) (Y + 1) * 7 + Z",
            "X ^ Y ^ Z",
        ]);
        text.replace('X', column).replace('Y', row).replace('Z', plane)
    }
}
