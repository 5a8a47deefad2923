//! Comparison of values, with a tolerance for floats.

use crate::value::Value;

/// A difference between two values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference(pub String);

/// Differences between `actual` and `expected`, value `index` of its list; at most `limit`.
///
/// Integers, bools and shapes must be equal. Floats may differ by one tolerance per array,
/// `max(0.002, 0.002 · largest expected magnitude)`; NaN equals NaN, infinities equal by sign.
pub fn compare(index: usize, actual: &Value, expected: &Value, limit: usize) -> Vec<Difference> {
    let Some(expected) = expected.retyped_wrapping(actual.prim) else {
        return vec![Difference(format!(
            "Value #{index}: expected type {}, got {}",
            expected.type_text(),
            actual.type_text()
        ))];
    };
    if actual.shape != expected.shape {
        return vec![Difference(format!(
            "Value #{index}: expected type {}, got {}",
            expected.type_text(),
            actual.type_text()
        ))];
    }
    if actual.data == expected.data {
        return Vec::new();
    }
    let n = actual.count();
    let tolerance = (0..n)
        .filter_map(|i| expected.float(i))
        .filter(|x| x.is_finite())
        .fold(1.0, |m: f64, x| m.max(x.abs()))
        * 0.002;
    let mut out = Vec::new();
    for i in 0..n {
        let same = match (actual.float(i), expected.float(i)) {
            (Some(a), Some(e)) => {
                (a.is_nan() && e.is_nan())
                    || a == e
                    || (a.is_finite() && e.is_finite() && (a - e).abs() <= tolerance)
            }
            _ => actual.int(i) == expected.int(i),
        };
        if !same {
            out.push(Difference(format!(
                "Value #{index}, index {}: expected {}, got {}",
                position(&actual.shape, i),
                expected.element_text(i),
                actual.element_text(i)
            )));
            if out.len() == limit {
                break;
            }
        }
    }
    out
}

/// Compares lists of values; the number of values must be equal too.
pub fn compare_all(actual: &[Value], expected: &[Value], limit: usize) -> Vec<Difference> {
    if actual.len() != expected.len() {
        return vec![Difference(format!(
            "Expected {} values, got {}",
            expected.len(),
            actual.len()
        ))];
    }
    let mut out = Vec::new();
    for (i, (a, e)) in actual.iter().zip(expected).enumerate() {
        out.extend(compare(i, a, e, limit.saturating_sub(out.len()).max(1)));
        if out.len() >= limit {
            break;
        }
    }
    out
}

fn position(shape: &[u64], flat: usize) -> String {
    let mut rest = flat as u64;
    let mut out = Vec::new();
    for d in shape.iter().rev() {
        let d = (*d).max(1);
        out.push((rest % d).to_string());
        rest /= d;
    }
    out.reverse();
    format!("[{}]", out.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Reader;

    fn diffs(a: &str, e: &str) -> usize {
        let read = |s: &str| Reader::new(s.as_bytes()).all().expect("parses");
        compare_all(&read(a), &read(e), 100).len()
    }

    #[test]
    fn tolerance_is_per_array() {
        assert_eq!(diffs("[1.001f32, 1000.0f32]", "[0.0f32, 1000.0f32]"), 0);
        assert_eq!(diffs("1.003f32", "1.0f32"), 1);
        assert_eq!(diffs("f32.nan", "f32.nan"), 0);
        assert_eq!(diffs("-f32.inf", "f32.inf"), 1);
        assert_eq!(diffs("2.0f32", "2"), 0);
        assert_eq!(diffs("2i64", "2"), 0);
        assert_eq!(diffs("2i64", "2i32"), 1);
        assert_eq!(diffs("[1,2]", "[1,3]"), 1);
        assert_eq!(diffs("1 2", "1"), 1);
    }
}
