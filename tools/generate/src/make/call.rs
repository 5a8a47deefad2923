//! Calls, and functions as arguments.

use super::Maker;
use super::bound::{Fun, Param};
use crate::parts;
use crate::tree::{Expr, Part, Stm};
use crate::types::{Size, Ty};
use std::collections::HashMap;
use std::sync::Arc;

/// What a function's sizes and types are at a call.
#[derive(Default)]
struct Instance {
    sizes: HashMap<Arc<str>, Size>,
    types: HashMap<Arc<str>, Ty>,
}

impl Instance {
    fn size(&self, n: &Size) -> Size {
        match n {
            Size::Const(_) => n.clone(),
            Size::Name(x) => self.sizes.get(x).unwrap_or(n).clone(),
            Size::Sum(a, b) => Size::Sum(Box::new(self.size(a)), Box::new(self.size(b))),
            Size::Product(a, b) => Size::Product(Box::new(self.size(a)), Box::new(self.size(b))),
        }
    }

    fn ty(&self, t: &Ty) -> Ty {
        match t {
            Ty::Scalar(_) | Ty::Sum(_) => t.clone(),
            Ty::Array(n, t) => Ty::Array(self.size(n), Box::new(self.ty(t))),
            Ty::Tuple(ts) => Ty::Tuple(ts.iter().map(|t| self.ty(t)).collect()),
            Ty::Record(fs) => Ty::Record(fs.iter().map(|(f, t)| (*f, self.ty(t))).collect()),
            Ty::Param(x) => self.types.get(x).unwrap_or(t).clone(),
        }
    }

    /// Makes `pattern` equal to `ty`, if that can be.
    fn unify(&mut self, fun: &Fun, pattern: &Ty, ty: &Ty) -> bool {
        match (pattern, ty) {
            (Ty::Param(x), _) if fun.types.contains(x) => match self.types.get(x) {
                Some(t) => t == ty,
                None => {
                    self.types.insert(x.clone(), ty.clone());
                    true
                }
            },
            (Ty::Array(n, a), Ty::Array(m, b)) => {
                self.unify_size(fun, n, m) && self.unify(fun, a, b)
            }
            (Ty::Tuple(a), Ty::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.unify(fun, a, b))
            }
            _ => pattern == ty,
        }
    }

    fn unify_size(&mut self, fun: &Fun, pattern: &Size, n: &Size) -> bool {
        match pattern {
            Size::Name(x) if fun.sizes.contains(x) => match self.sizes.get(x) {
                Some(m) => m == n,
                None => {
                    self.sizes.insert(x.clone(), n.clone());
                    true
                }
            },
            Size::Const(_) | Size::Name(_) | Size::Sum(..) | Size::Product(..) => pattern == n,
        }
    }
}

impl Maker {
    fn alive_funs(&self) -> Vec<usize> {
        (0..self.funs.len())
            .filter(|i| self.funs[*i].alive && self.affords(self.funs[*i].work))
            .collect()
    }

    /// A call of a function that can yield the type.
    pub fn call(&mut self, ty: &Ty) -> Option<Expr> {
        let funs = self.alive_funs();
        let start = self.r.below(funs.len());
        for i in funs.iter().cycle().skip(start).take(funs.len()) {
            let fun = self.funs.get(*i)?.clone();
            let mut instance = Instance::default();
            if instance.unify(&fun, &fun.result, ty) {
                return Some(self.call_of(&fun, instance, ty));
            }
        }
        None
    }

    /// A call of a function whose result is an array of a size of its own: its element, and the call.
    pub(super) fn call_of_finder(&mut self, fun: &Fun) -> (Ty, Expr) {
        let mut instance = Instance::default();
        for n in &fun.sizes {
            let size = self.size();
            instance.sizes.insert(n.clone(), size);
        }
        let elem = instance.ty(&fun.result);
        let ty = Ty::array(&Size::Const(1), elem.clone());
        (elem, self.call_of(fun, instance, &ty))
    }

    fn call_of(&mut self, fun: &Fun, mut instance: Instance, ty: &Ty) -> Expr {
        for n in &fun.sizes {
            if !instance.sizes.contains_key(n) {
                let size = self.size();
                instance.sizes.insert(n.clone(), size);
            }
        }
        for t in &fun.types {
            if !instance.types.contains_key(t) {
                let ty = self.some_scalar();
                instance.types.insert(t.clone(), ty);
            }
        }
        let mut groups = fun.captured.clone();
        self.touched.extend(&fun.captured);
        let mut parts = parts![fun.name.clone()];
        for p in &fun.params {
            parts.extend(parts![" "]);
            match p {
                Param::Value { ty, unique } => {
                    let ty = instance.ty(ty);
                    let e = if *unique { self.fresh(&ty) } else { self.expr(&ty) };
                    groups.extend(&e.groups);
                    parts.extend(parts![e]);
                }
                Param::Function(ps, r) => {
                    let ps: Vec<Ty> = ps.iter().map(|t| instance.ty(t)).collect();
                    let r = instance.ty(r);
                    // It may return what it captures.
                    let seen = self.touched.len();
                    parts.extend(self.function_value(&ps, &r));
                    groups.extend(self.touched_since(seen));
                }
            }
        }
        if fun.unique_result {
            return Expr::new(ty, parts);
        }
        if ty.has_arrays() {
            groups.push(super::bound::BORROWED);
        }
        Expr::shared(ty, groups, parts)
    }

