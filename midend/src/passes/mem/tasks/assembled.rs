//! Arrays that are put together of others, and parts that are written into one: what does not lie there already is copied in
//! tasks.
//!
//! ```text
//! let zs @ b = concat(0, [xs, ys])      →      let part @ b → {0; (n, 1)} = copy(xs), in tasks
//!                                              let zs @ b = concat(0, [part, ys])
//! ```

use super::cutter::Cut;
use crate::ir::{Exp, MemBind, PatElem, Poly, Stm, SubExp, Type, Var};

impl Cut {
    /// A concatenation, or an update by an array, with copies of what it reads in their places; nothing if none is worth it.
    pub(super) fn assembled(&mut self, s: &Stm) -> Option<Vec<Stm>> {
        let [p] = s.pat.as_slice() else { return None };
        let to = p.mem.as_ref()?;
        let mut stm = s.clone();
        let parts: Vec<(&mut Var, MemBind)> = match &mut stm.exp {
            Exp::Concat { dim, arrays, size: _ } => self.one_after_another(*dim, arrays, to)?,
            Exp::Update { array: _, dims, value: SubExp::Var(v) } => {
                vec![(v, MemBind { block: to.block, lmad: to.lmad.slice(dims) })]
            }
            _ => return None,
        };
        let mut out = Vec::new();
        for (v, to) in parts {
            let from = self.places.of(*v)?;
            if from.mem.block == to.block {
                if from.mem.lmad.same_place(&to.lmad, &self.defs) {
                    continue;
                }
                return None;
            }
            let ty = Type::array(from.elem, to.lmad.shape());
            let part = PatElem::in_mem(self.b.fresh("part", ty.clone()), ty, to);
            let copied = std::mem::replace(v, part.var);
            let copy = Stm::new(vec![part], Exp::Copy(copied));
            let copy = Stm { certs: s.certs.clone(), loc: s.loc, ..copy };
            match self.bulk(&copy) {
                Some(cut) => out.extend(cut),
                None => *v = copied,
            }
        }
        if out.is_empty() {
            return None;
        }
        out.push(stm);
        Some(out)
    }

    /// Where the arrays of a concatenation go.
    fn one_after_another<'v>(
        &self,
        dim: usize,
        arrays: &'v mut [Var],
        to: &MemBind,
    ) -> Option<Vec<(&'v mut Var, MemBind)>> {
        let stride = Poly::of(&to.lmad.dims.get(dim)?.stride);
        let mut offset = Poly::default();
        let mut out = Vec::with_capacity(arrays.len());
        for v in arrays {
            let n = self.places.of(*v)?.mem.lmad.dims.get(dim)?.n;
            let mut lmad = to.lmad.shifted(&offset);
            lmad.dims.get_mut(dim)?.n = n;
            out.push((v, MemBind { block: to.block, lmad }));
            offset = offset.add(&stride.mul(&Poly::leaf(n)));
        }
        Some(out)
    }
}
