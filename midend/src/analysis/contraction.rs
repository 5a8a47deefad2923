//! Which segmented reductions are contractions: products of matrices, in whatever guise.
//!
//! ```text
//! segred seq (i < n, j < p, k < m) op [0] \(acc, x) { acc + x } {
//!   x = index a[i, k]          left:  depends on i and k
//!   y = index b[k, j]          right: depends on k and j
//!   t = x * y
//!   in (return t)
//! }
//! ```
//!
//! Every element of the left factor meets every `j`, every element of the right factor every `i`:
//! with both in small blocks, packed one after the other, a block of results stays in registers
//! while they are gone through. Nothing is asked of the layouts of `a` and `b` (views that are
//! transposed, rows of larger arrays), nor of what stands between the arrays and the factors, as
//! long as it is scalar code; nor need it be `+` and `*`.
//!
//! Dimensions that both factors depend on, or neither, are walked outside: products of many
//! matrices are a contraction each.

use crate::ir::traverse::free_in_stm;
use crate::ir::varmap::VarMap;
use crate::ir::{BinOp, Class, FloatType, Prim};
use crate::ir::{Exp, KernelBody, KernelResult, Reduction, SegSpace, Stm};
use crate::ir::{SubExp, Type, Var};

/// A contraction, and how it may be taken apart.
#[derive(Clone, PartialEq, Debug)]
pub struct Contraction<'p> {
    /// The element type of the result and of the factors.
    pub elem: Prim,
    /// The statement that joins the factors.
    pub product: &'p Stm,
    /// The dimension of the space that the row factor depends on and the column factor does not.
    pub row: usize,
    /// The dimension that the column factor depends on and the row factor does not.
    pub column: usize,
    /// The reduced dimension.
    pub depth: usize,
    /// The other dimensions, outermost first.
    pub outer: Vec<usize>,
    /// The neutral element.
    pub neutral: SubExp,
    /// The row factor and the statements that compute it, in order.
    pub row_factor: (SubExp, Vec<&'p Stm>),
    /// The column factor.
    pub column_factor: (SubExp, Vec<&'p Stm>),
}

/// The contraction that a reduction is, if it is one. Of an operation at level seg or mem.
pub fn contraction<'p>(
    space: &SegSpace,
    ops: &'p [Reduction],
    body: &'p KernelBody,
) -> Option<Contraction<'p>> {
    let ([op], [KernelResult::Return(SubExp::Var(product))]) = (ops, body.results.as_slice())
    else {
        return None;
    };
    let depth = space.dims.len().checked_sub(1).filter(|d| (2..=MOST_DIMS).contains(d))?;
    let [Type::Prim(elem)] = op.op.ret.as_slice() else { return None };
    let add = accumulation(op)?;
    let slices = Slices::of(space, body)?;
    let product = slices.definition(*product)?;
    let Exp::BinOp(multiply, x, y) = product.exp else { return None };
    if !lanewise(multiply) || multiply.prim() != *elem {
        return None;
    }
    // Of halves these are several operations each.
    if [add, multiply].iter().any(|op| op.is_extreme()) && *elem == Prim::Float(FloatType::F16) {
        return None;
    }
    let (of_x, of_y) = (slices.dims(x), slices.dims(y));
    let segments = (1u64 << depth) - 1;
    let only_x: u64 = of_x & !of_y & segments;
    let only_y: u64 = of_y & !of_x & segments;
    // A factor that is the same in all of the depth would be packed for nothing.
    if only_x == 0 || only_y == 0 || (of_x & of_y) >> depth == 0 {
        return None;
    }
    let last = |set: u64| 63 - set.leading_zeros() as usize;
    // Results of neighbouring columns should be neighbours in memory.
    let row_first = last(only_y) > last(only_x);
    let (row, column) =
        if row_first { (last(only_x), last(only_y)) } else { (last(only_y), last(only_x)) };
    let factor = |x: SubExp| (x, slices.slice(x));
    let (row_factor, column_factor) =
        if row_first { (factor(x), factor(y)) } else { (factor(y), factor(x)) };
    Some(Contraction {
        elem: *elem,
        product,
        row,
        column,
        depth,
        outer: (0..depth).filter(|d| *d != row && *d != column).collect(),
        neutral: *op.neutral.first()?,
        row_factor,
        column_factor,
    })
}

