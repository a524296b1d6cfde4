//! The exercises of chapter 1. Replace a `todo!()`, then run
//! `cargo test -p kernel_regression --test exercises`.
#![allow(unused_variables, unreachable_code, unused_imports, dead_code)] // until all are solved

use kernel_regression::{
    Float, Kernel, Matrix, leave_one_out, mean_squared_error, nadaraya_watson,
};

/// **1.1 the Epanechnikov kernel – difficulty ●○○, about 5 minutes**
///
/// The weight ¾(1 − u²)₊ of a key at the distance `u`, counted in bandwidths. The index + means:
/// 0 where the parenthesis is negative.
///
/// Hint: `Float` has a method `max`.
pub fn epanechnikov(u: Float) -> Float {
    todo!()
}

/// **1.2 attention weights – difficulty ●○○, about 15 minutes**
///
/// The weights of the Gaussian kernel, for every key and every query → (m, n): column j holds the
/// weights of query j and sums to 1, also when the bandwidth is a thousandth of every distance.
///
/// Hint: subtract a column's largest score before you exponentiate.
pub fn attention_weights(queries: &[Float], keys: &[Float], bandwidth: Float) -> Matrix {
    todo!()
}

/// **1.3 spot the bug: far from all keys – difficulty ●○○, about 10 minutes**
///
/// Turns scores (m, n) into weights, column by column. It does so for most scores, but not for all.
///
/// Hint: what becomes of a column whose scores are all 200 below the largest of the matrix?
pub fn softmax(scores: &Matrix) -> Matrix {
    todo!("find the bug, then remove this line");
    let largest = scores.max();
    let mut weights = scores.map(|score| (score - largest).exp());
    for mut column in weights.column_iter_mut() {
        let sum = column.sum();
        column /= sum;
    }
    weights
}

/// **1.4 spot the bug: always the smallest – difficulty ●○○, about 10 minutes**
///
/// Should return that one of the `candidates` which is the best bandwidth of a Gaussian kernel for
/// these points.
///
/// Hint: when a point of the data is the query, which value weighs most in its prediction?
pub fn choose_bandwidth(keys: &[Float], values: &[Float], candidates: &[Float]) -> Float {
    todo!("find the bug, then remove this line");
    let error = |bandwidth: Float| {
        let predictions = nadaraya_watson(keys, keys, values, Kernel::Gaussian, bandwidth);
        mean_squared_error(&predictions, values)
    };
    let mut best = candidates[0];
    for candidate in candidates {
        if error(*candidate) < error(best) {
            best = *candidate;
        }
    }
    best
}

/// **1.5 leave-one-out from a single fit – difficulty ●●○, about 20 minutes**
///
/// `weights` (m, m) are the attention weights with the keys as queries, `values` (m) belong to the
/// keys. Returns for each key the prediction from all the *other* points (m) – without computing
/// any weights anew.
///
/// Hint: without point j, the other weights of column j keep their ratios. What must they be divided
/// by, to sum to 1 again?
pub fn leave_one_out_from(weights: &Matrix, values: &[Float]) -> Vec<Float> {
    todo!()
}

/// **1.6 the bandwidth of a noisy memory – difficulty ●●○, about 15 minutes**
///
/// A memory holds values under keys that are spread evenly. When a key is stored, it is blurred by
/// normal noise of standard deviation `key_noise`; when it is asked for, the query is the true key
/// blurred by independent normal noise of standard deviation `query_noise`. Which bandwidth of a
/// Gaussian kernel gives the smallest mean squared error?
///
/// Hint: how far from the stored key does the query fall?
pub fn lookup_bandwidth(query_noise: Float, key_noise: Float) -> Float {
    todo!()
}

/// **1.7 one pass – difficulty ●●○, about 20 minutes**
///
/// A running softmax keeps three numbers of the keys it has seen, `[e_max, S, T]`: the largest score,
/// S = Σ exp(e − e_max) and T = Σ exp(e − e_max)·y. Before the first key they are `[−∞, 0, 0]`. Returns
/// them after one more key with this score and this value.
///
/// Hint: when a larger score comes, both sums shrink by the same factor.
pub fn one_pass(running: [Float; 3], score: Float, value: Float) -> [Float; 3] {
    todo!()
}

/// **1.8 the slope of the curve – difficulty ●●○, about 25 minutes**
///
/// The derivative dŷ/dx of Gaussian kernel regression at the query x, by a formula: the curve may
/// bend within a millionth, and values may be far from 0, where differences say nothing.
///
/// Hint: for weights αᵢ = softmax(eᵢ), dαᵢ/dx = αᵢ (deᵢ/dx − Σⱼ αⱼ deⱼ/dx). The result is a
/// covariance under the weights; `kernel_regression::attention_weights` gives them.
pub fn slope(query: Float, keys: &[Float], values: &[Float], bandwidth: Float) -> Float {
    todo!()
}

/// **1.9 construct: a sigmoid from two keys – difficulty ●●○, about 15 minutes**
///
/// Return two keys, their values and a bandwidth for which Gaussian kernel regression is the *sigmoid*
/// 1/(1 + exp(−βx)) at every query x. It rises from 0 to 1, is ½ at x = 0, and the steeper, the larger β > 0.
///
/// Hint: divide numerator and denominator of a softmax of two scores by one of the exponentials.
pub fn sigmoid_memory(beta: Float) -> ([Float; 2], [Float; 2], Float) {
    todo!()
}

/// **1.10 predict: what more points are worth – difficulty ●●○, about 15 minutes**
///
/// Somebody has smoothed 1,000 points. The best bandwidth was 0.2, the mean squared error with it 0.0025, and
/// error(h) = Bh⁴ + V/nh may be taken to be exact. Return, within one per cent:
///
/// 1. the best bandwidth for 32,000 points of the same kind,
/// 2. the error with it,
/// 3. how many points would have half the error of the 1,000,
/// 4. what the error tends to when points are added without end and the bandwidth *stays* at 0.2.
///
/// Hint: 32 = 2⁵. For the fourth, which part of the error does not depend on n?
pub fn predicted() -> [f64; 4] {
    todo!()
}

// **1.11 capstone: your smoother – difficulty ●○○, about 5 minutes**
//
// Nothing to write: 1.2, 1.4, 1.5 and 1.7 together smooth the chapter's fifty points, choose the bandwidth and
// draw the fit. It opens when they are solved: `cargo test -p kernel_regression --test exercises`.
