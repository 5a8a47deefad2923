//! Places of arrays where control flow joins.
//!
//! * A `match` whose branches all yield the same outer place has that place. Otherwise the block
//!   is bound by the pattern; contiguous results are passed as they are (with their offset, if one
//!   has any), others are copied first.
//! * A loop parameter that is in place (see `origin`) lies where its initial value lies. Otherwise
//!   its block is a parameter too, and both the initial and the next values are made dense.
//!
//! Inside kernels no block may be carried: there a join has a buffer of its own, allocated before,
//! into which every branch or iteration copies. So do small arrays of constant size everywhere: to
//! copy them is cheaper than to count their owners, and they may end up in registers. Where the
//! size of such a buffer is not known before, the block is carried after all, and `expand` takes
//! the kernel back to the host.

use super::explicit::{Explicit, dense, with_shape};
use crate::ir::varmap::VarSet;
use crate::ir::{
    Body, Const, Exp, Lmad, LoopForm, MemBind, Param, PatElem, Poly, Prim, Stm, StmAttr, SubExp,
    Type, Var,
};

/// A branch in the making: its statements so far, and its results before and after.
struct Branch {
    stms: Vec<Stm>,
    old: Vec<SubExp>,
    new: Vec<SubExp>,
}

/// How a loop parameter is carried.
enum Carry {
    /// No array.
    Scalar,
    /// Lies where it lay; nothing to do unless the analysis was mistaken.
    InPlace(MemBind),
    /// Copied into a buffer of the loop's own.
    Buffer(MemBind),
    /// With its block, which is this parameter.
    Block(Var),
}

/// Arrays of at most this many elements are small.
const SMALL: i64 = 64;

impl Explicit {
    /// Do joins copy arrays of this type into buffers?
    fn buffered(&self, ty: &Type) -> bool {
        let count = ty.shape().iter().try_fold(1i64, |p, n| match n {
            SubExp::Const(c) => c.as_int().and_then(|n| p.checked_mul(n)),
            SubExp::Var(_) => None,
        });
        self.kernel || count.is_some_and(|n| n <= SMALL)
    }

    pub(super) fn match_(
        &mut self,
        pat: Vec<PatElem>,
        scrutinee: SubExp,
        cases: Vec<(Const, Body)>,
        default: Body,
        attrs: Vec<StmAttr>,
    ) {
        let (consts, bodies): (Vec<Const>, Vec<Body>) = cases.into_iter().unzip();
        let mut branches: Vec<Branch> = bodies
            .into_iter()
            .chain(std::iter::once(default))
            .map(|b| {
                let (stms, ()) = self.deeper(|e| e.stms(b.stms));
                Branch { stms, old: b.result, new: Vec::new() }
            })
            .collect();
        let mut out = Vec::with_capacity(pat.len());
        for (i, mut p) in pat.into_iter().enumerate() {
            let arrays: Option<Vec<Var>> =
                branches.iter().map(|b| b.old.get(i).and_then(|r| self.array(*r))).collect();
            match arrays.filter(|_| p.ty.rank() > 0) {
                Some(arrays) => self.joined(&mut p, &arrays, &mut branches, &mut out),
                None => {
                    for b in &mut branches {
                        b.new.extend(b.old.get(i));
                    }
                }
            }
            self.know(p.var, p.ty.clone());
            if let Some(m) = &p.mem {
                self.put(p.var, m.clone());
            }
            out.push(p);
        }
        let mut bodies: Vec<Body> =
            branches.into_iter().map(|b| Body { stms: b.stms, result: b.new }).collect();
        let default = bodies.pop().unwrap_or_default();
        let cases = consts.into_iter().zip(bodies).collect();
        self.bind(out, Exp::Match { scrutinee, cases, default }, attrs);
    }

