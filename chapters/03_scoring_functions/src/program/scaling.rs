//! Why 1/√d: attention between strangers.

use crate::lookup::normal;
use shared::{Float, Matrix, Operand, elementwise, product, rng};
use workbench::statistics::mean;

/// Attention between strangers, queries and keys with independent standard normal entries: with the scores
/// q·k, and with q·k/√d.
#[allow(missing_docs)]
pub struct Scaling {
    pub unscaled: Softness,
    pub scaled: Softness,
}

/// What the softmax does with the scores.
pub struct Softness {
    /// The variance of the scores.
    pub variance: Float,
    /// The mean entropy of the weights, in nats.
    pub entropy: Float,
    /// The median over the queries of the Frobenius norm of diag(α) − ααᵀ.
    pub jacobian_median: Float,
    /// The mean norm of the gradient at a query.
    pub query_mean: Float,
    /// Its median.
    pub query_median: Float,
    /// The weight on a key that equals its query.
    pub match_weight: Float,
}

/// Keys of a query.
pub const STRANGERS: usize = 64;

/// Draws queries, keys, values and a gradient of the output, all standard normal, and measures what
/// the softmax does with them.
pub fn scaling(d: usize, seed: u64) -> Scaling {
    let rng = &mut rng(seed);
    let scales = [1.0, 1.0 / (d as Float).sqrt()];
    let mut samples: [[Vec<Float>; 5]; 2] = Default::default();
    for _ in 0..16 {
        let (queries, keys) = (normal(d, STRANGERS, rng), normal(d, STRANGERS, rng));
        let (values, doutput) = (normal(16, STRANGERS, rng), normal(16, STRANGERS, rng));
        let scores = product(&keys.t(), &queries); //    (m, n)
        let dalpha = product(&values.t(), &doutput); //  (m, n)
        let matches = product(&keys.t(), &keys); //      (m, m): queries that equal a key
        for (samples, scale) in samples.iter_mut().zip(scales) {
            let scores = &scores * scale;
            for j in 0..STRANGERS {
                let (dscores, [variance, entropy, jacobian]) = query(&scores, &dalpha, j);
                let dq = product(&keys, &dscores).norm() * scale; // dq = K de, scaled as e was
                let numbers = [variance, entropy, jacobian, dq, softmax(&matches, j, scale)[j]];
                samples.iter_mut().zip(numbers).for_each(|(all, number)| all.push(number));
            }
        }
    }
    let [unscaled, scaled] =
        samples.map(|[variance, entropy, jacobian, query, matches]| Softness {
            variance: mean(&variance),
            entropy: mean(&entropy),
            jacobian_median: median(jacobian),
            query_mean: mean(&query),
            query_median: median(query),
            match_weight: mean(&matches),
        });
    Scaling { unscaled, scaled }
}

/// The gradient at the scores (m, 1) of query `j`; their mean square (their mean is 0), the entropy of the
/// weights and the norm of the Jacobian.
fn query(scores: &Matrix, dalpha: &Matrix, j: usize) -> (Matrix, [Float; 3]) {
    let alpha = softmax(scores, j, 1.0);
    let variance = scores.column(j).norm_squared() / STRANGERS as Float;
    let entropy = -alpha.iter().filter(|a| **a > 0.0).map(|a| a * a.ln()).sum::<Float>();
    // αᵢ(1 − αᵢ) and dα − αᵀdα would cancel where the softmax saturates: sums over the other
    // weights do not.
    let (mut jacobian, mut dscores) = (0.0, alpha.clone());
    for i in 0..alpha.len() {
        let (mut others, mut pull) = (0.0, 0.0);
        for k in (0..alpha.len()).filter(|k| *k != i) {
            others += alpha[k];
            pull += alpha[k] * (dalpha[(i, j)] - dalpha[(k, j)]);
            jacobian += (alpha[i] * alpha[k]).powi(2);
        }
        jacobian += (alpha[i] * others).powi(2);
        dscores[i] = alpha[i] * pull;
    }
    (dscores, [variance, entropy, jacobian.sqrt()])
}

fn softmax(scores: &Matrix, j: usize, scale: Float) -> Matrix {
    let mut alpha = scores.columns(j, 1) * scale;
    elementwise::softmax(alpha.as_mut_slice());
    alpha
}

fn median(mut x: Vec<Float>) -> Float {
    x.sort_by(Float::total_cmp);
    (x[(x.len() - 1) / 2] + x[x.len() / 2]) / 2.0
}
