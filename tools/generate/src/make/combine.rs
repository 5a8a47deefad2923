//! Associative operators, and the reductions and histograms that use them.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{Scalar, Size, Ty};
use futc_typed::prim::PrimType;

impl Maker {
    /// An associative operator on a type and its neutral element, as text.
    pub fn operator(&mut self, ty: &Ty) -> Option<(String, String)> {
        match ty {
            Ty::Scalar(Scalar::Near(p)) => Some(("(+)".into(), format!("0.0{p}"))),
            Ty::Scalar(Scalar::Exact(p)) => Some(self.scalar_operator(*p)),
            Ty::Tuple(ts) => {
                if let [Ty::Scalar(Scalar::Exact(a)), Ty::Scalar(Scalar::Exact(b))] = ts.as_slice()
                    && a == b
                    && a.is_int()
                    && self.r.one_in(2)
                {
                    // The composition of linear functions.
                    return Some((
                        format!("(\\((a, b): {ty}) ((c, d): {ty}) -> (a * c, b * c + d))"),
                        format!("(1{a}, 0{a})"),
                    ));
                }
                let ops: Option<Vec<_>> = ts.iter().map(|t| self.operator(t)).collect();
                let (ops, nes): (Vec<_>, Vec<_>) = ops?.into_iter().unzip();
                let names = |c: char| {
                    let names: Vec<String> = (0..ops.len()).map(|i| format!("{c}{i}")).collect();
                    names.join(", ")
                };
                let body: Vec<String> =
                    ops.iter().enumerate().map(|(i, op)| format!("{op} a{i} b{i}")).collect();
                let (a, b, body) = (names('a'), names('b'), body.join(", "));
                let op = format!("(\\(({a}): {ty}) (({b}): {ty}) -> ({body}))");
                Some((op, format!("({})", nes.join(", "))))
            }
            Ty::Record(fs) => {
                let mut body = Vec::new();
                let mut nes = Vec::new();
                for (f, t) in fs {
                    let (op, ne) = self.operator(t)?;
                    body.push(format!("{f} = {op} a.{f} b.{f}"));
                    nes.push(format!("{f} = {ne}"));
                }
                let op = format!("(\\(a: {ty}) (b: {ty}) -> {{{}}})", body.join(", "));
                Some((op, format!("{{{}}}", nes.join(", "))))
            }
            // The last that is something.
            Ty::Sum(s) => Some((
                format!("(\\(a: {ty}) (b: {ty}) -> match b case #none -> a case _ -> b)"),
                format!("(#none : {})", s.name),
            )),
            Ty::Array(n, t) => {
                if let Some(made) = self.operator_on_rows(n, t) {
                    return Some(made);
                }
                let (op, ne) = self.operator(t)?;
                Some((format!("(map2 {op})"), format!("(replicate ({n}) {ne})")))
            }
            Ty::Param(_) => None,
        }
    }

    fn scalar_operator(&mut self, p: PrimType) -> (String, String) {
        if p == PrimType::Bool {
            return match self.r.below(3) {
                0 => ("(&&)".into(), "true".into()),
                1 => ("(||)".into(), "false".into()),
                _ => ("(!=)".into(), "false".into()),
            };
        }
        if p.is_float() {
            return match self.r.below(2) {
                0 => (format!("{p}.max"), format!("(-{p}.inf)")),
                _ => (format!("{p}.min"), format!("{p}.inf")),
            };
        }
        let zero = format!("0{p}");
        match self.r.below(11) {
            0..=3 => ("(+)".into(), zero),
            4 => ("(*)".into(), format!("1{p}")),
            5 => (format!("{p}.max"), format!("{p}.lowest")),
            6 => (format!("{p}.min"), format!("{p}.highest")),
            7 => ("(&)".into(), format!("({p}.not 0)")),
            8 => ("(|)".into(), zero),
            9 => ("(^)".into(), zero),
            // The last that is not zero.
            _ => (format!("(\\(a: {p}) (b: {p}) -> if b == 0 then a else b)"), zero),
        }
    }

    /// An operator that commutes too, as histograms need.
    fn commutative(&mut self, ty: &Ty) -> Option<(String, String)> {
        match ty {
            Ty::Scalar(Scalar::Near(p)) => Some(("(+)".into(), format!("0.0{p}"))),
            Ty::Scalar(Scalar::Exact(p)) if p.is_int() => Some(match self.r.below(4) {
                0 => ("(+)".into(), format!("0{p}")),
                1 => (format!("{p}.max"), format!("{p}.lowest")),
                2 => ("(^)".into(), format!("0{p}")),
                _ => ("(\\x y -> x + y)".into(), format!("0{p}")),
            }),
            Ty::Scalar(Scalar::Exact(p)) => Some(self.scalar_operator(*p)),
            Ty::Tuple(ts) => match ts.as_slice() {
                [a, b] => {
                    let ((f, x), (g, y)) = (self.commutative(a)?, self.commutative(b)?);
                    let op = format!("(\\((a, b): {ty}) ((c, d): {ty}) -> ({f} a c, {g} b d))");
                    Some((op, format!("({x}, {y})")))
                }
                _ => None,
            },
            Ty::Array(n, t) => {
                let (op, ne) = self.commutative(t)?;
                Some((format!("(map2 {op})"), format!("(replicate ({n}) {ne})")))
            }
            Ty::Record(_) | Ty::Sum(_) | Ty::Param(_) => None,
        }
    }

