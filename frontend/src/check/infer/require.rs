//! What may be asked of a type before it is known: that its values are no functions, that they can
//! be elements of arrays, that they can be compared.
//!
//! A demand is kept with the metavariable and handed on when that is found to be some type: to its
//! parts, down to the metavariables in it. Where a type does not meet it, unification fails, and
//! [`Checker::violation`] says why, so that the message is about the rule and not about two types.
//!
//! Cost: linear in the type, each time a metavariable of which something is demanded is found out.

use crate::check::infer::checker::Checker;
use crate::check::infer::demand::{Demand, Place, Violation};
use crate::check::infer::unknown::Constraint;
use crate::diag::{Code, Diagnostic};
use crate::syntax::ast::Liftedness;
use futc_typed::shared::Seen;
use futc_typed::span::Span;
use futc_typed::types::{Type, TypeArg};

impl Checker<'_> {
    /// Asks something of a type; if that cannot be, notes why.
    pub(crate) fn demand(&mut self, ty: &Type, demand: Demand) -> bool {
        if demand == Demand::NONE || self.demands_ignored {
            return true;
        }
        self.demand_seen(&self.metas.zonk(ty), demand, &mut Seen::default())
    }

    fn demand_seen(&mut self, ty: &Type, demand: Demand, seen: &mut Seen) -> bool {
        if seen.again(ty, 0) {
            return true;
        }
        match ty.clone() {
            Type::Prim(_) => true,
            Type::Array { elem, .. } => self.demand_seen(&elem, demand, seen),
            Type::Record(fields) => fields.iter().all(|(_, t)| self.demand_seen(t, demand, seen)),
            Type::Sum(constrs) => {
                constrs.iter().flat_map(|(_, ts)| ts).all(|t| self.demand_seen(t, demand, seen))
            }
            Type::Arrow(arrow) => {
                let ty = Type::Arrow(arrow);
                if demand.limit < Liftedness::Lifted {
                    self.violation = Some(Violation::Lifted(ty, Liftedness::Lifted, demand));
                    false
                } else if let Some(at) = demand.equality {
                    self.violation = Some(Violation::Equality(ty, at));
                    false
                } else {
                    true
                }
            }
            Type::Param(v) => match self.metas.as_meta(&Type::Param(v)) {
                Some(v) => {
                    let before = self.metas.demand(v);
                    let both = before.and(demand);
                    if both == before {
                        return true;
                    }
                    self.metas.set_demand(v, both);
                    match self.metas.constraint(v) {
                        Constraint::Any | Constraint::Prims(_) => true,
                        Constraint::Record(fields) => {
                            fields.iter().all(|(_, t)| self.demand(t, demand))
                        }
                        Constraint::Sum(constrs) => {
                            constrs.iter().flat_map(|(_, ts)| ts).all(|t| self.demand(t, demand))
                        }
                    }
                }
                None => {
                    let is = self.rigid.get(&v).copied().unwrap_or(Liftedness::Unlifted);
                    self.named(Type::Param(v), is, demand)
                }
            },
            Type::Opaque(id, args) => {
                let args_ok = args.iter().all(|arg| match arg {
                    TypeArg::Size(_) => true,
                    TypeArg::Type(t) => self.demand_seen(t, demand, seen),
                });
                args_ok && self.named(Type::Opaque(id, args), id.liftedness, demand)
            }
        }
    }

    /// The demand on a type of which only the liftedness is known.
    fn named(&mut self, ty: Type, is: Liftedness, demand: Demand) -> bool {
        if is > demand.limit {
            self.violation = Some(Violation::Lifted(ty, is, demand));
            return false;
        }
        if let Some(at) = demand.equality {
            self.violation = Some(Violation::Equality(ty, at));
            return false;
        }
        true
    }

    /// Asks something of the type of what stands at `span`, and reports if that cannot be.
    pub(crate) fn require(&mut self, ty: &Type, demand: Demand, span: Span) {
        self.violation = None;
        if !self.demand(ty, demand) {
            self.violated(span);
        }
    }

    /// Makes types equal that are so but for a demand, which has been reported: what follows from
    /// it is not worth a message.
    pub(crate) fn unify_regardless(&mut self, a: &Type, b: &Type) {
        self.demands_ignored = true;
        self.try_unify(a, b);
        self.demands_ignored = false;
    }

    /// Reports why the last unification failed, if that was for a demand.
    pub(crate) fn violated(&mut self, span: Span) -> bool {
        let Some(violation) = self.violation.take() else { return false };
        let d = match violation {
            Violation::Lifted(ty, is, demand) => self.lifted(&ty, is, demand, span),
            Violation::Equality(ty, at) => {
                let shown = self.show(&ty);
                let why = match ty {
                    Type::Arrow(_) => "is a function".to_owned(),
                    Type::Param(_) => {
                        "is a type parameter, which may stand for any type".to_owned()
                    }
                    _ => "is an abstract type".to_owned(),
                };
                let d = Diagnostic::error(
                    Code::NoEquality,
                    span,
                    format!("values of type {shown} cannot be compared with == or !="),
                )
                .at(format!("{shown} {why}"));
                let d = if at == span { d } else { d.label(at, "compared here") };
                match ty {
                    Type::Arrow(_) => d,
                    _ => d.hint(
                        "take the comparison as a parameter, as in \
                         def same 't (eq: t -> t -> bool) (x: t) (y: t) = eq x y",
                    ),
                }
            }
            Violation::Infinite(v, ty) => {
                let (v, ty) = self.show_both(&Type::Param(v), &ty);
                Diagnostic::error(
                    Code::OccursCheck,
                    span,
                    format!("the type {v} would have to be {ty}, of which it is a part"),
                )
                .hint("write down the types that are meant, to see where they do not agree")
            }
        };
        self.report(d);
        true
    }

    fn lifted(&self, ty: &Type, is: Liftedness, demand: Demand, span: Span) -> Diagnostic {
        let shown = self.show(ty);
        let (place, at) = match demand.why {
            Some((place, at)) => (Some(place), at),
            None => (None, span),
        };
        let what = match (ty, is) {
            (Type::Arrow(_), _) => format!("functions, here of type {shown},"),
            (_, Liftedness::Lifted) => format!("values of type {shown}, which may be functions,"),
            (_, Liftedness::SizeLifted | Liftedness::Unlifted) => {
                format!("values of type {shown}, which may be arrays of different sizes,")
            }
        };
        let (code, rule, label, hint) = match place {
            Some(Place::Element) => (
                Code::LiftedArrayElement,
                "cannot be elements of an array".to_owned(),
                "an element of an array",
                "keep functions in a record or tuple, or use a sum type that says which function \
                 is meant",
            ),
            Some(Place::Branch) => (
                Code::FunctionalBranch,
                "cannot be the result of if or match".to_owned(),
                "the result of this",
                "apply the functions inside of the branches",
            ),
            Some(Place::Loop) => (
                Code::FunctionalLoop,
                "cannot be the parameter of a loop".to_owned(),
                "the parameter of this loop",
                "have the loop compute what the function is made from",
            ),
            Some(Place::Param(name)) => (
                Code::LiftedTypeArgument,
                format!("cannot be put for the type parameter {name}, which is not lifted"),
                "the type is inferred here",
                "declare the parameter as '^t if the function's body allows it",
            ),
            None => (
                Code::LiftedTypeArgument,
                "cannot be put for a type parameter that is not lifted".to_owned(),
                "the type is inferred here",
                "declare the parameter as '^t if the function's body allows it",
            ),
        };
        let d = Diagnostic::error(code, span, format!("{what} {rule}"));
        let d = if at == span { d } else { d.label(at, label) };
        d.hint(hint)
    }
}
