//! Substitution in types and sizes: of type parameters, sizes and abstract types.
//!
//! Two ways to walk under the binders of a type (a parameter's name and the existential sizes of
//! an arrow): [`Subst::ty`] leaves them as they are, which is right where the binders are known
//! not to occur in what is put in; [`Subst::instantiate`] renames them to fresh locals, as must be
//! done wherever a scheme or an abbreviation is used, since its binders may have been made while
//! checking another file and so may have the same tags as locals of this one.
//!
//! Cost: linear in the graph of the type; parts in which nothing changes are shared, not copied.

use crate::check::types::elab::Elab;
use crate::check::types::env::{Scheme, TypeBinding, TypeFun, TypeParamKind};
use futc_typed::name::Name;
use futc_typed::prim::{PrimType, PrimValue};
use futc_typed::program::{DefId, DimIndex, Exp, ExpKind, Inst, RangeEnd, TypeId, VarId};
use futc_typed::shared::{Memo, Seen};
use futc_typed::span::Span;
use futc_typed::types::{Arrow, Size, Type, TypeArg};
use std::collections::HashMap;
use std::sync::Arc;

/// A simultaneous substitution.
#[derive(Clone, Debug, Default)]
pub struct Subst {
    /// Type parameters.
    pub types: HashMap<VarId, Type>,
    /// Sizes. To put an expression for a variable that is no size, such as `r` in `[r.n]t`, give
    /// it as a [`Size::Exp`].
    pub sizes: HashMap<VarId, Size>,
    /// Abstract types.
    pub opaques: HashMap<TypeId, TypeFun>,
    /// Top-level values in sizes.
    pub globals: HashMap<DefId, DefId>,
}

impl Subst {
    /// Nothing is replaced.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
            && self.sizes.is_empty()
            && self.opaques.is_empty()
            && self.globals.is_empty()
    }

    /// Applies to a type, leaving its binders as they are.
    pub fn ty(&self, ty: &Type) -> Type {
        if self.is_empty() {
            return ty.clone();
        }
        Applier::new(self, None).ty(ty).unwrap_or_else(|| ty.clone())
    }

    /// Applies to a type, giving its binders fresh names.
    pub fn instantiate(&self, cx: &mut Elab, ty: &Type) -> Type {
        Applier::new(self, Some(cx)).ty(ty).unwrap_or_else(|| ty.clone())
    }

    /// Applies to a size.
    pub fn size(&self, size: &Size) -> Size {
        if self.is_empty() {
            return size.clone();
        }
        Applier::new(self, None).size(size).unwrap_or_else(|| size.clone())
    }

    /// Applies to a scheme, giving the binders inside fresh names; its parameters stay, and
    /// further size parameters may come after them.
    pub fn scheme(&self, cx: &mut Elab, scheme: &Scheme) -> Scheme {
        let mut applier = Applier::new(self, Some(cx));
        let ty = applier.ty(&scheme.ty).unwrap_or_else(|| scheme.ty.clone());
        let extra = applier.extra;
        let mut size_params = scheme.size_params.clone();
        size_params.extend(extra);
        Scheme { type_params: scheme.type_params.clone(), size_params, ty }
    }

    /// A copy of a scheme that shares no variables with it.
    pub fn fresh_scheme(cx: &mut Elab, scheme: &Scheme) -> Scheme {
        let mut subst = Subst::default();
        let mut type_params = Vec::with_capacity(scheme.type_params.len());
        for (liftedness, v) in &scheme.type_params {
            let new = cx.fresh_var(v.name);
            subst.types.insert(*v, Type::Param(new));
            type_params.push((*liftedness, new));
        }
        let mut size_params = Vec::with_capacity(scheme.size_params.len());
        for v in &scheme.size_params {
            let new = cx.fresh_var(v.name);
            subst.sizes.insert(*v, Size::Var(new));
            size_params.push(new);
        }
        Scheme { type_params, size_params, ty: subst.instantiate(cx, &scheme.ty) }
    }

    /// Applies to the meaning of a type name; existential sizes may be added.
    pub fn type_binding(&self, cx: &mut Elab, binding: &TypeBinding) -> TypeBinding {
        let mut applier = Applier::new(self, Some(cx));
        applier.result = Some(Vec::new());
        let ty = applier.ty(&binding.ty).unwrap_or_else(|| binding.ty.clone());
        let mut sizes = binding.sizes.clone();
        sizes.extend(applier.result.unwrap_or_default());
        sizes.extend(applier.extra);
        TypeBinding { params: binding.params.clone(), sizes, ty, ..*binding }
    }
}

