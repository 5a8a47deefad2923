//! Programs with variables resolved to slots, and last uses found.
//!
//! Bodies are compiled backwards, so that the set of variables live after each statement is at
//! hand: an array operand that is not live afterwards is moved out of its slot, and a slot whose
//! array was read for the last time is cleared. What a loop or lambda takes from outside is live
//! throughout, since it runs again.

use super::error::RunError;
use super::limits::WORKERS;
use crate::ir::traverse::{Visit, free_in, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::*;
use futc_typed::name::Name;
use std::collections::HashMap;

pub(super) type Slot = u32;

/// An operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Opd {
    Slot(Slot),
    /// Last use: the slot is left empty.
    Move(Slot),
    Global(u32),
    Const(Const),
}

pub(super) struct Body_ {
    pub stms: Vec<Stm_>,
    pub result: Vec<Opd>,
}

pub(super) struct Stm_ {
    pub pat: Vec<Slot>,
    pub op: Op,
    /// To be cleared afterwards.
    pub kills: Vec<Slot>,
    pub loc: Option<Loc>,
}

pub(super) enum Dim {
    Fix(Opd),
    Slice(Opd, Opd, Opd),
}

/// An element type and shape.
pub(super) struct Row {
    pub elem: Prim,
    pub dims: Vec<Opd>,
}

pub(super) struct Lambda_ {
    pub params: Vec<Slot>,
    pub body: Body_,
    pub ret: Vec<Row>,
    /// All it does is to yield its results.
    pub pure: bool,
    /// Whatever it does besides, it does for the same arguments alike, and once is as good as twice.
    pub repeats: bool,
}

pub(super) struct Reduction_ {
    pub op: Lambda_,
    pub neutral: Vec<Opd>,
}

pub(super) struct HistOp_ {
    pub shape: Vec<Opd>,
    pub dests: Vec<Opd>,
    pub op: Reduction_,
}

pub(super) enum Form {
    For { var: Slot, ty: IntType, bound: Opd },
    While { cond: Slot },
}

pub(super) enum Msg {
    Text(String),
    Value(Opd, futc_typed::prim::PrimType),
}

pub(super) enum SegKind {
    Map,
    Red(Vec<Reduction_>),
    Scan(Vec<Reduction_>),
    Hist(Vec<HistOp_>),
}

pub(super) enum SegResult {
    Return(Opd, Row),
    /// The destination is the operand of the same number in [`Op::Seg::dests`].
    Write(Vec<(Vec<Opd>, Opd)>),
}

pub(super) enum Op {
    /// A block: nothing at all.
    Unit,
    Copy(Opd),
    Un(UnOp, Opd),
    Bin(BinOp, Opd, Opd),
    Cmp(CmpOp, Opd, Opd),
    Conv(ConvOp, Opd),
    Math(MathFn, Prim, Vec<Opd>),
    Lit {
        elems: Vec<Opd>,
        row: Row,
    },
    Element {
        array: Opd,
        at: Vec<Opd>,
    },
    Slice {
        array: Opd,
        dims: Vec<Dim>,
    },
    Update {
        array: Opd,
        dims: Vec<Dim>,
        value: Opd,
    },
    FlatIndex {
        array: Opd,
        offset: Opd,
        dims: Vec<(Opd, Opd)>,
    },
    FlatUpdate {
        array: Opd,
        offset: Opd,
        dims: Vec<(Opd, Opd)>,
        value: Opd,
    },
    Iota {
        n: Opd,
        start: Opd,
        stride: Opd,
        ty: IntType,
    },
    Replicate {
        shape: Vec<Opd>,
        value: Opd,
    },
    Scratch(Row),
    Reshape {
        array: Opd,
        shape: Vec<Opd>,
    },
    Rearrange {
        array: Opd,
        perm: Vec<usize>,
    },
    Concat {
        dim: usize,
        arrays: Vec<Opd>,
    },
    Fresh(Opd),
    Trace(Opd),
    Assert {
        cond: Opd,
        msg: Vec<Msg>,
    },
    Match {
        scrutinee: Opd,
        cases: Vec<(u64, Body_)>,
        default: Body_,
    },
    Loop {
        params: Vec<Slot>,
        init: Vec<Opd>,
        form: Form,
        body: Body_,
    },
    Call {
        fun: usize,
        args: Vec<Opd>,
    },
    Screma {
        width: Opd,
        inputs: Vec<Opd>,
        lambda: Lambda_,
        scans: Vec<Reduction_>,
        reduces: Vec<Reduction_>,
    },
    Hist {
        width: Opd,
        inputs: Vec<Opd>,
        ops: Vec<HistOp_>,
        lambda: Lambda_,
    },
    Scatter {
        width: Opd,
        inputs: Vec<Opd>,
        dests: Vec<(usize, Opd)>,
        lambda: Lambda_,
    },
    Seg {
        kind: SegKind,
        dims: Vec<(Slot, Opd)>,
        stms: Vec<Stm_>,
        results: Vec<SegResult>,
        dests: Vec<Opd>,
    },
}

