//! Numbers, likely and unlikely ones, as bits of their type.

use crate::random::Random;
use futc_typed::prim::PrimType;

/// What integers are to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mood {
    /// Mostly sizes and indexes of what there is.
    Likely,
    /// Negative ones and edges, too.
    Any,
}

/// A number to begin with; sizes are about as large as `likely`.
pub fn fresh(prim: PrimType, mood: Mood, likely: u64, r: &mut Random) -> u64 {
    if prim == PrimType::Bool {
        return r.next() & 1;
    }
    if prim.is_float() {
        return match r.below(3) {
            0 => float(prim, r.between(-4, 9) as f64),
            1 => float(prim, r.between(-40, 40) as f64 / 8.0),
            _ => float(prim, r.between(0, 1 << 16) as f64 / 65536.0),
        };
    }
    let n = likely.min(1 << 20) as i64;
    let x = match (mood, r.below(8)) {
        (_, 0) => n,
        (_, 1..=4) => r.between(0, n),
        (_, 5) => r.between(0, 100),
        (Mood::Likely, _) => r.between(0, 3),
        (Mood::Any, 6) => r.between(-3, 0),
        (Mood::Any, _) => edge_int(prim, r),
    };
    x as u64
}

/// A number in the place of another, among arrays of these lengths; whether it is a float at an edge.
pub fn edge(prim: PrimType, old: u64, lengths: &[u64], r: &mut Random) -> (u64, bool) {
    if prim == PrimType::Bool {
        return ((old & 1) ^ 1, false);
    }
    if prim.is_float() {
        if r.one_in(2) {
            return (fresh(prim, Mood::Any, 8, r), false);
        }
        return match r.below(7) {
            0 => (float(prim, f64::NAN), true),
            1 => (float(prim, f64::INFINITY), true),
            2 => (float(prim, f64::NEG_INFINITY), true),
            3 => (float(prim, 0.0), false),
            4 => (float(prim, -0.0), false),
            5 => (largest(prim), true),
            // The smallest above zero.
            _ => (1, false),
        };
    }
    let old = signed(prim, old);
    let near = r.pick(lengths).copied().unwrap_or(8) as i64;
    let new = match r.below(12) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => old.wrapping_neg(),
        3 => 0,
        4 => 1,
        5 => -1,
        6 => near,
        7 => near + r.between(-2, 2),
        8 => -near,
        9 => old.wrapping_mul(2),
        10 => r.between(-8, 40),
        _ => edge_int(prim, r),
    };
    (new as u64, false)
}

/// An integer at an edge of some type, cut to this one.
fn edge_int(prim: PrimType, r: &mut Random) -> i64 {
    let bits = prim.bits();
    match r.below(9) {
        0 => -1i64 << (bits - 1),
        1 => !(-1i64 << (bits - 1)),
        2 => (-1i64 << (bits - 1)) + 1,
        3 => 1 << 31,
        4 => (1 << 32) + 1,
        5 => -(1 << 31),
        // Times eight it is nothing.
        6 => 1 << 61,
        7 => (1 << 62) + 1,
        _ => -r.between(2, 1000),
    }
}

fn signed(prim: PrimType, bits: u64) -> i64 {
    match prim {
        PrimType::I8 => i64::from(bits as i8),
        PrimType::I16 => i64::from(bits as i16),
        PrimType::I32 => i64::from(bits as i32),
        _ => bits as i64,
    }
}

fn largest(prim: PrimType) -> u64 {
    match prim {
        PrimType::F16 => 0x7bff,
        PrimType::F32 => u64::from(f32::MAX.to_bits()),
        _ => f64::MAX.to_bits(),
    }
}

fn float(prim: PrimType, x: f64) -> u64 {
    match prim {
        PrimType::F16 => half(x),
        PrimType::F32 => u64::from((x as f32).to_bits()),
        _ => x.to_bits(),
    }
}

/// A half float of eight significant bits or fewer, cut to what fits; small numbers become zero.
fn half(x: f64) -> u64 {
    let bits = x.to_bits();
    let sign = bits >> 63 << 15;
    let fraction = bits >> 42 & 0x3ff;
    if !x.is_finite() {
        return sign | 0x7c00 | if x.is_nan() { 0x200 } else { 0 };
    }
    match (bits >> 52 & 0x7ff) as i64 - 1023 {
        e if e < -14 => sign,
        e if e > 15 => sign | 0x7bff,
        e => sign | ((e + 15) as u64) << 10 | fraction,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_are_exact_where_they_can_be() {
        for (x, bits) in [
            (0.0, 0),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (0.375, 0x3600),
            (65504.0, 0x7bff),
            (1e9, 0x7bff),
            (f64::INFINITY, 0x7c00),
            (f64::NAN, 0x7e00),
        ] {
            assert_eq!(half(x), bits, "{x}");
        }
    }
}
