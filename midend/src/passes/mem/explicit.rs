//! Gives every array a place.
//!
//! ```text
//! ys = map f xs                         ys_mem = alloc 4·n
//! zs = transpose (reshape ys)           ys @ ys_mem → 0 + (n,1) = segmap …
//!                                       zs @ ys_mem → 0 + (b,1)(a,b) = …
//! ```
//!
//! Fresh arrays are dense and row-major in a block of their own; views share their array's block;
//! updates stay where their array lies. Arguments and results of functions are made dense. Joins
//! (`match`, `loop`) are treated in `join`, segmented operations in `points`.
//!
//! Results of entry points that may lie in a global's block are copied, so that a consumer of the
//! result cannot change the global.
//!
//! Costs: linear in the program, but for the LMADs, which are as long as ranks.

use super::origin::in_place_params;
use crate::ir::varmap::{FastSet, VarMap, VarSet};
use crate::ir::{
    Body, Builder, Defs, Exp, Fun, Level, Linkage, Lmad, LmadDim, MemBind, MemSpace, NameSource,
    Param, PatElem, Prim, Program, Size64, Stm, StmAttr, SubExp, Type, Var,
};
use futc_typed::name::Name;

/// Places every array of the program, in blocks of `space`.
pub fn explicit(mut prog: Program, space: MemSpace) -> Program {
    let mut e = Explicit {
        b: Builder::new(NameSource::new(prog.next_tag)),
        in_place: in_place_params(&prog),
        places: VarMap::default(),
        depths: VarMap::default(),
        depth: 0,
        defs: Defs::default(),
        maybe_global: VarSet::default(),
        may_be: VarMap::default(),
        others_see_globals: FastSet::default(),
        space,
        kernel: false,
    };
    let consts = std::mem::take(&mut prog.consts);
    let globals = std::mem::take(&mut prog.globals);
    prog.consts = e.whole_body(consts, false);
    // Definitions inside the constants' body are out of scope in functions.
    e.defs.clear();
    prog.globals = e.result_pattern(&globals);
    for p in &prog.globals {
        if matches!(p.ty, Type::Mem(_)) {
            e.maybe_global.insert(p.var);
        }
    }
    let sees = |f: &&Fun| matches!(&f.linkage, Linkage::Imported(i) if i.sees_globals);
    e.others_see_globals = prog.funs.iter().filter(sees).map(|f| f.name).collect();
    prog.funs = std::mem::take(&mut prog.funs).into_iter().map(|f| e.fun(f)).collect();
    prog.next_tag = e.b.names.next_tag();
    prog.level = Level::Mem;
    prog
}

pub(super) struct Explicit {
    pub(super) b: Builder,
    pub(super) in_place: VarSet,
    /// Where arrays lie.
    places: VarMap<MemBind>,
    /// How deep in nested bodies each variable is bound; 0 for parameters and globals.
    depths: VarMap<u32>,
    depth: u32,
    pub(super) defs: Defs,
    /// Blocks that may be a global's.
    pub(super) maybe_global: VarSet,
    /// Blocks that calls, `match` and loops bind, and which blocks each may be.
    pub(super) may_be: VarMap<Vec<Var>>,
    /// Functions of other parts of the program of which results may lie in blocks of globals.
    others_see_globals: FastSet<Name>,
    space: MemSpace,
    /// Are we inside a kernel?
    pub(super) kernel: bool,
}

impl Explicit {
    fn fun(&mut self, mut f: Fun) -> Fun {
        self.depth = 0;
        let mut params = Vec::with_capacity(f.params.len() * 2);
        for mut p in f.params {
            if p.ty.rank() > 0 {
                let block = self.block_param(p.var);
                let place = dense(block.var, p.ty.shape());
                params.push(Param { unique: p.unique, ..block });
                p.mem = Some(self.put(p.var, place));
            }
            self.know(p.var, p.ty.clone());
            params.push(p);
        }
        f.params = params;
        f.body = self.whole_body(f.body, f.entry.is_some());
        f.results = self.result_pattern(&f.results);
        f
    }

