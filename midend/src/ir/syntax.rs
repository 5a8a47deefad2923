//! Programs, functions, statements and expressions of the Core IR.

use super::attr::StmAttr;
use super::op::{BinOp, CmpOp, ConvOp, MathFn, UnOp};
use super::prim::{IntType, Prim};
use super::schedule::Schedule;
use super::types::{MemBind, MemSpace, Size64, SubExp, Type, Var};
use futc_typed::forced::Forced;
use futc_typed::name::Name;

/// A level of the IR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "described in the module's table")]
pub enum Level {
    Soacs,
    Seg,
    Mem,
}

/// A source position as people read it: `file.fut:3:4-17`.
pub type Loc = Name;

/// Whether a position lies in the prelude, whose lines nobody looks for.
pub fn in_prelude(loc: Loc) -> bool {
    loc.as_str().starts_with("/prelude/")
}

/// A whole program.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// What it may contain.
    pub level: Level,
    /// Every tag in use is below this.
    pub next_tag: u32,
    /// Top-level constants, each after those it uses. Evaluated once when a context is made; a
    /// function sees their variables.
    pub consts: Body,
    /// What `consts.result` binds, in order: the globals.
    pub globals: Vec<PatElem>,
    /// Functions. Recursion is allowed.
    pub funs: Vec<Fun>,
}

/// A function.
///
/// Results are dependent as patterns are: `results` names each result, and the types of arrays
/// may mention parameters and the `i64` results before them.
#[derive(Clone, PartialEq, Debug)]
pub struct Fun {
    /// The name, unique in the program.
    pub name: Name,
    /// Present on entry points.
    pub entry: Option<EntryPoint>,
    /// Who else calls it, and where its body is.
    pub linkage: Linkage,
    /// Parameters; the sizes of arrays come before them.
    pub params: Vec<Param>,
    /// Results.
    pub results: Vec<PatElem>,
    /// The body; yields one operand per result.
    pub body: Body,
    /// Attributes, printed as in the source (`inline`, `noinline`, …).
    pub attrs: Vec<Name>,
    /// The definition's position.
    pub loc: Option<Loc>,
}

/// Which parts of a program that is compiled in parts (see [`crate::units`]) know a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Linkage {
    /// Only this one.
    #[default]
    Internal,
    /// This one has the body, others call it by this symbol.
    Exported(Name),
    /// Another one has the body; this one's is empty.
    Imported(Import),
}

/// A function of another part: what its callers are compiled by, besides its signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// Its symbol.
    pub symbol: Name,
    /// It writes to the outside or checks what must be checked whether its results are needed or not.
    pub has_effects: bool,
    /// Its results may lie in the block of a global.
    pub sees_globals: bool,
}

impl Fun {
    /// Whether the body is in another part of the program.
    pub fn is_imported(&self) -> bool {
        matches!(self.linkage, Linkage::Imported(_))
    }

    /// Whether somebody outside of this part of the program calls it.
    pub fn is_root(&self) -> bool {
        self.entry.is_some() || matches!(self.linkage, Linkage::Exported(_))
    }
}

/// What the outside sees of an entry point. Each parameter and result is a run of consecutive
/// parameters or results of the function: the explicit sizes first (see [`EntryPoint::sizes`]),
/// then the leaves of each value in turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryPoint {
    /// The external name.
    pub name: Name,
    /// Value parameters. Core parameters not covered by them, which come first, are sizes, to be
    /// taken from the shapes of the leaves that mention them.
    pub params: Vec<(Name, ExtType)>,
    /// Value results. Core results not covered by them, which come first, are sizes.
    pub results: Vec<ExtType>,
}

/// A type as the outside sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtType {
    /// The type in source syntax without sizes, such as `[][]f32`, or the name of an opaque type.
    pub name: String,
    /// Consumed parameter or unaliased result.
    pub unique: bool,
    /// How it looks from outside.
    pub kind: ExtKind,
}

