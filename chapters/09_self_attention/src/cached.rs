//! Attention of new tokens to tokens whose keys and values were kept.
//!
//! While a sentence is written, every step brings one query a hypothesis. Each asks keys of its own,
//! so there is no product of large matrices to be had: a head's score is a dot product of two short
//! columns, and the context a sum of columns. Nothing is copied: a query names its keys, wherever
//! they stand.

use multiversion::multiversion;
use scoring_functions::sequences::distance_row;
use shared::elementwise::{dot, dots, softmax_columns};
use shared::{Float, Matrix};

/// One column of keys and its column of values.
#[derive(Clone, Copy)]
pub struct KeyValue<'a> {
    /// `W_k y`, all heads one above another, or as many groups of them as share a key.
    pub key: &'a [Float],
    /// `W_v y`.
    pub value: &'a [Float],
}

/// Scaled dot-product attention of `q` (d_model, b), each query to the tokens that `kept` names for
/// it → contexts (d_model, b), and for every query its weights (tokens, heads). A query that asks
/// nobody gets zeros.
///
/// The same numbers as [`scoring_functions::fused`], up to rounding. A `bias`, if there is one, has a
/// column a query as there; the queries stand at `position`, the token that `kept` names first at position 0.
///
/// ```
/// use self_attention::cached::{KeyValue, attend};
/// use shared::Matrix;
/// let q = Matrix::from_column_slice(2, 1, &[0.0, 5.0]); // two heads of one row
/// let kept = [
///     KeyValue { key: &[1.0, 9.0], value: &[2.0, 3.0] },
///     KeyValue { key: &[7.0, -9.0], value: &[4.0, 5.0] },
/// ];
/// let (context, weights) = attend(&q, 2, None, |_, tokens| tokens.extend(kept));
/// assert_eq!(context.as_slice(), [3.0, 3.0]); // the first head takes the mean, the second chooses
/// assert_eq!(weights[0].column(0).as_slice(), [0.5, 0.5]);
/// ```
///
/// # Panics
/// When keys or values have other rows than a head's for each group.
pub fn attend<'a>(
    q: &Matrix,
    heads: usize,
    bias: Option<(&Matrix, usize)>,
    kept: impl Fn(usize, &mut Vec<KeyValue<'a>>),
) -> (Matrix, Vec<Matrix>) {
    let mut contexts = Matrix::zeros(q.nrows(), q.ncols());
    let mut weights = Vec::with_capacity(q.ncols());
    let mut tokens = Vec::new();
    for (j, (mut context, q)) in contexts.column_iter_mut().zip(q.column_iter()).enumerate() {
        tokens.clear();
        kept(j, &mut tokens);
        let rows = bias.map_or(0, |(bias, _)| bias.nrows());
        let bias =
            bias.map(|(bias, position)| (&bias.as_slice()[j * rows..(j + 1) * rows], position));
        weights.push(ask(q.as_slice(), heads, bias, &tokens, context.as_mut_slice()));
    }
    (contexts, weights)
}

/// One query: adds to the context, which is zeros, and returns the weights (tokens, heads).
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn ask(
    q: &[Float],
    heads: usize,
    bias: Option<(&[Float], usize)>,
    tokens: &[KeyValue],
    context: &mut [Float],
) -> Matrix {
    let d = q.len() / heads;
    let scale = 1.0 / (d as Float).sqrt();
    let rows = |head: usize| head * d..(head + 1) * d;
    let groups = tokens.first().map_or(heads, |token| token.key.len() / d);
    let shared = |head: usize| rows(head * groups / heads); // of a key or a value, by a group of heads
    let mut alpha = Matrix::zeros(tokens.len(), heads);
    // Token by token, all heads of each: keys and values are read as they lie in memory.
    for (i, KeyValue { key, .. }) in tokens.iter().enumerate() {
        let factors = |head: usize| [&key[shared(head)], &q[rows(head)]];
        let fours = heads / 4 * 4;
        for h in (0..fours).step_by(4) {
            let four = [factors(h), factors(h + 1), factors(h + 2), factors(h + 3)];
            for (head, s) in (h..).zip(dots(four)) {
                alpha[(i, head)] = scale * s; // s = kᵀq/√d
            }
        }
        for head in fours..heads {
            let [k, q] = factors(head);
            alpha[(i, head)] = scale * dot(k, q);
        }
    }
    if let Some((bias, position)) = bias {
        let rows = bias.len() / heads;
        for (mut alpha, bias) in alpha.column_iter_mut().zip(bias.chunks(rows)) {
            for (i, s) in alpha.iter_mut().enumerate() {
                *s += bias[distance_row(position, i, rows)];
            }
        }
    }
    softmax_columns(&mut alpha); // α = softmax(s)
    for (i, KeyValue { value, .. }) in tokens.iter().enumerate() {
        for head in 0..heads {
            let alpha = alpha[(i, head)];
            for (c, v) in context[rows(head)].iter_mut().zip(&value[shared(head)]) {
                *c += alpha * v; // c = Σ α v
            }
        }
    }
    alpha
}
