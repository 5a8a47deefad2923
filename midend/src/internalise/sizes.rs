//! The meaning of types in a frame: closing a type over Core sizes, and reading sizes off the
//! shapes of values.

use super::error::R;
use super::spec::Spec;
use super::value::{Closure, Code, Dim, FrameId, SumLayout, Ty, Value, leaves};
use crate::ir::{BinOp, IntType, MsgPart, SubExp};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::{Exp, ExpKind, Opaque, VarId};
use futc_typed::types::{Size, Type, TypeArg};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

impl Spec<'_> {
    // ---- sizes

    /// The value of a size, if it is known here.
    pub(super) fn eval_size(&mut self, size: &Size, frame: FrameId) -> R<Dim> {
        match size {
            Size::Const(x) => Ok(Some(SubExp::i64(*x))),
            Size::Var(v) => Ok(match self.lookup(frame, *v) {
                Some(Value::Leaf(s)) => Some(s),
                _ => None,
            }),
            Size::Global(id) => {
                let Some(def) = self.def_index.get(id).copied() else { return Ok(None) };
                match self.global_constant(def)? {
                    Value::Leaf(s) => Ok(Some(s)),
                    _ => Ok(None),
                }
            }
            Size::Exp(e) => self.eval_size_exp(e, frame),
            Size::Unknown => Ok(None),
        }
    }

    fn eval_size_exp(&mut self, e: &Arc<Exp>, frame: FrameId) -> R<Dim> {
        // The common case, sums and products, needs neither a frame nor a check of scope.
        if let Some(s) = self.size_arithmetic(e, frame)? {
            return Ok(Some(s));
        }
        if !self.in_scope(e, frame) {
            return Ok(None);
        }
        let inner = self.frame(Some(frame));
        match self.eval(e, inner)? {
            Value::Leaf(s) => Ok(Some(s)),
            _ => Ok(None),
        }
    }

    fn size_arithmetic(&mut self, e: &Exp, frame: FrameId) -> R<Dim> {
        match &e.kind {
            ExpKind::Lit(v) => Ok(Some(SubExp::i64(v.bits() as i64))),
            ExpKind::Var(v, _) => Ok(match self.lookup(frame, *v) {
                Some(Value::Leaf(s)) => Some(s),
                _ => None,
            }),
            ExpKind::App { fun, args, .. } => {
                let ExpKind::Intrinsic(op, _) = &fun.kind else { return Ok(None) };
                let op = match op.as_str() {
                    "+" => BinOp::Add(IntType::I64),
                    "-" => BinOp::Sub(IntType::I64),
                    "*" => BinOp::Mul(IntType::I64),
                    _ => return Ok(None),
                };
                let [x, y] = args.as_slice() else { return Ok(None) };
                let Some(x) = self.size_arithmetic(x, frame)? else { return Ok(None) };
                let Some(y) = self.size_arithmetic(y, frame)? else { return Ok(None) };
                Ok(Some(self.binop(op, x, y)))
            }
            _ => Ok(None),
        }
    }

    /// Whether all variables that a size expression mentions mean something here. Expressions
    /// that bind variables of their own do not occur in sizes the checker infers; for those the
    /// answer is that they are out of scope.
    fn in_scope(&self, e: &Exp, frame: FrameId) -> bool {
        match &e.kind {
            ExpKind::Lit(_) | ExpKind::Global(..) | ExpKind::Intrinsic(..) => true,
            ExpKind::Var(v, _) => self.is_bound(frame, *v),
            ExpKind::App { fun, args, .. } => {
                self.in_scope(fun, frame) && args.iter().all(|a| self.in_scope(a, frame))
            }
            ExpKind::Project(e, _) | ExpKind::Coerce(e) | ExpKind::Attr(_, e) => {
                self.in_scope(e, frame)
            }
            ExpKind::Record(fields) => fields.iter().all(|(_, e)| self.in_scope(e, frame)),
            ExpKind::Index(e, dims) => {
                self.in_scope(e, frame)
                    && dims.iter().all(|d| match d {
                        futc_typed::program::DimIndex::Fix(i) => self.in_scope(i, frame),
                        futc_typed::program::DimIndex::Slice { .. } => false,
                    })
            }
            ExpKind::If { cond, then, otherwise, .. } => {
                self.in_scope(cond, frame)
                    && self.in_scope(then, frame)
                    && self.in_scope(otherwise, frame)
            }
            _ => false,
        }
    }

    // ---- types

    /// The type over Core sizes; may emit the arithmetic of sizes.
    pub(super) fn close(&mut self, ty: &Type, frame: FrameId) -> R<Ty> {
        self.close_with(ty, frame, true)
    }

    /// The type with all sizes unknown: structure only.
    pub(super) fn erase(&mut self, ty: &Type, frame: FrameId) -> R<Ty> {
        self.close_with(ty, frame, false)
    }

    fn close_with(&mut self, ty: &Type, frame: FrameId, sizes: bool) -> R<Ty> {
        Ok(match ty {
            Type::Prim(p) => Ty::Prim(*p),
            Type::Array { size, elem } => {
                let d = if sizes { self.eval_size(size, frame)? } else { None };
                Ty::Array(d, Rc::new(self.close_with(elem, frame, sizes)?))
            }
            Type::Record(fields) => {
                let mut out = Vec::with_capacity(fields.len());
                for (n, t) in fields.iter() {
                    out.push((*n, self.close_with(t, frame, sizes)?));
                }
                Ty::Record(out.into())
            }
            Type::Sum(constrs) => {
                let mut out = Vec::with_capacity(constrs.len());
                for (n, ts) in constrs.iter() {
                    let mut payload = Vec::with_capacity(ts.len());
                    for t in ts {
                        payload.push(self.close_with(t, frame, sizes)?);
                    }
                    out.push((*n, payload));
                }
                Ty::Sum(out.into())
            }
            Type::Arrow(_) => Ty::Fun,
            Type::Param(v) => match self.lookup_type(frame, *v) {
                Some(t) if sizes => t,
                Some(t) => t.map_dims(&mut |_| None),
                None => return self.bug(format!("type parameter '{} is not bound", v.name)),
            },
            Type::Opaque(id, args) => {
                let rep = self.expand(*id, args)?;
                self.close_with(&rep, frame, sizes)?
            }
        })
    }

    /// What an abstract type stands for.
    pub(super) fn expand(
        &mut self,
        id: futc_typed::program::TypeId,
        args: &Arc<[TypeArg]>,
    ) -> R<Type> {
        let program = self.program;
        let Some(opaque) = self.opaque_index.get(&id).and_then(|i| program.opaques.get(*i)) else {
            return self.bug("an abstract type without representation");
        };
        if args.is_empty() {
            return Ok(opaque.rep.clone());
        }
        let key = (id, args.to_vec());
        if let Some(t) = self.expanded.get(&key) {
            return Ok(t.clone());
        }
        let t = substitute(opaque, args);
        self.expanded.insert(key, t.clone());
        Ok(t)
    }

    /// Binds, in `frame`, the sizes of `wanted` that occur in `ty` to what `value`'s shape says.
    /// Those bound before keep their meaning.
    pub(super) fn match_sizes(
        &mut self,
        ty: &Type,
        value: &Value,
        wanted: &[VarId],
        frame: FrameId,
    ) -> R<()> {
        if wanted.is_empty() {
            return Ok(());
        }
        self.match_at(ty, value, 0, wanted, frame)
    }

    fn match_at(
        &mut self,
        ty: &Type,
        value: &Value,
        depth: usize,
        wanted: &[VarId],
        frame: FrameId,
    ) -> R<()> {
        match ty {
            Type::Prim(_) | Type::Arrow(_) | Type::Param(_) => Ok(()),
            Type::Array { size, elem } => {
                if let Size::Var(v) = size
                    && wanted.contains(v)
                    && !self.bound_here(frame, *v)
                    && let Some(d) = value.first_leaf().and_then(|l| self.dim(l, depth))
                {
                    self.bind(frame, *v, Value::Leaf(d));
                }
                self.match_at(elem, value, depth + 1, wanted, frame)
            }
            Type::Record(fields) => {
                if let Value::Record(values) = value {
                    let values = values.clone();
                    for ((_, t), (_, v)) in fields.iter().zip(values.iter()) {
                        self.match_at(t, v, depth, wanted, frame)?;
                    }
                }
                Ok(())
            }
            Type::Sum(constrs) => {
                if !mentions(ty, wanted) {
                    return Ok(());
                }
                match value {
                    Value::Sum(all) => {
                        let Ty::Sum(closed) = self.erase(ty, frame)? else { return Ok(()) };
                        let layout = SumLayout::new(&closed);
                        for (((_, ts), (_, tys)), slots) in
                            constrs.iter().zip(closed.iter()).zip(&layout.slots)
                        {
                            let mut it = slots.iter().filter_map(|i| all.get(*i).copied());
                            for (t, c) in ts.iter().zip(tys) {
                                if let Some(v) = c.value(&mut it) {
                                    self.match_at(t, &v, depth, wanted, frame)?;
                                }
                            }
                        }
                        Ok(())
                    }
                    Value::Constr(name, payload) => {
                        if let Some((_, ts)) = constrs.iter().find(|(n, _)| n == name) {
                            for (t, v) in ts.iter().zip(payload.iter()) {
                                self.match_at(t, v, depth, wanted, frame)?;
                            }
                        }
                        Ok(())
                    }
                    Value::Leaf(_) | Value::Record(_) | Value::Fun(_) => Ok(()),
                }
            }
            Type::Opaque(id, args) => {
                let rep = self.expand(*id, args)?;
                self.match_at(&rep, value, depth, wanted, frame)
            }
        }
    }

    // ---- coercions

    /// A leaf with the dimensions that are known, and its own where they are not.
    pub(super) fn conform_leaf(
        &mut self,
        leaf: SubExp,
        dims: &[Dim],
        certs: &[crate::ir::Var],
    ) -> SubExp {
        let own = self.shape(leaf);
        if own.is_empty() {
            return if certs.is_empty() { leaf } else { self.reshape_to(leaf, &own, certs) };
        }
        let want: Vec<SubExp> = own
            .iter()
            .enumerate()
            .map(|(i, d)| dims.get(i).copied().flatten().unwrap_or(*d))
            .collect();
        self.reshape_to(leaf, &want, certs)
    }

    /// `e :> t`: checks the dimensions that differ by name.
    pub(super) fn coerce(&mut self, value: &Value, source: &Type, ty: &Ty) -> R<Value> {
        let Some(ls) = leaves(value) else { return Ok(value.clone()) };
        let tys = ty.leaves();
        if tys.len() != ls.len() {
            return self.bug("a coercion changes the structure of a value");
        }
        let mut ok = SubExp::bool(true);
        let mut shapes: Vec<MsgPart> = vec![super::builder::text("Value of (desugared) shape ")];
        for (l, t) in ls.iter().zip(&tys) {
            let own = self.shape(*l);
            for (d, want) in own.iter().zip(&t.dims) {
                if let Some(w) = want {
                    let same = self.eq64(*d, *w);
                    ok = self.and(ok, same);
                }
                if shapes.len() < 40 {
                    shapes.push(super::builder::text("["));
                    shapes.push(super::builder::size(*d));
                    shapes.push(super::builder::text("]"));
                }
            }
        }
        shapes.push(super::builder::text(" cannot match shape of type \""));
        type_parts(source, ty, &mut shapes);
        shapes.push(super::builder::text("\"."));
        let certs = self.check_size(ok, shapes);
        let mut out = Vec::with_capacity(ls.len());
        for (l, t) in ls.iter().zip(&tys) {
            let own = self.shape(*l);
            let differs = own.iter().zip(&t.dims).any(|(d, w)| w.is_some_and(|w| w != *d));
            out.push(self.conform_leaf(*l, &t.dims, if differs { &certs } else { &[] }));
        }
        Ok(value.with_leaves(&mut out.into_iter()))
    }

    /// A value of type `ty` of no meaning. Unknown sizes are zero.
    pub(super) fn blank_leaf(&mut self, prim: PrimType, dims: &[Dim]) -> SubExp {
        let prim = super::value::core_prim(prim);
        if dims.is_empty() {
            return crate::ir::Const::zero(prim).into();
        }
        let shape: Vec<SubExp> = dims.iter().map(|d| d.unwrap_or(SubExp::i64(0))).collect();
        self.check_shape(&shape);
        let ty = crate::ir::Type::array(prim, shape.clone());
        SubExp::Var(self.emit("blank", crate::ir::Exp::Scratch { elem: prim, shape }, ty))
    }

    /// A value of type `ty` of no meaning, functions included.
    pub(super) fn blank_of(&mut self, ty: &Type, frame: FrameId) -> R<Value> {
        match ty {
            Type::Arrow(arrow) => Ok(Value::Fun(Rc::new(Closure {
                code: Code::Blank(arrow.clone(), frame),
                types: Rc::from([]),
                sizes: Rc::from([]),
                args: Vec::new(),
            }))),
            Type::Record(fields) if !fields.is_empty() => {
                let mut out = Vec::with_capacity(fields.len());
                for (n, t) in fields.iter() {
                    out.push((*n, self.blank_of(t, frame)?));
                }
                Ok(Value::Record(out.into()))
            }
            Type::Opaque(id, args) => {
                let rep = self.expand(*id, args)?;
                self.blank_of(&rep, frame)
            }
            Type::Prim(_)
            | Type::Array { .. }
            | Type::Record(_)
            | Type::Sum(_)
            | Type::Param(_) => {
                let closed = self.close(ty, frame)?;
                self.blank(&closed)
            }
        }
    }

    /// A value of type `ty` of no meaning.
    pub(super) fn blank(&mut self, ty: &Ty) -> R<Value> {
        let mut out = Vec::new();
        for l in ty.leaves() {
            out.push(self.blank_leaf(l.prim, &l.dims));
        }
        match ty.value(&mut out.into_iter()) {
            Some(v) => Ok(v),
            None => self.bug("a value of no meaning was asked for at a function type"),
        }
    }
}

