//! Emission of Core statements: scopes, types of variables, positions, certificates, and a small
//! common-subexpression table for size arithmetic, so that equal sizes get equal names.

use super::error::{Error, R};
use super::fun_state::{Pure, Scope};
use super::spec::Spec;
use crate::ir::{
    AssertKind, BinOp, Body, CmpOp, Const, ConvOp, Exp, IntType, Loc, MsgPart, PatElem, Prim, Stm,
    SubExp, Type, UnOp, Var, in_prelude,
};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::Attr;
use futc_typed::span::Span;

/// A part of a message under construction.
pub(super) fn text(s: impl Into<String>) -> MsgPart {
    MsgPart::Text(s.into())
}

/// A size in a message.
pub(super) fn size(s: SubExp) -> MsgPart {
    MsgPart::Value(s, PrimType::I64)
}

impl Spec<'_> {
    // ---- variables

    /// A fresh variable of that type, visible in the current scope.
    pub(super) fn fresh(&mut self, base: Name, ty: Type) -> Var {
        let depth = self.depth();
        self.fresh_at(base, ty, depth)
    }

    /// A fresh variable visible at `depth` and deeper.
    pub(super) fn fresh_at(&mut self, base: Name, ty: Type, depth: u32) -> Var {
        let tag = self.vars.len() as u32;
        self.vars.push((ty, depth));
        Var { base, tag }
    }

    /// The current nesting of scopes.
    pub(super) fn depth(&self) -> u32 {
        self.fun.base + self.fun.scopes.len() as u32
    }

    /// The type of an operand.
    pub(super) fn ty(&self, s: SubExp) -> Type {
        match s {
            SubExp::Const(c) => Type::Prim(c.prim()),
            SubExp::Var(v) => self.vars.get(v.tag as usize).map_or(Type::BOOL, |(t, _)| t.clone()),
        }
    }

    /// The shape of an operand.
    pub(super) fn shape(&self, s: SubExp) -> Vec<SubExp> {
        match s {
            SubExp::Const(_) => Vec::new(),
            SubExp::Var(v) => {
                self.vars.get(v.tag as usize).map_or(Vec::new(), |(t, _)| t.shape().to_vec())
            }
        }
    }

    /// One dimension of an operand.
    pub(super) fn dim(&self, s: SubExp, i: usize) -> Option<SubExp> {
        let v = s.var()?;
        self.vars.get(v.tag as usize)?.0.shape().get(i).copied()
    }

    /// The element type of an operand.
    pub(super) fn elem(&self, s: SubExp) -> Prim {
        match s {
            SubExp::Const(c) => c.prim(),
            SubExp::Var(v) => {
                self.vars.get(v.tag as usize).and_then(|(t, _)| t.elem()).unwrap_or(Prim::Bool)
            }
        }
    }

    /// Whether `s` can be named at `depth`, given that it can be named in a scope inside.
    pub(super) fn visible(&self, s: SubExp, depth: u32) -> bool {
        match s {
            SubExp::Const(_) => true,
            SubExp::Var(v) => self.vars.get(v.tag as usize).is_some_and(|(_, d)| *d <= depth),
        }
    }

    /// The operand as a variable.
    pub(super) fn as_var(&mut self, s: SubExp) -> Var {
        match s {
            SubExp::Var(v) => v,
            SubExp::Const(c) => {
                let ty = Type::Prim(c.prim());
                self.emit("x", Exp::SubExp(s), ty)
            }
        }
    }

    // ---- scopes

    /// Opens a scope.
    pub(super) fn open(&mut self) {
        self.fun.scopes.push(Scope::default());
    }

    /// Opens a scope that goes on from these statements. What they know is not known again.
    pub(super) fn reopen(&mut self, stms: Vec<Stm>) {
        self.fun.scopes.push(Scope { stms, ..Scope::default() });
    }

    /// Closes the innermost scope.
    pub(super) fn close_scope(&mut self) -> Vec<Stm> {
        let Some(scope) = self.fun.scopes.pop() else { return Vec::new() };
        for key in scope.known {
            self.fun.known.remove(&key);
        }
        for key in scope.asserted {
            self.fun.asserted.remove(&key);
        }
        for key in scope.sized {
            self.fun.sized.remove(&key);
        }
        scope.stms
    }

    /// Runs `f` in a scope of its own; certificates of the enclosing statement are those of the
    /// statement that will hold this body, and need not be repeated inside.
    pub(super) fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> R<T>) -> R<(Vec<Stm>, T)> {
        self.open();
        let certs = std::mem::take(&mut self.fun.certs);
        let result = f(self);
        self.fun.certs = certs;
        let stms = self.close_scope();
        Ok((stms, result?))
    }

    // ---- statements

    /// The readable form of a span.
    pub(super) fn loc_of(&mut self, span: Span) -> Loc {
        if let Some((s, l)) = self.last_loc
            && s == span
        {
            return l;
        }
        let locate = self.locate;
        let loc = *self.locs.entry(span).or_insert_with(|| Name::new(&locate.locate(span)));
        self.last_loc = Some((span, loc));
        loc
    }

    /// The position of a statement. What a function of the prelude does that was inlined here is
    /// done where it was called.
    fn loc(&mut self) -> Option<Loc> {
        let span = self.fun.span?;
        let here = self.loc_of(span);
        if in_prelude(here) {
            for i in (0..self.fun.sites.len()).rev() {
                let site = self.loc_of(self.fun.sites[i]);
                if !in_prelude(site) {
                    return Some(site);
                }
            }
        }
        Some(here)
    }

    /// The position of a check: where it is, and the call sites of what was inlined, in the form
    /// of a backtrace of which the caller prints the head.
    fn check_loc(&mut self) -> Option<Loc> {
        let span = self.fun.span?;
        let first = self.loc_of(span);
        if self.fun.sites.is_empty() {
            return Some(first);
        }
        let sites: Vec<Span> = self.fun.sites.iter().rev().take(15).copied().collect();
        let mut out = first.as_str().to_string();
        let mut last = first;
        let mut n = 0;
        for site in sites {
            let l = self.loc_of(site);
            if l != last {
                n += 1;
                out.push_str(&format!("\n-> #{n}  {l}"));
                last = l;
            }
        }
        Some(Name::new(&out))
    }

    /// Adds a statement with this pattern.
    pub(super) fn push(&mut self, pat: Vec<PatElem>, exp: Exp) {
        self.push_with(pat, exp, &[]);
    }

    /// Adds a statement that relies on certificates.
    pub(super) fn push_with(&mut self, pat: Vec<PatElem>, exp: Exp, certs: &[Var]) {
        let loc = if matches!(exp, Exp::Assert { .. }) { self.check_loc() } else { self.loc() };
        let mut all = self.fun.certs.clone();
        for c in certs {
            if !all.contains(c) {
                all.push(*c);
            }
        }
        let attrs = self.fun.attrs.clone();
        self.note_statement(&pat, &exp, &all);
        if let Some(scope) = self.fun.scopes.last_mut() {
            scope.stms.push(Stm { schedule: None, pat, exp, certs: all, attrs, loc });
        }
    }

    /// Adds a statement with one result.
    pub(super) fn emit(&mut self, base: &str, exp: Exp, ty: Type) -> Var {
        self.emit_with(base, exp, ty, &[])
    }

    /// Adds a statement with one result that relies on certificates.
    pub(super) fn emit_with(&mut self, base: &str, exp: Exp, ty: Type, certs: &[Var]) -> Var {
        let var = self.fresh(Name::new(base), ty.clone());
        self.push_with(vec![PatElem { var, ty, mem: None }], exp, certs);
        var
    }

    fn pure(&mut self, key: Pure, prim: Prim) -> SubExp {
        if let Some(v) = self.fun.known.get(&key) {
            return SubExp::Var(*v);
        }
        let exp = match key {
            Pure::Un(op, x) => Exp::UnOp(op, x),
            Pure::Bin(op, x, y) => Exp::BinOp(op, x, y),
            Pure::Cmp(op, x, y) => Exp::CmpOp(op, x, y),
            Pure::Conv(op, x) => Exp::ConvOp(op, x),
        };
        let v = self.emit("t", exp, Type::Prim(prim));
        // What relies on a certificate is not to be shared with what does not.
        if self.fun.certs.is_empty() {
            self.fun.known.insert(key, v);
            if let Some(scope) = self.fun.scopes.last_mut() {
                scope.known.push(key);
            }
        }
        SubExp::Var(v)
    }

    /// A unary operator.
    pub(super) fn unop(&mut self, op: UnOp, x: SubExp) -> SubExp {
        if let (UnOp::Not, SubExp::Const(Const::Bool(b))) = (op, x) {
            return SubExp::bool(!b);
        }
        if let (UnOp::Neg(t), SubExp::Const(c)) = (op, x)
            && let Some(v) = c.as_int()
        {
            return Const::int(t, v.wrapping_neg()).into();
        }
        let prim = self.elem(x);
        self.pure(Pure::Un(op, x), prim)
    }

    /// A binary operator that needs no certificate.
    pub(super) fn binop(&mut self, op: BinOp, x: SubExp, y: SubExp) -> SubExp {
        use SubExp::Const as C;
        let int = |s: SubExp| match s {
            C(c) => c.as_int(),
            SubExp::Var(_) => None,
        };
        match (op, x, y) {
            (BinOp::Add(t), ..) => match (int(x), int(y)) {
                (Some(a), Some(b)) => return Const::int(t, a.wrapping_add(b)).into(),
                (Some(0), None) => return y,
                (None, Some(0)) => return x,
                _ => {}
            },
            (BinOp::Sub(t), ..) => match (int(x), int(y)) {
                (Some(a), Some(b)) => return Const::int(t, a.wrapping_sub(b)).into(),
                (None, Some(0)) => return x,
                _ => {}
            },
            (BinOp::Mul(t), ..) => match (int(x), int(y)) {
                (Some(a), Some(b)) => return Const::int(t, a.wrapping_mul(b)).into(),
                (Some(1), None) => return y,
                (None, Some(1)) => return x,
                _ => {}
            },
            (BinOp::LogAnd, C(Const::Bool(b)), _) => return if b { y } else { x },
            (BinOp::LogAnd, _, C(Const::Bool(b))) => return if b { x } else { y },
            (BinOp::LogOr, C(Const::Bool(b)), _) => return if b { x } else { y },
            (BinOp::LogOr, _, C(Const::Bool(b))) => return if b { y } else { x },
            _ => {}
        }
        let prim = self.elem(x);
        self.pure(Pure::Bin(op, x, y), prim)
    }

    /// A comparison.
    pub(super) fn cmp(&mut self, op: CmpOp, x: SubExp, y: SubExp) -> SubExp {
        let known = match (op, x, y) {
            (CmpOp::Eq(Prim::Int(_) | Prim::Bool), a, b) if a == b => Some(true),
            (CmpOp::SLe(_), a, b) if a == b => Some(true),
            (CmpOp::SLt(_), a, b) if a == b => Some(false),
            (op, SubExp::Const(a), SubExp::Const(b)) => match (op, a.as_int(), b.as_int()) {
                (CmpOp::Eq(_), Some(a), Some(b)) => Some(a == b),
                (CmpOp::SLt(_), Some(a), Some(b)) => Some(a < b),
                (CmpOp::SLe(_), Some(a), Some(b)) => Some(a <= b),
                _ => None,
            },
            _ => None,
        };
        match known {
            Some(b) => SubExp::bool(b),
            None => self.pure(Pure::Cmp(op, x, y), Prim::Bool),
        }
    }

    /// A conversion.
    pub(super) fn conv(&mut self, op: ConvOp, x: SubExp) -> SubExp {
        let (from, to) = op.types();
        match (op, x) {
            (ConvOp::SExt(..) | ConvOp::ZExt(..), _) if from == to => return x,
            (ConvOp::SExt(_, t), SubExp::Const(c)) => {
                if let Some(i) = c.as_int() {
                    return Const::int(t, i).into();
                }
            }
            (ConvOp::ZExt(_, t), SubExp::Const(c)) => {
                return Const::from_bits(Prim::Int(t), c.bits()).into();
            }
            _ => {}
        }
        self.pure(Pure::Conv(op, x), to)
    }

    /// `x + y` in `i64`.
    pub(super) fn add(&mut self, x: SubExp, y: SubExp) -> SubExp {
        self.binop(BinOp::Add(IntType::I64), x, y)
    }

    /// `x - y` in `i64`.
    pub(super) fn sub(&mut self, x: SubExp, y: SubExp) -> SubExp {
        self.binop(BinOp::Sub(IntType::I64), x, y)
    }

    /// `x * y` in `i64`.
    pub(super) fn mul(&mut self, x: SubExp, y: SubExp) -> SubExp {
        self.binop(BinOp::Mul(IntType::I64), x, y)
    }

    /// `x <= y` in `i64`.
    pub(super) fn le(&mut self, x: SubExp, y: SubExp) -> SubExp {
        self.cmp(CmpOp::SLe(IntType::I64), x, y)
    }

    /// `x < y` in `i64`.
    pub(super) fn lt(&mut self, x: SubExp, y: SubExp) -> SubExp {
        self.cmp(CmpOp::SLt(IntType::I64), x, y)
    }

    /// `x == y` in `i64`.
    pub(super) fn eq64(&mut self, x: SubExp, y: SubExp) -> SubExp {
        self.cmp(CmpOp::Eq(Prim::I64), x, y)
    }

    /// Both.
    pub(super) fn and(&mut self, x: SubExp, y: SubExp) -> SubExp {
        self.binop(BinOp::LogAnd, x, y)
    }

    /// Either.
    pub(super) fn or(&mut self, x: SubExp, y: SubExp) -> SubExp {
        self.binop(BinOp::LogOr, x, y)
    }

    /// A check, unless checks are off here or `cond` is evidently true. Yields the certificates
    /// to rely on.
    pub(super) fn check(&mut self, cond: SubExp, msg: Vec<MsgPart>) -> Vec<Var> {
        if self.fun.unchecked && !self.options.safe {
            return Vec::new();
        }
        self.require(cond, msg)
    }

    /// As [`Self::check`], but never turned off: what the user asked for in so many words.
    pub(super) fn require(&mut self, cond: SubExp, msg: Vec<MsgPart>) -> Vec<Var> {
        if cond == SubExp::bool(true) {
            return Vec::new();
        }
        if let Some(c) = self.fun.asserted.get(&cond) {
            return vec![*c];
        }
        let cert =
            self.emit("cert", Exp::Assert { kind: AssertKind::Guard, cond, msg }, Type::Cert);
        if cond.var().is_some() {
            self.fun.asserted.insert(cond, cert);
            if let Some(scope) = self.fun.scopes.last_mut() {
                scope.asserted.push(cond);
            }
        }
        vec![cert]
    }

    /// Has the check that yields these certificates made even if nothing relies on it: what it
    /// guards is a function, or has no bits. (An ordinary check goes with what it guards.)
    pub(super) fn keep(&mut self, certs: &[Var]) {
        self.mark_checks(certs, AssertKind::Kept);
    }

    /// Has the checks that yield these certificates made in more cases.
    pub(super) fn mark_checks(&mut self, certs: &[Var], wanted: AssertKind) {
        for stm in self.checks(certs) {
            if let Exp::Assert { kind, .. } = &mut stm.exp {
                *kind = wanted.max(*kind);
            }
        }
    }

    /// Says that the checks that yield these certificates are somewhere else in the source.
    pub(super) fn set_loc(&mut self, certs: &[Var], loc: Option<Loc>) {
        for stm in self.checks(certs) {
            stm.loc = loc;
        }
    }

    fn checks(&mut self, certs: &[Var]) -> impl Iterator<Item = &mut Stm> {
        let made = self.fun.scopes.iter_mut().rev().flat_map(|s| s.stms.iter_mut().rev());
        made.filter(|s| {
            matches!(s.exp, Exp::Assert { .. })
                && s.pat.first().is_some_and(|p| certs.contains(&p.var))
        })
    }

    /// Remembers that a size is not negative.
    pub(super) fn note_size(&mut self, d: SubExp, certs: &[Var]) {
        if d.var().is_some() && !self.fun.sized.contains_key(&d) {
            self.fun.sized.insert(d, certs.to_vec());
            if let Some(scope) = self.fun.scopes.last_mut() {
                scope.sized.push(d);
            }
        }
    }

    /// The certificates that a size is not negative, if that is known.
    pub(super) fn size_certs(&self, d: SubExp) -> Option<&[Var]> {
        self.fun.sized.get(&d).map(Vec::as_slice)
    }

    /// An array operand with exactly these dimensions, which are known to be its own.
    pub(super) fn reshape_to(&mut self, s: SubExp, dims: &[SubExp], certs: &[Var]) -> SubExp {
        let SubExp::Var(v) = s else { return s };
        let ty = self.ty(s);
        match ty {
            Type::Array { elem, shape } if shape != dims => SubExp::Var(self.emit_with(
                v.base.as_str(),
                Exp::Reshape { array: v, shape: dims.to_vec() },
                Type::array(elem, dims.to_vec()),
                certs,
            )),
            Type::Array { .. } | Type::Prim(_) if !certs.is_empty() => {
                let ty = self.ty(s);
                SubExp::Var(self.emit_with(v.base.as_str(), Exp::SubExp(s), ty, certs))
            }
            _ => s,
        }
    }

    /// The body made of these statements.
    pub(super) fn body(stms: Vec<Stm>, result: Vec<SubExp>) -> Body {
        Body { stms, result }
    }

    // ---- errors

    /// An error about the program.
    pub(super) fn limitation<T>(&mut self, what: impl std::fmt::Display) -> R<T> {
        let loc = self.loc().map_or(String::new(), |l| l.to_string());
        Err(Error::Limitation { loc, what: what.to_string() })
    }

    /// An error of ours.
    pub(super) fn bug<T>(&mut self, what: impl std::fmt::Display) -> R<T> {
        let loc = self.loc().map_or(String::new(), |l| l.to_string());
        Err(Error::Bug { loc, what: what.to_string() })
    }
}

/// The text of an attribute.
pub(super) fn attr_text(attr: &Attr) -> String {
    match attr {
        Attr::Name(n) => n.to_string(),
        Attr::Int(i) => i.to_string(),
        Attr::Comp(n, args) => {
            let args: Vec<String> = args.iter().map(attr_text).collect();
            format!("{n}({})", args.join(", "))
        }
    }
}
