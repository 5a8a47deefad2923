//! Mathematical functions that do not depend on all dimensions around them are computed once, into an array (scalar expansion).
//!
//! ```text
//! segred (i < n, k < m) … {             ls = segmap (k < m) {
//!   v = vs[k]                             v = vs[k]
//!   l = log v                             l = log v
//!   x = xs[i, k]                    →     in (return l) }
//!   y = x * l                           segred (i < n, k < m) … {
//!   in (return y) }                       l = ls[k]
//!                                         x = xs[i, k]
//!                                         y = x * l
//!                                         in (return y) }
//! ```
//!
//! So it is also with operations that stand in the bodies of others, if neither the lengths of their dimensions nor what they read
//! depends on these. What follows from such a function alone goes with it.
//!
//! What an operation reads without checks is there whether the dimensions that are left have points or not. Operations with checks, which may
//! have been made of their points only, stay as they are.
//!
//! Left where they are: what stands in loops and branches, as it may never be computed there; what depends on no dimension, which
//! [`hoist_invariant`](crate::passes::hoist_invariant) moves, or on outer dimensions alone, which loops compute once; and functions that
//! few points would share.
//!
//! At level `seg`, behind all passes that put producers into what reads them. Cost: linear in the program.

use crate::analysis::lanes::is_instruction;
use crate::ir::traverse::{Renamer, Rewrite, for_each_block_mut, free_in_exp, free_in_stm};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, Builder, Class, DimIndex, Effects, Exp, KernelBody, KernelResult, Level, NameSource,
    Prim, Program, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

/// Points of other dimensions, at least, that share what is computed once.
const LEAST_SHARED: i64 = 4;
/// Arrays for one operation, at most: each is one more to be read.
const MOST_ARRAYS: usize = 2;

/// Computes functions of inner dimensions once.
pub fn expand_invariants(mut prog: Program) -> Program {
    if prog.level != Level::Seg {
        return prog;
    }
    let mut e = Expand { b: Builder::new(NameSource::new(prog.next_tag)) };
    e.list(&mut prog.consts.stms);
    for f in &mut prog.funs {
        e.list(&mut f.body.stms);
    }
    prog.next_tag = e.b.names.next_tag();
    prog
}

struct Expand {
    b: Builder,
}

/// What is around an operation.
#[derive(Clone, Default)]
struct Around {
    /// What differs from point to point of the operations around.
    bound: VarSet,
    /// The lengths of their dimensions.
    sizes: Vec<SubExp>,
}

/// Statements of a body that could be computed before the operation.
struct Movable<'s> {
    dims: &'s [(Var, SubExp)],
    stms: &'s [Stm],
    /// Of each statement that can move, the dimensions that it depends on, one bit for each, and whether it takes long.
    found: Vec<Option<(u32, bool)>>,
}

impl Expand {
    /// The statements of the host, or of a block of it.
    fn list(&mut self, stms: &mut Vec<Stm>) {
        for mut s in std::mem::take(stms) {
            match &mut s.exp {
                Exp::Seg(op) if s.certs.is_empty() => {
                    self.b.loc = s.loc;
                    self.b.begin();
                    self.operation(op, &Around::default());
                    stms.extend(self.b.end());
                }
                Exp::Seg(_) => {}
                exp => for_each_block_mut(exp, &mut |b| self.list(b)),
            }
            stms.push(s);
        }
    }

    /// Emits what is computed once for an operation, and for those in its body.
    fn operation(&mut self, op: &mut SegOp, around: &Around) {
        let SegOp { level: SegLevel::Seq, space, body, .. } = op else { return };
        let mut inside = around.clone();
        inside.bound.extend(space.dims.iter().map(|d| d.0));
        inside.bound.extend(body.stms.iter().flat_map(|s| &s.pat).map(|p| p.var));
        inside.sizes.extend(space.dims.iter().map(|d| d.1));
        for s in &mut body.stms {
            if let (Exp::Seg(inner), true) = (&mut s.exp, s.certs.is_empty()) {
                self.operation(inner, &inside);
            }
        }
        let arrays = self.arrays(space, body, around);
        for s in &mut body.stms {
            let [p] = s.pat.as_slice() else { continue };
            let Some((array, dims)) = arrays.get(&p.var) else { continue };
            let dims = dims.iter().map(|d| DimIndex::Fix((*d).into())).collect();
            s.exp = Exp::Index { array: *array, dims };
        }
    }

    /// The arrays of what is computed once, each with the dimensions of its elements.
    fn arrays(
        &mut self,
        space: &SegSpace,
        body: &KernelBody,
        around: &Around,
    ) -> VarMap<(Var, Vec<Var>)> {
        let movable = Movable::of(space, body, around);
        let (mut out, mut chosen) = (VarMap::default(), Vec::new());
        for i in 0..body.stms.len() {
            let Some(dims) = movable.expands(i, around) else { continue };
            if movable.is_read_elsewhere(i, dims, body, around) {
                chosen.push((i, dims));
            }
        }
        if chosen.len() > MOST_ARRAYS {
            return out;
        }
        for (i, mask) in chosen {
            let Some([p]) = body.stms.get(i).map(|s| s.pat.as_slice()) else { continue };
            let Type::Prim(elem) = p.ty else { continue };
            let dims = movable.chosen(mask);
            let array = self.array(movable.needed(i), (p.var, elem), &dims);
            out.insert(p.var, (array, dims.iter().map(|d| d.0).collect()));
        }
        out
    }

