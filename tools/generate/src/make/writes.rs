//! Writes to places that are computed: rows of them at a time, places that a scan counts, and writes that are looked at
//! again, as searches of graphs do.

use super::Maker;
use crate::parts;
use crate::tree::{Expr, Part};
use crate::types::{Size, Ty};

/// Rows of writes have at most so many.
const ROW: i64 = 4;

/// What scatters have in common.
struct Scatter {
    /// How many elements there are to write, or rows of them, and how often that makes a body run.
    k: Size,
    times: i64,
    /// The type of the destination, and one that may be consumed.
    ty: Ty,
    dest: Expr,
    /// What places and values are made of, and the type of its elements.
    t: Ty,
    xs: Expr,
}

impl Maker {
    fn scatter(&mut self, n: &Size, elem: &Ty) -> Option<Scatter> {
        let k = self.size();
        let times = self.estimate(&k);
        if elem.has_arrays() || !self.affords(times) {
            return None;
        }
        let ty = Ty::array(n, elem.clone());
        let dest = self.fresh(&ty);
        let t = self.some_scalar();
        let xs = self.short(|m| m.expr(&Ty::array(&k, t.clone())));
        Some(Scatter { k, times, ty, dest, t, xs })
    }

    /// Rows of places and values, all of which are written, or some.
    pub fn rows_scattered(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Scatter { k, times, ty, dest, t, xs } = self.scatter(n, elem)?;
        let (i, x) = (self.name("at"), self.name("x"));
        let (form, columns) = (self.r.below(3), self.r.between(1, ROW));
        let (shift, rows) = (self.r.of([-1, 0, 0, 1]), k.to_text());
        let writes = self.scoped(times, false, |m| {
            m.declare_index(&i, &k);
            m.declare(&x, &t, Vec::new());
            let mut writes = Vec::new();
            for j in 0..columns {
                let place = match form {
                    0 => format!("{i} * {columns} + {j} + {shift}"),
                    1 => format!("{i} + {j} * {rows} + {shift}"),
                    _ => format!("({rows} - {i}) * {columns} - {j} + {shift}"),
                };
                let place = if m.r.one_in(4) {
                    let cond = m.short(|m| m.expr(&Ty::BOOL));
                    parts!["if ", cond, format!(" then {place} else -1")]
                } else {
                    parts![place]
                };
                writes.push((Expr::new(&Ty::I64, place), m.short(|m| m.expr(elem))));
            }
            writes
        });
        let (is, vs) = (self.name("xs"), self.name("xs"));
        let head = format!("(\\({i}: i64) ({x}: {t}) -> ");
        let mut p = parts![format!("let ({is}, {vs}) = unzip ")];
        let pairs = self.r.one_in(2);
        p.extend(parts![if pairs { "(flatten (map2 " } else { "(map2 " }, head]);
        p.extend(if pairs { pairs_of(writes) } else { rows_of(writes) });
        p.extend(parts![format!(") (iota {rows}) "), xs, if pairs { "))" } else { ")" }]);
        if !pairs {
            p.extend(parts![format!("\nlet ({is}, {vs}) = (flatten {is}, flatten {vs})")]);
        }
        p.extend(parts!["\nin scatter ", dest]);
        let some = match k {
            Size::Const(k) => self.r.between(0, k * columns).to_string(),
            Size::Name(_) | Size::Sum(..) | Size::Product(..) => rows,
        };
        p.extend(match self.r.below(8) {
            0 => parts![format!(" (take {some} {is}) (take {some} {vs})")],
            1 => parts![format!(" (reverse {is}) (reverse {vs})")],
            2 => parts![format!(" (take {some} (reverse {is})) (take {some} (reverse {vs}))")],
            3 => {
                let f = self.lambda(&[(elem.clone(), None)], elem, times * columns);
                let mut p = parts![format!(" {is} (map ")];
                p.extend(f);
                p.extend(parts![format!(" {vs})")]);
                p
            }
            _ => parts![format!(" {is} {vs}")],
        });
        Some(Expr::new(&ty, p))
    }

