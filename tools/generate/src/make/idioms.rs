//! What people write that the optimiser has a form of its own for: elements read at other places than
//! they are made at, neighbours in two dimensions, flat indexes, products with something added, searches;
//! and writes ([`super::writes`]).

use super::Maker;
use super::bound::BORROWED;
use crate::parts;
use crate::tree::{Expr, Part, Stm};
use crate::types::{Scalar, Size, Ty};
use futc_typed::prim::PrimType;

impl Maker {
    /// One of them that is an array.
    pub fn idiom(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        if matches!(elem, Ty::Array(..)) && self.r.one_in(3) {
            return if self.r.one_in(3) { self.filled(n, elem) } else { self.lines(n, elem) };
        }
        if matches!(elem, Ty::Array(..)) && self.r.one_in(3) {
            return self.replaced(n, elem);
        }
        if matches!(elem, Ty::Scalar(_)) && self.r.one_in(6) {
            return self.repeated(n, elem);
        }
        if self.r.one_in(6) {
            return self.bordered(n, elem);
        }
        if self.r.one_in(4) {
            return self.chained_views(n, elem);
        }
        if self.r.one_in(8) {
            return self.periodic(n, elem);
        }
        if self.r.one_in(8) {
            return self.by_planes(n, elem);
        }
        if self.r.one_in(8) {
            return self.by_rounds(n, elem);
        }
        if self.r.one_in(4) {
            return self.decided(n, elem);
        }
        if self.r.one_in(8) {
            return self.in_windows(n, elem);
        }
        if self.r.one_in(8) {
            return self.rotated(n, elem);
        }
        if self.r.one_in(8) {
            return self.in_columns(n, elem);
        }
        if self.r.one_in(8) {
            return self.in_rounds_of_elements(n, elem);
        }
        if self.r.one_in(8) {
            return self.divided_where(n, elem);
        }
        match self.r.below(22) {
            0 | 1 => self.read_elsewhere(n, elem),
            2 | 3 | 16 | 20 | 21 => self.rows_scattered(n, elem),
            4 => self.counted_places(n, elem),
            5 => self.neighbours(n, elem),
            6 => self.by_flat_index(n, elem),
            7 | 8 => self.small_vectors(n, elem),
            9 | 10 => self.written_and_counted(n, elem),
            11 if self.r.one_in(2) => self.filled(n, elem),
            11 => self.carried(n, elem),
            12 => self.of_different_sizes(n, elem),
            13 | 14 => self.replaced(n, elem),
            17..=19 => self.looped_rows_scattered(n, elem),
            _ => self.product_added(n, elem),
        }
    }

    /// An index into `n` elements made of another one, as text.
    pub fn elsewhere(&mut self, i: &str, n: &str) -> String {
        match self.r.below(9) {
            0 | 1 => format!("{n} - 1 - {i}"),
            2 => format!("i64.max 0 ({i} - 1)"),
            3 => format!("i64.min ({n} - 1) ({i} + 1)"),
            4 => format!("i64.max 0 (i64.min ({n} - 1) ({i} - 2))"),
            5 => format!("({i} + 1) % {n}"),
            6 => format!("if {i} == 0 then {n} - 1 else {i} - 1"),
            7 => format!("{i} / 2"),
            _ => i.to_owned(),
        }
    }

    /// A map whose points each go through as many elements as its index says, or something that is computed of it.
    fn of_different_sizes(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let (op, ne) = match elem {
            Ty::Scalar(Scalar::Exact(_)) => self.operator(elem)?,
            _ => return None,
        };
        let same = self.r.one_in(2);
        let m = if same { n.clone() } else { self.size() };
        let times = self.estimate(n).saturating_mul(self.estimate(&m)).saturating_mul(2);
        if !self.affords(times) {
            return None;
        }
        let (xs, i, j) = (self.name("xs"), self.name("at"), self.name("j"));
        let (size, inner) = (n.to_text(), m.to_text());
        let made = self.short(|g| g.map(&m, elem));
        let made = self.returned(made);
        let of = Ty::array(&m, elem.clone());
        let k = self.r.of(["I % (M + 1)", "i64.min I M", "(I * I) % (M + 1)", "M - I % (M + 1)"]);
        let k = if same && self.r.one_in(2) { "I" } else { k };
        let k = k.replace('I', &i).replace('M', &inner);
        let (lo, hi) = (self.name("lo"), self.name("hi"));
        let sum = match self.r.below(if same { 5 } else { 3 }) {
            0 => format!("reduce {op} {ne} {xs}[:{k}]"),
            // Windows that are cut off at both ends.
            3 | 4 => format!(
                "let {lo} = i64.max 0 ({i} - 2) let {hi} = i64.min {inner} ({i} + 3) \
                 in reduce {op} {ne} (map (\\{j} -> {xs}[{lo} + {j}]) (iota ({hi} - {lo})))"
            ),
            1 => format!("reduce {op} {ne} (map (\\{j} -> {xs}[{j}]) (iota ({k})))"),
            _ => format!(
                "reduce {op} {ne} (map (\\{j} -> reduce {op} {ne} {xs}[{j}:{inner}]) (iota ({k})))"
            ),
        };
        let p = parts![format!("let {xs} : {of} = "), made];
        let read = parts![format!("\nin map (\\{i} -> {sum}) (iota {size})")];
        Some(Expr::new(&Ty::array(n, elem.clone()), p.into_iter().chain(read).collect()))
    }

