//! Dead fills: arrays have no values where loops overwrite all of them before anything is read.
//!
//! ```text
//! a = replicate n 0                           a = scratch n
//! r = loop (p = a, y = 0) for i < n {         r = loop (p = a, y = 0) for i < n {
//!   z = f y; q = p with [i] = z        ⟶        z = f y; q = p with [i] = z
//!   in (q, z) }                                 in (q, z) }
//! ```
//!
//! A loop that makes an array element by element, or row by row, has to begin with some array: nobody cares what is in it.
//! To fill it takes as long as to write the result.
//!
//! The loop must go through the first dimension once, upwards or downwards, and write the element or row of each round in that round,
//! whatever happens. It may read what rounds before have written, at a constant distance, but nothing else. Copies
//! are fills, too.
//!
//! Cost: linear in the program.

use crate::ir::traverse::{Visit, for_each_block_mut, walk};
use crate::ir::varmap::VarMap;
use crate::ir::{
    Body, Defs, DimIndex, Exp, IntType, Level, LoopForm, Mentions, Param, Poly, Program, Stm,
    SubExp, Type, Var,
};

/// Has arrays that loops overwrite begin with anything.
pub fn dead_fills(mut prog: Program) -> Program {
    if prog.level != Level::Seg {
        return prog;
    }
    let f = Fills { mentions: Mentions::of_program(&prog), sums: Defs::of_program(&prog) };
    f.list(&mut prog.consts.stms);
    for fun in &mut prog.funs {
        f.list(&mut fun.body.stms);
    }
    prog
}

struct Fills {
    mentions: Mentions,
    sums: Defs,
}

impl Fills {
    fn list(&self, stms: &mut [Stm]) {
        let mut fills: VarMap<usize> = VarMap::default();
        for at in 0..stms.len() {
            let (before, rest) = stms.split_at_mut(at);
            let Some(s) = rest.first_mut() else { continue };
            for_each_block_mut(&mut s.exp, &mut |b| self.list(b));
            if let Exp::Loop { params, init, form: LoopForm::For { var, ty, bound }, body } = &s.exp
            {
                for (k, (p, x)) in params.iter().zip(init).enumerate() {
                    let fill = x.var().and_then(|v| fills.get(&v));
                    let Some(fill) = fill.and_then(|at| before.get_mut(*at)) else { continue };
                    let round = Round { counter: *var, ty: *ty, bound: *bound };
                    if let Type::Array { elem, shape } = &p.ty
                        && self.overwrites(body, k, p, round)
                    {
                        fill.exp = Exp::Scratch { elem: *elem, shape: shape.clone() };
                    }
                }
            }
            if let ([p], Exp::Replicate { .. } | Exp::Copy(_)) = (s.pat.as_slice(), &s.exp)
                && self.mentions.count(p.var) == 1
            {
                fills.insert(p.var, at);
            }
        }
    }

    /// Whether the rounds of a loop write all of what it carries as `p`, which is its result `k`, and read no more of it than they
    /// have written.
    fn overwrites(&self, body: &Body, k: usize, p: &Param, round: Round) -> bool {
        let whole = p.ty.shape().first() == Some(&round.bound) && round.ty == IntType::I64;
        let update = body.stms.iter().find_map(|s| match (&s.exp, s.pat.as_slice()) {
            (Exp::Update { array, dims, .. }, [q]) if *array == p.var => Some((dims, q.var)),
            _ => None,
        });
        let Some((dims, q)) = update.filter(|_| whole) else { return false };
        let Some((DimIndex::Fix(x), rows)) = dims.split_first() else { return false };
        let full = rows.iter().zip(p.ty.shape().iter().skip(1)).all(|(d, size)| match d {
            DimIndex::Slice { start, n, stride } => {
                *start == SubExp::i64(0) && n == size && *stride == SubExp::i64(1)
            }
            DimIndex::Fix(_) => false,
        });
        let Some(upwards) = self.upwards(*x, round) else { return false };
        let mut reads =
            Reads { sums: &self.sums, at: *x, upwards, before: p.var, after: q, found: 0 };
        for s in &body.stms {
            reads.stm(s);
        }
        // The update, and what is handed on.
        let other = 2;
        full && body.result.get(k) == Some(&q.into())
            && self.mentions.total([p.var, q]) == reads.found + other
    }

    /// Whether an index is the counter of a loop, or what is left of the rounds behind the counter.
    fn upwards(&self, x: SubExp, round: Round) -> Option<bool> {
        let (x, i) = (Poly::leaf(x), Poly::var(round.counter));
        let last = Poly::leaf(round.bound).sub(&Poly::constant(1));
        if self.sums.equal(&x, &i) {
            Some(true)
        } else if self.sums.equal(&x, &last.sub(&i)) {
            Some(false)
        } else {
            None
        }
    }
}

#[derive(Clone, Copy)]
struct Round {
    counter: Var,
    ty: IntType,
    bound: SubExp,
}

/// Counts what is read of what rounds have written.
struct Reads<'d> {
    sums: &'d Defs,
    /// Where a round writes.
    at: SubExp,
    upwards: bool,
    /// The array before it has.
    before: Var,
    /// And after.
    after: Var,
    found: usize,
}

impl Visit for Reads<'_> {
    fn stm(&mut self, s: &Stm) {
        if let Exp::Index { array, dims } = &s.exp
            && (*array == self.before || *array == self.after)
            && let Some(DimIndex::Fix(x)) = dims.first()
        {
            // Where both are elements, the distance is exact though sums may wrap.
            let ahead = Poly::leaf(*x).sub(&Poly::leaf(self.at));
            let ahead = self.sums.expand(&ahead).as_const();
            let behind = ahead.map(|d| if self.upwards { -i128::from(d) } else { d.into() });
            let least = i128::from(*array == self.before);
            self.found += usize::from(behind.is_some_and(|b| b >= least));
        }
        walk::stm(self, s);
    }
}
