//! Reductions whose operators are maps, as maps of reductions: the interchange of reduce with an inner map,
//! which the literature about Futhark calls IRWIM.
//!
//! ```text
//! reduce (\as bs -> map2 op as bs) (replicate k ne) xss    →    map (reduce op ne) (transpose xss)
//! ```
//!
//! So operators work on scalars, columns go beside one another, and tasks and threads of kernels share them:
//! as a reduction of rows it would be a loop over rows on every target. Maps of rows that a reduction has taken in go along:
//! each element is made where its column takes it. Of several dimensions, one goes out after the other.
//!
//! Stays: what may fail or writes, as columns would meet failures in another order; reductions beside scans and
//! mapped results; rows whose number of columns is a small constant, which scalar replacement has looked at.
//!
//! Works at level `soacs`, after fusion. Cost: linear in the program, times the rank of rows.

use crate::ir::traverse::{Rewrite, Subst, free_in_body, rewrite};
use crate::ir::varmap::VarMap;
use crate::ir::{
    Body, Builder, Effects, Exp, Lambda, Level, NameSource, Param, PatElem, Program, Reduction,
    Soac, Stm, SubExp, Type, Var,
};

/// Rows of no more columns stay rows.
const FEW: i64 = 16;

/// Takes maps out of the operators of reductions.
pub fn interchange_reduce(mut program: Program) -> Program {
    if program.level != Level::Soacs {
        return program;
    }
    let b = Builder::new(NameSource::new(program.next_tag));
    let mut i = Interchange { b, replicates: VarMap::default() };
    i.body(&mut program.consts);
    i.b.know_pat(&program.globals);
    for f in &mut program.funs {
        i.fun(f);
    }
    program.next_tag = i.b.names.next_tag();
    program
}

struct Interchange {
    b: Builder,
    /// The shapes and values of arrays of equal elements.
    replicates: VarMap<(Vec<SubExp>, SubExp)>,
}

impl Rewrite for Interchange {
    fn bind(&mut self, _: &mut Var) {}

    fn param(&mut self, p: &mut Param) {
        self.b.know_params(std::slice::from_ref(p));
    }

    fn stms(&mut self, stms: &mut Vec<Stm>) {
        for mut s in std::mem::take(stms) {
            if let (Exp::Replicate { shape, value }, [p]) = (&s.exp, s.pat.as_slice()) {
                self.replicates.insert(p.var, (shape.clone(), *value));
            }
            if let Some(made) = self.interchanged(&s) {
                stms.extend(made);
                s = match stms.pop() {
                    Some(map) => map,
                    None => continue,
                };
            }
            // What stands inside may be such a reduction, too.
            rewrite::exp(self, &mut s.exp);
            self.b.know_pat(&s.pat);
            stms.push(s);
        }
    }
}

/// A map over rows: its only statement, a map, yields all of its results.
struct RowMap<'a> {
    width: SubExp,
    inputs: &'a [Var],
    lambda: &'a Lambda,
    /// Which of the inner map's results each result is.
    order: Vec<usize>,
}

/// The lambda as a map over its rows, if it is no more than that.
fn row_map(l: &Lambda) -> Option<RowMap<'_>> {
    let [s] = l.body.stms.as_slice() else { return None };
    let Exp::Soac(Soac::Screma { width, inputs, lambda, scans, reduces }) = &s.exp else {
        return None;
    };
    if !s.certs.is_empty() || !s.attrs.is_empty() || !scans.is_empty() || !reduces.is_empty() {
        return None;
    }
    if !Effects::of(s).is_none() {
        return None;
    }
    let at = |x: &SubExp| s.pat.iter().position(|p| SubExp::Var(p.var) == *x);
    let order = l.body.result.iter().map(at).collect::<Option<_>>()?;
    Some(RowMap { width: *width, inputs, lambda, order })
}

