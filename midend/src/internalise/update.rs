//! In-place updates.
//!
//! `a with [i].f[j] = v` comes as `a with [i] = (a[i] with f = (a[i].f with [j] = v))`. Taken
//! literally, the inner updates would consume parts of `a` while `a` is still needed. Such a chain
//! is recognised and becomes one update of the leaves under `f` at `[i, j]`.

use super::error::R;
use super::spec::Spec;
use super::value::{FrameId, Value, leaves};
use crate::ir::{self, DimIndex, SubExp, Var};
use futc_typed::name::Name;
use futc_typed::program::{self, Exp, ExpKind, Inst, PatKind, VarId};

/// How the source names the place that a chain has come to.
enum UpdatePath<'e> {
    Index(&'e Exp, &'e [program::DimIndex]),
    Field(&'e Exp, &'e [Name]),
}

impl UpdatePath<'_> {
    fn is(&self, e: &Exp, alias: Option<VarId>) -> bool {
        if let ExpKind::Var(v, _) = &e.kind
            && Some(*v) == alias
        {
            return true;
        }
        match self {
            UpdatePath::Index(array, dims) => {
                matches!(&e.kind, ExpKind::Index(a, i) if a.as_ref() == *array && i == dims)
            }
            UpdatePath::Field(record, path) => {
                let mut e = e;
                for f in path.iter().rev() {
                    match &e.kind {
                        ExpKind::Project(inner, g) if f == g => e = inner,
                        _ => return false,
                    }
                }
                e == *record
            }
        }
    }
}

impl Spec<'_> {
    /// `a with […] = v`
    pub(super) fn update(
        &mut self,
        array: &Exp,
        index: &[program::DimIndex],
        value: &Exp,
        frame: FrameId,
    ) -> R<Value> {
        // Where an update is updated, the value may still read the array that both consume.
        let early = match (&array.kind, &value.kind) {
            (_, ExpKind::Let { .. } | ExpKind::Update { .. } | ExpKind::RecordUpdate { .. }) => {
                None
            }
            (ExpKind::Update { .. }, _) => Some(self.eval(value, frame)?),
            _ => None,
        };
        let whole = self.eval(array, frame)?;
        let Some(first) = whole.first_leaf() else { return self.bug("an update of no array") };
        let shape = self.shape(first);
        let (mut dims, mut certs) = self.dims(&shape, index, frame)?;
        let mut path: Vec<Name> = Vec::new();
        let mut part = whole.clone();
        let mut place = UpdatePath::Index(array, index);
        let mut alias = None;
        let mut value = value;
        let new = loop {
            if let Some(value) = early {
                break value;
            }
            let fixed = dims.iter().all(|d| matches!(d, DimIndex::Fix(_)));
            match &value.kind {
                ExpKind::Let { pat, rhs, body, .. } if place.is(rhs, alias) => {
                    let PatKind::Var(v) = &pat.kind else { break self.eval(value, frame)? };
                    if !fixed {
                        // The part is a slice, on which further indexes do not simply add up.
                        let old = self.copied(&part, &dims, &certs)?;
                        self.bind(frame, *v, old);
                        break self.eval(body, frame)?;
                    }
                    alias = Some(*v);
                    value = body;
                }
                ExpKind::Update { array: inner, index: more, value: next }
                    if place.is(inner, alias) =>
                {
                    if !fixed {
                        let old = self.copied(&part, &dims, &certs)?;
                        let v = VarId { name: Name::new("part"), tag: u32::MAX };
                        let scope = self.frame(Some(frame));
                        self.bind(scope, v, old);
                        let kind = ExpKind::Var(v, Inst::default());
                        let old = Exp { kind, ty: inner.ty.clone(), span: inner.span };
                        break self.update(&old, more, next, scope)?;
                    }
                    let Some(leaf) = part.first_leaf() else {
                        return self.bug("an update of no array");
                    };
                    let rest: Vec<SubExp> = self.shape(leaf).into_iter().skip(dims.len()).collect();
                    let (more_dims, more_certs) = self.dims(&rest, more, frame)?;
                    dims.extend(more_dims);
                    certs.extend(more_certs);
                    place = UpdatePath::Index(inner, more);
                    alias = None;
                    value = next;
                }
                ExpKind::RecordUpdate { record, path: fields, value: next }
                    if place.is(record, alias) =>
                {
                    for f in fields {
                        part = self.project(&part, *f)?;
                    }
                    path.extend(fields);
                    place = UpdatePath::Field(record, fields);
                    alias = None;
                    value = next;
                }
                _ => break self.eval(value, frame)?,
            }
        };
        let part = self.write(&part, &dims, &new, &certs)?;
        self.record_update(&whole, &path, part)
    }

    /// A fresh copy of part of an array.
    fn copied(&mut self, array: &Value, dims: &[DimIndex], certs: &[Var]) -> R<Value> {
        let view = self.take(array, dims, certs)?;
        let Some(ls) = leaves(&view) else { return Ok(view) };
        let mut out = Vec::with_capacity(ls.len());
        for l in ls {
            let ty = self.ty(l);
            out.push(match l {
                SubExp::Var(v) if ty.rank() > 0 => {
                    self.emit(v.base.as_str(), ir::Exp::Copy(v), ty).into()
                }
                SubExp::Var(_) | SubExp::Const(_) => l,
            });
        }
        Ok(view.with_leaves(&mut out.into_iter()))
    }

    /// Replaces a part of each leaf.
    fn write(
        &mut self,
        array: &Value,
        dims: &[DimIndex],
        value: &Value,
        certs: &[Var],
    ) -> R<Value> {
        let (Some(ls), Some(vs)) = (leaves(array), leaves(value)) else {
            return self.bug("an update of functions");
        };
        if ls.len() != vs.len() {
            return self.bug("an update by a value of another structure");
        }
        let mut out = Vec::with_capacity(ls.len());
        for (l, v) in ls.into_iter().zip(vs) {
            let SubExp::Var(var) = l else { return self.bug("an update of a scalar") };
            let (dims, shape) = self.whole(l, dims);
            let v =
                self.reshape_checked(v, &shape, "Shape of slice does not match shape of value.");
            let ty = self.ty(l);
            let exp = ir::Exp::Update { array: var, dims, value: v };
            out.push(self.emit_with(var.base.as_str(), exp, ty, certs).into());
        }
        Ok(array.with_leaves(&mut out.into_iter()))
    }
}
