//! Sizes as terms: which expressions are sizes, and when two sizes are the same.
//!
//! An expression without binders or updates is a size. Two sizes are the same if they have the
//! same normal form: polynomials with integer coefficients over variables and whatever else is
//! no sum, difference or product; variables bound by `let` to a size are looked through. This
//! proves more than the language asks for, never less.

use crate::check::infer::checker::Checker;
use crate::check::infer::placeholder::literal_index;
use crate::check::infer::unknown::is_meta;
use crate::check::types::subst::{size_to_exp, size_vars};
use crate::syntax::ast;
use futc_typed::name::Name;
use futc_typed::prim::{PrimType, PrimValue};
use futc_typed::program::{DimIndex, Exp, ExpKind, Inst, RangeEnd, VarId};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::Arc;

/// A polynomial: a coefficient for each product of atoms, the atoms by their text.
type Poly = BTreeMap<Vec<String>, i64>;

/// How much work a normal form may take: parts looked at and `let`s looked through.
const FUEL: u32 = 2_000;

/// Larger expressions than this are not put in place of the variables they are bound to.
const MAX_PARTS: u32 = 64;

/// What is left for a normal form. When it is used up there is none, and nothing is proved.
struct Fuel {
    left: Cell<u32>,
    lets: bool,
}

impl Fuel {
    fn new(lets: bool) -> Fuel {
        Fuel { left: Cell::new(FUEL), lets }
    }

    fn burn(&self, n: usize) -> bool {
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        self.left.set(self.left.get().saturating_sub(n));
        self.left.get() > 0
    }

    fn spent(&self) -> bool {
        self.left.get() == 0
    }
}

