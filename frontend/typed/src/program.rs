//! The typed, elaborated program.

use crate::diet::Diet;
use crate::name::Name;
use crate::prim::PrimValue;
use crate::span::{FileId, Span};
use crate::types::{Liftedness, Size, Type};
use std::sync::Arc;

/// A local: a variable, a function parameter, a size or a type parameter. Unique within its
/// top-level definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId {
    /// The name in the source, for readable output only.
    pub name: Name,
    /// What tells it from others of that name.
    pub tag: u32,
}

/// A top-level definition: the `index`-th made while checking `file`. The front end checks each
/// declaration of a file as a chunk of its own, so that numbers do not depend on other
/// declarations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DefId {
    /// The chunk where it was made; for a module parameter's use, the one that applied it.
    pub file: FileId,
    /// Number within the chunk.
    pub index: u32,
    /// The name in the source, after those of the modules it is in; for messages only.
    pub name: Name,
}

/// An abstract type: the `index`-th made while checking `file`. What users need to be told of it
/// and what it may hold are part of it, so that both are at hand wherever it is seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId {
    /// The chunk where it was made.
    pub file: FileId,
    /// Number within the chunk.
    pub index: u32,
    /// The name in the source, for readable output only.
    pub name: Name,
    /// What values of it may hold.
    pub liftedness: Liftedness,
}

/// A whole program: the file asked for, and all it imports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// Every definition, each after those it uses; recursion is not possible but through
    /// [`Def::recursive`].
    pub defs: Vec<Arc<Def>>,
    /// Every abstract type.
    pub opaques: Vec<Arc<Opaque>>,
}

/// An abstract type and what it stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opaque {
    /// Its id.
    pub id: TypeId,
    /// Its name with module path, such as `M.t`.
    pub name: Name,
    /// Its parameters: sizes and types.
    pub params: Vec<VarId>,
    /// The representation, over `params`; may hold further opaque types.
    pub rep: Type,
}

/// A top-level value or function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Def {
    /// Its id.
    pub id: DefId,
    /// Its name with module path, such as `f32.sum`.
    pub name: Name,
    /// The definition; with no parameters it is a constant.
    pub fun: FunDef,
    /// It calls itself.
    pub recursive: bool,
    /// Present on entry points.
    pub entry: Option<Entry>,
    /// Attributes, outermost first.
    pub attrs: Vec<Attr>,
    /// The whole definition in the source.
    pub span: Span,
}

/// An entry point (guide, "Entry Points"). Parameters and results in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The external name.
    pub name: Name,
    /// One per parameter.
    pub params: Vec<EntryParam>,
    /// The result, of the type the definition returns.
    pub result: EntryType,
}

/// A parameter of an entry point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryParam {
    /// The name, or `_` if the pattern has none.
    pub name: Name,
    /// The type.
    pub ty: EntryType,
}

/// A type as the outside sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryType {
    /// The type expression as written, if it was.
    pub written: Option<String>,
    /// Consumed parameter, or unaliased result.
    pub unique: bool,
    /// The type.
    pub ty: Type,
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
