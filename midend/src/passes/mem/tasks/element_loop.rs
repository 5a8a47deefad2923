//! Loops whose rounds map the same elements, each of them alone, as scans down columns are: a task has a range of the elements, and
//! runs all rounds for them.
//!
//! ```text
//! acc' @ b = loop (acc @ b = acc0) for i < n {     segmap tasks (t < tasks) {
//!   row @ b = segmap seq (j < m) {                   lo = t · size;  len = min(size, m − lo)
//!     … acc[j] … xs[i, j] … }                  →     loop (acc @ b = acc0) for i < n {
//!   in row }                                           row @ b = scratch
//!                                                      part @ b → {lo; (len, 1)} = segmap seq (k < len) {
//!                                                        j = k + lo … }
//!                                                      in row }
//!                                                  }
//!                                                  acc' @ b = acc0
//! ```
//!
//! A round alone would be too short for tasks, or its elements be in the caches of several cores, where the next one wants them.
//!
//! A block that is written must be gone through by columns: whatever is read or written of it at index `j` lies `j` elements behind a
//! multiple of `m`, so that no task sees what another one has written. What fails stays as it is, as the first round that fails is
//! reported.

use super::cutter::{Cut, Results, over, tasks, value_of_tasks};
use super::grain::Grain;
use super::space::{self, Chunks, Independent, Least, Range, Wanted};
use super::versions::Alone;
use super::work::Estimate;
use crate::analysis::bodies::{is_straight, returns};
use crate::analysis::places::{Place, Places};
use crate::ir::traverse::{Binders, Renamer, Rewrite, Visit, any_exp, free_in_stm, walk};
use crate::ir::varmap::VarMap;
use crate::ir::{
    Body, Class, Defs, DimIndex, Exp, KernelBody, KernelResult, Lmad, LoopForm, MemBind,
    NameSource, Param, PatElem, Poly, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

/// Tasks of a thread: of more, each would go through a narrow strip of many rows.
const OF_WORKER: i64 = 2;
/// Elements of a task at most, so that what it goes through again in the next round is in the second cache.
const MOST_ELEMENTS: i64 = 16 << 10;

impl Cut {
    /// A loop over elements in tasks, if it may be worth that.
    pub(super) fn element_loop(&mut self, s: &Stm) -> Option<Vec<Stm>> {
        let Exp::Loop { params, init, form, body } = &s.exp else { return None };
        let LoopForm::For { .. } = form else { return None };
        let in_place = |((p, q), x): ((&Param, &PatElem), &SubExp)| match &p.ty {
            Type::Prim(_) => true,
            Type::Array { .. } => {
                let from = x.var().and_then(|x| self.places.of(x));
                p.mem.is_some() && p.mem == q.mem && p.mem.as_ref() == from.map(|f| &f.mem)
            }
            Type::Cert | Type::Mem(_) => false,
        };
        if !params.iter().zip(&s.pat).zip(init).all(in_place) {
            return None;
        }
        let m = Elements::of(body, s, &self.places, &self.defs)?;
        self.b.loc = s.loc;
        self.b.begin();
        let like = rounds_of_element(form, body, m, &mut self.b.names);
        let estimate = Estimate::of(&like, 1, self.grain, &mut self.b);
        let space = Independent::row(m);
        let Some(wanted) = space::tasks_of(&space.sizes, estimate, &mut self.b) else {
            self.b.end();
            return None;
        };
        let unit = if self.grain == Grain::Smallest { 1 } else { space::LINE };
        let in_tasks = |cut: &mut Cut, s: &Stm, several| {
            let mut wanted = Wanted { tasks: wanted, several };
            if cut.grain == Grain::Estimated {
                wanted = space::for_workers(wanted, Some(OF_WORKER), &mut cut.b);
                let in_cache = cut.b.quot(m, SubExp::i64(MOST_ELEMENTS));
                wanted.tasks = cut.b.max(wanted.tasks, in_cache);
            }
            let chunks =
                space.chunks(wanted, Least::points(SubExp::i64(unit)), unit, &mut cut.b)?;
            cut.element_loop_in_tasks(s, &chunks)
        };
        if self.repeated {
            let single = self.b.le(wanted, SubExp::i64(1));
            self.versions(s, (single, Alone::AnySize), |cut, s| in_tasks(cut, s, true))?;
        } else {
            in_tasks(self, s, false)?;
        }
        Some(self.b.end())
    }

    fn element_loop_in_tasks(&mut self, s: &Stm, chunks: &Chunks) -> Option<Vec<SubExp>> {
        let Exp::Loop { params, init, form, body } = &s.exp else { return None };
        self.b.begin();
        let t = self.b.names.fresh("task");
        let ranges = chunks.ranges(t, &mut self.b);
        let range = *ranges.first()?;
        self.b.begin();
        let made = body.stms.iter().try_for_each(|s| self.over_elements(s, range));
        let body = Body { stms: self.b.end(), result: body.result.clone() };
        if made.is_none() {
            self.b.end();
            return None;
        }
        let (params, form) = (params.clone(), form.clone());
        let mut exp = Exp::Loop { params, init: init.clone(), form, body };
        let b = &mut self.b;
        Renamer::new(&mut b.names).exp(&mut exp);
        let pat = b.renamed(&s.pat);
        b.push(Stm { pat: pat.clone(), exp, schedule: None, ..s.clone() });
        // Scalars are the same in all tasks.
        let scalars: Vec<&PatElem> = pat.iter().filter(|p| p.ty.rank() == 0).collect();
        let results = scalars.iter().map(|p| KernelResult::Return(p.var.into())).collect();
        let types: Vec<Type> = scalars.iter().map(|p| p.ty.clone()).collect();
        let body = KernelBody { stms: b.end(), results, types: types.clone() };
        let rooms =
            types.iter().map(|t| Some(value_of_tasks("scalar", t.elem()?, chunks.count, b)));
        let rooms: Vec<PatElem> = rooms.collect::<Option<_>>()?;
        b.push(tasks(rooms.clone(), t, chunks.count, body, s));
        let mut rooms = rooms.iter();
        let mut result = Vec::with_capacity(s.pat.len());
        for (p, x) in s.pat.iter().zip(init) {
            let exp = match p.ty {
                Type::Prim(_) => {
                    let dims = vec![DimIndex::Fix(SubExp::i64(0))];
                    Exp::Index { array: rooms.next()?.var, dims }
                }
                _ => Exp::SubExp(*x),
            };
            b.push(Stm { loc: s.loc, ..Stm::new(vec![p.clone()], exp) });
            result.push(p.var.into());
        }
        Some(result)
    }

    /// Emits what a statement of a round does to a range of the elements.
    fn over_elements(&mut self, s: &Stm, range: Range) -> Option<()> {
        let (ranges, stride) = ([range], SubExp::i64(1));
        let slice = DimIndex::Slice { start: range.first, n: range.len, stride };
        match &s.exp {
            Exp::Seg(op) => {
                let results = Results::of(s, op)?;
                results.declare(s, &mut self.b);
                let pat = results.part(&ranges, &mut self.b);
                let exp = Exp::Seg(over(op.clone(), &ranges, &self.places, &mut self.b));
                self.b.push(Stm { pat, exp, schedule: None, ..s.clone() });
            }
            Exp::Replicate { .. } | Exp::Copy(_) => {
                let p = s.pat.first()?;
                let exp = Exp::Scratch { elem: p.ty.elem()?, shape: p.ty.shape().to_vec() };
                self.b.push(Stm { loc: s.loc, ..Stm::new(vec![p.clone()], exp) });
                self.bulk_over(s, p, &ranges);
            }
            Exp::Update { array, dims, value: SubExp::Var(value) } => {
                let mem = self.places.of(*value)?.mem.clone();
                let ty = Type::array(s.pat.first()?.ty.elem()?, vec![range.len]);
                let lmad = mem.lmad.slice(std::slice::from_ref(&slice));
                let view = PatElem {
                    var: self.b.names.like(*value),
                    ty,
                    mem: Some(MemBind { block: mem.block, lmad }),
                };
                let part = view.var;
                let exp = Exp::Index { array: *value, dims: vec![slice] };
                self.b.push(Stm::new(vec![view], exp));
                let mut dims = dims.clone();
                *dims.last_mut()? = slice;
                let exp = Exp::Update { array: *array, dims, value: part.into() };
                self.b.push(Stm { exp, ..s.clone() });
            }
            _ => self.b.push(s.clone()),
        }
        Some(())
    }
}

/// As a map over the elements, what all rounds do to one.
fn rounds_of_element(form: &LoopForm, body: &Body, m: SubExp, names: &mut NameSource) -> SegOp {
    let mut stms = Vec::new();
    for s in &body.stms {
        match &s.exp {
            Exp::Seg(op) => stms.extend(op.body.stms.iter().cloned()),
            _ if s.pat.iter().all(|p| p.ty.rank() == 0) => stms.push(s.clone()),
            _ => {}
        }
    }
    let body = Body { stms, result: Vec::new() };
    let exp = Exp::Loop { params: Vec::new(), init: Vec::new(), form: form.clone(), body };
    let space = SegSpace { dims: vec![(names.fresh("j"), m)] };
    let body = KernelBody { stms: vec![Stm::new(Vec::new(), exp)], results: vec![], types: vec![] };
    SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }
}