    /// Places `p`, which is `arrays` in the branches; `pat` is what stands before it.
    fn joined(
        &mut self,
        p: &mut PatElem,
        arrays: &[Var],
        branches: &mut [Branch],
        pat: &mut Vec<PatElem>,
    ) {
        let places: Vec<MemBind> = arrays.iter().map(|v| self.place(*v)).collect();
        let common = places
            .iter()
            .find(|m| self.place_visible(m))
            .filter(|m| places.iter().all(|n| self.same_place(m, n)));
        if let Some(m) = common {
            let lmad = with_shape(&m.lmad, p.ty.shape());
            p.mem = Some(MemBind { block: m.block, lmad });
            for (v, b) in arrays.iter().zip(branches) {
                b.new.push((*v).into());
            }
            return;
        }
        let known = |n: &SubExp| {
            self.visible(*n) && n.var().is_none_or(|v| !pat.iter().any(|q| q.var == v))
        };
        if self.buffered(&p.ty) && p.ty.shape().iter().all(known) {
            let place = self.alloc(p.var, &p.ty);
            for (v, b) in arrays.iter().zip(branches) {
                let (stms, w) = self.deeper(|e| e.copy_to(*v, place.clone()));
                b.stms.extend(stms);
                b.new.push(w.into());
            }
            p.mem = Some(place);
            return;
        }

        let mut kept = Vec::with_capacity(arrays.len());
        for (v, b) in arrays.iter().zip(branches.iter_mut()) {
            let (stms, w) = self
                .deeper(|e| if e.place(*v).lmad.is_contiguous(&e.defs) { *v } else { e.copy(*v) });
            b.stms.extend(stms);
            kept.push(w);
        }
        let offsets: Vec<Poly> =
            kept.iter().map(|v| Poly::of(&self.place(*v).lmad.offset)).collect();
        let mut offset = Poly::constant(0);
        if !offsets.iter().all(|o| self.defs.expand(o).is_zero()) {
            let o = self.b.names.fresh("offset");
            self.know(o, Type::I64);
            for (x, b) in offsets.iter().zip(branches.iter_mut()) {
                let (stms, x) = self.deeper(|e| e.materialise(&x.to_size()));
                b.stms.extend(stms);
                b.new.push(x);
            }
            pat.push(PatElem { var: o, ty: Type::I64, mem: None });
            offset = Poly::var(o);
        }
        let block = self.block_param(p.var);
        for (v, b) in kept.iter().zip(branches) {
            let from = self.place(*v).block;
            if self.maybe_global.contains(&from) {
                self.maybe_global.insert(block.var);
            }
            self.may_be.entry(block.var).or_default().push(from);
            b.new.push(from.into());
            b.new.push((*v).into());
        }
        let lmad = Lmad::row_major_at(&offset, p.ty.shape());
        p.mem = Some(MemBind { block: block.var, lmad });
        pat.push(PatElem { var: block.var, ty: block.ty, mem: None });
    }