    /// With so little fuel that what comes out is short.
    pub fn short<T>(&mut self, f: impl FnOnce(&mut Maker) -> T) -> T {
        let fuel = self.fuel;
        self.fuel = fuel.min(6);
        let given = self.fuel;
        let e = f(self);
        self.fuel += fuel - given;
        e
    }

    /// A map, and one over as many that reads it by index, once.
    fn read_elsewhere(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let ty = Ty::array(n, elem.clone());
        let (ys, i, x) = (self.name("xs"), self.name("at"), self.name("x"));
        let size = n.to_text();
        if let Ty::Array(m, inner) = elem {
            return self.read_matrix_elsewhere(n, m, inner);
        }
        let times = self.estimate(n);
        if !self.affords(times) {
            return None;
        }
        let made = if self.r.one_in(2) { elem.clone() } else { self.some_scalar() };
        let producer = self.short(|m| m.map(n, &made));
        let producer = self.returned(producer);
        let at = self.elsewhere(&i, &size);
        let body = self.scoped(times, false, |m| {
            m.declare_index(&i, n);
            m.declare(&x, &made, vec![BORROWED]);
            let e = m.short(|m| m.expr(elem));
            m.returned(e)
        });
        let of = Ty::array(n, made.clone());
        // Where a limit of the index decides whether it is read there: unsigned, a difference below 0 is large.
        let limit = self.r.of([
            "1u64 < u64.i64 (I - N / 2)",
            "u64.i64 (I - N / 2) < u64.i64 (I - N / 2 + 3)",
            "u64.i64 (N / 2 - I) < 3u64",
            "I < N - 2",
        ]);
        let limit = limit.replace('I', &i).replace('N', &size);
        let (when, other) = if made == *elem && self.r.one_in(2) {
            (format!("if {limit} then "), format!(" else {ys}[{i}]"))
        } else {
            (String::new(), String::new())
        };
        let mut p = parts![format!("let {ys} : {of} = "), producer];
        let of_point = format!("\nin map (\\{i} -> {when}let {x} : {made} = {ys}[{at}]\nin ");
        p.extend(parts![of_point, body, other]);
        p.extend(parts![format!(") (iota {size})")]);
        Some(Expr::new(&ty, p))
    }

    /// The same of two dimensions, which may change places.
    fn read_matrix_elsewhere(&mut self, n: &Size, m: &Size, elem: &Ty) -> Option<Expr> {
        let times = self.estimate(n).saturating_mul(self.estimate(m));
        if elem.has_arrays() || !self.affords(times) {
            return None;
        }
        let ty = Ty::array(n, Ty::array(m, elem.clone()));
        let turned = self.r.one_in(3);
        let (a, b) = if turned { (m, n) } else { (n, m) };
        let made = if self.r.one_in(2) { elem.clone() } else { self.some_scalar() };
        let of = Ty::array(a, Ty::array(b, made.clone()));
        let producer = self.table(a, b, times, |m| m.short(|m| m.expr(&made)));
        let (ys, x) = (self.name("xs"), self.name("x"));
        let reader = self.table_with(n, m, times, |g, i, j| {
            let (i, j) = (g.elsewhere(i, &n.to_text()), g.elsewhere(j, &m.to_text()));
            let at = if turned { format!("{j}, {i}") } else { format!("{i}, {j}") };
            g.declare(&x, &made, vec![BORROWED]);
            let e = g.short(|m| m.expr(elem));
            parts![format!("let {x} : {made} = {ys}[{at}]\nin "), e]
        });
        let mut p = parts![format!("let {ys} : {of} = ")];
        p.extend(producer);
        p.extend(parts!["\nin "]);
        p.extend(reader);
        Some(Expr::new(&ty, p))
    }

