//! What a round of a loop does to one of the elements that it maps.

use crate::analysis::bodies::takes_long;
use crate::ir::traverse::{Rewrite, Subst, for_each_block, free_in_body, free_in_stm, rewrite};
use crate::ir::varmap::VarSet;
use crate::ir::{
    Body, Class, DimIndex, Effects, Exp, Lambda, NameSource, Param, PatElem, Soac, Stm, SubExp,
    Type, Var,
};

/// Statements of a round beside its maps.
const MOST_BESIDE: usize = 8;

/// What a round does to one element.
pub(super) struct Element<'n> {
    /// How many elements there are.
    pub(super) width: SubExp,
    /// What the loop binds.
    pub(super) bound: VarSet,
    /// The arrays that the rounds make, or begin with.
    pub(super) arrays: VarSet,
    /// The element of these, and of those that maps go through.
    pub(super) of: Subst,
    /// What the map around goes through, and the element of each.
    pub(super) inputs: Vec<(Var, Param)>,
    /// Arrays that are the same in all rounds.
    pub(super) before: Vec<Stm>,
    /// The round.
    pub(super) stms: Vec<Stm>,
    /// Statements beside the maps.
    pub(super) beside: usize,
    /// Arrays of the numbers from 0 on.
    pub(super) iotas: &'n VarSet,
    /// The elements of such: the index.
    pub(super) indexes: VarSet,
    pub(super) names: &'n mut NameSource,
}

impl Element<'_> {
    /// The parameter for the element of an array that a loop carries.
    pub(super) fn carried(&mut self, p: &Param) -> Param {
        let one = Param::new(self.names.like(p.var), p.ty.row());
        self.made(p.var, one.var.into());
        one
    }

    /// The element of an array that the loop makes.
    fn made(&mut self, array: Var, one: SubExp) {
        self.of.insert(array, one);
        self.arrays.insert(array);
    }

    /// The element of an array of the loop, or from before it.
    pub(super) fn element(&mut self, array: Var, ty: &Type) -> Option<SubExp> {
        if let Some(x) = self.of.get(array) {
            return Some(x);
        }
        if self.bound.contains(&array) {
            return None;
        }
        let one = Param::new(self.names.like(array), ty.clone());
        if self.iotas.contains(&array) {
            self.indexes.insert(one.var);
        }
        self.of.insert(array, one.var);
        self.inputs.push((array, one.clone()));
        Some(one.var.into())
    }

    /// That of what a list of statements binds last, or a scalar.
    pub(super) fn result(&mut self, x: SubExp, ty: &Type) -> Option<SubExp> {
        match ty.shape().first() {
            None => Some(x),
            Some(n) if *n == self.width => self.element(x.var()?, &ty.row()),
            Some(_) => None,
        }
    }

    /// Whether something takes more of an array of the loop than one element.
    fn takes_arrays(&self, free: &[Var]) -> bool {
        free.iter().any(|v| self.arrays.contains(v))
    }

    /// What a statement of a round does to one element, if it does no more.
    pub(super) fn stm(&mut self, s: &Stm) -> Option<()> {
        if !s.attrs.is_empty() {
            return None;
        }
        if let Some((width, map)) = map(s) {
            return (width == self.width).then(|| self.map(s, map))?;
        }
        let array = s.pat.first().filter(|p| p.ty.rank() > 0);
        let Some(p) = array else { return self.beside(s) };
        match &s.exp {
            Exp::Match { scrutinee, cases, default } if s.certs.is_empty() => {
                let cases = cases.iter().map(|(c, b)| Some((*c, self.side(b, &s.pat)?)));
                let cases = cases.collect::<Option<Vec<_>>>()?;
                let default = self.side(default, &s.pat)?;
                let one = |p: &PatElem| PatElem::new(self.names.like(p.var), p.ty.row());
                let pat: Vec<PatElem> = s.pat.iter().map(one).collect();
                for (p, one) in s.pat.iter().zip(&pat) {
                    self.made(p.var, one.var.into());
                }
                let exp = Exp::Match { scrutinee: *scrutinee, cases, default };
                self.stms.push(Stm { pat, exp, ..s.clone() });
            }
            Exp::Copy(array) | Exp::SubExp(SubExp::Var(array)) if s.certs.is_empty() => {
                let one = self.result((*array).into(), &p.ty)?;
                self.made(p.var, one);
            }
            Exp::Replicate { shape, value }
                if *shape == [self.width] && p.ty.rank() == 1 && s.certs.is_empty() =>
            {
                self.made(p.var, *value);
            }
            exp => {
                // Nothing that is legal only where it stands, as a slice is whose check a condition around it has made superfluous:
                // the map would read it whatever comes of that.
                let numbers = matches!(exp, Exp::Iota { n, .. } if *n == self.width);
                if !numbers || free_in_stm(s).iter().any(|v| self.bound.contains(v)) {
                    return None;
                }
                self.before.push(s.clone());
                self.bound.remove(&p.var);
            }
        }
        Some(())
    }

    /// A side of a branch that yields arrays alone.
    fn side(&mut self, body: &Body, pat: &[PatElem]) -> Option<Body> {
        let outside = std::mem::take(&mut self.stms);
        body.stms.iter().try_for_each(|s| self.stm(s))?;
        let mut one = |(p, x): (&PatElem, &SubExp)| match p.ty.rank() {
            0 => None,
            _ => self.result(*x, &p.ty),
        };
        let result = pat.iter().zip(&body.result).map(&mut one).collect::<Option<_>>()?;
        Some(Body { stms: std::mem::replace(&mut self.stms, outside), result })
    }

    /// A map.
    fn map(&mut self, s: &Stm, (inputs, lambda): (&[Var], &Lambda)) -> Option<()> {
        let effects = Effects::of(s);
        if effects.writes || effects.pinned || !s.certs.is_empty() {
            return None;
        }
        let mut body = lambda.body.clone();
        let mut given = Subst::new();
        for (array, p) in inputs.iter().zip(&lambda.params) {
            given.insert(p.var, self.element(*array, &p.ty)?);
        }
        given.body(&mut body);
        AtIndex { of: &self.of, indexes: &self.indexes }.body(&mut body);
        if self.takes_arrays(&free_in_body(&body)) {
            return None;
        }
        self.stms.append(&mut body.stms);
        for (p, x) in s.pat.iter().zip(body.result) {
            self.made(p.var, x);
        }
        Some(())
    }

    /// A statement that every element has for itself.
    fn beside(&mut self, s: &Stm) -> Option<()> {
        let cheap = is_cheap(s, &mut self.beside) && self.beside <= MOST_BESIDE;
        if !cheap || self.takes_arrays(&free_in_stm(s)) {
            return None;
        }
        self.stms.push(s.clone());
        Some(())
    }
}

