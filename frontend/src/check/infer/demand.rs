//! What is asked of a type besides its shape: what its values may hold, and that they can be compared.

use crate::syntax::ast::Liftedness;
use futc_typed::name::Name;
use futc_typed::program::VarId;
use futc_typed::span::Span;
use futc_typed::types::Type;

/// Why a type may not be that of functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DemandReason {
    /// It is the type of an array's elements.
    Element,
    /// It is the type of the result of `if` or `match`.
    Branch,
    /// It is the type of a loop's parameter.
    Loop,
    /// It is put for a type parameter, of this name.
    Param(Name),
}

/// What is asked of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Demand {
    /// What its values may hold.
    pub(crate) limit: Liftedness,
    /// Why and where `limit` is not [`Liftedness::Lifted`].
    pub(crate) why: Option<(DemandReason, Span)>,
    /// Where its values are compared.
    pub(crate) equality: Option<Span>,
}

impl Demand {
    /// Nothing.
    pub(crate) const NONE: Demand = Demand { limit: Liftedness::Lifted, why: None, equality: None };

    /// That values may hold no more than `limit` says.
    pub(crate) fn limit(limit: Liftedness, place: DemandReason, span: Span) -> Demand {
        match limit {
            Liftedness::Lifted => Demand::NONE,
            Liftedness::SizeLifted | Liftedness::Unlifted => {
                Demand { limit, why: Some((place, span)), equality: None }
            }
        }
    }

    /// That values can be compared.
    pub(crate) fn equality(span: Span) -> Demand {
        Demand { equality: Some(span), ..Demand::NONE }
    }

    /// Both.
    pub(crate) fn and(self, other: Demand) -> Demand {
        let (limit, why) = if other.limit < self.limit {
            (other.limit, other.why)
        } else {
            (self.limit, self.why)
        };
        Demand { limit, why, equality: self.equality.or(other.equality) }
    }
}

/// Why a type does not meet a demand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Violation {
    /// It holds functions, or may hold what it must not.
    Lifted(Type, Liftedness, Demand),
    /// Its values cannot be compared.
    Equality(Type, Span),
    /// It would be a part of itself.
    Infinite(VarId, Type),
}
