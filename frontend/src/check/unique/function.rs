//! Functions: what their parameters may be used for, and what their results may hold.

use super::state::{Frame, FrameKind, Kept, Walker};
use super::value::{Alias, Aliases, Leaf, Origin, Signature, Value};
use futc_typed::diet::Diet;
use futc_typed::program::{FunDef, Param};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type, TypeArg};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

impl Walker<'_> {
    /// A top-level definition; returns what of the result is free of aliases.
    pub(super) fn definition(&mut self, fun: &FunDef) -> Diet {
        self.enter(FrameKind::Definition, fun.body.span);
        let ret = self.body(fun, FrameKind::Definition);
        self.frames.pop();
        ret
    }

    /// Warns of parameters of a definition that may be consumed and are not. `given` are their
    /// values, `result` is what the function returns, which may be such a parameter.
    fn unconsumed(&mut self, fun: &FunDef, given: &[Value], result: &Value) {
        let result = result.all();
        for (p, value) in fun.params.iter().zip(given) {
            let mut marked = Vec::new();
            value.leaves(&p.consumes, &mut |leaf, consumes| {
                if consumes {
                    marked.extend(leaf.aliases.as_slice().iter().map(|a| a.origin));
                }
            });
            let used = |o: &Origin| self.consumed.contains_key(o) || result.find(*o).is_some();
            if !marked.is_empty() && !marked.iter().any(used) {
                self.never_consumed(p);
            }
        }
    }

    /// A local or anonymous function; its value holds what it uses from outside.
    pub(super) fn function(&mut self, fun: &FunDef, span: Span) -> Value {
        self.enter(FrameKind::Function, span);
        let ret = self.body(fun, FrameKind::Function);
        let held: Vec<Alias> = match self.frames.pop() {
            Some(frame) => frame.used.into_values().map(|(alias, _)| alias).collect(),
            None => Vec::new(),
        };
        // A constant that is used inside is none that the result may be: that was checked.
        let held = held
            .into_iter()
            .filter(|a| self.memory_of(a.origin).is_none_or(|m| !m.kept.is_constant()))
            .collect();
        let signature = Some(Rc::new(Signature::new(fun.params.len(), ret)));
        Value::Leaf(Leaf {
            aliases: Aliases::of(held),
            function: true,
            signature,
            ..Leaf::default()
        })
    }

    pub(super) fn enter(&mut self, kind: FrameKind, span: Span) {
        self.frames.push(Frame { kind, span, used: HashMap::new() });
    }

    fn body(&mut self, fun: &FunDef, kind: FrameKind) -> Diet {
        let given: Vec<Value> = fun.params.iter().map(|p| self.parameter(p)).collect();
        for p in &fun.params {
            self.sizes(&p.pat.ty);
        }
        let value = self.exp(&fun.body);
        self.flows(&fun.body.ty, Some(&value), &fun.ret, fun.body.span, false);
        if kind == FrameKind::Definition {
            self.unconsumed(fun, &given, &value);
        }
        let constant = fun.params.is_empty() && kind == FrameKind::Definition;
        if constant {
            self.constant(fun, &value);
        } else {
            self.no_constant_in_result(&value, fun);
        }
        match &fun.unique_ret {
            Some(declared) => {
                self.declared_result(&value, declared, fun.body.span);
                declared.clone()
            }
            None => self.free_of_aliases(&value),
        }
    }

    fn parameter(&mut self, p: &Param) -> Value {
        let span = p.pat.span;
        let value = self.owned(&p.pat.ty, &p.consumes, span, &mut |d| {
            if d.any() { Kept::No } else { Kept::Param }
        });
        self.pattern(&p.pat, &value, None);
        value
    }

    /// The sizes in a parameter's type, which are evaluated in every call, and must not consume.
    fn sizes(&mut self, ty: &Type) {
        match ty {
            Type::Prim(_) | Type::Param(_) | Type::Arrow(_) => {}
            Type::Array { size, elem } => {
                self.size(size);
                self.sizes(elem);
            }
            Type::Record(fields) => fields.iter().for_each(|(_, t)| self.sizes(t)),
            Type::Sum(constrs) => {
                constrs.iter().flat_map(|(_, ts)| ts).for_each(|t| self.sizes(t));
            }
            Type::Opaque(_, args) => args.iter().for_each(|arg| match arg {
                TypeArg::Size(s) => self.size(s),
                TypeArg::Type(t) => self.sizes(t),
            }),
        }
    }

    fn size(&mut self, size: &Size) {
        if let Size::Exp(e) = size {
            self.enter(FrameKind::Size, e.span);
            self.exp(e);
            self.frames.pop();
        }
    }

    /// Whether something may be given to others as theirs alone.
    fn free(&self, alias: &Alias) -> bool {
        self.memory_of(alias.origin)
            .is_none_or(|m| m.kept == Kept::No && m.depth >= self.frames.len())
    }

    fn declared_result(&mut self, value: &Value, declared: &Diet, span: Span) {
        let mut unique: HashSet<u32> = HashSet::new();
        let mut seen: HashSet<u32> = HashSet::new();
        let mut found: Option<(Alias, bool)> = None;
        value.leaves(declared, &mut |leaf, marked| {
            if found.is_some() {
                return;
            }
            let all = leaf.aliases.as_slice();
            let earlier = if marked { &seen } else { &unique };
            if marked && let Some(alias) = all.iter().find(|a| !self.free(a)) {
                found = Some((*alias, false));
            } else if let Some(alias) = all.iter().find(|a| earlier.contains(&a.origin)) {
                found = Some((*alias, true));
            }
            seen.extend(all.iter().map(|a| a.origin));
            if marked {
                unique.extend(all.iter().map(|a| a.origin));
            }
        });
        match found {
            Some((alias, true)) => self.unique_return_aliased(alias, span),
            Some((alias, false)) => self.return_aliased(alias, span),
            None => {}
        }
    }

    /// What of a result can be called unique although nothing says so.
    fn free_of_aliases(&self, value: &Value) -> Diet {
        let mut count: HashMap<u32, usize> = HashMap::new();
        value.leaves(&Diet::Observe, &mut |leaf, _| {
            for alias in leaf.aliases.as_slice() {
                *count.entry(alias.origin).or_default() += 1;
            }
        });
        value.diet(&mut |leaf| {
            !leaf.function
                && leaf
                    .aliases
                    .as_slice()
                    .iter()
                    .all(|a| self.free(a) && count.get(&a.origin) == Some(&1))
        })
    }

    /// The result of a function never holds a top-level constant (guide, "Functions"). Of constants
    /// of abstract type that is not asked: most hold no memory.
    fn no_constant_in_result(&mut self, value: &Value, fun: &FunDef) {
        let all = value.all();
        let constant = all
            .as_slice()
            .iter()
            .find(|a| self.memory_of(a.origin).is_some_and(|m| m.kept == Kept::Global));
        if let Some(alias) = constant
            && gives_memory(&fun.ret)
        {
            self.result_aliases_constant(*alias, fun.body.span);
        }
    }

    /// A constant is shared by all who use it. One that is a function must not give out another
    /// constant.
    fn constant(&mut self, fun: &FunDef, value: &Value) {
        if let Some(declared) = &fun.unique_ret
            && declared.any()
        {
            self.unique_constant(fun.body.span);
        }
        if matches!(fun.ret, Type::Arrow(_)) {
            self.no_constant_in_result(value, fun);
        }
    }
}

/// Whether a value, or what a function yields in the end, may hold memory.
fn gives_memory(ty: &Type) -> bool {
    match ty {
        Type::Arrow(a) => gives_memory(&a.ret),
        ty => ty.aliases(),
    }
}
