//! Chains of nests with transpositions, reshapes and slices between them, and reductions at their ends.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};

/// A matrix by name, with its rows and columns.
#[derive(Clone)]
struct Matrix {
    name: String,
    rows: String,
    columns: String,
}

/// What the elements of all matrices are, and how they are reduced.
struct Elements {
    prim: String,
    op: String,
    neutral: String,
}

impl Maker {
    /// What a chain comes to, of whole numbers.
    pub fn chained_views(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let (m, scalar) = match elem {
            Ty::Array(m, inner) => (m.clone(), (**inner).clone()),
            Ty::Scalar(_) => (self.size(), elem.clone()),
            _ => return None,
        };
        let Ty::Scalar(Scalar::Exact(p)) = &scalar else { return None };
        let times = self.estimate(n).saturating_mul(self.estimate(&m));
        if !p.is_int() || !self.affords(times.saturating_mul(12)) {
            return None;
        }
        let (op, neutral) = self.operator(&scalar)?;
        let of = Elements { prim: p.to_string(), op, neutral };
        let whole = Ty::array(n, Ty::array(&m, scalar.clone()));
        let made = self.short(|g| g.expr(&whole));
        let first = Matrix { name: self.name("xss"), rows: n.to_text(), columns: m.to_text() };
        let mut text = String::new();
        let mut all = vec![first.clone()];
        for _ in 0..1 + self.r.below(5) {
            let next = self.next_view(&of, &all, &mut text);
            all.push(next);
        }
        let last = &all[all.len() - 1];
        let end = match elem {
            Ty::Array(..) => self.as_first(last, &first),
            _ => self.reduced_view(&of, last, &first, &mut text),
        };
        let ty = Ty::array(n, elem.clone());
        let begin = format!("let {} : {whole} = copy (", first.name);
        Some(Expr::new(&ty, parts![begin, made, format!(")\n{text}in {end}")]))
    }

    /// A matrix made of those that there are: bound in `text`.
    fn next_view(&mut self, of: &Elements, all: &[Matrix], text: &mut String) -> Matrix {
        let last = &all[all.len() - 1];
        let Elements { prim: p, op, neutral } = of;
        let (c, x) = (self.r.below(5), &last.name);
        let other = |g: &mut Maker| {
            let like: Vec<&Matrix> = all
                .iter()
                .filter(|m| (&m.rows, &m.columns) == (&last.rows, &last.columns))
                .collect();
            like[g.r.below(like.len())].name.clone()
        };
        let (rows, columns) = (&last.rows, &last.columns);
        let made = match self.r.below(13) {
            0..=3 => {
                let made =
                    Matrix { name: self.name("xss"), rows: columns.clone(), columns: rows.clone() };
                text.push_str(&format!("let {} = transpose {x}\n", made.name));
                return made;
            }
            4 => format!("map2 (map2 (\\a b -> {op} a b)) {x} {}", other(self)),
            5 => format!("map2 (\\i -> map (\\a -> {op} a ({p}.i64 i))) (iota {rows}) {x}"),
            6 => format!(
                "map (\\as -> let s = reduce {op} {neutral} as in map (\\a -> {op} a s) as) {x}"
            ),
            7 => format!("unflatten (map (\\a -> {op} a {c}) (flatten {x}))"),
            8 => format!(
                "unflatten (map2 (\\a b -> {op} a b) (flatten {x}) (flatten {}))",
                other(self)
            ),
            9 => format!(
                "unflatten (map2 (\\a i -> {op} a ({p}.i64 (i % 7))) (flatten {x}) (iota ({rows} * {columns})))"
            ),
            // Columns that are reduced and mapped.
            10 => format!(
                "transpose (map (\\as -> let s = reduce {op} {neutral} as in map (\\a -> {op} a s) as) (transpose {x}))"
            ),
            11 => format!("map (map (\\a -> if a > {c} then a else {c})) (reverse {x})"),
            _ => format!("map (map (\\a -> {op} a {c})) {x}"),
        };
        let name = self.name("xss");
        text.push_str(&format!("let {name} : [{rows}][{columns}]{p} = {made}\n"));
        Matrix { name, rows: rows.clone(), columns: columns.clone() }
    }

    /// The matrix, as the first one is.
    fn as_first(&mut self, m: &Matrix, first: &Matrix) -> String {
        match m.rows == first.rows && m.columns == first.columns {
            true => m.name.clone(),
            false => format!("transpose {}", m.name),
        }
    }

    /// As many numbers as the first matrix has rows.
    fn reduced_view(
        &mut self,
        of: &Elements,
        m: &Matrix,
        first: &Matrix,
        text: &mut String,
    ) -> String {
        let Elements { prim: p, op, neutral } = of;
        let (c, x) = (self.r.below(5), &m.name);
        if m.rows == first.rows && self.r.one_in(2) {
            return format!("map (\\as -> reduce {op} {neutral} as) {x}");
        }
        let whole = match self.r.below(4) {
            0 => format!("{x}[::-1, :{} / 2]", m.columns),
            1 => format!("{x}[:{} / 2]", m.rows),
            _ => x.clone(),
        };
        let sum = match self.r.below(5) {
            0 => format!("reduce {op} {neutral} (flatten {whole})"),
            1 => format!("reduce {op} {neutral} (map (\\a -> {op} a {c}) (flatten {whole}))"),
            2 => format!(
                "let (a, k) = reduce_comm (\\(a, i) (b, j) -> ({op} a b, i64.max i j)) ({neutral}, 0) (map (\\a -> (a, i64.{p} a)) (flatten {whole})) in {op} a ({p}.i64 (k % 100))"
            ),
            3 => format!(
                "{op} ({p}.bool (all (\\a -> a > {c}) (flatten {whole}))) (reduce {op} {neutral} (flatten {whole}))"
            ),
            _ => format!("reduce {op} {neutral} (map (reduce {op} {neutral}) {whole})"),
        };
        let s = self.name("s");
        text.push_str(&format!("let {s} = {sum}\n"));
        format!("tabulate {} (\\i -> {op} {s} ({p}.i64 i))", first.rows)
    }
}
