//! Arrays: combinators, constructors and changes of shape.

use super::Maker;
use super::bound::BORROWED;
use crate::parts;
use crate::tree::{Expr, Part};
use crate::types::{Scalar, Size, Ty};
use futc_typed::prim::PrimType;

/// Sizes of more elements are not written out.
const LITERAL: i64 = 5;

impl Maker {
    /// An array of `n` elements.
    pub fn array(&mut self, n: &Size, elem: &Ty) -> Expr {
        let ty = Ty::array(n, elem.clone());
        let size = || Maker::size_text(n);
        let times = self.estimate(n);
        if !self.affords(times) {
            return self.leaf(&ty);
        }
        for _ in 0..4 {
            let made = match self.r.below(33) {
                0..=4 => Some(self.map(n, elem)),
                5 => self.scan(n, elem),
                6 => Some(Expr::new(&ty, parts!["replicate ", size(), " ", self.expr(elem)])),
                7 => {
                    let f = self.lambda(&[(Ty::I64, Some(n.clone()))], elem, times);
                    let mut p = parts!["tabulate ", size(), " "];
                    p.extend(f);
                    Some(Expr::new(&ty, p))
                }
                8 => {
                    let e = self.expr(&ty);
                    let groups = e.groups.clone();
                    Some(match self.r.below(4) {
                        0 => Expr::shared(&ty, groups, parts!["reverse ", e]),
                        1 => Expr::new(&ty, parts!["copy ", e]),
                        2 => {
                            // The prelude's is a map, but its type does not say so.
                            Expr::shared(
                                &ty,
                                groups,
                                parts!["rotate ", self.expr(&Ty::I64), " ", e],
                            )
                        }
                        _ => {
                            Expr::shared(&ty, groups, parts!["(", e, ")[::-1] :> ", ty.to_string()])
                        }
                    })
                }
                9 | 10 => self.joined(n, elem),
                11 | 12 => self.reshaped(n, elem),
                13 => self.zipped(n, elem),
                14 => self.unzipped(n, elem),
                15 => self.histogram(n, elem),
                16 => Some(self.scattered(n, elem)),
                17 if times <= LITERAL && matches!(n, Size::Const(1..)) => {
                    Some(self.array_literal(n, elem))
                }
                18 => self.update_of_fresh(n, elem),
                19 => self.stencil(n, elem),
                20 => self.product(n, elem),
                24 if matches!(elem, Ty::Array(..)) => self.product(n, elem),
                21 => self.exscan(n, elem),
                22 => self.widened(n, elem),
                23 => self.resized(n, elem),
                26 => self.broadcast(n, elem),
                27 => self.indexed_twice(n, elem),
                28..=31 => self.idiom(n, elem),
                _ => self.var_of(&ty),
            };
            if let Some(e) = made {
                return e;
            }
        }
        self.map(n, elem)
    }

    /// A function of these parameters, each possibly an index: text in parentheses.
    pub fn lambda(&mut self, params: &[(Ty, Option<Size>)], result: &Ty, times: i64) -> Vec<Part> {
        self.scoped(times, false, |m| {
            let mut parts = parts!["(\\"];
            for (t, below) in params {
                let pattern = match below {
                    Some(n) => {
                        let name = m.name("at");
                        m.declare_index(&name, n);
                        name
                    }
                    None => m.pattern(t, &[BORROWED]),
                };
                parts.extend(parts![format!("({pattern}: {t}) ")]);
            }
            parts.extend(parts!["-> "]);
            if m.r.one_in(3) && m.depth < 6 {
                let stms = 1 + m.r.below(3);
                parts.push(Part::Block(m.block_here(result, stms)));
            } else {
                let e = m.expr(result);
                parts.push(Part::Expr(m.returned(e)));
            }
            parts.extend(parts![")"]);
            parts
        })
    }