/// Sets of dimensions are words; nobody writes so many loops.
const MOST_DIMS: usize = 62;

/// The operator, if it is a single operation on the accumulator and the element, in any order, that
/// vectors have too.
pub fn accumulation(op: &Reduction) -> Option<BinOp> {
    single(op).filter(|b| lanewise(*b) && commutes(*b))
}

/// The operation that is all of an operator, on the accumulator and the element.
fn single(op: &Reduction) -> Option<BinOp> {
    let ([acc, x], [stm], [result]) =
        (op.op.params.as_slice(), op.op.body.stms.as_slice(), op.op.body.result.as_slice())
    else {
        return None;
    };
    let Exp::BinOp(add, a, b) = stm.exp else { return None };
    let operands = [a, b];
    let both = operands.contains(&acc.var.into()) && operands.contains(&x.var.into());
    let yields = stm.pat.first().is_some_and(|p| SubExp::Var(p.var) == *result);
    (both && yields).then_some(add)
}

/// The same, or a connective of truth values: what lanes can accumulate each for itself.
pub fn lanewise_accumulation(op: &Reduction) -> Option<BinOp> {
    single(op).filter(|b| lanewise(*b) && commutes(*b) || matches!(b, BinOp::LogAnd | BinOp::LogOr))
}

/// Operations that are the same on every lane of a vector, with nothing around them.
fn lanewise(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Add(_)
            | BinOp::Sub(_)
            | BinOp::Mul(_)
            | BinOp::FAdd(_)
            | BinOp::FSub(_)
            | BinOp::FMul(_)
            | BinOp::FMin(_)
            | BinOp::FMax(_)
            | BinOp::SMin(_)
            | BinOp::SMax(_)
            | BinOp::UMin(_)
            | BinOp::UMax(_)
            | BinOp::And(_)
            | BinOp::Or(_)
            | BinOp::Xor(_)
    )
}

fn commutes(op: BinOp) -> bool {
    !matches!(op, BinOp::Sub(_) | BinOp::FSub(_))
}

/// What each variable of a body of scalar code depends on.
struct Slices<'p> {
    stms: &'p [Stm],
    /// Where a variable is bound, and the dimensions it depends on.
    bound: VarMap<(Option<usize>, u64)>,
}

impl<'p> Slices<'p> {
    /// Nothing if there is anything but scalar code that cannot fail.
    fn of(space: &SegSpace, body: &'p KernelBody) -> Option<Slices<'p>> {
        let mut slices = Slices { stms: &body.stms, bound: VarMap::default() };
        for (d, (v, _)) in space.dims.iter().enumerate() {
            slices.bound.insert(*v, (None, 1 << d));
        }
        for (at, stm) in body.stms.iter().enumerate() {
            if !scalar_code(stm) {
                return None;
            }
            let free = free_in_stm(stm);
            let dims = free.iter().fold(0, |set, v| set | slices.dims(SubExp::Var(*v)));
            for p in &stm.pat {
                slices.bound.insert(p.var, (Some(at), dims));
            }
        }
        Some(slices)
    }

    fn dims(&self, x: SubExp) -> u64 {
        x.var().and_then(|v| self.bound.get(&v)).map_or(0, |b| b.1)
    }

    fn definition(&self, v: Var) -> Option<&'p Stm> {
        let (at, _) = self.bound.get(&v)?;
        self.stms.get((*at)?)
    }

    /// The statements that `x` needs, in order.
    fn slice(&self, x: SubExp) -> Vec<&'p Stm> {
        let mut needed = vec![false; self.stms.len()];
        let mut pending: Vec<Var> = x.var().into_iter().collect();
        while let Some(v) = pending.pop() {
            let Some((Some(at), _)) = self.bound.get(&v) else { continue };
            if let Some(n) = needed.get_mut(*at)
                && !*n
            {
                *n = true;
                pending.extend(self.stms.get(*at).map(free_in_stm).unwrap_or_default());
            }
        }
        self.stms.iter().zip(needed).filter_map(|(s, n)| n.then_some(s)).collect()
    }
}

/// Scalar code that may be done more often than it says, or never.
pub fn scalar_code(stm: &Stm) -> bool {
    let scalar = stm.pat.iter().all(|p| matches!(p.ty, Type::Prim(_)));
    scalar && matches!(stm.exp.class(), Class::Name | Class::Scalar | Class::Element)
}
