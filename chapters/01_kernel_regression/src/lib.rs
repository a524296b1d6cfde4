//! Chapter 1. What would you answer where you have not measured?
//!
//! Nadaraya and Watson (1964) answered with a weighted mean: near measurements weigh more. In the
//! words of attention, a *query* x is scored against the *keys* xᵢ, the scores are aligned into
//! weights that sum to 1, and the answer is the weighted mean of the *values* yᵢ:
//!
//! > ŷ(x) = Σᵢ αᵢ(x) yᵢ,  αᵢ(x) = K((x − xᵢ)/h) / Σⱼ K((x − xⱼ)/h)
//!
//! | letter | stands for | here |
//! |---|---|---|
//! | m | points measured | `keys.len()`, `values.len()` |
//! | n | places asked about | `queries.len()` |
//! | K | kernel: how closeness weighs | [`Kernel`] |
//! | h | bandwidth: what counts as close | `bandwidth`, in the unit of the keys |
//! | A | weights (m, n), a column per query | [`attention_weights`] |
//!
//! [`data`] draws the points that the page smooths; [`streaming`] computes the same without ever
//! holding A; [`bandwidth`] chooses h from the data; [`theory`] says how the error falls as
//! points are added; [`smoothing`] serves the reader's own points.

pub mod bandwidth;
pub mod data;
#[cfg(feature = "program")]
pub mod program;
#[cfg(feature = "program")]
pub mod smoothing;
pub mod streaming;
pub mod theory;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as kernel_regression;

use shared::elementwise::softmax;
pub use shared::{Float, Matrix};

/// The mean of the values, whatever the query: attention that pays none.
///
/// ```
/// assert_eq!(kernel_regression::average_pooling(&[14.0, 17.0, 20.0]), 17.0);
/// ```
// ANCHOR: average_pooling
pub fn average_pooling(values: &[Float]) -> Float {
    values.iter().sum::<Float>() / values.len() as Float
}
// ANCHOR_END: average_pooling

/// How much a key weighs at the distance `u`, counted in bandwidths. A constant factor would
/// cancel in the weights, so none of these is scaled to enclose an area of 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// ANCHOR: kernel
pub enum Kernel {
    /// exp(−u²/2): every key counts, however little.
    Gaussian,
    /// 1 up to the distance 1, then 0: the mean of all keys within reach.
    Boxcar,
    /// (1 − |u|)₊: falls in a straight line.
    Triangular,
    /// ¾(1 − u²)₊: a parabola.
    Epanechnikov,
}

impl Kernel {
    /// The weight at the distance `u`, not yet normalised.
    pub fn weight(self, u: Float) -> Float {
        match self {
            Kernel::Gaussian => (-u * u / 2.0).exp(),
            Kernel::Boxcar => Float::from(u8::from(u.abs() <= 1.0)),
            Kernel::Triangular => (1.0 - u.abs()).max(0.0),
            Kernel::Epanechnikov => 0.75 * (1.0 - u * u).max(0.0),
        }
    }

    /// The logarithm of the weight: −u²/2 for the Gaussian, −∞ beyond the others' reach.
    pub fn score(self, u: Float) -> Float {
        match self {
            Kernel::Gaussian => -u * u / 2.0, // no exponential, hence no underflow
            other => other.weight(u).ln(),
        }
    }
}
// ANCHOR_END: kernel

impl Kernel {
    /// All kernels, in the order of the page.
    pub const ALL: [Kernel; 4] =
        [Kernel::Gaussian, Kernel::Boxcar, Kernel::Triangular, Kernel::Epanechnikov];

    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Gaussian => "gaussian",
            Kernel::Boxcar => "boxcar",
            Kernel::Triangular => "triangular",
            Kernel::Epanechnikov => "epanechnikov",
        }
    }
}

/// Nadaraya–Watson as the formula is usually written, a quotient of two sums → (n). Where all
/// weights are 0, or too small for a floating-point number, it is 0/0: NaN.
///
/// # Panics
/// When there is not one value a key.
///
/// ```
/// use kernel_regression::{Kernel, quotient};
/// let (keys, values) = ([9.0, 10.0, 13.0], [14.0, 17.0, 20.0]);
/// let near = quotient(&[10.5], &keys, &values, Kernel::Gaussian, 1.0);
/// assert!((near[0] - 16.327).abs() < 1e-3);
/// assert!(quotient(&[11.5], &keys, &values, Kernel::Gaussian, 0.01)[0].is_nan());
/// ```
// ANCHOR: quotient
pub fn quotient(
    queries: &[Float],
    keys: &[Float],
    values: &[Float],
    kernel: Kernel,
    bandwidth: Float,
) -> Vec<Float> {
    assert!(keys.len() == values.len(), "{} keys and {} values", keys.len(), values.len());
    let curve = queries.iter().map(|x| {
        let (mut numerator, mut denominator) = (0.0, 0.0);
        for (key, value) in keys.iter().zip(values) {
            let weight = kernel.weight((x - key) / bandwidth);
            numerator += weight * value;
            denominator += weight;
        }
        numerator / denominator
    });
    curve.collect()
}
// ANCHOR_END: quotient

