//! Applications.
//!
//! The function and its arguments are evaluated first, then what it consumes is consumed, all at
//! once: so what one parameter consumes may not be had through another, nor by the function.

use super::memory::MemoryName;
use super::state::{End, Kept, MemoryRole, Use, Walker};
use super::value::{Alias, Aliases, Leaf, Signature, Value};
use futc_typed::diet::Diet;
use futc_typed::program::{Exp, ExpKind};
use futc_typed::shared::{Lasting, step};
use futc_typed::span::Span;
use futc_typed::types::Type;
use std::rc::Rc;

/// What is known of the function of a call.
#[derive(Default)]
struct Callee {
    signature: Option<Rc<Signature>>,
    /// How many arguments it gets here.
    args: usize,
    /// What its type says of the result.
    declared: Diet,
    /// What is left of it consumes what it holds.
    once: bool,
}

impl Callee {
    /// Whether the function applies its `i`-th parameter once at most, and so that all is done with
    /// it then: `value`, of type `ty`, is not to be what yields another function.
    fn applies_once(&self, i: usize, value: &Value, ty: &Type) -> bool {
        let count = self.signature.as_ref().and_then(|s| s.once.get(i).copied().flatten());
        let (Some(count), Value::Leaf(_)) = (count, value) else { return false };
        let mut ty = ty;
        for _ in 0..count {
            let Type::Arrow(a) = ty else { return false };
            ty = &a.ret;
        }
        !super::fits::has_function(ty)
    }
}

/// How many functions may yield one another before it is noted where that ends.
const FREE: usize = 32;

/// What the type of a function is in the end, once all arguments are given.
fn end(ty: &Type, ends: &mut Lasting<End>) -> Option<End> {
    let mut path = Vec::new();
    let mut at = ty;
    let (arrow, depth) = loop {
        step();
        let Type::Arrow(arrow) = at else { return None };
        if let Some(end) = ends.get(at, 0) {
            break end.clone();
        }
        if !matches!(arrow.ret, Type::Arrow(_)) {
            break (arrow.clone(), 1);
        }
        path.push(at);
        at = &arrow.ret;
    };
    let depth = depth + path.len();
    if path.len() > FREE {
        for (i, ty) in path.iter().enumerate() {
            ends.put(ty, 0, (arrow.clone(), depth - i));
        }
    }
    Some((arrow, depth))
}

/// Whether a value given to a function can come out of it in a result that holds no functions: a
/// function can only by what it yields.
fn yields_aliases(ty: &Type, value: &Value, ends: &mut Lasting<End>) -> bool {
    let Some((arrow, depth)) = end(ty, ends) else { return true };
    let signature = match value {
        Value::Leaf(Leaf { signature, .. }) => signature.as_deref(),
        Value::Scalar | Value::Parts(_) => None,
    };
    let unique = match signature {
        Some(s) if s.arity == depth => &s.ret,
        Some(_) | None => &arrow.unique_ret,
    };
    let mut any = false;
    Value::shaped(&arrow.ret, unique, &mut |_, d| {
        any |= !d.any();
        Aliases::default()
    });
    any
}

