//! Elements that one branch needs are read there, where a branch decides whether a loop goes on.
//!
//! ```text
//! loop (…, go = true) while go {            loop (…, go = true) while go {
//!   t = index tags[u]                         t = index tags[u]
//!   x = index levels[u]                       r = match t case 0 {
//!   r = match t case 0 {              ⟶         x = index levels[u]
//!     in eq x l                                 in eq x l
//!   } default { in false }                    } default { in false }
//!   go = not r … }                            go = not r … }
//! ```
//!
//! An array of a sum type or of records is as many arrays as an element has parts, and an element is read whole before
//! anything is asked of it. With the read before it, what is left of a branch is often so little that LLVM makes a choice of
//! it. Then all parts are waited for, and so does what the loop carries, until it is known whether it goes on: the
//! processor cannot work ahead with the constant that the other case hands on, as it does behind a branch.
//!
//! A loop that goes on until something is found branches on what is found anyway, and mostly goes on. Elsewhere a
//! branch that nobody foresees costs more than a read in vain (a sum of elements whose tags are random takes twice as
//! long with branches), and choices stay choices. Taken are elements at places made of what was read, and if what stands between does
//! no more than compute and read. Places that a map or a loop counts up to are in the cache. Left alone is what goes by lanes
//! ([`crate::analysis::lanes`]), as lanes take all branches.
//!
//! At level `mem`, not on devices, where two reads at once are better than one after the other. Cost: linear in the program,
//! times the depth of loops and branches, with [`WINDOW`] statements looked at before each branch.

use crate::analysis::lanes::expected_lanes_of;
use crate::ir::traverse::{Visit, any_exp, for_each_block_mut, walk};
use crate::ir::varmap::VarSet;
use crate::ir::{
    Body, Class, DimIndex, Exp, Level, LoopForm, Mentions, Program, Stm, StmAttr, SubExp, Var,
};

/// So many statements before a branch are looked at.
const WINDOW: usize = 64;

/// Moves reads into branches.
pub fn sink_reads(mut prog: Program) -> Program {
    if prog.level != Level::Mem {
        return prog;
    }
    let mut deciding = Deciding::default();
    let mut read = Read::default();
    deciding.body(&prog.consts);
    prog.funs.iter().for_each(|f| deciding.fun(f));
    // What a loop carries is known when its body was seen.
    for _ in 0..2 {
        read.body(&prog.consts);
        prog.funs.iter().for_each(|f| read.fun(f));
    }
    let s = Sink { mentions: Mentions::of_program(&prog), deciding, read };
    s.list(&mut prog.consts.stms);
    for f in &mut prog.funs {
        s.list(&mut f.body.stms);
    }
    prog
}

/// What it depends on whether loops go on.
#[derive(Default)]
struct Deciding(VarSet);

impl Visit for Deciding {
    fn exp(&mut self, e: &Exp) {
        if let Exp::Loop { params, form: LoopForm::While { cond }, body, .. } = e {
            let next = params.iter().position(|p| p.var == *cond).and_then(|k| body.result.get(k));
            self.0.extend(next.and_then(|x| x.var()));
            self.made_of(body);
        }
        walk::exp(self, e);
    }
}

impl Deciding {
    /// Adds what the known variables of a body are made of there.
    fn made_of(&mut self, body: &Body) {
        for s in body.stms.iter().rev() {
            let known = |k: &usize| s.pat.get(*k).is_some_and(|p| self.0.contains(&p.var));
            let known: Vec<usize> = (0..s.pat.len()).filter(known).collect();
            match &s.exp {
                _ if known.is_empty() => {}
                Exp::Match { scrutinee, cases, default } => {
                    self.0.extend(scrutinee.var());
                    for b in cases.iter().map(|(_, b)| b).chain([default]) {
                        self.0.extend(known.iter().filter_map(|k| b.result.get(*k)?.var()));
                        self.made_of(b);
                    }
                }
                e if matches!(e.class(), Class::Scalar | Class::Name) => {
                    self.0.extend(operands(e));
                }
                _ => {}
            }
        }
    }
}

/// Scalars that are made of what was read.
#[derive(Default)]
struct Read(VarSet);

impl Read {
    fn has(&self, x: &SubExp) -> bool {
        x.var().is_some_and(|v| self.0.contains(&v))
    }
}

