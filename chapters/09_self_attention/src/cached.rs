//! Attention of new tokens to tokens whose keys and values were kept.
//!
//! While a sentence is written, every step brings one query a hypothesis. Each asks keys of its own,
//! so there is no product of large matrices to be had: a head's score is a dot product of two short
//! columns, and the context a sum of columns. Nothing is copied: a query names its keys, wherever
//! they stand.

use shared::{Float, Matrix, elementwise};

// ANCHOR: cached
/// One column of keys and its column of values.
#[derive(Clone, Copy)]
pub struct Kept<'a> {
    /// `W_k y`, all heads one above another.
    pub key: &'a [Float],
    /// `W_v y`.
    pub value: &'a [Float],
}

/// Scaled dot-product attention of `q` (d_model, b), each query to the tokens that `kept` names for
/// it → contexts (d_model, b), and for every query its weights (tokens, heads).
///
/// The same numbers as [`scoring_functions::fused`], up to rounding.
pub fn attend<'a>(
    q: &Matrix,
    heads: usize,
    kept: impl Fn(usize, &mut Vec<Kept<'a>>),
) -> (Matrix, Vec<Matrix>) {
    let d = q.nrows() / heads;
    let scale = 1.0 / (d as Float).sqrt();
    let mut contexts = Matrix::zeros(q.nrows(), q.ncols());
    let mut weights = Vec::with_capacity(q.ncols());
    let mut tokens = Vec::new();
    for (j, mut context) in contexts.column_iter_mut().enumerate() {
        tokens.clear();
        kept(j, &mut tokens);
        let q_j = q.column(j);
        let q_j = q_j.as_slice();
        let mut alpha = Matrix::zeros(tokens.len(), heads);
        for (head, mut alpha) in alpha.column_iter_mut().enumerate() {
            let rows = head * d..(head + 1) * d;
            let alpha = alpha.as_mut_slice();
            for (a, token) in alpha.iter_mut().zip(&tokens) {
                *a = scale * elementwise::dot(&token.key[rows.clone()], &q_j[rows.clone()]);
            }
            elementwise::softmax(alpha);
            let context = &mut context.as_mut_slice()[rows.clone()];
            for (a, token) in alpha.iter().zip(&tokens) {
                elementwise::add_scaled(context, *a, &token.value[rows.clone()]);
            }
        }
        weights.push(alpha);
    }
    (contexts, weights)
}
// ANCHOR_END: cached