    pub(super) fn loop_(
        &mut self,
        pat: Vec<PatElem>,
        params: Vec<Param>,
        init: Vec<SubExp>,
        form: LoopForm,
        body: Body,
        attrs: Vec<StmAttr>,
    ) {
        let own: VarSet = params.iter().map(|p| p.var).collect();
        let mut carries = Vec::with_capacity(params.len());
        let (mut new_params, mut new_init) = (Vec::new(), Vec::new());
        let mut maybe_global = false;
        for (mut p, x) in params.into_iter().zip(init) {
            let carry = match self.array(x).filter(|_| p.ty.rank() > 0) {
                None => {
                    new_init.push(x);
                    Carry::Scalar
                }
                Some(v) => {
                    let invariant =
                        p.ty.shape().iter().all(|n| n.var().is_none_or(|n| !own.contains(&n)));
                    if self.in_place.contains(&p.var) {
                        let m = self.place(v);
                        let lmad = with_shape(&m.lmad, p.ty.shape());
                        p.mem = Some(MemBind { block: m.block, lmad });
                        new_init.push(x);
                        Carry::InPlace(m)
                    } else if self.buffered(&p.ty) && invariant {
                        let place = self.alloc(p.var, &p.ty);
                        let w = self.copy_to(v, place.clone());
                        p.mem = Some(place.clone());
                        new_init.push(w.into());
                        Carry::Buffer(place)
                    } else {
                        let w = self.dense_array(v);
                        let from = self.place(w).block;
                        let block = self.in_body(|e| e.block_param(p.var));
                        if self.maybe_global.contains(&from) {
                            maybe_global = true;
                            self.maybe_global.insert(block.var);
                        }
                        self.may_be.insert(block.var, vec![from]);
                        p.mem = Some(dense(block.var, p.ty.shape()));
                        new_init.push(from.into());
                        new_init.push(w.into());
                        let carry = Carry::Block(block.var);
                        new_params.push(block);
                        carry
                    }
                }
            };
            self.in_body(|e| e.know(p.var, p.ty.clone()));
            if let Some(m) = &p.mem {
                self.put(p.var, m.clone());
            }
            new_params.push(p);
            carries.push(carry);
        }
        match &form {
            LoopForm::For { var, ty, bound: _ } => {
                let ty = Type::Prim(Prim::Int(*ty));
                self.in_body(|e| e.know(*var, ty));
            }
            LoopForm::While { cond: _ } => {}
        }

        let (stms, result) = self.deeper(|e| {
            e.stms(body.stms);
            let result = e.staged(body.result, &carries);
            let mut out = Vec::with_capacity(result.len());
            for (r, c) in result.into_iter().zip(&carries) {
                match (c, e.array(r)) {
                    (Carry::InPlace(m) | Carry::Buffer(m), Some(v)) => {
                        let there = e.same_place(&e.place(v), m);
                        let w = if there { v } else { e.copy_to(v, m.clone()) };
                        out.push(w.into());
                    }
                    (Carry::Block(block), Some(v)) => {
                        let w = e.dense_array(v);
                        let from = e.place(w).block;
                        e.may_be.entry(*block).or_default().push(from);
                        maybe_global |= e.maybe_global.contains(&from);
                        out.push(from.into());
                        out.push(w.into());
                    }
                    (Carry::Scalar, _) | (_, None) => out.push(r),
                }
            }
            out
        });

        let mut out_pat = Vec::with_capacity(pat.len());
        for (mut p, c) in pat.into_iter().zip(carries) {
            self.know(p.var, p.ty.clone());
            match c {
                Carry::Scalar => {}
                Carry::InPlace(m) | Carry::Buffer(m) => {
                    let lmad = with_shape(&m.lmad, p.ty.shape());
                    p.mem = Some(MemBind { block: m.block, lmad });
                }
                Carry::Block(param) => {
                    let block = self.block_param(p.var);
                    self.may_be.insert(block.var, vec![param]);
                    if maybe_global {
                        self.maybe_global.insert(block.var);
                    }
                    p.mem = Some(dense(block.var, p.ty.shape()));
                    out_pat.push(PatElem { var: block.var, ty: block.ty, mem: None });
                }
            }
            out_pat.push(p);
        }
        let body = Body { stms, result };
        self.bind(out_pat, Exp::Loop { params: new_params, init: new_init, form, body }, attrs);
    }

    /// Copies aside what is to go into one buffer but lies in another, which may be overwritten
    /// before it is read. The block of a result of a call, `match` or loop may be the buffer by another name.
    fn staged(&mut self, mut result: Vec<SubExp>, carries: &[Carry]) -> Vec<SubExp> {
        let buffers: VarSet = carries
            .iter()
            .filter_map(|c| match c {
                Carry::Buffer(m) => Some(m.block),
                Carry::Scalar | Carry::InPlace(_) | Carry::Block(_) => None,
            })
            .collect();
        for (r, c) in result.iter_mut().zip(carries) {
            if let (Carry::Buffer(m), Some(v)) = (c, self.array(*r)) {
                let place = self.place(v);
                if !self.same_place(&place, m) && self.may_be_one_of(place.block, &buffers) {
                    *r = self.copy(v).into();
                }
            }
        }
        result
    }
}
