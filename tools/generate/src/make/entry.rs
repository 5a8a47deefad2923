//! The whole program: constants, functions, an entry point and arguments for it.

use super::Maker;
use super::bound::BORROWED;
use crate::parts;
use crate::tree::{Expr, Program};
use crate::types::{Scalar, Size, Ty};
use crate::values::Value;
use futc_typed::prim::PrimType;
use std::sync::Arc;

/// Sizes of arguments: none, one, few, more than a vector register holds, and more than several.
const SIZES: [i64; 16] = [0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 9, 17, 31, 40, 159];
/// No more results than these.
const RESULTS: usize = 7;

impl Maker {
    pub fn program(&mut self, seed: u64) -> Program {
        self.fuel = 30;
        for _ in 0..self.r.below(2) {
            self.constant();
        }
        for _ in 0..self.r.below(4) {
            self.fuel = 20 + self.r.below(40) as i32;
            self.function();
        }
        if self.r.one_in(4) {
            self.module();
        }
        if self.r.one_in(3) {
            self.fuel = 15;
            self.finder();
        }
        let mut sizes = Vec::new();
        for _ in 0..self.r.below(3) {
            let name = self.name("n");
            let n = self.r.of(SIZES);
            self.sizes.push((Size::Name(Arc::from(name.as_str())), n));
            sizes.push((name, n));
        }
        self.owned_from = self.next_group + 1;
        let mut params = Vec::new();
        for i in 0..sizes.len() {
            let (name, _) = &sizes[i];
            let n = Size::Name(Arc::from(name.as_str()));
            let ty = Ty::array(&n, self.some_scalar());
            params.push(self.argument(&ty, &sizes));
        }
        for _ in 0..self.r.below(4) {
            let ty = match self.r.below(3) {
                0 => self.some_scalar(),
                1 => {
                    let n = self.size();
                    Ty::array(&n, self.some_scalar())
                }
                _ => {
                    let (n, m) = (self.size(), self.size());
                    if self.estimate(&n) * self.estimate(&m) > 300 {
                        self.some_scalar()
                    } else {
                        Ty::array(&n, Ty::array(&m, self.some_scalar()))
                    }
                }
            };
            params.push(self.argument(&ty, &sizes));
        }
        let own = self.vars.len();
        self.fuel = 40 + self.r.below(160) as i32;
        let count = 1 + self.r.below(9);
        let mut stms = self.statements(count);
        if self.r.one_in(5) {
            stms.push(self.unread());
            let more = self.r.below(3);
            stms.extend(self.statements(more));
        }
        let mut results = Vec::new();
        // What nothing has used so far is a result, so that little is dead.
        for i in (own..self.vars.len()).rev() {
            let v = &self.vars[i];
            if results.len() < RESULTS - 2 && v.alive && v.uses == 0 && v.ty.transparent().is_some()
            {
                let e = self.mention(i);
                results.push(self.returned(e));
            }
        }
        self.fuel = self.fuel.max(20);
        for _ in 0..1 + self.r.below(2) {
            let n = self.size();
            let ty = match self.r.below(3) {
                0 => self.some_scalar(),
                1 => Ty::array(&n, self.some_scalar()),
                _ => {
                    let m = self.size();
                    if self.estimate(&n) * self.estimate(&m) > 300 {
                        self.some_scalar()
                    } else {
                        Ty::array(&n, Ty::array(&m, self.some_scalar()))
                    }
                }
            };
            let e = self.expr(&ty);
            results.push(self.returned(e));
        }
        if self.r.one_in(12) {
            let e = self.failing();
            results.push(e);
        }
        let entry = format!("{}main", self.prefix);
        Program { seed, defs: std::mem::take(&mut self.defs), entry, sizes, params, stms, results }
    }

    /// Something that may fail. Only what a result is made of directly must fail, as the optimiser
    /// may drop what nobody needs.
    fn failing(&mut self) -> Expr {
        let i = self.expr(&Ty::I64);
        let ty = Ty::I64;
        match self.r.below(6) {
            0 => {
                let j = self.expr(&ty);
                Expr::new(&ty, parts![i, self.r.of([" / ", " % "]), j])
            }
            1 => {
                let n = self.size();
                let xs = self.expr(&Ty::array(&n, Ty::I64));
                Expr::new(&ty, parts!["(", xs, ")[", i, "]"])
            }
            2 => {
                let n = self.size();
                let xs = self.expr(&Ty::array(&n, Ty::I64));
                let js = self.expr(&Ty::array(&n, Ty::I64));
                Expr::new(
                    &Ty::array(&n, Ty::I64),
                    parts!["let xs = ", xs, "\nin map (\\j -> xs[j]) ", js],
                )
            }
            3 => Expr::new(&ty, parts!["assert (", i, " > 2) ", self.expr(&ty)]),
            4 => {
                let n = self.size();
                self.failing_windows(&n)
            }
            _ => {
                let n = self.size();
                let ty = Ty::array(&n, Ty::I64);
                Expr::new(&ty, parts!["iota (", i, format!(" % 50) :> {ty}")])
            }
        }
    }

    /// A parameter and its argument.
    fn argument(&mut self, ty: &Ty, sizes: &[(String, i64)]) -> (String, bool, Ty, Value) {
        let unique = matches!(ty, Ty::Array(..)) && self.r.one_in(3);
        let name = self.name("x");
        let groups = if unique { Vec::new() } else { vec![BORROWED] };
        self.declare(&name, ty, groups);
        let mut shape = Vec::new();
        let mut t = ty;
        while let Ty::Array(n, inner) = t {
            shape.push(match n {
                Size::Const(k) => *k as u64,
                Size::Name(x) => {
                    sizes.iter().find(|(s, _)| **s == **x).map_or(0, |(_, k)| *k as u64)
                }
                Size::Sum(..) | Size::Product(..) => 0,
            });
            t = inner;
        }
        let s = match t {
            Ty::Scalar(s) => *s,
            Ty::Array(..) | Ty::Tuple(_) | Ty::Record(_) | Ty::Sum(_) | Ty::Param(_) => {
                Scalar::Exact(PrimType::I64)
            }
        };
        let count: u64 = shape.iter().product();
        let bits: Vec<u64> = (0..count).map(|_| self.bits(s)).collect();
        (name, unique, ty.clone(), Value::new(s.prim(), shape, bits))
    }

    /// A number, as bits. Mostly small.
    fn bits(&mut self, s: Scalar) -> u64 {
        let p = s.prim();
        match p {
            PrimType::Bool => self.r.next() & 1,
            PrimType::F16 => [0u64, 0x3c00, 0xc000, 0x4200, 0x3800, 0x4900][self.r.below(6)],
            PrimType::F32 | PrimType::F64 => {
                let x = match (self.r.below(20), s) {
                    (0, Scalar::Exact(_)) => f64::INFINITY,
                    (1, Scalar::Exact(_)) => f64::NAN,
                    (2, Scalar::Exact(_)) => 1e9,
                    _ => self.r.between(-40, 40) as f64 / 4.0,
                };
                if p == PrimType::F32 { u64::from((x as f32).to_bits()) } else { x.to_bits() }
            }
            _ => match self.r.below(10) {
                0 => self.r.next(),
                _ if p.is_unsigned() => self.r.between(0, 9) as u64,
                _ => self.r.between(-5, 9) as u64,
            },
        }
    }
}
