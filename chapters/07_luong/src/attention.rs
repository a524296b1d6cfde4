//! The operations that chapter 6 did not need: products as scores, scores by position, the Gaussian
//! of local-p; and all queries of a sentence at once.
//!
//! | letter | what it counts |
//! |---|---|
//! | `b` | queries |
//! | `n` | pairs of a query and a word it looks at |
//! | `h` | entries of a query |

use crate::windows::{Blocks, Windows};
use nalgebra::DMatrixView;
use shared::{Float, Matrix, Operand, Var, elementwise, gemm, product};
use std::ops::Range;
use std::sync::Arc;

/// Each query against the words of its window: `e = h_tᵀ h̄_s` (Luong et al. 2015, §3.1, *dot*).
///
/// `queries` (h, b), `keys` (h, n) in the order of the windows → (1, n).
///
/// # Panics
/// When the shapes do not fit.
pub fn dot_scores<'t>(queries: Var<'t>, keys: Var<'t>, offsets: &[usize]) -> Var<'t> {
    let (q, k) = (queries.value(), keys.value());
    let (b, n) = (offsets.len() - 1, offsets[offsets.len() - 1]);
    assert!(
        q.ncols() == b && q.nrows() == k.nrows() && k.ncols() >= n,
        "queries {:?} and keys {:?} of {b} windows with {n} words",
        q.shape(),
        k.shape()
    );
    let mut e = Matrix::zeros(1, n);
    for (j, words) in offsets.windows(2).enumerate() {
        for i in words[0]..words[1] {
            e[i] = elementwise::dot(k.column(i).as_slice(), q.column(j).as_slice());
        }
    }
    let (dq, dk) = queries.ids(keys);
    let offsets = offsets.to_vec();
    queries.tape().push(e, move |de, gradients| {
        let windows = || offsets.windows(2).enumerate();
        gradients.update(dq, |dq| {
            for (j, words) in windows() {
                let (k, de) =
                    (k.columns_range(words[0]..words[1]), de.columns_range(words[0]..words[1]));
                gemm(1.0, &mut dq.column_mut(j), 1.0, &k, &de.transpose()); // dq = Σ k·de
            }
        });
        gradients.update(dk, |dk| {
            for (j, words) in windows() {
                for i in words[0]..words[1] {
                    dk.column_mut(i).axpy(de[i], &q.column(j), 1.0); // dk = q·de
                }
            }
        });
    })
}

/// From a score for every position, (positions, b), those of each query's window: (1, n). With
/// `W_a h_t` as scores this is the *location* score (Luong et al. 2015, equation 8), which looks at
/// no word.
pub fn location_scores<'t>(by_position: Var<'t>, windows: &Windows) -> Var<'t> {
    let (id, scores) = (by_position.id(), by_position.value());
    assert!(scores.ncols() == windows.queries(), "scores {:?}", scores.shape());
    let pairs = windows.pairs(); // (query, position)
    let e = pairs.iter().map(|(j, s)| scores[(*s, *j)]).collect();
    by_position.tape().push(row(e), move |de, gradients| {
        gradients.update(id, |d| {
            pairs.iter().zip(de.iter()).for_each(|((j, s), de)| d[(*s, *j)] += de);
        });
    })
}

/// Weights near a position count more: `α·exp(−(s − p)²/2σ²)` (Luong et al. 2015, equation 10).
///
/// `alpha` (1, n), `centers` p (1, b) → (1, n), which does not sum to 1 any more.
// ANCHOR: gaussian
pub fn near<'t>(alpha: Var<'t>, centers: Var<'t>, windows: &Windows, sigma: Float) -> Var<'t> {
    let (a, p) = (alpha.value(), centers.value());
    let distances: Vec<(usize, Float)> =
        windows.pairs().into_iter().map(|(j, s)| (j, s as Float - p[j])).collect();
    let factor = |r: Float| (-r * r / (2.0 * sigma * sigma)).exp();
    let g = Matrix::from_iterator(1, a.ncols(), distances.iter().map(|(_, r)| factor(*r)));
    let y = Arc::new(a.component_mul(&g));
    let (dalpha, dp) = alpha.ids(centers);
    alpha.tape().push(y.clone(), move |dy, gradients| {
        gradients.update(dp, |dp| {
            for (i, (j, r)) in distances.iter().enumerate() {
                dp[*j] += dy[i] * y[i] * r / (sigma * sigma); // y = α·g, dg/dp = g·(s − p)/σ²
            }
        });
        gradients.add(dalpha, dy.component_mul(&g));
    })
}
// ANCHOR_END: gaussian

