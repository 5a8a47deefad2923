//! Types of the typed program. Every array dimension is a [`Size`] (guide, "Size Types").

use crate::diet::Diet;
use crate::name::Name;
use crate::prim::PrimType;
use crate::program::{DefId, Exp, TypeId, VarId};
use crate::shared::Seen;
use std::sync::Arc;

/// A size: an `i64` known by a constant, a variable in scope, or an expression over such.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Size {
    /// A constant.
    Const(i64),
    /// A local variable or size parameter in scope.
    Var(VarId),
    /// A top-level value.
    Global(DefId),
    /// Any other pure expression of type `i64`, such as `n + 1`; its variables are in scope.
    Exp(Arc<Exp>),
    /// Not known statically and bound nowhere: take it from the value. Only in the types of
    /// values at hand, never where a shape must be built before its value.
    Unknown,
}

/// Liftedness of a type or type parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Liftedness {
    /// `'t`
    Unlifted,
    /// `'~t`: may hold unknown sizes.
    SizeLifted,
    /// `'^t`: may hold functions.
    Lifted,
}

/// A type. Its parts may be shared: see [`crate::shared`], also for equality and hashes.
#[derive(Clone, Debug)]
pub enum Type {
    /// A primitive type.
    Prim(PrimType),
    /// `[size]elem`.
    Array {
        /// The outermost dimension.
        size: Size,
        /// The type of a row.
        elem: Arc<Type>,
    },
    /// A record, its fields sorted as [`field_order`] says. A tuple is a record with the fields
    /// `0`, `1`, …; the unit type is the empty record.
    Record(Arc<[(Name, Type)]>),
    /// A sum type, constructors sorted by their text.
    Sum(Arc<[(Name, Vec<Type>)]>),
    /// A function.
    Arrow(Arc<Arrow>),
    /// A type parameter of an enclosing definition.
    Param(VarId),
    /// An abstract type of a module; its representation is in [`crate::program::Program::opaques`].
    Opaque(TypeId, Arc<[TypeArg]>),
}

/// `(name: param) -> ?[ret_sizes]. ret`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Arrow {
    /// The parameter's name, if `ret` mentions it as a size.
    pub name: Option<VarId>,
    /// The parameter's type.
    pub param: Type,
    /// What of the parameter is consumed (`*`).
    pub consumes: Diet,
    /// Existential sizes of the result.
    pub ret_sizes: Vec<VarId>,
    /// The result type.
    pub ret: Type,
    /// What of the result aliases nothing (`*`).
    pub unique_ret: Diet,
}

/// An argument of a type constructor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeArg {
    /// A size.
    Size(Size),
    /// A type.
    Type(Type),
}

impl Type {
    /// The unit type `()`.
    pub fn unit() -> Type {
        Type::Record(Arc::from([]))
    }

    /// The tuple of `types`; of one type it is that type.
    pub fn tuple(types: Vec<Type>) -> Type {
        if types.len() == 1
            && let Some(t) = types.first()
        {
            return t.clone();
        }
        Type::Record(
            types.into_iter().enumerate().map(|(i, t)| (Name::new(&i.to_string()), t)).collect(),
        )
    }

    /// `[size]self`.
    pub fn array(self, size: Size) -> Type {
        Type::Array { size, elem: Arc::new(self) }
    }

    /// Whether a value of the type can share memory with another: whether it holds more than
    /// scalars. Of an unknown type it is assumed.
    pub fn aliases(&self) -> bool {
        fn aliases(ty: &Type, seen: &mut Seen) -> bool {
            if seen.again(ty, 0) {
                // Had it been so, the walk would have ended there.
                return false;
            }
            match ty {
                Type::Prim(_) => false,
                Type::Array { .. } | Type::Arrow(_) | Type::Param(_) | Type::Opaque(..) => true,
                Type::Record(fields) => fields.iter().any(|(_, t)| aliases(t, seen)),
                Type::Sum(constrs) => {
                    constrs.iter().flat_map(|(_, ts)| ts).any(|t| aliases(t, seen))
                }
            }
        }
        aliases(self, &mut Seen::default())
    }

    /// Number of outer array dimensions.
    pub fn rank(&self) -> usize {
        match self {
            Type::Array { elem, .. } => 1 + elem.rank(),
            _ => 0,
        }
    }

    /// The components if this is a tuple of two or more, or the unit.
    pub fn as_tuple(&self) -> Option<Vec<&Type>> {
        match self {
            Type::Record(fields)
                if fields.len() != 1
                    && fields.iter().enumerate().all(|(i, (n, _))| n.as_str() == i.to_string()) =>
            {
                Some(fields.iter().map(|(_, t)| t).collect())
            }
            _ => None,
        }
    }
}

/// The order of record fields: numbers by value and before other names, names by their text.
pub fn field_order(a: Name, b: Name) -> std::cmp::Ordering {
    match (a.as_str().parse::<u64>(), b.as_str().parse::<u64>()) {
        (Ok(x), Ok(y)) => x.cmp(&y),
        (Ok(_), Err(_)) => std::cmp::Ordering::Less,
        (Err(_), Ok(_)) => std::cmp::Ordering::Greater,
        (Err(_), Err(_)) => a.as_str().cmp(b.as_str()),
    }
}
