//! Loops that make a whole array anew in each round, of the element at the same place and of what is the same for a row, a column or
//! all of the array: steps of elimination, relaxation, closure. Some read elsewhere, too, or keep what was. None
//! is out of bounds, as nobody may need what is read with it.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};

impl Maker {
    /// The array after some rounds, of whole numbers.
    pub fn replaced(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let (m, scalar) = match elem {
            Ty::Array(m, inner) => (Some(m), &**inner),
            Ty::Scalar(_) => (None, elem),
            _ => return None,
        };
        let Ty::Scalar(Scalar::Exact(p)) = scalar else { return None };
        let times = self.estimate(n).saturating_mul(m.map_or(1, |m| self.estimate(m)));
        if !p.is_int() || !self.affords(times.saturating_mul(12)) {
            return None;
        }
        let ty = Ty::array(n, elem.clone());
        let xs = self.short(|g| g.expr(&ty));
        let [v, d, k] = [self.name("xs"), self.name("xss"), self.name("k")];
        let rows = n.to_text();
        // In rounds of pivots, their row and column are inside.
        let columns = m.map(Size::to_text);
        let pivots = columns.clone().filter(|_| self.r.one_in(2));
        let inside = pivots.as_ref().map(|m| format!("(i64.min ({rows}) ({m}))"));
        let round = match (pivots, columns) {
            (Some(m), _) => {
                let value = self.pivoted(&d, &k);
                format!("tabulate_2d ({rows}) ({m}) (\\i j -> #[unsafe] ({value}))")
            }
            (None, Some(m)) => self.next_matrix(&d, &k, (&rows, &m), &p.to_string()),
            (None, None) => self.next_row(&d, &k, &rows, &p.to_string()),
        };
        let rounds =
            [rows, "3i64".to_owned(), "9i64".to_owned(), "(i64.min 4 (length V))".replace('V', &v)];
        let rounds = inside.as_ref().unwrap_or(&rounds[self.r.below(rounds.len())]);
        let first = self.r.of(["copy V", "copy V", "V"]).replace('V', &v);
        let c = self.r.below(5);
        let looped = match self.r.below(9) {
            0 if inside.is_none() => format!(
                "(loop ({d}: {ty}, {k}) = ({first}, 0) while {k} < 3 do ({round}, {k} + 1)).0"
            ),
            // Two at a time, of which one is what the other was.
            1 => format!(
                "(loop ({d}: {ty}, _e: {ty}) = ({first}, copy {v}) for {k} < {rounds} do ({round}, {d})).{}",
                c % 2
            ),
            2 => format!(
                "(loop ({d}: {ty}, best: {ty}) = ({first}, {v}) for {k} < {rounds} do let {d} = {round} in ({d}, if {k} % 2 == 0 then {d} else best)).{}",
                c % 2
            ),
            // The first is read again.
            3 => format!(
                "let w = {first} let u = loop ({d}: {ty}) = w for {k} < {rounds} do {round} in if length w == {c} then w else u"
            ),
            4 => format!(
                "loop ({d}: {ty}) = {first} for at < 2i64 do loop ({d}: {ty}) = {d} for {k} < {rounds} do {round}"
            ),
            5 => format!(
                "loop ({d}: {ty}) = {first} for {k} < {rounds} do let {d} = {round} in {round}"
            ),
            _ => format!("loop ({d}: {ty}) = {first} for {k} < {rounds} do {round}"),
        };
        Some(Expr::new(
            &ty,
            parts![format!("let {v} : {ty} = copy ("), xs, format!(")\nin ({looped})")],
        ))
    }

