//! Metavariables: types and sizes not yet known, and what is known of them.
//!
//! A metavariable is an ordinary [`VarId`] whose tag has the high bit set, standing where a type
//! parameter or a size variable would. So types under inference are plain [`Type`]s, and
//! substitution, printing and sharing work on them unchanged. They are replaced when a definition
//! is finished. Levels count enclosing functions, for generalisation. A metavariable's birth says
//! which names were in scope when it came up: what is bound later it may not mention.
//!
//! Cost: finding what a metavariable stands for follows a chain that binding keeps short.

use crate::check::infer::demand::Demand;
use crate::check::infer::facts::Facts;
use crate::check::infer::unknown::{Binder, Constraint, Holder, META, Refusal, is_meta};
use crate::check::types::sizes::within;
use crate::check::types::subst::{Subst, size_vars};
use crate::syntax::ast::Liftedness;
use futc_typed::name::Name;
use futc_typed::program::VarId;
use futc_typed::shared::{Lasting, Seen, step};
use futc_typed::span::{FileId, Span};
use futc_typed::types::{Size, Type, TypeArg};
use std::cell::RefCell;
use std::collections::HashMap;

// Note [Links end]
//
// Following what metavariables stand for ends, because links never lead in a circle: a link from
// `v` is made once, while `v` stands for nothing, and only to what, with all known put in, has no
// `v` in it. `bind_size`, `bind_type` and `link_metas` refuse or exclude that, and so does
// `set_size`, which asks nothing else. A loop needs it: its parameter's size `v` is to become the
// initial value's, `d`, when nothing varies it, but the body may have made `d` stand for `v`, as in
//
//     def main (x: []i32) = loop a = x for _i < 5i64 do map2 (+) a x
//
// or for what has `v` in it, by way of other parameters. Then nothing is left to be done, or the
// two sizes differ, which the equation of parameter and initial value tells.

fn index(v: VarId) -> usize {
    (v.tag & !META) as usize
}

#[derive(Clone, Debug)]
struct TypeMeta {
    link: Option<Type>,
    /// A bound of how long a chain of links ends here.
    height: u32,
    level: u32,
    birth: u32,
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
    /// It stands for an existential size of a function type, which may be any.
    existential: bool,
    holder: Holder,
}

/// All metavariables of a definition.
#[derive(Debug)]
pub(crate) struct Metas {
    types: Vec<TypeMeta>,
    sizes: Vec<SizeMeta>,
    /// How many functions are around what is being checked.
    pub(crate) level: u32,
    /// The tag of the variable bound last.
    pub(crate) clock: u32,
    /// The variables bound in the definition, as far as sizes may mention them.
    binders: HashMap<VarId, Binder>,
    /// What is being checked.
    pub(crate) here: Span,
    /// What metavariables were before they were changed, while an equation is tried.
    journal: Option<Vec<Old>>,
    /// What stands for metavariables of which, and of whose parts, all is known.
    pub(crate) known: RefCell<HashMap<VarId, (Type, Facts)>>,
    /// What can be told of types in which nothing is left to be put in.
    pub(crate) closed: RefCell<Lasting<Facts>>,
}

/// A metavariable as it was.
#[derive(Debug)]
enum Old {
    Type(usize, TypeMeta),
    Size(usize, SizeMeta),
}

/// What all in a type is to be given, when the type stands for a metavariable.
#[derive(Clone, Copy)]
struct Bounds {
    var: VarId,
    level: u32,
    birth: u32,
    /// Sizes that arrows bind are no reason to refuse.
    lifted: bool,
}

impl Metas {
    /// None yet.
    pub(crate) fn new(file: FileId) -> Metas {
        let here = Span::new(file, 0, 0);
        Metas {
            types: Vec::new(),
            sizes: Vec::new(),
            level: 0,
            clock: 0,
            binders: HashMap::new(),
            here,
            journal: None,
            known: RefCell::default(),
            closed: RefCell::default(),
        }
    }

    /// Begins to try an equation: what is found out from now on can be taken back.
    pub(crate) fn begin(&mut self) {
        self.journal = Some(Vec::new());
    }

