//! `sin`, `cos` and `tan`, and `asin`, `acos` and `atan`.
//!
//! The polynomials are those of least relative error on the reduced range. What is odd is made of the
//! magnitude of its argument, whose sign comes last, so that negative zero keeps it.

use super::ir::{Ir, Result, Width};
use crate::dialect::{FPredicate, Math, Val};

/// What differs between `f32` and `f64`.
struct Constants {
    /// `π/2` in three parts, each what the ones before lack.
    right_angle: [f64; 3],
    /// `π/4` in two parts.
    half_right: [f64; 2],
    /// Beyond this a number of right angles takes more bits than there are.
    far: f64,
    /// `(sin √z / √z − 1) / z` for `√z ≤ π/4`.
    sin: &'static [f64],
    /// `(cos √z − 1 + z/2) / z²` for `√z ≤ π/4`.
    cos: &'static [f64],
    /// `(asin √z / √z − 1) / z` for `√z ≤ 1/2`.
    asin: &'static [f64],
    /// `(atan √z / √z − 1) / z` for `√z ≤ √2 − 1`.
    atan: &'static [f64],
}

const DOUBLE: Constants = Constants {
    right_angle: [
        std::f64::consts::FRAC_PI_2,
        6.123_233_995_736_766e-17,
        -1.497_384_904_859_169_8e-33,
    ],
    half_right: [std::f64::consts::FRAC_PI_4, 3.061_616_997_868_383e-17],
    far: 1e9,
    sin: &[
        1.589_681_181_698_490_6e-10,
        -2.505_075_838_478_208_3e-8,
        2.755_731_369_357_603_7e-6,
        -0.000_198_412_698_298_123_9,
        0.008_333_333_333_322_418,
        -0.166_666_666_666_666_32,
    ],
    cos: &[
        -1.135_965_881_981_506_2e-11,
        2.087_572_347_859_172_6e-9,
        -2.755_731_435_378_623_7e-7,
        2.480_158_728_948_700_6e-5,
        -0.001_388_888_888_887_413_1,
        0.041_666_666_666_666_6,
    ],
    asin: &[
        0.032_702_289_961_879_02,
        -0.021_116_946_679_895_877,
        0.021_790_826_223_043_847,
        0.003_672_102_755_180_744_3,
        0.010_789_345_636_865_096,
        0.011_397_288_119_429_291,
        0.013_981_019_217_500_49,
        0.017_351_595_435_620_117,
        0.022_372_215_909_972_355,
        0.030_381_942_675_115_608,
        0.044_642_857_175_289_985,
        0.074_999_999_999_700_93,
        0.166_666_666_666_667_63,
    ],
    atan: &[
        -0.017_920_782_584_515_512,
        0.038_076_982_046_730_296,
        -0.050_397_939_764_628_06,
        0.058_479_977_543_549_36,
        -0.066_631_188_907_729_48,
        0.076_920_615_096_525_92,
        -0.090_908_978_295_225_4,
        0.111_111_107_859_061_68,
        -0.142_857_142_802_440_83,
        0.199_999_999_999_540_4,
        -0.333_333_333_333_332,
    ],
};

const SINGLE: Constants = Constants {
    right_angle: [1.570_796_370_506_286_6, -4.371_138_828_673_793e-8, -1.715_124_510_005_881_9e-15],
    half_right: [0.785_398_185_253_143_3, -2.185_569_414_336_896_4e-8],
    far: 1e5,
    sin: &[-0.000_195_124_780_471, 0.008_332_143_420_32, -0.166_666_544_105],
    cos: &[2.443_304_363_94e-5, -0.001_388_732_175_66, 0.041_666_645_965_4],
    asin: &[
        0.042_230_557_966_8,
        0.024_140_982_765_4,
        0.045_478_344_329_9,
        0.074_952_326_588_8,
        0.166_667_541_315,
    ],
    atan: &[
        -0.060_832_239_825_3,
        0.105_959_155_641,
        -0.142_438_377_714,
        0.199_984_888_945,
        -0.333_333_154_971,
    ],
};

