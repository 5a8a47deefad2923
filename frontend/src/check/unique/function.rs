//! Functions: what their parameters may be used for, and what their results may hold.

use super::once::applied_once;
use super::state::{Frame, FrameKind, Kept, Walker};
use super::value::{Alias, Aliases, Leaf, Origin, Signature, Value};
use crate::check::types::env::Conduct;
use futc_typed::diet::Diet;
use futc_typed::program::{FunDef, Param};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type, TypeArg};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What was found out about the body of a function.
struct Body {
    /// What of the result is free of aliases.
    fresh: Diet,
    /// It holds a function that can be applied once.
    gives_once: bool,
    /// It may be a constant.
    gives_constant: bool,
}

impl Walker<'_> {
    /// A top-level definition; returns what is known of it.
    pub(super) fn definition(&mut self, fun: &FunDef) -> Conduct {
        self.enter(FrameKind::Definition, fun.body.span);
        let body = self.body(fun, FrameKind::Definition);
        self.frames.pop();
        Conduct {
            arity: fun.params.len(),
            fresh: body.fresh,
            once: applied_once(fun, self.conducts, &self.vars),
            gives_once: body.gives_once,
            gives_constant: body.gives_constant,
        }
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
        let body = self.body(fun, FrameKind::Function);
        let held: Vec<Alias> = match self.frames.pop() {
            Some(frame) => frame.used.into_values().map(|(alias, _)| alias).collect(),
            None => Vec::new(),
        };
        // A constant that is used inside is none that the result may be: that was checked.
        let held = held
            .into_iter()
            .filter(|a| self.memory_of(a.origin).is_none_or(|m| !m.kept.is_constant()))
            .collect();
        let signature = Some(Rc::new(Signature {
            arity: fun.params.len(),
            ret: fun.unique_ret.clone().unwrap_or(body.fresh),
            once: applied_once(fun, self.conducts, &self.vars).into(),
            gives_once: body.gives_once,
        }));
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

    fn body(&mut self, fun: &FunDef, kind: FrameKind) -> Body {
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
            self.constant(fun);
        } else {
            self.no_constant_in_result(&value, fun);
        }
        let once = value.once();
        if once.as_slice().iter().any(|a| !self.free(a)) {
            self.contains_consumption(fun.body.span, fun.body.span, false);
        }
        if let Some(declared) = &fun.unique_ret {
            self.declared_result(&value, declared, fun.body.span);
        }
        Body {
            fresh: self.free_of_aliases(&value),
            gives_once: !once.is_empty() || value.gives_once(),
            gives_constant: self.gives_constant(&value, constant),
        }
    }

    /// Whether a result may be a constant, although the rule against that lets it pass: it comes
    /// from a function that gives out one, or is one, made of other functions without parameters.
    fn gives_constant(&self, value: &Value, constant: bool) -> bool {
        let mut found = false;
        value.leaves(&Diet::Observe, &mut |leaf, _| {
            found |= leaf.aliases.as_slice().iter().any(|a| match self.memory_of(a.origin) {
                Some(m) if constant => {
                    leaf.function && matches!(m.kept, Kept::Global | Kept::Given)
                }
                Some(m) => m.kept == Kept::Given,
                None => false,
            });
        });
        found
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

    /// A constant is shared by all who use it.
    fn constant(&mut self, fun: &FunDef) {
        if let Some(declared) = &fun.unique_ret
            && declared.any()
        {
            self.unique_constant(fun.body.span);
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
