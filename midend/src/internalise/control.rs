//! Conditionals, `match` and loops, and the joining of results whose sizes differ.

use super::error::R;
use super::spec::Spec;
use super::value::{Dim, FrameId, Ty, Value, leaves};
use crate::ir::{
    Body, CmpOp, Const, ConvOp, Exp, IntType, LoopForm, Param, PatElem, Prim, Stm, StmAttr, SubExp,
    Type, Var,
};
use futc_typed::name::Name;
use futc_typed::program::{self, Case, Loop};
use futc_typed::types;

/// A type to ask for sizes where results disagree.
pub(super) type Hint<'a> = Option<(&'a types::Type, FrameId)>;

/// Bodies made to agree, and the pattern of what they yield.
pub(super) struct Joined {
    pub bodies: Vec<Body>,
    pub elems: Vec<PatElem>,
    pub value: Value,
}

impl Spec<'_> {
    /// `if`
    pub(super) fn conditional(
        &mut self,
        cond: SubExp,
        then: impl FnOnce(&mut Self) -> R<Value>,
        otherwise: impl FnOnce(&mut Self) -> R<Value>,
        hint: Hint<'_>,
    ) -> R<Value> {
        match cond {
            SubExp::Const(Const::Bool(true)) => return then(self),
            SubExp::Const(Const::Bool(false)) => return otherwise(self),
            SubExp::Const(_) | SubExp::Var(_) => {}
        }
        let t = self.scoped(then)?;
        let o = self.scoped(otherwise)?;
        self.branch(cond, vec![Const::Bool(true)], vec![t, o], hint)
    }

    /// A conditional on constants: one branch for each, and the default last.
    pub(super) fn branch(
        &mut self,
        scrutinee: SubExp,
        consts: Vec<Const>,
        branches: Vec<(Vec<Stm>, Value)>,
        hint: Hint<'_>,
    ) -> R<Value> {
        let joined = self.join(branches, hint, true)?;
        if joined.elems.is_empty() {
            return Ok(joined.value);
        }
        let mut bodies = joined.bodies;
        let Some(default) = bodies.pop() else { return Ok(joined.value) };
        let cases = consts.into_iter().zip(bodies).collect();
        self.push(joined.elems, Exp::Match { scrutinee, cases, default });
        self.check_result(&joined.value);
        Ok(joined.value)
    }

    /// Makes the results of bodies agree. Sizes that can be named outside and are the same
    /// everywhere stay; those that `hint` knows are taken from there; the others become
    /// existential results, bound first. With `pass`, results that are one and the same outer
    /// operand everywhere do not go through the pattern.
    pub(super) fn join(
        &mut self,
        branches: Vec<(Vec<Stm>, Value)>,
        hint: Hint<'_>,
        pass: bool,
    ) -> R<Joined> {
        let depth = self.depth();
        self.join_at(branches, hint, pass, depth)
    }

    /// As [`Self::join`], with the results to be named at `depth`.
    pub(super) fn join_at(
        &mut self,
        branches: Vec<(Vec<Stm>, Value)>,
        hint: Hint<'_>,
        pass: bool,
        depth: u32,
    ) -> R<Joined> {
        let Some((_, template)) = branches.first() else { return self.bug("no branch") };
        let template = template.clone();
        let mut columns = Vec::with_capacity(branches.len());
        for (_, v) in &branches {
            match leaves(v) {
                Some(ls) => columns.push(ls),
                None => return self.limitation("a function as the result of a conditional"),
            }
        }
        let count = columns.first().map_or(0, Vec::len);
        if columns.iter().any(|c| c.len() != count) {
            return self.bug("branches of different structure");
        }
        let mut closed: Option<Vec<super::value::LeafTy>> = None;
        // Existential sizes: what each is in each branch.
        let mut exts: Vec<(Vec<SubExp>, Var)> = Vec::new();
        let mut targets: Vec<Option<Vec<Result<SubExp, usize>>>> = Vec::with_capacity(count);
        let busy = branches.iter().any(|(stms, _)| !stms.is_empty());
        let mut passed_all = true;
        for i in 0..count {
            let column: Vec<SubExp> = columns.iter().filter_map(|c| c.get(i).copied()).collect();
            let Some(head) = column.first().copied() else { continue };
            let same = column.iter().all(|s| *s == head) && self.visible(head, depth);
            if pass && same && !(busy && passed_all && i + 1 == count) {
                targets.push(None);
                continue;
            }
            passed_all = false;
            let rank = self.shape(head).len();
            let mut dims = Vec::with_capacity(rank);
            for d in 0..rank {
                let own: Vec<SubExp> =
                    column.iter().map(|s| self.dim(*s, d).unwrap_or(SubExp::i64(0))).collect();
                let Some(first) = own.first().copied() else { continue };
                if own.iter().all(|o| *o == first) && self.visible(first, depth) {
                    dims.push(Ok(first));
                    continue;
                }
                if closed.is_none() {
                    closed = Some(match hint {
                        Some((ty, frame)) => self.close(ty, frame)?.leaves(),
                        None => Vec::new(),
                    });
                }
                let known = closed
                    .as_ref()
                    .filter(|c| c.len() == count)
                    .and_then(|c| c.get(i))
                    .and_then(|l| l.dims.get(d).copied())
                    .flatten();
                if let Some(k) = known
                    && self.visible(k, depth)
                {
                    dims.push(Ok(k));
                    continue;
                }
                let at = match exts.iter().position(|(e, _)| *e == own) {
                    Some(at) => at,
                    None => {
                        let v = self.fresh(Name::new("d"), Type::I64);
                        exts.push((own, v));
                        exts.len() - 1
                    }
                };
                dims.push(Err(at));
            }
            targets.push(Some(dims));
        }
        let mut elems: Vec<PatElem> =
            exts.iter().map(|(_, v)| PatElem { var: *v, ty: Type::I64, mem: None }).collect();
        let mut out = Vec::with_capacity(count);
        for (i, target) in targets.iter().enumerate() {
            let Some(head) = columns.first().and_then(|c| c.get(i)).copied() else { continue };
            match target {
                None => out.push(head),
                Some(dims) => {
                    let shape = dims
                        .iter()
                        .filter_map(|d| match d {
                            Ok(s) => Some(*s),
                            Err(at) => exts.get(*at).map(|(_, v)| SubExp::Var(*v)),
                        })
                        .collect();
                    let ty = Type::array(self.elem(head), shape);
                    let base = head.var().map_or(Name::new("r"), |v| v.base);
                    let var = self.fresh(base, ty.clone());
                    elems.push(PatElem { var, ty, mem: None });
                    out.push(var.into());
                }
            }
        }
        let mut bodies = Vec::with_capacity(branches.len());
        for (b, ((stms, _), column)) in branches.into_iter().zip(columns).enumerate() {
            self.reopen(stms);
            let mut result: Vec<SubExp> =
                exts.iter().filter_map(|(own, _)| own.get(b).copied()).collect();
            for (leaf, target) in column.into_iter().zip(&targets) {
                let Some(dims) = target else { continue };
                let want: Vec<SubExp> = dims
                    .iter()
                    .filter_map(|d| match d {
                        Ok(s) => Some(*s),
                        Err(at) => exts.get(*at).and_then(|(own, _)| own.get(b)).copied(),
                    })
                    .collect();
                result.push(self.reshape_to(leaf, &want, &[]));
            }
            let stms = self.close_scope();
            bodies.push(Body { stms, result });
        }
        Ok(Joined { bodies, elems, value: template.with_leaves(&mut out.into_iter()) })
    }

    // ---- match

    /// `match v case …`, tested in order.
    pub(super) fn match_cases(
        &mut self,
        v: &Value,
        cases: &[Case],
        ty: &types::Type,
        frame: FrameId,
    ) -> R<Value> {
        // What each case tests, up to the first that always matches.
        let mut tested = Vec::new();
        for (i, case) in cases.iter().enumerate() {
            let mut tests = Vec::new();
            if !self.pat_tests(&case.pat, v, frame, &mut tests)? {
                continue;
            }
            let last = tests.is_empty() || i + 1 == cases.len();
            tested.push((case, tests));
            if last {
                break;
            }
        }
        let n = tested.len();
        let Some((_, first)) = tested.first() else { return self.bug("no case matches") };
        // All cases but the last test one and the same scalar: one branch each.
        let scalar = first.first().map(|(s, _)| *s);
        let switch = match scalar {
            Some(s) if n > 1 => tested.iter().take(n - 1).all(|(_, tests)| {
                matches!(tests.as_slice(), [(t, c)] if *t == s && !matches!(c.prim(), Prim::Float(_)))
            }),
            _ => false,
        };
        if let (true, Some(s)) = (switch, scalar) {
            let mut consts: Vec<Const> = Vec::new();
            let mut branches = Vec::new();
            for (i, (case, tests)) in tested.into_iter().enumerate() {
                if i + 1 < n {
                    let Some((_, c)) = tests.first().copied() else { continue };
                    if consts.contains(&c) {
                        continue;
                    }
                    consts.push(c);
                }
                branches.push(self.case_body(v, case, frame)?);
            }
            return self.branch(s, consts, branches, Some((ty, frame)));
        }
        self.match_chain(v, &tested, ty, frame)
    }

    fn case_body(&mut self, v: &Value, case: &Case, frame: FrameId) -> R<(Vec<Stm>, Value)> {
        self.scoped(|s| s.case_value(v, case, frame))
    }

    fn case_value(&mut self, v: &Value, case: &Case, frame: FrameId) -> R<Value> {
        let inner = self.frame(Some(frame));
        self.bind_pat(&case.pat, v, inner)?;
        self.eval(&case.body, inner)
    }

    fn match_chain(
        &mut self,
        v: &Value,
        tested: &[(&Case, Vec<(SubExp, Const)>)],
        ty: &types::Type,
        frame: FrameId,
    ) -> R<Value> {
        let Some(((case, tests), rest)) = tested.split_first() else {
            return self.bug("a match without cases");
        };
        if rest.is_empty() || tests.is_empty() {
            return self.case_value(v, case, frame);
        }
        let mut ok = SubExp::bool(true);
        for (s, c) in tests {
            let t = self.cmp(CmpOp::Eq(c.prim()), *s, SubExp::Const(*c));
            ok = self.and(ok, t);
        }
        self.conditional(
            ok,
            |s| s.case_value(v, case, frame),
            |s| s.match_chain(v, rest, ty, frame),
            Some((ty, frame)),
        )
    }

    // ---- loops

    /// A loop. Sizes that vary are parameters of their own, before the arrays.
    pub(super) fn eval_loop(&mut self, l: &Loop, frame: FrameId) -> R<Value> {
        let init = self.eval(&l.init, frame)?;
        // The bound or array is evaluated once, before the loop.
        let form = match &l.form {
            program::LoopForm::For(v, bound) => {
                let ty = self.erase(&bound.ty, frame)?;
                let Ty::Prim(p) = ty else { return self.bug("a loop bound of no scalar type") };
                Form::For(*v, self.eval_leaf(bound, frame)?, p)
            }
            program::LoopForm::ForIn(pat, array) => Form::In(pat, self.eval(array, frame)?),
            program::LoopForm::While(cond) => Form::While(cond),
        };
        let Some(start) = leaves(&init) else {
            return self.limitation("a loop parameter with functions in it");
        };
        // Which sizes vary: those the loop says, and those nobody knows.
        let marked = self.loop_dims(l, &init, frame)?;
        let mut exts: Vec<(Ext, SubExp, Var)> = Vec::new();
        let mut shapes: Vec<Vec<Result<SubExp, usize>>> = Vec::with_capacity(start.len());
        for (i, leaf) in start.iter().enumerate() {
            let own = self.shape(*leaf);
            let mut dims = Vec::with_capacity(own.len());
            for (d, size) in own.iter().enumerate() {
                let mark = marked.get(i).and_then(|m| m.get(d)).cloned().unwrap_or(Mark::Alone);
                let ext = match mark {
                    Mark::Fixed(s) => {
                        dims.push(Ok(s));
                        continue;
                    }
                    Mark::Named(k) => Ext::Named(k),
                    Mark::Alone => Ext::Alone(i, d),
                };
                let at = match exts.iter().position(|(e, _, _)| *e == ext) {
                    Some(at) => at,
                    None => {
                        let v = self.fresh(Name::new("d"), Type::I64);
                        exts.push((ext, *size, v));
                        exts.len() - 1
                    }
                };
                dims.push(Err(at));
            }
            shapes.push(dims);
        }
        // Initial values in those shapes.
        let mut inits: Vec<SubExp> = exts.iter().map(|(_, s, _)| *s).collect();
        for (leaf, dims) in start.iter().zip(&shapes) {
            let want: Vec<SubExp> = dims
                .iter()
                .filter_map(|d| match d {
                    Ok(s) => Some(*s),
                    Err(at) => exts.get(*at).map(|(_, s, _)| *s),
                })
                .collect();
            inits.push(self.reshape_to(*leaf, &want, &[]));
        }
        // Parameters are visible in the body only.
        let outer = self.depth();
        let mut params: Vec<Param> = Vec::with_capacity(inits.len());
        let mut inside = Vec::with_capacity(start.len());
        for (_, _, v) in &exts {
            if let Some(slot) = self.vars.get_mut(v.tag as usize) {
                slot.1 = outer + 1;
            }
            params.push(Param { var: *v, ty: Type::I64, unique: false, mem: None });
        }
        for (leaf, dims) in start.iter().zip(&shapes) {
            let shape: Vec<SubExp> = dims
                .iter()
                .filter_map(|d| match d {
                    Ok(s) => Some(*s),
                    Err(at) => exts.get(*at).map(|(_, _, v)| SubExp::Var(*v)),
                })
                .collect();
            let ty = Type::array(self.elem(*leaf), shape);
            let base = leaf.var().map_or(Name::new("p"), |v| v.base);
            let var = self.fresh_at(base, ty.clone(), outer + 1);
            params.push(Param { var, ty, unique: false, mem: None });
            inside.push(SubExp::Var(var));
        }
        let param_value = init.with_leaves(&mut inside.into_iter());

        // The first condition, before the loop.
        let mut cond_param = None;
        if let Form::While(cond) = &form {
            let f = self.frame(Some(frame));
            self.match_sizes(&l.pat.ty, &init, &l.sizes, f)?;
            self.bind_pat(&l.pat, &init, f)?;
            let c = self.eval_leaf(cond, f)?;
            let var = self.fresh_at(Name::new("go"), Type::BOOL, outer + 1);
            params.push(Param { var, ty: Type::BOOL, unique: false, mem: None });
            inits.push(c);
            cond_param = Some(var);
        }
        let (core_form, counter) = self.loop_form(&form, cond_param, outer)?;

        // What is said of the loop is not said of the loops inside.
        let attrs = self.fun.attrs.clone();
        self.fun.attrs.retain(|a| *a != StmAttr::Unroll);
        let body = self.scoped(|s| {
            let f = s.frame(Some(frame));
            s.match_sizes(&l.pat.ty, &param_value, &l.sizes, f)?;
            s.bind_pat(&l.pat, &param_value, f)?;
            match (&form, counter) {
                (Form::For(x, _, p), Some(i)) => {
                    let i = s.counter_as(i, *p);
                    s.bind(f, *x, Value::Leaf(i));
                }
                (Form::In(pat, array), Some(i)) => {
                    let row = s.row(array, i)?;
                    s.bind_pat(pat, &row, f)?;
                }
                _ => {}
            }
            let next = s.eval(&l.body, f)?;
            let Some(next_leaves) = leaves(&next) else {
                return s.limitation("a loop parameter with functions in it");
            };
            if next_leaves.len() != start.len() {
                return s.bug("a loop body of another structure than its parameter");
            }
            // The next sizes, from the first leaf that mentions each.
            let mut sizes: Vec<Option<SubExp>> = vec![None; exts.len()];
            for (leaf, dims) in next_leaves.iter().zip(&shapes) {
                for (d, dim) in dims.iter().enumerate() {
                    if let Err(at) = dim
                        && let Some(slot) = sizes.get_mut(*at)
                        && slot.is_none()
                    {
                        *slot = s.dim(*leaf, d);
                    }
                }
            }
            let sizes: Vec<SubExp> =
                sizes.into_iter().map(|d| d.unwrap_or(SubExp::i64(0))).collect();
            let mut result = sizes.clone();
            let mut conformed = Vec::with_capacity(next_leaves.len());
            for (leaf, dims) in next_leaves.iter().zip(&shapes) {
                let want: Vec<SubExp> = dims
                    .iter()
                    .filter_map(|d| match d {
                        Ok(s) => Some(*s),
                        Err(at) => sizes.get(*at).copied(),
                    })
                    .collect();
                conformed.push(s.reshape_to(*leaf, &want, &[]));
            }
            result.extend(conformed.iter().copied());
            if let Form::While(cond) = &form {
                let next = next.with_leaves(&mut conformed.into_iter());
                let f = s.frame(Some(frame));
                s.match_sizes(&l.pat.ty, &next, &l.sizes, f)?;
                s.bind_pat(&l.pat, &next, f)?;
                result.push(s.eval_leaf(cond, f)?);
            }
            Ok(result)
        });
        self.fun.attrs = attrs;
        let (stms, result) = body?;

        // What comes out.
        let mut elems = Vec::with_capacity(params.len());
        let mut ext_out = Vec::with_capacity(exts.len());
        for _ in &exts {
            let var = self.fresh(Name::new("d"), Type::I64);
            ext_out.push(var);
            elems.push(PatElem { var, ty: Type::I64, mem: None });
        }
        let mut out = Vec::with_capacity(start.len());
        for (leaf, dims) in start.iter().zip(&shapes) {
            let shape = dims
                .iter()
                .filter_map(|d| match d {
                    Ok(s) => Some(*s),
                    Err(at) => ext_out.get(*at).map(|v| SubExp::Var(*v)),
                })
                .collect();
            let ty = Type::array(self.elem(*leaf), shape);
            let base = leaf.var().map_or(Name::new("r"), |v| v.base);
            let var = self.fresh(base, ty.clone());
            elems.push(PatElem { var, ty, mem: None });
            out.push(SubExp::Var(var));
        }
        if cond_param.is_some() {
            let var = self.fresh(Name::new("go"), Type::BOOL);
            elems.push(PatElem { var, ty: Type::BOOL, mem: None });
        }
        let body = Body { stms, result };
        self.push(elems, Exp::Loop { params, init: inits, form: core_form, body });
        let value = init.with_leaves(&mut out.into_iter());
        self.check_result(&value);
        Ok(value)
    }

    /// For each dimension of each leaf, how the loop treats it.
    fn loop_dims(&mut self, l: &Loop, init: &Value, frame: FrameId) -> R<Vec<Vec<Mark>>> {
        // Close the parameter's type with a marker of its own for each size that varies.
        let f = self.frame(Some(frame));
        let depth = self.depth();
        let mut markers = Vec::with_capacity(l.sizes.len());
        for v in &l.sizes {
            let m = self.fresh(v.name, Type::I64);
            self.bind(f, *v, Value::Leaf(m.into()));
            markers.push(SubExp::Var(m));
        }
        let (_, tys) = self.scoped(|s| Ok(s.close(&l.pat.ty, f)?.leaves()))?;
        let ls = leaves(init).unwrap_or_default();
        let mut out = Vec::with_capacity(ls.len());
        for (i, leaf) in ls.iter().enumerate() {
            let own = self.shape(*leaf);
            let dims: Vec<Dim> = match tys.get(i) {
                Some(t) if tys.len() == ls.len() => t.dims.clone(),
                _ => Vec::new(),
            };
            let mut marks = Vec::with_capacity(own.len());
            for (d, size) in own.iter().enumerate() {
                marks.push(match dims.get(d).copied().flatten() {
                    Some(k) => match markers.iter().position(|m| *m == k) {
                        Some(at) => Mark::Named(at),
                        // The size does not vary; what it is called inside matters little.
                        None if self.visible(k, depth) => Mark::Fixed(k),
                        // Arithmetic over sizes that vary varies.
                        None => match l.sizes.is_empty() {
                            true => Mark::Fixed(*size),
                            false => Mark::Alone,
                        },
                    },
                    None => Mark::Alone,
                });
            }
            out.push(marks);
        }
        Ok(out)
    }

    fn loop_form(
        &mut self,
        form: &Form<'_>,
        cond: Option<Var>,
        outer: u32,
    ) -> R<(LoopForm, Option<SubExp>)> {
        match form {
            Form::For(v, bound, p) => {
                let Some(int) = super::value::core_int(*p) else {
                    return self.bug("a loop bound of no integer type");
                };
                // Unsigned counters run in i64, where the bound cannot look negative.
                let (ty, bound) = if p.is_signed() {
                    (int, *bound)
                } else {
                    (IntType::I64, self.widen(*bound, *p))
                };
                let var = self.fresh_at(v.name, Type::Prim(Prim::Int(ty)), outer + 1);
                Ok((LoopForm::For { var, ty, bound }, Some(var.into())))
            }
            Form::In(_, array) => {
                let Some(n) = array.first_leaf().and_then(|l| self.dim(l, 0)) else {
                    return self.bug("a loop over what is no array");
                };
                let var = self.fresh_at(Name::new("i"), Type::I64, outer + 1);
                Ok((LoopForm::For { var, ty: IntType::I64, bound: n }, Some(var.into())))
            }
            Form::While(_) => match cond {
                Some(cond) => Ok((LoopForm::While { cond }, None)),
                None => self.bug("a while loop without condition"),
            },
        }
    }

    fn counter_as(&mut self, i: SubExp, p: futc_typed::prim::PrimType) -> SubExp {
        match super::value::core_int(p) {
            Some(int) if self.elem(i) != Prim::Int(int) => {
                self.conv(ConvOp::SExt(IntType::I64, int), i)
            }
            _ => i,
        }
    }
}

/// A loop form with its operand evaluated.
enum Form<'a> {
    For(program::VarId, SubExp, futc_typed::prim::PrimType),
    In(&'a program::Pat, Value),
    While(&'a program::Exp),
}

/// How a loop treats a dimension of its parameter.
#[derive(Clone)]
enum Mark {
    /// It stays that size.
    Fixed(SubExp),
    /// It is the loop size of that number.
    Named(usize),
    /// Nobody knows; it may vary on its own.
    Alone,
}

/// A size that is a parameter of the loop.
#[derive(PartialEq, Eq)]
enum Ext {
    Named(usize),
    Alone(usize, usize),
}
