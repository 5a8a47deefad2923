//! Numbers of 16 bits, rounded once: by way of other types they would be rounded twice, and lie beside
//! the nearest one where the first rounding comes to rest in the middle between two of them.

use half::f16;
use std::cmp::Ordering;

/// The `f16` nearest to `x`, ties to even.
pub fn from_f64(x: f64) -> f16 {
    let near = x as f32;
    if x.is_nan() || f64::from(near) == x {
        return f16::from_f32(near);
    }
    // Cut off towards zero, with the last bit set for what was lost: f32 has more than two bits more
    // than f16, so that this is enough to tell ties from what lies beside them.
    let above = f64::from(near).abs() > x.abs();
    let cut = near.to_bits() - u32::from(above);
    f16::from_f32(f32::from_bits(cut | 1))
}

/// The `f16` nearest to a decimal numeral; `None` if it is none.
pub fn from_decimal(text: &str) -> Option<f16> {
    let x: f64 = text.parse().ok()?;
    let (below, above) = (from_f64(x.next_down()), from_f64(x.next_up()));
    // The exponent after the largest one, for numbers that round to infinity.
    let finite = |h: f16| if h.is_infinite() { 65536f64.copysign(h.to_f64()) } else { h.to_f64() };
    let tie = below != above && (finite(below) + finite(above)) / 2.0 == x;
    if !tie || !x.is_finite() {
        return Some(from_f64(x));
    }
    // What was lost on the way to `x` decides. A tie has few digits.
    let exact = format!("{:.60e}", x.abs());
    let outwards = compare(text.trim_start_matches(['-', '+']), &exact);
    let (inner, outer) = if x < 0.0 { (above, below) } else { (below, above) };
    Some(match outwards {
        Ordering::Less => inner,
        Ordering::Equal => from_f64(x),
        Ordering::Greater => outer,
    })
}

/// Compares numerals of positive numbers.
fn compare(a: &str, b: &str) -> Ordering {
    let (a, b) = (digits(a), digits(b));
    a.0.cmp(&b.0).then_with(|| a.1.cmp(&b.1))
}

/// The power of ten above the number, and its digits from the first to the last that is not zero.
fn digits(text: &str) -> (i64, Vec<u8>) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
    let zeros = digits.iter().take_while(|d| **d == b'0').count();
    digits.drain(..zeros);
    while digits.last() == Some(&b'0') {
        digits.pop();
    }
    let exponent: i64 = exponent.parse().unwrap_or(0);
    (exponent.saturating_add(whole.len() as i64 - zeros as i64), digits)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    fn halves() -> impl Iterator<Item = (f16, f16)> {
        // Neighbours from zero to the largest one.
        (0..0x7bffu16).map(|bits| (f16::from_bits(bits), f16::from_bits(bits + 1)))
    }

    #[test]
    fn doubles_beside_ties_go_to_their_side() {
        for (low, high) in halves() {
            let tie = (low.to_f64() + high.to_f64()) / 2.0;
            let even = if low.to_bits() % 2 == 0 { low } else { high };
            for (x, want) in [(tie, even), (tie.next_up(), high), (tie.next_down(), low)] {
                assert_eq!(from_f64(x).to_bits(), want.to_bits(), "{x:e}");
                assert_eq!(from_f64(-x).to_bits(), (-want).to_bits(), "-{x:e}");
            }
            assert_eq!(from_f64(low.to_f64()).to_bits(), low.to_bits());
        }
        assert_eq!(from_f64(65519.999), f16::MAX);
        assert_eq!(from_f64(65520.0), f16::INFINITY);
        assert_eq!(from_f64(1e300), f16::INFINITY);
        assert_eq!(from_f64(-1e300), f16::NEG_INFINITY);
        assert_eq!(from_f64(1e-300), f16::ZERO);
        assert!(from_f64(f64::NAN).is_nan());
    }

    #[test]
    fn numerals_beside_ties_go_to_their_side() {
        for (low, high) in halves().step_by(37) {
            let tie = (low.to_f64() + high.to_f64()) / 2.0;
            let even = if low.to_bits() % 2 == 0 { low } else { high };
            let exact = format!("{tie:.30}");
            let below = format!("{:.30}9999999", tie.next_down());
            for (text, want) in [
                (exact.clone(), even),
                (format!("{exact}0000000001"), high),
                (format!("{tie:.40e}").replace('e', "1e"), high),
                (below, low),
            ] {
                assert_eq!(from_decimal(&text).unwrap().to_bits(), want.to_bits(), "{text}");
                let negative = from_decimal(&format!("-{text}")).unwrap();
                assert_eq!(negative.to_bits(), (-want).to_bits(), "-{text}");
            }
        }
        assert_eq!(from_decimal("65519.99999999999999999999"), Some(f16::MAX));
        assert_eq!(from_decimal("65520.00000000000000000001"), Some(f16::INFINITY));
        assert_eq!(from_decimal("1_0"), None);
        assert_eq!(from_decimal("inf"), Some(f16::INFINITY));
    }
}
