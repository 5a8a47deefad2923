//! One of the blocks that a range is cut into, and of which range.

use super::I64;
use crate::ir::{BinOp, Builder, Exp, KernelBody, SubExp, Var};

/// Larger bodies stay whole.
pub(super) const MOST_STATEMENTS: usize = 120;
/// Shorter blocks do not pay.
pub(super) const SHORTEST: i64 = 8;

/// A block: its number, which half of a pair it is, the index where it begins, and the index inside.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) number: SubExp,
    pub(super) half: Option<(SubExp, i64)>,
    pub(super) start: SubExp,
    pub(super) k: Var,
}

/// The index of a range that an operation has a part of, and what it is from the operation's own: `i = k + first`, where `first` is
/// the sum of these.
pub(super) type InWhole = (Var, Vec<SubExp>);

/// The indexes of the ranges that an operation has a part of, as a chunk of a task has, from the largest one on; and its own.
pub(super) fn indexes_in_whole(k: Var, body: &KernelBody) -> Vec<InWhole> {
    let mut wholes: Vec<InWhole> = vec![(k, Vec::new())];
    let mut names = vec![SubExp::Var(k)];
    let mut inside = names.clone();
    for s in &body.stms {
        let [p] = s.pat.as_slice() else { break };
        match (&s.exp, wholes.last()) {
            (Exp::SubExp(x), _) if names.contains(x) => names.push(p.var.into()),
            (Exp::BinOp(BinOp::Add(I64), x, first), Some((_, before)))
                if names.contains(x) && !inside.contains(first) =>
            {
                let firsts = [before.as_slice(), &[*first]].concat();
                wholes.push((p.var, firsts));
                names = vec![p.var.into()];
            }
            _ => break,
        }
        inside.push(p.var.into());
    }
    wholes.reverse();
    wholes
}

/// Emits where a part begins.
pub(super) fn begin_of(firsts: &[SubExp], b: &mut Builder) -> SubExp {
    firsts.iter().copied().reduce(|sum, first| b.add(sum, first)).unwrap_or(SubExp::i64(0))
}