    /// An array to go over, or the indexes of one: the argument and the parameter for it.
    fn input(&mut self, n: &Size) -> (Expr, (Ty, Option<Size>)) {
        let over = |t: &Ty| matches!(t, Ty::Array(m, _) if m == n);
        if self.r.one_in(4) {
            let e = Expr::new(&Ty::array(n, Ty::I64), parts!["iota ", Maker::size_text(n)]);
            return (e, (Ty::I64, Some(n.clone())));
        }
        if !self.r.one_in(4)
            && let Some(i) = self.some_var(|v| over(&v.ty))
        {
            let e = self.mention(i);
            if let Ty::Array(_, t) = &e.ty {
                let t = (**t).clone();
                return (e, (t, None));
            }
        }
        let t = self.some_element();
        (self.expr(&Ty::array(n, t.clone())), (t, None))
    }

    /// `map`.
    pub fn map(&mut self, n: &Size, elem: &Ty) -> Expr {
        let ty = Ty::array(n, elem.clone());
        let times = self.estimate(n);
        // A function that is already there.
        if self.r.one_in(6)
            && let Some((f, t)) = self.function_to(elem, times)
        {
            let xs = self.expr(&Ty::array(n, t));
            let mut parts = parts!["map "];
            parts.extend(f);
            parts.extend(parts![" ", xs]);
            return Expr::new(&ty, parts);
        }
        let count = self.r.of([1, 1, 1, 2, 2, 3]);
        let mut inputs = Vec::new();
        let mut params = Vec::new();
        for _ in 0..count {
            let (e, p) = self.input(n);
            inputs.push(e);
            params.push(p);
        }
        let seen = self.touched.len();
        let f = self.lambda(&params, elem, times);
        if count == 1 && self.r.one_in(4) {
            // The type of `|>` does not say that the result is fresh.
            let mut groups = self.touched_since(seen);
            groups.push(BORROWED);
            let mut p = Vec::new();
            for e in inputs {
                groups.extend(&e.groups);
                p.extend(parts![e]);
            }
            p.extend(parts![" |> map "]);
            p.extend(f);
            return Expr::shared(&ty, groups, p);
        }
        let mut p = parts![if count == 1 { "map ".into() } else { format!("map{count} ") }];
        p.extend(f);
        for e in inputs {
            p.extend(parts![" ", e]);
        }
        Expr::new(&ty, p)
    }

    fn scan(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let ty = Ty::array(n, elem.clone());
        let (op, ne) = self.operator(elem)?;
        let xs = self.expr(&ty);
        Some(self.tamed(&ty, parts![format!("scan {op} {ne} "), xs]))
    }

    fn exscan(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let ty = Ty::array(n, elem.clone());
        let (op, ne) = self.operator(elem)?;
        let xs = self.expr(&ty);
        Some(self.tamed(&ty, parts![format!("exscan {op} {ne} "), xs]))
    }

    /// Sums of approximate floats may be large: they are bounded again.
    fn tamed(&mut self, ty: &Ty, parts: Vec<Part>) -> Expr {
        match ty {
            Ty::Array(_, t) => match **t {
                Ty::Scalar(Scalar::Near(p)) => {
                    let inner = Expr::new(ty, parts);
                    Expr::new(ty, parts![format!("map (\\x -> x * 0.05{p}) "), inner])
                }
                _ => Expr::new(ty, parts),
            },
            _ => Expr::new(ty, parts),
        }
    }

    /// `a ++ b`, for a size that is a sum.
    fn joined(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Size::Sum(a, b) = n else { return None };
        let (xs, ys) = (Ty::array(a, elem.clone()), Ty::array(b, elem.clone()));
        let (xs, ys) = (self.expr(&xs), self.expr(&ys));
        Some(Expr::new(&Ty::array(n, elem.clone()), parts![xs, " ++ ", ys]))
    }