    /// `tabulate_2d`.
    fn table(
        &mut self,
        n: &Size,
        m: &Size,
        times: i64,
        f: impl FnOnce(&mut Maker) -> Expr,
    ) -> Vec<Part> {
        self.table_with(n, m, times, |g, _, _| parts![f(g)])
    }

    /// `tabulate_2d` of a body that knows the names of its indexes.
    fn table_with(
        &mut self,
        n: &Size,
        m: &Size,
        times: i64,
        f: impl FnOnce(&mut Maker, &str, &str) -> Vec<Part>,
    ) -> Vec<Part> {
        let (i, j) = (self.name("at"), self.name("at"));
        let body = self.scoped(times, false, |g| {
            g.declare_index(&i, n);
            g.declare_index(&j, m);
            f(g, &i, &j)
        });
        let head = format!("tabulate_2d {} {} (\\{i} {j} -> ", n.to_text(), m.to_text());
        let mut p = parts![head];
        p.extend(body);
        p.extend(parts![")"]);
        p
    }

    /// Each element of a matrix with some of its neighbours.
    fn neighbours(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Array(m, s) = elem else { return None };
        let Ty::Scalar(s) = **s else { return None };
        let times = self.estimate(n).saturating_mul(self.estimate(m));
        if !self.affords(times) {
            return None;
        }
        let ty = Ty::array(n, elem.clone());
        let xs = self.name("xs");
        let e = self.expr(&ty);
        let (rows, columns) = (n.to_text(), m.to_text());
        let near = self.r.below(6);
        let body = self.table_with(n, m, times, |g, i, j| {
            let (cond, at) = match near {
                0 => (format!("{i} > 0"), format!("{i} - 1, {j}")),
                1 => (format!("{i} < {rows} - 1"), format!("{i} + 1, {j}")),
                2 => (format!("{j} > 0 && {i} > 0"), format!("{i} - 1, {j} - 1")),
                3 => (format!("{j} + 1 < {columns}"), format!("{i}, {j} + 1")),
                4 => (
                    format!("{i} >= 1 && {i} < {rows} - 1 && {j} >= 1 && {j} < {columns} - 1"),
                    format!("{i} + 1, {j} - 1"),
                ),
                _ => (
                    format!("!({i} == 0 || {j} == 0 || {i} == {rows} - 1)"),
                    format!("{i} + 1, {j} - 1"),
                ),
            };
            let (k, l) = (g.elsewhere(i, &rows), g.elsewhere(j, &columns));
            let (a, b) = (g.name("x"), g.name("x"));
            let other = g.short(|m| m.expr(&Ty::Scalar(s)));
            let mut p = parts![format!("let {a} = if {cond} then {xs}[{at}] else "), other];
            p.extend(parts![format!("\nlet {b} = {xs}[{k}, {l}]\nin ")]);
            p.extend(parts![match s {
                Scalar::Exact(PrimType::Bool) => format!("{a} != {b}"),
                Scalar::Exact(q) if q.is_float() => format!("{q}.max {a} {b}"),
                Scalar::Exact(_) => format!("{a} * 3 + {b}"),
                Scalar::Near(_) => format!("0.5 * {a} + 0.5 * {b}"),
            }]);
            p
        });
        let mut p = parts![format!("let {xs} : {ty} = "), e, "\nin "];
        p.extend(body);
        Some(Expr::new(&ty, p))
    }

    /// A matrix read row by row, by one index.
    fn by_flat_index(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Size::Product(a, b) = n else { return None };
        let times = self.estimate(n);
        if elem.has_arrays() || !self.affords(times) {
            return None;
        }
        let (xs, i, x) = (self.name("xs"), self.name("at"), self.name("x"));
        let of = Ty::array(a, Ty::array(b, elem.clone()));
        let e = self.expr(&of);
        let body = self.scoped(times, false, |m| {
            m.declare(&x, elem, Vec::new());
            m.declare_index(&i, n);
            m.short(|m| m.expr(elem))
        });
        let width = b.to_text();
        let mut p = parts![format!("let {xs} : {of} = "), e];
        p.extend(parts![
            format!("\nin map (\\{i} -> let {x} = {xs}[{i} / {width}, {i} % {width}]\nin "),
            body,
            format!(") (iota {})", n.to_text())
        ]);
        Some(Expr::new(&Ty::array(n, elem.clone()), p))
    }

