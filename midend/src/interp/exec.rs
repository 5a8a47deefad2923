//! Execution of compiled programs.

use super::code::{Body_, Code, Dim, Form, Fun_, Msg, Op, Opd, Row, Slot, Stm_};
use super::error::RunError;
use super::limits::Limits;
use super::value::{Array, Value, push};
use crate::ir::{BinOp, Const, IntType, Prim, eval};
use futc_typed::prim::PrimType;
use std::rc::Rc;

/// Of each dimension an index, or start, number and distance.
type SliceDims = Vec<(i64, Option<(i64, i64)>)>;

/// The variables of one call.
pub(super) type Frame = [Value];

pub(super) type Res<T> = Result<T, RunError>;

pub(super) struct Machine<'m> {
    pub code: &'m Code,
    pub globals: &'m [Value],
    pub limits: Limits,
    pub steps: u64,
    pub depth: u32,
    pub sink: &'m mut dyn FnMut(&str),
}

impl Machine<'_> {
    /// Calls a function.
    pub(super) fn run(&mut self, fun: &Fun_, args: Vec<Value>) -> Res<Vec<Value>> {
        if self.depth >= self.limits.depth {
            return Err(RunError::new(format!("Stack overflow in {}", fun.name)));
        }
        self.depth += 1;
        let mut frame = vec![Value::Unit; fun.slots];
        for (&p, x) in fun.params.iter().zip(args) {
            frame[p as usize] = x;
        }
        self.stms(&fun.body.stms, &mut frame)?;
        self.depth -= 1;
        Ok(fun.body.result.iter().map(|x| self.take(*x, &mut frame)).collect())
    }

    pub(super) fn stms(&mut self, stms: &[Stm_], frame: &mut Frame) -> Res<()> {
        for s in stms {
            self.step()?;
            if let Err(mut e) = self.op(&s.op, frame, &s.pat) {
                e.loc = e.loc.or(s.loc);
                return Err(e);
            }
            for &k in &s.kills {
                frame[k as usize] = Value::Unit;
            }
        }
        Ok(())
    }

    fn step(&mut self) -> Res<()> {
        self.steps += 1;
        if self.limits.steps.is_some_and(|n| self.steps > n) {
            return Err(RunError::new("the limit of steps is reached"));
        }
        Ok(())
    }

    /// Runs a body and puts its results in slots. Itself a step: a loop's body may be empty.
    fn body_into(&mut self, b: &Body_, frame: &mut Frame, pat: &[Slot]) -> Res<()> {
        self.step()?;
        self.stms(&b.stms, frame)?;
        if let ([p], [x]) = (pat, b.result.as_slice()) {
            frame[*p as usize] = self.take(*x, frame);
            return Ok(());
        }
        let results: Vec<Value> = b.result.iter().map(|x| self.take(*x, frame)).collect();
        for (&p, x) in pat.iter().zip(results) {
            frame[p as usize] = x;
        }
        Ok(())
    }

    // Operands.

    pub(super) fn take(&self, x: Opd, frame: &mut Frame) -> Value {
        match x {
            Opd::Slot(s) => frame[s as usize].clone(),
            Opd::Move(s) => std::mem::take(&mut frame[s as usize]),
            Opd::Global(g) => self.globals[g as usize].clone(),
            Opd::Const(c) => Value::Scalar(c),
        }
    }

    pub(super) fn get<'v>(&'v self, x: Opd, frame: &'v Frame) -> Res<&'v Value> {
        match x {
            Opd::Slot(s) | Opd::Move(s) => Ok(&frame[s as usize]),
            Opd::Global(g) => Ok(&self.globals[g as usize]),
            Opd::Const(_) => Err(RunError::bug("a constant where an array is wanted")),
        }
    }

    pub(super) fn scalar(&self, x: Opd, frame: &Frame) -> Res<Const> {
        let v = match x {
            Opd::Slot(s) | Opd::Move(s) => &frame[s as usize],
            Opd::Global(g) => &self.globals[g as usize],
            Opd::Const(c) => return Ok(c),
        };
        match v {
            Value::Scalar(c) => Ok(*c),
            Value::Unit | Value::Array(_) => Err(RunError::bug("a scalar is wanted")),
        }
    }

    pub(super) fn int(&self, x: Opd, frame: &Frame) -> Res<i64> {
        match self.scalar(x, frame)? {
            Const::I64(x) => Ok(x),
            c => c.as_int().ok_or_else(|| RunError::bug("an integer is wanted")),
        }
    }

    pub(super) fn ints(&self, xs: &[Opd], frame: &Frame) -> Res<Vec<i64>> {
        xs.iter().map(|&x| self.int(x, frame)).collect()
    }

    pub(super) fn array(&self, x: Opd, frame: &Frame) -> Res<Rc<Array>> {
        match self.get(x, frame)? {
            Value::Array(a) => Ok(Rc::clone(a)),
            Value::Unit | Value::Scalar(_) => Err(RunError::bug("an array is wanted")),
        }
    }

    pub(super) fn take_array(&self, x: Opd, frame: &mut Frame) -> Res<Rc<Array>> {
        match self.take(x, frame) {
            Value::Array(a) => Ok(a),
            Value::Unit | Value::Scalar(_) => Err(RunError::bug("an array is wanted")),
        }
    }

    /// The shape of an array to be made, and room for its elements.
    pub(super) fn room(&self, elem: Prim, shape: &[i64]) -> Res<Vec<u8>> {
        let mut bytes = elem.bytes();
        for &n in shape {
            if n < 0 {
                return Err(RunError::new(format!("an array of negative size {n}")));
            }
            bytes = bytes.saturating_mul(n);
        }
        let limit = self.limits.array_bytes;
        if bytes > limit {
            return Err(RunError::new(format!(
                "an array of {bytes} bytes is beyond the interpreter's limit of {limit}"
            )));
        }
        Ok(Vec::with_capacity(bytes as usize))
    }

    pub(super) fn row(&self, row: &Row, frame: &Frame) -> Res<Vec<i64>> {
        self.ints(&row.dims, frame)
    }

    fn slice_dims(&self, dims: &[Dim], frame: &Frame) -> Res<SliceDims> {
        dims.iter()
            .map(|d| {
                Ok(match d {
                    Dim::Fix(i) => (self.int(*i, frame)?, None),
                    Dim::Slice(start, n, stride) => (
                        self.int(*start, frame)?,
                        Some((self.int(*n, frame)?, self.int(*stride, frame)?)),
                    ),
                })
            })
            .collect()
    }

    fn pairs(&self, dims: &[(Opd, Opd)], frame: &Frame) -> Res<Vec<(i64, i64)>> {
        dims.iter().map(|d| Ok((self.int(d.0, frame)?, self.int(d.1, frame)?))).collect()
    }

    // Operations.

    fn op(&mut self, op: &Op, frame: &mut Frame, pat: &[Slot]) -> Res<()> {
        let value = match op {
            Op::Match { scrutinee, cases, default } => {
                let bits = self.scalar(*scrutinee, frame)?.bits();
                let body = cases.iter().find(|c| c.0 == bits).map_or(default, |c| &c.1);
                return self.body_into(body, frame, pat);
            }
            Op::Loop { params, init, form, body } => {
                return self.do_loop(params, init, form, body, frame, pat);
            }
            Op::Call { fun, args } => {
                let args = args.iter().map(|x| self.take(*x, frame)).collect();
                let code = self.code;
                let results = self.run(&code.funs[*fun], args)?;
                for (&p, x) in pat.iter().zip(results) {
                    frame[p as usize] = x;
                }
                return Ok(());
            }
            Op::Screma { .. } | Op::Hist { .. } | Op::Scatter { .. } | Op::Seg { .. } => {
                let results = self.combinator(op, frame)?;
                for (&p, x) in pat.iter().zip(results) {
                    frame[p as usize] = x;
                }
                return Ok(());
            }
            Op::Bin(op, x, y) => {
                let (a, b) = (self.scalar(*x, frame)?, self.scalar(*y, frame)?);
                Value::Scalar(binary(*op, a, b)?)
            }
            Op::Element { array, at } => self.element(*array, at, frame)?,
            _ => self.simple(op, frame)?,
        };
        if let Some(&p) = pat.first() {
            frame[p as usize] = value;
        }
        Ok(())
    }

    fn element(&self, array: Opd, at: &[Opd], frame: &Frame) -> Res<Value> {
        let Value::Array(a) = self.get(array, frame)? else {
            return Err(RunError::bug("an array is wanted"));
        };
        let mut buffer = [0i64; 8];
        if at.len() > buffer.len() {
            return a.row(&self.ints(at, frame)?).ok_or_else(out_of_bounds);
        }
        for (b, &i) in buffer.iter_mut().zip(at) {
            *b = self.int(i, frame)?;
        }
        a.row(&buffer[..at.len()]).ok_or_else(out_of_bounds)
    }

    fn simple(&mut self, op: &Op, frame: &mut Frame) -> Res<Value> {
        let fresh = |elem, shape, data| Value::Array(Rc::new(Array::dense(elem, shape, data)));
        let view = |a: Array| Value::Array(Rc::new(a));
        Ok(match op {
            Op::Unit => Value::Unit,
            Op::Copy(x) => self.take(*x, frame),
            Op::Un(op, x) => {
                let c = self.scalar(*x, frame)?;
                Value::Scalar(eval::un_op(*op, c).ok_or_else(wrong_operands)?)
            }
            Op::Cmp(op, x, y) => {
                let (a, b) = (self.scalar(*x, frame)?, self.scalar(*y, frame)?);
                Value::Scalar(Const::Bool(eval::cmp_op(*op, a, b).ok_or_else(wrong_operands)?))
            }
            Op::Conv(op, x) => {
                let c = self.scalar(*x, frame)?;
                Value::Scalar(eval::conv_op(*op, c).ok_or_else(wrong_operands)?)
            }
            Op::Math(f, t, xs) => {
                let xs: Vec<Const> =
                    xs.iter().map(|&x| self.scalar(x, frame)).collect::<Res<_>>()?;
                Value::Scalar(eval::math_fn(*f, *t, &xs).ok_or_else(wrong_operands)?)
            }
            Op::Lit { elems, row } => {
                let mut shape = vec![elems.len() as i64];
                shape.extend(self.row(row, frame)?);
                let mut data = self.room(row.elem, &shape)?;
                for &x in elems {
                    self.take(x, frame).append_to(&mut data);
                }
                fresh(row.elem, shape, data)
            }
            Op::Slice { array, dims } => {
                let dims = self.slice_dims(dims, frame)?;
                view(self.take_array(*array, frame)?.slice(&dims).ok_or_else(out_of_bounds)?)
            }
            Op::FlatIndex { array, offset, dims } => {
                let (offset, dims) = (self.int(*offset, frame)?, self.pairs(dims, frame)?);
                let a = self.take_array(*array, frame)?;
                view(a.flat(offset, &dims).ok_or_else(out_of_bounds)?)
            }
            Op::Update { array, dims, value } => {
                let value = self.take(*value, frame);
                if let [Dim::Fix(i)] = dims.as_slice() {
                    let i = self.int(*i, frame)?;
                    let mut a = self.take_array(*array, frame)?;
                    let place = a.place(&[i]).ok_or_else(out_of_bounds)?;
                    // A copy made now lies elsewhere.
                    let a_mut = Array::unshare(&mut a);
                    let place = a_mut.place(&[i]).unwrap_or(place);
                    a_mut.write(place, 1, &value);
                    return Ok(Value::Array(a));
                }
                let dims = self.slice_dims(dims, frame)?;
                let mut a = self.take_array(*array, frame)?;
                let a_mut = Array::unshare(&mut a);
                let target = a_mut.slice(&dims).ok_or_else(out_of_bounds)?.into_layout();
                if target.shape != value.shape() {
                    return Err(RunError::bug("an update with a value of another shape"));
                }
                a_mut.write_view(&target, &value);
                Value::Array(a)
            }
            Op::FlatUpdate { array, offset, dims, value } => {
                let (offset, dims) = (self.int(*offset, frame)?, self.pairs(dims, frame)?);
                let value = self.take(*value, frame);
                let mut a = self.take_array(*array, frame)?;
                let a_mut = Array::unshare(&mut a);
                let target = a_mut.flat(offset, &dims).ok_or_else(out_of_bounds)?.into_layout();
                if target.shape != value.shape() {
                    return Err(RunError::bug("an update with a value of another shape"));
                }
                a_mut.write_view(&target, &value);
                Value::Array(a)
            }
            Op::Iota { n, start, stride, ty } => {
                let n = self.int(*n, frame)?;
                let (start, stride) = (self.int(*start, frame)?, self.int(*stride, frame)?);
                let mut data = self.room(Prim::Int(*ty), &[n])?;
                for i in 0..n {
                    push(&mut data, Const::int(*ty, start.wrapping_add(i.wrapping_mul(stride))));
                }
                fresh(Prim::Int(*ty), vec![n], data)
            }
            Op::Replicate { shape, value } => {
                let outer = self.ints(shape, frame)?;
                let value = self.take(*value, frame);
                if outer.is_empty()
                    && let Value::Array(a) = &value
                {
                    return Ok(view(a.copied()));
                }
                let shape: Vec<i64> = outer.iter().chain(value.shape()).copied().collect();
                if shape.is_empty() {
                    return Ok(value);
                }
                let mut data = self.room(value.elem(), &shape)?;
                let row = value.bytes();
                for _ in 0..outer.iter().product::<i64>() {
                    data.extend_from_slice(&row);
                }
                fresh(value.elem(), shape, data)
            }
            Op::Scratch(row) => {
                let shape = self.row(row, frame)?;
                let mut data = self.room(row.elem, &shape)?;
                data.resize(data.capacity(), 0);
                fresh(row.elem, shape, data)
            }
            Op::Reshape { array, shape } => {
                let shape = self.ints(shape, frame)?;
                let a = self.take_array(*array, frame)?;
                let from = a.shape().to_vec();
                view(
                    a.reshaped(shape.clone()).ok_or_else(|| {
                        RunError::bug(format!("a reshape of {from:?} to {shape:?}"))
                    })?,
                )
            }
            Op::Rearrange { array, perm } => {
                let a = self.take_array(*array, frame)?;
                view(a.rearranged(perm).ok_or_else(|| RunError::bug("a wrong permutation"))?)
            }
            Op::Concat { dim, arrays } => self.concat(*dim, arrays, frame)?,
            Op::Fresh(x) => match self.take(*x, frame) {
                Value::Array(a) => view(a.copied()),
                v @ (Value::Unit | Value::Scalar(_)) => v,
            },
            Op::Trace(x) => {
                let v = self.take(*x, frame);
                (self.sink)(&format!("{v}\n"));
                v
            }
            Op::Assert { cond, msg } => {
                if self.scalar(*cond, frame)? != Const::Bool(true) {
                    return Err(self.failure(msg, frame));
                }
                Value::Unit
            }
            Op::Bin(..)
            | Op::Element { .. }
            | Op::Match { .. }
            | Op::Loop { .. }
            | Op::Call { .. }
            | Op::Screma { .. }
            | Op::Hist { .. }
            | Op::Scatter { .. }
            | Op::Seg { .. } => return Err(RunError::bug("an operation of the wrong kind")),
        })
    }

    fn failure(&self, msg: &[Msg], frame: &Frame) -> RunError {
        let mut text = String::new();
        for m in msg {
            match m {
                Msg::Text(s) => text.push_str(s),
                Msg::Value(x, t) => match self.scalar(*x, frame) {
                    Ok(c) => text.push_str(&shown(c, *t)),
                    Err(e) => return e,
                },
            }
        }
        RunError::new(text)
    }

    fn concat(&self, dim: usize, arrays: &[Opd], frame: &Frame) -> Res<Value> {
        let arrays: Vec<Rc<Array>> =
            arrays.iter().map(|&x| self.array(x, frame)).collect::<Res<_>>()?;
        let first = arrays.first().ok_or_else(|| RunError::bug("a concatenation of nothing"))?;
        let mut shape = first.shape().to_vec();
        let same = |a: &Rc<Array>| {
            a.shape().len() == shape.len()
                && a.shape().iter().zip(&shape).enumerate().all(|(i, (m, n))| i == dim || m == n)
        };
        if dim >= shape.len() || !arrays.iter().all(same) {
            return Err(RunError::bug("a concatenation of arrays of different shapes"));
        }
        shape[dim] = arrays.iter().map(|a| a.shape()[dim]).sum();
        let elem = first.elem();
        let mut data = self.room(elem, &shape)?;
        // For every point of the outer dimensions, what each array has there.
        let outer: i64 = shape[..dim].iter().product();
        for i in 0..outer {
            let mut at = vec![0; dim];
            let mut rest = i;
            for d in (0..dim).rev() {
                at[d] = rest % shape[d];
                rest /= shape[d];
            }
            for a in &arrays {
                a.row(&at).ok_or_else(out_of_bounds)?.append_to(&mut data);
            }
        }
        Ok(Value::Array(Rc::new(Array::dense(elem, shape, data))))
    }

    fn do_loop(
        &mut self,
        params: &[Slot],
        init: &[Opd],
        form: &Form,
        body: &Body_,
        frame: &mut Frame,
        pat: &[Slot],
    ) -> Res<()> {
        let bound = match form {
            Form::For { bound, .. } => self.int(*bound, frame)?,
            Form::While { .. } => 0,
        };
        let values: Vec<Value> = init.iter().map(|x| self.take(*x, frame)).collect();
        for (&p, x) in params.iter().zip(values) {
            frame[p as usize] = x;
        }
        match form {
            Form::For { var, ty, .. } => {
                for i in 0..bound {
                    frame[*var as usize] = Value::Scalar(counter(*ty, i));
                    self.body_into(body, frame, params)?;
                }
            }
            Form::While { cond } => loop {
                match &frame[*cond as usize] {
                    Value::Scalar(Const::Bool(true)) => self.body_into(body, frame, params)?,
                    Value::Scalar(_) => break,
                    Value::Unit | Value::Array(_) => {
                        return Err(RunError::bug("a loop condition without a value"));
                    }
                }
            },
        }
        for (&p, &q) in params.iter().zip(pat) {
            frame[q as usize] = std::mem::take(&mut frame[p as usize]);
        }
        Ok(())
    }
}

