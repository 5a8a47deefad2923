//! Expressions and patterns.

use super::builder::{size, text};
use super::error::R;
use super::spec::Spec;
use super::value::{Closure, Code, FrameId, SumLayout, Ty, Value, core_prim, leaves};
use crate::ir::{self, Const, StmAttr, SubExp};
use futc_typed::name::Name;
use futc_typed::prim::PrimValue;
use futc_typed::program::{Attr, Exp, ExpKind, Inst, Pat, PatKind};
use futc_typed::types::Type;
use std::rc::Rc;

/// The types and sizes of an instantiation.
pub(super) type ClosedInst = (Rc<[Ty]>, Rc<[super::value::Dim]>);

/// The Core constant of a literal.
pub(super) fn literal(v: PrimValue) -> SubExp {
    Const::from_bits(core_prim(v.ty()), v.bits()).into()
}

impl Spec<'_> {
    /// The value of an expression; its statements go into the current scope.
    pub(super) fn eval(&mut self, e: &Exp, frame: FrameId) -> R<Value> {
        let old = self.fun.span.replace(e.span);
        let r = self.eval_kind(e, frame);
        self.fun.span = old;
        r
    }

    /// The value of an expression that is one leaf.
    pub(super) fn eval_leaf(&mut self, e: &Exp, frame: FrameId) -> R<SubExp> {
        match self.eval(e, frame)? {
            Value::Leaf(s) => Ok(s),
            _ => self.bug("a scalar was expected"),
        }
    }

    fn eval_kind(&mut self, e: &Exp, frame: FrameId) -> R<Value> {
        match &e.kind {
            ExpKind::Lit(v) => Ok(Value::Leaf(literal(*v))),
            ExpKind::String(bytes) => {
                let row = ir::Type::Prim(ir::Prim::Int(ir::IntType::I8));
                let elems = bytes.iter().map(|b| Const::I8(*b as i8).into()).collect();
                let ty = row.outer(SubExp::i64(bytes.len() as i64));
                let v = self.emit("str", ir::Exp::ArrayLit { elems, row }, ty);
                Ok(Value::Leaf(v.into()))
            }
            ExpKind::Var(v, inst) => {
                let Some(value) = self.lookup(frame, *v) else {
                    return self.bug(format!("variable `{}` is not bound", v.name));
                };
                if inst.types.is_empty() && inst.sizes.is_empty() {
                    return Ok(value);
                }
                self.instantiate(value, inst, frame)
            }
            ExpKind::Global(id, inst) => {
                let Some(def) = self.def_index.get(id).copied() else {
                    return self.bug("a definition is missing from the program");
                };
                self.global(def, inst, frame)
            }
            ExpKind::Intrinsic(name, inst) => {
                let (types, sizes) = self.close_inst(inst, frame)?;
                Ok(Value::Fun(Rc::new(Closure {
                    code: Code::Intrinsic(*name),
                    types,
                    sizes,
                    args: Vec::new(),
                })))
            }
            ExpKind::Record(fields) => {
                let mut out = Vec::with_capacity(fields.len());
                for (n, f) in fields {
                    out.push((*n, self.eval(f, frame)?));
                }
                if out.is_empty() {
                    return Ok(Value::unit());
                }
                out.sort_by(|(a, _), (b, _)| futc_typed::types::field_order(*a, *b));
                Ok(Value::Record(out.into()))
            }
            ExpKind::ArrayLit(elems) => self.array_literal(e, elems, frame),
            ExpKind::Project(r, field) => {
                let r = self.eval(r, frame)?;
                self.project(&r, *field)
            }
            ExpKind::Constr(name, args) => {
                let mut payload = Vec::with_capacity(args.len());
                for a in args {
                    payload.push(self.eval(a, frame)?);
                }
                self.construct(*name, payload, &e.ty, frame)
            }
            ExpKind::Index(array, dims) => {
                let array = self.eval(array, frame)?;
                self.index(&array, dims, frame)
            }
            ExpKind::Update { array, index, value } => self.update(array, index, value, frame),
            ExpKind::RecordUpdate { record, path, value } => {
                let record = self.eval(record, frame)?;
                let value = self.eval(value, frame)?;
                self.record_update(&record, path, value)
            }
            ExpKind::Range { start, second, end } => {
                self.range(start, second.as_deref(), end, frame)
            }
            ExpKind::Lambda(fun) => Ok(Value::Fun(Rc::new(Closure {
                code: Code::Local(fun.clone(), frame),
                types: Rc::from([]),
                sizes: Rc::from([]),
                args: Vec::new(),
            }))),
            ExpKind::App { fun, args, sizes } => {
                // Names are looked up last: their instantiation may mention sizes that the
                // arguments bring into being.
                let named = matches!(
                    fun.kind,
                    ExpKind::Var(..) | ExpKind::Global(..) | ExpKind::Intrinsic(..)
                );
                let first = if named { None } else { Some(self.eval(fun, frame)?) };
                let mut vs = Vec::with_capacity(args.len());
                for a in args {
                    vs.push(self.eval(a, frame)?);
                }
                let f = match first {
                    Some(f) => f,
                    None => self.eval(fun, frame)?,
                };
                let value = self.apply(f, vs)?;
                self.match_sizes(&e.ty, &value, sizes, frame)?;
                Ok(value)
            }
            ExpKind::And(x, y) => self.short_circuit(x, y, true, frame),
            ExpKind::Or(x, y) => self.short_circuit(x, y, false, frame),
            ExpKind::Let { sizes, pat, rhs, body } => {
                let value = self.eval(rhs, frame)?;
                self.match_sizes(&pat.ty, &value, sizes, frame)?;
                self.bind_pat(pat, &value, frame)?;
                self.eval(body, frame)
            }
            ExpKind::LetFun { name, fun, body } => {
                let closure = Closure {
                    code: Code::Local(fun.clone(), frame),
                    types: Rc::from([]),
                    sizes: Rc::from([]),
                    args: Vec::new(),
                };
                self.note_local(fun, *name, body);
                self.bind(frame, *name, Value::Fun(Rc::new(closure)));
                self.eval(body, frame)
            }
            ExpKind::If { cond, then, otherwise, sizes } => {
                let cond = self.eval_leaf(cond, frame)?;
                let value = self.conditional(
                    cond,
                    |s| {
                        let inner = s.frame(Some(frame));
                        s.eval(then, inner)
                    },
                    |s| {
                        let inner = s.frame(Some(frame));
                        s.eval(otherwise, inner)
                    },
                    Some((&e.ty, frame)),
                )?;
                self.match_sizes(&e.ty, &value, sizes, frame)?;
                Ok(value)
            }
            ExpKind::Match { scrutinee, cases, sizes } => {
                let v = self.eval(scrutinee, frame)?;
                let value = self.match_cases(&v, cases, &e.ty, frame)?;
                self.match_sizes(&e.ty, &value, sizes, frame)?;
                Ok(value)
            }
            ExpKind::Loop(l) => {
                let value = self.eval_loop(l, frame)?;
                self.match_sizes(&e.ty, &value, &l.result_sizes, frame)?;
                Ok(value)
            }
            ExpKind::Assert { cond, body, text: what } => {
                let cond = self.eval_leaf(cond, frame)?;
                let certs = self.check(cond, vec![text(format!("Assertion is false: {what}"))]);
                let had = self.fun.certs.len();
                self.fun.certs.extend(certs.iter().copied());
                let value = self.eval(body, frame);
                self.fun.certs.truncate(had);
                let value = value?;
                self.keep_unless_carried(&value, &certs);
                Ok(self.certify(&value, &certs))
            }
            ExpKind::Coerce(inner) => {
                let value = self.eval(inner, frame)?;
                if value.has_fun() {
                    return Ok(value);
                }
                let ty = self.close(&e.ty, frame)?;
                self.coerce(&value, &e.ty, &ty)
            }
            ExpKind::Attr(attr, inner) => self.attribute(attr, inner, frame),
            ExpKind::Hole => {
                let msg = format!("Reached hole of type: {}", super::sizes::show_type(&e.ty));
                let certs = self.require(SubExp::bool(false), vec![text(msg)]);
                let value = self.blank_of(&e.ty, frame)?;
                self.keep_unless_carried(&value, &certs);
                Ok(self.certify(&value, &certs))
            }
        }
    }

    /// A value without leaves carries no certificate on.
    fn keep_unless_carried(&mut self, value: &Value, certs: &[ir::Var]) {
        if value.has_fun() || leaves(value).is_none_or(|ls| ls.is_empty()) {
            self.keep(certs);
        }
    }

    /// The value, its leaves relying on certificates.
    pub(super) fn certify(&mut self, value: &Value, certs: &[ir::Var]) -> Value {
        if certs.is_empty() {
            return value.clone();
        }
        let Some(ls) = leaves(value) else { return value.clone() };
        let mut out = Vec::with_capacity(ls.len());
        for l in ls {
            let ty = self.ty(l);
            out.push(self.emit_with("x", ir::Exp::SubExp(l), ty, certs).into());
        }
        value.with_leaves(&mut out.into_iter())
    }

    /// The closed form of an instantiation.
    pub(super) fn close_inst(&mut self, inst: &Inst, frame: FrameId) -> R<ClosedInst> {
        let mut types = Vec::with_capacity(inst.types.len());
        for t in &inst.types {
            types.push(self.close(t, frame)?);
        }
        let mut sizes = Vec::with_capacity(inst.sizes.len());
        for s in &inst.sizes {
            sizes.push(self.eval_size(s, frame)?);
        }
        Ok((types.into(), sizes.into()))
    }

    fn instantiate(&mut self, value: Value, inst: &Inst, frame: FrameId) -> R<Value> {
        let Value::Fun(closure) = &value else { return Ok(value) };
        if !closure.args.is_empty() || !closure.types.is_empty() || !closure.sizes.is_empty() {
            return Ok(value);
        }
        let (types, sizes) = self.close_inst(inst, frame)?;
        Ok(Value::Fun(Rc::new(Closure {
            code: closure.code.clone(),
            types,
            sizes,
            args: Vec::new(),
        })))
    }

    /// A field.
    pub(super) fn project(&mut self, record: &Value, field: Name) -> R<Value> {
        if let Value::Record(fields) = record
            && let Some((_, v)) = fields.iter().find(|(n, _)| *n == field)
        {
            return Ok(v.clone());
        }
        self.bug(format!("no field `{field}` in a value"))
    }

    pub(super) fn record_update(
        &mut self,
        record: &Value,
        path: &[Name],
        value: Value,
    ) -> R<Value> {
        let Some((first, rest)) = path.split_first() else { return Ok(value) };
        let Value::Record(fields) = record else {
            return self.bug("an update of a field of what is no record");
        };
        let mut out = Vec::with_capacity(fields.len());
        let mut value = Some(value);
        for (n, v) in fields.iter() {
            match value.take_if(|_| n == first) {
                Some(new) => out.push((*n, self.record_update(v, rest, new)?)),
                None => out.push((*n, v.clone())),
            }
        }
        Ok(Value::Record(out.into()))
    }

    fn construct(
        &mut self,
        name: Name,
        payload: Vec<Value>,
        ty: &Type,
        frame: FrameId,
    ) -> R<Value> {
        let closed = self.close(ty, frame)?;
        if closed.has_fun() || payload.iter().any(Value::has_fun) {
            return Ok(Value::Constr(name, payload.into()));
        }
        let Ty::Sum(constrs) = &closed else { return self.bug("a constructor of no sum type") };
        let Some(tag) = constrs.iter().position(|(n, _)| *n == name) else {
            return self.bug(format!("no constructor `#{name}` in its type"));
        };
        let layout = SumLayout::new(constrs);
        let mut own = Vec::new();
        for v in &payload {
            v.leaves_into(&mut own);
        }
        let slots = layout.slots.get(tag).cloned().unwrap_or_default();
        if slots.len() != own.len() {
            return self.bug(format!("the payload of `#{name}` does not fit its type"));
        }
        let mut out = Vec::with_capacity(layout.leaves.len());
        for (i, l) in layout.leaves.iter().enumerate() {
            let used = slots.iter().position(|s| *s == i).and_then(|p| own.get(p).copied());
            out.push(match used {
                _ if i == 0 => Const::I8(tag as i8).into(),
                Some(s) => s,
                None => self.blank_leaf(l.prim, &l.dims),
            });
        }
        Ok(Value::Sum(out.into()))
    }

    fn array_literal(&mut self, e: &Exp, elems: &[Exp], frame: FrameId) -> R<Value> {
        let mut values = Vec::with_capacity(elems.len());
        for x in elems {
            values.push(self.eval(x, frame)?);
        }
        let n = SubExp::i64(elems.len() as i64);
        let Some(first) = values.first() else {
            let closed = self.close(&e.ty, frame)?;
            let sums = closed.has_sum();
            let mut out = Vec::new();
            for l in closed.leaves() {
                let prim = core_prim(l.prim);
                let shape: Vec<SubExp> =
                    l.dims.iter().skip(1).map(|d| d.unwrap_or(SubExp::i64(0))).collect();
                if !sums {
                    self.check_dims(&shape, &|d| {
                        vec![text("Negative size of rows: "), size(d), text(".")]
                    });
                }
                let row = ir::Type::array(prim, shape);
                let ty = row.outer(n);
                let exp = ir::Exp::ArrayLit { elems: Vec::new(), row };
                out.push(self.emit("empty", exp, ty).into());
            }
            return match closed.value(&mut out.into_iter()) {
                Some(v) => Ok(v),
                None => self.bug("an array of functions"),
            };
        };
        let template = first.clone();
        let mut columns: Vec<Vec<SubExp>> = Vec::new();
        for v in &values {
            let Some(ls) = leaves(v) else { return self.bug("an array of functions") };
            for (i, l) in ls.into_iter().enumerate() {
                match columns.get_mut(i) {
                    Some(c) => c.push(l),
                    None => columns.push(vec![l]),
                }
            }
        }
        let mut out = Vec::with_capacity(columns.len());
        for column in columns {
            let Some(head) = column.first().copied() else { continue };
            let row = self.ty(head);
            let shape = row.shape().to_vec();
            let mut elems = Vec::with_capacity(column.len());
            for s in column {
                elems.push(self.reshape_checked(
                    s,
                    &shape,
                    "Shape of array element does not match shape of first element.",
                ));
            }
            let ty = row.outer(n);
            out.push(self.emit("arr", ir::Exp::ArrayLit { elems, row }, ty).into());
        }
        Ok(template.with_leaves(&mut out.into_iter()))
    }

    /// The array with these dimensions, compared at run time with its own where names differ.
    pub(super) fn reshape_checked(&mut self, s: SubExp, dims: &[SubExp], what: &str) -> SubExp {
        let own = self.shape(s);
        if own == dims || own.len() != dims.len() {
            return s;
        }
        let mut ok = SubExp::bool(true);
        for (a, b) in own.iter().zip(dims) {
            let same = self.eq64(*a, *b);
            ok = self.and(ok, same);
        }
        let certs = self.check_size(ok, vec![text(what)]);
        self.reshape_to(s, dims, &certs)
    }

    fn short_circuit(&mut self, x: &Exp, y: &Exp, and: bool, frame: FrameId) -> R<Value> {
        let x = self.eval_leaf(x, frame)?;
        self.conditional(
            x,
            |s| {
                if and {
                    let inner = s.frame(Some(frame));
                    s.eval(y, inner)
                } else {
                    Ok(Value::Leaf(SubExp::bool(true)))
                }
            },
            |s| {
                if and {
                    Ok(Value::Leaf(SubExp::bool(false)))
                } else {
                    let inner = s.frame(Some(frame));
                    s.eval(y, inner)
                }
            },
            None,
        )
    }

    fn attribute(&mut self, attr: &Attr, inner: &Exp, frame: FrameId) -> R<Value> {
        let name = match attr {
            Attr::Name(n) | Attr::Comp(n, _) => n.as_str(),
            Attr::Int(_) => "",
        };
        match name {
            "trace" | "opaque" => {
                let value = self.eval(inner, frame)?;
                Ok(self.each_leaf(&value, |l| {
                    if name == "trace" { ir::Exp::Trace(l) } else { ir::Exp::Opaque(l) }
                }))
            }
            "break" => self.eval(inner, frame),
            "blank" | "scratch" => {
                let ty = self.close(&inner.ty, frame)?;
                if ty.has_fun() || ty.leaves().iter().any(|l| l.dims.contains(&None)) {
                    return self.eval(inner, frame);
                }
                self.blank(&ty)
            }
            _ => {
                let unchecked = self.fun.unchecked;
                if name == "unsafe" {
                    self.fun.unchecked = true;
                }
                let outside = self.fun.attrs.len();
                self.fun.attrs.extend(StmAttr::of_source(attr));
                let value = self.eval(inner, frame);
                self.fun.attrs.truncate(outside);
                self.fun.unchecked = unchecked;
                value
            }
        }
    }

    /// A statement for each leaf, with the leaf's type.
    pub(super) fn each_leaf(&mut self, value: &Value, exp: impl Fn(SubExp) -> ir::Exp) -> Value {
        let Some(ls) = leaves(value) else { return value.clone() };
        let mut out = Vec::with_capacity(ls.len());
        for l in ls {
            let ty = self.ty(l);
            out.push(self.emit("x", exp(l), ty).into());
        }
        value.with_leaves(&mut out.into_iter())
    }

    // ---- patterns

    /// Binds the variables of a pattern that is known to match.
    pub(super) fn bind_pat(&mut self, pat: &Pat, value: &Value, frame: FrameId) -> R<()> {
        match &pat.kind {
            PatKind::Wild | PatKind::Lit(_) => Ok(()),
            PatKind::Var(v) => {
                self.bind(frame, *v, value.clone());
                Ok(())
            }
            PatKind::Record(fields) => {
                for (n, p) in fields {
                    let v = self.project(value, *n)?;
                    self.bind_pat(p, &v, frame)?;
                }
                Ok(())
            }
            PatKind::Constr(name, pats) => {
                let (_, payload) = self.payload(value, *name, &pat.ty, frame)?;
                for (p, v) in pats.iter().zip(&payload) {
                    self.bind_pat(p, v, frame)?;
                }
                Ok(())
            }
        }
    }

    /// The number of a constructor, and what its payload would be.
    pub(super) fn payload(
        &mut self,
        value: &Value,
        name: Name,
        ty: &Type,
        frame: FrameId,
    ) -> R<(usize, Vec<Value>)> {
        match value {
            Value::Sum(all) => {
                let Ty::Sum(constrs) = self.erase(ty, frame)? else {
                    return self.bug("a constructor of no sum type");
                };
                let Some(tag) = constrs.iter().position(|(n, _)| *n == name) else {
                    return self.bug(format!("no constructor `#{name}` in its type"));
                };
                let layout = SumLayout::new(&constrs);
                let slots = layout.slots.get(tag).map(Vec::as_slice).unwrap_or_default();
                let mut it = slots.iter().filter_map(|i| all.get(*i).copied());
                let mut payload = Vec::new();
                if let Some((_, tys)) = constrs.get(tag) {
                    for t in tys {
                        match t.value(&mut it) {
                            Some(v) => payload.push(v),
                            None => return self.bug("the payload does not fit its type"),
                        }
                    }
                }
                Ok((tag, payload))
            }
            Value::Constr(_, payload) => Ok((0, payload.to_vec())),
            Value::Leaf(_) | Value::Record(_) | Value::Fun(_) => {
                self.bug("a constructor pattern against what is no sum")
            }
        }
    }

    /// Adds to `tests` what must be equal for a pattern to match; `false` if it never does.
    pub(super) fn pat_tests(
        &mut self,
        pat: &Pat,
        value: &Value,
        frame: FrameId,
        tests: &mut Vec<(SubExp, Const)>,
    ) -> R<bool> {
        match &pat.kind {
            PatKind::Wild | PatKind::Var(_) => Ok(true),
            PatKind::Lit(v) => {
                if let (Value::Leaf(s), SubExp::Const(c)) = (value, literal(*v)) {
                    if let SubExp::Const(k) = s {
                        return Ok(*k == c);
                    }
                    tests.push((*s, c));
                }
                Ok(true)
            }
            PatKind::Record(fields) => {
                for (n, p) in fields {
                    let v = self.project(value, *n)?;
                    if !self.pat_tests(p, &v, frame, tests)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            PatKind::Constr(name, pats) => {
                if let Value::Constr(other, _) = value
                    && other != name
                {
                    return Ok(false);
                }
                let (tag, payload) = self.payload(value, *name, &pat.ty, frame)?;
                if let Value::Sum(all) = value
                    && let Some(s) = all.first()
                {
                    let c = Const::I8(tag as i8);
                    match s {
                        SubExp::Const(k) if *k != c => return Ok(false),
                        SubExp::Const(_) => {}
                        SubExp::Var(_) if !matches!(&pat.ty, Type::Sum(cs) if cs.len() == 1) => {
                            tests.push((*s, c));
                        }
                        SubExp::Var(_) => {}
                    }
                }
                for (p, v) in pats.iter().zip(&payload) {
                    if !self.pat_tests(p, v, frame, tests)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}