    /// A reduction to a type.
    pub fn folded(&mut self, ty: &Ty) -> Option<Expr> {
        let n = self.size();
        let times = self.estimate(&n);
        if !self.affords(times) {
            return None;
        }
        if let Ty::Scalar(Scalar::Exact(PrimType::Bool)) = ty
            && self.r.one_in(2)
        {
            let t = self.some_element();
            let f = self.lambda(&[(t.clone(), None)], ty, times);
            let xs = self.expr(&Ty::array(&n, t));
            let mut parts = parts![self.r.of(["any ", "all "])];
            parts.extend(f);
            parts.extend(parts![" ", xs]);
            return Some(Expr::new(ty, parts));
        }
        if let Ty::Scalar(Scalar::Exact(p)) = ty
            && p.is_int()
            && self.r.one_in(4)
        {
            let f = self.r.of(["sum", "product", "maximum", "minimum"]);
            let xs = self.expr(&Ty::array(&n, ty.clone()));
            return Some(Expr::new(ty, parts![format!("{p}.{f} "), xs]));
        }
        if self.r.one_in(4) {
            // In order, whatever the function.
            let elem = self.some_element();
            let seen = self.touched.len();
            let f = self.lambda(&[(ty.clone(), None), (elem.clone(), None)], ty, times);
            let mut groups = self.touched_since(seen);
            groups.push(super::bound::BORROWED);
            let (x, xs) = (self.expr(ty), self.expr(&Ty::array(&n, elem)));
            groups.extend(x.groups.iter().chain(&xs.groups));
            let mut parts = parts!["foldl "];
            parts.extend(f);
            parts.extend(parts![" ", x, " ", xs]);
            return Some(Expr::shared(ty, groups, parts));
        }
        let (comm, (op, ne)) = match self.r.below(3) {
            0 => ("_comm", self.commutative(ty)?),
            _ => ("", self.operator(ty)?),
        };
        let xs = self.expr(&Ty::array(&n, ty.clone()));
        let groups = if ty.has_arrays() { xs.groups.clone() } else { Vec::new() };
        let mut groups = groups;
        if ty.has_arrays() {
            groups.push(super::bound::BORROWED);
        }
        let e = Expr::shared(ty, groups, parts![format!("reduce{comm} {op} {ne} "), xs]);
        Some(match ty {
            Ty::Scalar(Scalar::Near(p)) => self.bounded(*p, e),
            _ => e,
        })
    }

    /// An operator of a histogram, with its neutral element. Infinities are none of minima and maxima where a destination is not
    /// a number, nor is what is put into it.
    pub fn of_histogram(&mut self, elem: &Ty) -> Option<(String, String)> {
        let (op, ne) = self.commutative(elem)?;
        let ne = ["f16", "f32", "f64"].iter().fold(ne, |ne, p| {
            let (inf, nan) = (format!("{p}.inf"), format!("{p}.nan"));
            ne.replace(&format!("-{inf}"), &nan).replace(&inf, &nan)
        });
        Some((op, ne))
    }

    /// A histogram of `n` bins.
    pub fn histogram(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let ty = Ty::array(n, elem.clone());
        let (op, ne) = self.of_histogram(elem)?;
        if self.r.one_in(8) {
            return Some(self.votes(n, elem, &format!(" {op} {ne} ")));
        }
        let k = self.size();
        let is = if self.r.one_in(4) {
            self.parts_of_indexes(&k)
        } else {
            self.expr(&Ty::array(&k, Ty::I64))
        };
        let values = self.expr(&Ty::array(&k, elem.clone()));
        // Some fall outside: these are ignored.
        let reach = self.r.of([1, 1, 2, 5, 100]);
        let is = parts!["(map (% ", Maker::size_text(n), format!(" + {reach}) "), is, ")"];
        let mut parts = if self.r.one_in(2) {
            let dest = self.fresh(&ty);
            parts!["reduce_by_index ", dest, format!(" {op} {ne} ")]
        } else {
            parts![format!("hist {op} {ne} "), Maker::size_text(n), " "]
        };
        parts.extend(is);
        parts.extend(parts![" ", values]);
        let e = Expr::new(&ty, parts);
        Some(match elem {
            Ty::Scalar(Scalar::Near(p)) => {
                Expr::new(&ty, parts![format!("map (\\x -> x * 0.05{p}) "), e])
            }
            _ => e,
        })
    }

