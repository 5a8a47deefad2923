//! Frames: what local names stand for.
//!
//! When a Core function is made of a closure, what the closure captured belongs to another
//! function. A frame between the two is a *boundary*: what is found beyond it is imported, each
//! operand becoming a parameter, when it is first looked up. So no free variables need be
//! computed, and only what is used is passed.

use super::spec::{Frame, Spec};
use super::value::{Closure, Code, Dim, FrameId, Ty, Value};
use crate::ir::{Param, SubExp, Type};
use futc_typed::program::VarId;
use std::rc::Rc;

/// Depth of the parameters of functions: inside the constants.
pub(super) const PARAM_DEPTH: u32 = 2;

impl Spec<'_> {
    /// A scope inside `parent`.
    pub(super) fn frame(&mut self, parent: Option<FrameId>) -> FrameId {
        self.frames.push(Frame { parent, ..Frame::default() });
        FrameId(self.frames.len() as u32 - 1)
    }

    /// A frame through which `frame` is seen from inside the function importing to `import`.
    pub(super) fn boundary(&mut self, import: usize, frame: FrameId) -> FrameId {
        if let Some(f) = self.imports.get(import).and_then(|i| i.frames.get(&frame)) {
            return *f;
        }
        let parent = Some(frame);
        let origin = Some(self.origin(frame));
        self.frames.push(Frame { parent, boundary: Some(import), origin, ..Frame::default() });
        let new = FrameId(self.frames.len() as u32 - 1);
        if let Some(i) = self.imports.get_mut(import) {
            i.frames.insert(frame, new);
        }
        new
    }

    /// The frame that this one makes visible, if it is a boundary; else itself.
    pub(super) fn origin(&self, frame: FrameId) -> FrameId {
        self.frames.get(frame.0 as usize).and_then(|f| f.origin).unwrap_or(frame)
    }

    /// Says what a variable or size stands for.
    pub(super) fn bind(&mut self, frame: FrameId, var: VarId, value: Value) {
        if let Some(f) = self.frames.get_mut(frame.0 as usize) {
            f.vars.insert(var, value);
        }
    }

    /// Says what a type parameter stands for.
    pub(super) fn bind_type(&mut self, frame: FrameId, var: VarId, ty: Ty) {
        if let Some(f) = self.frames.get_mut(frame.0 as usize) {
            f.types.insert(var, ty);
        }
    }

    /// Whether a variable means something in this very frame.
    pub(super) fn bound_here(&self, frame: FrameId, var: VarId) -> bool {
        self.frames.get(frame.0 as usize).is_some_and(|f| f.vars.contains_key(&var))
    }

    /// Whether a variable means something here.
    pub(super) fn is_bound(&self, frame: FrameId, var: VarId) -> bool {
        let mut at = Some(frame);
        while let Some(f) = at.and_then(|FrameId(i)| self.frames.get(i as usize)) {
            if f.vars.contains_key(&var) {
                return true;
            }
            at = f.parent;
        }
        false
    }

    /// What a variable stands for.
    pub(super) fn lookup(&mut self, frame: FrameId, var: VarId) -> Option<Value> {
        let mut crossed = Vec::new();
        let mut at = frame;
        let mut value = loop {
            let f = self.frames.get(at.0 as usize)?;
            if let Some(v) = f.vars.get(&var) {
                break v.clone();
            }
            if let Some(import) = f.boundary {
                crossed.push((at, import));
            }
            at = f.parent?;
        };
        for (frame, import) in crossed.into_iter().rev() {
            value = self.import(import, &value);
            self.bind(frame, var, value.clone());
        }
        Some(value)
    }

    /// What a type parameter stands for.
    pub(super) fn lookup_type(&mut self, frame: FrameId, var: VarId) -> Option<Ty> {
        let mut crossed = Vec::new();
        let mut at = frame;
        let mut ty = loop {
            let f = self.frames.get(at.0 as usize)?;
            if let Some(t) = f.types.get(&var) {
                break t.clone();
            }
            if let Some(import) = f.boundary {
                crossed.push((at, import));
            }
            at = f.parent?;
        };
        for (frame, import) in crossed.into_iter().rev() {
            ty = ty.map_dims(&mut |d| self.import_dim(import, d));
            self.bind_type(frame, var, ty.clone());
        }
        Some(ty)
    }

    /// A value from outside, as the function importing to `import` sees it.
    pub(super) fn import(&mut self, import: usize, value: &Value) -> Value {
        match value {
            Value::Leaf(s) => Value::Leaf(self.import_leaf(import, *s)),
            Value::Record(fields) => {
                Value::Record(fields.iter().map(|(n, v)| (*n, self.import(import, v))).collect())
            }
            Value::Sum(ls) => Value::Sum(ls.iter().map(|s| self.import_leaf(import, *s)).collect()),
            Value::Constr(n, vs) => {
                Value::Constr(*n, vs.iter().map(|v| self.import(import, v)).collect())
            }
            Value::Fun(c) => Value::Fun(Rc::new(Closure {
                code: match &c.code {
                    Code::Local(fun, frame) => {
                        Code::Local(fun.clone(), self.boundary(import, *frame))
                    }
                    Code::Blank(arrow, frame) => {
                        Code::Blank(arrow.clone(), self.boundary(import, *frame))
                    }
                    Code::Def(_) | Code::Intrinsic(_) => c.code.clone(),
                },
                types: c
                    .types
                    .iter()
                    .map(|t| t.map_dims(&mut |d| self.import_dim(import, d)))
                    .collect(),
                sizes: c.sizes.iter().map(|d| self.import_dim(import, *d)).collect(),
                args: c.args.iter().map(|v| self.import(import, v)).collect(),
            })),
        }
    }

    fn import_dim(&mut self, import: usize, d: Dim) -> Dim {
        d.map(|s| self.import_leaf(import, s))
    }

    fn import_leaf(&mut self, import: usize, s: SubExp) -> SubExp {
        // Constants and globals can be named anywhere.
        let SubExp::Var(v) = s else { return s };
        if self.visible(s, PARAM_DEPTH - 1) {
            return s;
        }
        if let Some(k) = self.imports.get(import).and_then(|i| i.known.get(&s)) {
            return *k;
        }
        let ty = match self.ty(s) {
            Type::Array { elem, shape } => {
                let shape = shape.into_iter().map(|d| self.import_leaf(import, d)).collect();
                Type::array(elem, shape)
            }
            t => t,
        };
        let var = self.fresh_at(v.base, ty.clone(), PARAM_DEPTH);
        if let Some(i) = self.imports.get_mut(import) {
            i.known.insert(s, var.into());
            i.captures.push((s, Param { var, ty, unique: false, mem: None }));
        }
        var.into()
    }
}