    /// Ends a trial: what was found out holds, or is forgotten, so that messages show the types as
    /// they were.
    pub(crate) fn end(&mut self, holds: bool) {
        let Some(journal) = self.journal.take() else { return };
        if holds {
            return;
        }
        self.known.get_mut().clear();
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
    pub(crate) fn fresh(&mut self, constraint: Constraint) -> Type {
        let tag = META | self.types.len() as u32;
        let (level, birth) = (self.level, self.clock);
        let (demand, origin) = (Demand::NONE, self.here);
        self.types.push(TypeMeta {
            link: None,
            height: 0,
            level,
            birth,
            constraint,
            demand,
            origin,
        });
        Type::Param(VarId { name: Name::new("t"), tag })
    }

    /// Notes that `v` is bound now.
    pub(crate) fn bound(&mut self, v: VarId, binder: Binder) {
        self.clock = self.clock.max(v.tag);
        self.binders.insert(v, binder);
    }

    /// The size `v`, bound by an arrow so far, has come into being.
    pub(crate) fn unbind(&mut self, v: VarId) {
        self.binders.remove(&v);
    }

    /// What binds `v`, if it is not a size that comes into being in an expression.
    pub(crate) fn binder(&self, v: VarId) -> Option<Binder> {
        self.binders.get(&v).copied()
    }

    /// Lets a size not yet known mention whatever is bound before the variable `clock`.
    pub(crate) fn set_birth(&mut self, v: VarId, clock: u32) {
        if let Some(m) = self.size_mut(v) {
            m.birth = clock;
        }
    }

    /// A type of which nothing is known.
    pub(crate) fn fresh_type(&mut self) -> Type {
        self.fresh(Constraint::Any)
    }

    /// A size of which nothing is known.
    pub(crate) fn fresh_size_var(&mut self) -> VarId {
        let tag = META | self.sizes.len() as u32;
        let (level, birth) = (self.level, self.clock);
        self.sizes.push(SizeMeta {
            link: None,
            level,
            birth,
            existential: false,
            holder: Holder::Made,
        });
        VarId { name: Name::new("d"), tag }
    }

    /// A size that a function type leaves to the function.
    pub(crate) fn fresh_existential(&mut self) -> Size {
        let size = self.fresh_size();
        if let Some(m) = self.sizes.last_mut() {
            m.existential = true;
            m.birth = u32::MAX;
        }
        size
    }

    /// A size of which nothing is known.
    pub(crate) fn fresh_size(&mut self) -> Size {
        Size::Var(self.fresh_size_var())
    }

    /// What the size is of, or another that was found to be the same.
    pub(crate) fn holder(&self, v: VarId) -> Holder {
        self.sizes.get(index(v)).map_or(Holder::Made, |m| m.holder)
    }

    /// Says what a size is of.
    pub(crate) fn held_by(&mut self, v: VarId, holder: Holder) {
        if let Some(m) = self.size_mut(v) {
            m.holder = m.holder.max(holder);
        }
    }

    /// What is known of metavariable `v` itself.
    pub(crate) fn link(&self, v: VarId) -> Option<&Type> {
        self.types.get(index(v)).and_then(|m| m.link.as_ref())
    }

    /// The type with its outermost constructor known, if it is known at all.
    pub(crate) fn head(&self, ty: &Type) -> Type {
        let mut ty = ty;
        while let Type::Param(v) = ty
            && is_meta(*v)
            && let Some(link) = self.types.get(index(*v)).and_then(|m| m.link.as_ref())
        {
            step();
            ty = link;
        }
        ty.clone()
    }

    /// The metavariable that `ty` is, if it is one.
    pub(crate) fn as_meta(&self, ty: &Type) -> Option<VarId> {
        match self.head(ty) {
            Type::Param(v) if is_meta(v) => Some(v),
            _ => None,
        }
    }

    /// The size, if it is known; parts of size expressions are left as they are.
    pub(crate) fn size_head(&self, size: &Size) -> Size {
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
    pub(crate) fn constraint(&self, v: VarId) -> Constraint {
        self.types.get(index(v)).map_or(Constraint::Any, |m| m.constraint.clone())
    }

    /// Replaces what is known of `v`.
    pub(crate) fn constrain(&mut self, v: VarId, constraint: Constraint) {
        if let Some(m) = self.type_mut(v) {
            m.constraint = constraint;
        }
    }

    /// What is asked of `v`.
    pub(crate) fn demand(&self, v: VarId) -> Demand {
        self.types.get(index(v)).map_or(Demand::NONE, |m| m.demand)
    }

    /// Replaces what is asked of `v`.
    pub(crate) fn set_demand(&mut self, v: VarId, demand: Demand) {
        if let Some(m) = self.type_mut(v) {
            m.demand = demand;
        }
    }

    /// What was being checked when `v` was made.
    pub(crate) fn origin(&self, v: VarId) -> Span {
        self.types.get(index(v)).map_or(self.here, |m| m.origin)
    }

    /// The level of a type.
    pub(crate) fn type_level(&self, v: VarId) -> u32 {
        self.types.get(index(v)).map_or(0, |m| m.level)
    }

    /// The level of a size.
    pub(crate) fn size_level(&self, v: VarId) -> u32 {
        self.sizes.get(index(v)).map_or(0, |m| m.level)
    }

    /// The tag of the last variable bound when the size was first mentioned.
    pub(crate) fn size_birth(&self, v: VarId) -> u32 {
        self.sizes.get(index(v)).map_or(0, |m| m.birth)
    }

    /// Of two metavariables the one that is to stand for the other, and the other: chains stay
    /// short, however many are linked one by one.
    pub(crate) fn lower_first(&self, a: VarId, b: VarId) -> (VarId, VarId) {
        let height = |v| self.types.get(index(v)).map_or(0, |m| m.height);
        if height(a) > height(b) { (b, a) } else { (a, b) }
    }

    /// Makes `a` stand for `b`, both metavariables.
    pub(crate) fn link_metas(&mut self, a: VarId, b: VarId) {
        let Some((level, birth, height)) =
            self.types.get(index(a)).map(|m| (m.level, m.birth, m.height))
        else {
            return;
        };
        if let Some(m) = self.type_mut(b) {
            m.height = m.height.max(height + 1);
            m.level = m.level.min(level);
            m.birth = m.birth.min(birth);
        }
        self.set_type(a, Type::Param(b));
    }

    /// Makes `v` stand for `ty`, without any check.
    pub(crate) fn set_type(&mut self, v: VarId, ty: Type) {
        if let Some(m) = self.type_mut(v) {
            m.link = Some(ty);
        }
    }

    /// Makes size `v` stand for `size`, unless that is `v` or has it in it; tells whether it does.
    /// See Note [Links end].
    pub(crate) fn set_size(&mut self, v: VarId, size: Size) -> bool {
        let mut within = false;
        size_vars(&self.zonk_size(&size), &mut |w| within |= w == v);
        if !within && let Some(m) = self.size_mut(v) {
            m.link = Some(size);
        }
        !within
    }

    /// Makes `v` stand for `ty`, unless it may not.
    pub(crate) fn bind_type(&mut self, v: VarId, ty: Type) -> Result<(), Refusal> {
        self.fit(v, &ty)?;
        self.set_type(v, ty);
        Ok(())
    }

    /// Whether all that is in `ty` may stand where `v` does; it is made no more lasting than `v`.
    pub(crate) fn fit(&mut self, v: VarId, ty: &Type) -> Result<(), Refusal> {
        let Some(m) = self.types.get(index(v)) else { return Ok(()) };
        let lifted = m.demand.limit != Liftedness::Unlifted;
        let bounds = Bounds { var: v, level: m.level, birth: m.birth, lifted };
        self.lower(ty, bounds, &mut Vec::new(), &mut Seen::default())
    }

    /// Makes size `v` stand for `size`, unless it may not.
    pub(crate) fn bind_size(&mut self, v: VarId, size: Size) -> Result<(), Refusal> {
        let size = self.zonk_size(&size);
        if size == Size::Var(v) {
            return Ok(());
        }
        let (level, birth) = (self.size_level(v), self.size_birth(v));
        let bounds = Bounds { var: v, level, birth, lifted: false };
        self.lower_size(&size, bounds, &[])?;
        if let Size::Var(w) = size
            && is_meta(w)
        {
            self.held_by(w, self.holder(v));
        }
        if let Some(m) = self.size_mut(v) {
            m.link = Some(size);
        }
        Ok(())
    }

    /// Keeps `v`, and all that is known of it, from being generalised here.
    pub(crate) fn keep(&mut self, v: VarId) {
        // No metavariable has this number.
        let none = VarId { tag: u32::MAX, ..v };
        let bounds = Bounds { var: none, level: self.level, birth: u32::MAX, lifted: true };
        // Nothing is refused within these bounds.
        let _ = self.lower(&Type::Param(v), bounds, &mut Vec::new(), &mut Seen::default());
    }

    /// Lowers all in `ty` to `bounds`, if that can be. `inside` are the binders of the arrows
    /// around.
    fn lower(
        &mut self,
        ty: &Type,
        bounds: Bounds,
        inside: &mut Vec<VarId>,
        seen: &mut Seen,
    ) -> Result<(), Refusal> {
        if seen.again(ty, within(inside)) {
            return Ok(());
        }
        self.lower_parts(ty, bounds, inside, seen)
    }

    /// As [`Metas::lower`], of a type that is a copy and has no place of its own.
    fn lower_parts(
        &mut self,
        ty: &Type,
        bounds: Bounds,
        inside: &mut Vec<VarId>,
        seen: &mut Seen,
    ) -> Result<(), Refusal> {
        match ty {
            Type::Prim(_) => Ok(()),
            Type::Array { size, elem } => {
                self.lower_size(size, bounds, inside)?;
                self.lower(elem, bounds, inside, seen)
            }
            Type::Record(fields) => {
                fields.iter().try_for_each(|(_, t)| self.lower(t, bounds, inside, seen))
            }
            Type::Sum(cs) => cs
                .iter()
                .flat_map(|(_, ts)| ts)
                .try_for_each(|t| self.lower(t, bounds, inside, seen)),
            Type::Arrow(a) => {
                self.lower(&a.param, bounds, inside, seen)?;
                let depth = inside.len();
                inside.extend(a.name.iter().chain(&a.ret_sizes));
                let ret = self.lower(&a.ret, bounds, inside, seen);
                inside.truncate(depth);
                ret
            }
            Type::Opaque(_, args) => args.iter().try_for_each(|arg| match arg {
                TypeArg::Size(s) => self.lower_size(s, bounds, inside),
                TypeArg::Type(t) => self.lower(t, bounds, inside, seen),
            }),
            Type::Param(w) if is_meta(*w) => {
                let linked = self.types.get(index(*w)).and_then(|m| m.link.clone());
                if let Some(link) = linked {
                    if seen.again_number(w.tag, within(inside)) {
                        return Ok(());
                    }
                    return self.lower_parts(&link, bounds, inside, seen);
                }
                let Some(m) = self.type_mut(*w) else { return Ok(()) };
                if *w == bounds.var {
                    return Err(Refusal::Occurs);
                }
                m.level = m.level.min(bounds.level);
                m.birth = m.birth.min(bounds.birth);
                match m.constraint.clone() {
                    Constraint::Any | Constraint::Prims(_) => Ok(()),
                    Constraint::Record(_) | Constraint::Sum(_)
                        if seen.again_number(w.tag, within(inside)) =>
                    {
                        Ok(())
                    }
                    Constraint::Record(fs) => {
                        fs.iter().try_for_each(|(_, t)| self.lower_parts(t, bounds, inside, seen))
                    }
                    Constraint::Sum(cs) => cs
                        .iter()
                        .flat_map(|(_, ts)| ts)
                        .try_for_each(|t| self.lower_parts(t, bounds, inside, seen)),
                }
            }
            Type::Param(w) if w.tag > bounds.birth => Err(Refusal::Scope(*w)),
            Type::Param(_) => Ok(()),
        }
    }

    fn lower_size(&mut self, size: &Size, bounds: Bounds, inside: &[VarId]) -> Result<(), Refusal> {
        let mut vars = Vec::new();
        size_vars(size, &mut |v| vars.push(v));
        for v in vars {
            if is_meta(v) {
                let Some(m) = self.size_mut(v) else { continue };
                match m.link.clone() {
                    Some(link) => self.lower_size(&link, bounds, inside)?,
                    None if v == bounds.var => return Err(Refusal::Occurs),
                    None => {
                        m.level = m.level.min(bounds.level);
                        if !(m.existential && bounds.lifted) {
                            m.birth = m.birth.min(bounds.birth);
                        }
                    }
                }
            } else if v.tag > bounds.birth && !inside.contains(&v) {
                match self.binder(v) {
                    Some(Binder::Name(_)) => return Err(Refusal::Scope(v)),
                    Some(Binder::Arrow) if !bounds.lifted => return Err(Refusal::Bound(v)),
                    Some(Binder::Arrow) | None => {}
                }
            }
        }
        Ok(())
    }

    /// The size with all that is known put in.
    pub(crate) fn zonk_size(&self, size: &Size) -> Size {
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
}