/// The size as an expression of type `i64`; an unknown size has none.
pub fn size_to_exp(size: &Size, span: Span) -> Option<Exp> {
    let ty = Type::Prim(PrimType::I64);
    match size {
        Size::Const(c) => Some(Exp { kind: ExpKind::Lit(PrimValue::I64(*c)), ty, span }),
        Size::Var(v) => Some(Exp { kind: ExpKind::Var(*v, Inst::default()), ty, span }),
        Size::Global(d) => Some(Exp { kind: ExpKind::Global(*d, Inst::default()), ty, span }),
        Size::Exp(e) => Some(e.as_ref().clone()),
        Size::Unknown => None,
    }
}

/// The expression as a size: constants and variables as such.
pub fn exp_to_size(exp: Exp) -> Size {
    match exp.kind {
        ExpKind::Lit(PrimValue::I64(c)) => Size::Const(c),
        ExpKind::Var(v, _) => Size::Var(v),
        ExpKind::Global(d, ref inst) if inst.types.is_empty() && inst.sizes.is_empty() => {
            Size::Global(d)
        }
        _ => Size::Exp(Arc::new(exp)),
    }
}

/// One walk. Methods return `None` where nothing changes.
struct Applier<'a> {
    subst: &'a Subst,
    /// Existential sizes of the innermost arrow whose result this is.
    result: Option<Vec<VarId>>,
    /// Size parameters that came into being in parameters.
    extra: Vec<VarId>,
    /// Inside of an arrow's parameter.
    in_param: bool,
    fresh: Option<&'a mut Elab>,
    /// Binders renamed so far, innermost last. They shadow nothing, being fresh.
    renamed: Vec<(VarId, VarId)>,
    /// An unknown size was put into a size expression, which is thereby unknown itself.
    lost: bool,
    /// What became of shared parts in which no binder was renamed.
    memo: Memo<Option<Type>>,
    /// How many variables have been made.
    made: usize,
}