    /// The body of a function; its results become dense, and their blocks results.
    fn whole_body(&mut self, body: Body, entry: bool) -> Body {
        self.b.begin();
        self.stms(body.stms);
        let mut result = Vec::with_capacity(body.result.len() * 2);
        for r in body.result {
            match self.array(r) {
                Some(v) => {
                    let shared = entry && self.maybe_global.contains(&self.place(v).block);
                    let v = if shared { self.copy(v) } else { self.dense_array(v) };
                    result.push(self.place(v).block.into());
                    result.push(v.into());
                }
                None => result.push(r),
            }
        }
        Body { stms: self.b.end(), result }
    }

    /// Blocks before the arrays of a pattern whose arrays are dense.
    fn result_pattern(&mut self, pat: &[PatElem]) -> Vec<PatElem> {
        let mut out = Vec::with_capacity(pat.len() * 2);
        for p in pat {
            let mut p = p.clone();
            self.know(p.var, p.ty.clone());
            if p.ty.rank() > 0 {
                let block = self.block_param(p.var);
                let place = dense(block.var, p.ty.shape());
                out.push(PatElem { var: block.var, ty: block.ty, mem: None });
                p.mem = Some(self.put(p.var, place));
            }
            out.push(p);
        }
        out
    }

    // Knowledge.

    pub(super) fn know(&mut self, v: Var, ty: Type) {
        self.b.types.insert(v, ty);
        self.depths.insert(v, self.depth);
    }

    pub(super) fn put(&mut self, v: Var, place: MemBind) -> MemBind {
        self.places.insert(v, place.clone());
        place
    }

    /// A parameter for the block of `array`.
    pub(super) fn block_param(&mut self, array: Var) -> Param {
        let base = format!("{}_mem", array.base);
        let ty = Type::Mem(self.space);
        let var = self.b.names.fresh(&base);
        self.know(var, ty.clone());
        Param { var, ty, unique: false, mem: None }
    }

    /// The operand, if it is a block.
    fn block(&self, x: SubExp) -> Option<Var> {
        x.var().filter(|v| matches!(self.b.types.get(v), Some(Type::Mem(_))))
    }

    /// Whether a block may be one of `others`, perhaps under another name.
    pub(super) fn may_be_one_of(&self, block: Var, others: &VarSet) -> bool {
        let mut seen = VarSet::default();
        let mut todo = vec![block];
        while let Some(v) = todo.pop() {
            if others.contains(&v) {
                return true;
            }
            if seen.insert(v) {
                todo.extend(self.may_be.get(&v).into_iter().flatten());
            }
        }
        false
    }

    /// The operand, if it is an array.
    pub(super) fn array(&self, x: SubExp) -> Option<Var> {
        match x {
            SubExp::Var(v) if self.places.contains_key(&v) => Some(v),
            SubExp::Var(_) | SubExp::Const(_) => None,
        }
    }

    /// Where `v` lies. Every array in scope has a place; for anything else, one that does no harm.
    pub(super) fn place(&self, v: Var) -> MemBind {
        match self.places.get(&v) {
            Some(m) => m.clone(),
            None => dense(v, self.b.ty(v.into()).shape()),
        }
    }

    /// Bound in no body deeper than the current one?
    pub(super) fn visible(&self, x: SubExp) -> bool {
        match x {
            SubExp::Var(v) => self.depths.get(&v).is_none_or(|d| *d <= self.depth),
            SubExp::Const(_) => true,
        }
    }

    pub(super) fn place_visible(&self, m: &MemBind) -> bool {
        let sizes = |s: &Size64| s.leaves().into_iter().all(|x| self.visible(x));
        self.visible(m.block.into())
            && sizes(&m.lmad.offset)
            && m.lmad.dims.iter().all(|d| sizes(&d.stride))
    }

    pub(super) fn same_place(&self, a: &MemBind, b: &MemBind) -> bool {
        a.block == b.block && a.lmad.same_place(&b.lmad, &self.defs)
    }

    // Emission. The position and certificates of the current statement are ambient.

    pub(super) fn bind(&mut self, pat: Vec<PatElem>, exp: Exp, attrs: Vec<StmAttr>) {
        for p in &pat {
            self.depths.insert(p.var, self.depth);
            if let Some(m) = &p.mem {
                self.places.insert(p.var, m.clone());
            }
        }
        // An allocation relies on nothing: of a size that wraps it fails, of a negative one it is empty.
        let certs = match exp {
            Exp::Alloc { .. } => Vec::new(),
            _ => self.b.certs.clone(),
        };
        let stm = Stm { schedule: None, pat, exp, certs, attrs, loc: self.b.loc };
        self.b.push(stm);
    }

