//! Loops whose rounds map the same elements, each of them alone, or but for one that looks at another.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// An array of whole numbers that rounds of maps have made.
    pub fn in_rounds_of_elements(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Scalar(Scalar::Exact(p)) = elem else { return None };
        let rounds = self.r.of([0, 1, 2, 5, 11]);
        if !p.is_int() || !self.affords(self.estimate(n).saturating_mul(rounds)) {
            return None;
        }
        let xs = self.name("xs");
        let text = self.r.of([
            "loop a = xs for t < T do map2 (\\p q -> p * 3 + q - t) a ys",
            "loop a = xs for t < T do map2 (\\p i -> p * 3 - OTHER) a (iota N)",
            "let (a, b) = loop (a, b) = (xs, ys) for t < T do (map2 (\\p q -> p + q) a b, map (\\p -> p - t) a) in map2 (-) a b",
            "let (a, b) = loop (a, b) = (xs, ys) for t < T do (b, map2 (\\p q -> p - q) a b) in map2 (\\p q -> p * 2 - q) a b",
            "let (a, b, c) = loop (a, b, c) = (xs, ys, xs) for t < T do (c, map2 (+) a c, map2 (\\p q -> p - q * t) b a) \
             in map3 (\\p q r -> p - q + r) a b c",
            "let (s, a) = loop (s, a) = (R, xs) for t < T do (s * 5 + t, map2 (\\p q -> p * s + q) a ys) in map (+ s) a",
            "let (a, _) = loop (a, t) = (xs, 0) while t < T do (map2 (\\p q -> p * 3 + q - t) a ys, t + 1) in a",
            "let m = loop m = replicate T (replicate N R) for t < T do \
             let row = map2 (\\i q -> q * 2 + m[i64.max 0 (t - 1), COLUMN]) (iota N) ys in m with [t] = row \
             in if T == 0 then xs else copy m[T - 1]",
            "let (a, m) = loop (a, m) = (xs, replicate T (replicate N R)) for t < T do \
             let a = map2 (\\p q -> p * 3 + q) a ys in (a, m with [t] = a) in map2 (\\p i -> p + i64.sum (map (\\r -> r[i]) m)) a (iota N)",
            "let (a, m) = loop (a, m) = (xs, replicate T (replicate N R)) for t < T do \
             let b = map2 (\\p q -> p - q) a ys in (map (+ t) b, m with [T - 1 - t] = copy a) \
             in map2 (\\p i -> p + i64.sum (map (\\r -> r[i]) m)) a (iota N)",
            "let k = N / 2 in loop a = xs for t < T do let b = map (\\p -> p * 3 - t) a[k:] in a with [k:] = b",
            "let f (a: [N]i64) = loop a for t < T do map2 (\\p q -> if p > q then p - q * t else q) a ys in map2 (-) (f xs) (f (reverse xs))",
            "loop a = xs for t < T do if t % 2 == 0 then map (\\p -> p * 3 - t) a else a",
            "let cs = tabulate T (\\t -> t * 3 - R) in loop a = xs for t < T do map (\\p -> p * cs[t] - cs[T - 1 - t]) a",
            "loop a = xs for t < T do tabulate N (\\i -> if i % 3 == t % 3 then a[i] * 2 else OTHER - i)",
            "let m = loop m = replicate 20 xs for t < T do map2 (\\row k -> map2 (\\p i -> p * 2 + k * i - t) row (iota N)) m (iota 20) \
             in map3 (\\p q r -> p - q + r) m[0] m[7] m[19]",
            "let m = loop m = replicate 20 xs for t < T do tabulate_2d 20 N (\\k i -> m[k, i] * 2 - m[LINE, i] + i) \
             in map3 (\\p q r -> p - q + r) m[0] m[7] m[19]",
            "loop a = xs for t < T do loop b = a for u < 3 do map2 (\\p q -> p * 2 - q + u * t) b ys",
            "let (a, s) = loop (a, s) = (xs, R) for t < T do let c = s * 2 in (map (\\p -> loop p for u < 3 do p * c - u) a, c - t) in map (+ s) a",
            "loop a = xs for t < T do map (\\p -> p + ys[p % N]) a",
            "let a = loop a = xs for t < T do map2 (\\p q -> if p > t then p - q else q) a (map (* t) ys) in tabulate N (\\i -> i64.sum a - OTHER)",
        ]);
        let text = format!("let xs = tabulate N (\\i -> i * 7 - R) let ys = tabulate N (\\i -> R - i * i) in map P.i64 ({text})")
            .replace("OTHER", self.r.of(["a[i]", "a[N - 1 - i]", "a[0]", "a[i64.max 0 (i - 1)]", "ys[N - 1 - i]", "xs[i]"]))
            .replace("LINE", self.r.of(["k", "19 - k", "0"]))
            .replace("COLUMN", self.r.of(["i", "i", "N - 1 - i", "i64.max 0 (i - 1)", "(i + 1) % N"]))
            .replace('R', self.r.of(["0", "1", "5"]))
            .replace('T', &rounds.to_string())
            .replace('N', &n.to_text())
            .replace('P', &p.to_string());
        let ty = Ty::array(n, elem.clone());
        Some(Expr::new(&ty, parts![format!("let {xs} : {ty} = ({text}) in {xs}")]))
    }
}