/// The first parameter for each input, and the others by it.
fn one_for_each(inputs: &[Var], params: &[Param], subst: &mut Subst) -> Vec<(Var, Param)> {
    let mut out: Vec<(Var, Param)> = Vec::new();
    for (input, p) in inputs.iter().zip(params) {
        match out.iter().find(|(other, _)| other == input) {
            Some((_, first)) => subst.insert(p.var, first.var),
            None => out.push((*input, p.clone())),
        }
    }
    out
}

/// The body with results in another order, and with parameters that stand for others.
fn body_of(map: &RowMap<'_>, subst: &mut Subst) -> Body {
    let mut body = map.lambda.body.clone();
    body.result = map.order.iter().filter_map(|i| body.result.get(*i).copied()).collect();
    subst.body(&mut body);
    body
}

impl Interchange {
    /// The statements that come to the same, the map last.
    fn interchanged(&mut self, s: &Stm) -> Option<Vec<Stm>> {
        let Exp::Soac(Soac::Screma { width, inputs, lambda, scans, reduces }) = &s.exp else {
            return None;
        };
        let results: usize = reduces.iter().map(|r| r.neutral.len()).sum();
        if !scans.is_empty() || results == 0 || results != lambda.ret.len() || !s.attrs.is_empty() {
            return None;
        }
        let columns = lambda.ret.first()?.shape().first().copied()?;
        let same = |t: &Type| t.shape().first() == Some(&columns);
        if !lambda.ret.iter().all(same) || matches!(columns, SubExp::Const(c) if c.as_int()? <= FEW)
        {
            return None;
        }
        let operators: Vec<RowMap<'_>> =
            reduces.iter().map(|r| row_map(&r.op)).collect::<Option<_>>()?;
        let known =
            |r: &Reduction| r.neutral.iter().all(|ne| self.replicate_of(*ne, columns).is_some());
        let all_columns = operators.iter().all(|map| map.width == columns);
        let own = reduces.iter().zip(&operators).all(|(r, map)| {
            map.inputs.iter().all(|v| r.op.params.iter().any(|p| p.var == *v))
                && !free_in_body(&map.lambda.body)
                    .iter()
                    .any(|v| r.op.params.iter().any(|p| p.var == *v))
        });
        if !reduces.iter().all(known) || !all_columns || !own {
            return None;
        }
        let elements = self.elements(lambda, columns)?;

        self.b.begin();
        let made = self.b.under(&s.certs, |b| {
            let mut outer = (Vec::new(), Vec::new());
            let mut inner = (Vec::new(), Vec::new());
            for (array, p) in elements.columns {
                let row = lambda.params.iter().position(|q| q.var == array);
                match row.and_then(|i| inputs.get(i)) {
                    Some(rows) => {
                        let mut perm: Vec<usize> = (0..b.ty((*rows).into()).rank()).collect();
                        perm.swap(0, 1);
                        outer.0.push(b.emit("columns", Exp::Rearrange { array: *rows, perm }));
                        let column = b.param("column", p.ty.outer(*width));
                        inner.0.push(column.var);
                        inner.1.push(p);
                        outer.1.push(column);
                    }
                    // The same for all rows.
                    None => {
                        outer.0.push(array);
                        outer.1.push(p);
                    }
                }
            }
            for (input, p) in inputs.iter().zip(&lambda.params) {
                if elements.scalars.contains(&p.var) {
                    inner.0.push(*input);
                    inner.1.push(p.clone());
                }
            }
            (outer, inner)
        });
        let ((arrays, outer_params), (inner_inputs, inner_params)) = made;
        let mut operations = Vec::with_capacity(reduces.len());
        for (r, map) in reduces.iter().zip(&operators) {
            let mut subst = Subst::new();
            let given = one_for_each(map.inputs, &map.lambda.params, &mut subst);
            let body = body_of(map, &mut subst);
            let params = r.op.params.iter().map(|p| {
                let known = given.iter().find(|(v, _)| *v == p.var).map(|(_, q)| q.clone());
                known.unwrap_or_else(|| self.b.param("unused", p.ty.row()))
            });
            let params = params.collect();
            let ret: Vec<Type> = r.op.ret.iter().map(Type::row).collect();
            let mut neutral = Vec::with_capacity(r.neutral.len());
            for ne in &r.neutral {
                let (shape, value) = self.replicate_of(*ne, columns)?;
                neutral.push(match shape.split_first() {
                    Some((_, rest)) if !rest.is_empty() => {
                        let shape = rest.to_vec();
                        self.b.emit("ne", Exp::Replicate { shape, value }).into()
                    }
                    _ => value,
                });
            }
            let op = Lambda { params, body, ret };
            operations.push(Reduction { op, neutral, commutative: r.commutative });
        }
        let ret: Vec<Type> = lambda.ret.iter().map(Type::row).collect();
        let pat: Vec<PatElem> = ret.iter().map(|t| self.b.pat("column", t.clone())).collect();
        let result = pat.iter().map(|p| p.var.into()).collect();
        let reduction = Soac::Screma {
            width: *width,
            inputs: inner_inputs,
            lambda: Lambda { params: inner_params, body: elements.body, ret: ret.clone() },
            scans: Vec::new(),
            reduces: operations,
        };
        let inner = Stm { pat, exp: Exp::Soac(reduction), certs: Vec::new(), ..s.clone() };
        let lambda = Lambda { params: outer_params, body: Body { stms: vec![inner], result }, ret };
        let (scans, reduces) = (Vec::new(), Vec::new());
        let map = Soac::Screma { width: columns, inputs: arrays, lambda, scans, reduces };
        let mut stms = self.b.end();
        for made in &mut stms {
            made.loc = s.loc;
            if let (Exp::Replicate { shape, value }, [p]) = (&made.exp, made.pat.as_slice()) {
                self.replicates.insert(p.var, (shape.clone(), *value));
            }
        }
        stms.push(Stm { exp: Exp::Soac(map), ..s.clone() });
        Some(stms)
    }