    /// A fresh block for an array of this type that is called like `v`, and the place there.
    pub(super) fn alloc(&mut self, v: Var, ty: &Type) -> MemBind {
        let elem = ty.elem().unwrap_or(Prim::Bool);
        let block = self.block_param(v).var;
        let bytes = Size64::bytes(elem, ty.shape());
        let pat = PatElem { var: block, ty: Type::Mem(self.space), mem: None };
        self.bind(vec![pat], Exp::Alloc { bytes, space: self.space }, Vec::new());
        dense(block, ty.shape())
    }

    /// A copy in a block of its own.
    pub(super) fn copy(&mut self, v: Var) -> Var {
        let ty = self.b.ty(v.into());
        let place = self.alloc(v, &ty);
        self.copy_to(v, place)
    }

    pub(super) fn copy_to(&mut self, v: Var, place: MemBind) -> Var {
        let ty = self.b.ty(v.into());
        let w = self.b.names.like(v);
        self.know(w, ty.clone());
        self.bind(vec![PatElem { var: w, ty, mem: Some(place) }], Exp::Copy(v), Vec::new());
        w
    }

    /// The array, or a copy of it that is dense from the start of its block.
    pub(super) fn dense_array(&mut self, v: Var) -> Var {
        if self.place(v).lmad.is_row_major(&self.defs) { v } else { self.copy(v) }
    }

    /// The size as an operand.
    pub(super) fn materialise(&mut self, s: &Size64) -> SubExp {
        let x = self.b.size64(s);
        if let SubExp::Var(v) = x {
            self.depths.entry(v).or_insert(self.depth);
        }
        x
    }

    /// Runs `f` one body deeper, where what is ambient here does not reach; what it emits.
    pub(super) fn deeper<T>(&mut self, f: impl FnOnce(&mut Explicit) -> T) -> (Vec<Stm>, T) {
        let loc = self.b.loc;
        let certs = std::mem::take(&mut self.b.certs);
        self.b.begin();
        let out = self.in_body(f);
        let stms = self.b.end();
        self.b.certs = certs;
        self.b.loc = loc;
        (stms, out)
    }

    /// Runs `f` as if inside the next body, emitting nothing.
    pub(super) fn in_body<T>(&mut self, f: impl FnOnce(&mut Explicit) -> T) -> T {
        self.depth += 1;
        let out = f(self);
        self.depth -= 1;
        out
    }

    // Statements.

    pub(super) fn stms(&mut self, stms: Vec<Stm>) {
        for s in stms {
            let loc = std::mem::replace(&mut self.b.loc, s.loc);
            let certs = std::mem::replace(&mut self.b.certs, s.certs);
            self.stm(s.pat, s.exp, s.attrs);
            self.b.certs = certs;
            self.b.loc = loc;
        }
    }

