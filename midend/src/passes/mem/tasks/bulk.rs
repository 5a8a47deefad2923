//! Fills and copies of whole arrays: every task has a range.
//!
//! ```text
//! let ys @ b → {0; (n, 1)} =          let ys @ b → {0; (n, 1)} = scratch
//!   replicate [n] x               →   let () = segmap tasks (t < tasks) {
//!                                       let part @ b → {lo; (len, 1)} = replicate [len] x
//!                                     }
//! ```

use super::cutter::{Cut, tasks};
use super::grain::Grain;
use super::space::{self, Chunks, Independent, Least, Range, Wanted};
use super::versions::Alone;
use super::work::Estimate;
use crate::ir::{
    BinOp, Builder, ConvOp, DimIndex, Exp, IntType, KernelBody, MemBind, PatElem, Poly, Prim, Stm,
    SubExp, Type,
};

/// Bytes side by side that a task reads at least of each row that it goes across: of fewer, lines are read by several tasks.
const ACROSS_BYTES: i64 = 256;
/// Bytes of the sides of squares, of which a task has a multiple: what is left of one goes element by element.
const SQUARE_BYTES: i64 = 64;
/// Rows or columns, known to be no more, that stay together: loops over them are unrolled.
const FEW: i64 = 8;
/// Bytes of an array that may stay in one core's caches until they are written again. What is longer is memory's work, of
/// which several threads do more.
const CACHED: i64 = 4 << 20;

/// What a task has at least of a dimension across the rows of what is read.
pub(super) fn across_rows(elem: Prim) -> Least {
    let points = |bytes: i64| SubExp::i64(bytes / elem.bytes());
    Least { strip: Some(points(SQUARE_BYTES)), ..Least::points(points(ACROSS_BYTES)) }
}

impl Cut {
    /// A fill or copy of an array in tasks, if it may be worth that.
    pub(super) fn bulk(&mut self, s: &Stm) -> Option<Vec<Stm>> {
        let [p] = s.pat.as_slice() else { return None };
        let Type::Array { elem, shape } = &p.ty else { return None };
        let mem = p.mem.as_ref()?;
        if mem.lmad.dims.iter().any(|d| Poly::of(&d.stride).is_zero()) {
            return None;
        }
        let mut least = Least::one();
        let outer = match &s.exp {
            Exp::Replicate { shape: outer, .. } => outer.len(),
            Exp::Iota { .. } => 1,
            Exp::Copy(from) => {
                let from = self.places.of(*from)?;
                if from.mem.block == mem.block {
                    return None;
                }
                let first = from.mem.lmad.dims.first().filter(|_| shape.len() > 1);
                let across = first.is_some_and(|d| Poly::of(&d.stride).as_const() == Some(1));
                if across && self.grain == Grain::Estimated {
                    least = across_rows(*elem);
                }
                shape.len()
            }
            _ => return None,
        };
        let few = |d: usize| matches!(shape.get(d), Some(SubExp::Const(n)) if n.as_int().is_some_and(|n| n <= FEW));
        let outer = if few(1) { outer.min(1) } else { outer };
        let (cut, whole) = shape.split_at_checked(outer)?;
        let b = &mut self.b;
        b.loc = s.loc;
        b.begin();
        let estimate = Estimate::of_elements(whole, self.grain, b);
        let space = Independent { sizes: cut.to_vec(), innermost: outer == 2 && few(0) };
        let unit = if whole.is_empty() && estimate.is_cheap() { space::LINE } else { 1 };
        let Some(wanted) = space::tasks_of(&space.sizes, estimate, b) else {
            b.end();
            return None;
        };
        let is_fill = !matches!(s.exp, Exp::Copy(_));
        let wanted = if is_fill && self.pieces.contains(&p.var) && self.grain == Grain::Estimated {
            let b = &mut self.b;
            let elements = b.product(shape);
            let fits = b.le(elements, SubExp::i64(CACHED / elem.bytes()));
            b.choose(fits, SubExp::i64(1), wanted)
        } else {
            wanted
        };
        let in_tasks = |cut: &mut Cut, s: &Stm, several| {
            let wanted = Wanted { tasks: wanted, several };
            let wanted = match cut.grain {
                Grain::Estimated => {
                    space::for_workers(wanted, Some(space::TASKS_OF_WORKER), &mut cut.b)
                }
                Grain::Smallest => wanted,
            };
            let chunks = space.chunks(wanted, least, unit, &mut cut.b)?;
            cut.bulk_in_tasks(s, *elem, &chunks)
        };
        if self.repeated {
            let single = self.b.le(wanted, SubExp::i64(1));
            self.versions(s, (single, Alone::Little), |cut, s| in_tasks(cut, s, true))?;
        } else {
            in_tasks(self, s, false)?;
        }
        Some(self.b.end())
    }