pub(super) struct Fun_ {
    pub name: Name,
    /// None for parameters that are blocks: callers give nothing for them from outside.
    pub params: Vec<Slot>,
    pub slots: usize,
    pub body: Body_,
}

pub(super) struct Code {
    pub consts: Fun_,
    pub funs: Vec<Fun_>,
}

impl Code {
    pub(super) fn compile(p: &Program, funs: &HashMap<Name, usize>) -> Result<Code, RunError> {
        let mut c = Compiler {
            funs,
            globals: VarMap::default(),
            slots: VarMap::default(),
            arrays: VarSet::default(),
            live: VarSet::default(),
            log: Vec::new(),
            kills: Vec::new(),
            unknown: None,
        };
        c.body_arrays(|v| v.body(&p.consts));
        let body = c.body(&p.consts);
        let consts =
            Fun_ { name: Name::new("constants"), params: Vec::new(), slots: c.slots.len(), body };
        c.globals = p.globals.iter().enumerate().map(|(i, g)| (g.var, i as u32)).collect();
        let mut compiled = Vec::with_capacity(p.funs.len());
        for f in &p.funs {
            compiled.push(c.fun(f));
        }
        match c.unknown {
            Some(f) => Err(RunError::bug(format!("call of {f}, which does not exist"))),
            None => Ok(Code { consts, funs: compiled }),
        }
    }
}

struct Compiler<'f> {
    funs: &'f HashMap<Name, usize>,
    globals: VarMap<u32>,
    slots: VarMap<Slot>,
    arrays: VarSet,
    /// Arrays live after the point where compilation is.
    live: VarSet,
    /// What entered `live`, in order.
    log: Vec<Var>,
    kills: Vec<Slot>,
    unknown: Option<Name>,
}

/// Collects the variables bound to arrays.
struct Arrays<'s>(&'s mut VarSet);

impl Visit for Arrays<'_> {
    fn param(&mut self, p: &Param) {
        if p.ty.rank() > 0 {
            self.0.insert(p.var);
        }
    }

    fn pat_elem(&mut self, p: &PatElem) {
        if p.ty.rank() > 0 {
            self.0.insert(p.var);
        }
    }

    fn stm(&mut self, s: &Stm) {
        walk::stm(self, s);
    }
}

