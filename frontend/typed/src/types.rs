//! Types and expressions of the typed program. Every array dimension is a [`Size`] (guide, "Size Types"), which
//! may be an expression: they are one recursive data type.

use crate::diet::Diet;
use crate::ids::{DefId, TypeId, VarId};
use crate::name::Name;
use crate::prim::{PrimType, PrimValue};
use crate::span::Span;
use std::sync::Arc;

pub use crate::ids::Liftedness;

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

/// A function, top-level, local or anonymous.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunDef {
    /// Type parameters.
    pub type_params: Vec<VarId>,
    /// Size parameters, explicit and implicit.
    pub size_params: Vec<VarId>,
    /// Value parameters.
    pub params: Vec<Param>,
    /// Existential sizes of the result.
    pub ret_sizes: Vec<VarId>,
    /// The result type.
    pub ret: Type,
    /// What of the result is declared to alias nothing; not there if its type is not written.
    pub unique_ret: Option<Diet>,
    /// The body. Its type equals `ret` but for `ret_sizes`.
    pub body: Exp,
}

/// A value parameter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Param {
    /// The pattern, irrefutable; its type is the parameter's.
    pub pat: Pat,
    /// The name by which the result type may mention the parameter.
    pub name: Option<VarId>,
    /// What of it is consumed (`*`).
    pub consumes: Diet,
}

/// An attribute (guide, "Attributes").
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Attr {
    /// `inline`
    Name(Name),
    /// `3`
    Int(i64),
    /// `unroll(4)`
    Comp(Name, Vec<Attr>),
}

/// A pattern.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pat {
    /// What it is.
    pub kind: PatKind,
    /// The type of what it matches.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// What a pattern is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PatKind {
    /// `_`
    Wild,
    /// `x`
    Var(VarId),
    /// `{a = p, b = q}` or a tuple; sorted as the type's fields, every field present.
    Record(Vec<(Name, Pat)>),
    /// `#c p q`
    Constr(Name, Vec<Pat>),
    /// `3`
    Lit(PrimValue),
}