/// What is known of the elements that a loop goes through.
struct Elements<'a> {
    /// How many there are.
    m: SubExp,
    /// The blocks that are written, and how many bytes their elements have.
    written: VarMap<i64>,
    places: &'a Places,
    defs: &'a Defs,
}

impl Elements<'_> {
    /// How many elements the rounds of a loop go through, if each goes through them one by one.
    fn of(body: &Body, s: &Stm, places: &Places, defs: &Defs) -> Option<SubExp> {
        let m = body.stms.iter().find_map(|s| match &s.exp {
            Exp::Seg(op) => op.space.dims.first().map(|d| d.1),
            _ => None,
        })?;
        let mut bound = Binders::default();
        bound.exp(&s.exp);
        if m.var().is_some_and(|v| bound.0.contains(&v)) {
            return None;
        }
        let mut written = VarMap::default();
        for p in body.stms.iter().filter(|s| s.exp.class() != Class::View).flat_map(|s| &s.pat) {
            let Some(mem) = &p.mem else { continue };
            let bytes = p.ty.elem()?.bytes();
            if *written.entry(mem.block).or_insert(bytes) != bytes {
                return None;
            }
        }
        let all = Elements { m, written, places, defs };
        body.stms.iter().all(|s| all.goes_through(s)).then_some(m)
    }

    /// Whether a statement goes through the elements one by one, or does the same whatever elements there are.
    fn goes_through(&self, s: &Stm) -> bool {
        match &s.exp {
            Exp::Seg(op) => self.maps(s, op),
            Exp::Replicate { shape, .. } => *shape == [self.m] && self.writes(s),
            Exp::Copy(from) => self.is_row(s) && self.writes(s) && self.reads_row(*from),
            Exp::Update { dims, value: SubExp::Var(value), .. } => {
                let Some((DimIndex::Slice { start, n, stride }, at)) = dims.split_last() else {
                    return false;
                };
                let whole = *start == SubExp::i64(0) && *n == self.m && *stride == SubExp::i64(1);
                let fixed = at.iter().all(|d| matches!(d, DimIndex::Fix(_)));
                let place = s.pat.first().and_then(|p| p.mem.as_ref());
                whole
                    && fixed
                    && place.is_some_and(|p| self.is_column_of_row(&p.lmad.slice(dims)))
                    && self.reads_row(*value)
            }
            Exp::Scratch { .. } => true,
            Exp::Reshape { .. } => false,
            exp => {
                let reads = |v: &Var| {
                    self.places.of(*v).is_some_and(|p| self.written.contains_key(&p.mem.block))
                };
                let scalar = matches!(
                    exp.class(),
                    Class::Name | Class::Scalar | Class::Element | Class::View
                );
                let of_arrays = free_in_stm(s).iter().any(reads);
                scalar && !of_arrays && s.certs.is_empty()
            }
        }
    }

    /// Whether an operation maps the elements.
    fn maps(&self, s: &Stm, op: &SegOp) -> bool {
        let SegOp { level, space, kind: SegKind::Map, body } = op else { return false };
        let [(j, m)] = *space.dims.as_slice() else { return false };
        let straight = body.stms.iter().all(is_straight) && returns(body);
        if !level.is_sequential() || m != self.m || !straight || may_fail(body) || !self.writes(s) {
            return false;
        }
        let mut reads = Reads { of: self, j, all: true };
        body.stms.iter().for_each(|s| reads.stm(s));
        reads.all
    }

    /// Whether a statement binds rows of the elements alone, and is one itself.
    fn writes(&self, s: &Stm) -> bool {
        let row = |p: &PatElem| {
            let lmad = p.mem.as_ref().map(|m| &m.lmad);
            p.ty.shape() == [self.m] && lmad.is_some_and(|l| self.is_column_of_row(l))
        };
        s.certs.is_empty() && s.pat.iter().all(row)
    }

    fn is_row(&self, s: &Stm) -> bool {
        s.pat.iter().all(|p| p.ty.shape() == [self.m])
    }

    /// Whether a row may be read element by element.
    fn reads_row(&self, array: Var) -> bool {
        let Some(place) = self.places.of(array) else { return false };
        let lmad = &place.mem.lmad;
        let row = matches!(lmad.dims.as_slice(), [d] if d.n == self.m);
        row && match self.written.get(&place.mem.block) {
            Some(bytes) => *bytes == place.elem.bytes() && self.is_column_of_row(lmad),
            None => true,
        }
    }

    /// Whether element `j` of a row lies in column `j` of its block.
    fn is_column_of_row(&self, lmad: &Lmad) -> bool {
        let [d] = lmad.dims.as_slice() else { return false };
        let one = Poly::of(&d.stride).as_const() == Some(1);
        one && self.is_multiple(&Poly::of(&lmad.offset))
    }

    /// Whether an index is a multiple of the number of elements.
    fn is_multiple(&self, p: &Poly) -> bool {
        let m = Poly::leaf(self.m);
        let by = |p: &Poly, m: &Poly| p.divide(m).is_some_and(|(_, rest)| rest.is_zero());
        p.is_zero() || by(p, &m) || by(&self.defs.expand(p), &self.defs.expand(&m))
    }

    /// Whether what is read at indexes, `j` among them, lies in column `j` of its block.
    fn is_in_column(&self, lmad: &Lmad, dims: &[DimIndex], j: Var) -> bool {
        let mut at = Poly::of(&lmad.offset).sub(&Poly::var(j));
        for (d, index) in lmad.dims.iter().zip(dims) {
            let DimIndex::Fix(x) = index else { return false };
            at = at.add(&Poly::of(&d.stride).mul(&Poly::leaf(*x)));
        }
        self.is_multiple(&at)
    }
}