/// How a value looks from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExtKind {
    /// A scalar or an array of scalars: one leaf.
    Transparent {
        /// The element type, with its sign.
        prim: futc_typed::prim::PrimType,
        /// Number of dimensions.
        rank: usize,
    },
    /// Anything else: this many leaves.
    Opaque {
        /// The leaves' element types and ranks.
        leaves: Vec<(futc_typed::prim::PrimType, usize)>,
        /// What can be taken apart from outside.
        structure: ExtStructure,
    },
}

/// The structure of an opaque value (guide, "Entry Points": records, sums, arrays of such).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExtStructure {
    /// Nothing to be seen.
    Atomic,
    /// A record or tuple: its fields in order, their leaves consecutive.
    Record(Vec<(String, ExtType)>),
    /// A sum: constructors in order, with the payload types and the leaf each of their leaves
    /// uses; leaf 0 is the `u8` tag.
    Sum(Vec<(String, Vec<Payload>)>),
    /// An array of records or sums: rank and element type.
    Array(usize, Box<ExtType>),
}

/// The type of a payload, and the leaf that each of its leaves uses.
pub type Payload = (ExtType, Vec<usize>);

/// A parameter of a function, loop or lambda.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Param {
    /// The variable.
    pub var: Var,
    /// Its type.
    pub ty: Type,
    /// Consumed by the function: its caller gives it up. Functions only.
    pub unique: bool,
    /// Where the array lies, at level mem.
    pub mem: Option<MemBind>,
}

/// What a pattern binds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PatElem {
    /// The variable.
    pub var: Var,
    /// Its type; may mention earlier elements of the same pattern.
    pub ty: Type,
    /// Where the array lies, at level mem. A result of a scan that nothing reads may lie nowhere: it is not
    /// stored. Of a block that does not exist before the statement
    /// (an existential block), the pattern binds the block, and its offset and strides if need
    /// be, before the array.
    pub mem: Option<MemBind>,
}

/// A sequence of statements and what they yield.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Body {
    /// In order.
    pub stms: Vec<Stm>,
    /// The results.
    pub result: Vec<SubExp>,
}

/// When an assertion is made; each demands more than the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum AssertKind {
    /// If what relies on its certificate is computed.
    #[default]
    Guard,
    /// Whenever the body it stands in is run: it guards a size, and what relies on it may name the size
    /// alone.
    Size,
    /// Even if nothing relies on it: what it guards is a function, or has no bits.
    Kept,
}

impl AssertKind {
    /// The word before the condition in the text, if there is one.
    pub fn word(self) -> Option<&'static str> {
        match self {
            AssertKind::Guard => None,
            AssertKind::Size => Some("size"),
            AssertKind::Kept => Some("keep"),
        }
    }
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Stm {
    /// What is bound; may be empty only for [`Exp::Retain`] and [`Exp::Release`].
    pub pat: Vec<PatElem>,
    /// What is computed.
    pub exp: Exp,
    /// Certificates that must hold first.
    pub certs: Vec<Var>,
    /// What is asked of it.
    pub attrs: Vec<StmAttr>,
    /// Where it comes from.
    pub loc: Option<Loc>,
    /// How a segmented operation is gone through, at the end of level mem.
    pub schedule: Option<Schedule>,
}

impl Stm {
    /// Whether this is asked of it.
    pub fn has(&self, attr: StmAttr) -> bool {
        self.attrs.contains(&attr)
    }

    /// How it is to be gone through, if anybody says so.
    pub fn forced(&self) -> Option<Forced> {
        self.attrs.iter().find_map(|a| match a {
            StmAttr::Schedule(how) => Some(*how),
            _ => None,
        })
    }

    /// Whether nothing is asked of it, but that the check of a size be made.
    pub fn is_plain(&self) -> bool {
        self.attrs.is_empty() && !self.is_assert(AssertKind::Kept)
    }

