//! Chapter 2: attention whose width is learnt.
//!
//! Chapter 1 weighted its neighbours by a bandwidth that somebody chose. Here the width is a
//! parameter `w`, and the data choose it:
//!
//! `f(x) = Σᵢ αᵢ yᵢ` with `α = softmax(e)` and `eᵢ = −½((x − xᵢ)w)²`
//!
//! | symbol | is | size |
//! |---|---|---|
//! | `x` | a query | a number, later `d` of them |
//! | `xᵢ`, `yᵢ` | keys and their values: the training points | `m` of each |
//! | `uᵢ = x − xᵢ` | how far the query is from a key | |
//! | `w` | one over the bandwidth; later a matrix `W` | a number; (r, d) |
//!
//! First everything by hand, for one number `w`: weights, prediction, gradient, training. Then the
//! tape takes over, and `w` grows into a matrix: see [`Attention`], learnt in [`training`] from the
//! points of [`plane`]. [`graph`] is the worked example of the appendix *How gradients flow*.

pub mod graph;
mod metric;
pub mod plane;
#[cfg(feature = "program")]
pub mod program;
#[cfg(feature = "program")]
pub mod reader;
pub mod training;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as parametric_attention;

pub use metric::{Attention, predict_with_gradient, scores};

use kernel_regression::{Kernel, nadaraya_watson};
use shared::Float;
use shared::elementwise::{dot, softmax};

// ANCHOR: weights
/// The weights of all keys for one query: `α = softmax(−½((x − xᵢ)w)²)`, as many as keys.
///
/// The key with the index `hidden` cannot be seen: its score is −∞, so its weight is `exp(−∞) = 0` and
/// the others share the whole.
///
/// ```
/// use parametric_attention::weights;
/// assert_eq!(weights(1.5, &[1.0, 2.0], 3.0, None), [0.5, 0.5]); // as far from one as from the other
/// assert_eq!(weights(1.5, &[1.0, 2.0], 3.0, Some(0)), [0.0, 1.0]);
/// ```
pub fn weights(query: Float, keys: &[Float], w: Float, hidden: Option<usize>) -> Vec<Float> {
    let scores = keys.iter().map(|key| -0.5 * ((query - key) * w) * ((query - key) * w));
    let mut alpha: Vec<Float> = scores.collect(); // (m)
    if let Some(i) = hidden {
        alpha[i] = Float::NEG_INFINITY;
    }
    softmax(&mut alpha);
    alpha
}
// ANCHOR_END: weights

/// How many keys share the attention: `1/Σ αᵢ²`, which is `k` when `k` keys have a weight of `1/k`.
///
/// ```
/// assert_eq!(parametric_attention::effective_keys(&[0.25, 0.25, 0.0, 0.25, 0.25]), 4.0);
/// ```
pub fn effective_keys(alpha: &[Float]) -> Float {
    1.0 / dot(alpha, alpha)
}

// ANCHOR: predict
/// The prediction at each query: chapter 1's, with the bandwidth `1/w`.
///
/// ```
/// let f = parametric_attention::predict(&[0.5, 100.0], &[0.0, 1.0], &[5.0, 7.0], 9.0);
/// assert_eq!(f, [6.0, 7.0]); // between two keys; far away, where the nearest key takes all
/// ```
pub fn predict(queries: &[Float], keys: &[Float], values: &[Float], w: Float) -> Vec<Float> {
    nadaraya_watson(queries, keys, values, Kernel::Gaussian, 1.0 / w)
}
// ANCHOR_END: predict

// ANCHOR: slope
/// The prediction for one query and its derivative `∂f/∂w = −w·Cov_α(y, u²)`: minus `w` times the
/// covariance, under the weights, of the values with the squared distances.
///
/// ```
/// use parametric_attention::predict_with_slope;
/// // The near key says 3, the far one 1: attending more sharply moves the answer up, towards 3.
/// let (f, slope) = predict_with_slope(0.0, &[1.0, 2.0], &[3.0, 1.0], 1.0, None);
/// assert!(1.0 < f && f < 3.0 && slope > 0.0);
/// ```
pub fn predict_with_slope(
    query: Float,
    keys: &[Float],
    values: &[Float],
    w: Float,
    hidden: Option<usize>,
) -> (Float, Float) {
    let alpha = weights(query, keys, w, hidden);
    let f = dot(&alpha, values); // the mean of y under the weights
    let mut covariance = 0.0;
    for ((alpha, key), y) in alpha.iter().zip(keys).zip(values) {
        let u = query - key;
        covariance += alpha * (y - f) * (u * u);
    }
    (f, -w * covariance)
}
// ANCHOR_END: slope

/// Whom a training point may attend to when it predicts itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sees {
    /// All points but itself: leave-one-out.
    Others,
    /// All points, itself among them – the mistake this chapter measures.
    Everyone,
}

// ANCHOR: loss
/// The error `f(xⱼ) − yⱼ` of one training point's prediction, and its derivative in `w`.
pub fn error_of(j: usize, x: &[Float], y: &[Float], w: Float, sees: Sees) -> (Float, Float) {
    let hidden = (sees == Sees::Others).then_some(j);
    let (f, slope) = predict_with_slope(x[j], x, y, w, hidden);
    (f - y[j], slope)
}

