//! How does a query find the key that fits?
//!
//! **attention = score → alignment → context.** A *score* says how well a key fits a query; the
//! *alignment* turns one query's scores into weights; the *context* is the weighted mean of the
//! values:
//!
//! ```text
//! out = V · softmax↓(KᵀQ/√d)                        (Vaswani et al. 2017, equation 1, transposed)
//! ```
//!
//! A column is a token. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `n`, `m` | queries; keys, which are as many as values |
//! | `d` | entries of a query and of a key, where they must agree; else `d_q` and `d_k` |
//! | `d_v` | entries of a value |
//! | `d_h` | hidden units of an additive score |
//!
//! | module | holds |
//! |---|---|
//! | [`scores`] | seven scores, each for one pair and for all pairs at once |
//! | [`kinds`] | the same by name, to be built and compared |
//! | [`lookup`] | episodes of keys, values and questions: what a score can learn |
//! | `operations` | what they need of the tape |
//! | here | the alignment with and without a mask, and attention as a composition of tape operations |
//! | [`sequences`] | which queries attend to which keys |
//! | [`fused`] | the same attention as one operation, its backward derived by hand |
//! | [`flash`] | again the same, with memory that grows like n instead of n² |
//! | `blocks` | heads and sequences as independent pieces of work for both |
//! | [`program`] | what the page measures |

mod blocks;
pub mod flash;
pub mod fused;
pub mod kinds;
pub mod lookup;
mod operations;
#[cfg(feature = "program")]
pub mod program;
pub mod scores;
pub mod sequences;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as scoring_functions;

pub use operations::{reshape, unit_columns};
pub use scores::{Additive, Concat, Cosine, General, Location, Score, dot, scaled_dot};
pub use sequences::{AttentionMask, Sequence, Sequences};

use shared::{Matrix, Tape, Var, elementwise, product};
use std::sync::Arc;

/// Softmax over the first `lengths[i]` scores of column `i`; the others get weight zero.
///
/// `scores` (m, n) → weights (m, n). A masked score is not read, in neither direction:
/// whatever stands there, the weights are the same and no gradient reaches it. A query that may
/// see nothing (`lengths[i] = 0`) has no weights to give: its column is zeros, and so is its
/// gradient.
///
/// ```
/// use shared::{Matrix, Tape};
/// use scoring_functions::masked_softmax;
/// let tape = Tape::new();
/// let scores = tape.leaf(Matrix::zeros(3, 3));
/// let weights = masked_softmax(scores, &[2, 3, 0]).value();
/// let third = 1.0 / 3.0;
/// assert_eq!(*weights, Matrix::from_row_slice(3, 3, &[
///     0.5, third, 0.0,
///     0.5, third, 0.0,
///     0.0, third, 0.0,
/// ]));
/// ```
///
/// # Panics
/// When there is not one length a column, or a length exceeds the number of keys.
// ANCHOR: masked_softmax
pub fn masked_softmax<'t>(scores: Var<'t>, lengths: &[usize]) -> Var<'t> {
    let e = scores.value();
    let (m, n) = e.shape();
    assert!(lengths.len() == n, "{} lengths for scores of shape {:?}", lengths.len(), (m, n));
    if let Some(length) = lengths.iter().find(|length| **length > m) {
        panic!("a valid length of {length}, but there are {m} keys");
    }
    let mut alpha = Matrix::zeros(m, n);
    for ((mut alpha, e), &length) in alpha.column_iter_mut().zip(e.column_iter()).zip(lengths) {
        let visible = &mut alpha.as_mut_slice()[..length];
        visible.copy_from_slice(&e.as_slice()[..length]);
        elementwise::softmax(visible);
    }
    let (alpha, lengths) = (Arc::new(alpha), lengths.to_vec());
    scores.tape().push([scores], alpha.clone(), move |mut dalpha, [e_id], gradients| {
        for ((mut d, alpha), length) in
            dalpha.column_iter_mut().zip(alpha.column_iter()).zip(lengths)
        {
            let (visible, hidden) = d.as_mut_slice().split_at_mut(length);
            let alpha = &alpha.as_slice()[..length];
            let mean = elementwise::dot(alpha, visible); // αᵀdα
            for (d, alpha) in visible.iter_mut().zip(alpha) {
                *d = alpha * (*d - mean);
            }
            hidden.fill(0.0);
        }
        gradients.add(e_id, dalpha);
    })
}
// ANCHOR_END: masked_softmax