impl Compiler<'_> {
    fn body_arrays(&mut self, f: impl FnOnce(&mut Arrays<'_>)) {
        self.arrays.clear();
        f(&mut Arrays(&mut self.arrays));
    }

    fn fun(&mut self, f: &Fun) -> Fun_ {
        self.slots.clear();
        self.live.clear();
        self.log.clear();
        self.kills.clear();
        self.body_arrays(|v| v.fun(f));
        let body = self.body(&f.body);
        let params = f.params.iter().map(|p| self.slot(p.var)).collect();
        Fun_ { name: f.name, params, slots: self.slots.len(), body }
    }

    fn slot(&mut self, v: Var) -> Slot {
        let next = self.slots.len() as Slot;
        *self.slots.entry(v).or_insert(next)
    }

    fn becomes_live(&mut self, v: Var) -> bool {
        let new = self.live.insert(v);
        if new {
            self.log.push(v);
        }
        new
    }

    fn define(&mut self, v: Var) -> Slot {
        self.live.remove(&v);
        self.slot(v)
    }

    fn tracked(&self, v: Var) -> bool {
        self.arrays.contains(&v) && !self.globals.contains_key(&v)
    }

    fn plain(&mut self, v: Var) -> Opd {
        match self.globals.get(&v) {
            Some(&i) => Opd::Global(i),
            None => Opd::Slot(self.slot(v)),
        }
    }

    /// An operand that is only read; the last to do so has the slot cleared.
    fn read(&mut self, x: impl Into<SubExp>) -> Opd {
        match x.into() {
            SubExp::Const(c) => Opd::Const(c),
            SubExp::Var(v) => {
                if self.tracked(v) && self.becomes_live(v) {
                    let slot = self.slot(v);
                    self.kills.push(slot);
                }
                self.plain(v)
            }
        }
    }

    /// An operand that is passed on.
    fn take(&mut self, x: impl Into<SubExp>) -> Opd {
        match x.into() {
            SubExp::Const(c) => Opd::Const(c),
            SubExp::Var(v) if self.tracked(v) && self.becomes_live(v) => Opd::Move(self.slot(v)),
            SubExp::Var(v) => self.plain(v),
        }
    }

    fn reads(&mut self, xs: &[SubExp]) -> Vec<Opd> {
        xs.iter().map(|&x| self.read(x)).collect()
    }

    fn read_vars(&mut self, xs: &[Var]) -> Vec<Opd> {
        xs.iter().map(|&x| self.read(x)).collect()
    }

    /// The last of equal operands is the one that moves.
    fn takes(&mut self, xs: &[SubExp]) -> Vec<Opd> {
        let mut out: Vec<Opd> = xs.iter().rev().map(|&x| self.take(x)).collect();
        out.reverse();
        out
    }

    fn row(&mut self, ty: &Type) -> Row {
        Row { elem: ty.elem().unwrap_or(Prim::Bool), dims: self.reads(ty.shape()) }
    }

    fn body(&mut self, b: &Body) -> Body_ {
        let result = self.takes(&b.result);
        Body_ { stms: self.stms(&b.stms), result }
    }

    fn stms(&mut self, stms: &[Stm]) -> Vec<Stm_> {
        let mut out: Vec<Stm_> = stms.iter().rev().map(|s| self.stm(s)).collect();
        out.reverse();
        out
    }

    fn stm(&mut self, s: &Stm) -> Stm_ {
        let outer = std::mem::take(&mut self.kills);
        let mut pat = Vec::with_capacity(s.pat.len());
        for p in &s.pat {
            if self.tracked(p.var) && !self.live.contains(&p.var) {
                let slot = self.slot(p.var);
                self.kills.push(slot);
            }
            pat.push(self.define(p.var));
        }
        let op = self.exp(&s.exp);
        let kills = std::mem::replace(&mut self.kills, outer);
        Stm_ { pat, op, kills, loc: s.loc }
    }

    /// What repeated code takes from outside stays live while it runs.
    fn pin(&mut self, f: impl FnOnce(&mut dyn Visit)) {
        for v in free_in(f) {
            self.read(v);
        }
    }

    fn lambda(&mut self, l: &Lambda) -> Lambda_ {
        self.pin(|v| v.lambda(l));
        let ret = l.ret.iter().map(|t| self.row(t)).collect();
        let kills = std::mem::take(&mut self.kills);
        let body = self.body(&l.body);
        self.kills = kills;
        let params = l.params.iter().map(|p| self.define(p.var)).collect();
        let effects = l.body.stms.iter().map(Effects::of).fold(Effects::default(), Effects::and);
        let repeats = !effects.pinned;
        let pure = repeats && !effects.fails && !effects.diverges;
        Lambda_ { params, body, ret, pure, repeats }
    }

    fn reduction(&mut self, r: &Reduction) -> Reduction_ {
        Reduction_ { op: self.lambda(&r.op), neutral: self.reads(&r.neutral) }
    }

    fn reductions(&mut self, rs: &[Reduction]) -> Vec<Reduction_> {
        rs.iter().map(|r| self.reduction(r)).collect()
    }

    fn hist_ops(&mut self, ops: &[HistOp]) -> Vec<HistOp_> {
        ops.iter()
            .map(|h| HistOp_ {
                op: self.reduction(&h.op),
                shape: self.reads(&h.shape),
                dests: h.dests.iter().map(|&d| self.take(d)).collect(),
            })
            .collect()
    }

    fn dims(&mut self, dims: &[DimIndex]) -> Vec<Dim> {
        dims.iter()
            .map(|d| match d {
                DimIndex::Fix(i) => Dim::Fix(self.read(*i)),
                DimIndex::Slice { start, n, stride } => {
                    Dim::Slice(self.read(*start), self.read(*n), self.read(*stride))
                }
            })
            .collect()
    }

    fn pairs(&mut self, dims: &[(SubExp, SubExp)]) -> Vec<(Opd, Opd)> {
        dims.iter().map(|d| (self.read(d.0), self.read(d.1))).collect()
    }

    fn exp(&mut self, e: &Exp) -> Op {
        match e {
            Exp::SubExp(x) | Exp::Opaque(x) => Op::Copy(self.take(*x)),
            Exp::UnOp(op, x) => Op::Un(*op, self.read(*x)),
            Exp::BinOp(op, x, y) => Op::Bin(*op, self.read(*x), self.read(*y)),
            Exp::CmpOp(op, x, y) => Op::Cmp(*op, self.read(*x), self.read(*y)),
            Exp::ConvOp(op, x) => Op::Conv(*op, self.read(*x)),
            Exp::Math(f, t, xs) => Op::Math(*f, *t, self.reads(xs)),
            Exp::ArrayLit { elems, row } => {
                Op::Lit { elems: self.reads(elems), row: self.row(row) }
            }
            Exp::Index { array, dims } => {
                let fixed: Option<Vec<SubExp>> = dims
                    .iter()
                    .map(|d| match d {
                        DimIndex::Fix(i) => Some(*i),
                        DimIndex::Slice { .. } => None,
                    })
                    .collect();
                match fixed {
                    Some(at) => Op::Element { array: self.read(*array), at: self.reads(&at) },
                    None => Op::Slice { array: self.take(*array), dims: self.dims(dims) },
                }
            }
            Exp::Update { array, dims, value } => Op::Update {
                array: self.take(*array),
                dims: self.dims(dims),
                value: self.read(*value),
            },
            Exp::FlatIndex { array, offset, dims } => Op::FlatIndex {
                array: self.take(*array),
                offset: self.read(*offset),
                dims: self.pairs(dims),
            },
            Exp::FlatUpdate { array, offset, dims, value } => Op::FlatUpdate {
                array: self.take(*array),
                offset: self.read(*offset),
                dims: self.pairs(dims),
                value: self.read(*value),
            },
            Exp::Iota { n, start, stride, ty } => Op::Iota {
                n: self.read(*n),
                start: self.read(*start),
                stride: self.read(*stride),
                ty: *ty,
            },
            Exp::Replicate { shape, value } => {
                Op::Replicate { shape: self.reads(shape), value: self.read(*value) }
            }
            Exp::Scratch { elem, shape } => {
                Op::Scratch(Row { elem: *elem, dims: self.reads(shape) })
            }
            Exp::Reshape { array, shape } => {
                Op::Reshape { array: self.take(*array), shape: self.reads(shape) }
            }
            Exp::Rearrange { array, perm } => {
                Op::Rearrange { array: self.take(*array), perm: perm.clone() }
            }
            Exp::Concat { dim, arrays, size: _ } => {
                Op::Concat { dim: *dim, arrays: self.read_vars(arrays) }
            }
            Exp::Copy(x) => Op::Fresh(self.take(*x)),
            Exp::Trace(x) => Op::Trace(self.take(*x)),
            Exp::Assert { kind: _, cond, msg } => Op::Assert {
                cond: self.read(*cond),
                msg: msg
                    .iter()
                    .map(|m| match m {
                        MsgPart::Text(s) => Msg::Text(s.clone()),
                        MsgPart::Value(x, t) => Msg::Value(self.read(*x), *t),
                    })
                    .collect(),
            },
            Exp::Match { scrutinee, cases, default } => {
                let mut branches = Vec::with_capacity(cases.len());
                let mut used = Vec::new();
                for (c, b) in cases {
                    branches.push((c.bits(), self.branch(b, &mut used)));
                }
                let default = self.branch(default, &mut used);
                // A branch that does not use what another uses last leaves it to be cleared here.
                for v in used {
                    self.read(v);
                }
                Op::Match { scrutinee: self.read(*scrutinee), cases: branches, default }
            }
            Exp::Loop { params, init, form, body } => {
                // Without the initial values, which are not needed again.
                self.pin(|v| {
                    for p in params {
                        v.param(p);
                    }
                    if let LoopForm::For { var, .. } = form {
                        v.bind(var);
                    }
                    v.body(body);
                });
                let kills = std::mem::take(&mut self.kills);
                let code = self.body(body);
                self.kills = kills;
                let params = params.iter().map(|p| self.define(p.var)).collect();
                let form = match form {
                    LoopForm::For { var, ty, bound } => {
                        Form::For { var: self.slot(*var), ty: *ty, bound: self.read(*bound) }
                    }
                    LoopForm::While { cond } => Form::While { cond: self.slot(*cond) },
                };
                Op::Loop { params, init: self.takes(init), form, body: code }
            }
            Exp::Call { fun, args } => {
                let index = self.funs.get(fun).copied();
                if index.is_none() {
                    self.unknown = Some(*fun);
                }
                Op::Call { fun: index.unwrap_or(0), args: self.takes(args) }
            }
            Exp::Soac(s) => self.soac(s),
            Exp::Seg(s) => self.seg(s),
            Exp::Workers => Op::Copy(self.take(SubExp::i64(WORKERS))),
            Exp::Prefix { .. } | Exp::Alloc { .. } | Exp::Retain(_) | Exp::Release(_) => Op::Unit,
        }
    }

    /// Compiles a branch, leaving `live` as it was; what the branch would add goes to `used`.
    fn branch(&mut self, b: &Body, used: &mut Vec<Var>) -> Body_ {
        let mark = self.log.len();
        let kills = std::mem::take(&mut self.kills);
        let code = self.body(b);
        self.kills = kills;
        for v in self.log.split_off(mark) {
            if self.live.remove(&v) {
                used.push(v);
            }
        }
        code
    }

    fn soac(&mut self, s: &Soac) -> Op {
        match s {
            Soac::Screma { width, inputs, lambda, scans, reduces } => Op::Screma {
                lambda: self.lambda(lambda),
                scans: self.reductions(scans),
                reduces: self.reductions(reduces),
                width: self.read(*width),
                inputs: self.read_vars(inputs),
            },
            Soac::Hist { width, inputs, ops, lambda } => Op::Hist {
                lambda: self.lambda(lambda),
                width: self.read(*width),
                inputs: self.read_vars(inputs),
                ops: self.hist_ops(ops),
            },
            Soac::Scatter { width, inputs, dests, lambda } => Op::Scatter {
                lambda: self.lambda(lambda),
                width: self.read(*width),
                inputs: self.read_vars(inputs),
                dests: dests.iter().map(|(n, d)| (*n, self.take(*d))).collect(),
            },
        }
    }

    fn seg(&mut self, s: &SegOp) -> Op {
        let SegOp { level: _, space, kind, body } = s;
        // The destinations of writes are not needed by the body itself.
        let mut inner = body.clone();
        inner.results.retain(|r| matches!(r, KernelResult::Return(_)));
        self.pin(|v| {
            for (i, _) in &space.dims {
                v.bind(i);
            }
            v.kernel_body(&inner);
            for r in &body.results {
                if let KernelResult::Write { dest: _, writes } = r {
                    for (at, x) in writes {
                        for x in at.iter().chain([x]) {
                            v.subexp(x);
                        }
                    }
                }
            }
        });
        let kind = match kind {
            crate::ir::SegKind::Map => SegKind::Map,
            crate::ir::SegKind::Red(ops) => SegKind::Red(self.reductions(ops)),
            crate::ir::SegKind::Scan(ops) => SegKind::Scan(self.reductions(ops)),
            crate::ir::SegKind::Hist(ops) => SegKind::Hist(self.hist_ops(ops)),
        };
        let mut dests = Vec::new();
        for r in &body.results {
            if let KernelResult::Write { dest, .. } = r {
                dests.push(self.take(*dest));
            }
        }
        let kills = std::mem::take(&mut self.kills);
        // The last of equal results is the one that moves, as in `takes`.
        let mut results: Vec<SegResult> = body
            .results
            .iter()
            .zip(&body.types)
            .rev()
            .map(|(r, t)| match r {
                KernelResult::Return(x) => SegResult::Return(self.take(*x), self.row(t)),
                KernelResult::Write { dest: _, writes } => {
                    let mut writes: Vec<_> = writes
                        .iter()
                        .rev()
                        .map(|(at, x)| (self.reads(at), self.take(*x)))
                        .collect();
                    writes.reverse();
                    SegResult::Write(writes)
                }
            })
            .collect();
        results.reverse();
        let stms = self.stms(&body.stms);
        self.kills = kills;
        let dims = space.dims.iter().map(|(v, n)| (self.slot(*v), self.read(*n))).collect();
        Op::Seg { kind, dims, stms, results, dests }
    }
}
