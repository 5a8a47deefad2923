//! The environment that everything starts from: primitive types, built-in operators, and the
//! module `intrinsics`, made from the tables of [`futc_typed::intrinsics`].

use crate::check::modules::typebind::spec_scheme;
use crate::check::types::arrow::arrow;
use crate::check::types::elab::Elab;
use crate::check::types::env::{Env, ModBinding, Scheme, TypeBinding, ValueBinding};
use crate::syntax::ast::Liftedness;
use crate::syntax::parser::parse_type_scheme;
use futc_typed::intrinsics::{ARRAYS, FLOAT_SCALARS, OPERATORS, SCALARS, conversion};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::span::{FileId, Span};
use futc_typed::types::Type;
use std::sync::{Arc, LazyLock};

/// The file that intrinsics say they stand in; no file has this number.
pub const INTRINSICS_FILE: FileId = FileId(u32::MAX);

static INITIAL: LazyLock<Env> = LazyLock::new(initial);

/// Primitive types, operators and the module `intrinsics`.
pub fn initial_env() -> &'static Env {
    &INITIAL
}

fn initial() -> Env {
    let mut env = Env::default();
    let here = Span::new(INTRINSICS_FILE, 0, 0);
    for t in PrimType::ALL {
        env.types.insert(Name::new(t.name()), plain_type(Type::Prim(t), here));
    }
    for (name, over, compares) in OPERATORS {
        let name = Name::new(name);
        env.values.insert(name, ValueBinding::Operator { name, over: *over, compares: *compares });
    }
    // Sizes in the intrinsics' types use the operators.
    let types = env.clone();
    let mut intrinsics = env.clone();
    let mut add = |name: &str, scheme: Scheme| {
        let name = Name::new(name);
        intrinsics.values.insert(name, ValueBinding::Intrinsic { name, scheme: Arc::new(scheme) });
    };
    for t in PrimType::ALL {
        for (name, over, signature) in SCALARS {
            if over.has(t) {
                add(&format!("{t}_{name}"), scalar(signature, t));
            }
        }
        if t.is_float() {
            for (name, signature) in FLOAT_SCALARS {
                add(&format!("{t}_{name}"), scalar(signature, t));
            }
        }
        for u in PrimType::ALL {
            add(&conversion(t, u), function(Type::Prim(t), Type::Prim(u)));
        }
    }
    let mut cx = Elab::new(INTRINSICS_FILE);
    for (name, signature) in ARRAYS {
        let ((params, te), wrong) = parse_type_scheme(INTRINSICS_FILE, signature);
        if wrong.is_empty()
            && let Some(scheme) = spec_scheme(&mut cx, &types, &params, &te)
        {
            add(name, scheme);
        }
    }
    env.modules.insert(Name::new("intrinsics"), ModBinding::Structure(Arc::new(intrinsics)));
    env
}

/// A type that is what it says.
fn plain_type(ty: Type, span: Span) -> TypeBinding {
    TypeBinding {
        liftedness: Liftedness::Unlifted,
        params: Vec::new(),
        sizes: Vec::new(),
        ty,
        span,
    }
}

fn function(param: Type, ret: Type) -> Scheme {
    Scheme { type_params: Vec::new(), size_params: Vec::new(), ty: arrow(param, ret) }
}

/// A signature such as `t -> i32` at a primitive type.
fn scalar(signature: &str, t: PrimType) -> Scheme {
    let mut parts: Vec<Type> = signature.split(" -> ").map(|word| scalar_type(word, t)).collect();
    let mut ty = parts.pop().unwrap_or_else(Type::unit);
    while let Some(param) = parts.pop() {
        ty = arrow(param, ty);
    }
    Scheme { type_params: Vec::new(), size_params: Vec::new(), ty }
}

fn scalar_type(word: &str, t: PrimType) -> Type {
    Type::Prim(match word {
        "b" => match t.bits() {
            8 => PrimType::U8,
            16 => PrimType::U16,
            32 => PrimType::U32,
            _ => PrimType::U64,
        },
        "t" => t,
        name => PrimType::from_name(name).unwrap_or(t),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_signature_is_read() {
        let env = initial_env();
        let intrinsics = env.module(&[Name::new("intrinsics")]).map(|m| &m.values);
        let missing: Vec<_> = ARRAYS
            .iter()
            .filter(|(n, _)| !intrinsics.is_some_and(|m| m.contains_key(&Name::new(n))))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn dependent_sizes_are_bound_to_parameters() {
        let env = initial_env();
        let Some(m) = env.module(&[Name::new("intrinsics")]) else { return };
        let Some(ValueBinding::Intrinsic { scheme, .. }) = m.values.get(&Name::new("replicate"))
        else {
            unreachable!("replicate is an intrinsic")
        };
        let Type::Arrow(a) = &scheme.ty else { unreachable!("it is a function") };
        assert!(a.name.is_some());
    }
}