    /// Shape and value of an array of that many equal rows.
    fn replicate_of(&self, x: SubExp, rows: SubExp) -> Option<(Vec<SubExp>, SubExp)> {
        let (shape, value) = self.replicates.get(&x.var()?)?;
        (shape.first() == Some(&rows)).then(|| (shape.clone(), *value))
    }

    /// What is reduced, element by element.
    fn elements(&mut self, l: &Lambda, columns: SubExp) -> Option<Elements> {
        let is_param = |v: Var| l.params.iter().any(|p| p.var == v);
        if l.body.stms.is_empty() {
            // The rows themselves.
            let mut elements = Vec::with_capacity(l.ret.len());
            let mut result = Vec::with_capacity(l.ret.len());
            for (x, ty) in l.body.result.iter().zip(&l.ret) {
                let row = x.var().filter(|v| is_param(*v))?;
                let known = elements.iter().find(|(v, _): &&(Var, Param)| *v == row);
                let param = known.map_or_else(|| self.b.param("x", ty.row()), |(_, p)| p.clone());
                result.push(param.var.into());
                if known.is_none() {
                    elements.push((row, param));
                }
            }
            let body = Body { stms: Vec::new(), result };
            return Some(Elements { columns: elements, scalars: Vec::new(), body });
        }
        let map = row_map(l)?;
        if map.width != columns {
            return None;
        }
        let mut subst = Subst::new();
        let elements = one_for_each(map.inputs, &map.lambda.params, &mut subst);
        let body = body_of(&map, &mut subst);
        let scalars: Vec<Var> = free_in_body(&body).into_iter().filter(|v| is_param(*v)).collect();
        // A row of which an element takes more than its own place is no column.
        let whole = scalars.iter().any(|v| elements.iter().any(|(array, _)| array == v));
        let rows = elements.iter().any(|(array, _)| is_param(*array));
        (rows && !whole).then_some(Elements { columns: elements, scalars, body })
    }
}

/// How elements are made of rows.
struct Elements {
    /// Rows, or arrays that are the same for all rows, with the parameter for an element of each.
    columns: Vec<(Var, Param)>,
    /// Parameters of the lambda over rows that every element reads.
    scalars: Vec<Var>,
    body: Body,
}
