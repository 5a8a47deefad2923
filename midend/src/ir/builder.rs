//! Making IR: fresh names, statements, index arithmetic.
//!
//! A [`Builder`] owns the supply of names and a stack of open statement lists. It keeps the type
//! of every variable it is told of, so that [`Builder::emit`] can name the result of an
//! expression without being told its type. The arithmetic helpers fold constants at once: most
//! index maths never becomes a statement.

use super::attr::StmAttr;
use super::op::{BinOp, CmpOp, ConvOp, UnOp};
use super::prim::{IntType, Prim};
use super::syntax::*;
use super::types::{Const, MemBind, Size64, SubExp, Type, Var};
use super::typing::{TypeEnv, exp_types};
use super::varmap::VarMap;
use crate::ir::eval;
use futc_typed::name::Name;

/// A supply of fresh tags.
#[derive(Clone, Debug)]
pub struct NameSource {
    next: u32,
}

impl NameSource {
    /// Whose first tag is `next`: [`Program::next_tag`], which must be written back.
    pub fn new(next: u32) -> NameSource {
        NameSource { next }
    }

    /// Every tag in use is below this.
    pub fn next_tag(&self) -> u32 {
        self.next
    }

    /// A new variable.
    pub fn fresh(&mut self, base: &str) -> Var {
        self.fresh_name(Name::new(base))
    }

    /// A new variable.
    pub fn fresh_name(&mut self, base: Name) -> Var {
        let tag = self.next;
        self.next += 1;
        Var { base, tag }
    }

    /// A new variable that reads like `v`.
    pub fn like(&mut self, v: Var) -> Var {
        self.fresh_name(v.base)
    }
}

/// A builder of statements.
#[derive(Debug)]
pub struct Builder {
    /// The names.
    pub names: NameSource,
    /// The types of the variables it knows.
    pub types: VarMap<Type>,
    /// Put on every statement emitted.
    pub loc: Option<Loc>,
    /// Put on every statement emitted.
    pub certs: Vec<Var>,
    open: Vec<Vec<Stm>>,
}

impl TypeEnv for Builder {
    fn type_of(&self, v: Var) -> Option<&Type> {
        self.types.get(&v)
    }
}

impl Builder {
    /// With one open list.
    pub fn new(names: NameSource) -> Builder {
        Builder {
            names,
            types: VarMap::default(),
            loc: None,
            certs: Vec::new(),
            open: vec![Vec::new()],
        }
    }

    // Names and scopes.

    /// A new variable, of a type to be known.
    pub fn fresh(&mut self, base: &str, ty: Type) -> Var {
        let v = self.names.fresh(base);
        self.types.insert(v, ty);
        v
    }

    /// A new parameter.
    pub fn param(&mut self, base: &str, ty: Type) -> Param {
        Param { var: self.fresh(base, ty.clone()), ty, unique: false, mem: None }
    }

    /// A new pattern element.
    pub fn pat(&mut self, base: &str, ty: Type) -> PatElem {
        PatElem { var: self.fresh(base, ty.clone()), ty, mem: None }
    }

    /// The same pattern, with its places, under other names.
    pub fn renamed(&mut self, pat: &[PatElem]) -> Vec<PatElem> {
        pat.iter().map(|p| PatElem { var: self.names.like(p.var), ..p.clone() }).collect()
    }

    /// Makes the types of parameters known.
    pub fn know_params(&mut self, params: &[Param]) {
        for p in params {
            self.types.insert(p.var, p.ty.clone());
        }
    }

    /// Makes the types of a pattern known.
    pub fn know_pat(&mut self, pat: &[PatElem]) {
        for p in pat {
            self.types.insert(p.var, p.ty.clone());
        }
    }

    /// The type of an operand; of an unknown variable, `i64`.
    pub fn ty(&self, x: SubExp) -> Type {
        self.type_of_subexp(x).unwrap_or(Type::I64)
    }

    // Statements.

    /// Opens a list: what is emitted from now on goes there.
    pub fn begin(&mut self) {
        self.open.push(Vec::new());
    }

    /// Closes the list opened last.
    pub fn end(&mut self) -> Vec<Stm> {
        let stms = self.open.pop().unwrap_or_default();
        if self.open.is_empty() {
            self.open.push(Vec::new());
        }
        stms
    }

    /// What `f` emits, with what it yields.
    pub fn body(&mut self, f: impl FnOnce(&mut Builder) -> Vec<SubExp>) -> Body {
        self.begin();
        let result = f(self);
        Body { stms: self.end(), result }
    }

