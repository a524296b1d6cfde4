//! `exp`, `tanh` and their like without calls and branches, so that loops over them vectorise.
//!
//! The standard ones are calls, so the `f32` versions here are short polynomials instead; `f64`, which only
//! gradient checks use, takes the standard ones.

use products::Float;

// ANCHOR: exp
/// `e^x`; the relative error is below 2·10⁻⁷. Below −87.33, where `e^x` is no normal number, it is
/// exactly 0; above 88.376 it is infinity; NaN stays NaN.
///
/// Method: `x = n·ln 2 + r` with `|r| ≤ ½ ln 2`, so `e^x = 2ⁿ·e^r`. The Taylor polynomial of degree
/// 7 suffices for `e^r`, and 2ⁿ is written straight into the exponent bits.
#[cfg(not(feature = "f64"))]
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    const LOWEST: f32 = -87.336_54; // below it e^x is no normal number
    const HIGHEST: f32 = 88.376; // above it n rounds to 128, and 2¹²⁸ is no f32
    let bounded = if x < LOWEST { LOWEST } else { x };
    let bounded = if bounded > HIGHEST { HIGHEST } else { bounded };
    let (n, r) = reduce(bounded);
    let e_r = 1.0 + r * (1.0 + r * tail(r));
    let y = e_r * power_of_two(n);
    let y = if x < LOWEST { 0.0 } else { y };
    if x > HIGHEST { f32::INFINITY } else { y }
}
// ANCHOR_END: exp

/// `e^x`.
#[cfg(feature = "f64")]
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    x.exp()
}

/// `tanh x`; the relative error is below 5·10⁻⁷, also near zero.
///
/// Method: with `E = e^{2x} − 1`, computed without cancellation, `tanh x = E/(E + 2)`.
#[cfg(not(feature = "f64"))]
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    const SATURATED: f32 = 9.1; // beyond it tanh rounds to ±1
    let bounded = if x < -SATURATED { -SATURATED } else { x };
    let bounded = if bounded > SATURATED { SATURATED } else { bounded };
    let (n, r) = reduce(2.0 * bounded);
    let scale = power_of_two(n);
    let e = (r + r * r * tail(r)) * scale + (scale - 1.0);
    e / (e + 2.0)
}

/// `tanh x`.
#[cfg(feature = "f64")]
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    x.tanh()
}

/// The logistic function `σ(x) = 1/(1 + e^−x)`.
#[inline(always)]
pub fn sigmoid(x: Float) -> Float {
    1.0 / (1.0 + exp(-x))
}

// ANCHOR: reduce
/// 1.5·2²³: adding it leaves no bits for a fraction, so the sum is rounded to a whole number.
#[cfg(not(feature = "f64"))]
const ROUND: f32 = 12_582_912.0;

/// `x = n·ln 2 + r` with whole n and `|r| ≤ ½ ln 2`.
#[cfg(not(feature = "f64"))]
#[inline(always)]
fn reduce(x: f32) -> (f32, f32) {
    const LN_2_HIGH: f32 = 0.693_145_75; // with trailing zero bits: n·LN_2_HIGH is exact
    const LN_2_LOW: f32 = 1.428_606_8e-6;
    let n = (x * std::f32::consts::LOG2_E + ROUND) - ROUND;
    (n, (x - n * LN_2_HIGH) - n * LN_2_LOW)
}

/// `(e^r − 1 − r)/r²`: ½ + r/6 + r²/24 + …
#[cfg(not(feature = "f64"))]
#[inline(always)]
fn tail(r: f32) -> f32 {
    let sum = 1.0 / 720.0 + r * (1.0 / 5040.0);
    let sum = 1.0 / 120.0 + r * sum;
    let sum = 1.0 / 24.0 + r * sum;
    let sum = 1.0 / 6.0 + r * sum;
    0.5 + r * sum
}

/// 2ⁿ for whole `−126 ≤ n ≤ 127`: n, shifted into the exponent bits.
#[cfg(not(feature = "f64"))]
#[inline(always)]
fn power_of_two(n: f32) -> f32 {
    // `n as i32` would also look for NaN; the low mantissa bits of n + ROUND are n already.
    let n = (n + ROUND).to_bits().wrapping_sub(ROUND.to_bits());
    f32::from_bits(n.wrapping_add(127) << 23)
}
// ANCHOR_END: reduce

/// `Φ(x) = (1 + erf(x/√2))/2`, the distribution function of the standard normal distribution, wrong by at
/// most 3·10⁻⁷: a polynomial in `t = 1/(1 + p·|x|/√2)` times the density's exponential (Abramowitz &
/// Stegun 1964, formula 7.1.26). Without a branch, so a loop over it vectorises.
#[cfg(not(feature = "f64"))]
#[inline(always)]
pub fn normal_distribution(x: f32) -> f32 {
    const P: f32 = 0.327_591_1 * std::f32::consts::FRAC_1_SQRT_2;
    let t = 1.0 / (1.0 + P * x.abs());
    let sum = -1.453_152 + t * 1.061_405_4;
    let sum = 1.421_413_8 + t * sum;
    let sum = -0.284_496_74 + t * sum;
    let sum = 0.254_829_6 + t * sum;
    let tail = 0.5 * t * sum * exp(-0.5 * x * x); // Φ(−|x|)
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// `Φ(x)`, in double precision.
#[cfg(feature = "f64")]
pub fn normal_distribution(x: f64) -> f64 {
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}
