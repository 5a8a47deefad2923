//! Second-order combinators and segmented operations.

use super::code::{HistOp_, Lambda_, Op, Opd, Reduction_, Row, SegKind, SegResult, Slot};
use super::error::RunError;
use super::exec::{Frame, Machine, Res, out_of_bounds};
use super::value::{Array, Value};
use crate::ir::{Const, Prim};
use std::rc::Rc;

/// An array that grows row by row.
struct Collector {
    elem: Prim,
    shape: Vec<i64>,
    row: Vec<i64>,
    data: Vec<u8>,
}

impl Collector {
    fn new(m: &Machine<'_>, row: &Row, outer: &[i64], frame: &Frame) -> Res<Collector> {
        let row_shape = m.row(row, frame)?;
        let shape: Vec<i64> = outer.iter().chain(&row_shape).copied().collect();
        Ok(Collector { elem: row.elem, data: m.room(row.elem, &shape)?, shape, row: row_shape })
    }

    fn push(&mut self, v: &Value) -> Res<()> {
        if v.shape() != self.row || v.elem() != self.elem {
            return Err(RunError::new(format!(
                "irregular array: a row of type {} where {} of shape {:?} is wanted",
                v.ty(),
                self.elem,
                self.row
            )));
        }
        v.append_to(&mut self.data);
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.row.contains(&0)
    }

    fn finish(self) -> Value {
        Value::Array(Rc::new(Array::dense(self.elem, self.shape, self.data)))
    }
}

/// The state of one scan or reduction.
struct Accumulator<'r> {
    op: &'r Reduction_,
    values: Vec<Value>,
}

