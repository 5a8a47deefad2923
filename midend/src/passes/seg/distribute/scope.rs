//! What stands around a place in the bodies of operations, and what of it code needs that leaves.

use super::rows::Rows;
use super::split::Split;
use crate::analysis::contraction::scalar_code;
use crate::ir::traverse::{free_in_exp, rename_exp};
use crate::ir::varmap::VarMap;
use crate::ir::{
    Exp, KernelBody, KernelResult, PatElem, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type,
    Var,
};
use std::collections::BTreeSet;

/// Where variables are bound: as an index of the space, or by a statement.
pub type Binders = VarMap<Option<usize>>;

/// What the indexes of a space bind.
pub fn indexes(space: &SegSpace) -> Binders {
    space.dims.iter().map(|(v, _)| (*v, None)).collect()
}

/// An operation, and what stands in its body before a place.
#[derive(Clone, Copy)]
pub struct Scope<'s> {
    /// Its dimensions.
    pub dims: &'s [(Var, SubExp)],
    /// What holds before all of it.
    pub certs: &'s [Var],
    /// What stands before.
    pub stms: &'s [Stm],
    /// What is bound.
    pub bound: &'s Binders,
}

/// Scopes, outermost first.
pub type Nest<'s> = [Scope<'s>];

/// All the dimensions.
pub fn dims_of(nest: &Nest<'_>) -> Vec<(Var, SubExp)> {
    nest.iter().flat_map(|s| s.dims).copied().collect()
}

/// Whether nothing in the nest binds a variable.
pub fn outside(nest: &Nest<'_>, v: Var) -> bool {
    nest.iter().all(|s| !s.bound.contains_key(&v))
}

/// As [`outside`], of an operand.
pub fn is_outside(nest: &Nest<'_>, x: SubExp) -> bool {
    x.var().is_none_or(|v| outside(nest, v))
}

/// The type of all the values that a nest makes one of at each point.
pub fn collected(nest: &Nest<'_>, ty: &Type) -> Option<Type> {
    let shape = nest.iter().flat_map(|s| s.dims).map(|d| d.1).chain(ty.shape().iter().copied());
    Some(Type::array(ty.elem()?, shape.collect()))
}

impl Split {
    /// The scalar code around that `free` is made by, in order. Rows that are made around become
    /// rows of arrays outside.
    pub fn needs(&mut self, nest: &Nest<'_>, free: Vec<Var>, rows: &mut Rows) -> Option<Vec<Stm>> {
        let mut needed = BTreeSet::new();
        let mut stms = Vec::new();
        let mut pending = free;
        while let Some(v) = pending.pop() {
            if rows.contains(v) {
                continue;
            }
            let place = nest.iter().enumerate().find_map(|(l, s)| Some((l, *s.bound.get(&v)?)));
            let Some((level, Some(at))) = place else { continue };
            let definition = nest.get(level)?.stms.get(at)?;
            if scalar_code(definition) {
                if needed.insert((level, at)) {
                    pending.extend(free_in_exp(&definition.exp));
                }
            } else if level > 0 {
                return None;
            } else if rows.wanted.is_some() {
                let made = definition.pat.iter().find(|p| p.var == v)?;
                stms.extend(rows.want(made, self.names.like(v))?);
            } else {
                self.row(nest.get(..1)?, at, rows)?;
            }
        }
        for (level, at) in &needed {
            stms.push(nest.get(*level)?.stms.get(*at)?.clone());
        }
        Some(stms)
    }

    /// Makes the array of the rows of which a map of scalar code makes one at each point.
    fn row(&mut self, nest: &Nest<'_>, at: usize, rows: &mut Rows) -> Option<()> {
        let scope = nest.first()?;
        let stm = scope.stms.get(at)?;
        let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) = &stm.exp
        else {
            return None;
        };
        let ([p], [KernelResult::Return(_)], [Type::Prim(_)]) =
            (stm.pat.as_slice(), body.results.as_slice(), body.types.as_slice())
        else {
            return None;
        };
        let regular = space.dims.iter().all(|(_, n)| is_outside(nest, *n));
        if !regular || !body.stms.iter().all(scalar_code) || self.consumed(p.var) {
            return None;
        }
        let mut stms = self.needs(nest, free_in_exp(&stm.exp), rows)?;
        stms.extend(body.stms.iter().cloned());
        rows.read_in_all(&mut stms);
        let dims = scope.dims.iter().chain(&space.dims).copied().collect();
        let body = KernelBody { stms, results: body.results.clone(), types: body.types.clone() };
        let (level, space, kind) = (SegLevel::Seq, SegSpace { dims }, SegKind::Map);
        let exp = Exp::Seg(SegOp { level, space, kind, body });
        let array = self.leave(nest, stm, exp)?;
        rows.add(stm, array, at);
        Some(())
    }

    /// The statement outside that makes all of what `stm` makes at each point, by `exp`.
    pub fn leave(&mut self, nest: &Nest<'_>, stm: &Stm, exp: Exp) -> Option<Stm> {
        let [p] = stm.pat.as_slice() else { return None };
        let certs: Vec<Var> =
            nest.iter().flat_map(|s| s.certs).chain(&stm.certs).copied().collect();
        if !certs.iter().chain(&free_in_exp(&exp)).all(|v| outside(nest, *v)) {
            return None;
        }
        let array = self.names.like(p.var);
        self.made.insert(array);
        let pat = vec![PatElem::new(array, collected(nest, &p.ty)?)];
        let exp = rename_exp(&exp, &mut self.names);
        Some(Stm { schedule: None, pat, exp, certs, attrs: Vec::new(), loc: stm.loc })
    }
}