/// The training loss `L = Σⱼ (f(xⱼ) − yⱼ)²`, and its derivative `∂L/∂w = Σⱼ 2(f(xⱼ) − yⱼ) ∂f/∂w`.
///
/// ```
/// use parametric_attention::{Sees, squared_error};
/// let (x, y) = ([0.0, 1.0, 2.0], [3.0, 5.0, 3.0]);
/// let (loss, _) = squared_error(&x, &y, 100.0, Sees::Everyone);
/// assert_eq!(loss, 0.0); // each point attends to itself alone: nothing was predicted
/// let (loss, _) = squared_error(&x, &y, 100.0, Sees::Others);
/// assert_eq!(loss, 12.0); // each point is predicted by its nearest neighbours
/// ```
pub fn squared_error(x: &[Float], y: &[Float], w: Float, sees: Sees) -> (Float, Float) {
    let (mut loss, mut slope) = (0.0, 0.0);
    for j in 0..x.len() {
        let (error, d_error) = error_of(j, x, y, w, sees);
        loss += error * error;
        slope += 2.0 * error * d_error;
    }
    (loss, slope)
}
// ANCHOR_END: loss

/// One step of a descent: where it stood, and what it saw there.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Step {
    /// The width before the step.
    pub w: Float,
    /// The loss there.
    pub loss: Float,
    /// Its derivative there.
    pub slope: Float,
}

// ANCHOR: descend
/// Gradient descent: `w ← w − η ∂L/∂w`, `steps` times. The last entry is where it arrived.
///
/// ```
/// let path = parametric_attention::descend(2.0, 0.25, 1, |w| (w * w, 2.0 * w)); // L = w²
/// assert_eq!((path[0].w, path[0].slope, path[1].w), (2.0, 4.0, 1.0));
/// ```
pub fn descend(
    w: Float,
    learning_rate: Float,
    steps: usize,
    loss: impl Fn(Float) -> (Float, Float),
) -> Vec<Step> {
    let mut path = Vec::with_capacity(steps + 1);
    let mut w = w;
    for step in 0..=steps {
        let (loss, slope) = loss(w);
        path.push(Step { w, loss, slope });
        if step < steps {
            w -= learning_rate * slope;
        }
    }
    path
}
// ANCHOR_END: descend

// ANCHOR: learn
/// Gradient descent that no unit of `x` or `y` can upset: in `ln w`, on `ln L`.
///
/// The slope of one logarithm against the other, `w·L′/L`, is a number without units: by how many
/// per cent the loss changes when `w` grows by one per cent. A step that would raise the loss is
/// not taken, and the rate is halved from then on. Ends when that slope is below `1e-4`, when the
/// rate is below `1e-3`, or with 200 entries.
///
/// Logarithms cure units and not flat ends: where the loss hardly changes with `w`, as near 0, it
/// ends at once. Start where attention already favours some keys, or from several places.
///
/// ```
/// // L = (w − 3)² + 1 is lowest at 3.
/// let path = parametric_attention::learn(0.1, |w| ((w - 3.0) * (w - 3.0) + 1.0, 2.0 * (w - 3.0)));
/// assert!((path.last().unwrap().w - 3.0).abs() < 1e-3);
/// ```
pub fn learn(w: Float, loss: impl Fn(Float) -> (Float, Float)) -> Vec<Step> {
    let visit = |w: Float| {
        let (loss, slope) = loss(w);
        Step { w, loss, slope }
    };
    let mut path = vec![visit(w)];
    let mut rate = 1.0;
    while path.len() < 200 && rate > 1e-3 {
        let Step { w, loss, slope } = path[path.len() - 1];
        let elasticity = w * slope / loss;
        if elasticity.abs() < 1e-4 || loss == 0.0 {
            break;
        }
        let next = visit(w * Float::exp((-rate * elasticity).clamp(-1.0, 1.0)));
        if next.loss <= loss { path.push(next) } else { rate /= 2.0 }
    }
    path
}
// ANCHOR_END: learn

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::assert_close;

    #[test]
    fn a_descent_ends_where_its_last_step_leads() {
        let path = descend(2.0, 0.25, 2, |w| (w * w, 2.0 * w));
        let w: Vec<Float> = path.iter().map(|step| step.w).collect();
        assert_eq!(w, [2.0, 1.0, 0.5]);
    }

    #[test]
    fn learning_does_not_depend_on_units() {
        let (x, y) = ([0.0, 1.0, 1.5, 2.5, 4.0], [1.0, 2.0, 2.5, 1.0, 0.0]);
        let metres = learn(1.0, |w| squared_error(&x, &y, w, Sees::Others));
        let (x_km, y_km) = (x.map(|x| x / 1024.0), y.map(|y| y * 1024.0));
        let kilometres = learn(1024.0, |w| squared_error(&x_km, &y_km, w, Sees::Others));
        assert!(metres.len() > 5);
        assert_close!(
            kilometres[kilometres.len() - 1].w / 1024.0,
            metres[metres.len() - 1].w,
            1e-4
        );
    }
}