fn counter(ty: IntType, i: i64) -> Const {
    match ty {
        IntType::I64 => Const::I64(i),
        IntType::I8 | IntType::I16 | IntType::I32 => Const::int(ty, i),
    }
}

/// The commonest operations first.
fn binary(op: BinOp, a: Const, b: Const) -> Res<Const> {
    if let (Const::I64(x), Const::I64(y)) = (a, b) {
        match op {
            BinOp::Add(IntType::I64) => return Ok(Const::I64(x.wrapping_add(y))),
            BinOp::Sub(IntType::I64) => return Ok(Const::I64(x.wrapping_sub(y))),
            BinOp::Mul(IntType::I64) => return Ok(Const::I64(x.wrapping_mul(y))),
            _ => {}
        }
    }
    eval::bin_op(op, a, b)
        .ok_or_else(|| RunError::new(format!("{op} has no meaning for {a} and {b}")))
}

fn wrong_operands() -> RunError {
    RunError::bug("operands of the wrong type")
}

pub(super) fn out_of_bounds() -> RunError {
    RunError::new("an index that nothing checked is out of bounds")
}

/// A scalar in an error message: as the source type has it, without suffix.
fn shown(c: Const, t: PrimType) -> String {
    match c {
        Const::Bool(b) => b.to_string(),
        Const::I8(_) | Const::I16(_) | Const::I32(_) | Const::I64(_) => {
            if t.is_unsigned() {
                c.bits().to_string()
            } else {
                c.as_int().unwrap_or(0).to_string()
            }
        }
        Const::F16(x) => format!("{x}"),
        Const::F32(x) => format!("{x}"),
        Const::F64(x) => format!("{x}"),
    }
}
