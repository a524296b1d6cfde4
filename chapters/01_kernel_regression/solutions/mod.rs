//! The solutions of chapter 1.

use kernel_regression::{Float, Kernel, Matrix, leave_one_out, mean_squared_error};

/// 1.1: `max` cuts the parabola off where it would turn negative.
pub fn epanechnikov(u: Float) -> Float {
    0.75 * (1.0 - u * u).max(0.0)
}

/// 1.2: scores, then a stable softmax of each column.
pub fn attention_weights(queries: &[Float], keys: &[Float], bandwidth: Float) -> Matrix {
    let (m, n) = (keys.len(), queries.len());
    softmax(&Matrix::from_fn(m, n, |i, j| -((queries[j] - keys[i]) / bandwidth).powi(2) / 2.0))
}

/// 1.3: each column has its own largest score. With the largest of the whole matrix, a column far
/// below it underflows to 0/0.
pub fn softmax(scores: &Matrix) -> Matrix {
    let mut weights = scores.clone();
    for mut column in weights.column_iter_mut() {
        let largest = column.max();
        column.apply(|score| *score = (*score - largest).exp());
        let sum = column.sum();
        column /= sum;
    }
    weights
}

/// 1.4: a point that sees itself is predicted without error by h → 0. It has to be left out.
pub fn choose_bandwidth(keys: &[Float], values: &[Float], candidates: &[Float]) -> Float {
    let error = |bandwidth: Float| {
        let predictions = leave_one_out(keys, values, Kernel::Gaussian, bandwidth);
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

/// 1.5: ŷ without j is Σ_{i≠j} αᵢⱼ yᵢ / Σ_{i≠j} αᵢⱼ, and the column sums to 1:
/// (ŷⱼ − αⱼⱼ yⱼ) / (1 − αⱼⱼ).
pub fn leave_one_out_from(weights: &Matrix, values: &[Float]) -> Vec<Float> {
    let left_out = (0..values.len()).map(|j| {
        let all: Float = weights.column(j).iter().zip(values).map(|(a, y)| a * y).sum();
        let own = weights[(j, j)];
        (all - own * values[j]) / (1.0 - own)
    });
    left_out.collect()
}

/// 1.6: query and stored key differ by the difference of two independent normal numbers, whose
/// variances add up.
pub fn lookup_bandwidth(query_noise: Float, key_noise: Float) -> Float {
    query_noise.hypot(key_noise)
}

/// 1.7: the sums are relative to the largest score so far, so they shrink as it grows. The first key
/// shrinks the empty sums by exp(−∞) = 0.
pub fn one_pass(running: [Float; 3], score: Float, value: Float) -> [Float; 3] {
    let [largest, weight_sum, value_sum] = running;
    let now = largest.max(score);
    let (shrink, weight) = ((largest - now).exp(), (score - now).exp());
    [now, weight_sum * shrink + weight, value_sum * shrink + weight * value]
}

/// 1.8: with deᵢ/dx = (xᵢ − x)/h², dŷ/dx = Σ αᵢ (yᵢ − ŷ)(xᵢ − x)/h² = Cov(xᵢ, yᵢ)/h². (What is
/// subtracted from xᵢ does not matter, as Σ αᵢ (yᵢ − ŷ) = 0.)
pub fn slope(query: Float, keys: &[Float], values: &[Float], bandwidth: Float) -> Float {
    let weights = kernel_regression::attention_weights(&[query], keys, Kernel::Gaussian, bandwidth);
    let points = || weights.iter().zip(keys).zip(values);
    let mean: Float = points().map(|((a, _), y)| a * y).sum();
    points().map(|((a, x), y)| a * (y - mean) * (x - query)).sum::<Float>()
        / (bandwidth * bandwidth)
}

/// 1.9: with keys at ±1 the scores differ by ((x + 1)² − (x − 1)²)/2h² = 2x/h², which has to be βx.
pub fn sigmoid_memory(beta: Float) -> ([Float; 2], [Float; 2], Float) {
    ([-1.0, 1.0], [0.0, 1.0], (2.0 / beta).sqrt())
}

/// 1.10: h ~ n^(−1/5) and error ~ n^(−4/5). At the best h, 4Bh³ = V/nh², so the bias Bh⁴ is a quarter of
/// the variance and a fifth of the error; it stays when the bandwidth stays.
pub fn predicted() -> [f64; 4] {
    [0.2 / 2.0, 0.0025 / 16.0, 1000.0 * 2f64.powf(1.25), 0.0025 / 5.0]
}
