//! What needs what: functions, the statements of constants, and globals.

use crate::ir::traverse::{Visit, free_in_fun, free_in_stm, walk};
use crate::ir::varmap::{FastMap, VarMap};
use crate::ir::{AssertKind, Class, Exp, Program, Stm, Var};
use futc_typed::name::Name;

/// Literals of at most so many elements are computed by every unit that needs them.
const SMALL_LITERAL: usize = 64;

/// Functions come first, then the statements that compute constants, then globals.
pub struct Graph {
    /// What each needs directly, in order of first mention.
    pub needs: Vec<Vec<usize>>,
    /// Statements in each; of a global none.
    pub weights: Vec<usize>,
    /// A constant that must not be computed twice.
    pub costly: Vec<bool>,
    /// How many functions there are.
    pub funs: usize,
    /// How many statements of constants.
    pub stms: usize,
    /// Constants do what must be done exactly once.
    pub has_effects: bool,
}

impl Graph {
    /// Of a program at level soacs.
    pub fn of(program: &Program) -> Graph {
        let (funs, stms) = (program.funs.len(), program.consts.stms.len());
        let fun_at: FastMap<Name, usize> =
            program.funs.iter().enumerate().map(|(i, f)| (f.name, i)).collect();
        let mut var_at: VarMap<usize> = VarMap::default();
        for (i, s) in program.consts.stms.iter().enumerate() {
            var_at.extend(s.pat.iter().map(|p| (p.var, funs + i)));
        }
        let first_global = funs + stms;
        var_at.extend(program.globals.iter().enumerate().map(|(i, g)| (g.var, first_global + i)));
        let mut graph = Graph {
            needs: Vec::new(),
            weights: Vec::new(),
            costly: Vec::new(),
            funs,
            stms,
            has_effects: false,
        };
        let mut noted = Vec::new();
        for f in &program.funs {
            let mut found = Found::default();
            found.fun(f);
            noted.push(found.effects);
            graph.add(&found, &free_in_fun(f), &fun_at, &var_at, false);
        }
        let mut in_consts = false;
        for s in &program.consts.stms {
            let mut found = Found::default();
            found.stm(s);
            in_consts |= found.effects;
            let costly = found.costly || !found.calls.is_empty();
            graph.add(&found, &free_in_stm(s), &fun_at, &var_at, costly);
        }
        for (g, x) in program.globals.iter().zip(&program.consts.result) {
            let sizes = g.ty.shape().iter().filter_map(|n| n.var());
            let vars: Vec<Var> = sizes.chain(x.var()).collect();
            graph.add(&Found::default(), &vars, &fun_at, &var_at, false);
        }
        // Functions that constants call do what these do.
        let reached = graph.reach((0..stms).map(|i| funs + i));
        graph.has_effects =
            in_consts || noted.iter().zip(&reached).any(|(effects, called)| *effects && *called);
        graph
    }

    fn add(
        &mut self,
        found: &Found,
        vars: &[Var],
        fun_at: &FastMap<Name, usize>,
        var_at: &VarMap<usize>,
        costly: bool,
    ) {
        let mut needs: Vec<usize> =
            found.calls.iter().filter_map(|n| fun_at.get(n)).copied().collect();
        needs.extend(vars.iter().filter_map(|v| var_at.get(v)));
        let mut seen = crate::ir::varmap::FastSet::default();
        needs.retain(|n| seen.insert(*n));
        self.needs.push(needs);
        self.weights.push(found.stms);
        self.costly.push(costly);
    }

    /// Statements in all of it.
    pub fn weight(&self) -> usize {
        self.weights.iter().sum()
    }

    /// Which nodes these need, and they themselves.
    pub fn reach(&self, from: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut seen = vec![false; self.needs.len()];
        let mut todo: Vec<usize> = from.into_iter().collect();
        while let Some(node) = todo.pop() {
            if let Some(flag) = seen.get_mut(node)
                && !std::mem::replace(flag, true)
                && let Some(needs) = self.needs.get(node)
            {
                todo.extend(needs.iter().copied());
            }
        }
        seen
    }

    /// Whether a node and all that it needs have more statements than this.
    pub fn is_heavier(&self, node: usize, than: usize) -> bool {
        let mut seen = crate::ir::varmap::FastSet::default();
        let (mut todo, mut sum) = (vec![node], 0);
        while let Some(node) = todo.pop() {
            if seen.insert(node) {
                sum += self.weights.get(node).copied().unwrap_or(0);
                if sum > than {
                    return true;
                }
                todo.extend(self.needs.get(node).into_iter().flatten().copied());
            }
        }
        false
    }
}

/// What is to be found in a function or statement.
#[derive(Default)]
struct Found {
    calls: Vec<Name>,
    stms: usize,
    effects: bool,
    costly: bool,
}

impl Visit for Found {
    fn stm(&mut self, s: &Stm) {
        self.stms += 1;
        self.effects |= s.is_assert(AssertKind::Kept) || s.is_assert(AssertKind::Size);
        walk::stm(self, s);
    }

    fn exp(&mut self, e: &Exp) {
        match e {
            Exp::Call { fun, .. } => self.calls.push(*fun),
            Exp::Trace(_) => self.effects = true,
            Exp::ArrayLit { elems, .. } => self.costly |= elems.len() > SMALL_LITERAL,
            e => {
                self.costly |= match e.class() {
                    Class::Name | Class::Scalar | Class::Element | Class::View => false,
                    Class::Check | Class::Hidden | Class::Trace | Class::Branch => false,
                    Class::Fresh | Class::Unspecified | Class::InPlace | Class::Block => true,
                    Class::Loop | Class::Call | Class::Combinator | Class::Prefix => true,
                }
            }
        }
        walk::exp(self, e);
    }
}