    /// What is read of a matrix `D` in round `K` at the point `I`, `J`.
    fn read_in_matrix(&mut self) -> &'static str {
        self.r.of([
            "D[I, J]",
            "D[I, J]",
            "D[i64.min K (N - 1), J]",
            "D[I, i64.min K (M - 1)]",
            "D[i64.min K (N - 1), i64.min K (M - 1)]",
            "D[0, J]",
            "D[i64.min (K / 2) (N - 1), M - 1 - J]",
            "(if K < N then D[K, J] else 1)",
            "(if K < M && J != K then D[I, K] else 2)",
            "(if I == K then D[K, J] else D[I, J] + D[I, 0])",
            "(if J < K then D[I, J] else D[0, J])",
            // Only if there are few rounds.
            "(if N > 9 && M > 9 then D[K, J] - D[I, K] else 3)",
        ])
    }

    /// What an element of a matrix is next, of its own row and column and those of a pivot.
    fn pivoted(&mut self, d: &str, k: &str) -> String {
        let reads = [
            "D[i, j]",
            "D[i, K]",
            "D[K, j]",
            "D[K, K]",
            "(if i == K then D[K, j] else D[i, j])",
            "(if i > K && j > K then D[i, j] - D[i, K] ^ D[K, j] else 3)",
            "(if j <= K then D[i, K] else D[K, K])",
            "(if j >= i && K != j then 2 else D[K, j])",
        ];
        let mut value = "D[i, j] - D[i, K] ^ D[K, j]".to_owned();
        for _ in 0..self.r.below(3) {
            let read = reads[self.r.below(reads.len())];
            value = format!("{value} {} {read}", self.r.of(["+", "-", "^", "*"]));
        }
        value.replace('D', d).replace('K', k)
    }

    fn next_matrix(&mut self, d: &str, k: &str, (n, m): (&str, &str), p: &str) -> String {
        let mut value = self.read_in_matrix().to_owned();
        for _ in 0..1 + self.r.below(3) {
            value = format!("{value} {} {}", self.r.of(["+", "-", "^"]), self.read_in_matrix());
        }
        if self.r.one_in(8) {
            let elsewhere = [
                "D[N - 1 - I, J]",
                "D[I, M - 1 - J]",
                "D[(I + 1) % N, J]",
                "D[K % N, J]",
                "D[I, K % M]",
            ];
            value = format!("{value} + {}", elsewhere[self.r.below(elsewhere.len())]);
        }
        let c = self.r.below(5).to_string();
        let round = match self.r.below(9) {
            0..=2 => "tabulate_2d N M (\\i j -> VALUE)",
            3 => "map2 (\\i row -> map2 (\\j x -> VALUE - x) (iota M) row) (iota N) D",
            // A pivot's row, and the others less their part of it.
            4 => {
                "(if N == 0 then copy D else let row = map (\\x -> x * C) D[i64.min K (N - 1)] \
                 in map2 (\\i xs -> if i == K then row else map3 (\\j x y -> VALUE + x - y) (iota M) xs row) (iota N) D)"
            }
            // Of what all of the row comes to.
            5 => {
                "map2 (\\i xs -> let s = reduce (+) 0 xs in map2 (\\j x -> (VALUE) * C + s - x) (iota M) xs) (iota N) D"
            }
            6 => {
                "map2 (\\i xs -> if M > 0 && xs[0] > T.i64 C then map (\\j -> VALUE) (iota M) else if i > C then copy xs else \
                 replicate M ((if M > 0 then xs[0] else 0) + T.i64 i)) (iota N) D"
            }
            // A row is made in two steps, of which the second reads the matrix again.
            7 => {
                "map2 (\\i xs -> let ys = map2 (\\j x -> x + VALUE) (iota M) xs in loop ys for j < i64.min 2 M do ys with [j] = \
                 ys[j] - D[i, j]) (iota N) D"
            }
            _ => "transpose (tabulate_2d M N (\\j i -> VALUE))",
        };
        let value = value.replace('I', "i").replace('J', "j");
        round
            .replace("VALUE", &value)
            .replace('N', n)
            .replace('M', m)
            .replace('D', d)
            .replace('K', k)
            .replace('C', &c)
            .replace('T', p)
    }

    fn next_row(&mut self, d: &str, k: &str, n: &str, p: &str) -> String {
        let reads = [
            "D[I]",
            "D[i64.min K (N - 1)]",
            "(if K < N then D[K] else 1)",
            "D[0]",
            "(if I < K then D[I] else D[N - 1])",
            "(if I == K then D[N / 2] else T.i64 I)",
        ];
        let mut value = "D[I]".to_owned();
        for _ in 0..1 + self.r.below(3) {
            let read = reads[self.r.below(reads.len())];
            value = format!("{value} {} {read}", self.r.of(["+", "-", "^"]));
        }
        if self.r.one_in(8) {
            value += self.r.of([" + D[N - 1 - I]", " + D[I / 2]", " - D[K % N]"]);
        }
        let round = self.r.of([
            "map (\\i -> VALUE) (iota N)",
            "map2 (\\i x -> VALUE - x) (iota N) D",
            "tabulate N (\\i -> VALUE)",
            "map2 (+) (map (\\i -> VALUE) (iota N)) D",
        ]);
        let value = value.replace('I', "i");
        round
            .replace("VALUE", &value)
            .replace('N', n)
            .replace('D', d)
            .replace('K', k)
            .replace('T', p)
    }
}