    /// As [`Builder::body`], for builders that can fail.
    pub fn try_body<E>(
        &mut self,
        f: impl FnOnce(&mut Builder) -> Result<Vec<SubExp>, E>,
    ) -> Result<Body, E> {
        self.begin();
        let result = f(self);
        let stms = self.end();
        Ok(Body { stms, result: result? })
    }

    /// A lambda over fresh parameters of these types; `ret` is read off the results.
    pub fn lambda(
        &mut self,
        params: &[(&str, Type)],
        f: impl FnOnce(&mut Builder, &[SubExp]) -> Vec<SubExp>,
    ) -> Lambda {
        let params: Vec<Param> = params.iter().map(|(n, t)| self.param(n, t.clone())).collect();
        let args: Vec<SubExp> = params.iter().map(|p| SubExp::Var(p.var)).collect();
        let body = self.body(|b| f(b, &args));
        let ret = body.result.iter().map(|&x| self.ty(x)).collect();
        Lambda { params, body, ret }
    }

    /// Adds a statement as it is, and makes its pattern known.
    pub fn push(&mut self, stm: Stm) {
        self.know_pat(&stm.pat);
        if let Some(list) = self.open.last_mut() {
            list.push(stm);
        }
    }

    /// Adds statements as they are.
    pub fn push_all(&mut self, stms: impl IntoIterator<Item = Stm>) {
        for s in stms {
            self.push(s);
        }
    }

    /// Binds `exp` to a given pattern.
    pub fn bind(&mut self, pat: Vec<PatElem>, exp: Exp) {
        let stm = Stm {
            schedule: None,
            pat,
            exp,
            certs: self.certs.clone(),
            attrs: Vec::new(),
            loc: self.loc,
        };
        self.push(stm);
    }

    /// Binds the single result of `exp`, of a type given.
    pub fn emit_as(&mut self, base: &str, ty: Type, exp: Exp) -> Var {
        let pat = self.pat(base, ty);
        let v = pat.var;
        self.bind(vec![pat], exp);
        v
    }

    /// Binds the single result of `exp`, whose type the expression itself determines: no
    /// `match`, `loop` or call.
    pub fn emit(&mut self, base: &str, exp: Exp) -> Var {
        let ty = exp_types(&exp, self).ok().and_then(|mut ts| ts.pop()).unwrap_or(Type::I64);
        self.emit_as(base, ty, exp)
    }

    /// As [`Builder::emit`], with certificates beside the ambient ones.
    pub fn emit_with(&mut self, base: &str, certs: &[Var], exp: Exp) -> Var {
        self.under(certs, |b| b.emit(base, exp))
    }

    /// Binds all results of `exp`, whose types the expression itself determines.
    pub fn emit_all(&mut self, base: &str, exp: Exp) -> Vec<Var> {
        let pat: Vec<PatElem> = exp_types(&exp, self)
            .unwrap_or_default()
            .into_iter()
            .map(|t| self.pat(base, t))
            .collect();
        let vars = pat.iter().map(|p| p.var).collect();
        self.bind(pat, exp);
        vars
    }

    /// Runs `f` with more ambient certificates.
    pub fn under<T>(&mut self, certs: &[Var], f: impl FnOnce(&mut Builder) -> T) -> T {
        let old = self.certs.len();
        for c in certs {
            if !self.certs.contains(c) {
                self.certs.push(*c);
            }
        }
        let out = f(self);
        self.certs.truncate(old);
        out
    }

    /// Runs `f` with another ambient position.
    pub fn at<T>(&mut self, loc: Option<Loc>, f: impl FnOnce(&mut Builder) -> T) -> T {
        let old = self.loc;
        self.loc = loc.or(old);
        let out = f(self);
        self.loc = old;
        out
    }

    /// A certificate that `cond` holds; none needed if it evidently does.
    pub fn assert(&mut self, cond: SubExp, msg: Vec<MsgPart>) -> Option<Var> {
        match cond {
            SubExp::Const(Const::Bool(true)) => None,
            SubExp::Var(_) | SubExp::Const(_) => {
                Some(self.emit("cert", Exp::Assert { kind: AssertKind::Guard, cond, msg }))
            }
        }
    }

    // Scalars.

    /// A unary operation.
    pub fn unop(&mut self, op: UnOp, x: SubExp) -> SubExp {
        if let SubExp::Const(c) = x
            && let Some(r) = eval::un_op(op, c)
        {
            return SubExp::Const(r);
        }
        self.emit("t", Exp::UnOp(op, x)).into()
    }

