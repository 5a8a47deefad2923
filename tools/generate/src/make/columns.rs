//! What is made of the columns of matrices: pieces that are concatenated, as by steps of wavelet transforms, and elements at
//! several places.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// An array of whole numbers, each made of a row of a matrix whose columns were transformed.
    pub fn in_columns(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Scalar(Scalar::Exact(p)) = elem else { return None };
        let columns = self.r.of([1, 3, 8, 9, 16, 20]);
        if !p.is_int() || !self.affords(self.estimate(n).saturating_mul(columns) / 2) {
            return None;
        }
        let xs = self.name("xs");
        let column = self.r.of([
            "let h = N / 2 in (tabulate h (\\i -> x[2 * i] + x[2 * i + 1]) ++ tabulate (N - h) (\\i -> x[i] - x[N - 1 - i])) :> [N]i64",
            "let h = N / 2 in (tabulate h (\\i -> x[2 * i]) ++ tabulate h (\\i -> x[2 * i + 1]) ++ tabulate (N - 2 * h) (\\_ -> x[N - 1])) :> [N]i64",
            "let h = i64.min N 3 in (map (+ 1) x[:h] ++ map (* 2) x[h:]) :> [N]i64",
            "let h = N / 3 in (replicate h 5 ++ tabulate (N - h) (\\i -> if i % 2 == 0 then x[i] else x[h + i])) :> [N]i64",
            "let h = N / 2 in let a = tabulate h (\\i -> x[i] * x[N - 1 - i]) in (a ++ a ++ x[2 * h:]) :> [N]i64",
            "tabulate N (\\i -> x[i] * 3 - x[N - 1 - i])",
            "tabulate N (\\i -> x[i] - x[(i + R) % N])",
            "map2 (\\e i -> e * i) x (iota N)",
        ]);
        let text = self.r.of([
            "map (\\r -> P.i64 (WEIGHED r)) (transpose (map (\\x -> COLUMN) (transpose m)))",
            "map (\\r -> P.i64 (WEIGHED r)) (map (\\x -> COLUMN) (transpose m) |> transpose |> map (map (+ 1)))",
            "let c = map (\\x -> COLUMN) (transpose m) in tabulate N (\\i -> P.i64 (c[K - 1, i] - c[0, N - 1 - i]))",
            "let c = map (\\x -> COLUMN) (transpose m) in let t = transpose c \
             in map2 (\\r i -> P.i64 (WEIGHED r + c[K / 2, i])) t (iota N)",
            "let t = tabulate_2d K N (\\i j -> m[j, i] * 2 + ELSEWHERE) in tabulate N (\\i -> P.i64 (t[K - 1, i] - t[0, N - 1 - i]))",
            "let t = tabulate_2d N N (\\i j -> if i <= j then m[i, j % K] else ELSEWHERE) in map (\\r -> P.i64 (WEIGHED r)) t",
            "let t = map2 (map2 (\\x y -> x - y)) (transpose m) (tabulate_2d K N (\\i j -> i - j)) in map (\\r -> P.i64 (WEIGHED r)) (transpose t)",
            "let t = map (\\x -> let s = scan (+) R x in let w = i64.sum s in map2 (\\a b -> a * w - b) s x) (transpose m) \
             in map (\\r -> P.i64 (WEIGHED r)) (transpose t)",
            "let t = map (\\x -> let h = i64.maximum x let e = map (\\y -> y * 3 - h) x let s = i64.sum e in map (\\y -> y * s) e) (transpose m) \
             in map (\\r -> P.i64 (WEIGHED r)) (transpose t)",
            "let c = tabulate_3d 3 N K (\\h i j -> h * m[i, j] - j) in let t = tabulate_3d K 3 N (\\j h i -> c[h, i, j] + m[N - 1 - i, K - 1 - j] * h) \
             in tabulate N (\\i -> P.i64 (t[K - 1, 2, i] - t[0, 1, N - 1 - i]))",
            "let b = m[0:N / 2, 0:i64.min K 9] in let d = map (\\x -> map (\\y -> i64.sum (map2 (\\p q -> (p - q) * (p - q)) x y)) b) b \
             in tabulate N (\\i -> P.i64 (if i / 2 < N / 2 then d[i / 2, N / 2 - 1 - i / 2] else 0))",
            "let t = map (\\x -> [R, 4] ++ x ++ [x[N - 1]]) (transpose m) in map (\\r -> P.i64 (WEIGHED r)) (transpose t)[:N]",
        ]);
        let text = format!("let m = tabulate_2d N K (\\i j -> i * 7 - j) in {text}")
            .replace("COLUMN", column)
            .replace(
                "ELSEWHERE",
                self.r.of([
                    "m[N - 1 - j, K - 1 - i % K]",
                    "m[i64.max 0 (j - 1), i % K]",
                    "m[j, 0]",
                    "m[i % N, j % K]",
                ]),
            )
            .replace("WEIGHED", self.r.of(["i64.sum", "foldl (\\a x -> a * 3 + x) 1"]))
            .replace('R', self.r.of(["0", "1", "5"]))
            .replace('K', &columns.to_string())
            .replace('N', &n.to_text())
            .replace('P', &p.to_string());
        let ty = Ty::array(n, elem.clone());
        Some(Expr::new(&ty, parts![format!("let {xs} : {ty} = ({text}) in {xs}")]))
    }
}
