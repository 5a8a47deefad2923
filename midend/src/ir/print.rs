//! The text form of the IR. [`super::parse`] reads exactly what is written here.
//!
//! Rules that make it good to read and to search:
//!
//! - every operation has a keyword of its own, with its types attached by dots: `add.i64(x_1, 2)`,
//!   `sext.i32.i64(x_1)`, `math.sin.f32(x_1)`;
//! - a constant carries its type, except that `i64`, the type of sizes, is bare: `7`, `7i32`,
//!   `1.5f32`, `f64.inf`;
//! - a variable is `base_tag`; a base that is no identifier stands in back quotes;
//! - a statement is `let PATTERN = <CERTIFICATES> #[ATTRIBUTES] EXP at "POSITION"`;
//! - at level mem, `@ block -> {offset; (size, stride), …}` follows a type.

use super::op::{BinOp, CmpOp, ConvOp, UnOp};
use super::syntax::*;
use super::types::{Const, Lmad, LmadDim, MemBind, MemSpace, Size64, SubExp, Type, Var};
use futc_typed::name::Name;
use std::fmt::{self, Display, Write};

/// Writes IR with indentation.
struct Printer<'a> {
    out: &'a mut dyn Write,
    indent: usize,
}

type Res = fmt::Result;

macro_rules! w {
    ($p:expr, $($arg:tt)*) => { write!($p.out, $($arg)*) };
}

/// Whether `s` can stand bare.
pub(super) fn is_plain(s: &str) -> bool {
    let mut chars = s.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '.'))
}

struct Var_(Var);
impl Display for Var_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        let base = self.0.base.as_str();
        if base.is_empty() || is_plain(base) {
            write!(f, "{base}_{}", self.0.tag)
        } else {
            write!(f, "`{base}`_{}", self.0.tag)
        }
    }
}

/// A function's or attribute's name.
struct Name_(Name);
impl Display for Name_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        let s = self.0.as_str();
        if is_plain(s) { f.write_str(s) } else { write!(f, "`{s}`") }
    }
}

struct Quoted<'s>(&'s str);
impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// Comma-separated.
struct Sep<'s, T>(&'s [T]);
impl<T: Display> Display for Sep<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        for (i, x) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            x.fmt(f)?;
        }
        Ok(())
    }
}

struct Vars<'s>(&'s [Var]);
impl Display for Vars<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        for (i, &x) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            Var_(x).fmt(f)?;
        }
        Ok(())
    }
}

impl Display for Const {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        fn float(f: &mut fmt::Formatter<'_>, c: Const, x: f64, shown: &dyn fmt::Debug) -> Res {
            let ty = c.prim();
            if x.is_finite() {
                write!(f, "{shown:?}{ty}")
            } else if x.is_infinite() {
                write!(f, "{}{ty}.inf", if x < 0.0 { "-" } else { "" })
            } else {
                write!(f, "{ty}.nan({:#x})", c.bits())
            }
        }
        match *self {
            Const::Bool(x) => write!(f, "{x}"),
            Const::I8(x) => write!(f, "{x}i8"),
            Const::I16(x) => write!(f, "{x}i16"),
            Const::I32(x) => write!(f, "{x}i32"),
            Const::I64(x) => write!(f, "{x}"),
            Const::F16(x) => float(f, *self, x.to_f64(), &x.to_f32()),
            Const::F32(x) => float(f, *self, f64::from(x), &x),
            Const::F64(x) => float(f, *self, x, &x),
        }
    }
}

impl Display for SubExp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        match self {
            SubExp::Var(v) => Var_(*v).fmt(f),
            SubExp::Const(c) => c.fmt(f),
        }
    }
}

impl Display for MemSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        f.write_str(match self {
            MemSpace::Host => "host",
            MemSpace::Device => "device",
            MemSpace::Local => "local",
        })
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        match self {
            Type::Prim(p) => p.fmt(f),
            Type::Array { elem, shape } => {
                for n in shape {
                    write!(f, "[{n}]")?;
                }
                elem.fmt(f)
            }
            Type::Cert => f.write_str("cert"),
            Type::Mem(s) => write!(f, "mem.{s}"),
        }
    }
}

