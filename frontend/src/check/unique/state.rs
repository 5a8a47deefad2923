//! What is bound and what is consumed.

use super::memory::MemoryName;
use super::value::{Alias, Aliases, Origin, Value};
use crate::check::types::elab::Elab;
use crate::check::types::env::Conduct;
use crate::diag::Diagnostic;
use futc_typed::diet::Diet;
use futc_typed::name::Name;
use futc_typed::program::{DefId, DimIndex, VarId};
use futc_typed::shared::Lasting;
use futc_typed::span::Span;
use futc_typed::types::{Arrow, Type};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How a value is used.
#[derive(Clone, Copy, Debug)]
pub(super) enum Use {
    /// As it stands.
    Whole(Span),
    /// It was computed before the consumption and is needed after it.
    Held(Span),
    /// In a loop whose parameter starts as it.
    InLoop(Span),
}

/// Why memory may not be consumed, wherever it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kept {
    /// It may be.
    No,
    /// It belongs to a parameter without `*`.
    Param,
    /// It belongs to a loop's parameter that has a type without `*`.
    LoopParam,
    /// It belongs to a top-level constant.
    Global,
    /// It belongs to a top-level constant of abstract type.
    AbstractGlobal,
    /// It belongs to a top-level constant that a function without parameters gives out.
    Given,
}

impl Kept {
    pub(super) fn is_constant(self) -> bool {
        matches!(self, Kept::Global | Kept::AbstractGlobal)
    }
}

/// What memory stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MemoryRole {
    /// A value.
    Value,
    /// The result of a call, several components of which may be one.
    Shared,
    /// What a function consumes of what it holds, when it is applied.
    Spent,
}

/// Memory that came into being under a name.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// What to call it.
    pub(super) name: Option<MemoryName>,
    /// Where it got its name.
    pub(super) span: Span,
    /// How many functions and loops are around it.
    pub(super) depth: usize,
    /// Whether it may be consumed.
    pub(super) kept: Kept,
    /// What it stands for.
    pub(super) part: MemoryRole,
}

/// How memory was consumed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Consumption {
    /// Where.
    pub(super) span: Span,
    /// Under which name.
    pub(super) via: Option<VarId>,
}

/// What is known of a variable.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) value: Value,
    /// What it is bound to.
    pub(super) rhs: Option<Span>,
    /// How many functions and loops are around it.
    pub(super) depth: usize,
}

/// What may be evaluated any number of times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FrameKind {
    Definition,
    Function,
    Loop,
    Size,
}

/// A function or loop around what is looked at.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    pub(super) span: Span,
    /// Memory from outside that is used inside, with its first use.
    pub(super) used: HashMap<Origin, (Alias, Span)>,
}

/// The state of the walk.
pub(super) struct Walker<'t> {
    pub(super) cx: &'t Elab,
    pub(super) memory: Vec<Memory>,
    pub(super) consumed: HashMap<Origin, Consumption>,
    /// What is consumed, in order.
    pub(super) log: Vec<Origin>,
    pub(super) vars: HashMap<VarId, Bound>,
    /// What is known of the definitions used.
    pub(super) conducts: &'t HashMap<DefId, Arc<Conduct>>,
    /// Constants: memory of what is not abstract in them, of what is, and of what functions give
    /// out.
    pub(super) globals: HashMap<DefId, [Origin; 3]>,
    pub(super) frames: Vec<Frame>,
    /// Rows taken out of an array to be put back changed: `a with [i].f = v`.
    pub(super) lent: Vec<(VarId, Vec<DimIndex>)>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Consumptions that something was said about.
    pub(super) said: HashSet<Span>,
    /// Of types of functions, what they are in the end.
    pub(super) ends: Lasting<End>,
}

/// The innermost of functions each of which yields the next, and how many they are.
pub(super) type End = (Arc<Arrow>, usize);

/// A point in the walk, to tell what is consumed after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    log: usize,
    memory: usize,
}

