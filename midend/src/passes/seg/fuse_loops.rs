//! Fusion of maps into the sequential loops that read them, inside of maps.
//!
//! ```text
//! a = segmap (i < n) {                        r = loop (c = 0) for i < n {
//!   x = xs[i]; y = 1 + x                        x = xs[i]; y = 1 + x
//!   in (return y) }                    ⟶        p = 1 / (y - c)
//! r = loop (c = 0) for i < n {                  in p }
//!   y = a[i]
//!   p = 1 / (y - c)
//!   in p }
//! ```
//!
//! Lines that are solved one after the other, and whatever goes through an array from its beginning, often begin with
//! a map that makes the coefficients. Where points go by lanes, or in strips (`passes/mem/interleave`), the map
//! gains nothing by being apart: each lane is a point of the map around them. What it makes is written and read again, and takes
//! from the first cache what other lines could have.
//!
//! Outside of maps a map is vectors, and the loop that reads it is not; so it stays, as it does if it has loops or
//! mathematical functions in it or more than a few operations on floats or short integers, which would be slow one after the other if the map around
//! goes by none of these ways.
//!
//! The loop must be all that uses the map, at the elements of its own index, and run as often. What the map reads must not be
//! consumed anywhere, so that it is the same later. If the map has checks, neither the loop nor what stands between may
//! fail, never end or be seen, so that what fails first stays the same. Cost: linear in the program.

use super::in_turn::{all_read_in_turn, at_counter, elements_for_reads};
use crate::analysis::alias::Aliases;
use crate::ir::traverse::{for_each_block_mut, free_in_exp};
use crate::ir::varmap::VarMap;
use crate::ir::{
    Effects, Exp, IntType, KernelBody, KernelResult, Level, LoopForm, Mentions, Prim, Program,
    SegKind, SegLevel, SegOp, Stm, SubExp, Type,
};

/// Statements of a map that moves.
const MOST: usize = 64;
/// What those among them may cost that vectors would do many at a time: as many floats,
const MOST_IN_VECTORS: usize = 24;
/// a third of integers of 32 bits, a sixth of shorter ones. (Those of 64 bits are indexes, mostly.)
const NARROW: usize = 3;
const SHORT: usize = 6;

/// Puts maps into loops.
pub fn fuse_loops(mut prog: Program) -> Program {
    if prog.level != Level::Seg {
        return prog;
    }
    let mut a =
        Absorber { aliases: Aliases::of_program(&prog), mentions: Mentions::of_program(&prog) };
    a.list(&mut prog.consts.stms, false);
    for f in &mut prog.funs {
        a.list(&mut f.body.stms, false);
    }
    prog
}

struct Absorber {
    aliases: Aliases,
    mentions: Mentions,
}

impl Absorber {
    fn list(&mut self, stms: &mut Vec<Stm>, in_map: bool) {
        for s in stms.iter_mut() {
            let in_map = in_map || matches!(s.exp, Exp::Seg(_));
            for_each_block_mut(&mut s.exp, &mut |b| self.list(b, in_map));
        }
        if !in_map {
            return;
        }
        // From the end, so that a map of a map goes into what has taken the outer one.
        for at in (0..stms.len()).rev() {
            if let Some(reader) = self.reader(stms, at) {
                let made = stms.remove(at);
                if let Some(target) = stms.get_mut(reader - 1) {
                    fuse_into(target, made);
                }
            }
        }
    }

    /// The loop that the map at a place of a list may move into.
    fn reader(&mut self, stms: &[Stm], at: usize) -> Option<usize> {
        let (made, rest) = stms.get(at..)?.split_first()?;
        let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) = &made.exp
        else {
            return None;
        };
        let [(_, n)] = space.dims.as_slice() else { return None };
        let elements = made.attrs.is_empty()
            && made.pat.iter().all(|p| p.ty.rank() == 1)
            && body.results.iter().all(|r| matches!(r, KernelResult::Return(_)));
        let mut left = Left { all: MOST, in_vectors: MOST_IN_VECTORS };
        if !elements || !left.takes(&body.stms) {
            return None;
        }
        let between = rest.iter().position(|s| match &s.exp {
            Exp::Loop { form: LoopForm::For { var, ty: IntType::I64, bound }, .. } => {
                bound == n && all_read_in_turn(s, *var, made, &self.mentions)
            }
            _ => false,
        })?;
        let target = rest.get(between)?;
        let fits = target.attrs.is_empty()
            && free_in_exp(&made.exp)
                .iter()
                .all(|v| self.aliases.id(*v).is_none() || !self.aliases.consumed(*v));
        let effects = Effects::of(made);
        let passes = |s: &Stm| {
            let other = Effects::of(s);
            !other.fails && !other.diverges && !other.pinned
        };
        let moves = !effects.pinned
            && !effects.diverges
            && (!effects.fails || rest.iter().take(between + 1).all(passes));
        (fits && moves).then_some(at + 1 + between)
    }
}

/// What is lost when a value is computed by itself that vectors would compute with others, in floats.
fn in_vectors(ty: &Type) -> usize {
    match ty {
        Type::Prim(Prim::Float(_)) => 1,
        Type::Prim(Prim::Int(IntType::I32)) => NARROW,
        Type::Prim(Prim::Int(IntType::I8 | IntType::I16)) => SHORT,
        Type::Prim(Prim::Int(IntType::I64) | Prim::Bool)
        | Type::Cert
        | Type::Mem(_)
        | Type::Array { .. } => 0,
    }
}

/// What a map may still have.
struct Left {
    all: usize,
    in_vectors: usize,
}

impl Left {
    /// Whether statements are scalar code, checks, and elements, and not too many.
    fn takes(&mut self, stms: &[Stm]) -> bool {
        stms.iter().all(|s| {
            let cost = s.pat.iter().map(|p| in_vectors(&p.ty)).sum();
            let scalars = s.pat.iter().all(|p| matches!(p.ty, Type::Prim(_) | Type::Cert));
            let room = self.all > 0 && cost <= self.in_vectors;
            self.all = self.all.saturating_sub(1);
            self.in_vectors = self.in_vectors.saturating_sub(cost);
            let plain = match &s.exp {
                Exp::SubExp(_)
                | Exp::UnOp(..)
                | Exp::BinOp(..)
                | Exp::CmpOp(..)
                | Exp::ConvOp(..)
                | Exp::Index { .. }
                | Exp::Assert { .. } => true,
                Exp::Match { cases, default, .. } => {
                    cases.iter().map(|c| &c.1).chain([default]).all(|b| self.takes(&b.stms))
                }
                _ => false,
            };
            scalars && room && plain
        })
    }
}

/// Has the loop compute the map's elements.
fn fuse_into(target: &mut Stm, made: Stm) {
    let (
        Exp::Loop { form: LoopForm::For { var, .. }, body, .. },
        Exp::Seg(SegOp { space, body: mut elements, .. }),
    ) = (&mut target.exp, made.exp)
    else {
        return;
    };
    at_counter(&mut elements, &space, *var);
    let KernelBody { stms: mut front, results, .. } = elements;
    // What relied on a check of the whole map relies on it as before.
    for s in &mut front {
        s.certs.extend(made.certs.iter().copied());
    }
    let value = |r: &KernelResult| match r {
        KernelResult::Return(x) => Some(*x),
        KernelResult::Write { .. } => None,
    };
    let values = results.iter().filter_map(value);
    let elements: VarMap<SubExp> = made.pat.iter().map(|p| p.var).zip(values).collect();
    elements_for_reads(elements, &mut body.stms);
    front.append(&mut body.stms);
    body.stms = front;
}