    /// Rows of places and values that loops make, of which they may leave elements as they were.
    pub fn looped_rows_scattered(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Scatter { k, times, ty, dest, t, xs } = self.scatter(n, elem)?;
        // Of loops whose length is known nothing may be left.
        let m = (0..4).map(|_| self.size()).find(|m| !matches!(m, Size::Const(_)));
        let m = m.unwrap_or_else(|| Size::Const(self.r.between(1, ROW)));
        let (columns, times) = (m.to_text(), times.saturating_mul(self.estimate(&m)));
        if !self.affords(times) {
            return None;
        }
        let [i, x, j, at] = ["at", "x", "j", "at"].map(|base| self.name(base));
        let [is, vs, places, values] = [(); 4].map(|()| self.name("xs"));
        let (rows, length) = (k.to_text(), columns.clone());
        let fill = |text: &str| {
            let mut out = text.to_owned();
            for (hole, by) in [("I", &i), ("J", &j), ("M", &length), ("N", &rows), ("S", &at)] {
                out = out.replace(hole, by);
            }
            out
        };
        let begins = fill(self.r.of(["-1", "-1", "-1", "-7", "0", "I"]));
        let rounds = fill(self.r.of(["M", "M", "i64.min M I", "I % (M + 1)", "M - 1"]));
        let first = fill(self.r.of(["I * M", "I", "2 * (N - I)"]));
        let place = fill(self.r.of(["S", "S", "I * M + J", "2 * S - 1", "S - J"]));
        let step = self.r.of(["1", "1", "2", "-1"]);
        let (blank, value, cond) = self.scoped(times, false, |m| {
            m.declare_index(&i, &k);
            m.declare(&x, &t, Vec::new());
            let cond = m.r.one_in(4).then(|| m.short(|m| m.expr(&Ty::BOOL)));
            (m.short(|m| m.expr(elem)), m.short(|m| m.expr(elem)), cond)
        });
        let of = self.name("xs");
        let mut p = parts![format!("let {of} : {} = ", Ty::array(&k, t.clone())), xs];
        let head = format!("(map2 (\\({i}: i64) ({x}: {t}) -> ");
        let round = parts![format!(" for {j} < {rounds} do ({places} with [{j}] = ")];
        let place = match cond {
            Some(cond) => parts!["if ", cond, format!(" then -1 else {place}")],
            None => parts![place],
        };
        let over = format!(") (iota {rows}) {of})");
        let wider = self.r.one_in(8);
        if self.r.one_in(2) {
            let carried = format!("({places}, {values}, {at})");
            p.extend(parts![format!("\nlet ({is}, {vs}) = unzip {head}")]);
            p.extend(parts![format!("let ({places}, {values}, _) = loop {carried} = (")]);
            // Rows of values may be longer; then not all of them are written.
            let longer = if wider { " + 1" } else { "" };
            p.extend(parts![format!("replicate ({columns}) ({begins}), ")]);
            p.extend(parts![format!("replicate ({columns}{longer}) ")]);
            p.extend(parts![blank, format!(", {first})")]);
            p.extend(round.into_iter().chain(place));
            p.extend(parts![format!(", {values} with [{j}] = "), value]);
            p.extend(parts![format!(", {at} + {step}) in ({places}, {values})"), over]);
        } else {
            p.extend(parts![format!("\nlet {is} = {head}(loop ({places}, {at}) = (")]);
            p.extend(parts![format!("replicate ({columns}) ({begins}), {first})")]);
            p.extend(round.into_iter().chain(place));
            p.extend(parts![format!(", {at} + {step})).0{over}")]);
            p.extend(parts![format!("\nlet {vs} = {head}replicate ({columns}) "), value, over]);
        }
        p.extend(parts![format!("\nlet ({is}, {vs}) = (flatten {is}, flatten {vs})")]);
        // Never more than there are: what nobody needs would fail, or not.
        let some = self.name("n");
        if wider || self.r.one_in(3) {
            let most = format!("i64.min ({rows}) (({rows}) * ({columns}))");
            p.extend(parts![format!("\nlet {some} = {most}\nlet ({is}, {vs}) = ")]);
            p.extend(parts![format!("(take {some} {is}, take {some} {vs})")]);
        }
        p.extend(parts!["\nin scatter ", dest, format!(" {is} {vs}")]);
        Some(Expr::new(&ty, p))
    }

