//! What a value may share memory with, component by component.
//!
//! An *origin* stands for memory: one for each array, abstract value or closure that comes into
//! being under a name. Two values may overlap if they have an origin in common. A variable has
//! none of its own: it has those of what it is bound to, so `let ys = xs` costs nothing.

use futc_typed::diet::Diet;
use futc_typed::name::Name;
use futc_typed::program::VarId;
use futc_typed::shared::step;
use futc_typed::types::Type;
use std::rc::Rc;

/// An origin: an index into the walker's table.
pub(super) type Origin = u32;

/// An origin that a value may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alias {
    pub(super) origin: Origin,
    /// The variable that it came through last.
    pub(super) via: Option<VarId>,
}

/// The origins a component may have, sorted. Empty: fresh memory that nothing else holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Aliases(Option<Rc<[Alias]>>);

impl Aliases {
    pub(super) fn one(origin: Origin, via: Option<VarId>) -> Aliases {
        Aliases(Some(Rc::from([Alias { origin, via }])))
    }

    pub(super) fn of(mut all: Vec<Alias>) -> Aliases {
        all.sort_by_key(|a| a.origin);
        all.dedup_by_key(|a| a.origin);
        if all.is_empty() { Aliases(None) } else { Aliases(Some(all.into())) }
    }

    pub(super) fn as_slice(&self) -> &[Alias] {
        self.0.as_deref().unwrap_or_default()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(super) fn find(&self, origin: Origin) -> Option<Alias> {
        let all = self.as_slice();
        let i = all.binary_search_by_key(&origin, |a| a.origin).ok()?;
        all.get(i).copied()
    }

    /// An origin that both have.
    pub(super) fn common(&self, other: &Aliases) -> Option<Alias> {
        let (mine, theirs) = (self.as_slice(), other.as_slice());
        if mine.len() > theirs.len() {
            return theirs.iter().find_map(|a| self.find(a.origin));
        }
        mine.iter().find(|a| other.find(a.origin).is_some()).copied()
    }

    pub(super) fn union(&self, other: &Aliases) -> Aliases {
        if other.is_empty() {
            return self.clone();
        }
        if self.is_empty() {
            return other.clone();
        }
        if let (Some(a), Some(b)) = (&self.0, &other.0)
            && Rc::ptr_eq(a, b)
        {
            return self.clone();
        }
        Aliases::of([self.as_slice(), other.as_slice()].concat())
    }

    /// Those that `other` has not.
    pub(super) fn without(&self, other: &Aliases) -> Aliases {
        if other.is_empty() {
            return self.clone();
        }
        let left = self.as_slice().iter().filter(|a| other.find(a.origin).is_none());
        Aliases::of(left.copied().collect())
    }

    fn through(&self, var: VarId) -> Aliases {
        let through = |a: &Alias| Alias { via: Some(var), ..*a };
        Aliases(self.0.as_ref().map(|all| all.iter().map(through).collect()))
    }
}

/// What was found out about a function.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    /// How many arguments it takes.
    pub(super) arity: usize,
    /// What of the result is free of aliases.
    pub(super) ret: Diet,
    /// Which parameters are functions that it applies once at most, and to how many arguments.
    pub(super) once: Rc<[Option<usize>]>,
    /// The result holds a function that can be applied once.
    pub(super) gives_once: bool,
}

impl Signature {
    /// Of what is left when so many arguments have been given.
    pub(super) fn after(&self, count: usize) -> Signature {
        Signature {
            arity: self.arity.saturating_sub(count),
            once: self.once.iter().skip(count).copied().collect(),
            ..self.clone()
        }
    }
}

/// A component that is not taken apart further: an array, a function, a value of unknown type.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaf {
    pub(super) aliases: Aliases,
    /// It is a function: then it is no memory, but holds some.
    pub(super) function: bool,
    /// Of a function: what of all that it holds it consumes, so that it can be applied once.
    pub(super) once: Aliases,
    /// Of a function, if it is known which.
    pub(super) signature: Option<Rc<Signature>>,
}

impl Leaf {
    /// With other aliases.
    pub(super) fn with(&self, aliases: Aliases) -> Leaf {
        Leaf { aliases, ..self.clone() }
    }
}

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Nothing in it can share memory.
    Scalar,
    /// One component.
    Leaf(Leaf),
    /// Fields of a record; or constructors of a sum, which hold their numbered payload. What a
    /// sum lacks is not there or fresh.
    Parts(Rc<[(Name, Value)]>),
}

/// The name of the `i`-th component.
pub(super) fn numbered(i: usize) -> Name {
    Name::new(&i.to_string())
}

impl Value {
    pub(super) fn leaf(aliases: Aliases) -> Value {
        Value::Leaf(Leaf { aliases, ..Leaf::default() })
    }

    /// A value of type `ty`, each of its components as `leaf` says; it is told what is marked.
    pub(super) fn shaped(
        ty: &Type,
        diet: &Diet,
        leaf: &mut dyn FnMut(&Type, &Diet) -> Aliases,
    ) -> Value {
        step();
        match ty {
            Type::Prim(_) => Value::Scalar,
            Type::Array { .. } | Type::Param(_) | Type::Opaque(..) => Value::leaf(leaf(ty, diet)),
            Type::Arrow(_) => {
                Value::Leaf(Leaf { aliases: leaf(ty, diet), function: true, ..Leaf::default() })
            }
            Type::Record(fields) => Value::Parts(
                fields.iter().map(|(n, t)| (*n, Value::shaped(t, diet.part(*n), leaf))).collect(),
            ),
            Type::Sum(constrs) => Value::Parts(
                constrs
                    .iter()
                    .map(|(c, ts)| {
                        let diet = diet.part(*c);
                        let payload = ts.iter().enumerate().map(|(i, t)| {
                            let i = numbered(i);
                            (i, Value::shaped(t, diet.part(i), leaf))
                        });
                        (*c, Value::Parts(payload.collect()))
                    })
                    .collect(),
            ),
        }
    }