    /// Through another shape.
    fn reshaped(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let ty = Ty::array(n, elem.clone());
        if let Size::Product(a, b) = n
            && self.r.one_in(2)
        {
            let e = self.expr(&Ty::array(a, Ty::array(b, elem.clone())));
            return Some(Expr::shared(&ty, e.groups.clone(), parts!["flatten ", e]));
        }
        let Ty::Array(m, inner) = elem else { return None };
        if self.r.one_in(2) {
            let e = self.expr(&Ty::array(m, Ty::array(n, (**inner).clone())));
            return Some(Expr::shared(&ty, e.groups.clone(), parts!["transpose ", e]));
        }
        if self.estimate(n) * self.estimate(m) > 200 {
            return None;
        }
        let flat = Size::Product(Box::new(n.clone()), Box::new(m.clone()));
        let e = self.expr(&Ty::array(&flat, (**inner).clone()));
        Some(Expr::shared(&ty, e.groups.clone(), parts!["unflatten ", e, format!(" : {ty}")]))
    }

    fn zipped(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Tuple(ts) = elem else { return None };
        let [a, b] = ts.as_slice() else { return None };
        let (a, b) = (Ty::array(n, a.clone()), Ty::array(n, b.clone()));
        let (a, b) = (self.expr(&a), self.expr(&b));
        Some(Expr::new(&Ty::array(n, elem.clone()), parts!["zip ", a, " ", b]))
    }

    /// One half of an array of pairs.
    fn unzipped(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let ty = Ty::array(n, elem.clone());
        let other = self.some_scalar();
        let first = self.r.one_in(2);
        let (a, b) = if first { (elem.clone(), other) } else { (other, elem.clone()) };
        let pairs = self.expr(&Ty::array(n, Ty::Tuple(vec![a, b])));
        let at = if first { 0 } else { 1 };
        Some(match self.r.below(3) {
            0 => Expr::new(&ty, parts![format!("map (.{at}) "), pairs]),
            _ => {
                Expr::shared(&ty, pairs.groups.clone(), parts!["(unzip ", pairs, format!(").{at}")])
            }
        })
    }

    fn array_literal(&mut self, n: &Size, elem: &Ty) -> Expr {
        let mut parts = parts!["["];
        for i in 0..self.estimate(n) {
            parts.extend(parts![if i == 0 { "" } else { ", " }, self.expr(elem)]);
        }
        parts.extend(parts!["]"]);
        Expr::new(&Ty::array(n, elem.clone()), parts)
    }

    /// Each element of its neighbours, which are looked up by index.
    fn stencil(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let ty = Ty::array(n, elem.clone());
        let xs = self.name("xs");
        let e = self.expr(&ty);
        let groups = e.groups.clone();
        let times = self.estimate(n);
        let size = n.clone();
        let (p, op) = match elem {
            Ty::Scalar(Scalar::Exact(PrimType::Bool)) => return None,
            Ty::Scalar(s) => (s.prim(), format!("{}.max", s.prim())),
            Ty::Array(..) | Ty::Tuple(_) | Ty::Record(_) | Ty::Sum(_) | Ty::Param(_) => {
                return None;
            }
        };
        let f = self.scoped(times, false, |m| {
            m.declare(&xs, &ty, groups);
            let i = m.name("at");
            m.declare_index(&i, &size);
            let rest = m.expr(elem);
            let text = format!(
                "(\\({i}: i64) -> let l = if {i} > 0 then {xs}[{i} - 1] else {xs}[{i}]\n\
                 let r = if {i} < ({size}) - 1 then {xs}[{i} + 1] else {xs}[{i}]\n\
                 in {op} (l {} r) ",
                if matches!(elem, Ty::Scalar(Scalar::Near(_))) { "*" } else { "+" }
            );
            let _ = p;
            parts![text, rest, ")"]
        });
        let mut parts = parts![format!("let {xs} : {ty} = "), e, "\nin map "];
        parts.extend(f);
        parts.extend(parts![" (iota ", Maker::size_text(n), ")"]);
        let map = Expr::new(&ty, parts);
        if let Ty::Scalar(Scalar::Near(p)) = elem {
            return Some(Expr::new(
                &ty,
                parts![format!("map (\\x -> {p}.max (-50) ({p}.min 50 x)) "), map],
            ));
        }
        Some(map)
    }