    /// A scatter of what a map makes, perhaps of the destination's elements, and a reduction of the same places or
    /// values.
    pub fn written_and_counted(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Scatter { k, times, ty, dest, t, xs } = self.scatter(n, elem)?;
        let [old, is, vs, new] = [(); 4].map(|()| self.name("xs"));
        let [i, x, y, found] = ["at", "x", "x", "x"].map(|base| self.name(base));
        let (rows, size) = (k.to_text(), n.to_text());
        let place = match self.r.below(3) {
            0 => i.clone(),
            1 => format!("{rows} - {i} - 1"),
            _ => format!("2 * {i} - 1"),
        };
        let reads = self.r.below(4) > 0;
        let (before, cond, value, other) = self.scoped(times, false, |m| {
            m.declare_index(&i, &k);
            m.declare(&x, &t, Vec::new());
            let before = reads.then(|| m.short(|m| m.expr(elem)));
            if reads {
                m.declare(&y, elem, Vec::new());
            }
            let [value, other] = [(); 2].map(|()| m.short(|m| m.expr(elem)));
            (before, m.short(|m| m.expr(&Ty::BOOL)), value, other)
        });
        let mut p = parts![format!("let {old} : {ty} = "), dest];
        p.extend(parts![format!("\nlet ({is}, {vs}) = unzip (map2 (\\({i}: i64) ({x}: {t}) -> ")]);
        if let Some(before) = before {
            let read = format!("let {y} : {elem} = if {i} < {size} then {old}[{i}] else ");
            p.extend(parts![read, before, "\nin "]);
        }
        p.extend(parts!["if ", cond, format!(" then ({place}, "), value, ") else (-1, ", other]);
        p.extend(parts![format!(")) (iota {rows}) "), xs, ")"]);
        let write = format!("\nlet {new} = scatter {old} {is} {vs}");
        let count = self.r.of([
            "i64.bool (any (>= 0) XS)",
            "i64.sum (map (\\i -> i64.bool (i >= 0)) XS)",
            "i64.maximum XS",
            "i64.sum XS + i64.minimum XS",
        ]);
        let count = format!("\nlet {found} = {}", count.replace("XS", &is));
        let order = if self.r.one_in(2) { [write, count] } else { [count, write] };
        p.extend(parts![order.concat()]);
        let instead = self.scoped(times, false, |m| m.short(|m| m.expr(elem)));
        p.extend(parts![format!("\nin map (\\{y} -> if {found} > 2 then {y} else "), instead]);
        p.extend(parts![format!(") {new}")]);
        Some(Expr::new(&ty, p))
    }

    /// A scatter to places that a scan counts: those of what is kept, one after the other; what is not
    /// kept before what is; or each some steps after the one before.
    pub fn counted_places(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let Scatter { k, times, ty, dest, t, xs } = self.scatter(n, elem)?;
        let kept = self.short(|m| m.lambda(&[(t.clone(), None)], &Ty::BOOL, times));
        let value = self.short(|m| m.lambda(&[(t.clone(), None)], elem, times));
        let [of, flags, upto] = [(); 3].map(|()| self.name("xs"));
        let (rows, shift) = (k.to_text(), self.r.of([-1, -1, 0, 1]));
        let ones = format!("(map i64.bool {flags})");
        let (counted, place) = match self.r.below(3) {
            0 => (ones, format!("if f then c + {shift} else -1")),
            1 => (ones.clone(), format!("if f then {rows} - i64.sum {ones} + c - 1 else i - c")),
            _ => (
                format!("(map (\\f -> if f then 2 else 1) {flags})"),
                format!("2 * c + {shift} - i64.bool f"),
            ),
        };
        let mut p = parts![format!("let {of} : {} = ", Ty::array(&k, t)), xs];
        p.extend(parts![format!("\nlet {flags} = map ")]);
        p.extend(kept);
        p.extend(parts![format!(" {of}\nlet {upto} = scan (+) 0 {counted}\nin scatter "), dest]);
        p.extend(parts![format!(
            " (map3 (\\i f c -> {place}) (iota {rows}) {flags} {upto}) (map "
        )]);
        p.extend(value);
        p.extend(parts![format!(" {of})")]);
        Some(Expr::new(&ty, p))
    }
}

/// `[(place, value), …]`.
fn pairs_of(writes: Vec<(Expr, Expr)>) -> Vec<Part> {
    let mut p = Vec::new();
    for (k, (place, value)) in writes.into_iter().enumerate() {
        p.extend(parts![if k == 0 { "[(" } else { ", (" }, place, ", ", value, ")"]);
    }
    p.extend(parts!["]"]);
    p
}

/// `([place, …], [value, …])`.
fn rows_of(writes: Vec<(Expr, Expr)>) -> Vec<Part> {
    let (places, values): (Vec<Expr>, Vec<Expr>) = writes.into_iter().unzip();
    let mut p = parts!["("];
    for (k, row) in [places, values].into_iter().enumerate() {
        p.extend(parts![if k == 0 { "[" } else { ", [" }]);
        for (j, e) in row.into_iter().enumerate() {
            p.extend(parts![if j == 0 { "" } else { ", " }, e]);
        }
        p.extend(parts!["]"]);
    }
    p.extend(parts![")"]);
    p
}
