//! Why 1/√d: attention between strangers.

use super::config::Config;
use super::statistics::{median, normal};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Operand, elementwise, product, rng};
use std::collections::BTreeMap;
use workbench::study::mean;

/// Attention between strangers: queries and keys with independent standard normal entries.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scaling {
    pub d: usize,
    pub unscaled: Softness,
    pub scaled: Softness,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Softness {
    pub variance: Float,
    /// Mean entropy of the weights, in nats.
    pub entropy: Float,
    /// The mean over the queries of the Frobenius norm of diag(α) − ααᵀ.
    pub jacobian_mean: Float,
    pub jacobian_median: Float,
    pub query_mean: Float,
    pub query_median: Float,
    pub values_mean: Float,
    pub match_weight: Float,
}

pub const STRANGERS: usize = 64;

/// The sizes d: powers of two up to 4096.
pub fn sizes() -> Vec<usize> {
    (0..=12).map(|power| 1 << power).collect()
}

/// Draws queries, keys, values and a gradient of the output, all standard normal, and measures what
/// the softmax does with them.
pub fn scaling(d: usize, seed: u64) -> Scaling {
    let rng = &mut rng(seed);
    let scale = 1.0 / (d as Float).sqrt();
    let (mut unscaled, mut scaled) = (Samples::default(), Samples::default());
    for _ in 0..16 {
        let (queries, keys) = (normal(d, STRANGERS, rng), normal(d, STRANGERS, rng));
        let (values, doutput) = (normal(16, STRANGERS, rng), normal(16, STRANGERS, rng));
        let scores = product(&keys.t(), &queries); //    (m, n)
        let dalpha = product(&values.t(), &doutput); //  (m, n)
        let matches = product(&keys.t(), &keys); //      (m, m): queries that equal a key
        unscaled.add(1.0, &scores, &matches, &keys, &dalpha, &doutput);
        scaled.add(scale, &scores, &matches, &keys, &dalpha, &doutput);
    }
    Scaling { d, unscaled: unscaled.summary(), scaled: scaled.summary() }
}

pub fn scalings(config: &Config) -> BTreeMap<String, Scaling> {
    let sizes = sizes();
    let one = |d: &usize| (format!("d{d}"), scaling(*d, config.stream(0)));
    sizes.par_iter().map(one).collect()
}

#[derive(Default)]
struct Samples {
    squares: Vec<Float>,
    entropy: Vec<Float>,
    jacobian: Vec<Float>,
    query: Vec<Float>,
    values: Vec<Float>,
    matches: Vec<Float>,
}

impl Samples {
    fn add(
        &mut self,
        scale: Float,
        scores: &Matrix,
        matches: &Matrix,
        keys: &Matrix,
        dalpha: &Matrix,
        doutput: &Matrix,
    ) {
        for j in 0..scores.ncols() {
            let scores = scores.column(j) * scale;
            self.squares.push(scores.norm_squared() / scores.len() as Float); // their mean is 0
            let mut alpha = scores;
            elementwise::softmax(alpha.as_mut_slice());
            self.entropy
                .push(-alpha.iter().filter(|a| **a > 0.0).map(|a| a * a.ln()).sum::<Float>());

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
            self.jacobian.push(jacobian.sqrt());
            self.query.push(product(keys, &dscores).norm() * scale); // dq = K ds, scaled as s was
            self.values.push(doutput.column(j).norm() * alpha.norm()); // dV = do αᵀ

            let mut alpha = matches.column(j) * scale;
            elementwise::softmax(alpha.as_mut_slice());
            self.matches.push(alpha[j]);
        }
    }

    fn summary(self) -> Softness {
        Softness {
            variance: mean(&self.squares),
            entropy: mean(&self.entropy),
            jacobian_mean: mean(&self.jacobian),
            jacobian_median: median(self.jacobian),
            query_mean: mean(&self.query),
            query_median: median(self.query),
            values_mean: mean(&self.values),
            match_weight: mean(&self.matches),
        }
    }
}
