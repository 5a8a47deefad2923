//! Scalars: arithmetic, comparisons, conversions.

use super::Maker;
use crate::parts;
use crate::tree::Expr;
use crate::types::{INTS, Scalar, Ty};
use futc_typed::prim::PrimType;

/// Approximate floats stay between this and its negative, so that errors stay small.
const BOUND: &str = "50";

impl Maker {
    /// A constant.
    pub fn literal(&mut self, s: Scalar) -> Expr {
        let p = s.prim();
        let text = if p == PrimType::Bool {
            self.r.of(["true", "false"]).to_owned()
        } else if p.is_float() {
            let x =
                self.r.of(["0.0", "1.0", "2.0", "0.5", "3.25", "-1.5", "-7.0", "10.0", "0.125"]);
            format!("{x}{p}")
        } else {
            let x = match self.r.below(12) {
                0 => self.r.between(0, 127),
                1 if p.is_signed() => self.r.between(-128, -1),
                2 => return Expr::new(&Ty::Scalar(s), parts![format!("{p}.highest")]),
                3 => return Expr::new(&Ty::Scalar(s), parts![format!("{p}.lowest")]),
                _ => self.r.between(0, 5),
            };
            if x == -128 { format!("{p}.lowest") } else { format!("{x}{p}") }
        };
        Expr::new(&Ty::Scalar(s), parts![text])
    }

    /// An expression of a scalar type that is made of other scalars.
    pub fn scalar(&mut self, s: Scalar) -> Expr {
        if self.r.one_in(5) {
            return self.leaf(&Ty::Scalar(s));
        }
        match s {
            Scalar::Exact(PrimType::Bool) => self.boolean(),
            Scalar::Exact(p) if p.is_float() => self.float(p),
            Scalar::Exact(p) => self.integer(p),
            Scalar::Near(p) => self.near(p),
        }
    }

    fn boolean(&mut self) -> Expr {
        let ty = Ty::BOOL;
        match self.r.below(8) {
            0 => {
                let (a, b) = (self.expr(&ty), self.expr(&ty));
                Expr::new(&ty, parts![a, self.r.of([" && ", " || ", " == ", " != "]), b])
            }
            1 => Expr::new(&ty, parts!["!", self.expr(&ty)]),
            2 => {
                let (t, _) = self.some_data_to_compare();
                let (a, b) = (self.expr(&t), self.expr(&t));
                Expr::new(&ty, parts![a, self.r.of([" == ", " != "]), b])
            }
            _ => {
                let t = self.exact_number();
                let (a, b) = (self.expr(&t), self.expr(&t));
                Expr::new(
                    &ty,
                    parts![a, self.r.of([" < ", " <= ", " == ", " != ", " > ", " >= "]), b],
                )
            }
        }
    }

    /// The type of a number that may be compared.
    fn exact_number(&mut self) -> Ty {
        use PrimType::{F16, F32, F64, I32, I64};
        let p = match self.r.below(4) {
            0 => self.r.of(INTS),
            1 => self.r.of([F64, F32, F32, F16]),
            _ => self.r.of([I32, I64]),
        };
        Ty::exact(p)
    }

    fn integer(&mut self, p: PrimType) -> Expr {
        let ty = Ty::exact(p);
        match self.r.below(16) {
            0..=4 => {
                let (a, b) = (self.expr(&ty), self.expr(&ty));
                Expr::new(&ty, parts![a, self.r.of([" + ", " - ", " * ", " + ", " - "]), b])
            }
            5 => {
                let (a, b) = (self.expr(&ty), self.expr(&ty));
                Expr::new(&ty, parts![a, self.r.of([" & ", " | ", " ^ "]), b])
            }
            6 => {
                let op = self.r.of(["max", "min"]);
                let (a, b) = (self.expr(&ty), self.expr(&ty));
                Expr::new(&ty, parts![format!("{p}.{op} "), a, " ", b])
            }
            7 => {
                // An odd divisor is not zero.
                let op = self.r.of([" / ", " % ", " // ", " %% "]);
                let (a, b) = (self.expr(&ty), self.expr(&ty));
                Expr::new(&ty, parts![a, op, "(", b, format!(" | 1{p})")])
            }
            8 => {
                let op = self.r.of([" / ", " % ", " // ", " %% "]);
                let k = self.r.of([1, 2, 3, 4, 7, 8, 10]);
                Expr::new(&ty, parts![self.expr(&ty), op, format!("{k}{p}")])
            }
            9 => {
                let op = self.r.of([" << ", " >> ", " >>> "]);
                let (a, b) = (self.expr(&ty), self.expr(&ty));
                Expr::new(&ty, parts![a, op, "(", b, format!(" & 7{p})")])
            }
            10 => {
                let f = self.r.of(["abs", "sgn", "not", "neg"]);
                Expr::new(&ty, parts![format!("{p}.{f} "), self.expr(&ty)])
            }
            11 => {
                if p == PrimType::I32 && self.r.one_in(2) {
                    let q = self.r.of(INTS);
                    let f = self.r.of(["popc", "clz", "ctz"]);
                    return Expr::new(&ty, parts![format!("{q}.{f} "), self.expr(&Ty::exact(q))]);
                }
                Expr::new(&ty, parts![self.expr(&ty), " ** (", self.expr(&ty), format!(" & 3{p})")])
            }
            12 if p == PrimType::I64 => {
                if let Some(i) = self.some_var(|v| matches!(v.ty, Ty::Array(..))) {
                    let xs = self.mention(i);
                    return Expr::new(&ty, parts!["length ", xs]);
                }
                self.leaf(&ty)
            }
            _ => {
                let from = match self.exact_scalar() {
                    q if q == p => PrimType::I8,
                    q => q,
                };
                Expr::new(&ty, parts![format!("{p}.{from} "), self.expr(&Ty::exact(from))])
            }
        }
    }

