//! The unknowns in a type.

use crate::check::infer::unknown::is_meta;
use crate::check::types::subst::size_vars;
use futc_typed::program::VarId;
use futc_typed::shared::Seen;
use futc_typed::types::{Size, Type, TypeArg};

/// The unknown sizes in a type, in order.
pub(crate) fn open_sizes(ty: &Type, out: &mut Vec<VarId>) {
    open_sizes_seen(ty, &mut Seen::default(), out);
}

fn open_sizes_seen(ty: &Type, seen: &mut Seen, out: &mut Vec<VarId>) {
    if seen.again(ty, 0) {
        return;
    }
    let add = |s: &Size, out: &mut Vec<VarId>| {
        size_vars(s, &mut |v| {
            if is_meta(v) && !out.contains(&v) {
                out.push(v);
            }
        });
    };
    match ty {
        Type::Prim(_) | Type::Param(_) => {}
        Type::Array { size, elem } => {
            add(size, out);
            open_sizes_seen(elem, seen, out);
        }
        Type::Record(fields) => fields.iter().for_each(|(_, t)| open_sizes_seen(t, seen, out)),
        Type::Sum(cs) => {
            cs.iter().flat_map(|(_, ts)| ts).for_each(|t| open_sizes_seen(t, seen, out))
        }
        Type::Arrow(a) => {
            open_sizes_seen(&a.param, seen, out);
            open_sizes_seen(&a.ret, seen, out);
        }
        Type::Opaque(_, args) => {
            for arg in args.iter() {
                match arg {
                    TypeArg::Size(s) => add(s, out),
                    TypeArg::Type(t) => open_sizes_seen(t, seen, out),
                }
            }
        }
    }
}

/// The unknown types in a type, in order.
pub(crate) fn open_types(ty: &Type, out: &mut Vec<VarId>) {
    open_types_seen(ty, &mut Seen::default(), out);
}

fn open_types_seen(ty: &Type, seen: &mut Seen, out: &mut Vec<VarId>) {
    if seen.again(ty, 0) {
        return;
    }
    match ty {
        Type::Prim(_) => {}
        Type::Param(v) => {
            if is_meta(*v) && !out.contains(v) {
                out.push(*v);
            }
        }
        Type::Array { elem, .. } => open_types_seen(elem, seen, out),
        Type::Record(fields) => fields.iter().for_each(|(_, t)| open_types_seen(t, seen, out)),
        Type::Sum(cs) => {
            cs.iter().flat_map(|(_, ts)| ts).for_each(|t| open_types_seen(t, seen, out))
        }
        Type::Arrow(a) => {
            open_types_seen(&a.param, seen, out);
            open_types_seen(&a.ret, seen, out);
        }
        Type::Opaque(_, args) => {
            for arg in args.iter() {
                if let TypeArg::Type(t) = arg {
                    open_types_seen(t, seen, out);
                }
            }
        }
    }
}
