//! What all operations need that are cut: tasks around a part, the part over a range, and the arrays that parts fill.

use super::grain::Grain;
use super::low_bits;
use super::space::{self, Range};
use super::view::{CutIndex, read_views};
use super::work::Estimate;
use crate::analysis::places::Places;
use crate::ir::traverse::{Visit, walk};
use crate::ir::varmap::VarSet;
use crate::ir::{
    Body, Builder, Defs, Exp, KernelBody, KernelResult, Lambda, Lmad, MemBind, MemSpace, PatElem,
    Prim, SegKind, SegLevel, SegOp, SegSpace, Size64, Stm, SubExp, Type, Var,
};

/// What operations are cut with.
pub(super) struct Cut {
    pub(super) b: Builder,
    pub(super) grain: Grain,
    pub(super) places: Places,
    /// What sizes are computed from.
    pub(super) defs: Defs,
    /// Arrays that begin without elements.
    pub(super) scratch: VarSet,
    /// Arrays that loops replace piece by piece.
    pub(super) pieces: VarSet,
    /// The host may come by many times: in a loop, or in a function that others call.
    pub(super) repeated: bool,
}

/// Whether an operator is associative to the last bit: it computes no floats.
pub(in crate::passes) fn is_exact(op: &Lambda) -> bool {
    struct Exact(bool);
    impl Visit for Exact {
        fn stm(&mut self, s: &Stm) {
            let chooses = matches!(s.exp, Exp::SubExp(_) | Exp::Match { .. });
            let float = |p: &PatElem| matches!(p.ty.elem(), Some(Prim::Float(_)));
            self.0 &= chooses || !s.pat.iter().any(float);
            walk::stm(self, s);
        }
    }
    let mut exact = Exact(true);
    exact.body(&op.body);
    exact.0
}

impl Cut {
    /// Begins a list of statements with how many tasks the iterations of a loop are worth, and what one of these takes; nothing, and
    /// no list, if that is one task.
    pub(super) fn begin_loop(
        &mut self,
        s: &Stm,
        (index, n): (Var, SubExp),
        body: &Body,
    ) -> Option<(SubExp, Estimate)> {
        let b = &mut self.b;
        b.loc = s.loc;
        b.begin();
        let like = SegOp {
            level: SegLevel::Seq,
            space: SegSpace { dims: vec![(index, n)] },
            kind: SegKind::Map,
            body: KernelBody { stms: body.stms.clone(), results: vec![], types: vec![] },
        };
        let estimate = Estimate::of(&like, 1, self.grain, b);
        let wanted = space::tasks_of(&[n], estimate, b);
        if wanted.is_none() {
            b.end();
        }
        Some((wanted?, estimate))
    }
}

/// The tasks of a statement.
pub(super) fn tasks(pat: Vec<PatElem>, t: Var, count: SubExp, body: KernelBody, s: &Stm) -> Stm {
    let space = SegSpace { dims: vec![(t, count)] };
    let exp = Exp::Seg(SegOp { level: SegLevel::Tasks, space, kind: SegKind::Map, body });
    Stm { pat, exp, schedule: None, ..s.clone() }
}

/// Room for a value of each task.
pub(super) fn value_of_tasks(name: &str, elem: Prim, count: SubExp, b: &mut Builder) -> PatElem {
    let block = block(&Size64::bytes(elem, &[count]), b);
    let ty = Type::array(elem, vec![count]);
    let var = b.fresh(name, ty.clone());
    PatElem::in_mem(var, ty, MemBind { block, lmad: Lmad::row_major(&[count]) })
}

/// A block of so many bytes.
pub(super) fn block(bytes: &Size64, b: &mut Builder) -> Var {
    let block = b.names.fresh("mem");
    let room = PatElem { var: block, ty: Type::Mem(MemSpace::Host), mem: None };
    b.push(Stm::new(vec![room], Exp::Alloc { bytes: bytes.clone(), space: MemSpace::Host }));
    block
}

/// The operation over ranges of its outer dimensions.
pub(super) fn over(mut op: SegOp, ranges: &[Range], places: &Places, b: &mut Builder) -> SegOp {
    let mut first = Vec::with_capacity(ranges.len());
    let mut cut = Vec::with_capacity(ranges.len());
    for ((i, n), range) in op.space.dims.iter_mut().zip(ranges) {
        let size = std::mem::replace(n, range.len);
        if range.first != SubExp::i64(0) {
            let k = b.names.like(*i);
            first.push(Stm::index_in_whole(*i, k, range.first));
            low_bits::narrow(&mut op.body.stms, (*i, k), range.first, b);
            cut.push(CutIndex { whole: *i, part: k, size, range: *range });
            *i = k;
        }
    }
    read_views(&mut op.body, &cut, places, b);
    op.body.stms.splice(0..0, first);
    op
}

/// Whether a statement binds an array that nothing reads, which has no place.
pub(super) fn is_dead(p: &PatElem) -> bool {
    p.ty.rank() > 0 && p.mem.is_none()
}

/// The arrays that an operation makes or writes to.
pub(super) struct Results {
    pub(super) arrays: Vec<(PatElem, Option<Var>)>,
}

impl Results {
    pub(super) fn of(s: &Stm, op: &SegOp) -> Option<Results> {
        let scalars = s.pat.iter().take_while(|p| p.ty.rank() == 0).count();
        let arrays = s.pat.get(scalars..)?;
        let first = op.body.results.len().checked_sub(arrays.len())?;
        let mut out = Vec::with_capacity(arrays.len());
        for (p, result) in arrays.iter().zip(op.body.results.get(first..)?) {
            let dest = match result {
                KernelResult::Return(_) => None,
                KernelResult::Write { dest, .. } => Some(*dest),
            };
            out.push((p.clone(), dest));
        }
        Some(Results { arrays: out })
    }

    /// The same arrays under other names, those of the last elements of a pattern.
    pub(super) fn renamed(&self, pat: &[PatElem]) -> Results {
        let pat = pat.iter().skip(pat.len().saturating_sub(self.arrays.len()));
        let arrays = self.arrays.iter().zip(pat).map(|((_, dest), p)| (p.clone(), *dest));
        Results { arrays: arrays.collect() }
    }

    /// Arrays that tasks fill.
    pub(super) fn declare(&self, s: &Stm, b: &mut Builder) {
        for (p, dest) in self.arrays.iter().filter(|(p, _)| !is_dead(p)) {
            if let (None, Type::Array { elem, shape }) = (dest, &p.ty) {
                let exp = Exp::Scratch { elem: *elem, shape: shape.clone() };
                b.push(Stm { loc: s.loc, ..Stm::new(vec![p.clone()], exp) });
            }
        }
    }

    /// What the operation binds that is over ranges of the outer dimensions.
    pub(super) fn part(&self, ranges: &[Range], b: &mut Builder) -> Vec<PatElem> {
        let part = |(p, dest): &(PatElem, Option<Var>)| {
            let mut part = p.clone();
            part.var = b.names.like(p.var);
            if dest.is_none() {
                space::narrow(&mut part, ranges);
            }
            part
        };
        self.arrays.iter().map(part).collect()
    }

    /// Arrays that tasks have written to.
    pub(super) fn bind(&self, s: &Stm, b: &mut Builder) {
        for (p, dest) in &self.arrays {
            if let Some(dest) = dest {
                let exp = Exp::SubExp((*dest).into());
                b.push(Stm { loc: s.loc, ..Stm::new(vec![p.clone()], exp) });
            }
        }
    }
}