    fn stm(&mut self, mut pat: Vec<PatElem>, exp: Exp, attrs: Vec<StmAttr>) {
        match exp {
            Exp::SubExp(x) | Exp::Opaque(x) | Exp::Trace(x) => {
                if let Some(v) = self.array(x) {
                    let place = self.place(v);
                    self.view(pat, exp, attrs, place.block, &place.lmad);
                } else {
                    self.defs.learn(&pat, &exp);
                    self.bind(pat, exp, attrs);
                }
            }
            Exp::BinOp(..) => {
                self.defs.learn(&pat, &exp);
                self.bind(pat, exp, attrs);
            }
            Exp::UnOp(..)
            | Exp::CmpOp(..)
            | Exp::ConvOp(..)
            | Exp::Math(..)
            | Exp::Assert { .. }
            | Exp::Alloc { .. }
            | Exp::Retain(_)
            | Exp::Release(_)
            | Exp::Prefix { .. }
            | Exp::Workers
            | Exp::Soac(_) => self.bind(pat, exp, attrs),
            Exp::Index { array, ref dims } => {
                let place = self.place(array);
                let lmad = place.lmad.slice(dims);
                self.view(pat, exp, attrs, place.block, &lmad);
            }
            Exp::FlatIndex { array, offset, ref dims } => {
                let place = self.place(array);
                let lmad = place.lmad.flat_index(offset, dims);
                self.view(pat, exp, attrs, place.block, &lmad);
            }
            Exp::Rearrange { array, ref perm } => {
                let place = self.place(array);
                let lmad = place.lmad.permute(perm);
                self.view(pat, exp, attrs, place.block, &lmad);
            }
            Exp::Reshape { array, shape } => {
                let place = self.place(array);
                let (array, block, lmad) = match place.lmad.reshape(&shape, &self.defs) {
                    Some(lmad) => (array, place.block, lmad),
                    None => {
                        let array = self.copy(array);
                        (array, self.place(array).block, Lmad::row_major(&shape))
                    }
                };
                self.view(pat, Exp::Reshape { array, shape }, attrs, block, &lmad);
            }
            Exp::Update { array, dims, value } => {
                let place = self.place(array);
                let target = MemBind { block: place.block, lmad: place.lmad.slice(&dims) };
                let value = match self.array(value) {
                    Some(v) => self.apart(v, &target).into(),
                    None => value,
                };
                let exp = Exp::Update { array, dims, value };
                self.view(pat, exp, attrs, place.block, &place.lmad);
            }
            Exp::FlatUpdate { array, offset, dims, value } => {
                let place = self.place(array);
                let lmad = place.lmad.flat_index(offset, &dims);
                let value = self.apart(value, &MemBind { block: place.block, lmad });
                let exp = Exp::FlatUpdate { array, offset, dims, value };
                self.view(pat, exp, attrs, place.block, &place.lmad);
            }
            Exp::ArrayLit { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_) => {
                for p in &mut pat {
                    if p.ty.rank() > 0 {
                        p.mem = Some(self.alloc(p.var, &p.ty));
                    }
                }
                self.bind(pat, exp, attrs);
            }
            Exp::Call { fun, args } => {
                let args = self.args(args);
                let pat = self.result_pattern(&pat);
                let globals =
                    !self.maybe_global.is_empty() || self.others_see_globals.contains(&fun);
                let given: Vec<Var> = args.iter().filter_map(|x| self.block(*x)).collect();
                for p in pat.iter().filter(|p| matches!(p.ty, Type::Mem(_))) {
                    if globals {
                        self.maybe_global.insert(p.var);
                    }
                    self.may_be.insert(p.var, given.clone());
                }
                self.bind(pat, Exp::Call { fun, args }, attrs);
            }
            Exp::Match { scrutinee, cases, default } => {
                self.match_(pat, scrutinee, cases, default, attrs);
            }
            Exp::Loop { params, init, form, body } => {
                self.loop_(pat, params, init, form, body, attrs);
            }
            Exp::Seg(op) => self.seg(pat, op, attrs),
        }
    }

    /// Binds arrays that lie where they are told, under the sizes of the pattern.
    fn view(
        &mut self,
        mut pat: Vec<PatElem>,
        exp: Exp,
        attrs: Vec<StmAttr>,
        block: Var,
        lmad: &Lmad,
    ) {
        for p in &mut pat {
            if p.ty.rank() > 0 {
                p.mem = Some(MemBind { block, lmad: with_shape(lmad, p.ty.shape()) });
            }
        }
        self.bind(pat, exp, attrs);
    }

    /// The array, or a copy of it if it may overlap `target` in any other way than being there.
    fn apart(&mut self, v: Var, target: &MemBind) -> Var {
        let place = self.place(v);
        if place.block != target.block || self.same_place(&place, target) {
            v
        } else {
            self.copy(v)
        }
    }

    /// Arguments with the blocks of arrays before them, made dense.
    fn args(&mut self, xs: Vec<SubExp>) -> Vec<SubExp> {
        let mut out = Vec::with_capacity(xs.len() * 2);
        for x in xs {
            match self.array(x) {
                Some(v) => {
                    let v = self.dense_array(v);
                    out.push(self.place(v).block.into());
                    out.push(v.into());
                }
                None => out.push(x),
            }
        }
        out
    }
}

/// Row-major from the start of the block.
pub(super) fn dense(block: Var, shape: &[SubExp]) -> MemBind {
    MemBind { block, lmad: Lmad::row_major(shape) }
}

/// The same strides under the names that a type gives the sizes.
pub(super) fn with_shape(lmad: &Lmad, shape: &[SubExp]) -> Lmad {
    Lmad {
        offset: lmad.offset.clone(),
        dims: lmad
            .dims
            .iter()
            .zip(shape)
            .map(|(d, n)| LmadDim { n: *n, stride: d.stride.clone() })
            .collect(),
    }
}