    /// A product of matrices, and another matrix added to it.
    fn product_added(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Ty::Array(m, inner) = elem else { return None };
        let Ty::Scalar(s) = **inner else { return None };
        let k = self.size();
        let inside = self.estimate(n).saturating_mul(self.estimate(&k));
        let affordable = self.affords(inside.saturating_mul(self.estimate(m)));
        let number = matches!(s, Scalar::Near(_)) || s.prim().is_int();
        if !affordable || !number {
            return None;
        }
        let ty = Ty::array(n, elem.clone());
        let a = self.expr(&Ty::array(n, Ty::array(&k, (**inner).clone())));
        let b = self.expr(&Ty::array(&k, Ty::array(m, (**inner).clone())));
        let c = self.expr(&ty);
        let (p, q, r) = (self.name("xs"), self.name("xs"), self.name("xs"));
        let sum = "reduce (+) 0 (map2 (*) row col) + x".to_owned();
        let body = match s {
            Scalar::Near(f) => format!("{f}.max (-50) ({f}.min 50 (0.01 * ({sum})))"),
            Scalar::Exact(_) => sum,
        };
        Some(Expr::new(
            &ty,
            parts![
                format!("let {p} = "),
                a,
                format!("\nlet {q} = "),
                b,
                format!("\nlet {r} = "),
                c,
                format!(
                    "\nin map2 (\\row xs -> map2 (\\col x -> {body}) (transpose {q}) xs) {p} {r}"
                ),
            ],
        ))
    }

    /// `let x = …` of a search.
    pub fn search_statement(&mut self) -> Option<Stm> {
        let ty = if self.r.one_in(2) { Ty::I64 } else { self.some_scalar() };
        let e = self.searched(&ty)?;
        let x = self.name("x");
        self.declare(&x, &ty, Vec::new());
        Some(Stm(parts![format!("let {x} : {ty} = "), e]))
    }

    /// What a search of an array finds: how many, where the greatest is, or what those that are left
    /// come to.
    pub fn searched(&mut self, ty: &Ty) -> Option<Expr> {
        let n = self.size();
        let times = self.estimate(&n);
        if !self.affords(times) {
            return None;
        }
        if self.r.one_in(2)
            && let Some(e) = self.kept_of(ty)
        {
            return Some(e);
        }
        if self.r.one_in(3)
            && let Some(e) = self.probed(ty)
        {
            return Some(e);
        }
        let elem = self.some_element();
        let xs = self.expr(&Ty::array(&n, elem.clone()));
        let form = self.r.below(4);
        match (ty, &elem) {
            (&Ty::I64, Ty::Scalar(Scalar::Exact(p))) if form == 0 && p.is_int() => {
                let op = self.r.of([">", "<"]);
                let least = if op == ">" { "lowest" } else { "highest" };
                Some(Expr::new(
                    ty,
                    parts![
                        format!(
                            "(reduce (\\(a, i) (b, j) -> if a {op} b || (a == b && i < j) then (a, i) \
                             else (b, j)) ({p}.{least}, i64.highest) (zip "
                        ),
                        xs,
                        format!(" (iota {}))).1", n.to_text())
                    ],
                ))
            }
            (&Ty::I64, _) if form < 3 => {
                let p = self.lambda(&[(elem, None)], &Ty::BOOL, times);
                let (open, close) = self
                    .r
                    .of([("length (filter ", ")"), ("reduce (+) 0 (map i64.bool (map ", "))")]);
                let mut parts = parts![open];
                parts.extend(p);
                parts.extend(parts![" ", xs, close]);
                Some(Expr::new(ty, parts))
            }
            (Ty::Scalar(Scalar::Exact(_)), _) => {
                let (op, ne) = self.operator(ty)?;
                let p = self.lambda(&[(elem.clone(), None)], &Ty::BOOL, times);
                let f = self.lambda(&[(elem, None)], ty, times);
                let mut parts = parts![format!("reduce {op} {ne} (map ")];
                parts.extend(f);
                parts.extend(parts![" (filter "]);
                parts.extend(p);
                parts.extend(parts![" ", xs, "))"]);
                Some(Expr::new(ty, parts))
            }
            _ => None,
        }
    }
}
