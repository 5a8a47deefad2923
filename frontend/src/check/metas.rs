//! Metavariables: types and sizes not yet known, and what is known of them.
//!
//! A metavariable is an ordinary [`VarId`] whose tag has the high bit set, standing where a type
//! parameter or a size variable would. So types under inference are plain [`Type`]s, and
//! substitution, printing and sharing work on them unchanged. They are replaced when a definition
//! is finished. Levels count enclosing functions, for generalisation.
//!
//! Cost: finding what a metavariable stands for follows a chain that binding keeps short.

use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::VarId;
use futc_typed::span::{FileId, Span};
use futc_typed::types::{Arrow, Size, Type, TypeArg};
use std::sync::Arc;

use super::demand::Demand;
use super::subst::{Subst, size_vars};

const META: u32 = 1 << 31;

/// Whether `v` is a metavariable.
pub(super) fn is_meta(v: VarId) -> bool {
    v.tag & META != 0
}

fn index(v: VarId) -> usize {
    (v.tag & !META) as usize
}

/// A set of primitive types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PrimSet(u16);

impl PrimSet {
    /// Those that `f` admits.
    pub(super) fn of(f: impl Fn(PrimType) -> bool) -> PrimSet {
        PrimSet(
            PrimType::ALL.into_iter().filter(|t| f(*t)).fold(0, |bits, t| bits | (1 << (t as u16))),
        )
    }

    pub(super) fn has(self, t: PrimType) -> bool {
        self.0 & (1 << (t as u16)) != 0
    }

    pub(super) fn and(self, other: PrimSet) -> PrimSet {
        PrimSet(self.0 & other.0)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What an unconstrained member is taken to be.
    pub(super) fn default(self) -> PrimType {
        [PrimType::I32, PrimType::F64, PrimType::I64]
            .into_iter()
            .find(|t| self.has(*t))
            .or_else(|| PrimType::ALL.into_iter().find(|t| self.has(*t)))
            .unwrap_or(PrimType::I32)
    }

    /// The members in a word that can stand in a type.
    pub(super) fn name(self) -> &'static str {
        if self.has(PrimType::Bool) {
            "primitive"
        } else if self.and(PrimSet::of(PrimType::is_int)).is_empty() {
            "float"
        } else if self.and(PrimSet::of(PrimType::is_float)).is_empty() {
            "integer"
        } else {
            "number"
        }
    }

    /// The members in words.
    pub(super) fn describe(self) -> String {
        if self == PrimSet::of(|t| t.is_int() || t.is_float()) {
            return "a numeric type".into();
        }
        if self == PrimSet::of(PrimType::is_int) {
            return "an integer type".into();
        }
        if self == PrimSet::of(PrimType::is_float) {
            return "a float type".into();
        }
        let names: Vec<&str> =
            PrimType::ALL.into_iter().filter(|t| self.has(*t)).map(PrimType::name).collect();
        format!("one of {}", names.join(", "))
    }
}

/// What is known of a type not yet known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Constraint {
    /// Nothing.
    Any,
    /// It is one of these.
    Prims(PrimSet),
    /// It is a record with at least these fields.
    Record(Vec<(Name, Type)>),
    /// It is a sum with at least these constructors.
    Sum(Vec<(Name, Vec<Type>)>),
}

#[derive(Clone, Debug)]
struct TypeMeta {
    link: Option<Type>,
    level: u32,
    constraint: Constraint,
    demand: Demand,
    /// What was being checked when it was made.
    origin: Span,
}

#[derive(Clone, Debug)]
struct SizeMeta {
    link: Option<Size>,
    level: u32,
    /// What [`Metas::clock`] was when it was made.
    birth: u32,
}

/// All metavariables of a definition.
#[derive(Debug)]
pub(super) struct Metas {
    types: Vec<TypeMeta>,
    sizes: Vec<SizeMeta>,
    /// How many functions are around what is being checked.
    pub(super) level: u32,
    /// The tag of the variable bound last.
    pub(super) clock: u32,
    /// What is being checked.
    pub(super) here: Span,
    /// What metavariables were before they were changed, while an equation is tried.
    journal: Option<Vec<Old>>,
}

