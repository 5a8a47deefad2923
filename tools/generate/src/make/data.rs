//! Tuples, records and sums.

use super::Maker;
use super::bound::BORROWED;
use crate::parts;
use crate::tree::{Def, Expr};
use crate::types::{Scalar, SumType, Ty};
use std::sync::Arc;

impl Maker {
    /// A tuple, record or sum from its components.
    pub fn data(&mut self, ty: &Ty) -> Expr {
        let mut groups = Vec::new();
        let mut parts = Vec::new();
        match ty {
            Ty::Tuple(ts) => {
                for (i, t) in ts.iter().enumerate() {
                    let e = self.expr(t);
                    groups.extend(&e.groups);
                    parts.extend(parts![if i == 0 { "(" } else { ", " }, e]);
                }
                parts.extend(parts![")"]);
            }
            Ty::Record(fs) => {
                for (i, (f, t)) in fs.iter().enumerate() {
                    let e = self.expr(t);
                    groups.extend(&e.groups);
                    parts.extend(parts![format!("{}{f} = ", if i == 0 { "{" } else { ", " }), e]);
                }
                parts.extend(parts!["}"]);
            }
            Ty::Sum(s) => {
                let s = s.clone();
                let i = self.r.below(s.constructors.len());
                if let Some((c, ts)) = s.constructors.get(i) {
                    parts.extend(parts![format!("(#{c}")]);
                    for t in ts {
                        let e = self.expr(t);
                        parts.extend(parts![" ", e]);
                    }
                    parts.extend(parts![format!(" : {})", s.name)]);
                }
            }
            Ty::Scalar(_) | Ty::Array(..) | Ty::Param(_) => return self.leaf(ty),
        }
        Expr::shared(ty, groups, parts)
    }

    /// A component of a tuple or record in scope.
    pub fn projection(&mut self, ty: &Ty) -> Option<Expr> {
        let i = self.some_var(|v| match &v.ty {
            Ty::Tuple(ts) => ts.contains(ty),
            Ty::Record(fs) => fs.iter().any(|(_, t)| t == ty),
            Ty::Scalar(_) | Ty::Array(..) | Ty::Sum(_) | Ty::Param(_) => false,
        })?;
        let r = self.mention(i);
        let field = match &r.ty {
            Ty::Tuple(ts) => ts.iter().position(|t| t == ty)?.to_string(),
            Ty::Record(fs) => fs.iter().find(|(_, t)| t == ty)?.0.to_string(),
            Ty::Scalar(_) | Ty::Array(..) | Ty::Sum(_) | Ty::Param(_) => return None,
        };
        Some(Expr::shared(ty, r.groups.clone(), parts![r, format!(".{field}")]))
    }

    /// A match on a sum, or on a number.
    pub fn matching(&mut self, ty: &Ty) -> Option<Expr> {
        let mut groups = Vec::new();
        let sum = match self.r.below(3) {
            0 => None,
            _ => self.sums.first().cloned(),
        };
        let Some(sum) = sum else {
            use futc_typed::prim::PrimType::{I8, I32, I64, U8};
            let p = self.r.of([I8, I32, I64, U8]);
            let mut parts = parts!["match ", self.expr(&Ty::exact(p))];
            for k in 0..1 + self.r.below(3) {
                let e = self.scoped(1, false, |m| m.expr(ty));
                groups.extend(&e.groups);
                parts.extend(parts![format!("\ncase {k}{p} -> "), e]);
            }
            let e = self.scoped(1, false, |m| m.expr(ty));
            groups.extend(&e.groups);
            parts.extend(parts!["\ncase _ -> ", e]);
            return Some(Expr::shared(ty, groups, parts));
        };
        let scrutinee = self.expr(&Ty::Sum(sum.clone()));
        let mut parts = parts!["match ", scrutinee];
        for (c, ts) in &sum.constructors {
            let (names, e) = self.scoped(1, false, |m| {
                let names: Vec<String> = ts.iter().map(|t| m.pattern(t, &[BORROWED])).collect();
                (names, m.expr(ty))
            });
            groups.extend(&e.groups);
            parts.extend(parts![format!("\ncase #{c} {} -> ", names.join(" ")), e]);
        }
        Some(Expr::shared(ty, groups, parts))
    }

    /// A record type.
    pub fn some_record(&mut self) -> Ty {
        let (a, b) = (self.some_scalar(), self.some_scalar());
        if self.r.one_in(4) {
            let c = self.some_scalar();
            return Ty::Record(vec![("a", a), ("b", Ty::Tuple(vec![b, c]))]);
        }
        Ty::Record(vec![("a", a), ("b", b)])
    }

    /// A sum type: one that is there, or a new one.
    pub fn some_sum(&mut self) -> Ty {
        if let Some(s) = self.r.pick(&self.sums.clone())
            && !self.r.one_in(3)
        {
            return Ty::Sum(s.clone());
        }
        let name = format!("{}t{}", self.prefix, self.sums.len());
        let mut constructors = vec![("none".to_owned(), Vec::new())];
        for c in ["some", "two", "three"].iter().take(1 + self.r.below(3)) {
            let payload = (0..1 + self.r.below(2)).map(|_| self.some_scalar()).collect();
            constructors.push(((*c).to_owned(), payload));
        }
        let texts: Vec<String> = constructors
            .iter()
            .map(|(c, ts)| {
                let ts: Vec<String> = ts.iter().map(|t| format!(" {t}")).collect();
                format!("#{c}{}", ts.concat())
            })
            .collect();
        self.defs.push(Def(parts![format!("type {name} = {}", texts.join(" | "))]));
        let sum = Arc::new(SumType { name, constructors });
        self.sums.push(sum.clone());
        Ty::Sum(sum)
    }

    /// A type of exact values that have an equality, and whether it is scalar.
    pub fn some_data_to_compare(&mut self) -> (Ty, bool) {
        for _ in 0..4 {
            let t = self.some_type();
            if exact(&t) {
                return (t, false);
            }
        }
        (Ty::I64, true)
    }
}

/// Without approximate floats.
fn exact(t: &Ty) -> bool {
    match t {
        Ty::Scalar(Scalar::Exact(_)) => true,
        Ty::Scalar(Scalar::Near(_)) | Ty::Param(_) => false,
        Ty::Array(_, t) => exact(t),
        Ty::Tuple(ts) => ts.iter().all(exact),
        Ty::Record(fs) => fs.iter().all(|(_, t)| exact(t)),
        Ty::Sum(s) => s.constructors.iter().all(|(_, ts)| ts.iter().all(exact)),
    }
}
