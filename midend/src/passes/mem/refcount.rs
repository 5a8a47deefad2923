//! Inserts retains and releases.
//!
//! # Ownership
//!
//! A block lives as long as it has owners. Every variable of type `mem` either *owns* one
//! reference, held by the body that binds it, or *borrows* somebody else's.
//!
//! * An allocation gives its body one reference. So do the blocks that calls, loops and matches
//!   bind.
//! * A block in the result of a body is handed to the code around it: of a reference the body
//!   owns, that one; otherwise a new one, retained first.
//! * A loop parameter owns its reference for one iteration. The first is handed over by the
//!   initial value, if it is not needed any more, or retained.
//! * A reference whose block is not needed behind a match, and that some branch hands on as its result, is
//!   handed to the branches: each hands it on or releases it. So blocks that a loop exchanges or keeps by a
//!   condition are not counted in each round.
//! * A function's parameter borrows, unless it is unique: then the caller hands over a reference,
//!   as for loops. A function's results are owned by the caller.
//! * Globals own theirs until the context ends; functions borrow.
//! * An owned reference that is not handed over is released after the last statement that mentions
//!   the block or an array in it, in the body that owns it.
//!
//! Local blocks have no owners. Inside kernels there is nothing to do: they only borrow. A failing
//! assertion ends the whole entry call; the runtime frees what is left.
//!
//! Cost: linear times the nesting depth.

use super::blocks::Blocks;
use crate::ir::traverse::for_each_block_mut;
use crate::ir::varmap::VarSet;
use crate::ir::{
    Body, Exp, KernelBody, KernelResult, Lambda, LoopForm, MemSpace, Param, Program, SegKind, Stm,
    SubExp, Type, Var,
};
use futc_typed::name::Name;
use std::collections::HashMap;

/// Makes ownership explicit.
pub fn refcount(mut prog: Program) -> Program {
    let blocks = Blocks::of_program(&prog);
    let takes =
        prog.funs.iter().map(|f| (f.name, f.params.iter().map(|p| p.unique).collect())).collect();
    let r = Refcount { blocks, takes };
    r.body(&mut prog.consts, Vec::new());
    for f in &mut prog.funs {
        let owned = f.params.iter().filter(|p| p.unique && is_mem(&p.ty)).map(|p| p.var).collect();
        r.body(&mut f.body, owned);
    }
    prog
}

fn is_mem(ty: &Type) -> bool {
    matches!(ty, Type::Mem(MemSpace::Host | MemSpace::Device))
}

struct Refcount {
    blocks: Blocks,
    /// For each function, which parameters it takes over.
    takes: HashMap<Name, Vec<bool>>,
}

impl Refcount {
    /// A body that owns `owned` from the start, beside what it binds.
    fn body(&self, body: &mut Body, owned: Vec<Var>) {
        let Body { stms, result } = body;
        self.list(stms, result, owned);
    }

    fn list(&self, stms: &mut Vec<Stm>, result: &[SubExp], params: Vec<Var>) {
        let mut owned: VarSet = params.iter().copied().collect();
        for s in stms.iter() {
            owned.extend(s.pat.iter().filter(|p| is_mem(&p.ty)).map(|p| p.var));
        }
        // What comes out is in reverse.
        let mut out: Vec<Stm> = Vec::with_capacity(stms.len() * 2);
        let mut live = VarSet::default();
        for r in result.iter().filter_map(|r| r.var()) {
            if self.blocks.is_block(r) && !(owned.contains(&r) && live.insert(r)) {
                out.push(effect(Exp::Retain(r)));
            }
        }
        // Arrays in results of a segmented operation lie in blocks of others.
        live.extend(result.iter().filter_map(|r| r.var()).filter_map(|v| self.blocks.used_by(v)));
        for mut s in std::mem::take(stms).into_iter().rev() {
            let used = self.blocks.used_in(&s);
            let (taken, retained) = self.handed_over(&s, &owned, &live);
            // In the order of their numbers, so that the output is always the same.
            let mut dead: Vec<Var> = used
                .iter()
                .copied()
                .filter(|b| owned.contains(b) && !live.contains(b) && !taken.contains(b))
                .collect();
            dead.sort_unstable();
            out.extend(dead.into_iter().rev().map(|b| effect(Exp::Release(b))));
            self.nested(&mut s.exp, &taken);
            out.push(s);
            out.extend(retained.into_iter().rev().map(|b| effect(Exp::Retain(b))));
            live.extend(used);
        }
        // Parameters that nothing mentions.
        for p in params.into_iter().rev() {
            if !live.contains(&p) {
                out.push(effect(Exp::Release(p)));
            }
        }
        out.reverse();
        *stms = out;
    }