/// Whether `ty` mentions any of these sizes where a shape could tell them.
fn mentions(ty: &Type, wanted: &[VarId]) -> bool {
    match ty {
        Type::Prim(_) | Type::Arrow(_) | Type::Param(_) => false,
        Type::Array { size, elem } => {
            matches!(size, Size::Var(v) if wanted.contains(v)) || mentions(elem, wanted)
        }
        Type::Record(fields) => fields.iter().any(|(_, t)| mentions(t, wanted)),
        Type::Sum(constrs) => constrs.iter().any(|(_, ts)| ts.iter().any(|t| mentions(t, wanted))),
        Type::Opaque(_, args) => args.iter().any(|a| match a {
            TypeArg::Size(Size::Var(v)) => wanted.contains(v),
            TypeArg::Size(_) => false,
            TypeArg::Type(t) => mentions(t, wanted),
        }),
    }
}

/// The representation of an opaque type with its parameters replaced.
fn substitute(opaque: &Opaque, args: &[TypeArg]) -> Type {
    let map: HashMap<VarId, &TypeArg> = opaque.params.iter().copied().zip(args).collect();
    fn size(s: &Size, map: &HashMap<VarId, &TypeArg>) -> Size {
        match s {
            Size::Var(v) => match map.get(v) {
                Some(TypeArg::Size(s)) => s.clone(),
                _ => s.clone(),
            },
            Size::Const(_) | Size::Global(_) | Size::Exp(_) | Size::Unknown => s.clone(),
        }
    }
    fn go(t: &Type, map: &HashMap<VarId, &TypeArg>) -> Type {
        match t {
            Type::Prim(_) | Type::Arrow(_) => t.clone(),
            Type::Array { size: s, elem } => {
                Type::Array { size: size(s, map), elem: Arc::new(go(elem, map)) }
            }
            Type::Record(fields) => {
                Type::Record(fields.iter().map(|(n, t)| (*n, go(t, map))).collect())
            }
            Type::Sum(constrs) => Type::Sum(
                constrs
                    .iter()
                    .map(|(n, ts)| (*n, ts.iter().map(|t| go(t, map)).collect()))
                    .collect(),
            ),
            Type::Param(v) => match map.get(v) {
                Some(TypeArg::Type(t)) => t.clone(),
                _ => t.clone(),
            },
            Type::Opaque(id, args) => Type::Opaque(
                *id,
                args.iter()
                    .map(|a| match a {
                        TypeArg::Size(s) => TypeArg::Size(size(s, map)),
                        TypeArg::Type(t) => TypeArg::Type(go(t, map)),
                    })
                    .collect(),
            ),
        }
    }
    go(&opaque.rep, &map)
}

