//! What is known at a place of the program: lists that stand for arrays, scalars that have another name
//! or a value, checks that always hold.

use super::elements::{List, made, small_shape};
use super::limits::MOST_CARRIED;
use crate::ir::traverse::{Rewrite, rewrite};
use crate::ir::typing::TypeEnv;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{DimIndex, Exp, NameSource, Param, PatElem, Stm, SubExp, Type, Var};

/// What is known.
pub(super) struct State {
    pub(super) names: NameSource,
    pub(super) types: VarMap<Type>,
    lists: VarMap<List>,
    values: VarMap<SubExp>,
    trivial: VarSet,
    /// What every statement here holds under, and what is made of them later.
    ambient: Vec<Var>,
    /// What was learnt, in order.
    log: Vec<Var>,
}

impl State {
    pub(super) fn new(next_tag: u32) -> State {
        State {
            names: NameSource::new(next_tag),
            types: VarMap::default(),
            lists: VarMap::default(),
            values: VarMap::default(),
            trivial: VarSet::default(),
            ambient: Vec::new(),
            log: Vec::new(),
        }
    }

    /// To be given to [`State::forget`].
    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Forgets what was learnt since: what it says is out of scope.
    pub(super) fn forget(&mut self, mark: usize) {
        for v in self.log.drain(mark..) {
            self.lists.remove(&v);
            self.values.remove(&v);
            self.trivial.remove(&v);
        }
    }

    /// From now on every statement holds under these as well, until [`State::leave`] is given what this yields.
    pub(super) fn enter(&mut self, certs: &[Var]) -> Vec<Var> {
        let before = self.ambient.clone();
        self.ambient.extend(certs);
        before
    }

    /// From now on statements hold under what they say alone.
    pub(super) fn enter_body(&mut self) -> Vec<Var> {
        std::mem::take(&mut self.ambient)
    }

    /// The statements that held under other certificates are over.
    pub(super) fn leave(&mut self, before: Vec<Var>) {
        self.ambient = before;
    }

    /// Whether certificates hold of all statements here, so that a name need not say so.
    pub(super) fn all_hold(&self, certs: &[Var]) -> bool {
        certs.iter().all(|c| self.ambient.contains(c))
    }

    /// The array has these elements.
    pub(super) fn learn(&mut self, v: Var, list: List) {
        self.lists.insert(v, list);
        self.log.push(v);
    }

    /// The scalar is this.
    pub(super) fn replace(&mut self, v: Var, x: SubExp) {
        self.values.insert(v, x);
        self.log.push(v);
    }

    /// The check that makes this certificate always holds.
    pub(super) fn holds(&mut self, cert: Var) {
        self.trivial.insert(cert);
        self.log.push(cert);
    }

    pub(super) fn know(&mut self, pat: &[PatElem]) {
        for p in pat {
            self.types.insert(p.var, p.ty.clone());
        }
    }

    pub(super) fn know_params(&mut self, params: &[Param]) {
        for p in params {
            self.types.insert(p.var, p.ty.clone());
        }
    }

    /// The elements of an array, as far as they have names.
    pub(super) fn list(&self, v: Var) -> Option<&List> {
        self.lists.get(&v)
    }

    /// What stands for an operand.
    pub(super) fn value(&self, x: SubExp) -> SubExp {
        match x {
            SubExp::Var(v) => self.values.get(&v).copied().unwrap_or(x),
            SubExp::Const(_) => x,
        }
    }

    /// The list that an expression makes.
    pub(super) fn made(&self, exp: &Exp) -> Option<List> {
        let scalar = |x: SubExp| match self.type_of_subexp(x)? {
            Type::Prim(p) => Some(p),
            Type::Array { .. } | Type::Cert | Type::Mem(_) => None,
        };
        made(exp, &|v| self.list(v).cloned(), &scalar)
    }

    /// The elements of a small array, which are read here if they have no names.
    pub(super) fn elements(&mut self, v: Var, like: &Stm, out: &mut Vec<Stm>) -> Option<List> {
        if let Some(list) = self.list(v) {
            return Some(list.clone());
        }
        let Type::Array { elem, shape } = self.types.get(&v)?.clone() else { return None };
        let sizes = small_shape(&Type::Array { elem, shape })?;
        let all: usize = sizes.iter().product();
        if all > MOST_CARRIED {
            return None;
        }
        let mut elems = Vec::with_capacity(all);
        for mut place in 0..all {
            let mut dims = vec![DimIndex::Fix(SubExp::i64(0)); sizes.len()];
            for (d, &n) in dims.iter_mut().zip(&sizes).rev() {
                *d = DimIndex::Fix(SubExp::i64((place % n) as i64));
                place /= n;
            }
            let read = Exp::Index { array: v, dims };
            elems.push(self.emit(Type::Prim(elem), v, read, &[], like, out).into());
        }
        let list = List::new(elems, sizes, elem, Vec::new())?;
        self.learn(v, list.clone());
        Some(list)
    }

