//! Moves allocations out of kernels.
//!
//! ```text
//! segmap grid (i < n) {               m = alloc (n · 8·k)
//!   m = alloc 8·k                       segmap grid (i < n) {
//!   a @ m → 0 + (k,1) = …                 a @ m → i + (k,n) = …
//! ```
//!
//! Every thread gets a share of one block, interleaved element by element, so that neighbouring
//! threads touch neighbouring addresses. Small blocks of constant size become local to the thread.
//! A kernel that allocates what is not known before it is
//! launched, or that carries blocks, is taken back to the host: [`SegLevel::Seq`]. The space used
//! is the number of threads times what one needs.

use super::blocks::own_blocks;
use super::rebase::{Moved, Rebase};
use crate::ir::traverse::{Rewrite, rewrite};
use crate::ir::varmap::VarMap;
use crate::ir::{Exp, MemSpace, PatElem, Poly, Program, SegLevel, SegOp, SegSpace, Stm, Type, Var};

/// Expands every kernel.
pub fn expand(mut prog: Program) -> Program {
    let mut e = Expand;
    e.body(&mut prog.consts);
    for f in &mut prog.funs {
        e.fun(f);
    }
    prog
}

struct Expand;

impl Rewrite for Expand {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        let mut out = Vec::with_capacity(stms.len());
        for mut s in std::mem::take(stms) {
            match &mut s.exp {
                Exp::Seg(op) => {
                    if op.level.is_kernel() {
                        let certs = s.certs.clone();
                        kernel(op, &certs, s.loc, &mut out);
                    } else {
                        rewrite::exp(self, &mut s.exp);
                    }
                }
                other => rewrite::exp(self, other),
            }
            out.push(s);
        }
        *stms = out;
    }
}

/// The most a local block of a thread may take: beyond, shares of one block are no slower.
const LOCAL_BYTES: i64 = 256;

fn kernel(op: &mut SegOp, certs: &[Var], loc: Option<crate::ir::Loc>, out: &mut Vec<Stm>) {
    let SegOp { level, space, kind: _, body } = op;
    let Some(allocs) = own_blocks(space, body) else {
        *level = SegLevel::Seq;
        return;
    };
    if allocs.is_empty() {
        return;
    }
    let (index, count) = thread(space);
    let mut rebase = Rebase { moved: VarMap::default() };
    let mut locals = Vec::new();
    for (block, bytes, space) in allocs {
        let bytes = Poly::of(&bytes);
        if bytes.as_const().is_some_and(|n| n <= LOCAL_BYTES) {
            let space = MemSpace::Local;
            let pat = vec![PatElem { var: block, ty: Type::Mem(space), mem: None }];
            locals.push(Stm::new(pat, Exp::Alloc { bytes: bytes.to_size(), space }));
            continue;
        }
        let bytes = bytes.mul(&count).to_size();
        out.push(Stm {
            schedule: None,
            pat: vec![PatElem { var: block, ty: Type::Mem(space), mem: None }],
            exp: Exp::Alloc { bytes, space },
            certs: certs.to_vec(),
            attrs: Vec::new(),
            loc,
        });
        let share = Moved::Share { index: index.clone(), count: count.clone() };
        rebase.moved.insert(block, share);
    }
    rebase.kernel_body(body);
    RemoveAllocs.kernel_body(body);
    body.stms.splice(0..0, locals);
}

/// The number of the thread in row-major order, and how many there are.
fn thread(space: &SegSpace) -> (Poly, Poly) {
    let (mut index, mut count) = (Poly::constant(0), Poly::constant(1));
    for (i, n) in &space.dims {
        index = index.mul(&Poly::leaf(*n)).add(&Poly::var(*i));
        count = count.mul(&Poly::leaf(*n));
    }
    (index, count)
}

struct RemoveAllocs;

impl Rewrite for RemoveAllocs {
    fn stms(&mut self, s: &mut Vec<Stm>) {
        s.retain(|s| !matches!(s.exp, Exp::Alloc { .. }));
        rewrite::stms(self, s);
    }
}