    fn exact_scalar(&mut self) -> PrimType {
        use PrimType::{Bool, F16, F32, F64};
        match self.r.below(4) {
            0 => self.r.of([F64, F32, F16]),
            1 => Bool,
            _ => self.r.of(INTS),
        }
    }

    /// Only operations that IEEE 754 defines to the last bit.
    fn float(&mut self, p: PrimType) -> Expr {
        let ty = Ty::exact(p);
        match self.r.below(12) {
            0..=4 => {
                let (a, b) = (self.expr(&ty), self.expr(&ty));
                Expr::new(&ty, parts![a, self.r.of([" + ", " - ", " * ", " / ", " * "]), b])
            }
            5 => {
                let op = self.r.of(["max", "min"]);
                let (a, b) = (self.expr(&ty), self.expr(&ty));
                Expr::new(&ty, parts![format!("{p}.{op} "), a, " ", b])
            }
            6 | 7 => {
                let f = self.r.of(["abs", "neg", "floor", "ceil", "trunc", "round", "sqrt", "sgn"]);
                Expr::new(&ty, parts![format!("{p}.{f} "), self.expr(&ty)])
            }
            8 => {
                let (a, b) = (self.expr(&ty), self.expr(&ty));
                Expr::new(&ty, parts![a, " % ", b])
            }
            _ => {
                let from = match self.exact_scalar() {
                    q if q == p => PrimType::I16,
                    q => q,
                };
                Expr::new(&ty, parts![format!("{p}.{from} "), self.expr(&Ty::exact(from))])
            }
        }
    }

    /// Nothing here makes errors larger, and results are bounded.
    fn near(&mut self, p: PrimType) -> Expr {
        let ty = Ty::Scalar(Scalar::Near(p));
        match self.r.below(12) {
            0..=2 => {
                let (a, b) = (self.expr(&ty), self.expr(&ty));
                let op = self.r.of([" + ", " - "]);
                self.bounded(p, Expr::new(&ty, parts![a, op, b]))
            }
            3 | 4 => {
                let (a, b) = (self.expr(&ty), self.expr(&ty));
                self.bounded(p, Expr::new(&ty, parts![a, " * ", b, format!(" * 0.02{p}")]))
            }
            5 => {
                let k = self.r.of(["0.5", "0.25", "-1.0", "0.1"]);
                Expr::new(&ty, parts![self.expr(&ty), format!(" * {k}{p}")])
            }
            6 => {
                let op = self.r.of(["max", "min"]);
                let (a, b) = (self.expr(&ty), self.expr(&ty));
                Expr::new(&ty, parts![format!("{p}.{op} "), a, " ", b])
            }
            7 | 8 => {
                let f = self.r.of(["sin", "cos", "atan", "tanh", "abs", "erf", "neg"]);
                Expr::new(&ty, parts![format!("{p}.{f} "), self.expr(&ty)])
            }
            9 => {
                let e = self.expr(&ty);
                match self.r.below(2) {
                    0 => Expr::new(&ty, parts![format!("{p}.exp (-({p}.abs "), e, "))"]),
                    _ => Expr::new(&ty, parts![format!("{p}.log (1.0{p} + {p}.abs "), e, ")"]),
                }
            }
            _ => self.narrowed(p),
        }
    }

    /// An approximate float of an exact number.
    fn narrowed(&mut self, p: PrimType) -> Expr {
        let e = self.expr(&Ty::exact(p));
        self.bounded(p, e)
    }

    /// An approximate float that is not large.
    pub fn bounded(&mut self, p: PrimType, e: Expr) -> Expr {
        let ty = Ty::Scalar(Scalar::Near(p));
        Expr::new(&ty, parts![format!("{p}.max (-{BOUND}) ({p}.min {BOUND} "), e, ")"])
    }
}
