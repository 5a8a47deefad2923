//! Cuts operations of the host into tasks, which the CPU's threads share.
//!
//! ```text
//! let ys @ b → {0; (n, 1)} =              let ys @ b → {0; (n, 1)} = scratch
//!   segmap seq (i < n) { … }        →     let () = segmap tasks (t < tasks) {
//!                                           lo = t · size;  len = min(size, n − lo)
//!                                           let part @ b → {lo; (len, 1)} =
//!                                             segmap seq (k < len) { i = k + lo … }
//!                                         }
//! ```
//!
//! Each task is the operation over a range of one of its independent dimensions, which writes its part of
//! the result where that lies; all that follows in the pipeline makes of it what it would make of the
//! whole. How many tasks there may be is computed before, from the sizes and an estimate of the work alone; where it makes a
//! difference to the result's bits, so many there are, for any number of threads. Where it makes none, one thread
//! alone makes one task, and where all points take the same time there are few for each thread: parts are as long as
//! may be. Where there is little to do, there is one task, which the thread that comes by runs itself.
//!
//! Of two dimensions, which one is cut is chosen when the program runs: the outermost one if it has enough points
//! for all tasks, else the one inside. A dimension of a few points, as is known, is left whole. Of bodies that may fail, the outermost one is cut, so that the first task that
//! fails has the first point that does; and of those that compare their index, whose inner ranges are split later.
//! What is to be strip-mined later ([`strip`]) is cut between strips. Products of matrices are cut both ways ([`product`]).
//!
//! Chunks that were made of something else ([`StmAttr::Chunks`]) are a task each.
//! Of few long segments each is a task, and cut again inside of it ([`rows`]). Reductions without segments are cut along what they reduce ([`reduce`]), and what the tasks come to is reduced in
//! order; histograms without segments have destinations for each task ([`hist`]); tasks of scans wait for what those before
//! them come to ([`scan`]); loops that write as scatters do are cut along their rounds ([`scatter_loop`]). Fills and copies of whole arrays are
//! cut in the same way ([`bulk`]), but fills of what loops replace piece by piece ([`pieces`]).
//!
//! Cut are operations that the host comes to, in loops and branches or not, and in functions that nothing
//! but the host calls; what stands inside of other operations runs in their tasks, as histograms of segments do. What says `sequential` is
//! left as it is. At level `mem`, before allocations are moved: tasks
//! have blocks of their own.

mod assembled;
mod bulk;
mod columns;
mod cutter;
mod element_loop;
mod filter;
mod grain;
mod hist;
mod low_bits;
mod pieces;
mod product;
mod reduce;
mod rounds;
mod rows;
mod scan;
mod scan_scatter;
mod scatter_loop;
mod space;
mod sums;
mod versions;
mod view;
mod work;

use crate::analysis::callers::called_by_operations;
use crate::analysis::contraction::contraction;
use crate::analysis::lanes::{Lanes, expected_lanes};
use crate::analysis::places::{Places, reads_along};
use crate::ir::traverse::{Visit, any_exp, walk};
use crate::ir::varmap::VarSet;
use crate::ir::{
    Builder, Const, Defs, Exp, KernelBody, Level, NameSource, Prim, Program, SegKind, SegOp, Stm,
    StmAttr, SubExp, Var,
};
use crate::passes::index_set_splitting::strip;
use crate::passes::mem::interleave::{strip_width, without_blocks};
pub(in crate::passes) use cutter::is_exact;
use cutter::{Cut, Results, over, tasks};
pub(in crate::passes) use grain::Grain;
pub use grain::TASK_PICOSECONDS;
use space::{Independent, Least, RangesOf, Wanted};
pub(in crate::passes) use space::{Range, alone, quotient_up, range_from, tasks_of};
pub(in crate::passes) use work::Estimate;

/// Columns that a task sums at least, and has a multiple of: of fewer, hardware fetches too little ahead from row to
/// row.
const COLUMNS: i64 = 512;

/// Bytes of the longest vectors that processors have.
const LONGEST_VECTOR: i64 = 64;
/// Points that a task has a multiple of, at least, if they go by lanes.
const FEWEST_LANES: i64 = 16;

/// Points of a dimension, of which there are known to be no more, that are left together.
const FEW: i64 = 256;

/// Cuts the operations of a program.
pub fn cut_tasks(program: Program) -> Program {
    cut(program, Grain::Estimated)
}

