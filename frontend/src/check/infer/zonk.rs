//! Putting in what is known of metavariables, and what can be told of a type on the way.
//!
//! Types share their parts, and stay as large as they are in memory: a part in which there is
//! nothing to put in is used as it is, what is put in for a metavariable is made once, and once
//! everything in it is known it is kept for later. So is what can be told of a type of which all
//! is known.

use crate::check::infer::facts::Facts;
use crate::check::infer::metas::Metas;
use crate::check::infer::unknown::is_meta;
use crate::check::types::subst::size_vars;
use futc_typed::program::VarId;
use futc_typed::shared::Memo;
use futc_typed::types::{Arrow, Size, Type, TypeArg};
use std::collections::HashMap;
use std::sync::Arc;

impl Metas {
    /// The type with all that is known put in.
    pub(crate) fn zonk(&self, ty: &Type) -> Type {
        match ty {
            Type::Prim(_) => ty.clone(),
            Type::Param(v) if !is_meta(*v) => ty.clone(),
            _ => Zonk::new(self).ty(ty).0.unwrap_or_else(|| ty.clone()),
        }
    }

    /// What can be told of a type.
    pub(crate) fn facts(&self, ty: &Type) -> Facts {
        Zonk::new(self).ty(ty).1
    }

    /// Whether all of a type is known, and there are no sizes in it.
    pub(crate) fn is_bare(&self, ty: &Type) -> bool {
        let facts = self.facts(ty);
        !facts.open && !facts.sized
    }
}

/// What becomes of a type, if it does not stay as it is, and what can be told of it.
type Zonked = (Option<Type>, Facts);

/// One walk.
struct Zonk<'m> {
    metas: &'m Metas,
    memo: Memo<Zonked>,
    made: HashMap<VarId, (Type, Facts)>,
}

impl<'m> Zonk<'m> {
    fn new(metas: &'m Metas) -> Zonk<'m> {
        Zonk { metas, memo: Memo::default(), made: HashMap::new() }
    }

    fn ty(&mut self, ty: &Type) -> Zonked {
        if let Some(made) = self.memo.get(ty, 0) {
            return made;
        }
        if let Some(facts) = self.metas.closed.borrow().get(ty, 0) {
            return (None, *facts);
        }
        let made = self.parts(ty);
        self.memo.put(ty, 0, &made);
        let (new, facts) = &made;
        if !facts.open && !self.memo.is_short() {
            let ty = new.as_ref().unwrap_or(ty);
            self.metas.closed.borrow_mut().put(ty, 0, *facts);
        }
        made
    }

    fn parts(&mut self, ty: &Type) -> Zonked {
        match ty {
            Type::Prim(_) => (None, Facts::LEAF),
            Type::Array { size, elem } => {
                let (new_size, open) = self.size(size);
                let (new_elem, facts) = self.ty(elem);
                let facts = Facts { open: facts.open || open, sized: true, ..facts };
                if new_size.is_none() && new_elem.is_none() {
                    return (None, facts);
                }
                let size = new_size.unwrap_or_else(|| size.clone());
                let elem = new_elem.map_or_else(|| elem.clone(), Arc::new);
                (Some(Type::Array { size, elem }), facts)
            }
            Type::Record(fields) => {
                let (new, facts) = self.all(fields.iter().map(|(_, t)| t));
                let names = fields.iter().map(|(n, _)| *n);
                (new.map(|new| Type::Record(names.zip(new).collect())), facts)
            }
            Type::Sum(constrs) => {
                let mut changed = false;
                let mut facts = Facts::LEAF;
                let mut new = Vec::with_capacity(constrs.len());
                for (name, ts) in constrs.iter() {
                    let (made, payload) = self.all(ts.iter());
                    changed |= made.is_some();
                    facts = facts.and(payload);
                    new.push((*name, made.unwrap_or_else(|| ts.clone())));
                }
                (changed.then(|| Type::Sum(new.into())), facts)
            }
            Type::Arrow(a) => {
                let (param, given) = self.ty(&a.param);
                let (ret, result) = self.ty(&a.ret);
                let binds = a.name.is_some() || !a.ret_sizes.is_empty();
                let (given, result) = (given.within(), result.within());
                let facts = given.and(result);
                let facts = Facts { parts: 1, sized: facts.sized || binds, ..facts };
                if param.is_none() && ret.is_none() {
                    return (None, facts);
                }
                let arrow = Arrow {
                    name: a.name,
                    param: param.unwrap_or_else(|| a.param.clone()),
                    consumes: a.consumes.clone(),
                    ret_sizes: a.ret_sizes.clone(),
                    ret: ret.unwrap_or_else(|| a.ret.clone()),
                    unique_ret: a.unique_ret.clone(),
                };
                (Some(Type::Arrow(Arc::new(arrow))), facts)
            }
            Type::Opaque(id, args) => {
                let mut changed = false;
                let mut facts = Facts::LEAF;
                let mut new = Vec::with_capacity(args.len());
                for arg in args.iter() {
                    let made = match arg {
                        TypeArg::Size(s) => {
                            let (size, open) = self.size(s);
                            facts = Facts { open: facts.open || open, sized: true, ..facts };
                            size.map(TypeArg::Size)
                        }
                        TypeArg::Type(t) => {
                            let (ty, arg) = self.ty(t);
                            facts = facts.and(arg.within());
                            ty.map(TypeArg::Type)
                        }
                    };
                    changed |= made.is_some();
                    new.push(made.unwrap_or_else(|| arg.clone()));
                }
                let facts = Facts { parts: 1, ..facts };
                (changed.then(|| Type::Opaque(*id, new.into())), facts)
            }
            Type::Param(v) if is_meta(*v) => self.meta(*v),
            Type::Param(_) => (None, Facts::LEAF),
        }
    }

    fn meta(&mut self, v: VarId) -> Zonked {
        if let Some((known, facts)) = self.metas.known.borrow().get(&v) {
            return (Some(known.clone()), *facts);
        }
        if let Some((made, facts)) = self.made.get(&v) {
            return (Some(made.clone()), *facts);
        }
        let Some(link) = self.metas.link(v) else {
            return (None, Facts { open: true, ..Facts::LEAF });
        };
        let (made, facts) = self.ty(link);
        let made = made.unwrap_or_else(|| link.clone());
        if facts.open {
            self.made.insert(v, (made.clone(), facts));
        } else {
            self.metas.known.borrow_mut().insert(v, (made.clone(), facts));
        }
        (Some(made), facts)
    }

    /// What becomes of a size, and whether more is to be found out of it.
    fn size(&mut self, size: &Size) -> (Option<Size>, bool) {
        let new = self.metas.zonk_size(size);
        let mut open = false;
        size_vars(&new, &mut |v| open |= is_meta(v));
        ((new != *size).then_some(new), open)
    }

    fn all<'t>(&mut self, types: impl Iterator<Item = &'t Type>) -> (Option<Vec<Type>>, Facts) {
        let mut changed = false;
        let mut facts = Facts::default();
        let new: Vec<Type> = types
            .map(|t| {
                let (made, part) = self.ty(t);
                changed |= made.is_some();
                facts = facts.and(part);
                made.unwrap_or_else(|| t.clone())
            })
            .collect();
        (changed.then_some(new), facts)
    }
}