    /// A binary operation.
    pub fn binop(&mut self, op: BinOp, x: SubExp, y: SubExp) -> SubExp {
        if let (SubExp::Const(a), SubExp::Const(b)) = (x, y)
            && let Some(r) = eval::bin_op(op, a, b)
        {
            return SubExp::Const(r);
        }
        self.emit("t", Exp::BinOp(op, x, y)).into()
    }

    /// A comparison.
    pub fn cmp(&mut self, op: CmpOp, x: SubExp, y: SubExp) -> SubExp {
        if let (SubExp::Const(a), SubExp::Const(b)) = (x, y)
            && let Some(r) = eval::cmp_op(op, a, b)
        {
            return SubExp::bool(r);
        }
        self.emit("cond", Exp::CmpOp(op, x, y)).into()
    }

    /// A conversion; none where both types agree.
    pub fn conv(&mut self, op: ConvOp, x: SubExp) -> SubExp {
        if let SubExp::Const(c) = x
            && let Some(r) = eval::conv_op(op, c)
        {
            return SubExp::Const(r);
        }
        match op {
            ConvOp::ZExt(a, b) | ConvOp::SExt(a, b) if a == b => x,
            ConvOp::FPConv(a, b) if a == b => x,
            _ => self.emit("t", Exp::ConvOp(op, x)).into(),
        }
    }

    // Index arithmetic, at i64.

    /// `x + y`
    pub fn add(&mut self, x: SubExp, y: SubExp) -> SubExp {
        match (int(x), int(y)) {
            (Some(0), _) => y,
            (_, Some(0)) => x,
            _ => self.binop(BinOp::Add(IntType::I64), x, y),
        }
    }

    /// `x - y`
    pub fn sub(&mut self, x: SubExp, y: SubExp) -> SubExp {
        match int(y) {
            Some(0) => x,
            _ if x == y => SubExp::i64(0),
            _ => self.binop(BinOp::Sub(IntType::I64), x, y),
        }
    }

    /// `x * y`
    pub fn mul(&mut self, x: SubExp, y: SubExp) -> SubExp {
        match (int(x), int(y)) {
            (Some(0), _) | (_, Some(0)) => SubExp::i64(0),
            (Some(1), _) => y,
            (_, Some(1)) => x,
            _ => self.binop(BinOp::Mul(IntType::I64), x, y),
        }
    }

    /// `x // y`, rounding towards zero; `y` is not zero.
    pub fn quot(&mut self, x: SubExp, y: SubExp) -> SubExp {
        match int(y) {
            Some(1) => x,
            _ => self.binop(BinOp::SQuot(IntType::I64), x, y),
        }
    }

    /// `x %% y`, sign of the dividend; `y` is not zero.
    pub fn rem(&mut self, x: SubExp, y: SubExp) -> SubExp {
        match int(y) {
            Some(1) => SubExp::i64(0),
            _ => self.binop(BinOp::SRem(IntType::I64), x, y),
        }
    }

    /// The lesser.
    pub fn min(&mut self, x: SubExp, y: SubExp) -> SubExp {
        if x == y { x } else { self.binop(BinOp::SMin(IntType::I64), x, y) }
    }

    /// The greater.
    pub fn max(&mut self, x: SubExp, y: SubExp) -> SubExp {
        if x == y { x } else { self.binop(BinOp::SMax(IntType::I64), x, y) }
    }

    /// `x < y`, signed.
    pub fn lt(&mut self, x: SubExp, y: SubExp) -> SubExp {
        self.cmp(CmpOp::SLt(IntType::I64), x, y)
    }

    /// `x <= y`, signed.
    pub fn le(&mut self, x: SubExp, y: SubExp) -> SubExp {
        if x == y { SubExp::bool(true) } else { self.cmp(CmpOp::SLe(IntType::I64), x, y) }
    }

    /// `x == y`.
    pub fn eq(&mut self, x: SubExp, y: SubExp) -> SubExp {
        if x == y { SubExp::bool(true) } else { self.cmp(CmpOp::Eq(Prim::I64), x, y) }
    }

