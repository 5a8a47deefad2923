//! Bytes that are looked up in tables of 256: wherever they are read, it is inside, and a processor that permutes bytes finds those of
//! all lanes in registers.
//!
//! ```text
//! i = zext.i8.i64 p       a byte of each lane
//! x = table[i]            table: [256]u8, dense, the same for all lanes
//! ```

use crate::ir::traverse::{Visit, walk};
use crate::ir::varmap::VarMap;
use crate::ir::{
    ConvOp, DimIndex, Exp, IntType, KernelBody, MemBind, Poly, Stm, SubExp, Type, Var,
};

/// Elements of a table.
pub const TABLE: i64 = 256;

/// What is looked up in tables.
#[derive(Default, Debug)]
pub(super) struct Tables {
    /// Of indexes that are bytes widened by zeros, these bytes.
    bytes: VarMap<SubExp>,
    /// Uses of these indexes, and how many of them are lookups.
    uses: VarMap<(usize, usize)>,
}

impl Tables {
    pub fn of(body: &KernelBody, place_of: &dyn Fn(Var) -> Option<MemBind>) -> Tables {
        let mut search = Search { tables: Tables::default(), place_of };
        search.kernel_body(body);
        search.tables
    }

    /// The byte that an index is.
    pub fn byte(&self, index: Var) -> Option<SubExp> {
        self.bytes.get(&index).copied()
    }

    /// Whether all that is done with an index is to look it up.
    pub fn is_looked_up(&self, index: Var) -> bool {
        self.uses.get(&index).is_some_and(|(all, lookups)| *lookups > 0 && all == lookups)
    }
}

/// The index of a read that is a lookup: of a byte in a dense table of bytes.
pub(super) fn lookup(ty: &Type, place: Option<&MemBind>, dims: &[DimIndex]) -> Option<Var> {
    let Type::Prim(elem) = ty else { return None };
    let [DimIndex::Fix(SubExp::Var(index))] = dims else { return None };
    let [d] = place?.lmad.dims.as_slice() else { return None };
    let known = |p: Poly| p.as_const();
    let table = elem.bytes() == 1
        && known(Poly::leaf(d.n)) == Some(TABLE)
        && known(Poly::of(&d.stride)) == Some(1);
    table.then_some(*index)
}

struct Search<'p> {
    tables: Tables,
    place_of: &'p dyn Fn(Var) -> Option<MemBind>,
}

impl Visit for Search<'_> {
    fn var(&mut self, v: &Var) {
        if self.tables.bytes.contains_key(v) {
            self.tables.uses.entry(*v).or_default().0 += 1;
        }
    }

    fn stm(&mut self, s: &Stm) {
        if let [p] = s.pat.as_slice() {
            match s.exp {
                Exp::ConvOp(ConvOp::ZExt(IntType::I8, to), x) if to != IntType::I8 => {
                    self.tables.bytes.insert(p.var, x);
                }
                Exp::Index { array, ref dims } => {
                    let place = (self.place_of)(array);
                    let index = lookup(&p.ty, place.as_ref(), dims);
                    if let Some(index) = index.filter(|i| self.tables.bytes.contains_key(i)) {
                        self.tables.uses.entry(index).or_default().1 += 1;
                    }
                }
                _ => {}
            }
        }
        walk::stm(self, s);
    }
}
