//! Reductions by operators that need not commute, as trees.
//!
//! LLVM splits no accumulator of several parts, nor one whose operator branches, since it cannot know
//! that the operator is associative. So elements go in blocks. A block's elements are the leaves of a
//! tree that lies in an array on the stack, where the children of node `i` are `2i` and `2i + 1`:
//!
//! ```text
//! 1
//! 2           3
//! 4     5     6     7
//! 0123  4567  89…             at LEAVES ..: made of four elements each
//! ```
//!
//! Each level is a loop without dependences over neighbours in memory, so it becomes vectors, and
//! neighbours stay in order. The last few nodes go to the accumulators one by one.

use super::function::Function;
use super::reduce::Accumulators;
use crate::Error;
use crate::dialect::{Ix, Val};
use futc_midend::ir::{KernelBody, Reduction, SegSpace, Var};

type Result<T> = std::result::Result<T, Error>;

/// Elements of a block, as schedules say.
const BLOCK: i64 = FOLDED * LEAVES;
/// Nodes made from elements.
const LEAVES: i64 = 256;
/// Nodes made at a time.
const GROUP: i64 = 64;
/// Elements of such a node, folded in registers.
const FOLDED: i64 = 4;
/// Nodes that are left to the accumulators.
const TOP: i64 = 8;

/// Element `k` of a leaf, where the first one begins at `start`.
#[derive(Clone, Copy)]
struct TreeBuffer<'c> {
    start: Ix<'c>,
    leaf: Ix<'c>,
    k: i64,
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// The reduction along the innermost dimension, of `n` elements.
    pub(super) fn reduce_by_tree(
        &mut self,
        space: &'p SegSpace,
        n: Ix<'c>,
        ops: &'p [Reduction],
        body: &'p KernelBody,
        neutral: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let (var, _) = Self::innermost(space)?;
        let nodes = self.accumulators(ops, 2 * LEAVES)?;
        let (length, by) = (self.b.ix(n)?, self.b.i64(BLOCK)?);
        let blocks = self.b.divui(length, by)?;
        let totals = self.for_carrying(blocks, neutral, |f, block, totals| {
            let start = f.b.mul(Ix::Val(block), Ix::Const(BLOCK))?;
            f.for_each(Ix::Const(LEAVES / GROUP), |f, group| {
                let done = f.b.mul(group, Ix::Const(GROUP))?;
                let distance = f.b.mul(done, Ix::Const(FOLDED))?;
                let start = f.b.add(start, distance)?;
                // As many as a group needs: more at once would wait for one another.
                let later = f.b.add(start, Ix::Const(BLOCK))?;
                f.fetch(space, later, GROUP * FOLDED, body)?;
                f.for_each(Ix::Const(GROUP), |f, leaf| {
                    let first = TreeBuffer { start, leaf, k: 0 };
                    let mut node = f.element_of_tree(var, first, body)?;
                    for k in 1..FOLDED {
                        let element = f.element_of_tree(var, TreeBuffer { k, ..first }, body)?;
                        node = f.apply_all(ops, &node, &element)?;
                    }
                    let place = f.b.add(leaf, Ix::Const(LEAVES))?;
                    let place = f.b.add(done, place)?;
                    f.put_accumulators(&nodes, place, &node)
                })
            })?;
            let mut width = LEAVES / 2;
            while width >= TOP {
                f.for_each(Ix::Const(width), |f, i| {
                    let place = f.b.add(i, Ix::Const(width))?;
                    let left = f.b.mul(place, Ix::Const(2))?;
                    let right = f.b.add(left, Ix::Const(1))?;
                    let left = f.get_accumulators(&nodes, left)?;
                    let right = f.get_accumulators(&nodes, right)?;
                    let node = f.apply_all(ops, &left, &right)?;
                    f.put_accumulators(&nodes, place, &node)
                })?;
                width /= 2;
            }
            f.top_of_tree(&nodes, ops, totals)
        })?;
        let done = self.b.mul(Ix::Val(blocks), Ix::Const(BLOCK))?;
        let rest = self.b.sub(n, done)?;
        let rest = self.b.ix(rest)?;
        self.for_carrying(rest, &totals, |f, j, totals| {
            let i = f.b.add(done, Ix::Val(j))?;
            let i = f.b.ix(i)?;
            f.env.insert(var, i);
            f.stms(&body.stms)?;
            let element = f.scalar_results(&body.results)?;
            f.apply_all(ops, totals, &element)
        })
    }

    /// The accumulators with the nodes at the top of the tree.
    fn top_of_tree(
        &mut self,
        nodes: &Accumulators<'c>,
        ops: &'p [Reduction],
        totals: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let top = self.b.i64(TOP)?;
        self.for_carrying(top, totals, |f, i, totals| {
            let place = f.b.add(Ix::Val(i), Ix::Const(TOP))?;
            let node = f.get_accumulators(nodes, place)?;
            f.apply_all(ops, totals, &node)
        })
    }

    /// An element.
    fn element_of_tree(
        &mut self,
        var: Var,
        place: TreeBuffer<'c>,
        body: &'p KernelBody,
    ) -> Result<Vec<Val<'c>>> {
        let TreeBuffer { start, leaf, k } = place;
        let first = self.b.mul(leaf, Ix::Const(FOLDED))?;
        // Added up in this order, what is the same of all elements of a leaf is computed once.
        let i = self.b.add(start, first)?;
        let i = self.b.add(i, Ix::Const(k))?;
        let offset = self.b.add(first, Ix::Const(k))?;
        self.element_at((var, i), (start, offset), body)
    }
}