impl Display for Size64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        match self {
            Size64::Leaf(x) => x.fmt(f),
            Size64::Add(a, b) => write!(f, "({a} + {b})"),
            Size64::Sub(a, b) => write!(f, "({a} - {b})"),
            Size64::Mul(a, b) => write!(f, "({a} * {b})"),
        }
    }
}

impl Display for LmadDim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        write!(f, "({}, {})", self.n, self.stride)
    }
}

impl Display for Lmad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        write!(f, "{{{}; {}}}", self.offset, Sep(&self.dims))
    }
}

impl Display for MemBind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        write!(f, "{} -> {}", Var_(self.block), self.lmad)
    }
}

impl Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        let star = if self.unique { "*" } else { "" };
        write!(f, "{star}{}: {}", Var_(self.var), self.ty)?;
        if let Some(m) = &self.mem {
            write!(f, " @ {m}")?;
        }
        Ok(())
    }
}

impl Display for PatElem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        write!(f, "{}: {}", Var_(self.var), self.ty)?;
        if let Some(m) = &self.mem {
            write!(f, " @ {m}")?;
        }
        Ok(())
    }
}

impl Display for DimIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        match self {
            DimIndex::Fix(i) => i.fmt(f),
            DimIndex::Slice { start, n, stride } => write!(f, "{start} :+ {n} * {stride}"),
        }
    }
}

impl Display for UnOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        match self {
            UnOp::Not => f.write_str("not"),
            UnOp::Complement(t) => write!(f, "complement.{t}"),
            UnOp::Neg(t) => write!(f, "neg.{t}"),
            UnOp::FNeg(t) => write!(f, "fneg.{t}"),
            UnOp::Abs(t) => write!(f, "abs.{t}"),
            UnOp::FAbs(t) => write!(f, "fabs.{t}"),
            UnOp::SSignum(t) => write!(f, "ssignum.{t}"),
            UnOp::USignum(t) => write!(f, "usignum.{t}"),
            UnOp::FSignum(t) => write!(f, "fsignum.{t}"),
        }
    }
}

impl Display for BinOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        match self {
            BinOp::LogAnd | BinOp::LogOr => f.write_str(self.name()),
            _ => write!(f, "{}.{}", self.name(), self.prim()),
        }
    }
}

impl Display for CmpOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        let name = match self {
            CmpOp::Eq(_) => "eq",
            CmpOp::ULt(_) => "ult",
            CmpOp::ULe(_) => "ule",
            CmpOp::SLt(_) => "slt",
            CmpOp::SLe(_) => "sle",
            CmpOp::FLt(_) => "flt",
            CmpOp::FLe(_) => "fle",
            CmpOp::LLt => return f.write_str("llt"),
            CmpOp::LLe => return f.write_str("lle"),
        };
        write!(f, "{name}.{}", self.prim())
    }
}

impl Display for ConvOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        match self {
            ConvOp::ZExt(a, b) => write!(f, "zext.{a}.{b}"),
            ConvOp::SExt(a, b) => write!(f, "sext.{a}.{b}"),
            ConvOp::FPConv(a, b) => write!(f, "fpconv.{a}.{b}"),
            ConvOp::FPToUI(a, b) => write!(f, "fptoui.{a}.{b}"),
            ConvOp::FPToSI(a, b) => write!(f, "fptosi.{a}.{b}"),
            ConvOp::UIToFP(a, b) => write!(f, "uitofp.{a}.{b}"),
            ConvOp::SIToFP(a, b) => write!(f, "sitofp.{a}.{b}"),
            ConvOp::IToB(a) => write!(f, "itob.{a}"),
            ConvOp::BToI(a) => write!(f, "btoi.{a}"),
            ConvOp::FToB(a) => write!(f, "ftob.{a}"),
            ConvOp::BToF(a) => write!(f, "btof.{a}"),
            ConvOp::FToBits(a) => write!(f, "ftobits.{a}"),
            ConvOp::BitsToF(a) => write!(f, "bitstof.{a}"),
        }
    }
}

