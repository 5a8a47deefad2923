//! Types as seen from outside of the scope of a variable; sizes that no name stands for.

use crate::check::infer::checker::{Checker, SizeSource};
use crate::check::infer::unknown::Binder;
use crate::check::types::sizes::{dimensions, within};
use crate::check::types::subst::size_vars;
use futc_typed::name::Name;
use futc_typed::program::VarId;
use futc_typed::shared::Memo;
use futc_typed::span::Span;
use futc_typed::types::{Size, Type, TypeArg};
use std::collections::HashMap;
use std::sync::Arc;

impl Checker<'_> {
    /// The type as seen from outside of where the variables that `keep` refuses are bound: sizes
    /// that mention such a variable are expressed without it, or become sizes of their own.
    pub(crate) fn unscope(&mut self, ty: &Type, keep: &dyn Fn(VarId) -> bool) -> Type {
        self.unscope_noting(ty, keep).0
    }

    /// As [`Checker::unscope`], telling the sizes made.
    pub(crate) fn unscope_noting(
        &mut self,
        ty: &Type,
        keep: &dyn Fn(VarId) -> bool,
    ) -> (Type, Vec<VarId>) {
        let ty = self.metas.zonk(ty);
        if !self.metas.facts(&ty).sized {
            return (ty, Vec::new());
        }
        let mut made = HashMap::new();
        self.name_lost(&ty, keep, &[], &mut made);
        let ty = self.unscope_type(&ty, keep, &mut Vec::new(), &mut made, &mut Memo::default());
        let mut new: Vec<VarId> = made.into_values().collect();
        new.sort_by_key(|v| v.tag);
        (ty, new)
    }

    /// What cannot be said outside gets a new name where it is a whole dimension; compound sizes
    /// may then use that name: `([k]t, [n - k]t)`.
    fn name_lost(
        &mut self,
        ty: &Type,
        keep: &dyn Fn(VarId) -> bool,
        inside: &[VarId],
        made: &mut HashMap<String, VarId>,
    ) {
        let kept =
            |v: VarId| crate::check::infer::unknown::is_meta(v) || inside.contains(&v) || keep(v);
        let mut lost: Vec<Size> = Vec::new();
        dimensions(ty, &mut |s| {
            if self.expressed(s, &kept).is_none() && !lost.contains(s) {
                lost.push(s.clone());
            }
        });
        // Parts before what they are parts of.
        lost.sort_by_key(|s| {
            let compound = matches!(s, Size::Exp(_));
            (compound, if compound { self.size_key(s).len() } else { 0 })
        });
        for size in lost {
            let key = self.size_key(&size);
            let new: Vec<VarId> = made.values().copied().collect();
            let known = |v: VarId| kept(v) || new.contains(&v);
            let smaller = self.replace_parts(&size, made);
            if self.expressed(&smaller, &known).is_none() {
                let new = self.lost_size(&size);
                made.insert(key, new);
            }
        }
    }

    fn unscope_type(
        &mut self,
        ty: &Type,
        keep: &dyn Fn(VarId) -> bool,
        inside: &mut Vec<VarId>,
        made: &mut HashMap<String, VarId>,
        memo: &mut Memo<Type>,
    ) -> Type {
        // Outside of arrows with sizes of their own, a part becomes the same wherever it is.
        let within = (made.len() as u64) << 32 | within(inside);
        if let Some(new) = memo.get(ty, within) {
            return new;
        }
        let before = self.made_sizes;
        let new = self.unscope_parts(ty, keep, inside, made, memo);
        if self.made_sizes == before {
            memo.put(ty, within, &new);
        }
        new
    }

    fn unscope_parts(
        &mut self,
        ty: &Type,
        keep: &dyn Fn(VarId) -> bool,
        inside: &mut Vec<VarId>,
        made: &mut HashMap<String, VarId>,
        memo: &mut Memo<Type>,
    ) -> Type {
        match ty {
            Type::Prim(_) | Type::Param(_) => ty.clone(),
            Type::Array { size, elem } => {
                let size = self.unscope_size(size, keep, inside, made);
                self.unscope_type(elem, keep, inside, made, memo).array(size)
            }
            Type::Record(fields) => Type::Record(
                fields
                    .iter()
                    .map(|(n, t)| (*n, self.unscope_type(t, keep, inside, made, memo)))
                    .collect(),
            ),
            Type::Sum(cs) => Type::Sum(
                cs.iter()
                    .map(|(n, ts)| {
                        let ts = ts.iter().map(|t| self.unscope_type(t, keep, inside, made, memo));
                        (*n, ts.collect())
                    })
                    .collect(),
            ),
            Type::Arrow(a) => {
                let param = self.unscope_type(&a.param, keep, inside, made, memo);
                let depth = inside.len();
                inside.extend(a.name.iter().chain(&a.ret_sizes));
                // What only the result has is existential there.
                let outer: Vec<String> = made.keys().cloned().collect();
                self.name_lost(&a.ret, keep, inside, made);
                let ret = self.unscope_type(&a.ret, keep, inside, made, memo);
                inside.truncate(depth);
                let mut new = (**a).clone();
                new.param = param;
                new.ret = ret;
                let before = new.ret_sizes.len();
                made.retain(|key, v| {
                    let known = outer.contains(key);
                    if !known {
                        new.ret_sizes.push(*v);
                    }
                    known
                });
                if let Some(added) = new.ret_sizes.get_mut(before..) {
                    added.sort_by_key(|v| v.tag);
                }
                Type::Arrow(Arc::new(new))
            }
            Type::Opaque(id, args) => Type::Opaque(
                *id,
                args.iter()
                    .map(|arg| match arg {
                        TypeArg::Size(s) => TypeArg::Size(self.unscope_size(s, keep, inside, made)),
                        TypeArg::Type(t) => {
                            TypeArg::Type(self.unscope_type(t, keep, inside, made, memo))
                        }
                    })
                    .collect(),
            ),
        }
    }

    fn unscope_size(
        &mut self,
        size: &Size,
        keep: &dyn Fn(VarId) -> bool,
        inside: &[VarId],
        made: &mut HashMap<String, VarId>,
    ) -> Size {
        let kept =
            |v: VarId| crate::check::infer::unknown::is_meta(v) || inside.contains(&v) || keep(v);
        if let Some(size) = self.expressed(size, &kept) {
            return size;
        }
        let new: Vec<VarId> = made.values().copied().collect();
        let known = |v: VarId| kept(v) || new.contains(&v);
        if let Some(size) = self.expressed(&self.replace_parts(size, made), &known) {
            return size;
        }
        let v = self.lost_size(size);
        made.insert(self.size_key(size), v);
        Size::Var(v)
    }

    /// The size without variables that `kept` refuses, looking through `let`s, if that can be.
    pub(crate) fn expressed(&self, size: &Size, kept: &dyn Fn(VarId) -> bool) -> Option<Size> {
        let mut size = size.clone();
        for _ in 0..64 {
            let mut subst = crate::check::types::subst::Subst::default();
            let mut stuck = false;
            crate::check::types::subst::size_vars(&size, &mut |v| {
                if !kept(v) {
                    match self.let_sizes.get(&v) {
                        Some(s) => {
                            subst.sizes.insert(v, self.metas.zonk_size(s));
                        }
                        None => stuck = true,
                    }
                }
            });
            if stuck {
                return None;
            }
            if subst.is_empty() {
                return Some(size);
            }
            size = subst.size(&size);
            if crate::check::infer::size::too_large(&size) {
                return None;
            }
        }
        None
    }

    /// A size that no name stands for.
    pub(crate) fn new_size(&mut self, name: Name, span: Span, source: SizeSource) -> VarId {
        let v = self.cx.fresh_var(name);
        self.size_sources.insert(v, (span, source));
        v
    }

    /// A size to stand for one that cannot be told any more.
    pub(crate) fn lost_size(&mut self, lost: &Size) -> VarId {
        let name = match lost {
            Size::Var(v) => v.name,
            _ => Name::new("k"),
        };
        let new = self.cx.fresh_var(name);
        self.made_sizes += 1;
        let mut source = None;
        size_vars(lost, &mut |v| {
            let here = match self.metas.binder(v) {
                Some(Binder::Name(span)) => Some((span, SizeSource::OutOfScope)),
                Some(Binder::Arrow) => None,
                None => self.size_sources.get(&v).copied(),
            };
            source = source.or(here);
        });
        if let Some(source) = source {
            self.size_sources.insert(new, source);
        }
        new
    }
}
