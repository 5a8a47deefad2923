//! Loops of a known number of rounds that branch on the counter, as hash functions have them.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// An array of whole numbers, each of which goes through such a loop.
    pub fn by_rounds(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Scalar(Scalar::Exact(p)) = elem else { return None };
        let rounds = if self.r.one_in(3) { self.r.between(0, 4) } else { self.r.between(5, 70) };
        // A round takes little beside what other kinds have for each point.
        if !p.is_int() || !self.affords(self.estimate(n).saturating_mul(rounds / 4)) {
            return None;
        }
        let size = n.to_text();
        let xs = self.name("xs");
        let counter = self.r.of(["i64", "i64", "i32", "u8"]);
        // Where branches change: mostly inside of the range.
        let first = self.r.between(0, rounds.max(1));
        let second = self.r.between(first, rounds + 3);
        let body = self.round();
        let point = match self.r.below(3) {
            // An array of a few elements is written to beside.
            0 => {
                "let (a, b, s) = loop (a, b, s) = (T.i64 t, T.i64 (t + 1), replicate 4 (T.i64 t)) for i < KC do \
                 let (a, b) = BODY let at = i64.C (i % 4) \
                 in if i < FC then (b, a, s with [at] = s[at] + b) else (b, a + s[(at + 1) % 4], s) \
                 in a ^ b ^ s[0] ^ s[3]"
            }
            1 => {
                "let (a, b) = loop (a, b) = (T.i64 t, T.i64 (t + 1)) for i < KC do \
                 loop (a, b) = (b, a) for j < 3 do if j == 1 && i == FC then (a * b, b + a * T.i64 3) else BODY \
                 in a ^ b"
            }
            _ => "let (a, b) = loop (a, b) = (T.i64 t, T.i64 (t + 1)) for i < KC do BODY in a ^ b",
        };
        let text = match self.r.below(5) {
            0 => "let s = (let t = 5 in POINT) in tabulate N (\\t -> T.i64 t * s)",
            1 => {
                "let s = reduce (+) (T.i64 0) (map (\\t -> POINT) (iota N)) in tabulate N (\\t -> T.i64 t ^ s)"
            }
            _ => "tabulate N (\\t -> POINT)",
        };
        let text = text
            .replace("POINT", point)
            .replace("BODY", body)
            .replace('N', &size)
            .replace('K', &rounds.to_string())
            .replace('F', &first.to_string())
            .replace('S', &second.to_string())
            .replace('C', counter)
            .replace('T', &p.to_string());
        let ty = Ty::array(n, elem.clone());
        Some(Expr::new(&ty, parts![format!("let {xs} : {ty} = ({text}) in {xs}")]))
    }

    /// What a round makes of `a` and `b`: `F` and `S` are rounds, `C` is the type of the counter `i`.
    fn round(&mut self) -> &'static str {
        self.r.of([
            "(let (f, g) = if i < FC then ((a & b) | (a ^ b), i) else if i < SC then (b & (a + b) + T.i64 1, (5 * i + 1) % 16C) \
             else (a ^ b ^ T.i64 7, (3 * i) % 16C) in (b, a + f + T.C g))",
            "(if i == FC then (a * b + T.i64 1, a - b) else (a + b * T.i64 3, b ^ T.C i))",
            "(match i / (FC + 1C) case 0 -> (a + b * T.i64 5, b) case 1 -> (b, a * b + T.C i) case _ -> (a ^ (b + b), a))",
            "(if i % 2C == 0 then (b, a * T.i64 3 + b) else (b + a * T.C i, a))",
            "(if i >= FC && i <= SC then (b * a + T.i64 2, a + b * b) else (b, a))",
            "(if (i + 250C) / 2C < SC + FC then (b, a * T.i64 3 + b) else (b + a * T.C i, a))",
            "(let c = a + b let d = if FC <= i then (if i < SC then c * c + a else c - b * T.i64 9) else b * b * a in (d, c))",
        ])
    }
}