    /// A value of type `ty` of which nothing is held elsewhere.
    pub(super) fn fresh(ty: &Type) -> Value {
        Value::shaped(ty, &Diet::Observe, &mut |_, _| Aliases::default())
    }

    /// The component `name`.
    pub(super) fn part(&self, name: Name) -> Value {
        match self {
            Value::Scalar => Value::Scalar,
            Value::Leaf(_) => self.clone(),
            Value::Parts(parts) => {
                parts.iter().find(|(n, _)| *n == name).map_or(Value::Scalar, |(_, v)| v.clone())
            }
        }
    }

    /// The value with another one at `path`.
    pub(super) fn with(&self, path: &[Name], new: Value) -> Value {
        let Some((first, rest)) = path.split_first() else { return new };
        match self {
            Value::Parts(parts) => Value::Parts(
                parts
                    .iter()
                    .map(|(n, v)| {
                        (*n, if n == first { v.with(rest, new.clone()) } else { v.clone() })
                    })
                    .collect(),
            ),
            Value::Scalar | Value::Leaf(_) => self.merge(&new),
        }
    }

    /// A value that is one or the other.
    pub(super) fn merge(&self, other: &Value) -> Value {
        match (self, other) {
            (Value::Scalar, v) | (v, Value::Scalar) => v.clone(),
            (Value::Leaf(a), Value::Leaf(b)) => Value::Leaf(Leaf {
                once: a.once.union(&b.once),
                ..a.with(a.aliases.union(&b.aliases))
            }),
            (Value::Leaf(leaf), parts @ Value::Parts(_))
            | (parts @ Value::Parts(_), Value::Leaf(leaf)) => {
                parts.map(&mut |l| l.with(l.aliases.union(&leaf.aliases)))
            }
            (Value::Parts(a), Value::Parts(b)) => {
                let mut all: Vec<(Name, Value)> = a.to_vec();
                for (name, v) in b.iter() {
                    match all.iter_mut().find(|(n, _)| n == name) {
                        Some((_, mine)) => *mine = mine.merge(v),
                        None => all.push((*name, v.clone())),
                    }
                }
                Value::Parts(all.into())
            }
        }
    }

    /// Another leaf for each.
    pub(super) fn map(&self, f: &mut dyn FnMut(&Leaf) -> Leaf) -> Value {
        match self {
            Value::Scalar => Value::Scalar,
            Value::Leaf(leaf) => Value::Leaf(f(leaf)),
            Value::Parts(parts) => {
                Value::Parts(parts.iter().map(|(n, v)| (*n, v.map(f))).collect())
            }
        }
    }

    /// The value as seen through a variable.
    pub(super) fn through(&self, var: VarId) -> Value {
        self.map(&mut |l| Leaf { once: l.once.through(var), ..l.with(l.aliases.through(var)) })
    }

    /// What of all that it holds is consumed by functions in it.
    pub(super) fn once(&self) -> Aliases {
        let mut all = Aliases::default();
        self.leaves(&Diet::Observe, &mut |l, _| all = all.union(&l.once));
        all
    }

    /// Whether it holds a function whose result holds one that can be applied once.
    pub(super) fn gives_once(&self) -> bool {
        let mut any = false;
        self.leaves(&Diet::Observe, &mut |l, _| {
            any |= l.signature.as_ref().is_some_and(|s| s.gives_once);
        });
        any
    }

    /// The components in order, with whether they are marked.
    pub(super) fn leaves<'v>(&'v self, diet: &Diet, f: &mut dyn FnMut(&'v Leaf, bool)) {
        match self {
            Value::Scalar => {}
            Value::Leaf(leaf) => f(leaf, diet.any()),
            Value::Parts(parts) => parts.iter().for_each(|(n, v)| v.leaves(diet.part(*n), f)),
        }
    }

    /// The aliases of all components.
    pub(super) fn all(&self) -> Aliases {
        match self {
            Value::Scalar => Aliases::default(),
            Value::Leaf(leaf) => leaf.aliases.clone(),
            Value::Parts(_) => {
                let mut all = Vec::new();
                self.leaves(&Diet::Observe, &mut |l, _| {
                    all.extend_from_slice(l.aliases.as_slice())
                });
                Aliases::of(all)
            }
        }
    }

    /// Which components are free of aliases, as `free` says of each.
    pub(super) fn diet(&self, free: &mut dyn FnMut(&Leaf) -> bool) -> Diet {
        match self {
            Value::Scalar => Diet::Observe,
            Value::Leaf(leaf) => {
                if free(leaf) {
                    Diet::Consume
                } else {
                    Diet::Observe
                }
            }
            Value::Parts(parts) => Diet::of_parts(
                parts.iter().map(|(n, v)| (*n, v.diet(free), v.has_leaf())).collect(),
            ),
        }
    }

    fn has_leaf(&self) -> bool {
        match self {
            Value::Scalar => false,
            Value::Leaf(_) => true,
            Value::Parts(parts) => parts.iter().any(|(_, v)| v.has_leaf()),
        }
    }
}