    fn bulk_in_tasks(&mut self, s: &Stm, elem: Prim, chunks: &Chunks) -> Option<Vec<SubExp>> {
        let p = s.pat.first()?;
        let b = &mut self.b;
        let shape = p.ty.shape().to_vec();
        let exp = Exp::Scratch { elem, shape };
        b.push(Stm { loc: s.loc, ..Stm::new(vec![p.clone()], exp) });
        b.begin();
        let t = b.names.fresh("task");
        let ranges = chunks.ranges(t, b);
        self.bulk_over(s, p, &ranges);
        let b = &mut self.b;
        let body = KernelBody { stms: b.end(), results: Vec::new(), types: Vec::new() };
        b.push(tasks(Vec::new(), t, chunks.count, body, s));
        Some(vec![p.var.into()])
    }

    /// Emits a fill or copy of ranges of the array.
    pub(super) fn bulk_over(&mut self, s: &Stm, p: &PatElem, ranges: &[Range]) {
        let exp = self.over_range(&s.exp, ranges);
        let b = &mut self.b;
        let mut part = p.clone();
        part.var = b.names.like(p.var);
        space::narrow(&mut part, ranges);
        b.push(Stm { pat: vec![part], exp, schedule: None, ..s.clone() });
    }

    /// What fills a range.
    fn over_range(&mut self, exp: &Exp, ranges: &[Range]) -> Exp {
        let mut exp = exp.clone();
        match &mut exp {
            Exp::Replicate { shape, .. } => {
                for (n, range) in shape.iter_mut().zip(ranges) {
                    *n = range.len;
                }
            }
            Exp::Iota { n, start, stride, ty } => {
                if let Some(range) = ranges.first() {
                    *n = range.len;
                    *start = element(*start, *stride, range.first, *ty, &mut self.b);
                }
            }
            Exp::Copy(from) => {
                if let Some(place) = self.places.of(*from) {
                    let dims: Vec<DimIndex> = (place.mem.lmad.dims.iter().enumerate())
                        .map(|(i, d)| match ranges.get(i) {
                            Some(r) => {
                                let stride = SubExp::i64(1);
                                DimIndex::Slice { start: r.first, n: r.len, stride }
                            }
                            None => DimIndex::full(d.n),
                        })
                        .collect();
                    let lmad = place.mem.lmad.slice(&dims);
                    let ty = Type::array(place.elem, lmad.shape());
                    let bind = MemBind { block: place.mem.block, lmad };
                    let view = PatElem::in_mem(self.b.names.like(*from), ty, bind);
                    let array = std::mem::replace(from, view.var);
                    self.b.push(Stm::new(vec![view], Exp::Index { array, dims }));
                }
            }
            _ => {}
        }
        exp
    }
}

/// `start + index · stride` of an integer type, in which it goes round.
fn element(start: SubExp, stride: SubExp, index: SubExp, ty: IntType, b: &mut Builder) -> SubExp {
    let index = if ty == space::I64 { index } else { b.conv(ConvOp::SExt(space::I64, ty), index) };
    let distance = b.binop(BinOp::Mul(ty), index, stride);
    b.binop(BinOp::Add(ty), start, distance)
}
