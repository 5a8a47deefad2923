//! Random values (guide, `futhark-dataset`).

use crate::value::{Reader, Value, element_bytes};
use futc_typed::prim::PrimType;
use std::collections::BTreeMap;

/// A small, fast generator (SplitMix64), so that a seed gives the same data on every machine.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator for that seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// 64 uniform bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in `0.0 ..< 1.0`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Bounds of generated values, both included.
#[derive(Clone, Debug, Default)]
pub struct Bounds(BTreeMap<PrimType, (Bound, Bound)>);

#[derive(Clone, Copy, Debug)]
enum Bound {
    Int(i128),
    Float(f64),
}

impl Bounds {
    /// Sets the bounds of `prim` from text `min:max`.
    pub fn set(&mut self, prim: PrimType, text: &str) -> Result<(), String> {
        let bad = || format!("'{text}' is no range MIN:MAX of {prim}");
        let (lo, hi) = text.split_once(':').ok_or_else(bad)?;
        let read = |s: &str| -> Option<Bound> {
            let s = s.trim();
            let s = s.strip_suffix(prim.name()).unwrap_or(s);
            if prim.is_float() {
                s.parse().ok().filter(|x| bits_of(prim, *x).is_some()).map(Bound::Float)
            } else if prim == PrimType::Bool {
                match s {
                    "false" => Some(Bound::Int(0)),
                    "true" => Some(Bound::Int(1)),
                    _ => None,
                }
            } else {
                s.parse().ok().map(Bound::Int)
            }
        };
        let (lo, hi) = (read(lo).ok_or_else(bad)?, read(hi).ok_or_else(bad)?);
        let ordered = match (lo, hi) {
            (Bound::Int(a), Bound::Int(b)) => {
                let (min, max) = int_range(prim);
                a <= b && min <= a && b <= max
            }
            (Bound::Float(a), Bound::Float(b)) => a <= b,
            _ => false,
        };
        if !ordered {
            return Err(bad());
        }
        self.0.insert(prim, (lo, hi));
        Ok(())
    }
}

fn int_range(prim: PrimType) -> (i128, i128) {
    let bits = prim.bits();
    match prim {
        PrimType::Bool => (0, 1),
        _ if prim.is_signed() => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        _ => (0, (1i128 << bits) - 1),
    }
}

/// The bits of the float of type `prim` that is nearest to `x`, if it is finite.
fn bits_of(prim: PrimType, x: f64) -> Option<u64> {
    let (bits, finite) = match prim {
        PrimType::F16 => {
            let y = futc_typed::half::from_f64(x);
            (u64::from(y.to_bits()), y.is_finite())
        }
        PrimType::F32 => {
            let y = x as f32;
            (u64::from(y.to_bits()), y.is_finite())
        }
        _ => (x.to_bits(), x.is_finite()),
    };
    finite.then_some(bits)
}

/// A value of the type (such as `[10][2]f32`) or the literal value that `spec` is.
pub fn generate(spec: &str, bounds: &Bounds, rng: &mut Rng) -> Result<Value, String> {
    if let Some((shape, prim)) = parse_type(spec)? {
        return random(&shape, prim, bounds, rng);
    }
    let mut values = Reader::new(spec.as_bytes())
        .all()
        .map_err(|e| format!("'{spec}' is neither a type nor a value: {e}"))?;
    match (values.pop(), values.is_empty()) {
        (Some(v), true) => Ok(v),
        _ => Err(format!("'{spec}' is not one value")),
    }
}

/// Reads `[10][2]f32`; `None` if the text is not of that form.
pub fn parse_type(spec: &str) -> Result<Option<(Vec<u64>, PrimType)>, String> {
    let mut rest = spec.trim();
    let mut shape = Vec::new();
    while let Some(r) = rest.strip_prefix('[') {
        let Some((n, tail)) = r.split_once(']') else { return Ok(None) };
        let n = n.trim();
        let n = n.strip_suffix("i64").unwrap_or(n);
        let Ok(n) = n.replace('_', "").parse() else { return Ok(None) };
        shape.push(n);
        rest = tail.trim_start();
    }
    match PrimType::from_name(rest) {
        Some(p) => Ok(Some((shape, p))),
        None if shape.is_empty() => Ok(None),
        None => Err(format!("'{rest}' is no primitive type")),
    }
}

