//! Rank-k updates: several rounds of a loop that updates a matrix by one of its rows and columns at a time.
//!
//! ```text
//! r = loop (d = a) for k < n {                r = loop (d = a) for b < n / 8 {
//!   segmap (i < n, j < m) {                     k = 8 · b
//!     x = d[i, j]; v = d[i, k]; y = d[k, j]     p = the rows k … k + 7 of d after these rounds,
//!     in f x v y } }                            s = and each of them before its own round
//!                                        ⟶      v = the columns k … k + 7 of d, each before its own round
//!                                               segmap (i < n, j < m) {
//!                                                 x = d[i, j]
//!                                                 x = f x v0[i] s[0, j]
//!                                                 …
//!                                                 in f x v7[i] s[7, j] } }
//!                                             (and the loop as it was, for the rounds that are left)
//! ```
//!
//! Elimination by Gauss and Jordan, factorisation into triangles and the closures of Floyd and Warshall go through the whole
//! matrix in each round, which takes as long as memory (or the second cache) does. The pivot's row and column of the next
//! rounds are known when these few rows and columns have gone through the rounds, which is little work; then
//! eight rounds of an element are done while it is in a register. Threads have to meet once instead of eight times. (The right-looking
//! blocked algorithms of LAPACK, Dongarra et al. 1990; Venkataraman et al., "A blocked all-pairs shortest-paths algorithm", 2003.)
//! Each element goes through the same operations in the same order, so results are the same bits.
//!
//! All that an element's round may read of the matrix is the element, the one of its row in column `k`, the one of its column in row `k`, and
//! `[k, k]`; nothing may fail. Comparisons of `i` and `j` with `k` are no different for eight rounds where neither is of the pivots', so the
//! large map asks once, and the pivots' rows and columns are put over what it makes of them (`emit.rs`). The loop must be the host's.
//! Where rounds update what is behind the pivot in slices ([`trailing`]), the large map goes through what is behind the pivots of its block.
//!
//! The large map goes by strips of columns, as a strip of the pivots' rows has to stay in the first cache, and in its own place, for which
//! the matrix is copied once. (A matrix of 16 MB, which the third cache holds, takes longer so with one thread: closures 1.4 of the time
//! and eliminations 1.07, with two threads 0.85 and 0.66. Those of 4 MB take 0.95 and 0.65 with one thread, of 36 MB 0.75 and 0.65.
//! That the beginning of the next row be asked for ahead changed little.)
//!
//! Cost: linear in the program.

mod emit;
mod find;
mod trailing;

use crate::ir::traverse::for_each_block_mut;
use crate::ir::{Defs, Exp, Level, NameSource, Program, Stm};
use crate::passes::cse::cse;
use crate::passes::simplify::simplify;
use emit::{Blocks, blocked};
use find::Update;
use trailing::trailing;

/// Updates matrices by several rows and columns at a time.
pub fn rank_k_updates(prog: Program) -> Program {
    in_blocks(prog, Blocks { rounds: 8, least: 64, strip_bytes: 4096 })
}

/// The same, by so few that small matrices in tests are.
pub fn rank_small_k_updates(prog: Program) -> Program {
    in_blocks(prog, Blocks { rounds: 2, least: 2, strip_bytes: 8 })
}

fn in_blocks(mut prog: Program, blocks: Blocks) -> Program {
    if prog.level != Level::Seg {
        return prog;
    }
    let defs = Defs::of_program(&prog);
    let mut names = NameSource::new(prog.next_tag);
    let mut changed = list(&mut prog.consts.stms, blocks, &defs, &mut names);
    for f in &mut prog.funs {
        changed |= list(&mut f.body.stms, blocks, &defs, &mut names);
    }
    prog.next_tag = names.next_tag();
    if changed { cse(simplify(prog)) } else { prog }
}

fn list(stms: &mut Vec<Stm>, blocks: Blocks, defs: &Defs, names: &mut NameSource) -> bool {
    let mut changed = false;
    let mut out = Vec::with_capacity(stms.len());
    for mut s in std::mem::take(stms) {
        if !matches!(s.exp, Exp::Seg(_)) {
            for_each_block_mut(&mut s.exp, &mut |b| changed |= list(b, blocks, defs, names));
        }
        let update = Update::of(&s).or_else(|| {
            // Names are taken if they are used.
            let mut more = NameSource::new(names.next_tag());
            trailing(&s, defs, &mut more).inspect(|_| *names = more)
        });
        match update {
            Some(update) => {
                changed = true;
                out.extend(blocked(&s, &update, blocks, names));
            }
            None => out.push(s),
        }
    }
    *stms = out;
    changed
}