impl<'a> Applier<'a> {
    fn new(subst: &'a Subst, fresh: Option<&'a mut Elab>) -> Applier<'a> {
        Applier {
            subst,
            result: None,
            extra: Vec::new(),
            in_param: false,
            fresh,
            renamed: Vec::new(),
            lost: false,
            memo: Memo::default(),
            made: 0,
        }
    }

    /// A size for an existential one of an abstract type, depending on where the type stands.
    fn existential(&mut self, v: VarId) -> Size {
        let Some(cx) = &mut self.fresh else { return Size::Unknown };
        self.made += 1;
        if let Some(sizes) = &mut self.result {
            let new = cx.fresh_var(v.name);
            sizes.push(new);
            Size::Var(new)
        } else if self.in_param {
            let new = cx.fresh_var(v.name);
            self.extra.push(new);
            Size::Var(new)
        } else {
            Size::Unknown
        }
    }

    fn rename(&mut self, v: VarId) -> VarId {
        match &mut self.fresh {
            Some(cx) => {
                let new = cx.fresh_var(v.name);
                self.made += 1;
                self.renamed.push((v, new));
                new
            }
            None => v,
        }
    }

    fn renamed(&self, v: VarId) -> Option<VarId> {
        self.renamed.iter().rev().find(|(old, _)| *old == v).map(|(_, new)| *new)
    }

    fn types<'t>(&mut self, types: impl Iterator<Item = &'t Type>) -> Option<Vec<Type>> {
        let mut changed = false;
        let new = types
            .map(|t| match self.ty(t) {
                Some(t) => {
                    changed = true;
                    t
                }
                None => t.clone(),
            })
            .collect();
        changed.then_some(new)
    }

    fn ty(&mut self, ty: &Type) -> Option<Type> {
        let within = self.renamed.last().map_or(0, |(_, v)| u64::from(v.tag) + 1);
        if let Some(made) = self.memo.get(ty, within) {
            return made;
        }
        let before = self.made;
        let new = self.parts(ty);
        if self.made == before {
            self.memo.put(ty, within, &new);
        }
        new
    }

    fn parts(&mut self, ty: &Type) -> Option<Type> {
        match ty {
            Type::Prim(_) => None,
            Type::Array { size, elem } => {
                let new_size = self.size(size);
                let new_elem = self.ty(elem);
                if new_size.is_none() && new_elem.is_none() {
                    return None;
                }
                Some(Type::Array {
                    size: new_size.unwrap_or_else(|| size.clone()),
                    elem: new_elem.map_or_else(|| elem.clone(), Arc::new),
                })
            }
            Type::Record(fields) => {
                let new = self.types(fields.iter().map(|(_, t)| t))?;
                Some(Type::Record(fields.iter().map(|(n, _)| *n).zip(new).collect()))
            }
            Type::Sum(constrs) => {
                let mut changed = false;
                let new: Vec<(Name, Vec<Type>)> = constrs
                    .iter()
                    .map(|(n, ts)| match self.types(ts.iter()) {
                        Some(ts) => {
                            changed = true;
                            (*n, ts)
                        }
                        None => (*n, ts.clone()),
                    })
                    .collect();
                changed.then(|| Type::Sum(new.into()))
            }
            Type::Arrow(arrow) => self.arrow(arrow),
            Type::Param(v) => self.subst.types.get(v).cloned(),
            Type::Opaque(id, args) => {
                let mut changed = false;
                let new: Vec<TypeArg> = args
                    .iter()
                    .map(|arg| match self.arg(arg) {
                        Some(arg) => {
                            changed = true;
                            arg
                        }
                        None => arg.clone(),
                    })
                    .collect();
                match self.subst.opaques.get(id) {
                    Some(fun) => {
                        let fun = fun.clone();
                        let mut own = arguments(&fun.params, new);
                        for v in &fun.sizes {
                            let size = self.existential(*v);
                            own.sizes.insert(*v, size);
                        }
                        let applied = own.ty(&fun.body);
                        // The replacement's own binders must not be shared between its uses.
                        let Some(cx) = &mut self.fresh else { return Some(applied) };
                        let nothing = Subst::default();
                        let mut renamer = Applier::new(&nothing, Some(cx));
                        let renamed = renamer.ty(&applied);
                        self.made += renamer.made;
                        Some(renamed.unwrap_or(applied))
                    }
                    None => changed.then(|| Type::Opaque(*id, new.into())),
                }
            }
        }
    }

    fn arg(&mut self, arg: &TypeArg) -> Option<TypeArg> {
        match arg {
            TypeArg::Size(s) => self.size(s).map(TypeArg::Size),
            TypeArg::Type(t) => self.ty(t).map(TypeArg::Type),
        }
    }

    fn arrow(&mut self, arrow: &Arrow) -> Option<Type> {
        let outer_result = self.result.take();
        let outer_in_param = std::mem::replace(&mut self.in_param, true);
        let param = self.ty(&arrow.param);
        let depth = self.renamed.len();
        let name = arrow.name.map(|v| self.rename(v));
        let mut ret_sizes: Vec<VarId> = arrow.ret_sizes.iter().map(|v| self.rename(*v)).collect();
        let binders_changed = self.renamed.len() != depth;
        self.result = Some(Vec::new());
        let ret = self.ty(&arrow.ret);
        ret_sizes.extend(self.result.take().unwrap_or_default());
        self.renamed.truncate(depth);
        self.result = outer_result;
        self.in_param = outer_in_param;
        if param.is_none() && ret.is_none() && !binders_changed {
            return None;
        }
        Some(Type::Arrow(Arc::new(Arrow {
            name,
            param: param.unwrap_or_else(|| arrow.param.clone()),
            consumes: arrow.consumes.clone(),
            ret_sizes,
            ret: ret.unwrap_or_else(|| arrow.ret.clone()),
            unique_ret: arrow.unique_ret.clone(),
        })))
    }

    fn size(&mut self, size: &Size) -> Option<Size> {
        match size {
            Size::Const(_) | Size::Unknown => None,
            Size::Global(d) => self.subst.globals.get(d).map(|d| Size::Global(*d)),
            Size::Var(v) => match self.renamed(*v) {
                Some(new) => Some(Size::Var(new)),
                None => self.subst.sizes.get(v).cloned(),
            },
            Size::Exp(e) => {
                let outer = std::mem::replace(&mut self.lost, false);
                let new = self.exp(e);
                let lost = std::mem::replace(&mut self.lost, outer);
                if lost { Some(Size::Unknown) } else { new.map(exp_to_size) }
            }
        }
    }

    fn inst(&mut self, inst: &Inst) -> Inst {
        Inst {
            types: inst.types.iter().map(|t| self.ty(t).unwrap_or_else(|| t.clone())).collect(),
            sizes: inst.sizes.iter().map(|s| self.size(s).unwrap_or_else(|| s.clone())).collect(),
        }
    }

    fn exp_or_same(&mut self, e: &Exp) -> Exp {
        self.exp(e).unwrap_or_else(|| e.clone())
    }

    fn boxed(&mut self, e: &Exp) -> Box<Exp> {
        Box::new(self.exp_or_same(e))
    }

    fn opt(&mut self, e: &Option<Box<Exp>>) -> Option<Box<Exp>> {
        e.as_ref().map(|e| self.boxed(e))
    }

    fn index(&mut self, index: &[DimIndex]) -> Vec<DimIndex> {
        index
            .iter()
            .map(|i| match i {
                DimIndex::Fix(e) => DimIndex::Fix(self.exp_or_same(e)),
                DimIndex::Slice { start, end, stride } => DimIndex::Slice {
                    start: self.opt(start),
                    end: self.opt(end),
                    stride: self.opt(stride),
                },
            })
            .collect()
    }

    /// An expression inside a size. Such expressions are small, so they are rebuilt throughout.
    fn exp(&mut self, e: &Exp) -> Option<Exp> {
        let kind = match &e.kind {
            ExpKind::Var(v, inst) => {
                if let Some(new) = self.renamed(*v) {
                    ExpKind::Var(new, inst.clone())
                } else if let Some(size) = self.subst.sizes.get(v) {
                    match size_to_exp(size, e.span) {
                        // A variable need not be a size itself: `n` is none in `[i64.i32 n]`.
                        Some(new) if matches!(new.kind, ExpKind::Var(..)) => {
                            let ty = self.ty(&e.ty).unwrap_or_else(|| e.ty.clone());
                            return Some(Exp { ty, ..new });
                        }
                        Some(new) => return Some(new),
                        None => {
                            self.lost = true;
                            return None;
                        }
                    }
                } else {
                    ExpKind::Var(*v, self.inst(inst))
                }
            }
            ExpKind::Lit(_) | ExpKind::String(_) | ExpKind::Hole => return None,
            ExpKind::Global(d, inst) => {
                let d = self.subst.globals.get(d).unwrap_or(d);
                ExpKind::Global(*d, self.inst(inst))
            }
            ExpKind::Intrinsic(n, inst) => ExpKind::Intrinsic(*n, self.inst(inst)),
            ExpKind::Record(fields) => {
                ExpKind::Record(fields.iter().map(|(n, e)| (*n, self.exp_or_same(e))).collect())
            }
            ExpKind::ArrayLit(es) => {
                ExpKind::ArrayLit(es.iter().map(|e| self.exp_or_same(e)).collect())
            }
            ExpKind::Project(e, n) => ExpKind::Project(self.boxed(e), *n),
            ExpKind::Constr(n, es) => {
                ExpKind::Constr(*n, es.iter().map(|e| self.exp_or_same(e)).collect())
            }
            ExpKind::Index(a, index) => ExpKind::Index(self.boxed(a), self.index(index)),
            ExpKind::Range { start, second, end } => ExpKind::Range {
                start: self.boxed(start),
                second: self.opt(second),
                end: match end {
                    RangeEnd::Inclusive(e) => RangeEnd::Inclusive(self.boxed(e)),
                    RangeEnd::UpTo(e) => RangeEnd::UpTo(self.boxed(e)),
                    RangeEnd::DownTo(e) => RangeEnd::DownTo(self.boxed(e)),
                },
            },
            ExpKind::App { fun, args, sizes } => ExpKind::App {
                fun: self.boxed(fun),
                args: args.iter().map(|e| self.exp_or_same(e)).collect(),
                sizes: sizes.clone(),
            },
            ExpKind::And(a, b) => ExpKind::And(self.boxed(a), self.boxed(b)),
            ExpKind::Or(a, b) => ExpKind::Or(self.boxed(a), self.boxed(b)),
            ExpKind::If { cond, then, otherwise, sizes } => ExpKind::If {
                cond: self.boxed(cond),
                then: self.boxed(then),
                otherwise: self.boxed(otherwise),
                sizes: sizes.clone(),
            },
            ExpKind::Assert { cond, body, text } => ExpKind::Assert {
                cond: self.boxed(cond),
                body: self.boxed(body),
                text: text.clone(),
            },
            ExpKind::Coerce(e) => ExpKind::Coerce(self.boxed(e)),
            ExpKind::Attr(a, e) => ExpKind::Attr(a.clone(), self.boxed(e)),
            // Size expressions bind no variables and update nothing.
            ExpKind::Update { .. }
            | ExpKind::RecordUpdate { .. }
            | ExpKind::Lambda(_)
            | ExpKind::Let { .. }
            | ExpKind::LetFun { .. }
            | ExpKind::Match { .. }
            | ExpKind::Loop(_) => return None,
        };
        let ty = self.ty(&e.ty).unwrap_or_else(|| e.ty.clone());
        Some(Exp { kind, ty, span: e.span })
    }
}