/// The type in a message, sizes by value.
fn type_parts(source: &Type, ty: &Ty, out: &mut Vec<MsgPart>) {
    match (source, ty) {
        (Type::Array { elem, .. }, Ty::Array(d, closed)) => {
            out.push(super::builder::text("["));
            out.extend(d.map(super::builder::size));
            out.push(super::builder::text("]"));
            type_parts(elem, closed, out);
        }
        (Type::Record(fields), Ty::Record(closed)) if source.as_tuple().is_some() => {
            out.push(super::builder::text("("));
            for (i, ((_, t), (_, c))) in fields.iter().zip(closed.iter()).enumerate() {
                if i > 0 {
                    out.push(super::builder::text(", "));
                }
                type_parts(t, c, out);
            }
            out.push(super::builder::text(")"));
        }
        _ => out.push(super::builder::text(show_type(source))),
    }
}

/// A type as in the source, for messages.
pub(super) fn show_type(ty: &Type) -> String {
    fn name(n: Name) -> &'static str {
        n.as_str()
    }
    match ty {
        Type::Prim(p) => p.to_string(),
        Type::Array { size, elem } => {
            let s = match size {
                Size::Const(c) => c.to_string(),
                Size::Var(v) => v.name.to_string(),
                Size::Global(_) | Size::Exp(_) | Size::Unknown => String::new(),
            };
            format!("[{s}]{}", show_type(elem))
        }
        Type::Record(fields) => match ty.as_tuple() {
            Some(ts) => {
                let ts: Vec<String> = ts.into_iter().map(show_type).collect();
                format!("({})", ts.join(", "))
            }
            None => {
                let fs: Vec<String> =
                    fields.iter().map(|(n, t)| format!("{}: {}", name(*n), show_type(t))).collect();
                format!("{{{}}}", fs.join(", "))
            }
        },
        Type::Sum(constrs) => {
            let cs: Vec<String> = constrs
                .iter()
                .map(|(n, ts)| {
                    let ts: String = ts.iter().map(|t| format!(" {}", show_type(t))).collect();
                    format!("#{}{ts}", name(*n))
                })
                .collect();
            cs.join(" | ")
        }
        Type::Arrow(a) => format!("({} -> {})", show_type(&a.param), show_type(&a.ret)),
        Type::Param(v) => v.name.to_string(),
        Type::Opaque(id, _) => format!("t{}", id.index),
    }
}
