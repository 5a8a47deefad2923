//! The syntax tree: what the parser makes and the checker reads. It keeps what was written
//! (parentheses, sections, literals without a type) and where; nothing is resolved.

use futc_typed::name::Name;
use futc_typed::prim::PrimType;
pub use futc_typed::span::Span;
pub use futc_typed::types::Liftedness;

/// A name where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ident {
    /// The name; of an operator, its symbols.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// A possibly qualified name, `M.N.x`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct QualName {
    /// The modules, outermost first.
    pub quals: Vec<Ident>,
    /// The last part.
    pub name: Ident,
    /// The whole.
    pub span: Span,
}

/// A file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct File {
    /// The documentation comment at its head.
    pub doc: Option<String>,
    /// Declarations in order.
    pub decs: Vec<Dec>,
}

/// A declaration.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Dec {
    /// What it is.
    pub kind: DecKind,
    /// Documentation comment (`-- | …`) before it.
    pub doc: Option<String>,
    /// Attributes before it.
    pub attrs: Vec<Attr>,
    /// Where it stands, without comment and attributes.
    pub span: Span,
}

/// What a declaration is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DecKind {
    /// `def`, `let` or `entry`.
    Val(ValBind),
    /// `type`
    Type(TypeBind),
    /// `module type`
    ModType(ModTypeBind),
    /// `module`
    Mod(ModBind),
    /// `open M`
    Open(ModExp),
    /// `import "file"` as a declaration: opens the file.
    Import(Import),
    /// `local dec`
    Local(Box<Dec>),
}

/// `import "file"`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Import {
    /// The path as written, without `.fut`.
    pub path: String,
    /// Of the string.
    pub span: Span,
}

/// A value definition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ValBind {
    /// `entry`
    pub entry: bool,
    /// The name; may be an operator.
    pub name: Ident,
    /// `[n] 't '~u '^v`
    pub type_params: Vec<TypeParam>,
    /// Parameters.
    pub params: Vec<Pat>,
    /// The result type, if given.
    pub ret: Option<TypeExp>,
    /// The body.
    pub body: Exp,
}

/// A size or type parameter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeParam {
    /// `[n]`
    Size(Ident),
    /// `'t`
    Type(Liftedness, Ident),
}

/// `type t 'a [n] = te`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TypeBind {
    /// `type`, `type~` or `type^`.
    pub liftedness: Liftedness,
    /// The name.
    pub name: Ident,
    /// Parameters.
    pub params: Vec<TypeParam>,
    /// What it stands for.
    pub ty: TypeExp,
}

/// `module type S = …`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ModTypeBind {
    /// The name.
    pub name: Ident,
    /// What it stands for.
    pub ty: ModTypeExp,
}

/// `module M (P: S) : T = …`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ModBind {
    /// The name.
    pub name: Ident,
    /// Parameters.
    pub params: Vec<ModParam>,
    /// Ascription.
    pub ascription: Option<ModTypeExp>,
    /// The module.
    pub body: ModExp,
}

/// `(P: S)`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ModParam {
    /// The name.
    pub name: Ident,
    /// Its type.
    pub ty: ModTypeExp,
    /// The whole.
    pub span: Span,
}

/// A module expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ModExp {
    /// What it is.
    pub kind: ModExpKind,
    /// Where it stands.
    pub span: Span,
}

/// What a module expression is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ModExpKind {
    /// `M.N`
    Var(QualName),
    /// `(m)`
    Parens(Box<ModExp>),
    /// `import "file"`
    Import(Import),
    /// `{ decs }`
    Decs(Vec<Dec>),
    /// `f m`
    Apply(Box<ModExp>, Box<ModExp>),
    /// `m : S`
    Ascript(Box<ModExp>, Box<ModTypeExp>),
    /// `\(P: S) : T -> m`
    Lambda(ModParam, Option<Box<ModTypeExp>>, Box<ModExp>),
}

/// A module type expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ModTypeExp {
    /// What it is.
    pub kind: ModTypeExpKind,
    /// Where it stands.
    pub span: Span,
}

/// What a module type expression is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ModTypeExpKind {
    /// `S`
    Var(QualName),
    /// `(s)`
    Parens(Box<ModTypeExp>),
    /// `{ specs }`
    Specs(Vec<Spec>),
    /// `S with t 'a = te`
    With(Box<ModTypeExp>, Box<TypeRefinement>),
    /// `(P: S) -> T` or `S -> T`
    Arrow(Option<Ident>, Box<ModTypeExp>, Box<ModTypeExp>),
}

/// `t 'a = te` in a `with`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TypeRefinement {
    /// The type refined.
    pub name: QualName,
    /// Parameters.
    pub params: Vec<TypeParam>,
    /// What it is to be.
    pub ty: TypeExp,
}

/// A specification in a module type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Spec {
    /// What it is.
    pub kind: SpecKind,
    /// Documentation comment.
    pub doc: Option<String>,
    /// Attributes.
    pub attrs: Vec<Attr>,
    /// Where it stands.
    pub span: Span,
}

