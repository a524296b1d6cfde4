//! One question, eight answers: what is the value at a query, if these keys have these values?
//!
//! All eight are linear in the values, so that each is known by its *equivalent weights* (m, n): what every value counts
//! for every query. Column j belongs to query j, as in chapter 1.

use shared::elementwise::softmax_columns;
use shared::{Float, Matrix, Vector, product};

// ANCHOR: estimator
/// A way to answer queries from keys and values.
pub trait Estimator {
    /// What each value counts for each query, (m, n), given `queries` (d, n) and `keys` (d, m) in the order in which
    /// they came.
    fn weights(&self, queries: &Matrix, keys: &Matrix) -> Matrix;

    /// The answers (c, n) from `values` (c, m): `V·A`.
    fn answer(&self, queries: &Matrix, keys: &Matrix, values: &Matrix) -> Matrix {
        product(values, &self.weights(queries, keys))
    }
}
// ANCHOR_END: estimator

/// Average pooling: every value counts 1/m.
#[derive(Clone, Copy, Debug)]
pub struct Mean;

impl Estimator for Mean {
    fn weights(&self, queries: &Matrix, keys: &Matrix) -> Matrix {
        Matrix::from_element(keys.ncols(), queries.ncols(), 1.0 / keys.ncols() as Float)
    }
}

// ANCHOR: nadaraya_watson
/// The local constant (Nadaraya 1964, Watson 1964), `argmin_c Σᵢ K(kᵢ, q)‖vᵢ − c‖²` with a Gaussian kernel: the softmax of
/// `−‖q − kᵢ‖²/2h²`.
#[doc(alias = "softmax attention")]
#[derive(Clone, Copy, Debug)]
pub struct NadarayaWatson {
    /// h, in the unit of the keys.
    pub bandwidth: Float,
}

impl Estimator for NadarayaWatson {
    fn weights(&self, queries: &Matrix, keys: &Matrix) -> Matrix {
        let h2 = self.bandwidth * self.bandwidth;
        let mut weights = Matrix::from_fn(keys.ncols(), queries.ncols(), |i, j| {
            -(queries.column(j) - keys.column(i)).norm_squared() / (2.0 * h2)
        });
        softmax_columns(&mut weights);
        weights
    }
}
// ANCHOR_END: nadaraya_watson

/// The limit of both above as nothing but the nearest counts; of equally near keys the first.
#[derive(Clone, Copy, Debug)]
pub struct NearestNeighbour;

impl Estimator for NearestNeighbour {
    fn weights(&self, queries: &Matrix, keys: &Matrix) -> Matrix {
        let mut weights = Matrix::zeros(keys.ncols(), queries.ncols());
        for (q, mut weights) in queries.column_iter().zip(weights.column_iter_mut()) {
            let distances = keys.column_iter().map(|k| (q - k).norm_squared());
            let nearest = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
            weights[nearest.expect("a key").0] = 1.0;
        }
        weights
    }
}

// ANCHOR: local_line
/// The local line (Fan & Gijbels 1996): the `c` of `argmin_{c,B} Σᵢ K(kᵢ, q)‖vᵢ − c − B(kᵢ − q)‖²`.
///
/// Its weights correct those of the local constant, `α`: with the mean `k̄` and the covariance `Σ` of the keys under `α`,
/// `wᵢ = αᵢ(1 + (q − k̄)ᵀΣ⁻¹(kᵢ − k̄))`. Directions in which the keys do not vary
/// by more than rounding are left out.
#[derive(Clone, Copy, Debug)]
pub struct LocalLine {
    /// h, in the unit of the keys.
    pub bandwidth: Float,
}

impl Estimator for LocalLine {
    fn weights(&self, queries: &Matrix, keys: &Matrix) -> Matrix {
        let mut weights = NadarayaWatson { bandwidth: self.bandwidth }.weights(queries, keys);
        for (q, mut w) in queries.column_iter().zip(weights.column_iter_mut()) {
            let mean = keys * &w; // k̄ (d, 1)
            let centred =
                Matrix::from_fn(keys.nrows(), keys.ncols(), |r, i| keys[(r, i)] - mean[r]);
            let covariance = &centred * Matrix::from_diagonal(&w) * centred.transpose(); // Σ (d, d)
            let reach = keys.column_iter().map(|k| (k - q).norm_squared()).fold(0.0, Float::max);
            let inverse = covariance.pseudo_inverse(reach * 100.0 * Float::EPSILON); // below, it is rounding
            let tilt = (inverse.expect("not negative") * (q - mean)).tr_mul(&centred); // (1, m)
            w.zip_apply(&tilt.transpose(), |w, tilt| *w *= 1.0 + tilt);
        }
        weights
    }
}
// ANCHOR_END: local_line

// ANCHOR: linear_attention
/// Linear attention without a normaliser (Katharopoulos et al. 2020): `β Σᵢ vᵢ kᵢᵀq`, one step of gradient descent on
/// `½Σᵢ‖vᵢ − S kᵢ‖²` from `S = 0`.
#[derive(Clone, Copy, Debug)]
pub struct LinearAttention {
    /// β, the rate of that step.
    pub rate: Float,
}