impl Visit for Read {
    fn stm(&mut self, s: &Stm) {
        walk::stm(self, s);
        match &s.exp {
            Exp::Match { scrutinee, cases, default } => {
                let bodies: Vec<&Body> = cases.iter().map(|(_, b)| b).chain([default]).collect();
                for (k, p) in s.pat.iter().enumerate() {
                    let made = |b: &&Body| b.result.get(k).is_some_and(|x| self.has(x));
                    if self.has(scrutinee) || bodies.iter().any(made) {
                        self.0.insert(p.var);
                    }
                }
            }
            Exp::Loop { params, init, body, .. } => {
                let values = init.iter().zip(&body.result);
                for ((param, p), (x, y)) in params.iter().zip(&s.pat).zip(values) {
                    if self.has(x) || self.has(y) {
                        self.0.extend([param.var, p.var]);
                    }
                }
            }
            e => match e.class() {
                Class::Element => self.0.extend(s.pat.iter().map(|p| p.var)),
                Class::Scalar | Class::Name if operands(e).iter().any(|v| self.0.contains(v)) => {
                    self.0.extend(s.pat.iter().map(|p| p.var));
                }
                _ => {}
            },
        }
    }
}

/// The variables that an expression mentions.
fn operands(e: &Exp) -> Vec<Var> {
    struct Operands(Vec<Var>);
    impl Visit for Operands {
        fn var(&mut self, v: &Var) {
            self.0.push(*v);
        }
    }
    let mut found = Operands(Vec::new());
    found.exp(e);
    found.0
}

/// Whether a statement does no more than compute and read, so that reads may move over it.
fn is_quiet(s: &Stm) -> bool {
    !any_exp(
        |v| v.stm(s),
        |e| match e.class() {
            Class::Name
            | Class::Scalar
            | Class::Element
            | Class::View
            | Class::Check
            | Class::Branch
            | Class::Loop => false,
            Class::Fresh
            | Class::Unspecified
            | Class::InPlace
            | Class::Hidden
            | Class::Trace
            | Class::Call
            | Class::Combinator
            | Class::Prefix
            | Class::Block => true,
        },
    )
}

struct Sink {
    mentions: Mentions,
    deciding: Deciding,
    read: Read,
}

impl Sink {
    fn list(&self, stms: &mut Vec<Stm>) {
        let mut out: Vec<Stm> = Vec::with_capacity(stms.len());
        // From here on, statements are quiet.
        let mut from = 0;
        for mut s in std::mem::take(stms) {
            if s.pat.iter().any(|p| self.deciding.0.contains(&p.var)) {
                self.sink_into_branches(&mut out, from, &mut s.exp);
            }
            let by_lanes = matches!(&s.exp, Exp::Seg(op) if expected_lanes_of(op).is_some());
            if !by_lanes {
                for_each_block_mut(&mut s.exp, &mut |b| self.list(b));
            }
            let quiet = is_quiet(&s);
            out.push(s);
            if !quiet {
                from = out.len();
            }
        }
        *stms = out;
    }

    /// Moves what only one of these branches needs there, of the statements before from `from` on.
    fn sink_into_branches(&self, before: &mut Vec<Stm>, from: usize, exp: &mut Exp) {
        let Exp::Match { cases, default, .. } = exp else { return };
        let from = from.max(before.len().saturating_sub(WINDOW));
        let found: Vec<(usize, Var)> = before
            .iter()
            .enumerate()
            .skip(from)
            .filter_map(|(k, s)| Some((k, self.candidate(s)?)))
            .collect();
        if found.is_empty() {
            return;
        }
        let mut bodies: Vec<(Mentions, &mut Body)> = cases
            .iter_mut()
            .map(|(_, b)| b)
            .chain([default])
            .map(|b| {
                let mut here = Mentions::default();
                here.body(b);
                (here, b)
            })
            .collect();
        // From the last one, so that they keep their order in front of the branch.
        for (at, v) in found.into_iter().rev() {
            let uses = self.mentions.count(v);
            if let Some((_, body)) =
                bodies.iter_mut().find(|(here, _)| uses > 0 && here.count(v) == uses)
            {
                body.stms.insert(0, before.remove(at));
            }
        }
    }

    /// What a statement binds, if it reads an element of which some index was itself read.
    fn candidate(&self, s: &Stm) -> Option<Var> {
        let ([p], Exp::Index { dims, .. }) = (s.pat.as_slice(), &s.exp) else { return None };
        let scattered = dims.iter().any(|d| matches!(d, DimIndex::Fix(x) if self.read.has(x)));
        let element = s.exp.class() == Class::Element && !s.has(StmAttr::Unsafe);
        (element && scattered).then_some(p.var)
    }
}