/// `π/2` in three parts of `f64`, of which the first two have 33 bits: their products with the number of right angles
/// in less than [`FEW`] are not rounded.
const SHORT_PARTS: [f64; 3] =
    [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];
const FEW: f64 = 1e6;

fn constants(ir: &Ir<'_, '_>) -> &'static Constants {
    match ir.width {
        Width::F32 => &SINGLE,
        Width::F64 => &DOUBLE,
    }
}

pub(super) fn sin<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<Val<'c>> {
    let t = turned(ir, x)?;
    let y = ir.select(t.odd, t.cos, t.sin)?;
    let y = flipped(ir, y, t.second)?;
    let y = signed(ir, y, x)?;
    ir.rarely(t.far, y, |ir| ir.library(Math::Sin, x))
}

pub(super) fn cos<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<Val<'c>> {
    let t = turned(ir, x)?;
    let y = ir.select(t.odd, t.sin, t.cos)?;
    let next = ir.addi(t.quadrant, ir.int(1)?)?;
    let second = ir.andi(next, ir.int(2)?)?;
    let y = flipped(ir, y, second)?;
    ir.rarely(t.far, y, |ir| ir.library(Math::Cos, x))
}

/// The sine of `f32`, see [`turned_in_double`].
pub(super) fn sin_in_double<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<Val<'c>> {
    turned_in_double(ir, x, 0, Math::Sin)
}

/// The cosine of `f32`: the sine of an angle that is larger by a right one.
pub(super) fn cos_in_double<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<Val<'c>> {
    turned_in_double(ir, x, 1, Math::Cos)
}

/// The sine of an angle of `f32` and so many right ones. In `f64` nothing is lost that would count, and polynomials
/// of `f32` are exact enough.
fn turned_in_double<'c>(
    single: &Ir<'c, '_>,
    x: Val<'c>,
    right_angles: i64,
    function: Math,
) -> Result<Val<'c>> {
    let magnitude = single.math(Math::AbsF, &[x])?;
    let far = single.holds(FPredicate::Ugt, magnitude, single.float(FEW)?)?;
    let ir = single.in_double();
    let a = ir.b.extf(x, ir.floats())?;
    // Adding a large number rounds to an integer, which is then in the low bits.
    let large = 1.5 * 52f64.exp2();
    let shifted = ir.fma(a, ir.float(std::f64::consts::FRAC_2_PI)?, ir.float(large)?)?;
    let n = ir.sub(shifted, ir.float(large)?)?;
    let quadrant = ir.addi(ir.bits_of(shifted)?, ir.int(right_angles)?)?;
    let [first, second, third] = SHORT_PARTS;
    let r = ir.fma(n, ir.float(-first)?, a)?;
    let r = ir.fma(n, ir.float(-(second + third))?, r)?;
    let z = ir.mul(r, r)?;
    let sin = ir.horner(z, SINGLE.sin)?;
    let sin = ir.fma(sin, ir.mul(z, r)?, r)?;
    let cos = ir.horner(z, SINGLE.cos)?;
    let cos = ir.fma(cos, z, ir.float(-0.5)?)?;
    let cos = ir.fma(cos, z, ir.float(1.0)?)?;
    let odd = ir.is_not_zero(ir.andi(quadrant, ir.int(1)?)?)?;
    let y = ir.select(odd, cos, sin)?;
    let y = flipped(&ir, y, ir.andi(quadrant, ir.int(2)?)?)?;
    let y = ir.b.truncf(y, single.floats())?;
    single.rarely(far, y, |ir| ir.library(function, x))
}

