//! Reassociation of minima and maxima of integers: in loops, what a round waits for comes last.
//!
//! ```text
//! loop (cur = …) for j < m {                       loop (cur = …) for j < m {
//!   left = index cur[j]                              left = index cur[j]
//!   a = sub left 1                                   a = sub left 1
//!   b = max up a                            ⟶        b = max diagonal up
//!   c = max diagonal b                               c = max b a
//!   next = update cur[j+1] with c … }                next = update cur[j+1] with c … }
//! ```
//!
//! A round of a recurrence cannot begin before what it reads of the round before is there. Each operation between that and what it hands
//! on itself is waited for in every round. Of several operands, those that depend on no round before are taken together first, and the
//! one that comes latest is compared last, as in the construction of a Huffman tree with the length of dependences as weights.
//!
//! LLVM's reassociation looks at additions and their like only. Floats stay as they are, since zeros have signs. Cost: linear.

use crate::ir::traverse::{for_each_block_mut, free_in_stm};
use crate::ir::varmap::VarMap;
use crate::ir::{BinOp, Exp, Level, Mentions, NameSource, PatElem, Program, Stm, SubExp};

/// Takes operands of minima and maxima in the order in which they are there.
pub fn reassociate(mut prog: Program) -> Program {
    if prog.level != Level::Seg {
        return prog;
    }
    let mentions = Mentions::of_program(&prog);
    let mut r = Reassociate { mentions, names: NameSource::new(prog.next_tag) };
    r.list(&mut prog.consts.stms);
    for f in &mut prog.funs {
        r.list(&mut f.body.stms);
    }
    prog.next_tag = r.names.next_tag();
    prog
}

struct Reassociate {
    mentions: Mentions,
    names: NameSource,
}

/// How many operations a round waits for before a variable is there; nothing for what depends on no round before.
type Waits = VarMap<usize>;

impl Reassociate {
    fn list(&mut self, stms: &mut [Stm]) {
        for s in stms {
            if let Exp::Loop { params, body, .. } = &mut s.exp {
                let waits = params.iter().map(|p| (p.var, 1)).collect();
                self.round(&mut body.stms, waits);
            }
            for_each_block_mut(&mut s.exp, &mut |stms| self.list(stms));
        }
    }

    /// The statements of a round of a loop, of which it is known what its parameters are.
    fn round(&mut self, stms: &mut Vec<Stm>, mut waits: Waits) {
        let mut trees: VarMap<(BinOp, SubExp, SubExp)> = VarMap::default();
        let mut out: Vec<Stm> = Vec::with_capacity(stms.len());
        for s in std::mem::take(stms) {
            if let Some((op, a, b)) = extremum(&s)
                && let [p] = s.pat.as_slice()
            {
                trees.insert(p.var, (op, a, b));
                let mut leaves = Vec::new();
                self.leaves(op, a, &trees, &mut leaves);
                self.leaves(op, b, &trees, &mut leaves);
                let now = 1 + wait(a, &waits).max(wait(b, &waits));
                let mut tree: Vec<(usize, SubExp)> =
                    leaves.iter().map(|x| (wait(*x, &waits), *x)).collect();
                if leaves.len() > 2 && balanced(&tree) < now {
                    self.build(op, &mut tree, (&s, p), &mut out, &mut waits);
                    continue;
                }
            }
            let latest = free_in_stm(&s).into_iter().filter_map(|v| waits.get(&v)).max().copied();
            if let Some(latest) = latest {
                waits.extend(s.pat.iter().map(|p| (p.var, latest + 1)));
            }
            out.push(s);
        }
        *stms = out;
    }

    /// The operands of one operation that an operand is made of, if nothing else reads what lies between.
    fn leaves(
        &self,
        op: BinOp,
        x: SubExp,
        trees: &VarMap<(BinOp, SubExp, SubExp)>,
        found: &mut Vec<SubExp>,
    ) {
        match x.var().and_then(|v| Some((v, trees.get(&v)?))) {
            Some((v, (other, a, b))) if *other == op && self.mentions.count(v) == 1 => {
                self.leaves(op, *a, trees, found);
                self.leaves(op, *b, trees, found);
            }
            _ => found.push(x),
        }
    }

    /// The operation on all operands, those first that are there first, in place of a statement.
    fn build(
        &mut self,
        op: BinOp,
        tree: &mut Vec<(usize, SubExp)>,
        (s, p): (&Stm, &PatElem),
        out: &mut Vec<Stm>,
        waits: &mut Waits,
    ) {
        while let Some((wait, a, b)) = two_first(tree) {
            let last = tree.is_empty();
            let var = if last { p.var } else { self.names.fresh("extremum") };
            let exp = Exp::BinOp(op, a, b);
            out.push(Stm { pat: vec![PatElem { var, ..p.clone() }], exp, ..s.clone() });
            if wait > 0 {
                waits.insert(var, wait);
            }
            if last {
                return;
            }
            tree.push((wait, var.into()));
        }
    }
}

/// A minimum or maximum of integers.
fn extremum(s: &Stm) -> Option<(BinOp, SubExp, SubExp)> {
    match s.exp {
        Exp::BinOp(
            op @ (BinOp::SMin(_) | BinOp::SMax(_) | BinOp::UMin(_) | BinOp::UMax(_)),
            a,
            b,
        ) if s.certs.is_empty() => Some((op, a, b)),
        _ => None,
    }
}

fn wait(x: SubExp, waits: &Waits) -> usize {
    x.var().and_then(|v| waits.get(&v)).copied().unwrap_or(0)
}

/// Takes away the two operands that are there first, with how long their combination is waited for.
fn two_first(tree: &mut Vec<(usize, SubExp)>) -> Option<(usize, SubExp, SubExp)> {
    tree.sort_by_key(|(wait, _)| *wait);
    let [(_, a), (wait, b), ..] = *tree.as_slice() else { return None };
    tree.drain(..2);
    Some((if wait == 0 { 0 } else { wait + 1 }, a, b))
}

/// How long the combination of all is waited for.
fn balanced(tree: &[(usize, SubExp)]) -> usize {
    let mut tree = tree.to_vec();
    let mut longest = 0;
    while let Some((wait, a, _)) = two_first(&mut tree) {
        longest = wait;
        if tree.is_empty() {
            break;
        }
        tree.push((wait, a));
    }
    longest
}