    /// Emits an array of the value that some statements make for each point of some dimensions.
    fn array(&mut self, stms: Vec<Stm>, (value, elem): (Var, Prim), dims: &[(Var, SubExp)]) -> Var {
        let array = Type::array(elem, dims.iter().map(|d| d.1).collect());
        let results = vec![KernelResult::Return(value.into())];
        let body = KernelBody { stms, results, types: vec![Type::Prim(elem)] };
        let space = SegSpace { dims: dims.to_vec() };
        let mut exp = Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body });
        Renamer::new(&mut self.b.names).exp(&mut exp);
        self.b.emit_as("table", array, exp)
    }
}

impl<'s> Movable<'s> {
    fn of(space: &'s SegSpace, body: &'s KernelBody, around: &Around) -> Movable<'s> {
        let mut known: VarMap<(u32, bool)> = VarMap::default();
        for (d, (index, _)) in space.dims.iter().enumerate().take(32) {
            known.insert(*index, (1 << d, false));
        }
        let made = body.stms.iter().flat_map(|s| &s.pat).map(|p| p.var);
        let own: VarSet = made.chain(space.dims.iter().map(|d| d.0)).collect();
        let mut found = Vec::with_capacity(body.stms.len());
        for s in &body.stms {
            let from = |v: &Var| match known.get(v) {
                Some(of) => Some(*of),
                None if own.contains(v) || around.bound.contains(v) => None,
                None => Some((0, false)),
            };
            let free = free_in_stm(s);
            let parts: Option<Vec<_>> = free.iter().map(from).collect();
            let of = parts.filter(|_| can_move(s)).map(|parts| {
                let all = parts.iter().fold((0, false), |(d, l), (e, m)| (d | e, l | m));
                (all.0, all.1 || is_long(&s.exp))
            });
            if let (Some(of), [p]) = (of, s.pat.as_slice()) {
                known.insert(p.var, of);
            }
            found.push(of);
        }
        Movable { dims: &space.dims, stms: &body.stms, found }
    }

    /// The dimensions that a statement depends on, if it takes long and there are others that share it.
    fn expands(&self, at: usize, around: &Around) -> Option<u32> {
        let (mask, true) = (*self.found.get(at)?)? else { return None };
        let chosen = self.chosen(mask);
        let known = |n: &SubExp| n.var().is_none_or(|n| !around.bound.contains(&n));
        let left = self.dims.iter().filter(|d| chosen.iter().all(|e| e.0 != d.0)).map(|d| &d.1);
        let shares = |n: &SubExp| match n {
            SubExp::Var(_) => true,
            SubExp::Const(c) => c.as_int().is_some_and(|n| n >= LEAST_SHARED),
        };
        let pays = left.chain(&around.sizes).any(shares);
        // Loops compute once what depends on outer dimensions alone.
        let outer =
            around.sizes.is_empty() && chosen.iter().zip(self.dims).all(|(c, d)| c.0 == d.0);
        let ok = !outer && !chosen.is_empty() && pays && chosen.iter().all(|d| known(&d.1));
        ok.then_some(mask)
    }

    /// Whether something that is not computed once for the same dimensions uses what a statement makes.
    fn is_read_elsewhere(&self, at: usize, mask: u32, body: &KernelBody, around: &Around) -> bool {
        let Some(made) = self.stms.get(at).and_then(|s| s.pat.first()) else { return false };
        let reads = |(i, s): (usize, &Stm)| {
            self.expands(i, around) != Some(mask) && free_in_stm(s).contains(&made.var)
        };
        let returned = body.results.iter().any(|r| match r {
            KernelResult::Return(x) => x.var() == Some(made.var),
            _ => true,
        });
        returned || self.stms.iter().enumerate().any(reads)
    }

    /// Dimensions of a mask.
    fn chosen(&self, mask: u32) -> Vec<(Var, SubExp)> {
        let bit = |d: usize| u32::try_from(d).ok().and_then(|d| mask.checked_shr(d)).unwrap_or(0);
        let dims = self.dims.iter().enumerate().filter(|(d, _)| bit(*d) & 1 == 1);
        dims.map(|(_, d)| *d).collect()
    }

    /// The statements that one needs, in order, and itself last.
    fn needed(&self, at: usize) -> Vec<Stm> {
        let mut wanted = VarSet::default();
        let mut out = Vec::new();
        for (i, s) in self.stms.iter().enumerate().take(at + 1).rev() {
            if i == at || s.pat.iter().any(|p| wanted.contains(&p.var)) {
                wanted.extend(free_in_exp(&s.exp));
                out.push(s.clone());
            }
        }
        out.reverse();
        out
    }
}

/// Whether a statement may be computed before its operation: it makes a scalar, and nothing else.
fn can_move(s: &Stm) -> bool {
    let scalar = matches!(s.pat.as_slice(), [p] if matches!(p.ty, Type::Prim(_)));
    let kind = matches!(s.exp.class(), Class::Name | Class::Scalar | Class::Element);
    scalar && kind && s.certs.is_empty() && Effects::of(s).is_none()
}

/// Whether an expression takes several times what reading an element takes, by vectors, too.
fn is_long(e: &Exp) -> bool {
    match e {
        Exp::Math(f, ..) => !is_instruction(*f),
        Exp::BinOp(op, ..) => matches!(op, BinOp::FPow(_)),
        _ => false,
    }
}