    /// Whether it is an assertion of this kind.
    pub fn is_assert(&self, wanted: AssertKind) -> bool {
        matches!(&self.exp, Exp::Assert { kind, .. } if *kind == wanted)
    }
}

/// One dimension of an index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DimIndex {
    /// One index; the dimension vanishes.
    Fix(SubExp),
    /// `n` indexes from `start` by `stride`, which may be negative.
    Slice {
        /// The first.
        start: SubExp,
        /// How many.
        n: SubExp,
        /// The distance.
        stride: SubExp,
    },
}

/// An expression. Array operands must be variables.
#[derive(Clone, PartialEq, Debug)]
pub enum Exp {
    /// An operand itself; of an array, another name for it.
    SubExp(SubExp),
    /// A unary operator.
    UnOp(UnOp, SubExp),
    /// A binary operator.
    BinOp(BinOp, SubExp, SubExp),
    /// A comparison.
    CmpOp(CmpOp, SubExp, SubExp),
    /// A conversion.
    ConvOp(ConvOp, SubExp),
    /// A scalar function at a type.
    Math(MathFn, Prim, Vec<SubExp>),
    /// An array of these rows, all of type `row`; possibly none.
    ArrayLit {
        /// The rows: scalars, or arrays of equal shape.
        elems: Vec<SubExp>,
        /// Their type.
        row: Type,
    },
    /// An element or a view. One entry per dimension. In bounds: the certificates say so.
    Index {
        /// The array.
        array: Var,
        /// Where.
        dims: Vec<DimIndex>,
    },
    /// The array with part of it replaced. Consumes `array`, and yields it.
    Update {
        /// The array.
        array: Var,
        /// Where, one entry per dimension. In bounds.
        dims: Vec<DimIndex>,
        /// What: of the shape that `dims` selects.
        value: SubExp,
    },
    /// A view of a one-dimensional array as `dims` (size, stride) from `offset`.
    FlatIndex {
        /// The array.
        array: Var,
        /// Of the first element.
        offset: SubExp,
        /// Size and stride, outermost first.
        dims: Vec<(SubExp, SubExp)>,
    },
    /// As [`Exp::Update`], at such a view.
    FlatUpdate {
        /// The array, consumed.
        array: Var,
        /// Of the first element.
        offset: SubExp,
        /// Size and stride, outermost first.
        dims: Vec<(SubExp, SubExp)>,
        /// What.
        value: Var,
    },
    /// `[start, start + stride, …]`, `n` of them, of an integer type.
    Iota {
        /// How many (`i64`).
        n: SubExp,
        /// The first, of type `ty`.
        start: SubExp,
        /// The distance, of type `ty`.
        stride: SubExp,
        /// The element type.
        ty: IntType,
    },
    /// `value` in every place of `shape`, which is put around the value's own.
    Replicate {
        /// New outer dimensions; possibly none, which makes it a copy.
        shape: Vec<SubExp>,
        /// A scalar or an array.
        value: SubExp,
    },
    /// An array with unspecified contents.
    Scratch {
        /// The element type.
        elem: Prim,
        /// The shape.
        shape: Vec<SubExp>,
    },
    /// The same elements in row-major order under another shape of the same size.
    Reshape {
        /// The array.
        array: Var,
        /// The new shape.
        shape: Vec<SubExp>,
    },
    /// Dimension `i` of the result is dimension `perm[i]` of the array.
    Rearrange {
        /// The array.
        array: Var,
        /// A permutation of the dimensions.
        perm: Vec<usize>,
    },
    /// The arrays one after the other along a dimension.
    Concat {
        /// The dimension.
        dim: usize,
        /// The arrays; at least one.
        arrays: Vec<Var>,
        /// The size of the result along that dimension.
        size: SubExp,
    },
    /// A fresh array with the same elements.
    Copy(Var),
    /// The value, hidden from the optimiser.
    Opaque(SubExp),
    /// The value, printed to standard error as the program runs.
    Trace(SubExp),
    /// A certificate that `cond` holds; if it does not, the program fails.
    Assert {
        /// When it is made.
        kind: AssertKind,
        /// What must hold.
        cond: SubExp,
        /// What is said if it does not. The position is the statement's.
        msg: Vec<MsgPart>,
    },
    /// The first case whose constant equals the scrutinee, or the default.
    /// `if c` is a match on a `bool` with the single case `true`.
    Match {
        /// A scalar: `bool` or integer.
        scrutinee: SubExp,
        /// Constants of its type with their bodies.
        cases: Vec<(super::types::Const, Body)>,
        /// If none is equal.
        default: Body,
    },
    /// A loop. The pattern's elements correspond to the parameters.
    Loop {
        /// The parameters; types may mention parameters before them.
        params: Vec<Param>,
        /// Their first values.
        init: Vec<SubExp>,
        /// How often.
        form: LoopForm,
        /// Yields the next values.
        body: Body,
    },
    /// A call of a function of the program.
    Call {
        /// Its name.
        fun: Name,
        /// The arguments, one per parameter.
        args: Vec<SubExp>,
    },
    /// A second-order array combinator (level soacs).
    Soac(Soac),
    /// A segmented operation (levels seg and mem).
    Seg(SegOp),
    /// What the tasks before this one have come to, from the neutral elements on, where this one comes to
    /// these values: an exclusive scan over tasks, in their order (level mem; a statement of the body of a map of
    /// level tasks, of one dimension and at most one for each body). What stands before it runs at the same time as
    /// other tasks do.
    Prefix {
        /// Over scalars.
        ops: Vec<Reduction>,
        /// Of this task.
        values: Vec<SubExp>,
    },
    /// How many threads tasks may run in, an `i64`: only code that has the same results for any number may ask.
    Workers,
    /// A fresh block (level mem).
    Alloc {
        /// How many bytes.
        bytes: Size64,
        /// Where.
        space: MemSpace,
    },
    /// One more owner of the block (level mem).
    Retain(Var),
    /// One owner less; the last one frees it (level mem).
    Release(Var),
}