/// [`dot_scores`] of all queries of all sentences with all their words: one product a sentence.
///
/// `queries` (h, b) sentence after sentence, `keys` (h, ≥ words) → (1, n), query after query.
// ANCHOR: by_sentence
pub fn dot_scores_by_sentence<'t>(queries: Var<'t>, keys: Var<'t>, blocks: &Blocks) -> Var<'t> {
    let (q, k) = (queries.value(), keys.value());
    let mut e = Vec::with_capacity(blocks.pairs());
    for [asks, words, _] in blocks.iter() {
        let scores = product(&k.columns_range(words).t(), &q.columns_range(asks)); // (m, asks)
        e.extend_from_slice(scores.as_slice());
    }
    // ANCHOR_END: by_sentence
    let ((dq, dk), blocks) = (queries.ids(keys), blocks.clone());
    queries.tape().push(row(e), move |de, gradients| {
        gradients.update(dq, |dq| {
            for [asks, words, pairs] in blocks.iter() {
                let de = block(&de, pairs, words.len());
                let k = k.columns_range(words);
                gemm(1.0, &mut dq.columns_range_mut(asks), 1.0, &k, &de); // dQ = K·dE
            }
        });
        gradients.update(dk, |dk| {
            for [asks, words, pairs] in blocks.iter() {
                let de = block(&de, pairs, words.len());
                let q = q.columns_range(asks);
                gemm(1.0, &mut dk.columns_range_mut(words), 1.0, &q, &de.t()); // dK = Q·dEᵀ
            }
        });
    })
}

/// [`bahdanau::attention::contexts`] of all queries of all sentences: one product a sentence.
///
/// `values` (c, ≥ words), `weights` (1, n) → (c, b).
pub fn contexts_by_sentence<'t>(values: Var<'t>, weights: Var<'t>, blocks: &Blocks) -> Var<'t> {
    let (v, alpha) = (values.value(), weights.value());
    let mut y = Vec::new();
    for [_, words, pairs] in blocks.iter() {
        let alpha = block(&alpha, pairs, words.len());
        y.extend_from_slice(product(&v.columns_range(words), &alpha).as_slice());
    }
    let y = Matrix::from_vec(v.nrows(), y.len() / v.nrows(), y);
    let ((dv, dalpha), blocks) = (values.ids(weights), blocks.clone());
    values.tape().push(y, move |dy, gradients| {
        let mut d = Vec::with_capacity(alpha.len());
        for [asks, words, _] in blocks.iter() {
            let d_block = product(&v.columns_range(words).t(), &dy.columns_range(asks)); // dA = Vᵀ·dC
            d.extend_from_slice(d_block.as_slice());
        }
        gradients.add(dalpha, row(d));
        gradients.update(dv, |dv| {
            for [asks, words, pairs] in blocks.iter() {
                let alpha = block(&alpha, pairs, words.len());
                let dy = dy.columns_range(asks);
                gemm(1.0, &mut dv.columns_range_mut(words), 1.0, &dy, &alpha.t()); // dV = dC·Aᵀ
            }
        });
    })
}

/// The scores of one sentence as a matrix (words, queries).
fn block(row: &Matrix, pairs: Range<usize>, words: usize) -> DMatrixView<'_, Float> {
    let columns = pairs.len() / words;
    DMatrixView::from_slice(&row.as_slice()[pairs], words, columns)
}

fn row(entries: Vec<Float>) -> Matrix {
    Matrix::from_vec(1, entries.len(), entries)
}