impl<'t> Walker<'t> {
    pub(super) fn new(cx: &'t Elab, conducts: &'t HashMap<DefId, Arc<Conduct>>) -> Walker<'t> {
        Walker {
            cx,
            conducts,
            memory: Vec::new(),
            consumed: HashMap::new(),
            log: Vec::new(),
            vars: HashMap::new(),
            globals: HashMap::new(),
            frames: Vec::new(),
            lent: Vec::new(),
            diagnostics: Vec::new(),
            said: HashSet::new(),
            ends: Lasting::default(),
        }
    }

    pub(super) fn new_memory(
        &mut self,
        name: Option<MemoryName>,
        span: Span,
        kept: Kept,
    ) -> Origin {
        let depth = self.frames.len();
        self.memory.push(Memory { name, span, depth, kept, part: MemoryRole::Value });
        (self.memory.len() - 1) as Origin
    }

    pub(super) fn memory_of(&self, origin: Origin) -> Option<&Memory> {
        self.memory.get(origin as usize)
    }

    /// A value of type `ty`, each component of it memory of its own.
    pub(super) fn owned(
        &mut self,
        ty: &Type,
        diet: &Diet,
        span: Span,
        kept: &mut dyn FnMut(&Diet) -> Kept,
    ) -> Value {
        Value::shaped(ty, diet, &mut |_, d| {
            let kept = kept(d);
            Aliases::one(self.new_memory(None, span, kept), None)
        })
    }

    /// Binds a variable; fresh memory gets its name.
    pub(super) fn bind(&mut self, var: VarId, value: &Value, span: Span, rhs: Option<Span>) {
        let mut path = Vec::new();
        let value = self.named(value, var.name, span, &mut path);
        let depth = self.frames.len();
        self.vars.insert(var, Bound { value, rhs, depth });
    }

    fn named(&mut self, value: &Value, var: Name, span: Span, path: &mut Vec<Name>) -> Value {
        match value {
            Value::Scalar => Value::Scalar,
            Value::Leaf(leaf) => {
                // A function is no memory: what it holds has origins already.
                if leaf.function {
                    return value.clone();
                }
                let name = |path: &[Name]| MemoryName([&[var], path].concat());
                if leaf.aliases.is_empty() {
                    let origin = self.new_memory(Some(name(path)), span, Kept::No);
                    return Value::leaf(Aliases::one(origin, None));
                }
                if let [alias] = leaf.aliases.as_slice()
                    && let Some(memory) = self.memory.get_mut(alias.origin as usize)
                    && memory.name.is_none()
                {
                    memory.name = Some(name(path));
                    memory.span = span;
                }
                value.clone()
            }
            Value::Parts(parts) => Value::Parts(
                parts
                    .iter()
                    .map(|(n, v)| {
                        path.push(*n);
                        let v = self.named(v, var, span, path);
                        path.pop();
                        (*n, v)
                    })
                    .collect(),
            ),
        }
    }

    /// Notes that a value from outside is used in the functions and loops between here and there.
    pub(super) fn capture(&mut self, aliases: &Aliases, depth: usize, span: Span) {
        for frame in self.frames.iter_mut().skip(depth) {
            for alias in aliases.as_slice() {
                frame.used.entry(alias.origin).or_insert((*alias, span));
            }
        }
    }

    /// Uses a value: nothing in it may be consumed.
    pub(super) fn used(&mut self, aliases: &Aliases, how: Use) {
        if self.consumed.is_empty() {
            return;
        }
        for alias in aliases.as_slice() {
            if let Some(consumption) = self.consumed.get(&alias.origin) {
                let consumption = *consumption;
                self.use_after_consume(*alias, consumption, how);
                return;
            }
        }
    }

    pub(super) fn moment(&self) -> Moment {
        Moment { log: self.log.len(), memory: self.memory.len() }
    }

    /// Whether anything was consumed since.
    pub(super) fn consumed_since(&self, moment: Moment) -> bool {
        self.log.len() > moment.log
    }

    /// Where, since then, something was consumed that was there before. A function that is applied
    /// does not count: nobody else can have what it holds.
    pub(super) fn consumption_since(&self, moment: Moment) -> Option<Span> {
        let before = |o: &&Origin| {
            (**o as usize) < moment.memory
                && self.memory_of(**o).is_none_or(|m| m.part != MemoryRole::Spent)
        };
        let outer = self.log.iter().skip(moment.log).find(before);
        outer.and_then(|o| self.consumed.get(o)).map(|c| c.span)
    }

    /// Consumes: everything that may share memory with `aliases` may not be used any more.
    pub(super) fn consume(&mut self, aliases: &Aliases, span: Span) {
        for alias in aliases.as_slice() {
            if let Some(earlier) = self.consumed.get(&alias.origin) {
                let earlier = *earlier;
                self.use_after_consume(*alias, earlier, Use::Whole(span));
                return;
            }
        }
        for alias in aliases.as_slice() {
            let outside = self.memory_of(alias.origin).is_some_and(|m| m.depth < self.frames.len());
            let kept = self.memory_of(alias.origin).map_or(Kept::No, |m| m.kept);
            if outside || kept != Kept::No {
                self.not_consumable(*alias, span);
                return;
            }
        }
        for alias in aliases.as_slice() {
            self.log.push(alias.origin);
            self.consumed.insert(alias.origin, Consumption { span, via: alias.via });
        }
    }

    /// Undoes the consumption since `moment`, and says what it was: one of several paths has been
    /// looked at.
    pub(super) fn rewind(&mut self, moment: Moment) -> Vec<(Origin, Consumption)> {
        let undone = self.log.split_off(moment.log.min(self.log.len()));
        undone.into_iter().filter_map(|o| Some((o, self.consumed.remove(&o)?))).collect()
    }

    /// Goes on after paths that consume `all` between them.
    pub(super) fn rejoin(&mut self, all: Vec<(Origin, Consumption)>) {
        for (origin, consumption) in all {
            if let std::collections::hash_map::Entry::Vacant(e) = self.consumed.entry(origin) {
                e.insert(consumption);
                self.log.push(origin);
            }
        }
    }
}