impl Walker<'_> {
    pub(super) fn call(&mut self, fun: &Exp, args: &[Exp], e: &Exp) -> Value {
        let callee = self.exp(fun);
        let callee_moment = self.moment();
        let mut values = Vec::with_capacity(args.len());
        let mut ty = &fun.ty;
        let mut last = Diet::Observe;
        let mut known = Callee::default();
        let mut spent = Aliases::default();
        if let Value::Leaf(leaf) = &callee {
            known.signature = leaf.signature.clone();
            spent = leaf.once.clone();
        }
        for (i, arg) in args.iter().enumerate() {
            let before = self.moment();
            let value = self.exp(arg);
            let after = self.moment();
            let diet = match ty {
                Type::Arrow(a) => {
                    self.no_consumption_in_function(&arg.ty, before, arg.span, true);
                    if value.gives_once()
                        || !value.once().is_empty() && !known.applies_once(i, &value, &arg.ty)
                    {
                        self.contains_consumption(arg.span, arg.span, true);
                    }
                    self.flows(&arg.ty, Some(&value), &a.param, arg.span, true);
                    last = a.unique_ret.clone();
                    ty = &a.ret;
                    a.consumes.clone()
                }
                _ => Diet::Observe,
            };
            values.push((value, diet, after));
        }
        let closure = callee.all();
        if self.consumed_since(callee_moment) {
            self.used(&closure, Use::Held(fun.span));
            for ((value, _, after), arg) in values.iter().zip(args) {
                if self.consumed_since(*after) {
                    self.used(&value.all(), Use::Held(arg.span));
                }
            }
        }
        let consumes = values.iter().any(|(v, d, _)| {
            let mut any = false;
            v.leaves(d, &mut |_, marked| any |= marked);
            any
        });
        if consumes {
            self.consumed_by_call(fun, args, &values, &closure);
        }
        // What consumes what it holds is not there any more: what is left of it, if not all
        // arguments are given, takes its place.
        self.consume(&spent, fun.span);
        let given = known.signature.as_ref().is_none_or(|s| args.len() >= s.arity);
        known.once = consumes || !spent.is_empty();
        known.once |= given && known.signature.as_ref().is_some_and(|s| s.gives_once);
        for ((value, ..), arg) in values.iter().zip(args) {
            let once = value.once();
            known.once |= !given && !once.is_empty();
            self.consume(&once, arg.span);
            spent = spent.union(&once);
        }
        let mut held: Vec<Alias> = closure.without(&spent).as_slice().to_vec();
        let mut holds_fresh = false;
        let gives_function = super::fits::has_function(&e.ty);
        for ((value, diet, _), arg) in values.iter().zip(args) {
            // What a function holds comes out only through its results.
            if !gives_function && !yields_aliases(&arg.ty, value, &mut self.ends) {
                continue;
            }
            value.leaves(diet, &mut |leaf, marked| {
                if !marked {
                    holds_fresh |= leaf.aliases.is_empty() && !leaf.function;
                    held.extend_from_slice(leaf.aliases.without(&spent).as_slice());
                }
            });
        }
        known.args = args.len();
        known.declared = last;
        self.result(held, holds_fresh, known, fun, e)
    }

    /// The value of a call that may hold `held`.
    fn result(
        &mut self,
        mut held: Vec<Alias>,
        holds_fresh: bool,
        known: Callee,
        fun: &Exp,
        e: &Exp,
    ) -> Value {
        if !e.ty.aliases() {
            return Value::Scalar;
        }
        let Callee { signature, args: count, declared, once } = known;
        let (unique, rest) = match signature {
            Some(s) if s.arity == count => (s.ret.clone(), None),
            Some(s) if s.arity > count => (declared, Some(Rc::new(s.after(count)))),
            Some(_) | None => (declared, None),
        };
        let mut shared = 0;
        let mut functions = false;
        Value::shaped(&e.ty, &unique, &mut |ty, d| {
            let function = matches!(ty, Type::Arrow(_));
            functions |= function;
            shared += usize::from(!d.any() && (!function || holds_fresh));
            Aliases::default()
        });
        let name = match &fun.kind {
            ExpKind::Var(..) | ExpKind::Global(..) | ExpKind::Intrinsic(..) => {
                self.source(fun.span).map(MemoryName::written)
            }
            _ => None,
        };
        // Several components may be one; and a function that holds something fresh gives it
        // out each time.
        if shared > 1 || (functions && shared > 0) {
            let origin = self.new_memory(name.clone(), e.span, Kept::No);
            if let Some(memory) = self.memory.get_mut(origin as usize) {
                memory.part = MemoryRole::Shared;
            }
            held.push(Alias { origin, via: None });
        }
        let held = Aliases::of(held);
        let value = Value::shaped(&e.ty, &unique, &mut |_, d| {
            if d.any() { Aliases::default() } else { held.clone() }
        });
        let value = match value {
            Value::Leaf(leaf) => Value::Leaf(Leaf { signature: rest, ..leaf }),
            value => value,
        };
        if !once || !functions {
            return value;
        }
        self.applied_once(&value, name, e.span)
    }

    /// The functions in a value can be applied once, any of them.
    pub(super) fn applied_once(
        &mut self,
        value: &Value,
        name: Option<MemoryName>,
        span: Span,
    ) -> Value {
        let origin = self.new_memory(name, span, Kept::No);
        if let Some(memory) = self.memory.get_mut(origin as usize) {
            memory.part = MemoryRole::Spent;
        }
        let once = Aliases::one(origin, None);
        value.map(&mut |leaf| match leaf.function {
            true => Leaf { once: once.clone(), ..leaf.with(leaf.aliases.union(&once)) },
            false => leaf.clone(),
        })
    }

    fn consumed_by_call(
        &mut self,
        fun: &Exp,
        args: &[Exp],
        values: &[(Value, Diet, super::state::Moment)],
        closure: &Aliases,
    ) {
        for (i, ((value, diet, _), arg)) in values.iter().zip(args).enumerate() {
            let mut leaves: Vec<(&Leaf, bool)> = Vec::new();
            value.leaves(diet, &mut |leaf, marked| leaves.push((leaf, marked)));
            let mut consumed = Aliases::default();
            let mut failed = false;
            for (j, (leaf, marked)) in leaves.iter().enumerate() {
                if !marked {
                    continue;
                }
                let overlap = leaves
                    .iter()
                    .enumerate()
                    .filter(|(k, (_, other))| *k != j && (!other || *k < j))
                    .find_map(|(_, (other, _))| leaf.aliases.common(&other.aliases));
                if let Some(alias) = overlap {
                    self.self_aliasing(alias, arg.span);
                    failed = true;
                    break;
                }
                consumed = consumed.union(&leaf.aliases);
            }
            if failed || consumed.is_empty() {
                continue;
            }
            let other = values.iter().zip(args).enumerate().find_map(|(k, ((v, _, _), a))| {
                if k == i {
                    return None;
                }
                Some((consumed.common(&v.all())?, a.span))
            });
            let other = other.or_else(|| Some((consumed.common(closure)?, fun.span)));
            match other {
                Some((alias, span)) => self.aliased_argument(alias, arg.span, span),
                None => self.consume(&consumed, arg.span),
            }
        }
    }
}
