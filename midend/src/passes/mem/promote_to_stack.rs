//! Promotes small private blocks to the stack.
//!
//! ```text
//! segmap (i < n) { m = alloc 24 … }     m = alloc 24 local; segmap (i < n) { … }
//! ```
//!
//! A block of small constant size that is not passed on and that no kernel sees is allocated at the
//! start of its function, wherever it was: one for all iterations. LLVM then often keeps it in
//! registers. Functions that may call themselves keep their blocks on the heap, so that recursion
//! is not bounded by them. Tasks have a stack of their own. Cost: linear.

use super::blocks::Blocks;
use crate::ir::traverse::{Rewrite, Visit, rewrite, walk};
use crate::ir::varmap::VarSet;
use crate::ir::{Exp, Fun, MemSpace, PatElem, Poly, Program, SegLevel, Stm, Type, Var};
use futc_typed::name::Name;
use std::collections::{HashMap, HashSet};

/// The most a block may take, and all of a function.
const BLOCK_BYTES: i64 = 1024;
const FUNCTION_BYTES: i64 = 16 * 1024;

/// Makes local what can be, in every function that is not recursive.
pub fn promote_to_stack(mut prog: Program) -> Program {
    let blocks = Blocks::of_program(&prog);
    let recursive = recursive(&prog.funs);
    make_local(&mut prog.consts.stms, &blocks);
    for f in prog.funs.iter_mut().filter(|f| !recursive.contains(&f.name)) {
        make_local(&mut f.body.stms, &blocks);
    }
    prog
}

/// Makes local what can be in the code of a function, or of tasks.
fn make_local(stms: &mut Vec<Stm>, blocks: &Blocks) {
    let mut seen = Seen { blocks, found: VarSet::default(), kernel: false };
    seen.stms(stms);
    let mut m =
        MakeLocal { blocks, in_kernels: seen.found, left: FUNCTION_BYTES, moved: Vec::new() };
    m.stms(stms);
    stms.splice(0..0, m.moved);
}

/// The blocks that kernels mention.
struct Seen<'b> {
    blocks: &'b Blocks,
    found: VarSet,
    kernel: bool,
}

impl Visit for Seen<'_> {
    fn var(&mut self, v: &Var) {
        if self.kernel {
            self.found.extend(self.blocks.used_by(*v));
        }
    }

    fn stm(&mut self, s: &Stm) {
        let outer = self.kernel;
        self.kernel |= is_kernel(&s.exp);
        walk::stm(self, s);
        self.kernel = outer;
    }
}

/// Is this a kernel?
pub(super) fn is_kernel(e: &Exp) -> bool {
    matches!(e, Exp::Seg(op) if op.level.is_kernel())
}

struct MakeLocal<'b> {
    blocks: &'b Blocks,
    in_kernels: VarSet,
    left: i64,
    moved: Vec<Stm>,
}

impl Rewrite for MakeLocal<'_> {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        stms.retain(|s| {
            let (Exp::Alloc { bytes, space }, [p]) = (&s.exp, s.pat.as_slice()) else {
                return true;
            };
            let fits = 0..=BLOCK_BYTES.min(self.left);
            let size = Poly::of(bytes).as_const().filter(|n| fits.contains(n));
            let Some(size) = size else { return true };
            if self.blocks.escaped.contains(&p.var)
                || self.in_kernels.contains(&p.var)
                || *space == MemSpace::Local
            {
                return true;
            }
            self.left -= size;
            let pat = vec![PatElem { var: p.var, ty: Type::Mem(MemSpace::Local), mem: None }];
            // Not the expression: what it is made of may be bound later than the block.
            let bytes = Poly::constant(size).to_size();
            let exp = Exp::Alloc { bytes, space: MemSpace::Local };
            // A constant size needs no check, so no certificates.
            self.moved.push(Stm { loc: s.loc, ..Stm::new(pat, exp) });
            false
        });
        rewrite::stms(self, stms);
    }

    fn stm(&mut self, s: &mut Stm) {
        // Blocks of tasks and threads are their own.
        match &mut s.exp {
            Exp::Seg(op) if op.level == SegLevel::Tasks => {
                make_local(&mut op.body.stms, self.blocks);
            }
            Exp::Seg(op) if !op.level.is_sequential() => {}
            _ => rewrite::stm(self, s),
        }
    }
}

/// The functions that may end up calling themselves.
fn recursive(funs: &[Fun]) -> HashSet<Name> {
    #[derive(Default)]
    struct Calls(Vec<Name>);
    impl Visit for Calls {
        fn exp(&mut self, e: &Exp) {
            if let Exp::Call { fun, args: _ } = e {
                self.0.push(*fun);
            }
            walk::exp(self, e);
        }
    }
    let calls: HashMap<Name, Vec<Name>> = funs
        .iter()
        .map(|f| {
            let mut c = Calls::default();
            c.fun(f);
            (f.name, c.0)
        })
        .collect();
    let mut out = HashSet::new();
    for f in funs {
        let mut seen = HashSet::new();
        let mut todo = calls.get(&f.name).cloned().unwrap_or_default();
        while let Some(g) = todo.pop() {
            if g == f.name {
                out.insert(g);
                break;
            }
            if seen.insert(g) {
                todo.extend(calls.get(&g).into_iter().flatten());
            }
        }
    }
    out
}
