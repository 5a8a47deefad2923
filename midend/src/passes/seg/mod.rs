//! From level `soacs` to level `seg`: second-order combinators become segmented operations over
//! explicit index spaces, or loops.
//!
//! Before: `map (\x -> f x) xs`. After: `segmap (i < n) { x = xs[i]; …; return f_x }`.
//!
//! Two passes share the work. [`sequentialise`] makes everything [`SegLevel::Seq`];
//! [`kernels`] gives the outermost map nests and scatters to the device, one thread per point, and
//! sequentialises what is inside a thread. Both are linear in the size of the program and need no
//! renaming: every lambda is used once.
//!
//! What level `seg` may then contain, beside what both levels share:
//!
//! * `SegMap` with collected results of any type. `Write` results at [`SegLevel::Seq`] have scalar
//!   values; at [`SegLevel::Grid`] the values may be rows;
//! * `SegRed` and `SegScan` whose operators work on scalars only, over a one-dimensional space until
//!   [`collapse`] puts the dimensions of maps around it; the results after the operators' are
//!   collected;
//! * `SegHist` over a one-dimensional space with scalar operators;
//! * loops for combinators whose operators work on arrays.
//!
//! Reductions, scans and histograms stay on the host, a heavy map fused into one is split off
//! for the device.

mod collapse;
mod commute_selections;
mod compact;
mod dead_fills;
mod distribute;
mod distribute_columns;
mod distribute_scans;
mod expand_invariants;
mod flattened_histograms;
mod fold;
mod fuse_loops;
mod fuse_scan;
mod fuse_writes;
mod in_turn;
mod interchange;
mod interchange_loops;
mod kernels;
mod narrow;
mod nest;
mod rank_k;
mod reassociate;
mod reduce_last;
mod rematerialise;
mod reorder;
mod shorten_fills;
mod sink;
mod soac;
mod transpose_operands;
mod unflatten;
mod write_in_loops;

pub use collapse::collapse;
pub use commute_selections::commute_selections;
pub use compact::compact;
pub use dead_fills::dead_fills;
pub use distribute::distribute;
pub use distribute_columns::distribute_columns;
pub use distribute_scans::distribute_scans;
pub use expand_invariants::expand_invariants;
pub use flattened_histograms::flattened_histograms;
pub use fuse_loops::fuse_loops;
pub use fuse_scan::fuse_scan;
pub use fuse_writes::fuse_writes;
pub use interchange::interchange;
pub use interchange_loops::interchange_loops;
pub use kernels::kernels;
pub use narrow::narrow;
pub use rank_k::{rank_k_updates, rank_small_k_updates};
pub use reassociate::reassociate;
pub use reduce_last::reduce_last;
pub use rematerialise::rematerialise;
pub use reorder::reorder;
pub use shorten_fills::shorten_fills;
pub use sink::sink;
pub use transpose_operands::transpose_operands;
pub use unflatten::unflatten;
pub use write_in_loops::write_in_loops;

use crate::ir::traverse::for_each_block_mut;
use crate::ir::{
    Body, Builder, Exp, Level, LoopForm, NameSource, Prim, Program, SegLevel, Stm, StmAttr, Type,
};

/// Calls `f` with the lists of statements directly below an expression that the host runs: passes that
/// give a thread arrays of its own leave kernels alone, whose threads have little room.
fn outside_kernels(e: &mut Exp, f: &mut impl FnMut(&mut Vec<Stm>)) {
    if !matches!(e, Exp::Seg(op) if op.level.is_kernel()) {
        for_each_block_mut(e, f);
    }
}

/// Every combinator becomes sequential.
pub fn sequentialise(prog: Program) -> Program {
    lower(prog, false)
}

fn lower(mut prog: Program, device: bool) -> Program {
    let mut lowerer = Lowerer { b: Builder::new(NameSource::new(prog.next_tag)), device };
    prog.consts = lowerer.body(std::mem::take(&mut prog.consts));
    lowerer.b.know_pat(&prog.globals);
    for fun in &mut prog.funs {
        lowerer.b.know_params(&fun.params);
        fun.body = lowerer.body(std::mem::take(&mut fun.body));
    }
    prog.next_tag = lowerer.b.names.next_tag();
    prog.level = Level::Seg;
    prog
}

/// Carries the names, and whether we stand on a host that has a device.
struct Lowerer {
    b: Builder,
    /// Combinators met here may become kernels.
    device: bool,
}

impl Lowerer {
    /// Lowers a body into a list of its own.
    fn body(&mut self, body: Body) -> Body {
        self.b.begin();
        self.stms(body.stms);
        Body { stms: self.b.end(), result: body.result }
    }

    /// Lowers statements into the open list.
    fn stms(&mut self, stms: Vec<Stm>) {
        for stm in stms {
            self.stm(stm);
        }
    }

    /// As [`Lowerer::stms`] for the code of one thread: no kernels in it.
    fn thread_stms(&mut self, stms: Vec<Stm>) {
        let device = std::mem::replace(&mut self.device, false);
        self.stms(stms);
        self.device = device;
    }

    fn stm(&mut self, mut stm: Stm) {
        let sequential = stm.has(StmAttr::Sequential);
        match stm.exp {
            Exp::Soac(soac) => {
                let device = self.device;
                self.device &= !sequential;
                let loc = std::mem::replace(&mut self.b.loc, stm.loc);
                let certs = std::mem::replace(&mut self.b.certs, stm.certs);
                self.soac(stm.pat, soac, &stm.attrs);
                self.b.certs = certs;
                self.b.loc = loc;
                self.device = device;
                return;
            }
            Exp::Match { scrutinee, cases, default } => {
                stm.exp = Exp::Match {
                    scrutinee,
                    cases: cases.into_iter().map(|(c, b)| (c, self.nested(b))).collect(),
                    default: self.nested(default),
                };
            }
            Exp::Loop { params, init, form, body } => {
                self.b.know_params(&params);
                if let LoopForm::For { var, ty, .. } = &form {
                    self.b.types.insert(*var, Type::Prim(Prim::Int(*ty)));
                }
                stm.exp = Exp::Loop { params, init, form, body: self.nested(body) };
            }
            _ => {}
        }
        self.b.push(stm);
    }

    /// A body below a statement: what is ambient at the statement does not reach into it.
    fn nested(&mut self, body: Body) -> Body {
        let loc = self.b.loc.take();
        let certs = std::mem::take(&mut self.b.certs);
        let body = self.body(body);
        self.b.certs = certs;
        self.b.loc = loc;
        body
    }
}

/// The level of what is not given to the device.
const HOST: SegLevel = SegLevel::Seq;