/// A part of an error message.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MsgPart {
    /// Text.
    Text(String),
    /// A scalar's value, of the source type.
    Value(SubExp, futc_typed::prim::PrimType),
}

/// The form of a loop.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LoopForm {
    /// `for var < bound`; none at all if the bound is negative.
    For {
        /// The counter.
        var: Var,
        /// Its type.
        ty: IntType,
        /// The bound.
        bound: SubExp,
    },
    /// While this parameter, a `bool`, is true.
    While {
        /// One of the parameters.
        cond: Var,
    },
}

/// An anonymous function, only ever an operand of an array combinator.
#[derive(Clone, PartialEq, Debug)]
pub struct Lambda {
    /// Parameters.
    pub params: Vec<Param>,
    /// The body.
    pub body: Body,
    /// The types of the results; sizes are in scope outside.
    pub ret: Vec<Type>,
}

/// An associative operator with its neutral element, over one or more arrays at once.
#[derive(Clone, PartialEq, Debug)]
pub struct Reduction {
    /// Twice as many parameters as results: accumulators, then elements.
    pub op: Lambda,
    /// The neutral element.
    pub neutral: Vec<SubExp>,
    /// It may be applied in any order.
    pub commutative: bool,
}

/// A second-order array combinator.
#[derive(Clone, PartialEq, Debug)]
pub enum Soac {
    /// `map`, with scans and reductions of some of its results: the lambda is applied to the rows
    /// of `inputs`; of its results, the first go to `scans`, the next to `reduces`, the others
    /// are collected. The results are, in this order, the scanned arrays, the reductions and the
    /// mapped arrays. `map`, `reduce` and `scan` are its special cases.
    Screma {
        /// The size of the outer dimension of the inputs.
        width: SubExp,
        /// The arrays.
        inputs: Vec<Var>,
        /// One parameter per input.
        lambda: Lambda,
        /// Scans.
        scans: Vec<Reduction>,
        /// Reductions.
        reduces: Vec<Reduction>,
    },
    /// Generalised histogram. The lambda yields, for each operation in turn, its indexes (one per
    /// dimension of `shape`), and then, for each operation in turn, its values. An index out of
    /// bounds is ignored.
    Hist {
        /// The size of the outer dimension of the inputs.
        width: SubExp,
        /// The arrays.
        inputs: Vec<Var>,
        /// The histograms.
        ops: Vec<HistOp>,
        /// One parameter per input.
        lambda: Lambda,
    },
    /// The lambda yields, for each destination in turn, its index (one per dimension of `shape`),
    /// and then, for each destination in turn, the value written there. An index out of bounds is
    /// ignored; if one place is written twice, either value may stay.
    Scatter {
        /// The size of the outer dimension of the inputs.
        width: SubExp,
        /// The arrays.
        inputs: Vec<Var>,
        /// The destinations, consumed: number of outer dimensions indexed, and the array.
        dests: Vec<(usize, Var)>,
        /// One parameter per input.
        lambda: Lambda,
    },
}

