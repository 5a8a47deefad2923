//! Unknown types and sizes as such: how they are told from known ones, and what may be known of them.

use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::VarId;
use futc_typed::span::Span;
use futc_typed::types::Type;

pub(crate) const META: u32 = 1 << 31;

/// Whether `v` is a metavariable.
pub(crate) fn is_meta(v: VarId) -> bool {
    v.tag & META != 0
}

/// A set of primitive types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PrimSet(u16);

impl PrimSet {
    /// Those that `f` admits.
    pub(crate) fn of(f: impl Fn(PrimType) -> bool) -> PrimSet {
        PrimSet(
            PrimType::ALL.into_iter().filter(|t| f(*t)).fold(0, |bits, t| bits | (1 << (t as u16))),
        )
    }

    pub(crate) fn has(self, t: PrimType) -> bool {
        self.0 & (1 << (t as u16)) != 0
    }

    pub(crate) fn and(self, other: PrimSet) -> PrimSet {
        PrimSet(self.0 & other.0)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What an unconstrained member is taken to be.
    pub(crate) fn default(self) -> PrimType {
        [PrimType::I32, PrimType::F64, PrimType::I64]
            .into_iter()
            .find(|t| self.has(*t))
            .or_else(|| PrimType::ALL.into_iter().find(|t| self.has(*t)))
            .unwrap_or(PrimType::I32)
    }

    /// The members in a word that can stand in a type.
    pub(crate) fn name(self) -> &'static str {
        if self.has(PrimType::Bool) {
            "primitive"
        } else if self.and(PrimSet::of(PrimType::is_int)).is_empty() {
            "float"
        } else if self.and(PrimSet::of(PrimType::is_float)).is_empty() {
            "integer"
        } else {
            "number"
        }
    }

    /// The members in words.
    pub(crate) fn describe(self) -> String {
        if self == PrimSet::of(|t| t.is_int() || t.is_float()) {
            return "a numeric type".into();
        }
        if self == PrimSet::of(PrimType::is_int) {
            return "an integer type".into();
        }
        if self == PrimSet::of(PrimType::is_float) {
            return "a float type".into();
        }
        let names: Vec<&str> =
            PrimType::ALL.into_iter().filter(|t| self.has(*t)).map(PrimType::name).collect();
        format!("one of {}", names.join(", "))
    }
}

/// What is known of a type not yet known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Constraint {
    /// Nothing.
    Any,
    /// It is one of these.
    Prims(PrimSet),
    /// It is a record with at least these fields.
    Record(Vec<(Name, Type)>),
    /// It is a sum with at least these constructors.
    Sum(Vec<(Name, Vec<Type>)>),
}

/// Why something cannot stand for a metavariable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// It contains the metavariable.
    Occurs,
    /// It mentions this type parameter or variable, bound after the metavariable came up.
    Scope(VarId),
    /// It mentions this size, which only an application of some function makes.
    Bound(VarId),
}

/// What binds a variable that sizes may mention.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binder {
    /// A pattern, or a size parameter, there.
    Name(Span),
    /// An arrow of a function type that is being unified: a parameter's name or an existential
    /// size.
    Arrow,
}

/// What an unknown size is of: how much may be concluded from branches that should be one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Holder {
    /// Of what is being made.
    Made,
    /// Of a parameter of a loop, which may have another in every round.
    Loop,
    /// Of a parameter, whose caller decides.
    Parameter,
}