/// Cuts the operations of a program into as many tasks as there may be, for tests.
pub fn cut_small_tasks(program: Program) -> Program {
    cut(program, Grain::Smallest)
}

fn cut(mut program: Program, grain: Grain) -> Program {
    if program.level != Level::Mem {
        return program;
    }
    let inside = called_by_operations(&program);
    let places = Places::of_program(&program);
    let b = Builder::new(NameSource::new(program.next_tag));
    let defs = Defs::of_program(&program);
    let scratch = scratch_arrays(&program);
    let pieces = pieces::replaced_in_pieces(&program);
    let mut cut = Cut { b, grain, places, defs, scratch, pieces, repeated: false };
    cut.list(&mut program.consts.stms);
    for f in program.funs.iter_mut().filter(|f| !inside.contains(&f.name)) {
        cut.repeated = f.entry.is_none();
        cut.list(&mut f.body.stms);
    }
    program.next_tag = cut.b.names.next_tag();
    program
}

/// Arrays that begin without elements.
fn scratch_arrays(program: &Program) -> VarSet {
    struct Scratch(VarSet);
    impl Visit for Scratch {
        fn stm(&mut self, s: &Stm) {
            if matches!(s.exp, Exp::Scratch { .. }) {
                self.0.extend(s.pat.iter().map(|p| p.var));
            }
            walk::stm(self, s);
        }
    }
    let mut scratch = Scratch(VarSet::default());
    scratch.body(&program.consts);
    program.funs.iter().for_each(|f| Visit::fun(&mut scratch, f));
    scratch.0
}

/// Whether all reductions of an operation are associative to the last bit. If not, sizes alone decide where it is cut: few points at
/// the end of a range may be reduced in another order than lanes reduce theirs.
fn has_exact_reductions(s: &Stm) -> bool {
    let inexact = |e: &Exp| match e {
        Exp::Seg(op) => !op.kind.reductions().iter().all(|r| is_exact(&r.op)),
        _ => false,
    };
    !any_exp(|v| v.stm(s), inexact)
}

/// Whether a body compares or divides at its top level, which are the questions that index sets are split by, or may
/// fail.
fn asks_of_indexes(body: &KernelBody) -> bool {
    let asks = |s: &Stm| match &s.exp {
        Exp::BinOp(op, ..) => op.is_partial() || op.is_extreme(),
        Exp::CmpOp(..) | Exp::Match { .. } => true,
        _ => false,
    };
    let fails = any_exp(
        |v| v.kernel_body(body),
        |e| matches!(e, Exp::Assert { .. } | Exp::Call { .. } | Exp::Alloc { .. }),
    );
    fails || body.stms.iter().any(asks)
}

impl Cut {
    /// A list of statements that the host runs.
    fn list(&mut self, stms: &mut Vec<Stm>) {
        let mut out = Vec::with_capacity(stms.len());
        for mut s in std::mem::take(stms) {
            // What is left over by others is a few points.
            let sequential = s.has(StmAttr::Sequential) || s.has(StmAttr::Peeled);
            match &mut s.exp {
                Exp::Match { cases, default, .. } => {
                    cases.iter_mut().for_each(|(_, body)| self.list(&mut body.stms));
                    self.list(&mut default.stms);
                }
                Exp::Loop { .. } if !sequential => {
                    let cut = self.filter(&s).or_else(|| self.scan_scatter(&s));
                    let cut = cut.or_else(|| self.scatter_loop(&s));
                    if let Some(cut) = cut.or_else(|| self.element_loop(&s)) {
                        out.extend(cut);
                        continue;
                    }
                    if let Exp::Loop { body, .. } = &mut s.exp {
                        self.list_that_is(true, &mut body.stms);
                    }
                }
                Exp::Loop { body, .. } => self.list_that_is(true, &mut body.stms),
                Exp::Seg(op) if op.level.is_sequential() && !sequential => {
                    if let Some(cut) = self.operation(&s) {
                        out.extend(cut);
                        continue;
                    }
                }
                Exp::Replicate { .. } | Exp::Iota { .. } | Exp::Copy(_) => {
                    if let Some(cut) = self.bulk(&s) {
                        out.extend(cut);
                        continue;
                    }
                }
                Exp::Concat { .. } | Exp::Update { value: SubExp::Var(_), .. } => {
                    if let Some(cut) = self.assembled(&s) {
                        out.extend(cut);
                        continue;
                    }
                }
                _ => {}
            }
            out.push(s);
        }
        *stms = out;
    }

