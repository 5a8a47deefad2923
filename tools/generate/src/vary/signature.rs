//! What an entry point takes, and which sizes must be equal.
//!
//! Internalisation gives every dimension of an argument a size of its own and checks first of all
//! that those agree that the program declares equal. The comparisons of that check are read here.

use futc_midend::ir::verify::leaves_of;
use futc_midend::ir::{
    AssertKind, CmpOp, Exp, ExtKind, ExtStructure, ExtType, Fun, Prim, Program, SubExp,
};
use futc_typed::prim::PrimType;
use std::collections::HashMap;

/// The size of a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// This one.
    Fixed(u64),
    /// The same as all others of this number.
    Class(usize),
}

/// A leaf of an entry point's arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// The element type.
    pub prim: PrimType,
    /// The dimensions; none of a scalar.
    pub dims: Vec<Size>,
    /// Of a scalar that is the size of something: which.
    pub value: Option<Size>,
}

/// An entry point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Its name.
    pub entry: String,
    /// The leaves of its arguments.
    pub params: Vec<Param>,
    /// The results.
    pub results: Vec<Outcome>,
}

/// A result of an entry point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The element types of its leaves.
    pub prims: Vec<PrimType>,
    /// Every leaf means something. The payloads of constructors that a sum is not do not.
    pub whole: bool,
}

impl Signature {
    /// Of all entry points of a program that take values that can be written down.
    pub fn all(program: &Program) -> Vec<Signature> {
        program.funs.iter().filter_map(Signature::of).collect()
    }

    fn of(fun: &Fun) -> Option<Signature> {
        let entry = fun.entry.as_ref()?;
        let mut prims = Vec::new();
        for (_, t) in &entry.params {
            match &t.kind {
                ExtKind::Transparent { prim, .. } => prims.push(*prim),
                ExtKind::Opaque { .. } => return None,
            }
        }
        let leaves = fun.params.get(fun.params.len().checked_sub(prims.len())?..)?;
        let mut equal = Equal::default();
        equal.read(fun);
        let mut params = Vec::new();
        for (p, prim) in leaves.iter().zip(prims) {
            let dims: Option<Vec<Size>> = p.ty.shape().iter().map(|d| equal.size(*d)).collect();
            let value = equal.mentions(p.var.tag).then(|| equal.class_of(p.var.tag));
            params.push(Param { prim, dims: dims?, value });
        }
        let results = entry.results.iter().map(result).collect();
        Some(Signature { entry: entry.name.as_str().to_owned(), params, results })
    }

    /// The classes of sizes, in the order of the arguments.
    pub fn classes(&self) -> Vec<usize> {
        let mut out = Vec::new();
        for d in self.params.iter().flat_map(|p| &p.dims) {
            if let Size::Class(c) = d
                && !out.contains(c)
            {
                out.push(*c);
            }
        }
        out
    }
}

fn result(t: &ExtType) -> Outcome {
    Outcome { prims: leaves_of(t).into_iter().map(|l| l.0).collect(), whole: whole(t) }
}

fn whole(t: &ExtType) -> bool {
    match &t.kind {
        ExtKind::Transparent { .. } => true,
        ExtKind::Opaque { structure, .. } => match structure {
            ExtStructure::Record(fields) => fields.iter().all(|(_, t)| whole(t)),
            ExtStructure::Array(_, element) => whole(element),
            ExtStructure::Atomic | ExtStructure::Sum(_) => false,
        },
    }
}

/// Sizes that are compared before anything else is done.
#[derive(Default)]
struct Equal {
    parent: HashMap<u32, u32>,
    fixed: HashMap<u32, u64>,
}

impl Equal {
    fn read(&mut self, fun: &Fun) {
        for stm in &fun.body.stms {
            match &stm.exp {
                Exp::CmpOp(CmpOp::Eq(Prim::I64), SubExp::Var(x), y) => match y {
                    SubExp::Var(y) => {
                        let (x, y) = (self.root(x.tag), self.root(y.tag));
                        let fixed = self.fixed.get(&x).or(self.fixed.get(&y)).copied();
                        self.parent.insert(x, y);
                        self.parent.entry(y).or_insert(y);
                        if let Some(n) = fixed {
                            self.fixed.insert(y, n);
                        }
                    }
                    SubExp::Const(c) => {
                        let x = self.root(x.tag);
                        self.parent.entry(x).or_insert(x);
                        if let Some(n) = c.as_int().and_then(|n| u64::try_from(n).ok()) {
                            self.fixed.insert(x, n);
                        }
                    }
                },
                Exp::BinOp(..) => {}
                Exp::Assert { kind: AssertKind::Kept, .. } => return,
                _ => break,
            }
        }
        // No such check: what was compared is the program's own business.
        *self = Equal::default();
    }

    fn root(&self, mut x: u32) -> u32 {
        while let Some(&up) = self.parent.get(&x).filter(|up| **up != x) {
            x = up;
        }
        x
    }

    fn mentions(&self, x: u32) -> bool {
        self.parent.contains_key(&x)
    }

    fn class_of(&self, x: u32) -> Size {
        let x = self.root(x);
        match self.fixed.get(&x) {
            Some(n) => Size::Fixed(*n),
            None => Size::Class(x as usize),
        }
    }

    fn size(&self, d: SubExp) -> Option<Size> {
        match d {
            SubExp::Var(v) => Some(self.class_of(v.tag)),
            SubExp::Const(c) => c.as_int().and_then(|n| u64::try_from(n).ok()).map(Size::Fixed),
        }
    }
}