    /// A function as an argument.
    fn function_value(&mut self, params: &[Ty], result: &Ty) -> Vec<Part> {
        if let [p] = params {
            if p == result
                && let Some((_, 0)) = p.transparent()
                && self.r.one_in(3)
                && let Some((op, _)) = self.operator(p)
            {
                // Applied to its first argument only.
                let e = self.expr(p);
                return parts![format!("({op} "), e, ")"];
            }
            if self.r.one_in(4) {
                let mid = self.some_scalar();
                let f = self.lambda(&[(p.clone(), None)], &mid, 8);
                let g = self.lambda(&[(mid, None)], result, 8);
                let mut parts = parts!["("];
                parts.extend(f);
                parts.extend(parts![" >-> "]);
                parts.extend(g);
                parts.extend(parts![")"]);
                return parts;
            }
        }
        let params: Vec<(Ty, Option<Size>)> = params.iter().map(|t| (t.clone(), None)).collect();
        self.lambda(&params, result, 8)
    }

    /// A function in scope that yields the type of one argument, the others being given: its text
    /// in parentheses, and the type of the argument.
    pub fn function_to(&mut self, ty: &Ty, times: i64) -> Option<(Vec<Part>, Ty)> {
        let funs: Vec<usize> = self
            .alive_funs()
            .into_iter()
            .filter(|i| {
                let f = &self.funs[*i];
                let values = |p: &Param| matches!(p, Param::Value { unique: false, .. });
                f.types.is_empty()
                    && f.sizes.is_empty()
                    && f.result == *ty
                    && f.params.iter().all(values)
                    && self.affords(f.work.saturating_mul(times))
            })
            .collect();
        let fun = self.funs.get(*self.r.pick(&funs)?)?.clone();
        self.touched.extend(&fun.captured);
        let (last, before) = fun.params.split_last()?;
        let Param::Value { ty: last, .. } = last else { return None };
        let mut parts = parts![format!("({}", fun.name)];
        for p in before {
            if let Param::Value { ty, .. } = p {
                let e = self.expr(ty);
                parts.extend(parts![" ", e]);
            }
        }
        parts.extend(parts![")"]);
        Some((parts, last.clone()))
    }

    /// A call that consumes a variable.
    pub fn consuming_call(&mut self) -> Option<Stm> {
        let funs: Vec<usize> = self
            .alive_funs()
            .into_iter()
            .filter(|i| {
                let ps = &self.funs[*i].params;
                ps.iter().filter(|p| matches!(p, Param::Value { unique: true, .. })).count() == 1
            })
            .collect();
        let fun = self.funs.get(*self.r.pick(&funs)?)?.clone();
        let consumed = fun.params.iter().find_map(|p| match p {
            Param::Value { ty, unique: true } => Some(ty.clone()),
            Param::Value { .. } | Param::Function(..) => None,
        })?;
        // What is consumed must not be mentioned by the other arguments.
        let probe = fun.clone();
        let (x, ty) = self.take_var(|t| Instance::default().unify(&probe, &consumed, t))?;
        let mut instance = Instance::default();
        instance.unify(&fun, &consumed, &ty);
        for n in &fun.sizes {
            let size = self.size();
            instance.sizes.entry(n.clone()).or_insert(size);
        }
        for t in &fun.types {
            let ty = self.some_scalar();
            instance.types.entry(t.clone()).or_insert(ty);
        }
        let mut groups = fun.captured.clone();
        let mut parts = parts![fun.name.clone()];
        for p in &fun.params {
            parts.extend(parts![" "]);
            match p {
                Param::Value { unique: true, .. } => parts.extend(parts![x.clone()]),
                Param::Value { ty, .. } => {
                    let e = self.expr(&instance.ty(ty));
                    groups.extend(&e.groups);
                    parts.extend(parts![e]);
                }
                Param::Function(ps, r) => {
                    let ps: Vec<Ty> = ps.iter().map(|t| instance.ty(t)).collect();
                    let r = instance.ty(r);
                    let seen = self.touched.len();
                    parts.extend(self.function_value(&ps, &r));
                    groups.extend(self.touched_since(seen));
                }
            }
        }
        let result = instance.ty(&fun.result);
        let name = self.name("y");
        if fun.unique_result {
            groups.clear();
        } else {
            groups.push(super::bound::BORROWED);
        }
        self.declare(&name, &result, groups);
        let mut p = parts![format!("let {name} : {result} = ")];
        p.extend(parts);
        Some(Stm(p))
    }
}