pub(super) fn tan<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<Val<'c>> {
    let t = turned(ir, x)?;
    let (minus, minus_lost) = (ir.minus(t.cos)?, ir.minus(t.cos_lost)?);
    let over = ir.select(t.odd, minus, t.sin)?;
    let over_lost = ir.select(t.odd, minus_lost, t.sin_lost)?;
    let under = ir.select(t.odd, t.sin, t.cos)?;
    let under_lost = ir.select(t.odd, t.sin_lost, t.cos_lost)?;
    let y = ir.div(over, under)?;
    let minus = ir.minus(y)?;
    let lost = ir.fma(minus, under, over)?;
    let lost = ir.add(lost, over_lost)?;
    let lost = ir.fma(minus, under_lost, lost)?;
    let lost = ir.div(lost, under)?;
    let y = ir.add(y, lost)?;
    let y = signed(ir, y, x)?;
    ir.rarely(t.far, y, |ir| {
        // The library's own tangent is less exact.
        let (sin, cos) = (ir.library(Math::Sin, x)?, ir.library(Math::Cos, x)?);
        ir.div(sin, cos)
    })
}

/// The magnitude of an angle as right angles and what is left, of which the sine and cosine are known.
struct Turned<'c> {
    /// How many right angles.
    quadrant: Val<'c>,
    /// Whether their number is odd.
    odd: Val<'c>,
    /// 2 in the second half of a turn, else 0.
    second: Val<'c>,
    sin: Val<'c>,
    cos: Val<'c>,
    /// What their last roundings lost.
    sin_lost: Val<'c>,
    cos_lost: Val<'c>,
    /// Where there are too many.
    far: Val<'c>,
}

/// `|x| = n · π/2 + r + y` with `|r| ≤ π/4` and a small rest `y`. The first of the three parts of `π/2`
/// is subtracted without rounding, as what is left has fewer bits.
fn turned<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<Turned<'c>> {
    let known = constants(ir);
    let ([first, second, third], far) = match ir.fused {
        true => (known.right_angle, known.far),
        false => (SHORT_PARTS, FEW),
    };
    let a = ir.math(Math::AbsF, &[x])?;
    let far = ir.holds(FPredicate::Ugt, a, ir.float(far)?)?;
    // Adding a large number rounds to an integer, which is then in the low bits.
    let (mantissa, _) = ir.width.format();
    let large = 1.5 * (mantissa as f64).exp2();
    let shifted = ir.fma(a, ir.float(std::f64::consts::FRAC_2_PI)?, ir.float(large)?)?;
    let n = ir.sub(shifted, ir.float(large)?)?;
    let quadrant = ir.bits_of(shifted)?;
    let left = ir.fma(n, ir.float(-first)?, a)?;
    let product = ir.mul(n, ir.float(second)?)?;
    let r = ir.sub(left, product)?;
    // What the difference lacks; then what the product does, and the third part.
    let back = ir.sub(r, left)?;
    let of_left = ir.sub(r, back)?;
    let of_left = ir.sub(left, of_left)?;
    let of_product = ir.add(product, back)?;
    let y = ir.sub(of_left, of_product)?;
    let minus = ir.minus(product)?;
    let rounded = ir.fma(n, ir.float(second)?, minus)?;
    let y = ir.sub(y, rounded)?;
    let y = ir.fma(n, ir.float(-third)?, y)?;
    let z = ir.mul(r, r)?;
    // sin (r + y) = r + r z S(z) + y (1 − z/2)
    let p = ir.horner(z, known.sin)?;
    let cube = ir.mul(z, r)?;
    let half = ir.mul(z, ir.float(-0.5)?)?;
    let small = ir.fma(half, y, y)?;
    let small = ir.fma(cube, p, small)?;
    let sin = ir.add(r, small)?;
    let sin_lost = ir.sub(sin, r)?;
    let sin_lost = ir.sub(small, sin_lost)?;
    // cos (r + y) = 1 − z/2 + z² C(z) − r y, of which the first difference has a rest
    let p = ir.horner(z, known.cos)?;
    let square = ir.mul(z, z)?;
    let ry = ir.mul(r, y)?;
    let ry = ir.minus(ry)?;
    let small = ir.fma(square, p, ry)?;
    let most = ir.add(half, ir.float(1.0)?)?;
    let lost = ir.sub(ir.float(1.0)?, most)?;
    let lost = ir.add(lost, half)?;
    let small = ir.add(small, lost)?;
    let cos = ir.add(most, small)?;
    let cos_lost = ir.sub(cos, most)?;
    let cos_lost = ir.sub(small, cos_lost)?;
    let bit = ir.andi(quadrant, ir.int(1)?)?;
    let odd = ir.is_not_zero(bit)?;
    let second = ir.andi(quadrant, ir.int(2)?)?;
    Ok(Turned { quadrant, odd, second, sin, cos, sin_lost, cos_lost, far })
}

