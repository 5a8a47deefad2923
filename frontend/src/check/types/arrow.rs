//! Making and changing the types of functions.

use futc_typed::diet::Diet;
use futc_typed::types::{Arrow, Type};
use std::sync::Arc;

/// `a -> b`
pub(crate) fn arrow(param: Type, ret: Type) -> Type {
    Type::Arrow(Arc::new(Arrow {
        name: None,
        param,
        consumes: Diet::Observe,
        ret_sizes: Vec::new(),
        ret,
        unique_ret: Diet::Observe,
    }))
}

/// The type of a function of `count` parameters with `unique` marked in its result.
pub(crate) fn with_unique_result(ty: &Type, count: usize, unique: &Diet) -> Type {
    match ty {
        Type::Arrow(a) if count > 0 => {
            let mut a = a.as_ref().clone();
            if count == 1 {
                a.unique_ret = unique.clone();
            } else {
                a.ret = with_unique_result(&a.ret, count - 1, unique);
            }
            Type::Arrow(Arc::new(a))
        }
        ty => ty.clone(),
    }
}