/// What a specification is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SpecKind {
    /// `val x 'a [n] : te`
    Val {
        /// The name; may be an operator.
        name: Ident,
        /// Parameters.
        type_params: Vec<TypeParam>,
        /// The type.
        ty: TypeExp,
    },
    /// `type t 'a = te`
    TypeAbbr(TypeBind),
    /// `type t 'a`
    Type {
        /// `type`, `type~` or `type^`.
        liftedness: Liftedness,
        /// The name.
        name: Ident,
        /// Parameters.
        params: Vec<TypeParam>,
    },
    /// `module M : S`
    Mod(Ident, ModTypeExp),
    /// `include S`
    Include(ModTypeExp),
}

/// A type expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TypeExp {
    /// What it is.
    pub kind: TypeExpKind,
    /// Where it stands.
    pub span: Span,
}

/// What a type expression is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeExpKind {
    /// `M.t`, also the primitive types.
    Var(QualName),
    /// `(t)`
    Parens(Box<TypeExp>),
    /// `(t, u)`; `()` is the empty tuple.
    Tuple(Vec<TypeExp>),
    /// `{a: t, b: u}`
    Record(Vec<(Ident, TypeExp)>),
    /// `[n]t`
    Array(SizeExp, Box<TypeExp>),
    /// `*t`
    Unique(Box<TypeExp>),
    /// `t u` or `t [n]`, one argument at a time.
    Apply(Box<TypeExp>, Box<TypeArg>),
    /// `t -> u` or `(x: t) -> u`
    Arrow(Option<Ident>, Box<TypeExp>, Box<TypeExp>),
    /// `#a t u | #b`
    Sum(Vec<(Ident, Vec<TypeExp>)>),
    /// `?[n][m].t`
    Exists(Vec<Ident>, Box<TypeExp>),
    /// What the parser put where it found no type; an error has been reported.
    Error,
}

/// An argument of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeArg {
    /// `[n]`
    Size(SizeExp),
    /// `t`
    Type(TypeExp),
}

/// A dimension.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SizeExp {
    /// `[]`, or in a few places `[_]`.
    Any(Span),
    /// `[e]`
    Exp(Box<Exp>),
}

/// A pattern.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pat {
    /// What it is.
    pub kind: PatKind,
    /// Where it stands.
    pub span: Span,
}

/// What a pattern is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PatKind {
    /// `x`, or `(+)`.
    Var(Ident),
    /// `_`
    Wild,
    /// `(p)`
    Parens(Box<Pat>),
    /// `(p, q)`; `()` is the empty tuple.
    Tuple(Vec<Pat>),
    /// `{a = p, b}`; without a pattern, the field's name is bound.
    Record(Vec<(Ident, Option<Pat>)>),
    /// `p : t`
    Ascript(Box<Pat>, Box<TypeExp>),
    /// `3`, `-3.0f32`, `true`, `'c'`
    Lit(Literal),
    /// `#c p q`
    Constr(Ident, Vec<Pat>),
    /// `#[attr] p`
    Attr(Attr, Box<Pat>),
    /// What the parser put where it found no pattern.
    Error,
}

/// A literal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Literal {
    /// An integer, in any base; with a suffix it has that type (a float suffix is possible), without,
    /// any numeric type. Held as decimal digits without sign, so that the range check can be exact.
    Int {
        /// Negative, in patterns only; in expressions minus is an operator.
        negative: bool,
        /// Magnitude, decimal; too large ones are kept.
        digits: String,
        /// The type.
        suffix: Option<PrimType>,
        /// In hexadecimal or binary: the bits of the value, if there is a suffix.
        bits: bool,
    },
    /// A float: text that `str::parse::<f64>` reads (hexadecimal floats already converted).
    Float {
        /// Negative, in patterns only.
        negative: bool,
        /// The number.
        text: String,
        /// The type.
        suffix: Option<PrimType>,
    },
    /// `true` or `false`
    Bool(bool),
    /// `'c'`: overloaded as integers are, any code point.
    Char(char),
}