impl Soac {
    /// The size of the outer dimension of the arrays whose rows the lambda is applied to.
    pub fn width(&self) -> SubExp {
        match self {
            Soac::Screma { width, .. } | Soac::Hist { width, .. } | Soac::Scatter { width, .. } => {
                *width
            }
        }
    }

    /// The arrays whose rows the lambda is applied to.
    pub fn inputs(&self) -> &[Var] {
        match self {
            Soac::Screma { inputs, .. }
            | Soac::Hist { inputs, .. }
            | Soac::Scatter { inputs, .. } => inputs,
        }
    }
}

/// One histogram.
#[derive(Clone, PartialEq, Debug)]
pub struct HistOp {
    /// The outer dimensions of the destinations, which are indexed.
    pub shape: Vec<SubExp>,
    /// The arrays updated, consumed.
    pub dests: Vec<Var>,
    /// The operator and its neutral element, over rows of the destinations.
    pub op: Reduction,
}

/// The index space of a segmented operation: `0 ≤ var < size` in every dimension, outermost
/// first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SegSpace {
    /// Index variables (`i64`) and sizes.
    pub dims: Vec<(Var, SubExp)>,
}

/// Who runs the points of an index space. What may stand inside of what is said by
/// [`SegLevel::may_hold`], and held by the verifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SegLevel {
    /// The thread that comes to the operation, wherever it runs, in row-major order.
    Seq,
    /// Tasks of the CPU's threads, each with a range of the segments or points.
    Tasks,
    /// The threads of a device's grid: a kernel with one thread for each point.
    Grid,
    /// The blocks of a device's grid: a kernel with one block of threads for each point.
    Block,
    /// The threads of the block that comes to the operation together.
    Thread,
}

impl SegLevel {
    /// Every level.
    pub const ALL: [SegLevel; 5] =
        [SegLevel::Seq, SegLevel::Tasks, SegLevel::Grid, SegLevel::Block, SegLevel::Thread];

