//! The exercises of chapter 3. Replace a `todo!()`, then run
//! `cargo test -p scoring_functions --test exercises`.
//!
//! A column is a token: queries (d, n), keys (d, m), values (d_v, m); scores and weights are (m, n),
//! column i belongs to query i. `product(&a.t(), &b)` is aᵀb, `product(&a, &b.t())` is abᵀ.
#![allow(unused_variables, unused_imports, unreachable_code)] // until all are solved

use shared::{Matrix, Operand, Vector, product};

/// **3.1 scaled dot-product scores – difficulty ●○○, about 5 minutes**
///
/// The scores `qᵢ·kⱼ/√d` of every key against every query: `queries` (d, n), `keys` (d, m) → (m, n).
///
/// Hint: one product and one number. Which factor is transposed?
pub fn scaled_dot(queries: &Matrix, keys: &Matrix) -> Matrix {
    todo!()
}

/// **3.2 masked softmax – difficulty ●●○, about 15 minutes**
///
/// Column i of `scores` (m, n) becomes weights over its first `lengths[i]` entries: positive, summing
/// to 1; the other entries get weight exactly 0. A column of length 0 becomes all zeros. Scores may be
/// as large as ±1000, and where they are masked they may be anything, NaN included.
///
/// Hint: subtract the largest *visible* score before you exponentiate.
pub fn masked_softmax(scores: &Matrix, lengths: &[usize]) -> Matrix {
    todo!()
}

/// **3.3 additive scores – difficulty ●●○, about 15 minutes**
///
/// The scores `vᵀ tanh(W_q qᵢ + W_k kⱼ)` of every key against every query: `queries` (d_q, n), `keys`
/// (d_k, m), `w_q` (d_h, d_q), `w_k` (d_h, d_k), `v` (d_h, 1) → (m, n).
///
/// Hint: project each query and each key once, before you combine them.
pub fn additive(queries: &Matrix, keys: &Matrix, w_q: &Matrix, w_k: &Matrix, v: &Vector) -> Matrix {
    todo!()
}

/// **3.4 the gradient of the cosine – difficulty ●●○, about 20 minutes**
///
/// The gradient of `(q·k)/(‖q‖‖k‖)` with respect to `q`, both of any length but zero.
///
/// Hint: with q̂ = q/‖q‖, how does q̂ move when q moves along itself? And across?
pub fn cosine_gradient(q: &Vector, k: &Vector) -> Vector {
    todo!()
}

/// **3.5 the gradient of attention – difficulty ●●●, about 30 minutes**
///
/// `q` (d, n), `k` (d, m), `v` (d_v, m), and `doutput` (d_v, n), the gradient of a loss with respect to
/// `V·softmax↓(KᵀQ/√d)`. Returns the gradients (dq, dk, dv), each of its matrix's shape.
///
/// Hint: recompute the weights, then four products and one softmax backward, in reverse order.
pub fn attention_backward(
    q: &Matrix,
    k: &Matrix,
    v: &Matrix,
    doutput: &Matrix,
) -> (Matrix, Matrix, Matrix) {
    todo!()
}

/// **3.6 a query that averages two values – difficulty ●●○, about 15 minutes**
///
/// The columns of `keys` (d, m) are orthonormal. Return a query (d, 1) for which scaled dot-product
/// attention gives keys `a` and `b` (a ≠ b) a weight of ½ each, up to 0.001, and nobody else anything
/// that matters – whatever d and m are, up to m = 100.
///
/// Hint: which scores would do? A linear combination of keys has the scores you choose.
pub fn query_for_two(keys: &Matrix, a: usize, b: usize) -> Vector {
    todo!()
}

/// Attention of one query over some keys, kept so that it can be merged with another part (for 3.7).
#[derive(Clone, Debug)]
pub struct Part {
    /// The largest score.
    pub max: f32,
    /// `Σ exp(eⱼ − max)`
    pub sum: f32,
    /// `Σ exp(eⱼ − max)·vⱼ` (d_v, 1): the context, not yet divided by the sum.
    pub weighted: Vector,
}