// ANCHOR: scores
/// Every key scored against every query, `ln K((x − xᵢ)/h)` → (m, n): column j belongs to query j.
pub fn scores(queries: &[Float], keys: &[Float], kernel: Kernel, bandwidth: Float) -> Matrix {
    let (m, n) = (keys.len(), queries.len());
    Matrix::from_fn(m, n, |i, j| kernel.score((queries[j] - keys[i]) / bandwidth))
}
// ANCHOR_END: scores

/// The scores' softmax, column by column → (m, n): no entry is negative, every column sums to 1.
///
/// A column without any key in reach, which has only scores of −∞, goes to the nearest key.
///
/// ```
/// use kernel_regression::{Kernel, attention_weights};
/// let weights = attention_weights(&[9.5, 11.6], &[9.0, 10.0, 13.0], Kernel::Boxcar, 1.0);
/// assert_eq!(weights.column(0).as_slice(), [0.5, 0.5, 0.0]); // two keys within 1 of 9.5
/// assert_eq!(weights.column(1).as_slice(), [0.0, 0.0, 1.0]); // none: 13 is nearest to 11.6
/// ```
// ANCHOR: attention_weights
pub fn attention_weights(
    queries: &[Float],
    keys: &[Float],
    kernel: Kernel,
    bandwidth: Float,
) -> Matrix {
    let mut weights = scores(queries, keys, kernel, bandwidth); // (m, n)
    for (query, mut column) in queries.iter().zip(weights.column_iter_mut()) {
        let (largest, _) = softmax(column.as_mut_slice());
        if largest == Float::NEG_INFINITY {
            attend_to_nearest(*query, keys, column.as_mut_slice());
        }
    }
    weights
}

/// All weight on the nearest key; keys equally near share it.
fn attend_to_nearest(query: Float, keys: &[Float], weights: &mut [Float]) {
    let distance = |key: &Float| (query - key).abs();
    let shortest = keys.iter().map(distance).fold(Float::INFINITY, Float::min);
    let nearest = keys.iter().filter(|key| distance(key) == shortest).count();
    for (weight, key) in weights.iter_mut().zip(keys) {
        *weight = if distance(key) == shortest { 1.0 / nearest as Float } else { 0.0 };
    }
}
// ANCHOR_END: attention_weights

/// Kernel regression (Nadaraya 1964, Watson 1964): the weighted mean of the values at each query
/// → (n).
///
/// ```
/// use kernel_regression::{Kernel, nadaraya_watson};
/// let (hours, degrees) = ([9.0, 10.0, 13.0], [14.0, 17.0, 20.0]);
/// let half_past_ten = nadaraya_watson(&[10.5], &hours, &degrees, Kernel::Gaussian, 1.0);
/// assert!((half_past_ten[0] - 16.327).abs() < 1e-3);
/// ```
///
/// # Panics
/// When there is not one value for each key, or no key at all.
// ANCHOR: nadaraya_watson
pub fn nadaraya_watson(
    queries: &[Float],
    keys: &[Float],
    values: &[Float],
    kernel: Kernel,
    bandwidth: Float,
) -> Vec<Float> {
    assert_pairs(keys, values);
    let weights = attention_weights(queries, keys, kernel, bandwidth); // (m, n)
    let v = Matrix::from_row_slice(1, values.len(), values); // (1, m)
    shared::product(&v, &weights).iter().copied().collect() // (1, n): a weighted mean per column
}
// ANCHOR_END: nadaraya_watson

/// The prediction at every key from all the other points → (m).
///
/// ```
/// use kernel_regression::{Kernel, leave_one_out};
/// // With a narrow bandwidth each point is predicted by its nearest neighbour.
/// let narrow = leave_one_out(&[9.0, 10.0, 13.0], &[14.0, 17.0, 20.0], Kernel::Gaussian, 0.1);
/// assert_eq!(narrow, [17.0, 14.0, 17.0]);
/// ```
///
/// # Panics
/// When there are fewer than two points, or not one value for each key.
// ANCHOR: leave_one_out
pub fn leave_one_out(
    keys: &[Float],
    values: &[Float],
    kernel: Kernel,
    bandwidth: Float,
) -> Vec<Float> {
    assert_pairs(keys, values);
    (0..keys.len()).map(|i| leave_out(i, keys, values, kernel, bandwidth)).collect()
}

/// The prediction at key `i` from all the other points.
pub fn leave_out(
    i: usize,
    keys: &[Float],
    values: &[Float],
    kernel: Kernel,
    bandwidth: Float,
) -> Float {
    let others = |all: &[Float]| [&all[..i], &all[i + 1..]].concat(); // (m − 1)
    nadaraya_watson(&[keys[i]], &others(keys), &others(values), kernel, bandwidth)[0]
}
// ANCHOR_END: leave_one_out

/// The mean of the squared differences, summed in double precision.
///
/// # Panics
/// When the lengths differ.
pub fn mean_squared_error(predictions: &[Float], truths: &[Float]) -> f64 {
    assert_eq!(predictions.len(), truths.len(), "one truth for each prediction");
    let pairs = predictions.iter().zip(truths);
    pairs.map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum::<f64>() / truths.len() as f64
}

#[track_caller]
fn assert_pairs(keys: &[Float], values: &[Float]) {
    assert!(
        keys.len() == values.len() && !keys.is_empty(),
        "{} keys and {} values: there must be one value for each key, and at least one",
        keys.len(),
        values.len()
    );
}
