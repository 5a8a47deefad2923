//! Rows that are read in another order than they are made in: nests of maps that are rotated, reversed or put around, at
//! one level or several.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// An array of whole numbers, each made of a row of a matrix that is read in some order.
    pub fn rotated(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Scalar(Scalar::Exact(p)) = elem else { return None };
        let row = self.r.of([1, 2, 5, 9, 18, 40]);
        // Points take little beside what other kinds have for each.
        if !p.is_int() || !self.affords(self.estimate(n).saturating_mul(row) / 8) {
            return None;
        }
        let xs = self.name("xs");
        let made = self.r.of([
            "map (map (* 3)) m",
            "map (\\r -> map (+ r[0]) r) m",
            "map (\\r -> scan (+) 0 r) m",
            "map (rotate A) m",
            "map2 (\\i r -> rotate i r) (iota N) m",
            "map2 (\\i r -> map (\\x -> if x % 3 == 0 then i else x) r) (iota N) m",
            "rotate B m",
            "tabulate_2d N K (\\i j -> m[i, (j + i) % K] - j)",
            "map (\\r -> map (\\x -> 60 / (x % 5 + 1)) r) m",
            "map (map (\\x -> loop y = x for i < 2 do y * 3 + i)) m",
        ]);
        let read = self.r.of([
            "rotate B f",
            "map (rotate B) f",
            "rotate A (map (rotate B) f)",
            "map reverse (reverse f)",
            "map2 (map2 (-)) m (rotate A (map (rotate B) f))",
            "map3 (map3 (\\x y z -> x * 2 + y - z)) (rotate A m) (map (rotate B) f) (rotate B m)",
            "let u = rotate A f let l = map (rotate B) m in tabulate_2d N K (\\i j -> u[i, j] - l[i, j])",
            "let l = map (rotate A) f in tabulate_2d N K (\\i j -> l[i, (j + 1) % K] * 2)",
            "tabulate_2d N K (\\i j -> f[i64.max 0 (i - 1), i64.min (K - 1) (j + 2)])",
            "map2 (\\i r -> if i % 2 == 0 then r else rotate B r) (iota N) (rotate A f)",
            "let (g, h) = unzip (map (\\r -> (map (+ 1) r, r[0])) f) in map2 (\\r x -> map (* x) r) (rotate A g) (rotate A h)",
            "rotate A (tabulate N (\\i -> rotate i f[i]))",
            "map (\\r -> rotate A (map2 (+) r (rotate B (map (* 2) r)))) f",
        ]);
        let source = self.r.of(["i * 7 + j", "i - j * 5", "(i * 13 + j * 29) % 17"]);
        let sum = self.r.of([
            "i64.sum (map2 (*) r (iota K))",
            "i64.maximum r",
            "foldl (\\a x -> a * 3 + x) 1 r",
        ]);
        let text = "let m = tabulate_2d N K (\\i j -> SOURCE) let f = MADE let g = READ \
                    in map (\\r -> P.i64 (SUM)) (g :> [N][K]i64)"
            .replace("SOURCE", source)
            .replace("MADE", made)
            .replace("READ", read)
            .replace("SUM", sum)
            .replace('A', self.r.of(["1", "(-1)", "3", "(-7)", "K", "0"]))
            .replace('B', self.r.of(["1", "(-1)", "2", "N", "9"]))
            .replace('K', &row.to_string())
            .replace('N', &n.to_text())
            .replace('P', &p.to_string());
        let ty = Ty::array(n, elem.clone());
        Some(Expr::new(&ty, parts![format!("let {xs} : {ty} = ({text}) in {xs}")]))
    }
}