    /// A list of statements that is repeated, or not.
    fn list_that_is(&mut self, repeated: bool, stms: &mut Vec<Stm>) {
        let outside = std::mem::replace(&mut self.repeated, repeated);
        self.list(stms);
        self.repeated = outside;
    }

    fn operation(&mut self, s: &Stm) -> Option<Vec<Stm>> {
        let Exp::Seg(op) = &s.exp else { return None };
        if s.has(StmAttr::Chunks) {
            return self.chunks(s, op);
        }
        let independent = op.kind.parallel_dims(&op.space);
        match &op.kind {
            SegKind::Hist(ops) if independent == 0 => self.histogram(s, op, ops),
            SegKind::Hist(_) => None,
            SegKind::Red(ops) if independent == 0 => self.reduction(s, op, ops),
            SegKind::Map | SegKind::Red(_) | SegKind::Scan(_) if independent > 0 => {
                self.segments(s, op, independent)
            }
            SegKind::Scan(ops) => self.scan(s, op, ops),
            SegKind::Map | SegKind::Red(_) => None,
        }
    }

    /// A map over chunks of something else: a task for each.
    fn chunks(&mut self, s: &Stm, op: &SegOp) -> Option<Vec<Stm>> {
        let [(point, n)] = *op.space.dims.as_slice() else { return None };
        Some(vec![tasks(s.pat.clone(), point, n, op.body.clone(), s)])
    }

    /// Points of the innermost dimension that a task has a multiple of.
    fn unit(&self, index: Var, estimate: Estimate, body: &KernelBody) -> i64 {
        if self.grain == Grain::Smallest {
            return 1;
        }
        // Neighbours are in one cache line.
        if estimate.is_cheap() {
            return space::LINE;
        }
        unit_of_lanes(expected_lanes(index, &without_blocks(body), true), body)
    }

    /// Points that a task has a multiple of, as they go in strips. Of fewer points than that none do, and each is worth much: any
    /// number may be a task then.
    pub(super) fn unit_of_strips(&mut self, s: &Stm, n: SubExp) -> Option<SubExp> {
        let width = strip_width(s, &self.places, self.b.names.next_tag());
        let width = width.filter(|_| self.grain != Grain::Smallest)?;
        let fits = self.b.le(SubExp::i64(width), n);
        Some(self.b.choose(fits, SubExp::i64(width), SubExp::i64(1)))
    }

    /// Whether a reduction goes down columns, across what lies side by side.
    fn goes_down_columns(&self, op: &SegOp) -> bool {
        matches!(op.kind, SegKind::Red(_))
            && self.places.columns(&op.space, &op.body.stms).is_some()
    }

    /// What a map over two dimensions reads side by side along the outer one, as transpositions do, if anything.
    fn read_across(&self, op: &SegOp) -> Option<Prim> {
        let read = |s: &Stm| {
            let elem = s.pat.first()?.ty.elem()?;
            let across =
                self.places.unit_dim(&op.space, s) == Some(0) && reads_along(&op.space, s, 1);
            across.then_some(elem)
        };
        let is_map = op.kind == SegKind::Map && op.space.dims.len() == 2;
        let estimated = is_map && self.grain == Grain::Estimated;
        op.body.stms.iter().filter(|_| estimated).find_map(read)
    }

