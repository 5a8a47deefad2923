//! The sizes in a type: which it mentions, which are free, which can be read from a value.

use crate::check::types::subst::size_vars;
use futc_typed::program::VarId;
use futc_typed::shared::{Lasting, Seen};
use futc_typed::types::{Arrow, Size, Type, TypeArg};

/// Whether the value of size `v` can be read from a value of type `ty`.
pub(crate) fn witnessed(ty: &Type, v: VarId) -> bool {
    witnessed_seen(ty, v, &mut Seen::default())
}

fn witnessed_seen(ty: &Type, v: VarId, seen: &mut Seen) -> bool {
    if seen.again(ty, 0) {
        return false;
    }
    match ty {
        Type::Prim(_) | Type::Param(_) | Type::Arrow(_) => false,
        Type::Array { size, elem } => *size == Size::Var(v) || witnessed_seen(elem, v, seen),
        Type::Record(fields) => fields.iter().any(|(_, t)| witnessed_seen(t, v, seen)),
        Type::Sum(constrs) => {
            constrs.iter().any(|(_, ts)| ts.iter().any(|t| witnessed_seen(t, v, seen)))
        }
        // An abstract type need not have a value of its argument in it.
        Type::Opaque(_, args) => {
            args.iter().any(|arg| matches!(arg, TypeArg::Size(s) if *s == Size::Var(v)))
        }
    }
}

/// The surroundings of a place in a type, in a number: the innermost of the binders around.
pub(crate) fn within(binders: &[VarId]) -> u64 {
    binders.last().map_or(0, |v| u64::from(v.tag) + 1)
}

/// Calls `f` with every size outside of arrows.
pub(crate) fn dimensions(ty: &Type, f: &mut dyn FnMut(&Size)) {
    dimensions_seen(ty, &mut Seen::default(), f);
}

fn dimensions_seen(ty: &Type, seen: &mut Seen, f: &mut dyn FnMut(&Size)) {
    if seen.again(ty, 0) {
        return;
    }
    match ty {
        Type::Prim(_) | Type::Param(_) | Type::Arrow(_) => {}
        Type::Array { size, elem } => {
            f(size);
            dimensions_seen(elem, seen, f);
        }
        Type::Record(fields) => fields.iter().for_each(|(_, t)| dimensions_seen(t, seen, f)),
        Type::Sum(cs) => cs.iter().flat_map(|(_, ts)| ts).for_each(|t| dimensions_seen(t, seen, f)),
        Type::Opaque(_, args) => {
            for arg in args.iter() {
                match arg {
                    TypeArg::Size(s) => f(s),
                    TypeArg::Type(t) => dimensions_seen(t, seen, f),
                }
            }
        }
    }
}

/// Calls `f` with each variable in the sizes of a type that no arrow in it binds.
pub(crate) fn free_sizes(ty: &Type, inside: &mut Vec<VarId>, f: &mut dyn FnMut(VarId)) {
    walk_sizes(ty, inside, &mut Walk::default(), f);
}

/// As [`free_sizes`], but for parts that an earlier walk with the same `kept` and `purpose` has
/// been to.
pub(crate) fn new_free_sizes(
    ty: &Type,
    kept: &mut Lasting<()>,
    purpose: u64,
    f: &mut dyn FnMut(VarId),
) {
    let mut walk = Walk { seen: Seen::default(), kept: Some((kept, purpose)) };
    walk_sizes(ty, &mut Vec::new(), &mut walk, f);
}

/// A walk over the sizes of a type.
#[derive(Default)]
struct Walk<'k> {
    seen: Seen,
    kept: Option<(&'k mut Lasting<()>, u64)>,
}

impl Walk<'_> {
    fn again(&mut self, ty: &Type, inside: &[VarId]) -> bool {
        if self.seen.again(ty, within(inside)) {
            return true;
        }
        // Under a binder there are sizes that are not free.
        let Some((kept, purpose)) = self.kept.as_mut().filter(|_| inside.is_empty()) else {
            return false;
        };
        if kept.get(ty, *purpose).is_some() {
            return true;
        }
        if !self.seen.is_short() {
            kept.put(ty, *purpose, ());
        }
        false
    }
}

fn walk_sizes(ty: &Type, inside: &mut Vec<VarId>, walk: &mut Walk<'_>, f: &mut dyn FnMut(VarId)) {
    if walk.again(ty, inside) {
        return;
    }
    let size = |s: &Size, inside: &[VarId], f: &mut dyn FnMut(VarId)| {
        size_vars(s, &mut |v| {
            if !inside.contains(&v) {
                f(v);
            }
        });
    };
    match ty {
        Type::Prim(_) | Type::Param(_) => {}
        Type::Array { size: s, elem } => {
            size(s, inside, f);
            walk_sizes(elem, inside, walk, f);
        }
        Type::Record(fields) => fields.iter().for_each(|(_, t)| walk_sizes(t, inside, walk, f)),
        Type::Sum(cs) => {
            cs.iter().flat_map(|(_, ts)| ts).for_each(|t| walk_sizes(t, inside, walk, f));
        }
        Type::Arrow(a) => arrow_sizes(a, inside, walk, f),
        Type::Opaque(_, args) => {
            for arg in args.iter() {
                match arg {
                    TypeArg::Size(s) => size(s, inside, f),
                    TypeArg::Type(t) => walk_sizes(t, inside, walk, f),
                }
            }
        }
    }
}

fn arrow_sizes(a: &Arrow, inside: &mut Vec<VarId>, walk: &mut Walk<'_>, f: &mut dyn FnMut(VarId)) {
    walk_sizes(&a.param, inside, walk, f);
    let depth = inside.len();
    inside.extend(a.name.iter().chain(&a.ret_sizes));
    walk_sizes(&a.ret, inside, walk, f);
    inside.truncate(depth);
}