    /// The blocks whose own reference the statement takes, and those that must be retained for it
    /// (once for every mention).
    fn handed_over(&self, s: &Stm, owned: &VarSet, live: &VarSet) -> (VarSet, Vec<Var>) {
        let mut taken = VarSet::default();
        let mut retained = Vec::new();
        // Blocks needed while the statement runs.
        let mut needed = VarSet::default();
        let mut wanted: Vec<Var> = Vec::new();
        match &s.exp {
            Exp::Loop { params, init, form, body } => {
                for (p, x) in params.iter().zip(init) {
                    match x {
                        SubExp::Var(b) if is_mem(&p.ty) => wanted.push(*b),
                        SubExp::Var(_) | SubExp::Const(_) => {}
                    }
                    needed.extend(p.mem.as_ref().map(|m| m.block));
                }
                match form {
                    LoopForm::For { .. } | LoopForm::While { .. } => {}
                }
                for s in &body.stms {
                    needed.extend(self.blocks.used_in(s));
                }
                let results = body.result.iter().filter_map(|r| r.var());
                needed.extend(results.filter_map(|v| self.blocks.used_by(v)));
            }
            Exp::Call { fun, args } => {
                let takes = self.takes.get(fun);
                for (i, x) in args.iter().enumerate() {
                    let SubExp::Var(b) = x else { continue };
                    if !self.blocks.is_block(*b) {
                        continue;
                    }
                    if takes.and_then(|t| t.get(i)).copied().unwrap_or(false) {
                        wanted.push(*b);
                    } else {
                        needed.insert(*b);
                    }
                }
            }
            Exp::SubExp(SubExp::Var(b)) if self.blocks.is_block(*b) => wanted.push(*b),
            Exp::Match { scrutinee: _, cases, default } => {
                // Arrays that are bound here lie in blocks that are needed behind their last use.
                needed.extend(s.pat.iter().filter_map(|p| p.mem.as_ref().map(|m| m.block)));
                let mut passed = VarSet::default();
                cases
                    .iter()
                    .map(|(_, b)| b)
                    .chain([default])
                    .for_each(|b| self.passed(b, &mut passed));
                let handed = passed
                    .into_iter()
                    .filter(|b| owned.contains(b) && !live.contains(b) && !needed.contains(b));
                taken.extend(handed);
            }
            _ => {}
        }
        for b in wanted {
            let free = owned.contains(&b) && !live.contains(&b) && !needed.contains(&b);
            if !(free && taken.insert(b)) {
                retained.push(b);
            }
        }
        (taken, retained)
    }

    /// The blocks whose references a body could take over: what it results in, and what it passes on.
    fn passed(&self, body: &Body, found: &mut VarSet) {
        let mut add = |xs: &[SubExp]| {
            let vars = xs.iter().filter_map(|x| x.var());
            found.extend(vars.filter(|v| self.blocks.is_block(*v)));
        };
        add(&body.result);
        for s in &body.stms {
            match &s.exp {
                Exp::Loop { init, .. } => add(init),
                Exp::Call { fun, args } => {
                    let takes = self.takes.get(fun).map_or(&[][..], |t| t);
                    takes.iter().zip(args).filter(|(t, _)| **t).for_each(|(_, x)| add(&[*x]));
                }
                Exp::SubExp(x) => add(&[*x]),
                _ => {}
            }
        }
        for s in &body.stms {
            if let Exp::Match { scrutinee: _, cases, default } = &s.exp {
                cases.iter().map(|(_, b)| b).chain([default]).for_each(|b| self.passed(b, found));
            }
        }
    }

    /// The bodies below an expression, which has taken references.
    fn nested(&self, e: &mut Exp, taken: &VarSet) {
        match e {
            Exp::Match { scrutinee: _, cases, default } => {
                // In the order of their numbers, so that the output is always the same.
                let mut owned: Vec<Var> = taken.iter().copied().collect();
                owned.sort_unstable();
                for b in cases.iter_mut().map(|(_, b)| b).chain([default]) {
                    self.body(b, owned.clone());
                }
            }
            Exp::Loop { params, init: _, form: _, body } => {
                let owned =
                    params.iter().filter(|p: &&Param| is_mem(&p.ty)).map(|p| p.var).collect();
                self.body(body, owned);
            }
            // What a kernel needs is allocated before it is launched.
            Exp::Seg(op) if op.level.is_kernel() => {}
            Exp::Seg(op) => {
                self.points(&mut op.body);
                match &mut op.kind {
                    SegKind::Map => {}
                    SegKind::Red(ops) | SegKind::Scan(ops) => {
                        ops.iter_mut().for_each(|r| self.operator(&mut r.op));
                    }
                    SegKind::Hist(ops) => {
                        ops.iter_mut().for_each(|h| self.operator(&mut h.op.op));
                    }
                }
            }
            other => for_each_block_mut(other, &mut |b| self.list(b, &[], Vec::new())),
        }
    }

    fn points(&self, body: &mut KernelBody) {
        // Rows that are written somewhere are read once more when the statements are done.
        let rows: Vec<SubExp> = body
            .results
            .iter()
            .flat_map(|r| match r {
                KernelResult::Return(_) => &[] as &[_],
                KernelResult::Write { dest: _, writes } => writes.as_slice(),
            })
            .map(|(_, row)| *row)
            .collect();
        let mut last: Vec<Var> = rows
            .iter()
            .filter_map(|row| row.var())
            .filter_map(|row| self.blocks.used_by(row))
            .filter(|b| body.stms.iter().any(|s| s.pat.iter().any(|p| p.var == *b)))
            .collect();
        last.sort_unstable();
        last.dedup();
        self.list(&mut body.stms, &rows, Vec::new());
        body.stms.extend(last.into_iter().map(|b| effect(Exp::Release(b))));
    }

    fn operator(&self, op: &mut Lambda) {
        self.body(&mut op.body, Vec::new());
    }
}

fn effect(exp: Exp) -> Stm {
    Stm { schedule: None, pat: Vec::new(), exp, certs: Vec::new(), attrs: Vec::new(), loc: None }
}