/// A metavariable as it was.
#[derive(Debug)]
enum Old {
    Type(usize, TypeMeta),
    Size(usize, SizeMeta),
}

impl Metas {
    /// None yet.
    pub(super) fn new(file: FileId) -> Metas {
        let here = Span::new(file, 0, 0);
        Metas { types: Vec::new(), sizes: Vec::new(), level: 0, clock: 0, here, journal: None }
    }

    /// Begins to try an equation: what is found out from now on can be taken back.
    pub(super) fn begin(&mut self) {
        self.journal = Some(Vec::new());
    }

    /// Ends a trial: what was found out holds, or is forgotten, so that messages show the types as
    /// they were.
    pub(super) fn end(&mut self, holds: bool) {
        let Some(journal) = self.journal.take() else { return };
        if holds {
            return;
        }
        for old in journal.into_iter().rev() {
            match old {
                Old::Type(at, old) => {
                    if let Some(m) = self.types.get_mut(at) {
                        *m = old;
                    }
                }
                Old::Size(at, old) => {
                    if let Some(m) = self.sizes.get_mut(at) {
                        *m = old;
                    }
                }
            }
        }
    }

    fn type_mut(&mut self, v: VarId) -> Option<&mut TypeMeta> {
        let m = self.types.get_mut(index(v))?;
        if let Some(journal) = &mut self.journal {
            journal.push(Old::Type(index(v), m.clone()));
        }
        Some(m)
    }

    fn size_mut(&mut self, v: VarId) -> Option<&mut SizeMeta> {
        let m = self.sizes.get_mut(index(v))?;
        if let Some(journal) = &mut self.journal {
            journal.push(Old::Size(index(v), m.clone()));
        }
        Some(m)
    }

    /// A type of which `constraint` is known.
    pub(super) fn fresh(&mut self, constraint: Constraint) -> Type {
        let tag = META | self.types.len() as u32;
        let level = self.level;
        let (demand, origin) = (Demand::NONE, self.here);
        self.types.push(TypeMeta { link: None, level, constraint, demand, origin });
        Type::Param(VarId { name: Name::new("t"), tag })
    }

    /// A type of which nothing is known.
    pub(super) fn fresh_type(&mut self) -> Type {
        self.fresh(Constraint::Any)
    }

    /// A size of which nothing is known.
    pub(super) fn fresh_size_var(&mut self) -> VarId {
        let tag = META | self.sizes.len() as u32;
        self.sizes.push(SizeMeta { link: None, level: self.level, birth: self.clock });
        VarId { name: Name::new("d"), tag }
    }

    /// A size of which nothing is known.
    pub(super) fn fresh_size(&mut self) -> Size {
        Size::Var(self.fresh_size_var())
    }

    /// The type with its outermost constructor known, if it is known at all.
    pub(super) fn head(&self, ty: &Type) -> Type {
        let mut ty = ty;
        while let Type::Param(v) = ty
            && is_meta(*v)
            && let Some(link) = self.types.get(index(*v)).and_then(|m| m.link.as_ref())
        {
            ty = link;
        }
        ty.clone()
    }

    /// The metavariable that `ty` is, if it is one.
    pub(super) fn as_meta(&self, ty: &Type) -> Option<VarId> {
        match self.head(ty) {
            Type::Param(v) if is_meta(v) => Some(v),
            _ => None,
        }
    }

    /// The size, if it is known; parts of size expressions are left as they are.
    pub(super) fn size_head(&self, size: &Size) -> Size {
        let mut size = size;
        while let Size::Var(v) = size
            && is_meta(*v)
            && let Some(link) = self.sizes.get(index(*v)).and_then(|m| m.link.as_ref())
        {
            size = link;
        }
        size.clone()
    }

