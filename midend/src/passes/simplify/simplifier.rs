//! What a round knows of the program, and what a rule is.

use super::facts::{Facts, implied};
use crate::analysis::alias::Aliases;
use crate::ir::traverse::Subst;
use crate::ir::typing::TypeEnv;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{Exp, NameSource, PatElem, Program, Stm, SubExp, Type, Var};

/// What a variable was bound to.
#[derive(Clone, Debug)]
pub(super) struct Def {
    pub(super) exp: Exp,
    pub(super) certs: Vec<Var>,
}

/// What a rule did to a statement.
pub(super) enum Outcome {
    /// Nothing.
    Kept,
    /// It is another now; statements before it may have been emitted.
    Changed,
    /// It is gone; what stands for its pattern has been seen to.
    Gone,
}

/// A rule with its name.
pub(super) type Rule = (&'static str, fn(&mut Simplifier, &mut Stm, &mut Vec<Stm>) -> Outcome);

/// The state of a round.
pub(super) struct Simplifier {
    pub(super) names: NameSource,
    pub(super) types: VarMap<Type>,
    pub(super) defs: VarMap<Def>,
    /// Results of branches, and what their being true says of the branch's condition.
    pub(super) implied: VarMap<(SubExp, bool)>,
    pub(super) subst: Subst,
    pub(super) aliases: Aliases,
    /// Certificates of what is evidently true.
    pub(super) trivial: VarSet,
    pub(super) facts: Facts,
    pub(super) changed: bool,
}

impl TypeEnv for Simplifier {
    fn type_of(&self, v: Var) -> Option<&Type> {
        self.types.get(&v)
    }
}

impl Simplifier {
    pub(super) fn new(p: &Program) -> Simplifier {
        Simplifier {
            names: NameSource::new(p.next_tag),
            types: VarMap::default(),
            defs: VarMap::default(),
            implied: VarMap::default(),
            subst: Subst::new(),
            aliases: Aliases::of_program(p),
            trivial: VarSet::default(),
            facts: Facts::default(),
            changed: false,
        }
    }

    /// The definition of a variable, through other names for it, with all certificates met.
    pub(super) fn def(&self, mut v: Var) -> Option<(&Exp, Vec<Var>)> {
        let mut certs: Vec<Var> = Vec::new();
        loop {
            let d = self.defs.get(&v)?;
            certs.extend(&d.certs);
            match d.exp {
                Exp::SubExp(SubExp::Var(w)) => v = w,
                _ => return Some((&d.exp, certs)),
            }
        }
    }

    /// What `v` is another name for, and under which certificates.
    pub(super) fn renamed(&self, v: Var) -> Option<(Var, Vec<Var>)> {
        match self.defs.get(&v)? {
            Def { exp: Exp::SubExp(SubExp::Var(w)), certs } => Some((*w, certs.clone())),
            _ => None,
        }
    }

    /// The definition of an operand that was bound under no certificate.
    pub(super) fn plain(&self, x: SubExp) -> Option<&Exp> {
        let d = self.defs.get(&x.var()?)?;
        d.certs.is_empty().then_some(&d.exp)
    }

    /// What an operand is: where it is computed, the certificates hold that it is under.
    pub(super) fn made(&self, x: SubExp) -> Option<&Exp> {
        self.defs.get(&x.var()?).map(|d| &d.exp)
    }

    pub(super) fn shape(&self, v: Var) -> Vec<SubExp> {
        self.types.get(&v).map_or(Vec::new(), |t| t.shape().to_vec())
    }

    pub(super) fn is_array(&self, x: SubExp) -> bool {
        x.var().is_some_and(|v| self.types.get(&v).is_some_and(|t| t.rank() > 0))
    }

    /// The array may be read later than where it is read now.
    pub(super) fn stays(&mut self, v: Var) -> bool {
        !self.aliases.consumed(v)
    }

    /// Nobody can tell whether the array is fresh.
    pub(super) fn may_alias(&mut self, v: Var) -> bool {
        self.aliases.class(v).may_be_shared()
    }

    /// From now on `p` is `x`, which holds only under `certs`.
    pub(super) fn name(&mut self, p: PatElem, x: SubExp, like: &Stm, out: &mut Vec<Stm>) {
        if like.certs.is_empty() {
            self.subst.insert(p.var, x);
            if let SubExp::Var(w) = x {
                self.aliases.union(p.var, w);
            }
        } else {
            let stm = Stm {
                schedule: None,
                pat: vec![p],
                exp: Exp::SubExp(x),
                certs: like.certs.clone(),
                attrs: Vec::new(),
                loc: like.loc,
            };
            self.define(&stm);
            out.push(stm);
        }
    }

    /// Remembers what is small enough to be looked through.
    pub(super) fn define(&mut self, s: &Stm) {
        for (i, p) in s.pat.iter().enumerate() {
            if let Some(said) = implied(&s.exp, i) {
                self.implied.insert(p.var, said);
            }
        }
        let [p] = s.pat.as_slice() else { return };
        match &s.exp {
            Exp::Match { .. }
            | Exp::Loop { .. }
            | Exp::Call { .. }
            | Exp::Soac(_)
            | Exp::Seg(_)
            | Exp::Prefix { .. }
            | Exp::Workers
            | Exp::Alloc { .. }
            | Exp::Retain(_)
            | Exp::Release(_)
            | Exp::Opaque(_)
            | Exp::Trace(_) => {}
            exp => {
                self.defs.insert(p.var, Def { exp: exp.clone(), certs: s.certs.clone() });
            }
        }
    }
}