/// A random value of this shape.
pub fn random(
    shape: &[u64],
    prim: PrimType,
    bounds: &Bounds,
    rng: &mut Rng,
) -> Result<Value, String> {
    let size = element_bytes(prim);
    let too_large = || format!("an array of {prim} with these sizes is too large");
    let count = shape
        .iter()
        .try_fold(1u64, |n, d| n.checked_mul(*d))
        .filter(|n| n.checked_mul(size as u64).is_some_and(|b| b < 1 << 40))
        .ok_or_else(too_large)?;
    let mut data = Vec::new();
    data.try_reserve_exact(count as usize * size).map_err(|_| too_large())?;
    let bound = bounds.0.get(&prim).copied();
    for _ in 0..count {
        let bits = if prim.is_float() {
            let (lo, hi) = match bound {
                Some((Bound::Float(a), Bound::Float(b))) => (a, b),
                _ => (0.0, 1.0),
            };
            // The width of the range need not be a number of the type.
            let at = rng.unit();
            let x = (lo * (1.0 - at) + hi * at).clamp(lo, hi);
            bits_of(prim, x).ok_or_else(|| format!("{x} is no finite number of {prim}"))?
        } else {
            match bound {
                Some((Bound::Int(a), Bound::Int(b))) => {
                    let span = (b - a) as u128 + 1;
                    (a + (u128::from(rng.bits()) % span) as i128) as u64
                }
                _ if prim == PrimType::Bool => rng.bits() >> 63,
                _ => rng.bits(),
            }
        };
        data.extend_from_slice(bits.to_le_bytes().get(..size).unwrap_or(&[]));
    }
    Ok(Value { prim, suffixed: true, shape: shape.to_vec(), data })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_within_the_widest_bounds_are_finite() {
        let mut bounds = Bounds::default();
        bounds.set(PrimType::F64, "-1.7e308:1.7e308").expect("fine");
        bounds.set(PrimType::F32, "-3.4e38:3.4e38").expect("fine");
        bounds.set(PrimType::F16, "-65504:65504").expect("fine");
        assert!(bounds.set(PrimType::F32, "0:1e39").is_err(), "beyond the type");
        assert!(bounds.set(PrimType::F16, "0:65536").is_err(), "beyond the type");
        for ty in ["[1000]f64", "[1000]f32", "[1000]f16"] {
            let v = generate(ty, &bounds, &mut Rng::new(1)).expect("fine");
            assert!((0..1000).all(|i| v.float(i).is_some_and(f64::is_finite)), "{ty}");
            assert!((0..1000).any(|i| v.float(i).is_some_and(|x| x < -1e4)), "{ty}");
            assert!((0..1000).any(|i| v.float(i).is_some_and(|x| x > 1e4)), "{ty}");
        }
    }

    #[test]
    fn types_bounds_and_literals() {
        let mut rng = Rng::new(0);
        let mut b = Bounds::default();
        b.set(PrimType::I64, "0:9").expect("fine");
        assert!(b.set(PrimType::I8, "0:900").is_err());
        assert!(b.set(PrimType::F32, "1:0").is_err());
        let v = generate("[100][2]i64", &b, &mut rng).expect("fine");
        assert_eq!(v.shape, [100, 2]);
        assert!((0..200).all(|i| v.int(i).is_some_and(|x| (0..10).contains(&x))));
        assert_eq!(generate("[1,2]", &b, &mut rng).expect("fine").to_text(), "[1i32, 2i32]");
        assert!(generate("[2]foo", &b, &mut rng).is_err());
        assert!(generate("[99999999999][99999999999]i32", &b, &mut rng).is_err());
        let again = generate("[3]f32", &Bounds::default(), &mut Rng::new(7)).expect("fine");
        assert_eq!(again, generate("[3]f32", &Bounds::default(), &mut Rng::new(7)).expect("fine"));
    }
}
