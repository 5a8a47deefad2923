//! Programs from seeds.
//!
//! Expressions are made for a type that is wanted, so that all is well-typed; fuel bounds the size of
//! the program, and an estimate of how often an expression runs bounds the time it takes.

mod array;
mod block;
mod borders;
mod bound;
mod call;
mod carried;
mod columns;
mod combine;
mod data;
mod elements;
mod entry;
mod filled;
mod function;
mod guarded;
mod idioms;
mod index;
mod kept;
mod lines;
mod loops;
mod modules;
mod periods;
mod planes;
mod probe;
mod repeated;
mod replaced;
mod rotated;
mod rounds;
mod rows;
mod scalar;
pub mod scope;
mod several;
mod slices;
mod small;
mod truths;
pub mod unread;
mod update;
mod views;
mod windows;
mod writes;

use crate::parts;
use crate::random::Random;
use crate::tree::{Def, Expr, Program};
use crate::types::{INTS, Scalar, Size, SumType, Ty};
use bound::{Fun, Var};
use futc_typed::prim::PrimType;
use std::sync::Arc;

/// What is known while a program is made.
pub(crate) struct Maker {
    r: Random,
    /// Put before names at top level.
    prefix: String,
    vars: Vec<Var>,
    funs: Vec<Fun>,
    /// Functions at top level with an array of any size of their result type.
    finders: Vec<Fun>,
    /// Sizes in scope, and about how large they are.
    sizes: Vec<(Size, i64)>,
    sums: Vec<Arc<SumType>>,
    defs: Vec<Def>,
    next_name: u32,
    next_group: u32,
    owned_from: u32,
    /// The last group of a constant at top level.
    constants: u32,
    /// Expressions still to be made, about.
    fuel: i32,
    depth: usize,
    /// How often what is made here runs.
    work: i64,
    /// The most that `work` has been.
    spent: i64,
    /// The most that `work` may be.
    limit: i64,
    /// The groups of all variables mentioned.
    touched: Vec<u32>,
}

/// The program of a seed. `prefix` is put before all of its names at top level, so that many can be
/// in one file.
pub fn generate(seed: u64, prefix: &str) -> Program {
    let mut m = Maker {
        r: Random::new(seed),
        prefix: prefix.into(),
        vars: Vec::new(),
        funs: Vec::new(),
        finders: Vec::new(),
        sizes: Vec::new(),
        sums: Vec::new(),
        defs: Vec::new(),
        next_name: 0,
        next_group: 0,
        owned_from: 1,
        constants: 0,
        fuel: 0,
        depth: 0,
        work: 1,
        spent: 1,
        limit: 600,
        touched: Vec::new(),
    };
    m.program(seed)
}

/// Deeper expressions are leaves.
const DEPTH: usize = 9;

impl Maker {
    /// An expression of a type.
    pub fn expr(&mut self, ty: &Ty) -> Expr {
        self.fuel -= 1;
        if self.fuel < 0 || self.depth > DEPTH {
            return self.leaf(ty);
        }
        self.depth += 1;
        let e = match self.r.below(20) {
            0..=3 => self.var_of(ty),
            4 => self.conditional(ty),
            5 => self.matching(ty),
            6 | 7 => self.call(ty),
            8 => self.looping(ty),
            9 if self.depth < 5 => Some(self.let_in(ty)),
            10 => self.projection(ty),
            11 | 12 => self.element(ty),
            13 => match self.r.one_in(4) {
                true => self.searched(ty),
                false => self.folded(ty),
            },
            _ => None,
        };
        let e = match e {
            Some(e) => e,
            None => match ty {
                Ty::Scalar(s) => self.scalar(*s),
                Ty::Array(n, t) => self.array(n, t),
                Ty::Tuple(_) | Ty::Record(_) | Ty::Sum(_) => self.data(ty),
                Ty::Param(_) => self.leaf(ty),
            },
        };
        self.depth -= 1;
        e
    }

    /// A variable or constant.
    pub fn leaf(&mut self, ty: &Ty) -> Expr {
        if !self.r.one_in(8)
            && let Some(e) = self.var_of(ty)
        {
            return e;
        }
        match ty {
            Ty::Scalar(s) => self.literal(*s),
            Ty::Array(n, t) if **t == Ty::I64 && self.r.one_in(2) => {
                Expr::new(ty, parts!["iota ", Maker::size_text(n)])
            }
            Ty::Array(n, t) => {
                let e = self.leaf(t);
                Expr::new(ty, parts!["replicate ", Maker::size_text(n), " ", e])
            }
            Ty::Tuple(ts) => {
                let mut groups = Vec::new();
                let mut parts = Vec::new();
                for (i, t) in ts.iter().enumerate() {
                    let e = self.leaf(t);
                    groups.extend(&e.groups);
                    parts.extend(parts![if i == 0 { "(" } else { ", " }, e]);
                }
                parts.extend(parts![")"]);
                Expr::shared(ty, groups, parts)
            }
            Ty::Record(_) | Ty::Sum(_) => {
                let fuel = std::mem::replace(&mut self.fuel, -1);
                let e = self.data(ty);
                self.fuel = fuel;
                e
            }
            // There is always a parameter of the type.
            Ty::Param(_) => match self.var_of(ty) {
                Some(e) => e,
                None => Expr::new(ty, parts!["x"]),
            },
        }
    }

    /// A scalar type.
    pub fn some_scalar(&mut self) -> Ty {
        use PrimType::{Bool, F16, F32, F64, I32, I64};
        let s = match self.r.below(16) {
            0..=3 => Scalar::Exact(I32),
            4..=6 => Scalar::Exact(I64),
            7 | 8 => Scalar::Exact(self.r.of(INTS)),
            9 => Scalar::Exact(Bool),
            10 => Scalar::Exact(F64),
            11 => Scalar::Exact(self.r.of([F32, F32, F16])),
            12..=14 => Scalar::Near(F32),
            _ => Scalar::Near(F64),
        };
        Ty::Scalar(s)
    }

    /// The type of an element of an array.
    pub fn some_element(&mut self) -> Ty {
        match self.r.below(10) {
            0 => Ty::Tuple(vec![self.some_scalar(), self.some_scalar()]),
            1 => self.some_record(),
            2 => self.some_sum(),
            3 | 4 if self.depth < 4 => {
                let n = self.size();
                if self.estimate(&n) > 20 {
                    return self.some_scalar();
                }
                let m = self.size();
                if self.r.one_in(5) && self.estimate(&n) * self.estimate(&m) <= 12 {
                    return Ty::array(&n, Ty::array(&m, self.some_scalar()));
                }
                Ty::array(&n, self.some_scalar())
            }
            _ => self.some_scalar(),
        }
    }

    /// Any type.
    pub fn some_type(&mut self) -> Ty {
        match self.r.below(12) {
            0..=2 => self.some_scalar(),
            3..=8 => {
                let n = self.size();
                Ty::array(&n, self.some_element())
            }
            9 => Ty::Tuple(vec![self.some_scalar(), self.some_type_of_two()]),
            10 => self.some_record(),
            _ => self.some_sum(),
        }
    }

    fn some_type_of_two(&mut self) -> Ty {
        if self.r.one_in(2) {
            return self.some_scalar();
        }
        let n = self.size();
        Ty::array(&n, self.some_scalar())
    }
}