    /// An operation whose outer dimensions are independent of one another.
    fn segments(&mut self, s: &Stm, op: &SegOp, independent: usize) -> Option<Vec<Stm>> {
        let results = Results::of(s, op)?;
        self.b.loc = s.loc;
        self.b.begin();
        if let SegKind::Red(ops) = &op.kind
            && let Some(c) = contraction(&op.space, ops, &op.body)
        {
            let product = self.product(s, op, &c, &results);
            let stms = self.b.end();
            return product.map(|()| stms);
        }
        let down = self.grain != Grain::Smallest && self.goes_down_columns(op);
        let least = match self.read_across(op) {
            _ if down => Least::even(COLUMNS),
            Some(elem) => bulk::across_rows(elem),
            None => Least::one(),
        };
        let exact = has_exact_reductions(s);
        // Passes that look at what a body asks of its innermost index want to see it as it is; and what fails
        // first is to be in the first task that fails.
        let few = |d: usize| op.space.dims.get(d).is_some_and(|(_, n)| is_few(*n));
        let one = asks_of_indexes(&op.body) || few(1);
        let cut = if one { 1 } else { independent.min(2) };
        let estimate = Estimate::of(op, cut, self.grain, &mut self.b);
        let unit = match op.space.dims.get(..cut) {
            _ if down => COLUMNS,
            _ if s.has(StmAttr::Strips) => 1,
            Some([.., (index, _)]) if cut == op.space.dims.len() => {
                self.unit(*index, estimate, &op.body)
            }
            _ => 1,
        };
        let sizes = op.space.dims.iter().take(cut).map(|d| d.1).collect();
        let space = Independent { sizes, innermost: cut == 2 && few(0) };
        let Some(wanted) = space::tasks_of(&space.sizes, estimate, &mut self.b) else {
            self.b.end();
            return None;
        };
        let chunks = |several, cut: &mut Cut| {
            let wanted = Wanted { tasks: wanted, several };
            let wanted = match cut.grain {
                Grain::Estimated if !exact => wanted,
                Grain::Estimated => {
                    let of_worker = is_uniform(&op.body).then_some(space::TASKS_OF_WORKER);
                    space::for_workers(wanted, of_worker, &mut cut.b)
                }
                Grain::Smallest => wanted,
            };
            let strip = strip(op, &cut.defs, &mut cut.b);
            // Segmented reductions go in no strips.
            let is_map = matches!(op.kind, SegKind::Map);
            let strip = strip.or_else(|| {
                space.sizes.first().filter(|_| is_map).and_then(|n| cut.unit_of_strips(s, *n))
            });
            space.chunks(wanted, Least { strip: strip.or(least.strip), ..least }, unit, &mut cut.b)
        };
        self.by_segments(s, op, (&results, estimate), |cut, s, results| {
            if let Some(alone) = cut.pays_version(op, (wanted, estimate)) {
                cut.versions(s, alone, |cut, s| {
                    let chunks = chunks(true, cut)?;
                    let results = results.renamed(&s.pat);
                    let ranges = |t, b: &mut Builder| chunks.ranges(t, b);
                    cut.segments_in_tasks(s, op, (chunks.count, &ranges), &results);
                    Some(s.pat.iter().map(|p| p.var.into()).collect())
                })
            } else {
                let chunks = chunks(false, cut)?;
                let ranges = |t, b: &mut Builder| chunks.ranges(t, b);
                cut.segments_in_tasks(s, op, (chunks.count, &ranges), results);
                Some(())
            }
        })?;
        Some(self.b.end())
    }

    /// Emits so many tasks, and the ranges of outer dimensions that each has.
    fn segments_in_tasks(
        &mut self,
        s: &Stm,
        op: &SegOp,
        (count, ranges_of): (SubExp, RangesOf<'_>),
        results: &Results,
    ) {
        results.declare(s, &mut self.b);
        self.b.begin();
        let t = self.b.names.fresh("task");
        let ranges = ranges_of(t, &mut self.b);
        let part = results.part(&ranges, &mut self.b);
        let exp = Exp::Seg(over(op.clone(), &ranges, &self.places, &mut self.b));
        self.b.push(Stm { pat: part, exp, schedule: None, ..s.clone() });
        let body = KernelBody { stms: self.b.end(), results: Vec::new(), types: Vec::new() };
        self.b.push(tasks(Vec::new(), t, count, body, s));
        results.bind(s, &mut self.b);
    }
}

/// Points that go together, of which a task has a multiple.
fn unit_of_lanes(lanes: Option<Lanes>, body: &KernelBody) -> i64 {
    match lanes {
        // As many as go by lanes together on the machine with the longest vectors: tasks of fewer would go point by
        // point.
        Some(lanes) => {
            lanes.width(body.stms.len(), LONGEST_VECTOR).clamp(FEWEST_LANES, space::LANES)
        }
        None => 1,
    }
}

/// Whether points take about the same time: there are no loops, branches or calls that only some may go into, nor
/// operations inside.
fn is_uniform(body: &KernelBody) -> bool {
    let varies = |s: &Stm| {
        matches!(s.exp, Exp::Loop { .. } | Exp::Match { .. } | Exp::Call { .. } | Exp::Seg(_))
    };
    !body.stms.iter().any(varies)
}

/// Whether a size is known and small: loops over it are unrolled, and a part of it would not be known.
fn is_few(n: SubExp) -> bool {
    matches!(n, SubExp::Const(Const::I64(n)) if n <= FEW)
}
