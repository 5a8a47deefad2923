//! Statements that consume.

use super::Maker;
use crate::parts;
use crate::tree::{Expr, Part, Stm};
use crate::types::{Size, Ty};

impl Maker {
    /// An array of which an element, a row or a column is replaced.
    pub fn update(&mut self) -> Option<Stm> {
        let i = self.some_owned_array()?;
        let v = self.vars.get(i)?.clone();
        let Ty::Array(n, t) = &v.ty else { return None };
        // What is read may be of the array itself, as long as it does not stay part of it.
        let (guard, mut at, value) = self.place(n, t);
        let value = self.own(value);
        self.touched.extend(&v.groups);
        self.consume(&v.groups);
        let fresh = self.group();
        at.insert(0, Part::from("["));
        at.push(Part::from("]"));
        if let Some(v) = self.vars.get_mut(i) {
            v.uses += 1;
        }
        if guard.is_empty() && self.r.one_in(2) {
            // The name means the new array from here on.
            if let Some(v) = self.vars.get_mut(i) {
                v.alive = true;
                v.groups = vec![fresh];
            }
            let mut p = parts![format!("let {}", v.name)];
            p.extend(at);
            p.extend(parts![" = ", value]);
            return Some(Stm(p));
        }
        let ys = self.name("xs");
        self.declare(&ys, &v.ty, vec![fresh]);
        let mut p = parts![format!("let {ys} : {} = ", v.ty)];
        if !guard.is_empty() {
            p.extend(parts!["if "]);
            p.extend(guard);
            p.extend(parts![" then "]);
            p.extend(parts![v.name.clone(), " with "]);
            p.extend(at);
            p.extend(parts![" = ", value, format!(" else {}", v.name)]);
        } else {
            p.extend(parts![v.name.clone(), " with "]);
            p.extend(at);
            p.extend(parts![" = ", value]);
        }
        Some(Stm(p))
    }

    /// Where in an array of `n` something is replaced: the condition for it, if any, the indexes,
    /// and the new value.
    fn place(&mut self, n: &Size, t: &Ty) -> (Vec<Part>, Vec<Part>, Expr) {
        if let Ty::Array(m, inner) = t {
            match self.r.below(4) {
                0 => {
                    // A column.
                    let (guard, j) = self.index(m);
                    let guard = guard.map_or(Vec::new(), |g| vec![g, Part::from(" > 0")]);
                    let value = self.expr(&Ty::array(n, (**inner).clone()));
                    return (guard, parts![":, ", j], value);
                }
                1 | 2 => {
                    let ((g, i), (h, j)) = (self.index(n), self.index(m));
                    let guard = match (g, h) {
                        (None, None) => Vec::new(),
                        (Some(g), None) | (None, Some(g)) => parts![g, " > 0"],
                        (Some(g), Some(h)) => parts![g, " > 0 && ", h, " > 0"],
                    };
                    return (guard, parts![i, ", ", j], self.expr(inner));
                }
                _ => {}
            }
        }
        let (guard, i) = self.index(n);
        let guard = guard.map_or(Vec::new(), |g| vec![g, Part::from(" > 0")]);
        (guard, parts![i], self.expr(t))
    }

    /// As an expression, of an array that is fresh.
    pub fn update_of_fresh(&mut self, n: &Size, elem: &Ty) -> Option<Expr> {
        let (guard, at) = self.index(n);
        if guard.is_some() {
            return None;
        }
        let ty = Ty::array(n, elem.clone());
        let xs = self.fresh(&ty);
        let value = self.expr(elem);
        let value = self.own(value);
        Some(Expr::new(&ty, parts![xs, " with [", at, "] = ", value]))
    }

    /// `scatter` or `reduce_by_index` into an array in scope.
    pub fn bulk_update(&mut self) -> Option<Stm> {
        let i = self.some_owned_array()?;
        let v = self.vars.get(i)?.clone();
        let Ty::Array(_, t) = &v.ty else { return None };
        // The arguments may not share memory with the destination.
        self.consume(&v.groups);
        self.touched.extend(&v.groups);
        let ys = self.name("xs");
        let p = if self.r.one_in(3)
            && let Some((op, ne)) = self.operator_on_integers(t)
        {
            let k = self.size();
            let is = self.expr(&Ty::array(&k, Ty::I64));
            let values = self.expr(&Ty::array(&k, (**t).clone()));
            let head = format!("let {ys} : {} = reduce_by_index {} {op} {ne} ", v.ty, v.name);
            parts![head, "(map (% 7) ", is, ") ", values]
        } else {
            let (is, values) = self.writes(t);
            let head = format!("let {ys} : {} = scatter {} ", v.ty, v.name);
            parts![head, is, " ", values]
        };
        if let Some(v) = self.vars.get_mut(i) {
            v.uses += 1;
        }
        self.declare(&ys, &v.ty, Vec::new());
        Some(Stm(p))
    }

    fn operator_on_integers(&mut self, t: &Ty) -> Option<(String, String)> {
        let p = t.transparent().filter(|(s, r)| *r == 0 && s.prim().is_int())?.0.prim();
        Some(match self.r.below(3) {
            0 => (format!("{p}.max"), format!("{p}.lowest")),
            _ => ("(+)".into(), format!("0{p}")),
        })
    }

    /// A record with another component.
    pub fn record_update(&mut self) -> Option<Stm> {
        let i = self.some_var(|v| matches!(v.ty, Ty::Record(_)))?;
        let r = self.mention(i);
        let Ty::Record(fs) = r.ty.clone() else { return None };
        let (f, t) = self.r.pick(&fs)?.clone();
        let e = self.expr(&t);
        let groups: Vec<u32> = r.groups.iter().chain(&e.groups).copied().collect();
        let ty = r.ty.clone();
        let name = self.name("r");
        self.declare(&name, &ty, groups);
        Some(Stm(parts![format!("let {name} : {ty} = "), r, format!(" with {f} = "), e]))
    }
}
