//! Second-order intrinsics: lambdas are what the function arguments compute on rows.

use super::error::R;
use super::spec::Spec;
use super::value::{Ty, Value, leaves};
use crate::ir::{
    Body, Exp, HistOp, Lambda, Param, PatElem, Reduction, Soac, Stm, StmAttr, SubExp, Type, Var,
};
use futc_typed::name::Name;

/// What to write where: so many times, the arrays of indexes and values, and the rows' types.
struct Writes {
    n: SubExp,
    is: Vec<Var>,
    values: Vec<Var>,
    rows: Vec<Type>,
}

impl Spec<'_> {
    /// The arrays of a value, all with outer size `n`.
    fn inputs(&mut self, xs: &Value, n: SubExp) -> R<Vec<Var>> {
        let Some(ls) = leaves(xs) else { return self.bug("an array of functions") };
        let mut out = Vec::with_capacity(ls.len());
        for l in ls {
            let mut shape = self.shape(l);
            match shape.first_mut() {
                Some(d) => *d = n,
                None => return self.bug("an array was expected"),
            }
            let l = self.reshape_to(l, &shape, &[]);
            out.push(self.as_var(l));
        }
        Ok(out)
    }

    /// Parameters for rows of these types, to be visible one scope further in.
    fn row_params(&mut self, rows: &[Type], base: &str) -> Vec<Param> {
        let depth = self.depth() + 1;
        rows.iter()
            .map(|ty| {
                let var = self.fresh_at(Name::new(base), ty.clone(), depth);
                Param { var, ty: ty.clone(), unique: false, mem: None }
            })
            .collect()
    }

    fn row_types(&self, arrays: &[Var]) -> Vec<Type> {
        arrays.iter().map(|v| self.ty(SubExp::Var(*v)).row()).collect()
    }

    /// The lambda that yields its parameters.
    fn identity(&mut self, rows: &[Type]) -> Lambda {
        let params = self.row_params(rows, "x");
        let result = params.iter().map(|p| SubExp::Var(p.var)).collect();
        Lambda { params, body: Body { stms: Vec::new(), result }, ret: rows.to_vec() }
    }

    /// Finishes a lambda whose results must have these types.
    fn lambda_of(
        &mut self,
        params: Vec<Param>,
        stms: Vec<Stm>,
        value: &Value,
        ret: &[Type],
        checked: bool,
    ) -> R<Lambda> {
        let Some(ls) = leaves(value) else {
            return self.bug("a function as the result of a function over rows");
        };
        if ls.len() != ret.len() {
            return self.bug("the result of a function over rows has another structure");
        }
        self.reopen(stms);
        let mut result = Vec::with_capacity(ls.len());
        for (l, ty) in ls.into_iter().zip(ret) {
            result.push(if checked {
                self.reshape_checked(l, ty.shape(), "Rows of the result differ in shape.")
            } else {
                self.reshape_to(l, ty.shape(), &[])
            });
        }
        let stms = self.close_scope();
        Ok(Lambda { params, body: Body { stms, result }, ret: ret.to_vec() })
    }

    /// What is done at each point of a combinator. How to go through its points is not said of the combinators inside.
    fn of_points<T>(&mut self, f: impl FnOnce(&mut Self) -> R<T>) -> R<(Vec<Stm>, T)> {
        let attrs = self.fun.attrs.clone();
        self.fun.attrs.retain(|a| !matches!(a, StmAttr::Schedule(_)));
        let done = self.scoped(f);
        self.fun.attrs = attrs;
        done
    }

    /// `map f xs`
    pub(super) fn map(&mut self, f: &Value, xs: &Value, ret: Option<&Ty>) -> R<Value> {
        let n = self.outer(xs)?;
        let inputs = self.inputs(xs, n)?;
        let rows = self.row_types(&inputs);
        let params = self.row_params(&rows, "x");
        let row = xs.with_leaves(&mut params.iter().map(|p| SubExp::Var(p.var)));
        let (stms, value) = self.of_points(|s| s.apply(f.clone(), vec![row]))?;
        let Some(ls) = leaves(&value) else { return self.bug("an array of functions") };
        // Row shapes must be named outside.
        let depth = self.depth();
        let known = ret.map(Ty::leaves).filter(|k| k.len() == ls.len());
        let mut shapes: Vec<Vec<SubExp>> = Vec::with_capacity(ls.len());
        let mut unknown: Vec<(usize, usize)> = Vec::new();
        for (i, l) in ls.iter().enumerate() {
            let mut shape = self.shape(*l);
            for (d, s) in shape.iter_mut().enumerate() {
                if self.visible(*s, depth) {
                    continue;
                }
                let hint = known
                    .as_ref()
                    .and_then(|k| k.get(i))
                    .and_then(|l| l.dims.get(d).copied())
                    .flatten();
                match hint {
                    Some(h) if self.visible(h, depth) => *s = h,
                    _ => unknown.push((i, d)),
                }
            }
            shapes.push(shape);
        }
        let checked = !unknown.is_empty();
        if checked {
            let sizes = self.first_row_sizes(f, xs, n, &unknown)?;
            for ((i, d), s) in unknown.into_iter().zip(sizes) {
                if let Some(slot) = shapes.get_mut(i).and_then(|sh| sh.get_mut(d)) {
                    *slot = s;
                }
            }
        }
        let all: Vec<SubExp> = shapes.iter().flatten().copied().collect();
        self.check_rows(&all, &stms);
        let ret: Vec<Type> =
            ls.iter().zip(shapes).map(|(l, shape)| Type::array(self.elem(*l), shape)).collect();
        let lambda = self.lambda_of(params, stms, &value, &ret, checked)?;
        let soac =
            Soac::Screma { width: n, inputs, lambda, scans: Vec::new(), reduces: Vec::new() };
        let types: Vec<Type> = ret.iter().map(|t| t.outer(n)).collect();
        let out = self.results(types, "map");
        let value = value.with_leaves(&mut out.0.into_iter());
        self.push(out.1, Exp::Soac(soac));
        self.check_result(&value);
        Ok(value)
    }

    /// The sizes, which only `f` knows, of its result on the first row; zero without rows.
    fn first_row_sizes(
        &mut self,
        f: &Value,
        xs: &Value,
        n: SubExp,
        wanted: &[(usize, usize)],
    ) -> R<Vec<SubExp>> {
        let some = self.lt(SubExp::i64(0), n);
        let count = wanted.len();
        let sizes = self.conditional(
            some,
            |s| {
                let row = s.row(xs, SubExp::i64(0))?;
                let v = s.apply(f.clone(), vec![row])?;
                let ls = leaves(&v).unwrap_or_default();
                let dims = wanted
                    .iter()
                    .map(|(i, d)| {
                        let d = ls.get(*i).and_then(|l| s.dim(*l, *d));
                        Value::Leaf(d.unwrap_or(SubExp::i64(0)))
                    })
                    .collect();
                Ok(Value::tuple(dims))
            },
            |_| Ok(Value::tuple(vec![Value::Leaf(SubExp::i64(0)); count])),
            None,
        )?;
        Ok(leaves(&sizes).unwrap_or_default())
    }

    fn results(&mut self, types: Vec<Type>, base: &str) -> (Vec<SubExp>, Vec<PatElem>) {
        let mut out = Vec::with_capacity(types.len());
        let mut pat = Vec::with_capacity(types.len());
        for ty in types {
            let var = self.fresh(Name::new(base), ty.clone());
            out.push(SubExp::Var(var));
            pat.push(PatElem { var, ty, mem: None });
        }
        (out, pat)
    }

    /// An operator over values of these types, with its neutral element.
    fn reduction(
        &mut self,
        f: &Value,
        ne: &Value,
        rows: &[Type],
        commutative: bool,
    ) -> R<Reduction> {
        let Some(nes) = leaves(ne) else { return self.bug("a neutral element with functions") };
        if nes.len() != rows.len() {
            return self.bug("a neutral element of another structure");
        }
        let mut neutral = Vec::with_capacity(nes.len());
        for (l, ty) in nes.into_iter().zip(rows) {
            neutral.push(self.reshape_checked(
                l,
                ty.shape(),
                "Shape of neutral element does not match that of the elements.",
            ));
        }
        let mut params = self.row_params(rows, "acc");
        let elems = self.row_params(rows, "x");
        let a = ne.with_leaves(&mut params.iter().map(|p| SubExp::Var(p.var)));
        let x = ne.with_leaves(&mut elems.iter().map(|p| SubExp::Var(p.var)));
        params.extend(elems);
        let (stms, value) = self.of_points(|s| s.apply(f.clone(), vec![a, x]))?;
        let op = self.lambda_of(params, stms, &value, rows, false)?;
        Ok(Reduction { op, neutral, commutative })
    }

    /// `reduce f ne xs`
    pub(super) fn reduce(
        &mut self,
        f: &Value,
        ne: &Value,
        xs: &Value,
        commutative: bool,
    ) -> R<Value> {
        let n = self.outer(xs)?;
        let inputs = self.inputs(xs, n)?;
        let rows = self.row_types(&inputs);
        let red = self.reduction(f, ne, &rows, commutative)?;
        let lambda = self.identity(&rows);
        let (out, pat) = self.results(rows, "red");
        let soac = Soac::Screma { width: n, inputs, lambda, scans: Vec::new(), reduces: vec![red] };
        self.push(pat, Exp::Soac(soac));
        Ok(xs.with_leaves(&mut out.into_iter()))
    }

    /// `scan f ne xs`
    pub(super) fn scan(&mut self, f: &Value, ne: &Value, xs: &Value) -> R<Value> {
        let n = self.outer(xs)?;
        let inputs = self.inputs(xs, n)?;
        let rows = self.row_types(&inputs);
        let red = self.reduction(f, ne, &rows, false)?;
        let lambda = self.identity(&rows);
        let (out, pat) = self.results(rows.iter().map(|t| t.outer(n)).collect(), "scan");
        let soac = Soac::Screma { width: n, inputs, lambda, scans: vec![red], reduces: Vec::new() };
        self.push(pat, Exp::Soac(soac));
        Ok(xs.with_leaves(&mut out.into_iter()))
    }

    /// Destinations with one name for each of their first dimensions, and those names.
    fn destinations(&mut self, dest: &Value, rank: usize) -> R<(Vec<Var>, Vec<SubExp>)> {
        let Some(ls) = leaves(dest) else { return self.bug("an array of functions") };
        let Some(first) = ls.first() else { return self.bug("a destination without leaves") };
        let shape: Vec<SubExp> = self.shape(*first).into_iter().take(rank).collect();
        if shape.len() != rank {
            return self.bug("a destination of too few dimensions");
        }
        let mut out = Vec::with_capacity(ls.len());
        for l in ls {
            let own = self.shape(l);
            let want: Vec<SubExp> =
                shape.iter().copied().chain(own.into_iter().skip(rank)).collect();
            let l = self.reshape_to(l, &want, &[]);
            out.push(self.as_var(l));
        }
        Ok((out, shape))
    }

    /// Index and value arrays of one outer size, the values with rows as the destinations have.
    fn writes(&mut self, rank: usize, dests: &[Var], is: &Value, vs: &Value) -> R<Writes> {
        let n = self.outer(is)?;
        let vs = self.with_outer(vs, n, "Indexes and values differ in number")?;
        let is = self.inputs(is, n)?;
        if is.len() != rank {
            return self.bug("indexes of another rank");
        }
        let rows: Vec<Type> = dests
            .iter()
            .map(|d| {
                let ty = self.ty(SubExp::Var(*d));
                let shape = ty.shape().iter().skip(rank).copied().collect();
                Type::array(self.elem(SubExp::Var(*d)), shape)
            })
            .collect();
        let Some(ls) = leaves(&vs) else { return self.bug("an array of functions") };
        if ls.len() != dests.len() {
            return self.bug("values of another structure than their destination");
        }
        let mut values = Vec::with_capacity(ls.len());
        for (l, row) in ls.into_iter().zip(&rows) {
            let want: Vec<SubExp> = std::iter::once(n).chain(row.shape().iter().copied()).collect();
            let l = self.reshape_checked(l, &want, "Values do not fit their destination.");
            values.push(self.as_var(l));
        }
        Ok(Writes { n, is, values, rows })
    }

    /// `hist dest f ne is vs`
    pub(super) fn hist(
        &mut self,
        rank: usize,
        dest: &Value,
        f: &Value,
        ne: &Value,
        is: &Value,
        vs: &Value,
    ) -> R<Value> {
        let (dests, shape) = self.destinations(dest, rank)?;
        let Writes { n, is, values, rows } = self.writes(rank, &dests, is, vs)?;
        let red = self.reduction(f, ne, &rows, true)?;
        let mut types = vec![Type::I64; rank];
        types.extend(rows);
        let lambda = self.identity(&types);
        let types = dests.iter().map(|d| self.ty(SubExp::Var(*d))).collect();
        let inputs = is.into_iter().chain(values).collect();
        let ops = vec![HistOp { shape, dests, op: red }];
        let (out, pat) = self.results(types, "hist");
        self.push(pat, Exp::Soac(Soac::Hist { width: n, inputs, ops, lambda }));
        Ok(dest.with_leaves(&mut out.into_iter()))
    }

    /// `scatter dest is vs`
    pub(super) fn scatter(
        &mut self,
        rank: usize,
        dest: &Value,
        is: &Value,
        vs: &Value,
    ) -> R<Value> {
        let (dests, _) = self.destinations(dest, rank)?;
        let Writes { n, is, values, rows } = self.writes(rank, &dests, is, vs)?;
        let mut types = vec![Type::I64; rank];
        types.extend(rows.iter().cloned());
        let params = self.row_params(&types, "x");
        let operands: Vec<SubExp> = params.iter().map(|p| SubExp::Var(p.var)).collect();
        let (index, value) = operands.split_at(rank.min(operands.len()));
        // Every destination has the same index.
        let mut result: Vec<SubExp> = Vec::new();
        let mut ret = Vec::new();
        for _ in &dests {
            result.extend(index);
            ret.extend(vec![Type::I64; rank]);
        }
        result.extend(value);
        ret.extend(rows);
        let lambda = Lambda { params, body: Body { stms: Vec::new(), result }, ret };
        let types = dests.iter().map(|d| self.ty(SubExp::Var(*d))).collect();
        let inputs = is.into_iter().chain(values).collect();
        let dests = dests.into_iter().map(|d| (rank, d)).collect();
        let (out, pat) = self.results(types, "scatter");
        self.push(pat, Exp::Soac(Soac::Scatter { width: n, inputs, dests, lambda }));
        Ok(dest.with_leaves(&mut out.into_iter()))
    }

    /// Whether `f` holds of all the `n` numbers from 0: a map and a reduction with "and".
    pub(super) fn for_all(
        &mut self,
        n: SubExp,
        arrays: &Value,
        f: impl FnOnce(&mut Self, Value) -> R<SubExp>,
    ) -> R<SubExp> {
        let inputs = self.inputs(arrays, n)?;
        let rows = self.row_types(&inputs);
        let params = self.row_params(&rows, "x");
        let row = arrays.with_leaves(&mut params.iter().map(|p| SubExp::Var(p.var)));
        let (stms, ok) = self.scoped(|s| f(s, row))?;
        let lambda =
            Lambda { params, body: Body { stms, result: vec![ok] }, ret: vec![Type::BOOL] };
        let params = self.row_params(&[Type::BOOL, Type::BOOL], "b");
        let (stms, both) = self.scoped(|s| {
            let mut it = params.iter().map(|p| SubExp::Var(p.var));
            match (it.next(), it.next()) {
                (Some(a), Some(b)) => Ok(s.and(a, b)),
                _ => s.bug("an operator without parameters"),
            }
        })?;
        let op = Lambda { params, body: Body { stms, result: vec![both] }, ret: vec![Type::BOOL] };
        let red = Reduction { op, neutral: vec![SubExp::bool(true)], commutative: true };
        let soac = Soac::Screma { width: n, inputs, lambda, scans: Vec::new(), reduces: vec![red] };
        Ok(SubExp::Var(self.emit("all", Exp::Soac(soac), Type::BOOL)))
    }
}
