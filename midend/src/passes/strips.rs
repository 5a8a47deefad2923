//! Strips: points of a map that go together, the arrays of each beside those of its neighbours, element by element.
//!
//! What both passes that make them ([`super::mem`], [`super::seg`]) know of their size.

use crate::ir::{Builder, CmpOp, IntType, Poly, SubExp};

/// Bytes of a vector of all points of a strip: two lines of the cache.
pub(super) const STRIP_BYTES: i64 = 128;
/// Points of a strip.
pub(super) const FEWEST: i64 = 16;
pub(super) const MOST: i64 = 64;
/// Lines are cut to strips only where all blocks stay in the second cache.
pub(super) const MOST_BYTES: i64 = 768 << 10;
/// Sizes below this have no products that are too large for a word, as long as they are of a few factors.
const SMALL_SIZE: i64 = 1 << 16;

/// Points of a strip whose arrays have elements of as many bytes.
pub(super) fn width(bytes: i64) -> i64 {
    (STRIP_BYTES / bytes.max(1)).clamp(FEWEST, MOST)
}

/// Whether `n` points are a whole strip, and all that each has, of these bytes, has room for a strip in so many bytes of a
/// cache.
pub(super) fn fits(sizes: &[Poly], width: i64, n: SubExp, most: i64, b: &mut Builder) -> SubExp {
    let mut fits = b.le(SubExp::i64(width), n);
    let mut known: Vec<SubExp> = Vec::new();
    let mut total = Poly::constant(0);
    for bytes in sizes {
        total = total.add(&bytes.mul(&Poly::constant(width)));
        for x in bytes.to_size().leaves() {
            if x.var().is_some() && !known.contains(&x) {
                known.push(x);
                let small = b.cmp(CmpOp::ULt(IntType::I64), x, SubExp::i64(SMALL_SIZE));
                fits = b.and(fits, small);
            }
        }
    }
    let total = b.size64(&total.to_size());
    let inside = b.le(total, SubExp::i64(most));
    b.and(fits, inside)
}