    /// The elements of a list as operands that hold under no certificates.
    pub(super) fn settled(&mut self, list: &List, like: &Stm, out: &mut Vec<Stm>) -> Vec<SubExp> {
        if list.certs.is_empty() {
            return list.elems.clone();
        }
        let ty = Type::Prim(list.elem);
        let base = like.pat.first().map_or_else(|| self.names.fresh("x"), |p| p.var);
        let mut settle = |x: &SubExp| {
            self.emit(ty.clone(), base, Exp::SubExp(*x), &list.certs, like, out).into()
        };
        list.elems.iter().map(&mut settle).collect()
    }

    fn emit(
        &mut self,
        ty: Type,
        base: Var,
        exp: Exp,
        certs: &[Var],
        like: &Stm,
        out: &mut Vec<Stm>,
    ) -> Var {
        let var = self.names.like(base);
        let pat = vec![PatElem::new(var, ty)];
        self.know(&pat);
        out.push(Stm { certs: certs.to_vec(), loc: like.loc, ..Stm::new(pat, exp) });
        var
    }

    /// Makes the array of the elements; where nothing needs it, it is dead code.
    pub(super) fn build(&mut self, p: PatElem, list: List, like: &Stm, out: &mut Vec<Stm>) {
        self.know(std::slice::from_ref(&p));
        let literal = Exp::ArrayLit { elems: list.elems.clone(), row: Type::Prim(list.elem) };
        let exp = match p.ty.rank() {
            1 => literal,
            _ => {
                let flat = Type::array(list.elem, vec![SubExp::i64(list.elems.len() as i64)]);
                let array = self.emit(flat, p.var, literal, &list.certs, like, out);
                Exp::Reshape { array, shape: p.ty.shape().to_vec() }
            }
        };
        let var = p.var;
        let stm = Stm { certs: list.certs.clone(), loc: like.loc, ..Stm::new(vec![p], exp) };
        out.push(stm);
        self.learn(var, list);
    }

    /// New scalars for the elements of an array.
    pub(super) fn fresh(&mut self, like: Var, ty: &Type) -> Option<List> {
        let (shape, elem) = (small_shape(ty)?, ty.elem()?);
        let all: usize = shape.iter().product();
        let mut elems = Vec::with_capacity(all);
        for _ in 0..all {
            let v = self.names.like(like);
            self.types.insert(v, Type::Prim(elem));
            elems.push(v.into());
        }
        List::new(elems, shape, elem, Vec::new())
    }

    /// `p` is `x`, which holds under these certificates.
    pub(super) fn name(&mut self, mut p: PatElem, x: SubExp, like: &Stm, out: &mut Vec<Stm>) {
        self.ty(&mut p.ty);
        let x = self.value(x);
        self.know(std::slice::from_ref(&p));
        if self.all_hold(&like.certs) && matches!(p.ty, Type::Prim(_) | Type::Cert) {
            return self.replace(p.var, x);
        }
        if let Some(list) = x.var().and_then(|v| self.list(v)) {
            let list = list.clone().under(&like.certs);
            self.learn(p.var, list);
        }
        let certs = like.certs.clone();
        out.push(Stm { certs, loc: like.loc, ..Stm::new(vec![p], Exp::SubExp(x)) });
    }

    /// Puts what is known in the place of operands. Statements inside are left for later.
    pub(super) fn rewrite(&mut self, s: &mut Stm) {
        self.stm(s);
        let mut seen = 0;
        while seen < s.certs.len() {
            if self.trivial.contains(&s.certs[seen]) || s.certs[..seen].contains(&s.certs[seen]) {
                s.certs.remove(seen);
            } else {
                seen += 1;
            }
        }
    }
}

impl TypeEnv for State {
    fn type_of(&self, v: Var) -> Option<&Type> {
        self.types.get(&v)
    }
}

impl Rewrite for State {
    fn var(&mut self, v: &mut Var) {
        if let Some(SubExp::Var(w)) = self.values.get(v) {
            *v = *w;
        }
    }

    fn subexp(&mut self, x: &mut SubExp) {
        *x = self.value(*x);
    }

    fn pat_elem(&mut self, p: &mut PatElem) {
        rewrite::pat_elem(self, p);
    }

    fn stms(&mut self, _: &mut Vec<Stm>) {}
}