impl Estimator for LinearAttention {
    fn weights(&self, queries: &Matrix, keys: &Matrix) -> Matrix {
        keys.tr_mul(queries) * self.rate
    }
}
// ANCHOR_END: linear_attention

// ANCHOR: delta_rule
/// The delta rule (Widrow & Hoff 1960; Schlag et al. 2021): a step of gradient descent *for each* key, in their order,
/// `S ← S + β(vᵢ − S kᵢ)kᵢᵀ`.
///
/// What the last key reads of a query, the keys before it no longer get.
#[derive(Clone, Copy, Debug)]
pub struct DeltaRule {
    /// β, the rate of the steps.
    pub rate: Float,
}

impl Estimator for DeltaRule {
    fn weights(&self, queries: &Matrix, keys: &Matrix) -> Matrix {
        backwards(queries, keys, |_| self.rate)
    }
}

/// `wᵢ = βᵢ kᵢᵀq` from the last key to the first, each of which takes its `wᵢkᵢ` out of `q`.
fn backwards(queries: &Matrix, keys: &Matrix, rate: impl Fn(Float) -> Float) -> Matrix {
    let mut q = queries.clone();
    let mut weights = Matrix::zeros(keys.ncols(), queries.ncols());
    for (i, k) in keys.column_iter().enumerate().rev() {
        let w = k.tr_mul(&q) * rate(k.norm_squared()); // (1, n)
        q -= k * &w;
        weights.row_mut(i).copy_from(&w);
    }
    weights
}
// ANCHOR_END: delta_rule

// ANCHOR: implicit_step
/// The implicit step (Longhorn, Liu et al. 2024): `argmin_S ‖S − S_old‖² + β‖vᵢ − S kᵢ‖²` for each key, which is the
/// delta rule at the rate `β/(1 + β‖kᵢ‖²)` and cannot overshoot.
#[derive(Clone, Copy, Debug)]
pub struct ImplicitStep {
    /// β, how much the newest value counts against what is remembered.
    pub rate: Float,
}

impl Estimator for ImplicitStep {
    fn weights(&self, queries: &Matrix, keys: &Matrix) -> Matrix {
        backwards(queries, keys, |norm_squared| self.rate / (1.0 + self.rate * norm_squared))
    }
}
// ANCHOR_END: implicit_step

// ANCHOR: least_squares
/// Least squares with a ridge, `argmin_S Σᵢ‖vᵢ − S kᵢ‖² + λ‖S‖²`, in one pass: every key changes the inverse
/// `P = (Σ kkᵀ + λI)⁻¹` by a matrix of rank one (Sherman & Morrison 1950).
#[doc(alias = "ridge regression")]
#[derive(Clone, Copy, Debug)]
pub struct RecursiveLeastSquares {
    /// λ.
    pub ridge: Float,
}

impl Estimator for RecursiveLeastSquares {
    fn weights(&self, queries: &Matrix, keys: &Matrix) -> Matrix {
        let mut p = Matrix::identity(keys.nrows(), keys.nrows()) / self.ridge;
        for k in keys.column_iter() {
            p = sherman_morrison(&p, &k.into_owned());
        }
        keys.tr_mul(&(p * queries)) // (m, n)
    }
}

/// `(P⁻¹ + kkᵀ)⁻¹ = P − Pkkᵀ P/(1 + kᵀPk)` for a symmetric `p` (d, d) and `k` (d, 1).
pub fn sherman_morrison(p: &Matrix, k: &Vector) -> Matrix {
    let pk = p * k;
    p - &pk * pk.transpose() / (1.0 + k.dot(&pk))
}
// ANCHOR_END: least_squares

// ANCHOR: kernel_ridge
/// Ridge regression on the features of a Gaussian kernel, which are infinitely many (Schölkopf & Smola 2002, chapter 4):
/// the weights `(K + λI)⁻¹k(q)` ask for the kernel alone.
#[derive(Clone, Copy, Debug)]
pub struct KernelRidge {
    /// h, in the unit of the keys.
    pub bandwidth: Float,
    /// λ.
    pub ridge: Float,
}

impl Estimator for KernelRidge {
    fn weights(&self, queries: &Matrix, keys: &Matrix) -> Matrix {
        let kernel = |x: &Matrix| {
            Matrix::from_fn(keys.ncols(), x.ncols(), |i, j| {
                let distance = (x.column(j) - keys.column(i)).norm() / self.bandwidth;
                (-distance * distance / 2.0).exp()
            })
        };
        let ridge = Matrix::identity(keys.ncols(), keys.ncols()) * self.ridge;
        (kernel(keys) + ridge).cholesky().expect("positive").solve(&kernel(queries))
    }
}
// ANCHOR_END: kernel_ridge

// ANCHOR: bumps
/// Features of places on a line (centres, n): a Gaussian bump around each centre, every column scaled to length 1. What
/// is linear in them is a curve.
pub fn bumps(x: &[Float], centres: &[Float], width: Float) -> Matrix {
    let mut features = Matrix::from_fn(centres.len(), x.len(), |i, j| {
        (-((x[j] - centres[i]) / width).powi(2) / 2.0).exp()
    });
    features.column_iter_mut().for_each(|mut column| column.unscale_mut(column.norm()));
    features
}
// ANCHOR_END: bumps
