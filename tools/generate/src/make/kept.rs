//! Filters and partitions of which all is reduced, counted or written to other places: what is mapped in between often
//! fails for what is not kept.

use super::Maker;
use super::bound::Var;
use crate::parts;
use crate::tree::{Block, Expr, Part, Stm};
use crate::types::{Scalar, Ty};
use futc_typed::prim::PrimType;

/// What is said of elements: a predicate and a function of those for which it holds.
struct Told {
    keep: Vec<Part>,
    map: Vec<Part>,
}

impl Maker {
    /// `filter` or `partition`, and some reductions of what it yields.
    pub fn kept_and_reduced(&mut self) -> Option<Stm> {
        let (stm, results) = self.kept()?;
        for (x, ty) in results {
            self.declare(&x, &ty, Vec::new());
        }
        Some(stm)
    }

    /// One of such reductions, or the sum of several.
    pub fn kept_of(&mut self, ty: &Ty) -> Option<Expr> {
        let (stm, results) = self.scoped(1, false, Maker::kept)?;
        let fit: Vec<String> =
            results.into_iter().filter(|(_, t)| t == ty).map(|(x, _)| x).collect();
        let whole = match ty {
            Ty::Scalar(Scalar::Exact(p)) if p.is_int() => fit.join(" + "),
            _ => fit.first()?.clone(),
        };
        (!fit.is_empty()).then(|| {
            let result = Box::new(Expr::new(ty, parts![whole]));
            Expr::new(ty, parts![Block { stms: vec![stm], result }])
        })
    }

    /// A statement, and what it binds.
    fn kept(&mut self) -> Option<(Stm, Vec<(String, Ty)>)> {
        let i = self.some_var(is_array_of_scalars)?;
        let xs = self.mention(i);
        let Ty::Array(n, elem) = xs.ty.clone() else { return None };
        let Ty::Scalar(scalar) = *elem else { return None };
        let times = self.estimate(&n).saturating_mul(3);
        if !self.affords(times) {
            return None;
        }
        let told = self.told(scalar, times);
        let kept = self.name("xs");
        let mut all: Vec<String> = vec![kept.clone()];
        let mut p = if self.r.one_in(3) {
            let rest = self.name("xs");
            all.push(rest.clone());
            parts![format!("let ({kept}, {rest}) = partition ")]
        } else {
            parts![format!("let {kept} = filter ")]
        };
        p.extend(told.keep);
        p.extend(parts![" ", xs]);
        if self.r.one_in(3) {
            // What is filtered from what is filtered, instead of that or beside it.
            let fewer = self.name("xs");
            let keep = self.short(|m| m.lambda(&[(Ty::Scalar(scalar), None)], &Ty::BOOL, times));
            p.extend(parts![format!("\nlet {fewer} = filter ")]);
            p.extend(keep);
            p.extend(parts![format!(" {kept}")]);
            if self.r.one_in(2) {
                all[0] = fewer;
            } else {
                all.push(fewer);
            }
        }
        let mut map = Some(told.map);
        let mut results = Vec::new();
        for _ in 0..1 + self.r.below(3) {
            let from = self.r.pick(&all)?.clone();
            // It may fail for the others.
            let guarded = if all.first() == Some(&from) { map.take() } else { None };
            let (x, ty, whole) = self.reduced(&from, scalar, guarded, times)?;
            p.extend(parts![format!("\nlet {x} : {ty} = "), whole]);
            results.push((x, ty));
        }
        Some((Stm(p), results))
    }

    fn told(&mut self, scalar: Scalar, times: i64) -> Told {
        let elem = Ty::Scalar(scalar);
        let param = [(elem.clone(), None)];
        let v = self.name("x");
        let numbers = |v: &Var| matches!(&v.ty, Ty::Array(_, t) if **t == Ty::I64);
        let table = self.some_var(numbers).filter(|_| self.r.one_in(2));
        match (scalar, table) {
            // Elements of another array.
            (Scalar::Exact(PrimType::I64), Some(i)) => {
                let t = self.mention(i);
                Told {
                    keep: parts![format!("(\\{v} -> {v} >= 0 && {v} < length "), t.clone(), ")"],
                    map: parts![format!("(\\{v} -> "), t, format!("[{v}])")],
                }
            }
            // Quotients.
            (Scalar::Exact(p), _) if p.is_int() && self.r.one_in(2) => {
                let op = self.r.of(["/", "%", "//", "%%"]);
                Told {
                    keep: parts![format!("(\\{v} -> {v} != 0{p})")],
                    map: parts![format!("(\\{v} -> 100{p} {op} {v})")],
                }
            }
            _ => {
                let keep = self.short(|m| m.lambda(&param, &Ty::BOOL, times));
                let map = self.short(|m| m.lambda(&param, &elem, times));
                Told { keep, map }
            }
        }
    }

    /// What reduces, counts or writes the elements of an array of any size, and a name for it.
    fn reduced(
        &mut self,
        from: &str,
        scalar: Scalar,
        map: Option<Vec<Part>>,
        times: i64,
    ) -> Option<(String, Ty, Expr)> {
        let elem = Ty::Scalar(scalar);
        let x = self.name("x");
        let mut mapped = vec![Part::from(" ")];
        match map {
            Some(f) => {
                mapped.extend(parts!["(map "]);
                mapped.extend(f);
                mapped.extend(parts![format!(" {from})")]);
            }
            None if self.r.one_in(2) => {
                let f = self.short(|m| m.lambda(&[(elem.clone(), None)], &elem, times));
                mapped.extend(parts!["(map "]);
                mapped.extend(f);
                mapped.extend(parts![format!(" {from})")]);
            }
            None => mapped.extend(parts![from.to_owned()]),
        }
        let (ty, whole) = match (scalar, self.r.below(8)) {
            (_, 0) => (Ty::I64, parts![format!("length {from}")]),
            (Scalar::Exact(p), 1) if p.is_int() => {
                let mut e = parts![
                    "reduce (+) 0i64 (map2 (*) [1i64, 7i64, 49i64, 343i64] (reduce_by_index (replicate 4 0i64) (+) 0i64 \
                     (map (\\x -> ",
                    format!("i64.{p} x % 4)")
                ];
                e.extend(mapped);
                e.extend(parts![format!(") (map (\\_ -> 1i64) {from})))")]);
                (Ty::I64, e)
            }
            (Scalar::Exact(p), 2) if p.is_int() => {
                let mut e = parts!["scatter (replicate 5 false) (map (\\x -> "];
                e.extend(parts![format!("i64.{p} x)")]);
                e.extend(mapped);
                e.extend(parts![format!(") (map (\\_ -> true) {from})")]);
                (
                    Ty::BOOL,
                    std::iter::once(Part::from("reduce (!=) false ("))
                        .chain(e)
                        .chain(parts![")"])
                        .collect(),
                )
            }
            _ => {
                let (op, ne) = self.operator(&elem)?;
                let mut e = parts![format!("reduce {op} {ne}")];
                e.extend(mapped);
                (elem.clone(), e)
            }
        };
        let whole = Expr::new(&ty, whole);
        let whole = match &ty {
            Ty::Scalar(Scalar::Near(p)) => self.bounded(*p, whole),
            _ => whole,
        };
        Some((x, ty, whole))
    }
}

fn is_array_of_scalars(v: &Var) -> bool {
    matches!(&v.ty, Ty::Array(_, t) if matches!(**t, Ty::Scalar(_)))
}