/// An attribute.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Attr {
    /// `inline`
    Name(Ident),
    /// `3`
    Int(i64, Span),
    /// `unroll(4)`
    Comp(Ident, Vec<Attr>, Span),
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Exp {
    /// What it is.
    pub kind: ExpKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is. Operator precedence is already resolved.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ExpKind {
    /// A literal.
    Lit(Literal),
    /// `"text"`, as UTF-8 bytes.
    String(Vec<u8>),
    /// `M.x`; also `(+)` and `M.(+)` as a value.
    Var(QualName),
    /// `(e)`
    Parens(Box<Exp>),
    /// `M.(e)`: `e` with `M` opened.
    QualParens(QualName, Box<Exp>),
    /// `(e, f)`; `()` is the empty tuple.
    Tuple(Vec<Exp>),
    /// `{a = e, b}`
    Record(Vec<RecordField>),
    /// `[e, f]`
    Array(Vec<Exp>),
    /// `e.f` where `e` is not a module path. `x.y` with `x` a name arrives as [`ExpKind::Var`]
    /// with `x` for a qualifier; the checker tells which it is.
    Project(Box<Exp>, Ident),
    /// `a[i, j:k]`
    Index(Box<Exp>, Vec<DimIndex>),
    /// `start..second...end`, `..<`, `..>`
    Range {
        /// First.
        start: Box<Exp>,
        /// Second.
        second: Option<Box<Exp>>,
        /// Kind of bound.
        kind: RangeKind,
        /// Bound.
        end: Box<Exp>,
    },
    /// `#c x y`: as many payloads as were written.
    Constr(Ident, Vec<Exp>),
    /// `f x`, one argument at a time.
    Apply(Box<Exp>, Box<Exp>),
    /// `x + y`, `` x `f` y ``, `x && y`, `x |> f`: every infix operator.
    BinOp {
        /// The operator, possibly qualified.
        op: QualName,
        /// Left.
        lhs: Box<Exp>,
        /// Right.
        rhs: Box<Exp>,
    },
    /// `-e`
    Negate(Box<Exp>),
    /// `!e`
    Not(Box<Exp>),
    /// `\x y : t -> e`
    Lambda {
        /// Parameters.
        params: Vec<Pat>,
        /// Result type.
        ret: Option<TypeExp>,
        /// Body.
        body: Box<Exp>,
    },
    /// `(+)`: see [`ExpKind::Var`]. `(x +)`
    SectionLeft(QualName, Box<Exp>),
    /// `(+ x)`
    SectionRight(QualName, Box<Exp>),
    /// `(.a.b)`
    SectionProject(Vec<Ident>),
    /// `(.[i, j])`
    SectionIndex(Vec<DimIndex>),
    /// `e : t`
    Ascript(Box<Exp>, Box<TypeExp>),
    /// `e :> t`
    Coerce(Box<Exp>, Box<TypeExp>),
    /// `let [n] p = e in body`
    Let {
        /// Sizes.
        sizes: Vec<Ident>,
        /// Pattern.
        pat: Pat,
        /// Bound expression.
        rhs: Box<Exp>,
        /// Body.
        body: Box<Exp>,
    },
    /// `let f [n] 't x : t = e in body`
    LetFun {
        /// Name; may be an operator.
        name: Ident,
        /// Type parameters.
        type_params: Vec<TypeParam>,
        /// Parameters, at least one.
        params: Vec<Pat>,
        /// Result type.
        ret: Option<TypeExp>,
        /// Function body.
        rhs: Box<Exp>,
        /// Body.
        body: Box<Exp>,
    },
    /// `let a[i] = e in body`, `let r.f.g = e in body`, or both mixed: `let a[i].f = e`.
    LetWith {
        /// What is updated.
        name: Ident,
        /// Where, outermost first.
        path: Vec<UpdateStep>,
        /// New value.
        rhs: Box<Exp>,
        /// Body.
        body: Box<Exp>,
    },
    /// `e with [i] = v`, `e with f.g = v`.
    Update {
        /// What is updated.
        exp: Box<Exp>,
        /// Where, outermost first.
        path: Vec<UpdateStep>,
        /// New value.
        value: Box<Exp>,
    },
    /// `if c then t else f`
    If(Box<Exp>, Box<Exp>, Box<Exp>),
    /// `match e case p -> …`
    Match(Box<Exp>, Vec<Case>),
    /// `loop [n] p = init for … do body`
    Loop(Box<Loop>),
    /// `assert c e`
    Assert(Box<Exp>, Box<Exp>),
    /// `#[attr] e`
    Attr(Attr, Box<Exp>),
    /// `???`
    Hole,
    /// What the parser put where it found no expression.
    Error,
}

/// One step into what is updated.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum UpdateStep {
    /// `[i, j:k]`
    Index(Vec<DimIndex>, Span),
    /// `.f`
    Field(Ident),
}

/// A field of a record expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RecordField {
    /// `a = e`
    Explicit(Ident, Exp),
    /// `a` or `M.a`: the variable of that name.
    Implicit(QualName),
}

/// One dimension of an index.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DimIndex {
    /// `i`
    Fix(Exp),
    /// `start:end:stride`
    Slice {
        /// First.
        start: Option<Box<Exp>>,
        /// Bound.
        end: Option<Box<Exp>>,
        /// Stride.
        stride: Option<Box<Exp>>,
        /// The whole.
        span: Span,
    },
}

/// The kind of a range's bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RangeKind {
    /// `...`
    Inclusive,
    /// `..<`
    UpTo,
    /// `..>`
    DownTo,
}

/// A case of a `match`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Case {
    /// Pattern.
    pub pat: Pat,
    /// Result.
    pub body: Exp,
    /// The whole.
    pub span: Span,
}

/// A loop.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Loop {
    /// Explicit sizes.
    pub sizes: Vec<Ident>,
    /// Parameter.
    pub pat: Pat,
    /// First value; without one, the parameter's variables.
    pub init: Option<Exp>,
    /// How often.
    pub form: LoopForm,
    /// Body.
    pub body: Exp,
}

/// The form of a loop.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LoopForm {
    /// `for i < n`
    For(Ident, Exp),
    /// `for p in xs`
    ForIn(Pat, Exp),
    /// `while c`
    While(Exp),
}