    /// A matrix by a matrix, by a vector, or outer.
    fn product(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let ty = Ty::array(n, elem.clone());
        let k = self.size();
        let inner = self.estimate(n) * self.estimate(&k);
        let sum = |p: PrimType| format!("reduce (+) 0{p}");
        let scale = |s: Scalar, body: String| match s {
            Scalar::Near(p) => format!("{p}.max (-50) ({p}.min 50 (0.01{p} * {body}))"),
            Scalar::Exact(_) => body,
        };
        let number = |s: Scalar| match s {
            Scalar::Exact(p) => p.is_int(),
            Scalar::Near(_) => true,
        };
        match elem {
            Ty::Scalar(s) if number(*s) && self.affords(inner) => {
                let rows = self.expr(&Ty::array(n, Ty::array(&k, elem.clone())));
                let v = self.expr(&Ty::array(&k, elem.clone()));
                let body = scale(*s, format!("({} (map2 (*) row v))", sum(s.prim())));
                Some(Expr::new(
                    &ty,
                    parts![
                        "let rows = ",
                        rows,
                        "\nlet v = ",
                        v,
                        format!("\nin map (\\row -> {body}) rows")
                    ],
                ))
            }
            Ty::Array(m, e) => {
                let Ty::Scalar(s) = **e else { return None };
                let work = inner.saturating_mul(self.estimate(m));
                if !number(s) || !self.affords(work) {
                    return None;
                }
                let a = self.expr(&Ty::array(n, Ty::array(&k, (**e).clone())));
                let b = self.expr(&Ty::array(&k, Ty::array(m, (**e).clone())));
                let body = scale(s, format!("({} (map2 (*) row col))", sum(s.prim())));
                Some(Expr::new(
                    &ty,
                    parts![
                        "let a = ",
                        a,
                        "\nlet b = ",
                        b,
                        format!("\nin map (\\row -> map (\\col -> {body}) (transpose b)) a"),
                    ],
                ))
            }
            Ty::Scalar(_) | Ty::Tuple(_) | Ty::Record(_) | Ty::Sum(_) | Ty::Param(_) => None,
        }
    }

    /// Exact floats as approximate ones.
    fn widened(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Scalar(Scalar::Near(p)) = elem else { return None };
        let xs = self.expr(&Ty::array(n, Ty::exact(*p)));
        let text = format!("map (\\x -> {p}.max (-50) ({p}.min 50 x)) ");
        Some(Expr::new(&Ty::array(n, elem.clone()), parts![text, xs]))
    }

    /// Elements of an array of another size, again and again.
    fn resized(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let i = self.some_var(|v| matches!(&v.ty, Ty::Array(m, t) if m != n && **t == *elem))?;
        // Rows of it are results of a function.
        let xs = self.mention(i);
        let xs = self.returned(xs);
        let Ty::Array(m, _) = xs.ty.clone() else { return None };
        let k = self.r.of([1, 2, 3, 7]);
        let Part::Text(size) = Maker::size_text(&m) else { return None };
        if let Size::Const(1..) = m {
            let text = format!(")[(i * {k}) % {size}]) (iota ");
            return Some(Expr::new(
                &Ty::array(n, elem.clone()),
                parts!["map (\\i -> (", xs, text, Maker::size_text(n), ")"],
            ));
        }
        let other = self.leaf(elem);
        let other = self.returned(other);
        let open = format!("map (\\i -> if {size} > 0 then (");
        let close = format!(")[(i * {k} + {k}) % {size}] else ");
        Some(Expr::new(
            &Ty::array(n, elem.clone()),
            parts![open, xs, close, other, ") (iota ", Maker::size_text(n), ")"],
        ))
    }
}