impl Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        f.write_str(match self {
            Level::Soacs => "soacs",
            Level::Seg => "seg",
            Level::Mem => "mem",
        })
    }
}

impl Display for SegLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        f.write_str(self.name())
    }
}

impl Display for ExtType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        if self.unique {
            f.write_char('*')?;
        }
        write!(f, "{} ", Quoted(&self.name))?;
        match &self.kind {
            ExtKind::Transparent { prim, rank } => write!(f, "{}{prim}", "[]".repeat(*rank)),
            ExtKind::Opaque { leaves, structure } => {
                f.write_char('{')?;
                for (i, (prim, rank)) in leaves.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    write!(f, "{comma}{}{prim}", "[]".repeat(*rank))?;
                }
                f.write_char('}')?;
                structure.fmt(f)
            }
        }
    }
}

impl Display for ExtStructure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        match self {
            ExtStructure::Atomic => Ok(()),
            ExtStructure::Record(fields) => {
                f.write_str(" record (")?;
                for (i, (name, ty)) in fields.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    write!(f, "{comma}{}: {ty}", Quoted(name))?;
                }
                f.write_char(')')
            }
            ExtStructure::Sum(constructors) => {
                f.write_str(" sum (")?;
                for (i, (name, payload)) in constructors.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    write!(f, "{comma}{} (", Quoted(name))?;
                    for (j, (ty, leaves)) in payload.iter().enumerate() {
                        let comma = if j > 0 { ", " } else { "" };
                        write!(f, "{comma}{ty} in [{}]", Sep(leaves))?;
                    }
                    f.write_char(')')?;
                }
                f.write_char(')')
            }
            ExtStructure::Array(rank, elem) => write!(f, " array {rank} {elem}"),
        }
    }
}

impl Display for EntryPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
        write!(f, "entry {} (", Quoted(self.name.as_str()))?;
        for (i, (name, ty)) in self.params.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}{}: {ty}", Quoted(name.as_str()))?;
        }
        write!(f, ") -> ({})", Sep(&self.results))
    }
}

/// Whether the lambda gives back its arguments.
pub fn is_identity(l: &Lambda) -> bool {
    l.body.stms.is_empty()
        && l.params.len() == l.body.result.len()
        && l.params.len() == l.ret.len()
        && l.params.iter().zip(&l.body.result).all(|(p, r)| SubExp::Var(p.var) == *r)
        && l.params.iter().zip(&l.ret).all(|(p, t)| p.ty == *t)
}

