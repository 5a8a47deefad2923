//! Expressions and patterns, in the order of evaluation.

use super::memory::MemoryName;
use super::state::{Consumption, Kept, MemoryRole, Moment, Use, Walker};
use super::value::{Aliases, Leaf, Origin, Signature, Value, numbered};
use futc_typed::diet::Diet;
use futc_typed::program::{DefId, DimIndex, Exp, ExpKind, LoopForm, Pat, PatKind, RangeEnd, VarId};
use futc_typed::span::Span;
use futc_typed::types::Type;
use std::collections::HashMap;
use std::rc::Rc;

/// A path of an `if` or `match`: its value, and what it consumes.
pub(super) struct Path {
    pub(super) value: Value,
    pub(super) consumed: Vec<(Origin, Consumption)>,
}

impl Walker<'_> {
    pub(super) fn exp(&mut self, e: &Exp) -> Value {
        let mut e = e;
        loop {
            match &e.kind {
                ExpKind::Let { pat, rhs, body, .. } => {
                    let before = self.moment();
                    let value = self.exp(rhs);
                    self.no_consumption_in_function(&pat.ty, before, rhs.span, false);
                    self.flows(&rhs.ty, Some(&value), &pat.ty, rhs.span, false);
                    self.pattern(pat, &value, Some(rhs.span));
                    e = body;
                }
                ExpKind::LetFun { name, fun, body } => {
                    let value = self.function(fun, e.span);
                    self.bind(*name, &value, e.span, None);
                    e = body;
                }
                ExpKind::Assert { cond, body, .. } => {
                    self.exp(cond);
                    e = body;
                }
                ExpKind::Attr(_, inner) | ExpKind::Coerce(inner) => e = inner,
                _ => return self.simple(e),
            }
        }
    }

    /// Anything but what goes on with a body.
    fn simple(&mut self, e: &Exp) -> Value {
        match &e.kind {
            ExpKind::Lit(_) => Value::Scalar,
            ExpKind::String(_) | ExpKind::Hole | ExpKind::Intrinsic(..) => Value::fresh(&e.ty),
            ExpKind::Var(v, _) => {
                if matches!(e.ty, Type::Prim(_)) {
                    return Value::Scalar;
                }
                let Some((value, depth)) = self.variable(*v) else { return Value::fresh(&e.ty) };
                self.observe(&value, depth, e.span);
                value
            }
            ExpKind::Global(id, inst) => self.global(*id, !inst.sizes.is_empty(), e),
            ExpKind::Record(fields) => {
                let values = self.sequence(fields.iter().map(|(_, e)| e));
                Value::Parts(fields.iter().map(|(n, _)| *n).zip(values).collect())
            }
            ExpKind::ArrayLit(es) => {
                self.sequence(es);
                Value::fresh(&e.ty)
            }
            ExpKind::Constr(name, payload) => {
                let values = self.sequence(payload);
                let payload = values.into_iter().enumerate().map(|(i, v)| (numbered(i), v));
                Value::Parts(Rc::from([(*name, Value::Parts(payload.collect()))]))
            }
            ExpKind::Project(inner, field) => match self.place(e) {
                Some((value, depth)) => {
                    self.observe(&value, depth, e.span);
                    value
                }
                None => self.exp(inner).part(*field),
            },
            ExpKind::Index(array, index) => self.index(array, index, &e.ty),
            ExpKind::Update { array, index, value } => self.update(array, index, value, e),
            ExpKind::RecordUpdate { record, path, value } => {
                // What is replaced is not used.
                let (old, depth) = match self.place(record) {
                    Some((value, depth)) => (value, Some(depth)),
                    None => (self.exp(record), None),
                };
                let new = self.exp(value);
                let rest = old.with(path, Value::Scalar);
                match depth {
                    Some(depth) => self.observe(&rest, depth, record.span),
                    None => self.used(&rest.all(), Use::Whole(record.span)),
                }
                old.with(path, new)
            }
            ExpKind::Range { start, second, end } => {
                self.exp(start);
                if let Some(second) = second {
                    self.exp(second);
                }
                match end {
                    RangeEnd::Inclusive(e) | RangeEnd::UpTo(e) | RangeEnd::DownTo(e) => {
                        self.exp(e);
                    }
                }
                Value::fresh(&e.ty)
            }
            ExpKind::Lambda(fun) => self.function(fun, e.span),
            ExpKind::App { fun, args, .. } => self.call(fun, args, e),
            ExpKind::And(a, b) | ExpKind::Or(a, b) => {
                self.exp(a);
                let before = self.moment();
                self.exp(b);
                let consumed = self.rewind(before);
                self.rejoin(consumed);
                Value::Scalar
            }
            ExpKind::If { cond, then, otherwise, .. } => {
                self.exp(cond);
                let before = self.moment();
                let mut paths = Vec::with_capacity(2);
                for branch in [then, otherwise] {
                    let value = self.exp(branch);
                    self.flows(&branch.ty, Some(&value), &e.ty, branch.span, false);
                    paths.push(Path { value, consumed: self.rewind(before) });
                }
                self.join(paths)
            }
            ExpKind::Match { scrutinee, cases, .. } => {
                let value = self.exp(scrutinee);
                let before = self.moment();
                let mut paths = Vec::with_capacity(cases.len());
                for case in cases {
                    self.pattern(&case.pat, &value, Some(scrutinee.span));
                    let value = self.exp(&case.body);
                    self.flows(&case.body.ty, Some(&value), &e.ty, case.body.span, false);
                    paths.push(Path { value, consumed: self.rewind(before) });
                }
                self.join(paths)
            }
            ExpKind::Loop(l) => {
                // What a loop repeats may mention anything, so it has a file of its own.
                match &l.form {
                    LoopForm::For(_, bound) => self.repeat(l, Some(bound), e.span),
                    LoopForm::ForIn(_, array) => self.repeat(l, Some(array), e.span),
                    LoopForm::While(_) => self.repeat(l, None, e.span),
                }
            }
            // Those that go on with a body are taken apart by the caller.
            ExpKind::Let { .. }
            | ExpKind::LetFun { .. }
            | ExpKind::Assert { .. }
            | ExpKind::Attr(..)
            | ExpKind::Coerce(_) => self.exp(e),
        }
    }

    /// A variable's value as seen through it, and how deep it is bound.
    fn variable(&self, v: VarId) -> Option<(Value, usize)> {
        let bound = self.vars.get(&v)?;
        Some((bound.value.through(v), bound.depth))
    }

    /// The value of a variable or a component of one, not yet used.
    fn place(&self, e: &Exp) -> Option<(Value, usize)> {
        match &e.kind {
            ExpKind::Var(v, _) => self.variable(*v),
            ExpKind::Project(inner, field) => {
                let (value, depth) = self.place(inner)?;
                Some((value.part(*field), depth))
            }
            _ => None,
        }
    }

    fn observe(&mut self, value: &Value, depth: usize, span: Span) {
        let all = value.all();
        self.capture(&all, depth, span);
        self.used(&all, Use::Whole(span));
    }

    /// A top-level definition; `sized` if it has sizes of its user's choice.
    fn global(&mut self, id: DefId, sized: bool, e: &Exp) -> Value {
        if matches!(e.ty, Type::Prim(_)) {
            return Value::Scalar;
        }
        let conduct = self.conducts.get(&id).cloned();
        // The result of a function never aliases a constant, if nothing else is known. And a
        // constant with a size of its user's choice is made anew for each.
        if (sized || matches!(e.ty, Type::Arrow(_))) && conduct.is_none() {
            return Value::fresh(&e.ty);
        }
        let [plain, hidden, given] = match self.globals.get(&id) {
            Some(origins) => *origins,
            None => {
                let name = self.source(e.span).map(MemoryName::written);
                let origins = [Kept::Global, Kept::AbstractGlobal, Kept::Given]
                    .map(|kept| self.new_memory(name.clone(), e.span, kept));
                if let Some(memory) = self.memory.last_mut() {
                    memory.part = MemoryRole::Shared;
                }
                self.globals.insert(id, origins);
                origins
            }
        };
        let value = Value::shaped(&e.ty, &Diet::Observe, &mut |ty, _| match ty {
            Type::Arrow(_) if conduct.as_ref().is_some_and(|c| c.gives_constant) => {
                Aliases::one(given, None)
            }
            Type::Arrow(_) => Aliases::default(),
            _ if sized => Aliases::default(),
            Type::Opaque(..) | Type::Param(_) => Aliases::one(hidden, None),
            Type::Prim(_) | Type::Array { .. } | Type::Record(_) | Type::Sum(_) => {
                Aliases::one(plain, None)
            }
        });
        let Some(conduct) = conduct else { return value };
        self.capture(&value.all(), 0, e.span);
        match &value {
            // One without parameters is made anew for each use.
            _ if conduct.arity == 0 && conduct.gives_once => {
                let name = self.source(e.span).map(MemoryName::written);
                self.applied_once(&value, name, e.span)
            }
            Value::Leaf(leaf) if leaf.function && conduct.arity > 0 => {
                let signature = Signature {
                    arity: conduct.arity,
                    ret: result_of(&e.ty, conduct.arity),
                    once: conduct.once.clone().into(),
                    gives_once: conduct.gives_once,
                };
                Value::Leaf(Leaf { signature: Some(Rc::new(signature)), ..leaf.clone() })
            }
            _ => value,
        }
    }

    /// What the source says there.
    pub(super) fn source(&self, span: Span) -> Option<&str> {
        let text = self.cx.text_of(span.file);
        text.get(span.start as usize..span.end as usize).filter(|text| !text.is_empty())
    }

    /// Values that are all needed at the end.
    fn sequence<'e>(&mut self, es: impl IntoIterator<Item = &'e Exp>) -> Vec<Value> {
        let mut values: Vec<(Value, Span, Moment)> = Vec::new();
        for e in es {
            let value = self.exp(e);
            values.push((value, e.span, self.moment()));
        }
        for (value, span, moment) in &values {
            if self.consumed_since(*moment) {
                self.used(&value.all(), Use::Held(*span));
            }
        }
        values.into_iter().map(|(v, ..)| v).collect()
    }

    fn dims(&mut self, index: &[DimIndex]) {
        for i in index {
            match i {
                DimIndex::Fix(e) => {
                    self.exp(e);
                }
                DimIndex::Slice { start, end, stride } => {
                    for e in [start, end, stride].into_iter().flatten() {
                        self.exp(e);
                    }
                }
            }
        }
    }

    fn index(&mut self, array: &Exp, index: &[DimIndex], ty: &Type) -> Value {
        if let ExpKind::Var(v, _) = &array.kind
            && let Some((lent, at)) = self.lent.last()
            && lent == v
            && at == index
        {
            self.dims(index);
            return Value::fresh(ty);
        }
        let value = self.exp(array).all();
        let before = self.moment();
        self.dims(index);
        if self.consumed_since(before) {
            self.used(&value, Use::Held(array.span));
        }
        Value::shaped(ty, &Diet::Observe, &mut |_, _| value.clone())
    }

    fn update(&mut self, array: &Exp, index: &[DimIndex], value: &Exp, e: &Exp) -> Value {
        // The array comes last: it may be another update, of what the value is made of.
        self.dims(index);
        // `a with [i].f = v` puts back a row of `a`: that row is no alias of the array meanwhile.
        let row = match &array.kind {
            ExpKind::Var(v, _) if puts_back(value, *v, index) => Some((*v, index.to_vec())),
            _ => None,
        };
        let lends = row.is_some();
        self.lent.extend(row);
        let new = self.exp(value).all();
        if lends {
            self.lent.pop();
        }
        let before = self.moment();
        let source = self.exp(array).all();
        if self.consumed_since(before) {
            self.used(&new, Use::Held(value.span));
        }
        if let Some(alias) = new.common(&source) {
            self.update_with_alias(alias, array, value);
        }
        self.consume(&source, e.span);
        Value::fresh(&e.ty)
    }

    /// A value that was found on one of several paths. What one of them consumes is not what the
    /// result of another may be: that gets a new origin.
    pub(super) fn join(&mut self, paths: Vec<Path>) -> Value {
        let mut all = Vec::new();
        let mut result = Value::Scalar;
        let mut first = true;
        for path in paths {
            result = if first { path.value } else { result.merge(&path.value) };
            first = false;
            all.extend(path.consumed);
        }
        if all.is_empty() {
            return result;
        }
        let gone: HashMap<Origin, Consumption> = all.iter().copied().collect();
        self.rejoin(all);
        let mut renamed: HashMap<Origin, Origin> = HashMap::new();
        result.map(&mut |leaf| {
            if !leaf.aliases.as_slice().iter().any(|a| gone.contains_key(&a.origin)) {
                return leaf.clone();
            }
            let mut aliases = leaf.aliases.as_slice().to_vec();
            for alias in &mut aliases {
                if gone.contains_key(&alias.origin) {
                    let old = alias.origin;
                    alias.origin = *renamed.entry(old).or_insert_with(|| {
                        let same = self.memory_of(old).cloned();
                        self.memory.extend(same);
                        (self.memory.len() - 1) as Origin
                    });
                }
            }
            leaf.with(Aliases::of(aliases))
        })
    }

    /// Binds what a pattern names.
    pub(super) fn pattern(&mut self, pat: &Pat, value: &Value, rhs: Option<Span>) {
        match &pat.kind {
            PatKind::Wild | PatKind::Lit(_) => {}
            PatKind::Var(v) => {
                if !matches!(pat.ty, Type::Prim(_)) {
                    let value = match value {
                        Value::Scalar => Value::fresh(&pat.ty),
                        value => value.clone(),
                    };
                    self.bind(*v, &value, pat.span, rhs);
                }
            }
            PatKind::Record(fields) => {
                for (name, p) in fields {
                    self.pattern(p, &value.part(*name), rhs);
                }
            }
            PatKind::Constr(name, ps) => {
                let payload = value.part(*name);
                for (i, p) in ps.iter().enumerate() {
                    self.pattern(p, &payload.part(numbered(i)), rhs);
                }
            }
        }
    }

    /// A function must not come out of an expression that consumes: it could be applied twice.
    pub(super) fn no_consumption_in_function(
        &mut self,
        ty: &Type,
        before: Moment,
        span: Span,
        argument: bool,
    ) {
        if super::fits::has_function(ty)
            && let Some(at) = self.consumption_since(before)
        {
            self.contains_consumption(span, at, argument);
        }
    }
}

/// What a function's type says of what it yields, given so many arguments.
fn result_of(ty: &Type, count: usize) -> Diet {
    match ty {
        Type::Arrow(a) if count > 1 => result_of(&a.ret, count - 1),
        Type::Arrow(a) => a.unique_ret.clone(),
        _ => Diet::Observe,
    }
}

/// Whether `value` is made of the row of `array` at `index`: only the desugaring of a chained
/// update makes an index of the very same spans.
fn puts_back(value: &Exp, array: VarId, index: &[DimIndex]) -> bool {
    let row = |e: &Exp| {
        matches!(&e.kind, ExpKind::Index(a, at)
            if matches!(a.kind, ExpKind::Var(v, _) if v == array) && at == index)
    };
    match &value.kind {
        ExpKind::RecordUpdate { record, .. } => row(record),
        ExpKind::Update { array, .. } => row(array),
        ExpKind::Let { rhs, .. } => row(rhs),
        _ => false,
    }
}