    /// What is known of metavariable `v`.
    pub(super) fn constraint(&self, v: VarId) -> Constraint {
        self.types.get(index(v)).map_or(Constraint::Any, |m| m.constraint.clone())
    }

    /// Replaces what is known of `v`.
    pub(super) fn constrain(&mut self, v: VarId, constraint: Constraint) {
        if let Some(m) = self.type_mut(v) {
            m.constraint = constraint;
        }
    }

    /// What is asked of `v`.
    pub(super) fn demand(&self, v: VarId) -> Demand {
        self.types.get(index(v)).map_or(Demand::NONE, |m| m.demand)
    }

    /// Replaces what is asked of `v`.
    pub(super) fn set_demand(&mut self, v: VarId, demand: Demand) {
        if let Some(m) = self.type_mut(v) {
            m.demand = demand;
        }
    }

    /// What was being checked when `v` was made.
    pub(super) fn origin(&self, v: VarId) -> Span {
        self.types.get(index(v)).map_or(self.here, |m| m.origin)
    }

    /// The level of a type.
    pub(super) fn type_level(&self, v: VarId) -> u32 {
        self.types.get(index(v)).map_or(0, |m| m.level)
    }

    /// The level of a size.
    pub(super) fn size_level(&self, v: VarId) -> u32 {
        self.sizes.get(index(v)).map_or(0, |m| m.level)
    }

    /// The tag of the last variable bound when the size was first mentioned.
    pub(super) fn size_birth(&self, v: VarId) -> u32 {
        self.sizes.get(index(v)).map_or(0, |m| m.birth)
    }

    /// Makes `a` stand for `b`, both metavariables.
    pub(super) fn link_metas(&mut self, a: VarId, b: VarId) {
        let level = self.type_level(a);
        if let Some(m) = self.type_mut(b) {
            m.level = m.level.min(level);
        }
        self.set_type(a, Type::Param(b));
    }

    /// Makes `v` stand for `ty`, without any check.
    pub(super) fn set_type(&mut self, v: VarId, ty: Type) {
        if let Some(m) = self.type_mut(v) {
            m.link = Some(ty);
        }
    }

    /// Makes size `v` stand for `size`, without any check.
    pub(super) fn set_size(&mut self, v: VarId, size: Size) {
        if let Some(m) = self.size_mut(v) {
            m.link = Some(size);
        }
    }

    /// Makes `v` stand for `ty`, unless `ty` contains it.
    pub(super) fn bind_type(&mut self, v: VarId, ty: Type) -> bool {
        let level = self.type_level(v);
        if !self.lower(&ty, v, level) {
            return false;
        }
        self.set_type(v, ty);
        true
    }

    /// Makes size `v` stand for `size`, unless `size` contains it.
    pub(super) fn bind_size(&mut self, v: VarId, size: Size) -> bool {
        let size = self.zonk_size(&size);
        let mut occurs = false;
        size_vars(&size, &mut |w| occurs |= w == v);
        if occurs {
            return size == Size::Var(v);
        }
        let (level, birth) = (self.size_level(v), self.size_birth(v));
        self.lower_size(&size, level);
        if let Size::Var(w) = size
            && is_meta(w)
            && let Some(m) = self.size_mut(w)
        {
            m.birth = m.birth.min(birth);
        }
        self.set_size(v, size);
        true
    }

    /// Keeps `v`, and all that is known of it, from being generalised here.
    pub(super) fn keep(&mut self, v: VarId) {
        let level = self.level;
        // No metavariable has this number.
        let none = VarId { tag: u32::MAX, ..v };
        self.lower(&Type::Param(v), none, level);
    }