/// The substitution of arguments for the parameters of a type.
fn arguments(params: &[(TypeParamKind, VarId)], args: Vec<TypeArg>) -> Subst {
    let mut subst = Subst::default();
    for ((_, v), arg) in params.iter().zip(args) {
        match arg {
            TypeArg::Size(s) => {
                subst.sizes.insert(*v, s);
            }
            TypeArg::Type(t) => {
                subst.types.insert(*v, t);
            }
        }
    }
    subst
}

/// Calls `f` with every variable used as or in a size of `ty`, bound ones included.
pub fn size_vars_of_type(ty: &Type, f: &mut impl FnMut(VarId)) {
    size_vars_seen(ty, &mut Seen::default(), f);
}

fn size_vars_seen(ty: &Type, seen: &mut Seen, f: &mut impl FnMut(VarId)) {
    if seen.again(ty, 0) {
        return;
    }
    match ty {
        Type::Prim(_) | Type::Param(_) => {}
        Type::Array { size, elem } => {
            size_vars(size, f);
            size_vars_seen(elem, seen, f);
        }
        Type::Record(fields) => fields.iter().for_each(|(_, t)| size_vars_seen(t, seen, f)),
        Type::Sum(constrs) => {
            constrs.iter().flat_map(|(_, ts)| ts).for_each(|t| size_vars_seen(t, seen, f));
        }
        Type::Arrow(arrow) => {
            size_vars_seen(&arrow.param, seen, f);
            size_vars_seen(&arrow.ret, seen, f);
        }
        Type::Opaque(_, args) => {
            for arg in args.iter() {
                match arg {
                    TypeArg::Size(s) => size_vars(s, f),
                    TypeArg::Type(t) => size_vars_seen(t, seen, f),
                }
            }
        }
    }
}