impl Machine<'_> {
    fn accumulators<'r>(&self, ops: &'r [Reduction_], frame: &mut Frame) -> Vec<Accumulator<'r>> {
        ops.iter()
            .map(|op| Accumulator {
                op,
                values: op.neutral.iter().map(|x| self.take(*x, frame)).collect(),
            })
            .collect()
    }

    /// Applies a lambda to arguments that are already in its parameters.
    fn apply(&mut self, l: &Lambda_, frame: &mut Frame) -> Res<Vec<Value>> {
        self.stms(&l.body.stms, frame)?;
        Ok(l.body.result.iter().map(|x| self.take(*x, frame)).collect())
    }

    fn accumulate(
        &mut self,
        acc: &mut Accumulator<'_>,
        xs: &mut dyn Iterator<Item = Value>,
        frame: &mut Frame,
    ) -> Res<()> {
        let k = acc.values.len();
        let params = &acc.op.op.params;
        for (p, v) in params.iter().zip(acc.values.drain(..)) {
            frame[*p as usize] = v;
        }
        for (p, v) in params[k..].iter().zip(xs) {
            frame[*p as usize] = v;
        }
        let op = acc.op;
        acc.values = self.apply(&op.op, frame)?;
        Ok(())
    }

    fn rows(&self, inputs: &[Opd], width: i64, frame: &Frame) -> Res<Vec<Rc<Array>>> {
        let arrays: Vec<Rc<Array>> =
            inputs.iter().map(|&x| self.array(x, frame)).collect::<Res<_>>()?;
        for a in &arrays {
            if a.shape()[0] != width {
                return Err(RunError::bug(format!(
                    "an input of {} rows, not {width}",
                    a.shape()[0]
                )));
            }
        }
        Ok(arrays)
    }

    pub(super) fn combinator(&mut self, op: &Op, frame: &mut Frame) -> Res<Vec<Value>> {
        match op {
            Op::Screma { width, inputs, lambda, scans, reduces } => {
                self.screma(*width, inputs, lambda, scans, reduces, frame)
            }
            Op::Hist { width, inputs, ops, lambda } => {
                let width = self.int(*width, frame)?;
                let arrays = self.rows(inputs, width, frame)?;
                let mut dests = self.hist_dests(ops, frame)?;
                for i in 0..width {
                    for (p, a) in lambda.params.iter().zip(&arrays) {
                        frame[*p as usize] = a.outer_row(i);
                    }
                    let results = self.apply(lambda, frame)?;
                    self.hist_step(ops, &[], results, &mut dests, frame)?;
                }
                clear(&lambda.params, frame);
                Ok(dests.into_iter().map(Value::Array).collect())
            }
            Op::Scatter { width, inputs, dests, lambda } => {
                let width = self.int(*width, frame)?;
                let arrays = self.rows(inputs, width, frame)?;
                let mut out: Vec<Rc<Array>> =
                    dests.iter().map(|(_, d)| self.take_array(*d, frame)).collect::<Res<_>>()?;
                let n_index: usize = dests.iter().map(|d| d.0).sum();
                for i in 0..width {
                    for (p, a) in lambda.params.iter().zip(&arrays) {
                        frame[*p as usize] = a.outer_row(i);
                    }
                    let results = self.apply(lambda, frame)?;
                    let (index, values) = results.split_at(n_index.min(results.len()));
                    let mut index = index.iter();
                    for (((rank, _), dest), value) in dests.iter().zip(&mut out).zip(values) {
                        let at = indexes(&mut index, *rank)?;
                        put(dest, &at, value)?;
                    }
                }
                clear(&lambda.params, frame);
                Ok(out.into_iter().map(Value::Array).collect())
            }
            Op::Seg { .. } => self.seg(op, frame),
            _ => Err(RunError::bug("an operation of the wrong kind")),
        }
    }

    fn screma(
        &mut self,
        width: Opd,
        inputs: &[Opd],
        lambda: &Lambda_,
        scans: &[Reduction_],
        reduces: &[Reduction_],
        frame: &mut Frame,
    ) -> Res<Vec<Value>> {
        let width = self.int(width, frame)?;
        let arrays = self.rows(inputs, width, frame)?;
        let n_scan: usize = scans.iter().map(|r| r.neutral.len()).sum();
        let n_red: usize = reduces.iter().map(|r| r.neutral.len()).sum();
        let mut scans = self.accumulators(scans, frame);
        let mut reduces = self.accumulators(reduces, frame);
        // Results of scans, then those of the map.
        let mut out = Vec::with_capacity(lambda.ret.len());
        for (i, row) in lambda.ret.iter().enumerate() {
            if !(n_scan..n_scan + n_red).contains(&i) {
                out.push(Collector::new(self, row, &[width.max(0)], frame)?);
            }
        }
        // However many rows there are: nothing comes of them.
        let nothing = n_scan == 0 && n_red == 0 && out.iter().all(Collector::is_empty);
        let alike =
            || arrays.iter().all(|a| a.shape().get(1..).is_some_and(|row| row.contains(&0)));
        let width = match (nothing, lambda.pure) {
            (true, true) => 0,
            // What fails for one row fails for the first.
            (true, false) if lambda.repeats && alike() => width.min(1),
            _ => width,
        };
        for i in 0..width {
            for (p, a) in lambda.params.iter().zip(&arrays) {
                frame[*p as usize] = a.outer_row(i);
            }
            self.stms(&lambda.body.stms, frame)?;
            if n_scan == 0 && n_red == 0 {
                for (c, x) in out.iter_mut().zip(&lambda.body.result) {
                    let v = self.take(*x, frame);
                    c.push(&v)?;
                }
                continue;
            }
            let results: Vec<Value> =
                lambda.body.result.iter().map(|x| self.take(*x, frame)).collect();
            let mut results = results.into_iter();
            let mut collectors = out.iter_mut();
            for acc in &mut scans {
                self.accumulate(acc, &mut results, frame)?;
                for v in &acc.values {
                    if let Some(c) = collectors.next() {
                        c.push(v)?;
                    }
                }
            }
            for acc in &mut reduces {
                self.accumulate(acc, &mut results, frame)?;
            }
            for (c, v) in collectors.zip(results) {
                c.push(&v)?;
            }
        }
        clear(&lambda.params, frame);
        let mut arrays = out.into_iter().map(Collector::finish);
        let mut results: Vec<Value> = arrays.by_ref().take(n_scan).collect();
        results.extend(reduces.into_iter().flat_map(|a| a.values));
        results.extend(arrays);
        Ok(results)
    }

    fn hist_dests(&mut self, ops: &[HistOp_], frame: &mut Frame) -> Res<Vec<Rc<Array>>> {
        ops.iter().flat_map(|h| &h.dests).map(|d| self.take_array(*d, frame)).collect()
    }

    /// Puts one set of results into the histograms, which have `segment` outside.
    fn hist_step(
        &mut self,
        ops: &[HistOp_],
        segment: &[i64],
        results: Vec<Value>,
        dests: &mut [Rc<Array>],
        frame: &mut Frame,
    ) -> Res<()> {
        let n_index: usize = ops.iter().map(|h| h.shape.len()).sum();
        let (index, values) = results.split_at(n_index.min(results.len()));
        let (mut index, mut values) = (index.iter(), values.iter());
        let mut first = 0;
        for h in ops {
            let k = h.dests.len();
            let mut at = segment.to_vec();
            at.extend(indexes(&mut index, h.shape.len())?);
            let mut new = values.by_ref().take(k).cloned();
            let here = &mut dests[first..first + k];
            first += k;
            let inside = here.iter().all(|d| d.place(&at).is_some());
            if !inside {
                new.by_ref().for_each(drop);
                continue;
            }
            let mut acc = Accumulator { op: &h.op, values: Vec::with_capacity(k) };
            for d in here.iter() {
                // A copy of the row: a view would make the write below copy the whole.
                acc.values.push(match d.row(&at).ok_or_else(out_of_bounds)? {
                    Value::Array(a) => Value::Array(Rc::new(a.copied())),
                    v @ (Value::Unit | Value::Scalar(_)) => v,
                });
            }
            self.accumulate(&mut acc, &mut new, frame)?;
            for (d, v) in here.iter_mut().zip(&acc.values) {
                put(d, &at, v)?;
            }
        }
        Ok(())
    }

    fn seg(&mut self, op: &Op, frame: &mut Frame) -> Res<Vec<Value>> {
        let Op::Seg { kind, dims, stms, results, dests } = op else {
            return Err(RunError::bug("an operation of the wrong kind"));
        };
        let sizes: Vec<i64> =
            dims.iter().map(|d| self.int(d.1, frame).map(|n| n.max(0))).collect::<Res<_>>()?;
        let inner = sizes.last().copied().unwrap_or(1);
        let segments = &sizes[..sizes.len().saturating_sub(1)];
        let n_segments: i64 = segments.iter().product();
        let (ops, reducing): (&[Reduction_], bool) = match kind {
            SegKind::Map | SegKind::Hist(_) => (&[], false),
            SegKind::Red(ops) => (ops, true),
            SegKind::Scan(ops) => (ops, false),
        };
        let n_ops: usize = ops.iter().map(|r| r.neutral.len()).sum();
        let hists: &[HistOp_] = match kind {
            SegKind::Hist(ops) => ops,
            SegKind::Map | SegKind::Red(_) | SegKind::Scan(_) => &[],
        };
        let mut hist_dests = self.hist_dests(hists, frame)?;
        let mut written: Vec<Rc<Array>> =
            dests.iter().map(|d| self.take_array(*d, frame)).collect::<Res<_>>()?;
        let mut out: Vec<Option<Collector>> = Vec::with_capacity(results.len());
        for (i, r) in results.iter().enumerate() {
            out.push(match r {
                SegResult::Return(_, row) if hists.is_empty() => {
                    let outer = if reducing && i < n_ops { segments } else { &sizes };
                    Some(Collector::new(self, row, outer, frame)?)
                }
                SegResult::Return(..) | SegResult::Write(_) => None,
            });
        }
        let mut at = vec![0i64; sizes.len()];
        for segment in 0..n_segments {
            let mut rest = segment;
            for d in (0..segments.len()).rev() {
                at[d] = rest % segments[d];
                rest /= segments[d];
            }
            let mut accs = self.accumulators(ops, frame);
            for j in 0..inner {
                if let Some(last) = at.last_mut() {
                    *last = j;
                }
                for ((slot, _), &i) in dims.iter().zip(&at) {
                    frame[*slot as usize] = Value::Scalar(Const::I64(i));
                }
                self.stms(stms, frame)?;
                let mut values = Vec::with_capacity(results.len());
                let mut write = 0;
                for r in results {
                    match r {
                        SegResult::Return(x, _) => values.push(self.take(*x, frame)),
                        SegResult::Write(writes) => {
                            for (index, x) in writes {
                                let index = self.ints(index, frame)?;
                                let x = self.take(*x, frame);
                                put(&mut written[write], &index, &x)?;
                            }
                            write += 1;
                            values.push(Value::Unit);
                        }
                    }
                }
                if !hists.is_empty() {
                    self.hist_step(hists, &at[..segments.len()], values, &mut hist_dests, frame)?;
                    continue;
                }
                let mut values = values.into_iter();
                let mut collectors = out.iter_mut();
                for acc in &mut accs {
                    self.accumulate(acc, &mut values, frame)?;
                    for v in &acc.values {
                        if let Some(Some(c)) = collectors.next()
                            && !reducing
                        {
                            c.push(v)?;
                        }
                    }
                }
                for (c, v) in collectors.zip(values) {
                    if let Some(c) = c {
                        c.push(&v)?;
                    }
                }
            }
            if reducing {
                let values = accs.into_iter().flat_map(|a| a.values);
                for (c, v) in out.iter_mut().zip(values) {
                    if let Some(c) = c {
                        c.push(&v)?;
                    }
                }
            }
        }
        if !hists.is_empty() {
            return Ok(hist_dests.into_iter().map(Value::Array).collect());
        }
        let mut written = written.into_iter();
        let mut values = Vec::with_capacity(out.len());
        for c in out {
            match c {
                // Of an index space without dimensions, or one reduced to nothing, a scalar.
                Some(c) if c.shape.is_empty() => {
                    let elem = c.elem;
                    let mut bits = [0u8; 8];
                    let n = c.data.len().min(8);
                    bits[..n].copy_from_slice(&c.data[..n]);
                    values.push(Value::Scalar(Const::from_bits(elem, u64::from_le_bytes(bits))));
                }
                Some(c) => values.push(c.finish()),
                None => values.extend(written.next().map(Value::Array)),
            }
        }
        Ok(values)
    }
}

/// A row left in a parameter would keep its whole array from being updated in place.
fn clear(params: &[Slot], frame: &mut Frame) {
    for &p in params {
        frame[p as usize] = Value::Unit;
    }
}

fn indexes<'v>(values: &mut impl Iterator<Item = &'v Value>, n: usize) -> Res<Vec<i64>> {
    values
        .take(n)
        .map(|v| match v {
            Value::Scalar(c) => c.as_int().ok_or_else(|| RunError::bug("an index is wanted")),
            Value::Unit | Value::Array(_) => Err(RunError::bug("an index is wanted")),
        })
        .collect()
}

/// Writes at outer indexes; out of bounds, nothing.
fn put(dest: &mut Rc<Array>, at: &[i64], value: &Value) -> Res<()> {
    if dest.place(at).is_none() {
        return Ok(());
    }
    if value.shape() != &dest.shape()[at.len()..] {
        return Err(RunError::bug("a write of a value of another shape"));
    }
    let array = Array::unshare(dest);
    if let Some(place) = array.place(at) {
        array.write(place, at.len(), value);
    }
    Ok(())
}