    /// A histogram of a flattened nest, each of whose elements votes for one of `n` bins.
    fn votes(&mut self, n: &Size, elem: &Ty, operator: &str) -> Expr {
        let ty = Ty::array(n, elem.clone());
        let (rows, columns) = (self.size(), self.size());
        let dest = self.fresh(&ty);
        let xs = self.expr(&Ty::array(&rows, Ty::I64));
        let ys = self.expr(&Ty::array(&columns, Ty::I64));
        let vote = self.expr(elem);
        let bin = self.r.of([
            "vx + vy",
            "vx * 3 - vy",
            "i64.max vx vy",
            "i64.f32 (f32.i64 (vx % 50) * 1.5 + f32.i64 (vy % 50))",
        ]);
        let reach = self.r.of([1, 1, 2, 5]);
        let e = Expr::new(
            &ty,
            parts![
                "reduce_by_index ",
                dest,
                operator,
                format!("(flatten (map (\\vx -> map (\\vy -> ({bin}) % ("),
                Maker::size_text(n),
                format!(" + {reach})) "),
                ys,
                ") ",
                xs,
                ")) (replicate (",
                Maker::size_text(&rows),
                " * ",
                Maker::size_text(&columns),
                ") ",
                vote,
                ")"
            ],
        );
        match elem {
            Ty::Scalar(Scalar::Near(p)) => {
                Expr::new(&ty, parts![format!("map (\\x -> x * 0.05{p}) "), e])
            }
            _ => e,
        }
    }

    /// Quotients or remainders of `k` indexes by a size that is not zero.
    fn parts_of_indexes(&mut self, k: &Size) -> Expr {
        let by = self.size();
        let op = self.r.of(["%", "/", "%%", "//"]);
        let more = self.r.of([1, 2, 8, 9]);
        let from = self.r.of([0, 0, 3, 20]);
        let head = format!("map (\\i -> (i + {from}) {op} (");
        Expr::new(
            &Ty::array(k, Ty::I64),
            parts![
                head,
                Maker::size_text(&by),
                format!(" + {more})) (iota "),
                Maker::size_text(k),
                ")"
            ],
        )
    }

    /// Two indexes for each of the elements written or combined.
    pub fn indexed_twice(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Array(m, inner) = elem else { return None };
        let ty = Ty::array(n, elem.clone());
        let k = self.size();
        let dest = self.fresh(&ty);
        let (rows, columns) = (Maker::size_text(n), Maker::size_text(m));
        let values = self.expr(&Ty::array(&k, (**inner).clone()));
        if self.r.one_in(2) {
            // Every column once.
            let is = parts!["(map (\\i -> (i % (", rows, " + 1), i)) (iota ", Maker::size_text(&k)];
            let mut p = parts!["scatter_2d ", dest, " "];
            p.extend(is);
            p.extend(parts![")) ", values]);
            return Some(Expr::new(&ty, p));
        }
        let (op, ne) = self.of_histogram(inner)?;
        let is = self.expr(&Ty::array(&k, Ty::I64));
        let mut p = parts!["reduce_by_index_2d ", dest, format!(" {op} {ne} ")];
        p.extend(parts!["(map (\\i -> (i % (", rows, " + 1), i % (", columns, " + 2))) ", is]);
        p.extend(parts![") ", values]);
        let e = Expr::new(&ty, p);
        Some(match **inner {
            Ty::Scalar(Scalar::Near(p)) => {
                Expr::new(&ty, parts![format!("map (map (\\x -> x * 0.05{p})) "), e])
            }
            _ => e,
        })
    }

    /// Elements written into a fresh array, to places that are different.
    pub fn scattered(&mut self, n: &Size, elem: &Ty) -> Expr {
        let ty = Ty::array(n, elem.clone());
        let dest = self.fresh(&ty);
        let (is, values) = self.writes(elem);
        Expr::new(&ty, parts!["scatter ", dest, " ", is, " ", values])
    }

    /// Different indexes, some of them out of bounds perhaps, and values for them.
    pub fn writes(&mut self, elem: &Ty) -> (Expr, Expr) {
        let k = self.size();
        let is = Ty::array(&k, Ty::I64);
        let size = Maker::size_text(&k);
        let e = match self.r.below(5) {
            0 => Expr::new(&is, parts!["iota ", size]),
            1 => Expr::new(&is, parts!["reverse (iota ", size, ")"]),
            2 => {
                let c = self.r.of([-1, 1, 2, 5]);
                Expr::new(&is, parts![format!("map (+ ({c})) (iota "), size, ")"])
            }
            3 => Expr::new(&is, parts!["map (* 2) (iota ", size, ")"]),
            _ => {
                let times = self.estimate(&k);
                let f = self.scoped(times, false, |m| {
                    let i = m.name("at");
                    m.declare_index(&i, &k);
                    let c = m.expr(&Ty::BOOL);
                    parts![format!("(\\({i}: i64) -> if "), c, format!(" then {i} else -1)")]
                });
                let mut p = parts!["map "];
                p.extend(f);
                p.extend(parts![" (iota ", size, ")"]);
                Expr::new(&is, p)
            }
        };
        let values = self.expr(&Ty::array(&k, elem.clone()));
        (e, values)
    }
}