fn may_fail(body: &KernelBody) -> bool {
    let fails =
        |e: &Exp| matches!(e.class(), Class::Check | Class::Trace) || matches!(e, Exp::Call { .. });
    any_exp(|v| v.kernel_body(body), fails)
}

/// Looks whether a body reads what is written at its own element alone.
struct Reads<'a> {
    of: &'a Elements<'a>,
    j: Var,
    all: bool,
}

impl Visit for Reads<'_> {
    fn pat_elem(&mut self, p: &PatElem) {
        self.all &= p.ty.rank() == 0;
    }

    fn exp(&mut self, e: &Exp) {
        if let Exp::Index { array, dims } = e {
            let place = self.of.places.of(*array);
            let written = |p: &'_ Place| self.of.written.get(&p.mem.block).copied();
            if let Some((place, bytes)) = place.and_then(|p| Some((p, written(p)?))) {
                let in_column = self.of.is_in_column(&place.mem.lmad, dims, self.j);
                self.all &= in_column && place.elem.bytes() == bytes;
            }
            return;
        }
        walk::exp(self, e);
    }

    /// An array that is not read element by element.
    fn var(&mut self, v: &Var) {
        let place = self.of.places.of(*v);
        self.all &= place.is_none_or(|p| !self.of.written.contains_key(&p.mem.block));
    }
}
