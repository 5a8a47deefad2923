//! Segmented operations in the interpreter of level mem: their points one after the other, in the
//! order of the index space.

use super::*;
use crate::ir::{SegKind, SegLevel};

impl Machine<'_> {
    pub(super) fn seg(&mut self, env: &mut Env, pat: &[PatElem], op: &SegOp) -> Res<()> {
        let SegOp { level, space, kind, body } = op;
        let outer = self.in_kernel;
        self.in_kernel |= level.is_kernel();
        let tasks_outside = match level {
            SegLevel::Tasks => Some(self.prefix.take()),
            _ => None,
        };
        let places = self.places(env, pat, matches!(kind, SegKind::Scan(_)))?;
        match kind {
            SegKind::Map => {
                self.each_point(env, space, |m, env, at| {
                    m.collect(env, body, &places, 0, at).map(|_| ())
                })?;
            }
            SegKind::Red(ops) => {
                let neutral = self.neutral(env, ops)?;
                let k = neutral.len();
                self.each_segment(env, space, |m, env, segment| {
                    let mut acc = neutral.clone();
                    m.each_in_segment(env, space, segment, |m, env, at| {
                        let xs = m.collect(env, body, &places, k, at)?;
                        acc = m.combine(env, ops, &acc, xs)?;
                        Ok(())
                    })?;
                    for ((p, place), v) in pat.iter().zip(&places).zip(acc) {
                        match place {
                            Some(place) => m.put(&v, &place.row(segment))?,
                            None => {
                                env.insert(p.var, v);
                            }
                        }
                    }
                    Ok(())
                })?;
            }
            SegKind::Scan(ops) => {
                let neutral = self.neutral(env, ops)?;
                let k = neutral.len();
                self.each_segment(env, space, |m, env, segment| {
                    let mut acc = neutral.clone();
                    m.each_in_segment(env, space, segment, |m, env, at| {
                        let xs = m.collect(env, body, &places, k, at)?;
                        acc = m.combine(env, ops, &acc, xs)?;
                        for (v, p) in acc.iter().zip(&places) {
                            // What nothing reads has no place.
                            if let Some(p) = p {
                                m.put(v, &p.row(at))?;
                            }
                        }
                        Ok(())
                    })
                })?;
            }
            SegKind::Hist(ops) => {
                for (d, p) in ops.iter().flat_map(|h| &h.dests).zip(&places) {
                    let d = self.array(env, *d)?;
                    if !p.as_ref().is_some_and(|p| p.same(d)) {
                        return bug("a histogram that moves");
                    }
                }
                self.each_point(env, space, |m, env, _| {
                    m.stms(env, &body.stms)?;
                    let mut results = Vec::new();
                    for r in &body.results {
                        let KernelResult::Return(x) = r else {
                            return bug("a write in a histogram");
                        };
                        results.push(m.operand(env, *x)?);
                    }
                    let mut values = results.split_off(ops.iter().map(|h| h.shape.len()).sum());
                    let mut dests = places.iter();
                    for h in ops {
                        let rest = results.split_off(h.shape.len());
                        let index = std::mem::replace(&mut results, rest);
                        let rest = values.split_off(h.dests.len());
                        let value = std::mem::replace(&mut values, rest);
                        let dests: Vec<&ConcreteLmad> =
                            dests.by_ref().take(h.dests.len()).flatten().collect();
                        let shape = m.ints(env, &h.shape)?;
                        let Some(at) = in_bounds(&index, &shape) else { continue };
                        let mut old = Vec::new();
                        for d in &dests {
                            let row = d.row(&at);
                            old.push(Val::Scalar(m.load(d.block, d.elem, row.offset)?));
                        }
                        let ops = std::slice::from_ref(&h.op);
                        let new = m.combine(env, ops, &old, value)?;
                        for (d, v) in dests.iter().zip(new) {
                            m.put(&v, &d.row(&at))?;
                        }
                    }
                    Ok(())
                })?;
            }
        }
        self.in_kernel = outer;
        if let Some(prefix) = tasks_outside {
            self.prefix = prefix;
        }
        for (p, place) in pat.iter().zip(places) {
            if let Some(place) = place {
                env.insert(p.var, Val::Array(place));
            }
        }
        Ok(())
    }

    /// The points of all dimensions but the innermost.
    fn each_segment(
        &mut self,
        env: &mut Env,
        space: &SegSpace,
        mut f: impl FnMut(&mut Self, &mut Env, &[i64]) -> Res<()>,
    ) -> Res<()> {
        let outer = space.dims.len().saturating_sub(1);
        self.each_of(env, &space.dims[..outer], |m, env, at| f(m, env, at))
    }

    /// The points of the innermost dimension.
    fn each_in_segment(
        &mut self,
        env: &mut Env,
        space: &SegSpace,
        segment: &[i64],
        mut f: impl FnMut(&mut Self, &mut Env, &[i64]) -> Res<()>,
    ) -> Res<()> {
        let outer = space.dims.len().saturating_sub(1);
        let mut point = segment.to_vec();
        self.each_of(env, &space.dims[outer..], |m, env, at| {
            point.truncate(outer);
            point.extend_from_slice(at);
            let mark = m.locals.len();
            f(m, env, &point)?;
            m.end_locals(mark)
        })
    }

    fn each_point(
        &mut self,
        env: &mut Env,
        space: &SegSpace,
        mut f: impl FnMut(&mut Self, &mut Env, &[i64]) -> Res<()>,
    ) -> Res<()> {
        self.each_of(env, &space.dims, |m, env, at| {
            let mark = m.locals.len();
            f(m, env, at)?;
            m.end_locals(mark)
        })
    }

    /// The points of these dimensions, in row-major order.
    fn each_of(
        &mut self,
        env: &mut Env,
        dims: &[(Var, SubExp)],
        mut f: impl FnMut(&mut Self, &mut Env, &[i64]) -> Res<()>,
    ) -> Res<()> {
        let shape = self.ints(env, &dims.iter().map(|d| d.1).collect::<Vec<_>>())?;
        let mut at = vec![0i64; shape.len()];
        if shape.iter().any(|n| *n <= 0) {
            return Ok(());
        }
        loop {
            for ((i, _), x) in dims.iter().zip(&at) {
                env.insert(*i, Val::Scalar(Const::I64(*x)));
            }
            f(self, env, &at)?;
            let mut d = shape.len();
            loop {
                if d == 0 {
                    return Ok(());
                }
                d -= 1;
                at[d] += 1;
                if at[d] < shape[d] {
                    break;
                }
                at[d] = 0;
            }
        }
    }

    /// Runs a point; yields its first `folded` results and collects the others.
    fn collect(
        &mut self,
        env: &mut Env,
        body: &KernelBody,
        places: &[Option<ConcreteLmad>],
        folded: usize,
        at: &[i64],
    ) -> Res<Vec<Val>> {
        let (before, after) = body.parts();
        self.stms(env, before)?;
        let mut first = Vec::with_capacity(folded);
        for (k, r) in body.results.iter().enumerate() {
            match r {
                KernelResult::Return(x) => {
                    let v = self.operand(env, *x)?;
                    if k < folded {
                        first.push(v);
                        continue;
                    }
                    let Some(Some(p)) = places.get(k) else { return bug("a result without place") };
                    let to = p.row(at);
                    match &v {
                        Val::Array(from) if !from.same(&to) => {
                            return bug("a result of a point that lies elsewhere");
                        }
                        Val::Array(_) => {}
                        Val::Scalar(_) | Val::Block(_) | Val::Cert => self.put(&v, &to)?,
                    }
                }
                KernelResult::Write { dest, writes } => {
                    let d = self.array(env, *dest)?.clone();
                    for (index, x) in writes {
                        let index = self.operands(env, index)?;
                        let v = self.operand(env, *x)?;
                        if let Some(at) = in_bounds(&index, &d.shape()) {
                            self.put(&v, &d.row(&at))?;
                        }
                    }
                }
            }
        }
        self.stms(env, after)?;
        Ok(first)
    }

    pub(super) fn neutral(&self, env: &Env, ops: &[Reduction]) -> Res<Vec<Val>> {
        ops.iter().flat_map(|r| &r.neutral).map(|x| self.operand(env, *x)).collect()
    }

    pub(super) fn combine(
        &mut self,
        env: &mut Env,
        ops: &[Reduction],
        acc: &[Val],
        xs: Vec<Val>,
    ) -> Res<Vec<Val>> {
        let mut out = Vec::with_capacity(acc.len());
        let mut at = 0;
        for r in ops {
            let k = r.op.ret.len();
            let args = acc[at..at + k].iter().chain(&xs[at..at + k]).cloned().collect();
            out.extend(self.apply(env, &r.op, args)?);
            at += k;
        }
        Ok(out)
    }

    fn apply(&mut self, env: &mut Env, l: &Lambda, args: Vec<Val>) -> Res<Vec<Val>> {
        for (p, v) in l.params.iter().zip(args) {
            env.insert(p.var, v);
        }
        self.body(env, &l.body)
    }
}

fn in_bounds(index: &[Val], shape: &[i64]) -> Option<Vec<i64>> {
    index
        .iter()
        .zip(shape)
        .map(|(v, n)| match v {
            Val::Scalar(c) => c.as_int().filter(|i| (0..*n).contains(i)),
            Val::Array(_) | Val::Block(_) | Val::Cert => None,
        })
        .collect()
}