/// How a polymorphic value was instantiated: one entry per parameter, in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Inst {
    /// For [`FunDef::type_params`].
    pub types: Vec<Type>,
    /// For [`FunDef::size_params`]; [`Size::Unknown`] where only an argument's shape tells. Of a
    /// function that is applied, these and `types` may mention sizes which the arguments of the
    /// application bring into being.
    pub sizes: Vec<Size>,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Exp {
    /// What it is.
    pub kind: ExpKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is. Evaluation is strict, left to right, arguments before functions'
/// bodies.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ExpKind {
    /// A literal.
    Lit(PrimValue),
    /// A string literal: an array of `u8`.
    String(Arc<[u8]>),
    /// A local variable. The instantiation is empty unless it names a polymorphic local function.
    Var(VarId, Inst),
    /// A top-level value.
    Global(DefId, Inst),
    /// An intrinsic, see [`crate::intrinsics`]. Operators at primitive types are intrinsics too.
    Intrinsic(Name, Inst),
    /// `{a = x, b = y}` or a tuple. In the order of the source, which is that of evaluation; the
    /// type has them sorted.
    Record(Vec<(Name, Exp)>),
    /// `[x, y]`; possibly empty.
    ArrayLit(Vec<Exp>),
    /// `e.f`
    Project(Box<Exp>, Name),
    /// `#c x y`
    Constr(Name, Vec<Exp>),
    /// `a[i, j:k]`
    Index(Box<Exp>, Vec<DimIndex>),
    /// `a with [i] = v`; consumes `a`.
    Update {
        /// The array.
        array: Box<Exp>,
        /// Where.
        index: Vec<DimIndex>,
        /// What.
        value: Box<Exp>,
    },
    /// `r with f.g = v`
    RecordUpdate {
        /// The record.
        record: Box<Exp>,
        /// The fields, outermost first.
        path: Vec<Name>,
        /// What.
        value: Box<Exp>,
    },
    /// `start..step...end` and its kin; all of one integer type, and the result `[n]` of it.
    Range {
        /// First element.
        start: Box<Exp>,
        /// Second element, if given.
        second: Option<Box<Exp>>,
        /// The bound.
        end: RangeEnd,
    },
    /// `\x y -> e`, or a section; has no type parameters.
    Lambda(Arc<FunDef>),
    /// `f x y`: at least one argument. `sizes` are bound to the existential sizes of the result,
    /// which [`Exp::ty`] and what follows may mention.
    App {
        /// The function.
        fun: Box<Exp>,
        /// The arguments, in order.
        args: Vec<Exp>,
        /// Sizes this application brings into being.
        sizes: Vec<VarId>,
    },
    /// `x && y`
    And(Box<Exp>, Box<Exp>),
    /// `x || y`
    Or(Box<Exp>, Box<Exp>),
    /// `let [n] pat = rhs in body`
    Let {
        /// Sizes bound by the pattern.
        sizes: Vec<VarId>,
        /// The pattern, irrefutable.
        pat: Pat,
        /// What is bound.
        rhs: Box<Exp>,
        /// Where.
        body: Box<Exp>,
    },
    /// `let f x y = … in body`; not recursive.
    LetFun {
        /// The name.
        name: VarId,
        /// The function.
        fun: Arc<FunDef>,
        /// Where it is in scope.
        body: Box<Exp>,
    },
    /// `if c then t else f`; `sizes` as in [`ExpKind::App`].
    If {
        /// The condition.
        cond: Box<Exp>,
        /// If it holds.
        then: Box<Exp>,
        /// If not.
        otherwise: Box<Exp>,
        /// Existential sizes of the result.
        sizes: Vec<VarId>,
    },
    /// `match e case p -> …`; exhaustive.
    Match {
        /// What is matched.
        scrutinee: Box<Exp>,
        /// In order.
        cases: Vec<Case>,
        /// Existential sizes of the result.
        sizes: Vec<VarId>,
    },
    /// A loop.
    Loop(Box<Loop>),
    /// `assert cond body`, with the text of the condition for the message.
    Assert {
        /// What must hold.
        cond: Box<Exp>,
        /// The result.
        body: Box<Exp>,
        /// The condition as written.
        text: Arc<str>,
    },
    /// `e :> t`: checked at run time where the sizes are not evidently equal. The target is
    /// [`Exp::ty`].
    Coerce(Box<Exp>),
    /// `#[attr] e`
    Attr(Attr, Box<Exp>),
    /// `???`
    Hole,
}

/// One dimension of an index expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DimIndex {
    /// `i`, of any integer type.
    Fix(Exp),
    /// `start:end:stride`, each an `i64`.
    Slice {
        /// First index.
        start: Option<Box<Exp>>,
        /// Bound.
        end: Option<Box<Exp>>,
        /// Stride.
        stride: Option<Box<Exp>>,
    },
}

/// The bound of a range.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RangeEnd {
    /// `...e`
    Inclusive(Box<Exp>),
    /// `..<e`
    UpTo(Box<Exp>),
    /// `..>e`
    DownTo(Box<Exp>),
}

/// A case of a `match`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Case {
    /// The pattern, possibly refutable.
    pub pat: Pat,
    /// The result.
    pub body: Exp,
}

/// `loop [sizes] pat = init for … do body`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Loop {
    /// Sizes that vary from one iteration to the next; bound by the shape of the parameter.
    pub sizes: Vec<VarId>,
    /// The parameter.
    pub pat: Pat,
    /// What of the parameter is marked `*`.
    pub consumes: Diet,
    /// What of the parameter has its type written.
    pub annotated: Diet,
    /// Its first value.
    pub init: Exp,
    /// How often.
    pub form: LoopForm,
    /// Its next value.
    pub body: Exp,
    /// Existential sizes of the final result, for [`Exp::ty`].
    pub result_sizes: Vec<VarId>,
}

/// The form of a loop.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LoopForm {
    /// `for x < bound`; the bound has the type of `x`.
    For(VarId, Exp),
    /// `for pat in array`
    ForIn(Pat, Exp),
    /// `while cond`
    While(Exp),
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
