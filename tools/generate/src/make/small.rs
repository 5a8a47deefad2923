//! Vectors and matrices of a few elements in the bodies of maps: literals, combinators over them, updates, loops
//! and branches that hand them on, and indexes that are constant or not.

use super::Maker;
use crate::parts;
use crate::tree::{Expr, Part};
use crate::types::{Scalar, Size, Ty};

/// Vectors of a body, all of one size and type.
struct Vectors {
    names: Vec<String>,
    size: i64,
    prim: String,
    /// The index of the point.
    at: String,
}

impl Maker {
    /// A map whose body computes with small vectors of whole numbers, or a reduction of these.
    pub fn small_vectors(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Scalar(Scalar::Exact(p)) = elem else { return None };
        let size = 1 + self.r.below(4) as i64;
        let times = self.estimate(n).saturating_mul(size * size);
        if !p.is_int() || !self.affords(times) {
            return None;
        }
        let at = self.name("at");
        // What is folded up of the vectors of all points, in place of a number for each point.
        let sums = self.r.below(4) == 0;
        let mut v = Vectors { names: Vec::new(), size, prim: p.to_string(), at: at.clone() };
        let body = self.scoped(times, false, |m| {
            m.declare_index(&at, n);
            let mut body = Vec::new();
            for _ in 0..2 {
                let mut made = parts!["["];
                for i in 0..size {
                    made.extend(parts![if i == 0 { "" } else { ", " }, m.short(|m| m.expr(elem))]);
                }
                made.extend(parts!["]"]);
                body.extend(m.bind_vector(&mut v, made));
            }
            for _ in 0..2 + m.r.below(4) {
                let made = m.next_vector(&v);
                body.extend(m.bind_vector(&mut v, parts![made]));
            }
            let folded = if sums { v.names.last().cloned() } else { None };
            let folded = folded.unwrap_or_else(|| m.folded_vector(&v));
            body.extend(parts![folded]);
            body
        });
        let mut all = parts![format!("map (\\{at} -> ")];
        all.extend(body);
        all.extend(parts![format!(") (iota {})", n.to_text())]);
        if sums {
            let (op, neutral) = self.r.of([("(+)", "0"), ("(*)", "1"), ("T.max", "T.lowest")]);
            let [op, neutral] = [op, neutral].map(|text| text.replace('T', &v.prim));
            let (name, n) = (self.name("v"), n.to_text());
            let mut folded =
                parts![format!("let {name} = reduce (map2 {op}) (replicate {size} {neutral}) (")];
            folded.append(&mut all);
            folded.extend(parts![format!(")\nin tabulate {n} (\\i -> {name}[i % {size}])")]);
            all = folded;
        }
        Some(Expr::new(&Ty::array(n, elem.clone()), all))
    }

    fn bind_vector(&mut self, v: &mut Vectors, made: Vec<Part>) -> Vec<Part> {
        let name = self.name("v");
        let mut p = parts![format!("\nlet {name} : [{}]{} = ", v.size, v.prim)];
        p.extend(made);
        p.extend(parts!["\nin "]);
        v.names.push(name);
        p
    }

    fn some_vector(&mut self, v: &Vectors) -> String {
        let i = self.r.below(v.names.len());
        v.names[i].clone()
    }

    /// An index into a vector, mostly a constant. It is inside, as nothing may depend on what is read there.
    fn place_in_vector(&mut self, v: &Vectors) -> String {
        match self.r.below(8) {
            0 => format!("({} % {})", v.at, v.size),
            _ => self.r.below(v.size as usize).to_string(),
        }
    }

    /// A vector made of others.
    fn next_vector(&mut self, v: &Vectors) -> String {
        let (a, b) = (self.some_vector(v), self.some_vector(v));
        let (k, p, at) = (v.size, &v.prim, &v.at);
        let i = self.place_in_vector(v);
        let op = self.r.of(["+", "-", "*"]);
        let c = self.r.below(5);
        let rounds = self.r.below(5);
        match self.r.below(14) {
            0 => format!("map2 ({op}) {a} {b}"),
            1 => format!("map (\\x -> x * x {op} {c}) {a}"),
            2 => format!("scan (+) 0 {a}"),
            3 => format!("rotate {c} (reverse {a})"),
            4 => format!("copy {a} with [{i}] = {b}[0] {op} {c}"),
            5 => format!("if {at} % 3 == {c} then {a} else map (\\x -> x {op} {c}) {b}"),
            6 => format!("loop v = {a} for _j < {rounds} do map2 ({op}) v (rotate 1 {b})"),
            7 => {
                format!("loop v = copy {a} for j < {k} - 1 do v with [j + 1] = v[j] {op} v[j + 1]")
            }
            8 => format!(
                "map (\\row -> reduce (+) 0 (map2 (*) row {a})) (tabulate_2d {k} {k} (\\i j -> {b}[i] \
                 {op} {p}.i64 j))"
            ),
            9 => format!("tabulate {k} (\\j -> {a}[j] {op} {b}[{k} - 1 - j])"),
            10 => format!("map (\\row -> row[0] {op} row[1]) (transpose [{a}, {b}])"),
            11 => format!("(drop 1 {a} ++ take 1 {b}) :> [{k}]{p}"),
            12 => format!("(loop (v, w) = ({a}, {b}) for _j < {rounds} do (w, map2 ({op}) v w)).0"),
            _ => format!(
                "(loop (v, j) = ({a}, 0) while j < {rounds} do (copy v with [j % {k}] = v[0] {op} {c}, j + \
                 1)).0"
            ),
        }
    }

    /// A number made of vectors.
    fn folded_vector(&mut self, v: &Vectors) -> String {
        let (a, b) = (self.some_vector(v), v.names.last().cloned().unwrap_or_default());
        let (p, i) = (&v.prim, self.place_in_vector(v));
        let (k, c) = (v.size, self.r.below(40));
        let varied = format!("(map (\\j -> map (\\x -> x * 3 + {p}.i64 j) {b}) (iota {c}))");
        match self.r.below(8) {
            5 => format!("(reduce (map2 (+)) (replicate {k} 0) {varied})[{i}]"),
            6 => format!(
                "(reduce (\\(a, b) (c, d) -> (map2 {p}.max a c, b + d)) (replicate {k} {p}.lowest, 0) (map (\\x -> \
                 (x, x[{i}])) {varied})).0[{i}]"
            ),
            7 => format!(
                "(reduce (\\a b -> map (\\r -> map (\\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a) \
                 (tabulate_2d {k} {k} (\\i j -> {p}.bool (i == j))) (map (\\x -> replicate {k} x) \
                 {varied}))[0, {i}]"
            ),
            0 => format!("{b}[{i}]"),
            1 => format!("reduce (+) 0 (map2 (*) {a} {b})"),
            2 => format!("reduce {p}.max {p}.lowest {b} - {a}[{i}]"),
            3 => format!("foldl (\\x y -> x * 3 + y) 1 {b}"),
            _ => format!("(last (scan (*) 1 {b})) + {a}[{i}]"),
        }
    }
}