/// `y`, the other way where the integer is 2 and not 0.
fn flipped<'c>(ir: &Ir<'c, '_>, y: Val<'c>, two: Val<'c>) -> Result<Val<'c>> {
    let sign = ir.shli(two, ir.int(ir.width.bytes() * 8 - 2)?)?;
    let bits = ir.bits_of(y)?;
    let bits = ir.xori(bits, sign)?;
    ir.float_of(bits)
}

/// `y` with the sign of `x`, times its own.
fn signed<'c>(ir: &Ir<'c, '_>, y: Val<'c>, x: Val<'c>) -> Result<Val<'c>> {
    let sign = ir.bits_of(x)?;
    let sign = ir.andi(sign, ir.int(ir.width.bits(-0.0))?)?;
    let bits = ir.bits_of(y)?;
    let bits = ir.xori(bits, sign)?;
    ir.float_of(bits)
}

pub(super) fn asin<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<Val<'c>> {
    let r = rooted(ir, x)?;
    let [most, rest, _] = constants(ir).right_angle;
    let y = ir.sub(ir.float(most)?, r.twice)?;
    let lost = ir.sub(ir.float(most)?, y)?;
    let lost = ir.sub(lost, r.twice)?;
    let lost = ir.add(lost, ir.float(rest)?)?;
    let small = ir.fma(r.small, ir.float(-2.0)?, lost)?;
    let far = ir.add(y, small)?;
    let y = ir.select(r.beyond, far, r.near)?;
    signed(ir, y, x)
}

/// A right angle less the arc sine. Beyond one half that is `2 asin s`, or `π − 2 asin s` of negative
/// numbers.
pub(super) fn acos<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<Val<'c>> {
    let r = rooted(ir, x)?;
    let [most, rest, _] = constants(ir).right_angle;
    let near = signed(ir, r.near, x)?;
    let near = ir.sub(near, ir.float(rest)?)?;
    let near = ir.sub(ir.float(most)?, near)?;
    let small = ir.add(r.small, r.small)?;
    let positive = ir.add(r.twice, small)?;
    let small = ir.sub(ir.float(2.0 * rest)?, small)?;
    let negative = ir.sub(ir.float(2.0 * most)?, r.twice)?;
    let negative = ir.add(negative, small)?;
    let far = ir.choose(FPredicate::Olt, x, ir.float(0.0)?, negative, positive)?;
    ir.select(r.beyond, far, near)
}

/// The parts of an arc sine of a magnitude `a`: `a + a z P(z)` with `z = a²` up to one half, and beyond
/// `π/2 − 2 asin s` with `s² = z = (1 − a)/2`.
struct Rooted<'c> {
    /// Whether `a` is above one half.
    beyond: Val<'c>,
    /// The arc sine, if not.
    near: Val<'c>,
    /// `2 s`.
    twice: Val<'c>,
    /// What is to be added to `s` to make `asin s`, with what its root lacks.
    small: Val<'c>,
}