    /// Lowers all in `ty` to `level`. False if `v` is found.
    fn lower(&mut self, ty: &Type, v: VarId, level: u32) -> bool {
        match ty {
            Type::Prim(_) => true,
            Type::Array { size, elem } => {
                self.lower_size(size, level);
                self.lower(elem, v, level)
            }
            Type::Record(fields) => fields.iter().all(|(_, t)| self.lower(t, v, level)),
            Type::Sum(cs) => cs.iter().all(|(_, ts)| ts.iter().all(|t| self.lower(t, v, level))),
            Type::Arrow(a) => self.lower(&a.param, v, level) && self.lower(&a.ret, v, level),
            Type::Opaque(_, args) => args.iter().all(|arg| match arg {
                TypeArg::Size(s) => {
                    self.lower_size(s, level);
                    true
                }
                TypeArg::Type(t) => self.lower(t, v, level),
            }),
            Type::Param(w) if is_meta(*w) => {
                let Some(m) = self.type_mut(*w) else { return true };
                if let Some(link) = m.link.clone() {
                    return self.lower(&link, v, level);
                }
                if *w == v {
                    return false;
                }
                m.level = m.level.min(level);
                match m.constraint.clone() {
                    Constraint::Any | Constraint::Prims(_) => true,
                    Constraint::Record(fs) => fs.iter().all(|(_, t)| self.lower(t, v, level)),
                    Constraint::Sum(cs) => {
                        cs.iter().all(|(_, ts)| ts.iter().all(|t| self.lower(t, v, level)))
                    }
                }
            }
            Type::Param(_) => true,
        }
    }

    fn lower_size(&mut self, size: &Size, level: u32) {
        let mut metas = Vec::new();
        size_vars(size, &mut |v| {
            if is_meta(v) {
                metas.push(v);
            }
        });
        for v in metas {
            let Some(m) = self.size_mut(v) else { continue };
            match m.link.clone() {
                Some(link) => self.lower_size(&link, level),
                None => m.level = m.level.min(level),
            }
        }
    }

    /// The size with all that is known put in.
    pub(super) fn zonk_size(&self, size: &Size) -> Size {
        let size = self.size_head(size);
        if !matches!(size, Size::Exp(_)) {
            return size;
        }
        let mut subst = Subst::default();
        size_vars(&size, &mut |v| {
            if is_meta(v) && self.sizes.get(index(v)).is_some_and(|m| m.link.is_some()) {
                let known = self.zonk_size(&Size::Var(v));
                subst.sizes.insert(v, known);
            }
        });
        subst.size(&size)
    }

    /// The type with all that is known put in.
    pub(super) fn zonk(&self, ty: &Type) -> Type {
        match ty {
            Type::Prim(p) => Type::Prim(*p),
            Type::Array { size, elem } => {
                Type::Array { size: self.zonk_size(size), elem: Arc::new(self.zonk(elem)) }
            }
            Type::Record(fields) => {
                Type::Record(fields.iter().map(|(n, t)| (*n, self.zonk(t))).collect())
            }
            Type::Sum(cs) => Type::Sum(
                cs.iter().map(|(n, ts)| (*n, ts.iter().map(|t| self.zonk(t)).collect())).collect(),
            ),
            Type::Arrow(a) => Type::Arrow(Arc::new(Arrow {
                name: a.name,
                param: self.zonk(&a.param),
                consumes: a.consumes.clone(),
                ret_sizes: a.ret_sizes.clone(),
                ret: self.zonk(&a.ret),
                unique_ret: a.unique_ret.clone(),
            })),
            Type::Opaque(id, args) => Type::Opaque(
                *id,
                args.iter()
                    .map(|arg| match arg {
                        TypeArg::Size(s) => TypeArg::Size(self.zonk_size(s)),
                        TypeArg::Type(t) => TypeArg::Type(self.zonk(t)),
                    })
                    .collect(),
            ),
            Type::Param(v) if is_meta(*v) => {
                match self.types.get(index(*v)).and_then(|m| m.link.as_ref()) {
                    Some(link) => self.zonk(link),
                    None => ty.clone(),
                }
            }
            Type::Param(_) => ty.clone(),
        }
    }
}
