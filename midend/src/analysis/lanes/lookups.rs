//! Reads of tables of bytes at indexes that are bytes, as in `table[i64.u8 p]`: of such a table all elements fit into a few
//! vectors, of which lanes choose by permutations.
//!
//! ```text
//! p = index picture[i]        : i8     varies
//! m = and.i8(p, 63)           : i8     a byte of at most 63
//! t = zext.i8.i64(m)          : i64    the same byte, which is no vector of words if nothing else uses it
//! x = index table[t]                   a lookup, of 64 elements
//! ```
//!
//! So many elements are read as whole vectors have, which the table must have, too: where its size is a variable, that is
//! asked before the strips, as its index may have been checked against the size in the type of a parameter alone.

use super::facts::{Analysis, Class};
use super::tables::{Byte, Lookup, MOST};
use crate::ir::{BinOp, ConvOp, DimIndex, Exp, IntType, PatElem, Poly, Prim, SubExp, Type, Var};

/// Elements of tables that are looked up in one, two or four vectors of 64 bytes.
const SLOTS: [i64; 3] = [64, 128, 256];

impl Analysis<'_> {
    /// Whether a value that varies is a byte in a wider type, which only counts as such if something uses it that is no lookup.
    pub(super) fn is_wide_byte(&mut self, p: &PatElem, e: &Exp) -> bool {
        let (Type::Prim(Prim::Int(t)), true) = (&p.ty, self.instructions.permutes_bytes) else {
            return false;
        };
        let Some((byte, from)) = self.byte_of(p.var, e) else { return false };
        self.bytes.known.insert(p.var, byte);
        let wide = *t != IntType::I8;
        if wide && !self.bytes.wide.iter().any(|(v, ..)| *v == p.var) {
            self.bytes.wide.push((p.var, Prim::Int(*t).bytes(), from));
        }
        wide
    }

    /// The byte that an expression is, and the variable that it is one of.
    fn byte_of(&self, v: Var, e: &Exp) -> Option<(Byte, Option<Var>)> {
        let known = |x: SubExp| self.bytes.known.get(&x.var()?).copied();
        let narrow = |t: IntType, x: SubExp| match t {
            IntType::I8 => Some(known(x).unwrap_or(Byte::of(x))),
            _ => known(x),
        };
        let constant = |x: SubExp| match x {
            SubExp::Const(c) => c.as_int(),
            SubExp::Var(_) => None,
        };
        let (byte, from) = match *e {
            Exp::ConvOp(ConvOp::ZExt(from, to), x) if from.bits() <= to.bits() => {
                (narrow(from, x)?, x)
            }
            Exp::ConvOp(ConvOp::SExt(from, to), x) if from.bits() <= to.bits() => {
                let positive = |b: &Byte| from != IntType::I8 || b.most <= MOST / 2;
                (narrow(from, x).filter(positive)?, x)
            }
            Exp::BinOp(BinOp::And(t), a, b) => {
                let (x, mask) = match (constant(a), constant(b)) {
                    (None, Some(c)) => (a, c & MOST),
                    (Some(c), None) => (b, c & MOST),
                    _ => return None,
                };
                let byte = narrow(t, x)?;
                (Byte { mask: byte.mask & mask, ..byte.at_most(mask) }, x)
            }
            Exp::BinOp(BinOp::LShr(IntType::I8), x, by) => {
                let by = constant(by).filter(|by| (0..i64::from(u8::BITS)).contains(by))?;
                let byte = narrow(IntType::I8, x)?;
                (byte.at_most(byte.most >> by), x)
            }
            _ => return None,
        };
        // What is of eight bits is a byte itself.
        let is_byte =
            matches!(e, Exp::BinOp(BinOp::And(IntType::I8) | BinOp::LShr(IntType::I8), ..));
        let byte = if is_byte { Byte { most: byte.most, ..Byte::of(v.into()) } } else { byte };
        Some((byte, from.var()))
    }

    /// Whether an element that is read is one of a table.
    pub(super) fn is_lookup(
        &mut self,
        array: Var,
        dims: &[DimIndex],
        classes: &[Class],
        pat: &[PatElem],
    ) -> bool {
        let [p] = pat else { return false };
        let lookup = self.lookup(array, dims, classes, pat);
        // In another round of a loop, indexes may vary that did not before.
        match lookup {
            Some(lookup) => self.bytes.lookups.insert(p.var, lookup),
            None => self.bytes.lookups.remove(&p.var),
        };
        lookup.is_some()
    }

    fn lookup(
        &mut self,
        array: Var,
        dims: &[DimIndex],
        classes: &[Class],
        pat: &[PatElem],
    ) -> Option<Lookup> {
        let [PatElem { ty: Type::Prim(elem), .. }] = pat else { return None };
        let mut moves = classes.iter().enumerate().filter(|(_, c)| **c != Class::Uniform);
        let (dim, Class::Varying) = moves.next()? else { return None };
        let DimIndex::Fix(SubExp::Var(index)) = dims.get(dim)? else { return None };
        let byte = *self.bytes.known.get(index)?;
        let place = (self.place_of)(array)?;
        let of = place.lmad.dims.get(dim)?;
        let dense = Poly::of(&of.stride).as_const() == Some(1);
        if moves.next().is_some() || elem.bytes() != 1 || !dense {
            return None;
        }
        let slots = SLOTS.into_iter().find(|slots| byte.most < *slots)?;
        match of.n {
            SubExp::Const(n) => n.as_int().filter(|n| *n >= slots).map(drop)?,
            SubExp::Var(n) if self.lanes.classes.contains_key(&n) => return None,
            SubExp::Var(n) => {
                if !self.lanes.tables.contains(&(n, slots)) {
                    self.lanes.tables.push((n, slots));
                }
            }
        }
        Some(Lookup { byte: byte.byte, mask: byte.mask, dim, slots, index: *index })
    }

    /// What has been found out about bytes, once all of the body is known.
    pub(super) fn settle_bytes(&mut self) {
        self.lanes.widest = self.lanes.widest.max(self.bytes.widest(&self.lanes.used));
        self.lanes.lookups = std::mem::take(&mut self.bytes.lookups);
    }
}