/// The valid lengths of causal attention over `n` tokens: token `i` sees tokens `0..=i`.
///
/// ```
/// assert_eq!(scoring_functions::causal(3), [1, 2, 3]);
/// ```
pub fn causal(n: usize) -> Vec<usize> {
    (1..=n).collect()
}

/// Scaled dot-product attention (Vaswani et al. 2017, equation 1), composed of tape operations.
///
/// `q` (d, n), `k` (d, m), `v` (d_v, m) → (d_v, n). The teacher, and the oracle, of the faster
/// forms in [`fused`] and [`flash`].
///
/// ```
/// use shared::{Matrix, Tape};
/// use scoring_functions::attention;
/// let tape = Tape::new();
/// let q = tape.leaf(Matrix::from_column_slice(2, 1, &[100.0, 0.0])); // points along the first key
/// let k = tape.leaf(Matrix::identity(2, 2));
/// let v = tape.leaf(Matrix::from_row_slice(1, 2, &[7.0, -3.0]));
/// assert_eq!(attention(q, k, v).value()[0], 7.0); // and fetches the first value
/// ```
// ANCHOR: attention
#[doc(alias = "scaled_dot_product_attention")]
pub fn attention<'t>(q: Var<'t>, k: Var<'t>, v: Var<'t>) -> Var<'t> {
    let e = scaled_dot(q, k); //  (m, n): column i scores every key against query i
    let alpha = e.softmax(); //   (m, n): each column sums to 1
    v * alpha //                  (d_v, n): column i is query i's weighted mean of the values
}

/// [`attention`] in which query `i` sees the first `lengths[i]` keys only.
pub fn masked_attention<'t>(q: Var<'t>, k: Var<'t>, v: Var<'t>, lengths: &[usize]) -> Var<'t> {
    v * masked_softmax(scaled_dot(q, k), lengths)
}
// ANCHOR_END: attention

/// How the output moves with the scores: `∂o/∂e = V(diag(α) − ααᵀ)`, (d_v, m).
///
/// `values` (d_v, m) and the weights α (m, 1) of one query. Column `j` is `αⱼ(vⱼ − o)`: the
/// covariance, under the weights, between a value drawn from them and the event "it was value j".
///
/// ```
/// use shared::Matrix;
/// use scoring_functions::covariance;
/// let values = Matrix::from_row_slice(1, 2, &[10.0, 20.0]); // the output is 17.5
/// let alpha = Matrix::from_column_slice(2, 1, &[0.25, 0.75]);
/// assert_eq!(covariance(&values, &alpha), Matrix::from_row_slice(1, 2, &[-1.875, 1.875]));
/// ```
// ANCHOR: covariance
pub fn covariance(values: &Matrix, alpha: &Matrix) -> Matrix {
    let o = product(values, alpha); // (d_v, 1)
    Matrix::from_fn(values.nrows(), values.ncols(), |a, j| alpha[j] * (values[(a, j)] - o[a]))
}
// ANCHOR_END: covariance

/// The weights of scaled dot-product attention, without a tape: `q` (d, n), `k` (d, m) → (m, n).
///
/// ```
/// use shared::Matrix;
/// let same = Matrix::from_element(4, 3, 1.0);
/// assert_eq!(scoring_functions::weights(&same, &same)[(2, 1)], 1.0 / 3.0);
/// ```
pub fn weights(q: &Matrix, k: &Matrix) -> Matrix {
    let tape = Tape::no_grad();
    let alpha = scaled_dot(tape.constant(q.clone()), tape.constant(k.clone())).softmax();
    Matrix::clone(&alpha.value())
}