impl Printer<'_> {
    fn line(&mut self) -> Res {
        w!(self, "\n{:1$}", "", self.indent)
    }

    fn attrs(&mut self, attrs: impl Iterator<Item = impl fmt::Display>) -> Res {
        let mut any = false;
        for a in attrs {
            w!(self, "{}{a}", if any { ", " } else { "#[" })?;
            any = true;
        }
        if any { w!(self, "] ") } else { Ok(()) }
    }

    fn loc(&mut self, loc: Option<Loc>) -> Res {
        match loc {
            Some(l) => w!(self, " at {}", Quoted(l.as_str())),
            None => Ok(()),
        }
    }

    fn program(&mut self, p: &Program) -> Res {
        w!(self, "level {}\n", p.level)?;
        if !p.globals.is_empty() || !p.consts.stms.is_empty() {
            w!(self, "\nglobal ({}) = ", Sep(&p.globals))?;
            self.body(&p.consts)?;
            w!(self, "\n")?;
        }
        for f in &p.funs {
            w!(self, "\n")?;
            self.fun(f)?;
        }
        Ok(())
    }

    fn fun(&mut self, f: &Fun) -> Res {
        self.attrs(f.attrs.iter().map(|a| Name_(*a)))?;
        w!(self, "fun {} ({}) : ({})", Name_(f.name), Sep(&f.params), Sep(&f.results))?;
        self.loc(f.loc)?;
        if let Some(e) = &f.entry {
            w!(self, "\n  {e}\n")?;
        } else {
            w!(self, " ")?;
        }
        match &f.linkage {
            Linkage::Internal => {}
            Linkage::Exported(symbol) => w!(self, "exported {} ", Quoted(symbol.as_str()))?,
            Linkage::Imported(i) => {
                w!(self, "imported {}", Quoted(i.symbol.as_str()))?;
                for (word, is) in [("effects", i.has_effects), ("globals", i.sees_globals)] {
                    if is {
                        w!(self, " {word}")?;
                    }
                }
                return w!(self, "\n");
            }
        }
        self.body(&f.body)?;
        w!(self, "\n")
    }

    /// In braces, opened on the current line.
    fn body(&mut self, b: &Body) -> Res {
        w!(self, "{{")?;
        self.indent += 2;
        self.stms(&b.stms)?;
        self.line()?;
        self.result(&b.result)?;
        self.indent -= 2;
        self.line()?;
        w!(self, "}}")
    }

    fn result(&mut self, r: &[SubExp]) -> Res {
        match r {
            [x] => w!(self, "in {x}"),
            _ => w!(self, "in ({})", Sep(r)),
        }
    }

    fn stms(&mut self, stms: &[Stm]) -> Res {
        for s in stms {
            self.line()?;
            self.stm(s)?;
        }
        Ok(())
    }

    fn stm(&mut self, s: &Stm) -> Res {
        match s.pat.as_slice() {
            [p] => w!(self, "let {p} = ")?,
            pat => w!(self, "let ({}) = ", Sep(pat))?,
        }
        if !s.certs.is_empty() {
            w!(self, "<{}> ", Vars(&s.certs))?;
        }
        self.attrs(s.attrs.iter())?;
        if let Some(schedule) = &s.schedule {
            w!(self, "{schedule} ")?;
        }
        self.exp(&s.exp)?;
        self.loc(s.loc)
    }

    fn lambda(&mut self, l: &Lambda) -> Res {
        w!(self, "\\({})", Sep(&l.params))?;
        if is_identity(l) {
            return w!(self, " id");
        }
        w!(self, " : ({}) ", Sep(&l.ret))?;
        self.body(&l.body)
    }

    fn reduction(&mut self, r: &Reduction) -> Res {
        let comm = if r.commutative { "commutative " } else { "" };
        w!(self, "{comm}op [{}] ", Sep(&r.neutral))?;
        self.lambda(&r.op)
    }

    fn hist_op(&mut self, h: &HistOp) -> Res {
        w!(self, "into [{}] [{}] ", Sep(&h.shape), Vars(&h.dests))?;
        self.reduction(&h.op)
    }

    fn soac(&mut self, s: &Soac) -> Res {
        match s {
            Soac::Screma { width, inputs, lambda, scans, reduces } => {
                let id = is_identity(lambda);
                let complete = |rs: &[Reduction]| {
                    rs.iter().map(|r| r.op.ret.len()).sum::<usize>() == lambda.ret.len()
                };
                let name = match (scans.is_empty(), reduces.is_empty()) {
                    (true, true) => "map",
                    (true, false) if id && complete(reduces) => "reduce",
                    (true, false) => "redomap",
                    (false, true) if id && complete(scans) => "scan",
                    (false, true) => "scanomap",
                    (false, false) => "screma",
                };
                w!(self, "{name}({width}, [{}], ", Vars(inputs))?;
                self.lambda(lambda)?;
                for (keyword, rs) in [("scans", scans), ("reduces", reduces)] {
                    if name == "screma" {
                        w!(self, ", {keyword}")?;
                    }
                    for r in rs {
                        w!(self, ", ")?;
                        self.reduction(r)?;
                    }
                }
                w!(self, ")")
            }
            Soac::Hist { width, inputs, ops, lambda } => {
                w!(self, "hist({width}, [{}], ", Vars(inputs))?;
                self.lambda(lambda)?;
                for h in ops {
                    w!(self, ", ")?;
                    self.hist_op(h)?;
                }
                w!(self, ")")
            }
            Soac::Scatter { width, inputs, dests, lambda } => {
                w!(self, "scatter({width}, [{}], ", Vars(inputs))?;
                self.lambda(lambda)?;
                for (rank, d) in dests {
                    w!(self, ", into {rank} {}", Var_(*d))?;
                }
                w!(self, ")")
            }
        }
    }

    fn seg(&mut self, s: &SegOp) -> Res {
        let SegOp { level, space, kind, body } = s;
        let name = match kind {
            SegKind::Map => "segmap",
            SegKind::Red(_) => "segred",
            SegKind::Scan(_) => "segscan",
            SegKind::Hist(_) => "seghist",
        };
        w!(self, "{name} {level} (")?;
        for (i, (v, n)) in space.dims.iter().enumerate() {
            w!(self, "{}{} < {n}", if i > 0 { ", " } else { "" }, Var_(*v))?;
        }
        w!(self, ")")?;
        match kind {
            SegKind::Map => {}
            SegKind::Red(ops) | SegKind::Scan(ops) => {
                for r in ops {
                    w!(self, " ")?;
                    self.reduction(r)?;
                }
            }
            SegKind::Hist(ops) => {
                for h in ops {
                    w!(self, " ")?;
                    self.hist_op(h)?;
                }
            }
        }
        w!(self, " : ({}) {{", Sep(&body.types))?;
        self.indent += 2;
        self.stms(&body.stms)?;
        self.line()?;
        w!(self, "in (")?;
        for (i, r) in body.results.iter().enumerate() {
            if i > 0 {
                w!(self, ", ")?;
            }
            match r {
                KernelResult::Return(x) => w!(self, "return {x}")?,
                KernelResult::Write { dest, writes } => {
                    w!(self, "write {} {{", Var_(*dest))?;
                    for (j, (at, x)) in writes.iter().enumerate() {
                        w!(self, "{}[{}] = {x}", if j > 0 { ", " } else { "" }, Sep(at))?;
                    }
                    w!(self, "}}")?;
                }
            }
        }
        w!(self, ")")?;
        self.indent -= 2;
        self.line()?;
        w!(self, "}}")
    }

    fn flat(&mut self, array: Var, offset: SubExp, dims: &[(SubExp, SubExp)]) -> Res {
        w!(self, "{}[{offset}; ", Var_(array))?;
        for (i, (n, s)) in dims.iter().enumerate() {
            w!(self, "{}({n}, {s})", if i > 0 { ", " } else { "" })?;
        }
        w!(self, "]")
    }

    fn exp(&mut self, e: &Exp) -> Res {
        match e {
            Exp::SubExp(x) => w!(self, "{x}"),
            Exp::UnOp(op, x) => w!(self, "{op}({x})"),
            Exp::BinOp(op, x, y) => w!(self, "{op}({x}, {y})"),
            Exp::CmpOp(op, x, y) => w!(self, "{op}({x}, {y})"),
            Exp::ConvOp(op, x) => w!(self, "{op}({x})"),
            Exp::Math(f, t, xs) => w!(self, "math.{}.{t}({})", f.name(), Sep(xs)),
            Exp::ArrayLit { elems, row } => w!(self, "array [{}] of {row}", Sep(elems)),
            Exp::Index { array, dims } => w!(self, "index {}[{}]", Var_(*array), Sep(dims)),
            Exp::Update { array, dims, value } => {
                w!(self, "update {}[{}] with {value}", Var_(*array), Sep(dims))
            }
            Exp::FlatIndex { array, offset, dims } => {
                w!(self, "flat_index ")?;
                self.flat(*array, *offset, dims)
            }
            Exp::FlatUpdate { array, offset, dims, value } => {
                w!(self, "flat_update ")?;
                self.flat(*array, *offset, dims)?;
                w!(self, " with {}", Var_(*value))
            }
            Exp::Iota { n, start, stride, ty } => {
                w!(self, "iota.{ty}({n}, {start}, {stride})")
            }
            Exp::Replicate { shape, value } => w!(self, "replicate([{}], {value})", Sep(shape)),
            Exp::Scratch { elem, shape } => w!(self, "scratch({elem}, [{}])", Sep(shape)),
            Exp::Reshape { array, shape } => {
                w!(self, "reshape({}, [{}])", Var_(*array), Sep(shape))
            }
            Exp::Rearrange { array, perm } => {
                w!(self, "rearrange({}, [{}])", Var_(*array), Sep(perm))
            }
            Exp::Concat { dim, arrays, size } => {
                w!(self, "concat({dim}, [{}], {size})", Vars(arrays))
            }
            Exp::Copy(x) => w!(self, "copy({})", Var_(*x)),
            Exp::Opaque(x) => w!(self, "opaque({x})"),
            Exp::Trace(x) => w!(self, "trace({x})"),
            Exp::Assert { kind, cond, msg } => {
                let word = kind.word().map(|w| format!(" {w}")).unwrap_or_default();
                w!(self, "assert{word}({cond}")?;
                for m in msg {
                    match m {
                        MsgPart::Text(s) => w!(self, ", {}", Quoted(s))?,
                        MsgPart::Value(x, t) => w!(self, ", {x}: {t}")?,
                    }
                }
                w!(self, ")")
            }
            Exp::Match { scrutinee, cases, default } => {
                if let [(Const::Bool(true), yes)] = cases.as_slice() {
                    w!(self, "if {scrutinee} ")?;
                    self.body(yes)?;
                    w!(self, " else ")?;
                    return self.body(default);
                }
                w!(self, "match {scrutinee}")?;
                for (c, b) in cases {
                    w!(self, " case {c} ")?;
                    self.body(b)?;
                }
                w!(self, " default ")?;
                self.body(default)
            }
            Exp::Loop { params, init, form, body } => {
                w!(self, "loop (")?;
                for (i, (p, x)) in params.iter().zip(init).enumerate() {
                    w!(self, "{}{p} = {x}", if i > 0 { ", " } else { "" })?;
                }
                match form {
                    LoopForm::For { var, ty, bound } => {
                        w!(self, ") for {}: {ty} < {bound} ", Var_(*var))?;
                    }
                    LoopForm::While { cond } => w!(self, ") while {} ", Var_(*cond))?,
                }
                self.body(body)
            }
            Exp::Call { fun, args } => w!(self, "call {}({})", Name_(*fun), Sep(args)),
            Exp::Soac(s) => self.soac(s),
            Exp::Seg(s) => self.seg(s),
            Exp::Alloc { bytes, space } => w!(self, "alloc({bytes}, {space})"),
            Exp::Retain(v) => w!(self, "retain({})", Var_(*v)),
            Exp::Prefix { ops, values } => {
                w!(self, "prefix({})", Sep(values))?;
                for r in ops {
                    w!(self, " ")?;
                    self.reduction(r)?;
                }
                Ok(())
            }
            Exp::Workers => w!(self, "workers()"),
            Exp::Release(v) => w!(self, "release({})", Var_(*v)),
        }
    }
}

macro_rules! display {
    ($($ty:ty, $method:ident;)*) => {
        $(impl Display for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> Res {
                Printer { out: f, indent: 0 }.$method(self)
            }
        })*
    };
}

display! {
    Program, program;
    Fun, fun;
    Body, body;
    Stm, stm;
    Exp, exp;
    Lambda, lambda;
}