fn rooted<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<Rooted<'c>> {
    let a = ir.math(Math::AbsF, &[x])?;
    let beyond = ir.holds(FPredicate::Ogt, a, ir.float(0.5)?)?;
    let square = ir.mul(a, a)?;
    let half = ir.fma(a, ir.float(-0.5)?, ir.float(0.5)?)?;
    let z = ir.select(beyond, half, square)?;
    let root = ir.math(Math::Sqrt, &[half])?;
    let s = ir.select(beyond, root, a)?;
    let p = ir.horner(z, constants(ir).asin)?;
    let w = ir.mul(z, p)?;
    let near = ir.fma(s, w, s)?;
    let minus = ir.minus(s)?;
    let lacking = ir.fma(minus, s, half)?;
    let twice = ir.add(s, s)?;
    // The root of zero lacks nothing.
    let divisor = ir.choose(FPredicate::Olt, twice, ir.float(1e-30)?, ir.float(1e-30)?, twice)?;
    let lacking = ir.div(lacking, divisor)?;
    let small = ir.fma(s, w, lacking)?;
    Ok(Rooted { beyond, near, twice, small })
}

/// `atan a = base + atan t` with `t` one of `a`, `(a − 1) / (a + 1)` and `−1 / a`, whichever is at most
/// `tan (π/8)`. What roundings lose on the way is added to the rest.
pub(super) fn atan<'c>(ir: &Ir<'c, '_>, x: Val<'c>) -> Result<Val<'c>> {
    let known = constants(ir);
    let a = ir.math(Math::AbsF, &[x])?;
    // Where it makes no difference any more; products with infinity would be none.
    let most = ir.float(1e30)?;
    let a = ir.choose(FPredicate::Ogt, a, most, most, a)?;
    let tan = std::f64::consts::SQRT_2 - 1.0;
    let middle = ir.holds(FPredicate::Ogt, a, ir.float(tan)?)?;
    let beyond = ir.holds(FPredicate::Ogt, a, ir.float(1.0 / tan)?)?;
    let (zero, one, minus) = (ir.float(0.0)?, ir.float(1.0)?, ir.float(-1.0)?);
    let by = |beyond_: Val<'c>, middle_: Val<'c>, near: Val<'c>| {
        let y = ir.select(middle, middle_, near)?;
        ir.select(beyond, beyond_, y)
    };
    let difference = ir.add(a, minus)?;
    let sum = ir.add(a, one)?;
    let over = by(minus, difference, a)?;
    let under = by(a, sum, one)?;
    // What the difference lacks, for `a < 1`; otherwise it is exact. What the sum lacks.
    let again = ir.add(difference, one)?;
    let over_lost = ir.sub(a, again)?;
    let of_one = ir.sub(sum, a)?;
    let of_a = ir.sub(sum, of_one)?;
    let of_a = ir.sub(a, of_a)?;
    let of_one = ir.sub(one, of_one)?;
    let under_lost = ir.add(of_a, of_one)?;
    let t = ir.div(over, under)?;
    let minus_t = ir.minus(t)?;
    let rounded = ir.fma(minus_t, under, over)?;
    let lost = ir.fma(minus_t, under_lost, over_lost)?;
    let lost = by(zero, lost, zero)?;
    let lost = ir.add(rounded, lost)?;
    let lost = ir.div(lost, under)?;
    let z = ir.mul(t, t)?;
    let p = ir.horner(z, known.atan)?;
    let cube = ir.mul(z, t)?;
    let small = ir.fma(cube, p, lost)?;
    let (right, half) = (known.right_angle, known.half_right);
    let base = by(ir.float(right[0])?, ir.float(half[0])?, zero)?;
    let base_rest = by(ir.float(right[1])?, ir.float(half[1])?, zero)?;
    let y = ir.add(base, t)?;
    let rest = ir.sub(base, y)?;
    let rest = ir.add(rest, t)?;
    let rest = ir.add(rest, base_rest)?;
    let small = ir.add(small, rest)?;
    let y = ir.add(y, small)?;
    signed(ir, y, x)
}
