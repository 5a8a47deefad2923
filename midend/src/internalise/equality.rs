//! `==` at any type without functions: records by field, sums by constructor and payload, arrays
//! by shape and then by element.

use super::error::R;
use super::spec::Spec;
use super::value::{SumLayout, Ty, Value, core_prim};
use crate::ir::{CmpOp, Const, Prim, SubExp, UnOp};
use std::rc::Rc;

impl Spec<'_> {
    /// `x == y`, or `x != y`.
    pub(super) fn equality(&mut self, equal: bool, types: &[Ty], args: &[Value]) -> R<Value> {
        let (Some(ty), [x, y]) = (types.first(), args) else {
            return self.bug("equality without a type");
        };
        let eq = self.equal(ty, x, y)?;
        Ok(Value::Leaf(if equal { eq } else { self.unop(UnOp::Not, eq) }))
    }

    fn equal(&mut self, ty: &Ty, x: &Value, y: &Value) -> R<SubExp> {
        match (ty, x, y) {
            (Ty::Prim(p), Value::Leaf(x), Value::Leaf(y)) => {
                Ok(self.cmp(CmpOp::Eq(core_prim(*p)), *x, *y))
            }
            (Ty::Record(fields), _, _) if fields.is_empty() => Ok(SubExp::bool(true)),
            (Ty::Record(fields), Value::Record(xs), Value::Record(ys)) => {
                let mut ok = SubExp::bool(true);
                for (((_, t), (_, x)), (_, y)) in fields.iter().zip(xs.iter()).zip(ys.iter()) {
                    let e = self.equal(t, x, y)?;
                    ok = self.and(ok, e);
                }
                Ok(ok)
            }
            (Ty::Array(_, elem), _, _) => self.equal_arrays(elem, x, y),
            (Ty::Sum(constrs), Value::Sum(xs), Value::Sum(ys)) => {
                self.equal_sums(constrs, xs.clone(), ys.clone())
            }
            _ => self.bug("equality of values of no such type"),
        }
    }

    fn equal_arrays(&mut self, elem: &Rc<Ty>, x: &Value, y: &Value) -> R<SubExp> {
        let n = self.outer(x)?;
        let m = self.outer(y)?;
        // Inner shapes too must be equal before rows can be compared side by side.
        let mut same = self.eq64(n, m);
        let rank = {
            let mut rank = 0;
            let mut t: &Ty = elem;
            while let Ty::Array(_, e) = t {
                rank += 1;
                t = e;
            }
            rank
        };
        if let (Some(a), Some(b)) = (x.first_leaf(), y.first_leaf()) {
            for i in 1..=rank {
                if let (Some(d), Some(e)) = (self.dim(a, i), self.dim(b, i)) {
                    let eq = self.eq64(d, e);
                    same = self.and(same, eq);
                }
            }
        }
        let value = self.conditional(
            same,
            |s| {
                let both = Value::tuple(vec![x.clone(), y.clone()]);
                let ok = s.for_all(n, &both, |s, row| {
                    let Value::Record(xy) = &row else { return s.bug("a pair was expected") };
                    match xy.as_ref() {
                        [(_, a), (_, b)] => s.equal(elem, a, b),
                        _ => s.bug("a pair was expected"),
                    }
                })?;
                Ok(Value::Leaf(ok))
            },
            |_| Ok(Value::Leaf(SubExp::bool(false))),
            None,
        )?;
        self.scalar(Some(&value))
    }

    fn equal_sums(
        &mut self,
        constrs: &[(futc_typed::name::Name, Vec<Ty>)],
        xs: Rc<[SubExp]>,
        ys: Rc<[SubExp]>,
    ) -> R<SubExp> {
        let (Some(tx), Some(ty)) = (xs.first().copied(), ys.first().copied()) else {
            return self.bug("a sum without a tag");
        };
        let byte = Prim::Int(crate::ir::IntType::I8);
        let same = self.cmp(CmpOp::Eq(byte), tx, ty);
        let layout = SumLayout::new(constrs);
        if constrs.iter().all(|(_, tys)| tys.is_empty()) {
            return Ok(same);
        }
        let payload = self.conditional(
            same,
            |s| {
                let mut consts = Vec::new();
                let mut branches = Vec::new();
                for (i, ((_, tys), slots)) in constrs.iter().zip(&layout.slots).enumerate() {
                    if tys.is_empty() {
                        continue;
                    }
                    consts.push(Const::I8(i as i8));
                    branches.push(s.scoped(|s| s.equal_payloads(tys, slots, &xs, &ys))?);
                }
                branches.push(s.scoped(|_| Ok(Value::Leaf(SubExp::bool(true))))?);
                s.branch(tx, consts, branches, None)
            },
            |_| Ok(Value::Leaf(SubExp::bool(false))),
            None,
        )?;
        self.scalar(Some(&payload))
    }

    fn equal_payloads(
        &mut self,
        tys: &[Ty],
        slots: &[usize],
        xs: &[SubExp],
        ys: &[SubExp],
    ) -> R<Value> {
        let mut a = slots.iter().filter_map(|k| xs.get(*k).copied());
        let mut b = slots.iter().filter_map(|k| ys.get(*k).copied());
        let mut ok = SubExp::bool(true);
        for t in tys {
            let (Some(x), Some(y)) = (t.value(&mut a), t.value(&mut b)) else {
                return self.bug("the payload does not fit its type");
            };
            let e = self.equal(t, &x, &y)?;
            ok = self.and(ok, e);
        }
        Ok(Value::Leaf(ok))
    }
}