    /// Its name in the text.
    pub fn name(self) -> &'static str {
        match self {
            SegLevel::Seq => "seq",
            SegLevel::Tasks => "tasks",
            SegLevel::Grid => "grid",
            SegLevel::Block => "block",
            SegLevel::Thread => "thread",
        }
    }

    /// Whether an operation of this level is a kernel, which a host launches on a device.
    pub fn is_kernel(self) -> bool {
        match self {
            SegLevel::Grid | SegLevel::Block => true,
            SegLevel::Seq | SegLevel::Tasks | SegLevel::Thread => false,
        }
    }

    /// Whether one thread runs all points, one after the other.
    pub fn is_sequential(self) -> bool {
        self == SegLevel::Seq
    }

    /// Who runs the body of an operation of level `inner` that stands in code of this level: code
    /// outside of all operations is the host's, [`SegLevel::Seq`]. Nothing if it may not stand there.
    pub fn may_hold(self, inner: SegLevel) -> Option<SegLevel> {
        match (self, inner) {
            // A loop runs where it stands.
            (outer, SegLevel::Seq) => Some(outer),
            // The host cuts tasks and launches kernels; tasks cut tasks.
            (SegLevel::Seq, SegLevel::Tasks | SegLevel::Grid | SegLevel::Block) => Some(inner),
            (SegLevel::Tasks, SegLevel::Tasks) => Some(inner),
            // Only a whole block gives its threads work; these are then threads of a grid.
            (SegLevel::Block, SegLevel::Thread) => Some(SegLevel::Grid),
            _ => None,
        }
    }
}

/// A segmented operation. All dimensions but the innermost are segments; of a map, the points are
/// independent. In place of rows of inputs, the body reads what it needs by index.
#[derive(Clone, PartialEq, Debug)]
pub struct SegOp {
    /// Who runs it.
    pub level: SegLevel,
    /// The index space.
    pub space: SegSpace,
    /// What is done with the results of the points.
    pub kind: SegKind,
    /// What is done at each point.
    pub body: KernelBody,
}

/// What a segmented operation does with the results of its points.
#[derive(Clone, PartialEq, Debug)]
pub enum SegKind {
    /// Results collected in arrays of the space's shape, or written into destinations.
    Map,
    /// The first results are reduced along the innermost dimension, the others collected over the
    /// whole space. The operators are over the first results.
    Red(Vec<Reduction>),
    /// The first results are scanned (inclusively) along the innermost dimension, the others
    /// collected. The operators are over the first results.
    Scan(Vec<Reduction>),
    /// Histograms. Results of the body: indexes, then values, as in [`Soac::Hist`]. With
    /// segments, the destinations have the segment dimensions outside.
    Hist(Vec<HistOp>),
}

impl SegKind {
    /// The operators of a reduction or scan.
    pub fn reductions(&self) -> &[Reduction] {
        match self {
            SegKind::Red(ops) | SegKind::Scan(ops) => ops,
            SegKind::Map | SegKind::Hist(_) => &[],
        }
    }

    /// How many dimensions of a space, counted from outside, are independent of one another.
    pub fn parallel_dims(&self, space: &SegSpace) -> usize {
        match self {
            SegKind::Map => space.dims.len(),
            SegKind::Red(_) | SegKind::Scan(_) | SegKind::Hist(_) => {
                space.dims.len().saturating_sub(1)
            }
        }
    }
}

/// What is done at each point of an index space.
#[derive(Clone, PartialEq, Debug)]
pub struct KernelBody {
    /// In order.
    pub stms: Vec<Stm>,
    /// What comes out.
    pub results: Vec<KernelResult>,
    /// The type of each result at one point; of a write, the type of the destination.
    pub types: Vec<Type>,
}

impl KernelBody {
    /// What happens before results are stored; and after it, the releases at the end.
    pub fn parts(&self) -> (&[Stm], &[Stm]) {
        let releases = |s: &&Stm| matches!(s.exp, Exp::Release(_));
        let after = self.stms.iter().rev().take_while(releases).count();
        self.stms.split_at(self.stms.len() - after)
    }
}

/// A result of one point.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum KernelResult {
    /// A value, collected at this point.
    Return(SubExp),
    /// Writes into a destination, which is consumed and is the result. Out of bounds is ignored.
    Write {
        /// The destination.
        dest: Var,
        /// Indexes of the outer dimensions, and the value.
        writes: Vec<(Vec<SubExp>, SubExp)>,
    },
}