/// What a statement maps, and how many elements there are.
fn map(s: &Stm) -> Option<(SubExp, (&[Var], &Lambda))> {
    match &s.exp {
        Exp::Soac(Soac::Screma { width, inputs, lambda, scans, reduces })
            if scans.is_empty() && reduces.is_empty() =>
        {
            Some((*width, (inputs, lambda)))
        }
        _ => None,
    }
}

/// Whether a statement is scalar code that takes next to no time, and no check, as that is made where there are no elements, too; how many
/// statements it has is added to `count`.
fn is_cheap(s: &Stm, count: &mut usize) -> bool {
    *count += 1;
    let scalars = s.pat.iter().all(|p| matches!(p.ty, Type::Prim(_)));
    let by_constant = matches!(&s.exp, Exp::BinOp(_, _, SubExp::Const(_)));
    let own = match s.exp.class() {
        Class::Name | Class::Scalar => by_constant || !takes_long(s),
        Class::Element | Class::Branch => true,
        _ => false,
    };
    let mut cheap = scalars && own;
    for_each_block(&s.exp, &mut |b| cheap &= b.iter().all(|s| is_cheap(s, count)));
    cheap
}

/// Elements for arrays that are read at the index of the element.
struct AtIndex<'e> {
    of: &'e Subst,
    indexes: &'e VarSet,
}

impl Rewrite for AtIndex<'_> {
    fn exp(&mut self, e: &mut Exp) {
        rewrite::exp(self, e);
        let Exp::Index { array, dims } = e else { return };
        let Some(one) = self.of.get(*array) else { return };
        let Some((DimIndex::Fix(i), rest)) = dims.split_first() else { return };
        let own = i.var().is_some_and(|i| self.indexes.contains(&i));
        match one {
            _ if !own => {}
            SubExp::Var(row) if !rest.is_empty() => {
                *e = Exp::Index { array: row, dims: rest.to_vec() };
            }
            one => *e = Exp::SubExp(one),
        }
    }
}