/// Calls `f` with every variable in `size`.
pub fn size_vars(size: &Size, f: &mut impl FnMut(VarId)) {
    match size {
        Size::Const(_) | Size::Global(_) | Size::Unknown => {}
        Size::Var(v) => f(*v),
        Size::Exp(e) => exp_vars(e, f),
    }
}

fn exp_vars(e: &Exp, f: &mut impl FnMut(VarId)) {
    let index_vars = |index: &[DimIndex], f: &mut dyn FnMut(&Exp)| {
        for i in index {
            match i {
                DimIndex::Fix(e) => f(e),
                DimIndex::Slice { start, end, stride } => {
                    [start, end, stride].into_iter().flatten().for_each(|e| f(e));
                }
            }
        }
    };
    match &e.kind {
        ExpKind::Var(v, _) => f(*v),
        ExpKind::Lit(_)
        | ExpKind::String(_)
        | ExpKind::Hole
        | ExpKind::Global(..)
        | ExpKind::Intrinsic(..) => {}
        ExpKind::Record(fields) => fields.iter().for_each(|(_, e)| exp_vars(e, f)),
        ExpKind::ArrayLit(es) | ExpKind::Constr(_, es) => es.iter().for_each(|e| exp_vars(e, f)),
        ExpKind::Project(e, _) | ExpKind::Coerce(e) | ExpKind::Attr(_, e) => exp_vars(e, f),
        ExpKind::Index(a, index) => {
            exp_vars(a, f);
            index_vars(index, &mut |e| exp_vars(e, f));
        }
        ExpKind::Range { start, second, end } => {
            exp_vars(start, f);
            second.iter().for_each(|e| exp_vars(e, f));
            match end {
                RangeEnd::Inclusive(e) | RangeEnd::UpTo(e) | RangeEnd::DownTo(e) => exp_vars(e, f),
            }
        }
        ExpKind::App { fun, args, .. } => {
            exp_vars(fun, f);
            args.iter().for_each(|e| exp_vars(e, f));
        }
        ExpKind::And(a, b) | ExpKind::Or(a, b) => {
            exp_vars(a, f);
            exp_vars(b, f);
        }
        ExpKind::If { cond, then, otherwise, .. } => {
            exp_vars(cond, f);
            exp_vars(then, f);
            exp_vars(otherwise, f);
        }
        ExpKind::Assert { cond, body, .. } => {
            exp_vars(cond, f);
            exp_vars(body, f);
        }
        ExpKind::Update { .. }
        | ExpKind::RecordUpdate { .. }
        | ExpKind::Lambda(_)
        | ExpKind::Let { .. }
        | ExpKind::LetFun { .. }
        | ExpKind::Match { .. }
        | ExpKind::Loop(_) => {}
    }
}