/// **3.7 merging two halves – difficulty ●●●, about 20 minutes**
///
/// Given the parts of two disjoint sets of keys, neither of them empty, the part of their union,
/// without seeing a score again. This is the step that flash attention repeats from tile to tile.
///
/// Hint: both parts must be relative to the same maximum before they can be added.
pub fn merge(a: &Part, b: &Part) -> Part {
    todo!()
}

/// **3.8 spot the bug: an attention that sums to one – difficulty ●●○, about 10 minutes**
///
/// Should return `V·softmax↓(KᵀQ/√d)` (d_v, n). Its author checked that shapes fit and that weights
/// sum to 1.
///
/// Hint: whose weights sum to 1? Print them for two queries and three keys.
pub fn attention(q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    todo!("find the bug, then remove this line");
    let d = q.nrows() as f32;
    let scores = product(&q.t(), k) / d.sqrt(); // every query against every key
    let mut weights = scores;
    for mut column in weights.column_iter_mut() {
        let max = column.max();
        column.apply(|e| *e = (*e - max).exp());
        column /= column.sum();
    }
    product(v, &weights.t())
}

/// **3.9 spot the bug: every query the same – difficulty ●●○, about 10 minutes**
///
/// Should return the weights (m, n) of concat attention (Luong et al. 2015): `queries` (d_q, n), `keys`
/// (d_k, m), `w` (d_h, d_q + d_k), `v` (d_h, 1). Its author knew the score as W[q; k], and multiplied with
/// v to get a number.
///
/// Hint: print the columns for two queries. Which part of the score depends on the query?
pub fn concat_weights(queries: &Matrix, keys: &Matrix, w: &Matrix, v: &Vector) -> Matrix {
    todo!("find the bug, then remove this line");
    let d_q = queries.nrows();
    let mut weights =
        Matrix::from_fn(keys.ncols(), queries.ncols(), |j, i| {
            let stacked = Vector::from_fn(w.ncols(), |a, _| {
                if a < d_q { queries[(a, i)] } else { keys[(a - d_q, j)] }
            });
            v.dot(&(w * stacked))
        });
    for mut column in weights.column_iter_mut() {
        let max = column.max();
        column.apply(|e| *e = (*e - max).exp());
        column /= column.sum();
    }
    weights
}

/// **3.10 construct: look at the token before – difficulty ●●○, about 20 minutes**
///
/// Return queries (d, n) and keys (d, n), for n tokens and a d of your choice, by which scaled dot-product
/// attention under the causal mask (token i sees tokens 0 … i) lets every token attend to the one before it,
/// with a weight above 0.99; token 0, which has none before it, attends to itself.
///
/// Hint: let keys name positions. How large must a score be to win against n − 1 others?
pub fn previous(n: usize) -> (Matrix, Matrix) {
    todo!()
}

/// **3.11 predict: what to divide by – difficulty ●●○, about 15 minutes**
///
/// The standard deviation of q·k for d = 64, when all entries are independent of each other and
///
/// 1. have mean 0 and variance 4, in both vectors;
/// 2. are uniform from −1 to 1, in both vectors;
/// 3. have mean 1 and variance 1, in both vectors;
/// 4. have mean 0 and variance 1, but half of the entries of every key are set to 0;
/// 5. or when all entries of q are one and the same number, and those of k another one, each drawn with mean
///    0 and variance 1.
///
/// Hint: the variance of one product first, then the variance of the sum.
pub fn divisors() -> [f64; 5] {
    todo!()
}

// **3.12 capstone: your lookup – difficulty ●○○, about 5 minutes**
//
// Nothing to write: 3.1, 3.2, 3.5 and 3.8 together learn the rotated world. It opens when they are solved:
// `cargo test -p scoring_functions --test exercises`.
