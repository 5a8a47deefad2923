//! What may be asked of a type before it is known: that its values are no functions, that they can
//! be elements of arrays, that they can be compared.
//!
//! A demand is kept with the metavariable and handed on when that is found to be some type: to its
//! parts, down to the metavariables in it. Where a type does not meet it, unification fails, and
//! [`Checker::violation`] says why, so that the message is about the rule and not about two types.
//!
//! Cost: linear in the type, each time a metavariable of which something is demanded is found out.

use crate::check::infer::checker::Checker;
use crate::check::infer::demand::{Demand, Violation};
use crate::check::infer::errors::{DemandError, Kind};
use crate::check::infer::unknown::Constraint;
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
        let error = match violation {
            Violation::Lifted(ty, is, demand) => {
                let (place, asked) = match demand.why {
                    Some((place, at)) => (Some(place), at),
                    None => (None, span),
                };
                DemandError::Lifted { shown: self.show(&ty), kind: kind(&ty), is, place, asked }
            }
            Violation::Equality(ty, compared) => {
                DemandError::NoEquality { shown: self.show(&ty), kind: kind(&ty), compared }
            }
            Violation::Infinite(v, ty) => {
                let (part, whole) = self.show_both(&Type::Param(v), &ty);
                DemandError::Infinite { part, whole }
            }
        };
        self.report(error.at(span));
        true
    }
}

fn kind(ty: &Type) -> Kind {
    match ty {
        Type::Arrow(_) => Kind::Function,
        Type::Param(_) => Kind::Param,
        _ => Kind::Abstract,
    }
}