impl Checker<'_> {
    /// The expression, of type `i64`, as a size; `None` if it binds or updates something.
    pub(crate) fn exp_size(&self, e: &Exp) -> Option<Size> {
        match &e.kind {
            ExpKind::Attr(..) if literal_index(e).is_some() => {
                self.literal_size(e).or_else(|| self.compound_size(e))
            }
            ExpKind::Attr(_, e) | ExpKind::Assert { body: e, .. } => self.exp_size(e),
            ExpKind::Lit(PrimValue::I64(n)) => Some(Size::Const(*n)),
            ExpKind::Var(v, inst) if inst.types.is_empty() && inst.sizes.is_empty() => {
                Some(Size::Var(*v))
            }
            ExpKind::Global(d, inst) if inst.types.is_empty() && inst.sizes.is_empty() => {
                Some(Size::Global(*d))
            }
            _ => self.compound_size(e),
        }
    }

    fn compound_size(&self, e: &Exp) -> Option<Size> {
        if !is_pure(e) {
            return None;
        }
        let mut e = e.clone();
        erase_spans(&mut e, Span::new(self.cx.file, 0, 0));
        Some(Size::Exp(Arc::new(e)))
    }

    /// The size as a constant or a variable if it is one.
    pub(crate) fn simplified(&self, size: Size) -> Size {
        let poly = self.poly(&size, &Fuel::new(false));
        if poly.is_empty() {
            return Size::Const(0);
        }
        if poly.len() == 1
            && let Some((product, n)) = poly.iter().next()
        {
            if product.is_empty() {
                return Size::Const(*n);
            }
            if product.len() == 1 && *n == 1 {
                let mut only = None;
                size_vars(&size, &mut |v| {
                    if product.first() == Some(&self.var_key(v)) {
                        only = Some(v);
                    }
                });
                if let Some(v) = only {
                    return Size::Var(v);
                }
            }
        }
        size
    }

    /// `a OP b` as a size.
    pub(crate) fn size_op(&self, op: &str, a: &Size, b: &Size) -> Size {
        let nowhere = Span::new(self.cx.file, 0, 0);
        let (Some(a), Some(b)) = (size_to_exp(a, nowhere), size_to_exp(b, nowhere)) else {
            return Size::Unknown;
        };
        let ty = Type::Prim(PrimType::I64);
        let arrow = crate::check::types::arrow::arrow(
            ty.clone(),
            crate::check::types::arrow::arrow(ty.clone(), ty.clone()),
        );
        let inst = Inst { types: vec![ty.clone()], sizes: Vec::new() };
        let fun = Exp { kind: ExpKind::Intrinsic(Name::new(op), inst), ty: arrow, span: nowhere };
        let kind = ExpKind::App { fun: Box::new(fun), args: vec![a, b], sizes: Vec::new() };
        self.simplified(Size::Exp(Arc::new(Exp { kind, ty, span: nowhere })))
    }

    /// The size with parts that `made` has a variable for replaced by that variable.
    pub(crate) fn replace_parts(&self, size: &Size, made: &HashMap<String, VarId>) -> Size {
        if made.is_empty() {
            return size.clone();
        }
        if let Some(v) = made.get(&self.size_key(size)) {
            return Size::Var(*v);
        }
        match size {
            Size::Exp(e) => {
                let mut e = e.as_ref().clone();
                self.replace_in(&mut e, made);
                crate::check::types::subst::exp_to_size(e)
            }
            Size::Const(_) | Size::Var(_) | Size::Global(_) | Size::Unknown => size.clone(),
        }
    }

    fn replace_in(&self, e: &mut Exp, made: &HashMap<String, VarId>) {
        if self.metas.head(&e.ty) == Type::Prim(PrimType::I64) {
            let fuel = Fuel::new(true);
            let key = format!("{:?}", self.exp_poly(e, &fuel));
            if let Some(v) = made.get(&key)
                && !fuel.spent()
            {
                e.kind = ExpKind::Var(*v, Inst::default());
                return;
            }
        }
        parts_mut(e, &mut |e| self.replace_in(e, made));
    }

    /// Whether two sizes are the same as far as can be told now.
    pub(crate) fn same_size(&self, a: &Size, b: &Size) -> bool {
        if a == b {
            return true;
        }
        let (x, y) = (Fuel::new(true), Fuel::new(true));
        self.poly(a, &x) == self.poly(b, &y) && !x.spent() && !y.spent()
    }

    /// A text that is the same for the same size.
    pub(crate) fn size_key(&self, size: &Size) -> String {
        let fuel = Fuel::new(true);
        let key = format!("{:?}", self.poly(size, &fuel));
        if fuel.spent() { format!("{size:?}") } else { key }
    }

    /// Whether there is something in the size still to be found out.
    pub(crate) fn size_open(&self, size: &Size) -> bool {
        let mut open = false;
        size_vars(&self.metas.zonk_size(size), &mut |v| open |= is_meta(v));
        open
    }

    fn var_key(&self, v: VarId) -> String {
        format!("{}_{}", v.name, v.tag)
    }

    fn atom(key: String) -> Poly {
        Poly::from([(vec![key], 1)])
    }

    fn constant(n: i64) -> Poly {
        if n == 0 { Poly::new() } else { Poly::from([(Vec::new(), n)]) }
    }

    fn poly(&self, size: &Size, fuel: &Fuel) -> Poly {
        match self.metas.size_head(size) {
            Size::Const(n) => Self::constant(n),
            Size::Var(v) => match self.let_sizes.get(&v) {
                Some(s) if fuel.lets && fuel.burn(1) => self.poly(s, fuel),
                _ => Self::atom(self.var_key(v)),
            },
            Size::Global(d) => Self::atom(format!("@{}.{}", d.file.0, d.index)),
            Size::Exp(e) => self.exp_poly(&e, fuel),
            Size::Unknown => Self::atom("?".into()),
        }
    }

    fn exp_poly(&self, e: &Exp, fuel: &Fuel) -> Poly {
        if !fuel.burn(1) {
            return Poly::new();
        }
        match &e.kind {
            ExpKind::Lit(PrimValue::I64(n)) => return Self::constant(*n),
            ExpKind::Var(v, inst) if inst.types.is_empty() => {
                return self.poly(&Size::Var(*v), fuel);
            }
            ExpKind::Global(d, inst) if inst.types.is_empty() => {
                return self.poly(&Size::Global(*d), fuel);
            }
            ExpKind::Attr(..) if literal_index(e).is_some() => {
                if let Some(Size::Const(n)) = self.literal_size(e) {
                    return Self::constant(n);
                }
            }
            ExpKind::Attr(_, e) | ExpKind::Assert { body: e, .. } => {
                return self.exp_poly(e, fuel);
            }
            ExpKind::App { fun, args, .. } => {
                if let ExpKind::Intrinsic(op, _) = &fun.kind
                    && self.metas.head(&e.ty) == Type::Prim(PrimType::I64)
                {
                    match (op.as_str(), args.as_slice()) {
                        ("+", [a, b]) => {
                            return add(self.exp_poly(a, fuel), &self.exp_poly(b, fuel), 1);
                        }
                        ("-", [a, b]) => {
                            return add(self.exp_poly(a, fuel), &self.exp_poly(b, fuel), -1);
                        }
                        ("*", [a, b]) => {
                            let (p, q) = (self.exp_poly(a, fuel), self.exp_poly(b, fuel));
                            if !fuel.burn(p.len() * q.len()) {
                                return Poly::new();
                            }
                            return mul(&p, &q);
                        }
                        ("neg", [a]) => {
                            return add(Poly::new(), &self.exp_poly(a, fuel), -1);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        let mut key = String::new();
        self.exp_key(e, fuel, &mut key);
        Self::atom(key)
    }

    fn literal_size(&self, e: &Exp) -> Option<Size> {
        match literal_index(e).and_then(|i| self.literals.get(i)) {
            Some((ast::Literal::Int { digits, negative, .. }, _)) => {
                let n: i64 = digits.parse().ok()?;
                Some(Size::Const(if *negative { n.wrapping_neg() } else { n }))
            }
            _ => None,
        }
    }

    /// A part of an expression: sizes in normal form, the rest by its text.
    fn part_key(&self, e: &Exp, fuel: &Fuel, out: &mut String) {
        if self.metas.head(&e.ty) == Type::Prim(PrimType::I64) {
            let _ = write!(out, "{:?}", self.exp_poly(e, fuel));
        } else {
            self.exp_key(e, fuel, out);
        }
    }

    fn exp_key(&self, e: &Exp, fuel: &Fuel, out: &mut String) {
        let mut many = |name: &str, es: &mut dyn Iterator<Item = &Exp>| {
            let _ = write!(out, "({name}");
            for e in es {
                out.push(' ');
                self.part_key(e, fuel, out);
            }
            out.push(')');
        };
        match &e.kind {
            ExpKind::Lit(x) => {
                let _ = write!(out, "{x}");
            }
            ExpKind::String(s) => {
                let _ = write!(out, "{s:?}");
            }
            ExpKind::Var(v, _) => match self.metas.size_head(&Size::Var(*v)) {
                Size::Var(v) => out.push_str(&self.var_key(v)),
                Size::Exp(e) => self.part_key(&e, fuel, out),
                size => {
                    let _ = write!(out, "{:?}", self.poly(&size, fuel));
                }
            },
            ExpKind::Global(d, _) => {
                let _ = write!(out, "@{}.{}", d.file.0, d.index);
            }
            ExpKind::Intrinsic(n, _) => {
                let _ = write!(out, "${n}");
            }
            ExpKind::Record(fields) => {
                let names: Vec<&str> = fields.iter().map(|(n, _)| n.as_str()).collect();
                many(&format!("record {}", names.join(",")), &mut fields.iter().map(|(_, e)| e));
            }
            ExpKind::ArrayLit(es) => many("array", &mut es.iter()),
            ExpKind::Constr(n, es) => many(&format!("#{n}"), &mut es.iter()),
            ExpKind::Project(e, n) => many(&format!(".{n}"), &mut std::iter::once(&**e)),
            ExpKind::Coerce(e) => many(":>", &mut std::iter::once(&**e)),
            ExpKind::Attr(_, inner) => match literal_index(e).and_then(|i| self.literals.get(i)) {
                Some((literal, _)) => {
                    let _ = write!(out, "{literal:?}");
                }
                None => self.part_key(inner, fuel, out),
            },
            ExpKind::Assert { body, .. } => self.part_key(body, fuel, out),
            ExpKind::Index(a, index) => {
                out.push_str("(index ");
                self.part_key(a, fuel, out);
                for i in index {
                    match i {
                        DimIndex::Fix(i) => {
                            out.push(' ');
                            self.part_key(i, fuel, out);
                        }
                        DimIndex::Slice { start, end, stride } => {
                            for part in [start, end, stride] {
                                out.push(':');
                                if let Some(e) = part {
                                    self.part_key(e, fuel, out);
                                }
                            }
                        }
                    }
                }
                out.push(')');
            }
            ExpKind::Range { start, second, end } => {
                let (kind, end) = match end {
                    RangeEnd::Inclusive(e) => ("...", e),
                    RangeEnd::UpTo(e) => ("..<", e),
                    RangeEnd::DownTo(e) => ("..>", e),
                };
                let parts = [Some(start), second.as_ref(), Some(end)];
                many(kind, &mut parts.into_iter().flatten().map(|e| &**e));
            }
            ExpKind::App { fun, args, .. } => {
                many("app", &mut std::iter::once(&**fun).chain(args));
            }
            ExpKind::And(a, b) => many("&&", &mut [&**a, &**b].into_iter()),
            ExpKind::Or(a, b) => many("||", &mut [&**a, &**b].into_iter()),
            ExpKind::If { cond, then, otherwise, .. } => {
                many("if", &mut [&**cond, &**then, &**otherwise].into_iter());
            }
            // No sizes; see `is_pure`.
            ExpKind::Hole
            | ExpKind::Update { .. }
            | ExpKind::RecordUpdate { .. }
            | ExpKind::Lambda(_)
            | ExpKind::Let { .. }
            | ExpKind::LetFun { .. }
            | ExpKind::Match { .. }
            | ExpKind::Loop(_) => out.push('?'),
        }
    }
}

fn add(mut a: Poly, b: &Poly, factor: i64) -> Poly {
    for (product, n) in b {
        let sum = a.entry(product.clone()).or_insert(0);
        *sum = sum.wrapping_add(n.wrapping_mul(factor));
        if *sum == 0 {
            a.remove(product);
        }
    }
    a
}

fn mul(a: &Poly, b: &Poly) -> Poly {
    let mut result = Poly::new();
    for (p, n) in a {
        for (q, m) in b {
            let mut product: Vec<String> = p.iter().chain(q).cloned().collect();
            product.sort();
            result = add(result, &Poly::from([(product, n.wrapping_mul(*m))]), 1);
        }
    }
    result
}

/// Calls `f` on the direct parts of an expression that may be a size.
fn parts_mut(e: &mut Exp, f: &mut dyn FnMut(&mut Exp)) {
    let literal = literal_index(e).is_some();
    match &mut e.kind {
        ExpKind::Lit(_)
        | ExpKind::String(_)
        | ExpKind::Var(..)
        | ExpKind::Global(..)
        | ExpKind::Intrinsic(..) => {}
        ExpKind::Record(fields) => fields.iter_mut().for_each(|(_, e)| f(e)),
        ExpKind::ArrayLit(es) | ExpKind::Constr(_, es) => es.iter_mut().for_each(f),
        ExpKind::Project(e, _) | ExpKind::Coerce(e) => f(e),
        ExpKind::Attr(_, inner) => {
            if !literal {
                f(inner);
            }
        }
        ExpKind::Index(a, index) => {
            f(a);
            for i in index {
                match i {
                    DimIndex::Fix(i) => f(i),
                    DimIndex::Slice { start, end, stride } => {
                        [start, end, stride].into_iter().flatten().for_each(|e| f(e));
                    }
                }
            }
        }
        ExpKind::Range { start, second, end } => {
            f(start);
            second.iter_mut().for_each(|e| f(e));
            match end {
                RangeEnd::Inclusive(e) | RangeEnd::UpTo(e) | RangeEnd::DownTo(e) => f(e),
            }
        }
        ExpKind::App { fun, args, .. } => {
            f(fun);
            args.iter_mut().for_each(f);
        }
        ExpKind::And(a, b) | ExpKind::Or(a, b) => {
            f(a);
            f(b);
        }
        ExpKind::If { cond, then, otherwise, .. } => {
            f(cond);
            f(then);
            f(otherwise);
        }
        ExpKind::Assert { cond, body, .. } => {
            f(cond);
            f(body);
        }
        ExpKind::Hole
        | ExpKind::Update { .. }
        | ExpKind::RecordUpdate { .. }
        | ExpKind::Lambda(_)
        | ExpKind::Let { .. }
        | ExpKind::LetFun { .. }
        | ExpKind::Match { .. }
        | ExpKind::Loop(_) => {}
    }
}

/// Whether a size has more than [`MAX_PARTS`] parts.
pub(crate) fn too_large(size: &Size) -> bool {
    fn count(e: &Exp, n: &mut u32) {
        *n += 1;
        if *n > MAX_PARTS {
            return;
        }
        match &e.kind {
            ExpKind::App { fun, args, .. } => {
                count(fun, n);
                args.iter().for_each(|e| count(e, n));
            }
            ExpKind::Record(fields) => fields.iter().for_each(|(_, e)| count(e, n)),
            ExpKind::ArrayLit(es) | ExpKind::Constr(_, es) => es.iter().for_each(|e| count(e, n)),
            ExpKind::Project(e, _) | ExpKind::Coerce(e) | ExpKind::Attr(_, e) => count(e, n),
            ExpKind::Index(a, index) => {
                count(a, n);
                for i in index {
                    match i {
                        DimIndex::Fix(e) => count(e, n),
                        DimIndex::Slice { start, end, stride } => {
                            [start, end, stride].into_iter().flatten().for_each(|e| count(e, n));
                        }
                    }
                }
            }
            ExpKind::And(a, b) | ExpKind::Or(a, b) => {
                count(a, n);
                count(b, n);
            }
            ExpKind::If { cond, then, otherwise, .. } => {
                [cond, then, otherwise].into_iter().for_each(|e| count(e, n));
            }
            ExpKind::Assert { cond, body, .. } => {
                count(cond, n);
                count(body, n);
            }
            ExpKind::Range { start, second, end } => {
                let (RangeEnd::Inclusive(end) | RangeEnd::UpTo(end) | RangeEnd::DownTo(end)) = end;
                count(start, n);
                second.iter().for_each(|e| count(e, n));
                count(end, n);
            }
            ExpKind::Lit(_)
            | ExpKind::String(_)
            | ExpKind::Var(..)
            | ExpKind::Global(..)
            | ExpKind::Intrinsic(..)
            | ExpKind::Hole
            | ExpKind::Update { .. }
            | ExpKind::RecordUpdate { .. }
            | ExpKind::Lambda(_)
            | ExpKind::Let { .. }
            | ExpKind::LetFun { .. }
            | ExpKind::Match { .. }
            | ExpKind::Loop(_) => {}
        }
    }
    let mut n = 0;
    if let Size::Exp(e) = size {
        count(e, &mut n);
    }
    n > MAX_PARTS
}

/// Whether an expression binds and updates nothing.
fn is_pure(e: &Exp) -> bool {
    match &e.kind {
        ExpKind::Lit(_)
        | ExpKind::String(_)
        | ExpKind::Var(..)
        | ExpKind::Global(..)
        | ExpKind::Intrinsic(..) => true,
        ExpKind::Record(fields) => fields.iter().all(|(_, e)| is_pure(e)),
        ExpKind::ArrayLit(es) | ExpKind::Constr(_, es) => es.iter().all(is_pure),
        ExpKind::Project(e, _) | ExpKind::Coerce(e) => is_pure(e),
        ExpKind::Attr(_, inner) => literal_index(e).is_some() || is_pure(inner),
        ExpKind::Index(a, index) => {
            is_pure(a)
                && index.iter().all(|i| match i {
                    DimIndex::Fix(i) => is_pure(i),
                    DimIndex::Slice { start, end, stride } => {
                        [start, end, stride].into_iter().flatten().all(|e| is_pure(e))
                    }
                })
        }
        ExpKind::Range { start, second, end } => {
            let (RangeEnd::Inclusive(end) | RangeEnd::UpTo(end) | RangeEnd::DownTo(end)) = end;
            is_pure(start) && second.iter().all(|e| is_pure(e)) && is_pure(end)
        }
        ExpKind::App { fun, args, .. } => is_pure(fun) && args.iter().all(is_pure),
        ExpKind::And(a, b) | ExpKind::Or(a, b) => is_pure(a) && is_pure(b),
        ExpKind::If { cond, then, otherwise, .. } => {
            is_pure(cond) && is_pure(then) && is_pure(otherwise)
        }
        ExpKind::Assert { cond, body, .. } => is_pure(cond) && is_pure(body),
        ExpKind::Hole
        | ExpKind::Update { .. }
        | ExpKind::RecordUpdate { .. }
        | ExpKind::Lambda(_)
        | ExpKind::Let { .. }
        | ExpKind::LetFun { .. }
        | ExpKind::Match { .. }
        | ExpKind::Loop(_) => false,
    }
}

/// Erases positions, so that equal sizes are equal.
fn erase_spans(e: &mut Exp, span: Span) {
    e.span = span;
    if let ExpKind::Attr(_, inner) = &mut e.kind {
        inner.span = span;
    }
    parts_mut(e, &mut |e| erase_spans(e, span));
}