    /// Both.
    pub fn and(&mut self, x: SubExp, y: SubExp) -> SubExp {
        match (x, y) {
            (SubExp::Const(Const::Bool(true)), z) | (z, SubExp::Const(Const::Bool(true))) => z,
            (SubExp::Const(Const::Bool(false)), _) | (_, SubExp::Const(Const::Bool(false))) => {
                SubExp::bool(false)
            }
            _ if x == y => x,
            _ => self.binop(BinOp::LogAnd, x, y),
        }
    }

    /// Either.
    pub fn or(&mut self, x: SubExp, y: SubExp) -> SubExp {
        match (x, y) {
            (SubExp::Const(Const::Bool(false)), z) | (z, SubExp::Const(Const::Bool(false))) => z,
            (SubExp::Const(Const::Bool(true)), _) | (_, SubExp::Const(Const::Bool(true))) => {
                SubExp::bool(true)
            }
            _ if x == y => x,
            _ => self.binop(BinOp::LogOr, x, y),
        }
    }

    /// Not.
    pub fn not(&mut self, x: SubExp) -> SubExp {
        self.unop(UnOp::Not, x)
    }

    /// `if cond then yes else no` of `i64` values at hand.
    pub fn choose(&mut self, cond: SubExp, yes: SubExp, no: SubExp) -> SubExp {
        match cond {
            SubExp::Const(Const::Bool(c)) => return if c { yes } else { no },
            _ if yes == no => return yes,
            _ => {}
        }
        let one = |x| Body { stms: Vec::new(), result: vec![x] };
        let cases = vec![(Const::Bool(true), one(yes))];
        self.emit_as("t", Type::I64, Exp::Match { scrutinee: cond, cases, default: one(no) }).into()
    }

    /// The product of a shape; 1 of none.
    pub fn product(&mut self, shape: &[SubExp]) -> SubExp {
        let mut p = SubExp::i64(1);
        for &n in shape {
            p = self.mul(p, n);
        }
        p
    }

    /// The value of a symbolic size.
    pub fn size64(&mut self, x: &Size64) -> SubExp {
        match x {
            Size64::Leaf(x) => *x,
            Size64::Add(a, b) => {
                let (a, b) = (self.size64(a), self.size64(b));
                self.add(a, b)
            }
            Size64::Sub(a, b) => {
                let (a, b) = (self.size64(a), self.size64(b));
                self.sub(a, b)
            }
            Size64::Mul(a, b) => {
                let (a, b) = (self.size64(a), self.size64(b));
                self.mul(a, b)
            }
        }
    }

    /// `array[i, …]` with fixed outer indexes, the rest whole.
    pub fn index(&mut self, base: &str, array: Var, at: &[SubExp]) -> Var {
        let shape = self.ty(array.into()).shape().to_vec();
        self.emit(base, Exp::Index { array, dims: full_index(&shape, at) })
    }
}

fn int(x: SubExp) -> Option<i64> {
    match x {
        SubExp::Const(Const::I64(c)) => Some(c),
        SubExp::Const(_) | SubExp::Var(_) => None,
    }
}

/// Fixed outer indexes, and the remaining dimensions of `shape` whole.
pub fn full_index(shape: &[SubExp], at: &[SubExp]) -> Vec<DimIndex> {
    at.iter()
        .map(|&i| DimIndex::Fix(i))
        .chain(shape.iter().skip(at.len()).map(|&n| DimIndex::full(n)))
        .collect()
}

impl Stm {
    /// A statement with no certificates, attributes or position.
    pub fn new(pat: Vec<PatElem>, exp: Exp) -> Stm {
        Stm { schedule: None, pat, exp, certs: Vec::new(), attrs: Vec::new(), loc: None }
    }

    /// The index in the whole of what is the `k`-th of a part that begins at `first`.
    pub fn index_in_whole(index: Var, k: Var, first: SubExp) -> Stm {
        let sum = Exp::BinOp(BinOp::Add(IntType::I64), k.into(), first);
        let attrs = vec![StmAttr::Index];
        Stm { attrs, ..Stm::new(vec![PatElem::new(index, Type::I64)], sum) }
    }
}

impl Param {
    /// A parameter that is not consumed, at no level with memory.
    pub fn new(var: Var, ty: Type) -> Param {
        Param { var, ty, unique: false, mem: None }
    }
}

impl PatElem {
    /// An element at no level with memory.
    pub fn new(var: Var, ty: Type) -> PatElem {
        PatElem { var, ty, mem: None }
    }

    /// An element that lies somewhere.
    pub fn in_mem(var: Var, ty: Type, mem: MemBind) -> PatElem {
        PatElem { var, ty, mem: Some(mem) }
    }
}
