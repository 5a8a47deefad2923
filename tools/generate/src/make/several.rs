//! What people write side by side: sizes that are computed, several results of one array, functions
//! with results of any size, and arithmetic on arrays whose maps are left out.

use super::Maker;
use super::bound::{BORROWED, Fun, Param};
use crate::parts;
use crate::tree::{Def, Expr, Part, Stm};
use crate::types::{Scalar, Size, Ty};
use std::sync::Arc;

impl Maker {
    /// A size that is computed where it stands: inside of a map, arrays of it are irregular.
    pub fn computed_size(&mut self) -> Stm {
        let e = self.expr(&Ty::I64);
        let most = self.r.of([3, 5, 7, 11]);
        let (k, _) = self.new_size(most / 2 + 1);
        self.declare(&k, &Ty::I64, Vec::new());
        Stm(parts![format!("let {k} : i64 = "), e, format!(" % {most}")])
    }

    /// Several reductions of one array, with something between them that uses the first.
    pub fn side_by_side(&mut self) -> Option<Stm> {
        let i = self.some_var(|v| match &v.ty {
            Ty::Array(_, t) => matches!(**t, Ty::Scalar(_)),
            Ty::Scalar(_) | Ty::Tuple(_) | Ty::Record(_) | Ty::Sum(_) | Ty::Param(_) => false,
        })?;
        let xs = self.mention(i);
        let Ty::Array(n, t) = xs.ty.clone() else { return None };
        let times = self.estimate(&n);
        if !self.affords(times) {
            return None;
        }
        let mut p = Vec::new();
        for k in 0..2 + self.r.below(2) {
            let (op, ne) = self.operator(&t)?;
            let x = self.name("x");
            let input = if self.r.one_in(2) {
                let f = self.lambda(&[((*t).clone(), None)], &t, times);
                let mut p = parts!["map "];
                p.extend(f);
                p.extend(parts![" ", xs.clone()]);
                Expr::new(&xs.ty, p)
            } else {
                xs.clone()
            };
            let whole = Expr::new(&t, parts![format!("reduce {op} {ne} "), input]);
            let whole = match &*t {
                Ty::Scalar(Scalar::Near(p)) => self.bounded(*p, whole),
                _ => whole,
            };
            if k > 0 {
                p.push(Part::from("\n"));
            }
            p.extend(parts![format!("let {x} : {t} = "), whole]);
            self.declare(&x, &t, Vec::new());
            if self.r.one_in(2) {
                let y = self.name("x");
                let e = self.scoped(1, false, |m| m.expr(&t));
                p.extend(parts![format!("\nlet {y} : {t} = "), e]);
                self.declare(&y, &t, Vec::new());
            }
        }
        Some(Stm(p))
    }

    /// A function at top level whose result has a size that only the run tells.
    pub fn finder(&mut self) {
        let name = format!("{}g{}", self.prefix, self.defs.len());
        let vars = std::mem::take(&mut self.vars);
        let sizes = std::mem::take(&mut self.sizes);
        let limit = std::mem::replace(&mut self.limit, 60);
        let n: Arc<str> = Arc::from(self.name("n"));
        let size = Size::Name(n.clone());
        self.sizes.push((size.clone(), 6));
        let elem = self.some_element();
        let other = self.some_scalar();
        let (a, b) = (self.name("x"), self.name("x"));
        let array = Ty::array(&size, elem.clone());
        self.declare(&a, &array, vec![BORROWED]);
        self.declare(&b, &other, Vec::new());
        let f = self.lambda(&[(elem.clone(), None)], &Ty::BOOL, 6);
        let xs = self.expr(&array);
        let mut p =
            parts![format!("def {name} [{n}] ({a}: {array}) ({b}: {other}) : []{elem} =\nfilter ")];
        p.extend(f);
        p.extend(parts![" ", xs]);
        self.defs.push(Def(p));
        self.vars = vars;
        self.sizes = sizes;
        self.limit = limit;
        let value = |ty: Ty| Param::Value { ty, unique: false };
        self.finders.push(Fun {
            name,
            sizes: vec![n],
            types: Vec::new(),
            params: vec![value(array), value(other)],
            result: elem,
            unique_result: false,
            captured: Vec::new(),
            alive: true,
            work: 12,
        });
    }

    /// A call of such a function, with a name for the size.
    pub fn found(&mut self) -> Option<Stm> {
        let fun = self.r.pick(&self.finders)?.clone();
        if !self.affords(fun.work) {
            return None;
        }
        let (elem, call) = self.call_of_finder(&fun);
        let (k, size) = self.new_size(3);
        let ty = Ty::array(&size, elem);
        let ys = self.name("xs");
        self.declare(&ys, &ty, call.groups.clone());
        Some(Stm(parts![format!("let [{k}] ({ys}: {ty}) = "), call]))
    }

    /// Arithmetic between arrays of different ranks: its maps are left out.
    pub fn broadcast(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let ty = Ty::array(n, elem.clone());
        let (s, rank) = ty.transparent()?;
        let op = match s {
            Scalar::Exact(p) if p.is_int() => self.r.of([" + ", " - ", " * ", " | "]),
            Scalar::Exact(p) if p.is_float() => self.r.of([" + ", " - ", " * "]),
            Scalar::Exact(_) => return None,
            Scalar::Near(_) => self.r.of([" + ", " - "]),
        };
        // The other operand has fewer dimensions; the inner ones of the two agree.
        let mut other = ty.clone();
        for _ in 0..1 + self.r.below(rank) {
            if let Ty::Array(_, t) = other {
                other = *t;
            }
        }
        let (a, b) = (self.name("xs"), self.name("xs"));
        let (x, y) = (self.expr(&ty), self.expr(&other));
        let mut p = parts![format!("let {a} : {ty} = "), x];
        p.extend(parts![format!("\nlet {b} : {other} = "), y]);
        let (l, r) = if self.r.one_in(2) { (&a, &b) } else { (&b, &a) };
        p.push(Part::from(match s {
            // Bounded as all approximate numbers are.
            Scalar::Near(p) => format!("\nin ({l}{op}{r}) * 0.5{p}"),
            Scalar::Exact(_) => format!("\nin {l}{op}{r}"),
        }));
        // What the maps return is fresh, but no type says so.
        Some(Expr::shared(&ty, vec![BORROWED], p))
    }
}
