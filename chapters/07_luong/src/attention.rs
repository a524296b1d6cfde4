//! The operations that chapter 6 did not need: products as scores, scores by position, the Gaussian
//! of local-p; and all queries of a sentence at once.
//!
//! | letter | what it counts |
//! |---|---|
//! | `b` | queries |
//! | `m` | words of all sentences |
//! | `n` | pairs of a query and a word it looks at |
//! | `h` | entries of a query |

use nalgebra::DMatrixView;
use scoring_functions::sequences::{AttentionMask, Pair, Sequence, Sequences};
use shared::{Float, Matrix, Operand, Var, elementwise, gemm, product};
use std::ops::Range;
use std::sync::Arc;

/// Each query against the words it looks at: `e = s_iᵀ h_j` (Luong et al. 2015, §3.1, *dot*).
///
/// `queries` (h, b), `keys` (h, m) → (1, n).
///
/// # Panics
/// When the shapes do not fit.
pub fn dot_scores<'t>(queries: Var<'t>, keys: Var<'t>, sequences: &Sequences) -> Var<'t> {
    let (q, k) = (queries.value(), keys.value());
    check(&q, &k, sequences);
    let scores = sequences.pairs().map(|Pair { query, key, .. }| {
        elementwise::dot(k.column(key).as_slice(), q.column(query).as_slice())
    });
    let e = row(scores.collect());
    let sequences = sequences.clone();
    queries.tape().push([queries, keys], e, move |de, [q_id, k_id], gradients| {
        gradients.update(q_id, |dq| {
            let offsets = sequences.pair_offsets();
            for ((i, words), own) in sequences.views().zip(offsets.windows(2)) {
                let (k, de) = (k.columns_range(words), de.columns_range(own[0]..own[1]));
                gemm(1.0, &mut dq.column_mut(i), 1.0, &k, &de.transpose()); // dq = Σ k·de
            }
        });
        gradients.update(k_id, |dk| {
            for (Pair { query, key, .. }, de) in sequences.pairs().zip(de.iter()) {
                dk.column_mut(key).axpy(*de, &q.column(query), 1.0); // dk = q·de
            }
        });
    })
}

/// From a score for every position, (positions, b), those of the words each query looks at: (1, n).
/// With `W_a s_i` as scores this is the *location* score (Luong et al. 2015, equation 8), which looks
/// at no word.
pub fn location_scores<'t>(by_position: Var<'t>, sequences: &Sequences) -> Var<'t> {
    let scores = by_position.value();
    let b = sequences.queries();
    assert!(scores.ncols() == b, "scores {:?} for {b} queries", scores.shape());
    let at = |Pair { query, position, .. }| (position, query);
    let e = sequences.pairs().map(|pair| scores[at(pair)]).collect();
    let sequences = sequences.clone();
    by_position.tape().push([by_position], row(e), move |de, [scores_id], gradients| {
        gradients.update(scores_id, |d| {
            sequences.pairs().zip(de.iter()).for_each(|(pair, de)| d[at(pair)] += de);
        });
    })
}

/// Weights near a position count more: `α·exp(−(j − p)²/2σ²)` (Luong et al. 2015, equation 10).
///
/// `alpha` (1, n), `centers` p (1, b) → (1, n), which does not sum to 1 any more.
// ANCHOR: gaussian
pub fn near<'t>(alpha: Var<'t>, centers: Var<'t>, sequences: &Sequences, sigma: Float) -> Var<'t> {
    let (a, p) = (alpha.value(), centers.value());
    let distances =
        sequences.pairs().map(|Pair { query: i, position: j, .. }| (i, j as Float - p[i]));
    let distances: Vec<(usize, Float)> = distances.collect(); // (i, j − p)
    let factors = distances.iter().map(|(_, r)| (-r * r / (2.0 * sigma * sigma)).exp());
    let g = Matrix::from_iterator(1, a.ncols(), factors);
    let y = Arc::new(a.component_mul(&g));
    alpha.tape().push([alpha, centers], y.clone(), move |dy, [alpha_id, p_id], gradients| {
        gradients.update(p_id, |dp| {
            for (n, (i, r)) in distances.iter().enumerate() {
                dp[*i] += dy[n] * y[n] * r / (sigma * sigma); // y = α·g, dg/dp = g·(j − p)/σ²
            }
        });
        gradients.add(alpha_id, dy.component_mul(&g));
    })
}
// ANCHOR_END: gaussian

/// Whether sentences are asked several times about all their words: then one product a sentence does
/// for all its queries.
pub fn together(sequences: &Sequences) -> bool {
    sequences.mask == AttentionMask::All && sequences.sequences.iter().any(|s| s.queries.len() > 1)
}

/// [`dot_scores`] of all queries of all sentences with all their words: one product a sentence.
///
/// `queries` (h, b) sentence after sentence, `keys` (h, m) → (1, n), query after query.
///
/// # Panics
/// When the shapes do not fit, or a query does not see all keys of its sentence.
pub fn dot_scores_by_sentence<'t>(
    queries: Var<'t>,
    keys: Var<'t>,
    sequences: &Sequences,
) -> Var<'t> {
    let (q, k) = (queries.value(), keys.value());
    check(&q, &k, sequences);
    let mut e = Vec::with_capacity(sequences.pair_count());
    for (queries, words, _) in blocks(sequences) {
        let scores = product(&k.columns_range(words).t(), &q.columns_range(queries)); // (words, queries)
        e.extend_from_slice(scores.as_slice());
    }
    let sequences = sequences.clone();
    queries.tape().push([queries, keys], row(e), move |de, [q_id, k_id], gradients| {
        gradients.update(q_id, |dq| {
            for (queries, words, pairs) in blocks(&sequences) {
                let de = block(&de, pairs, (words.len(), queries.len()));
                let k = k.columns_range(words);
                gemm(1.0, &mut dq.columns_range_mut(queries), 1.0, &k, &de); // dQ = K·dE
            }
        });
        gradients.update(k_id, |dk| {
            for (queries, words, pairs) in blocks(&sequences) {
                let de = block(&de, pairs, (words.len(), queries.len()));
                let q = q.columns_range(queries);
                gemm(1.0, &mut dk.columns_range_mut(words), 1.0, &q, &de.t()); // dK = Q·dEᵀ
            }
        });
    })
}

/// [`bahdanau::attention::contexts`] of all queries of all sentences: one product a sentence.
///
/// `values` (c, m), `weights` (1, n) → (c, b).
///
/// # Panics
/// When the shapes do not fit, or a query does not see all keys of its sentence.
pub fn contexts_by_sentence<'t>(
    values: Var<'t>,
    weights: Var<'t>,
    sequences: &Sequences,
) -> Var<'t> {
    let (v, alpha) = (values.value(), weights.value());
    let (b, n) = (sequences.queries(), sequences.pair_count());
    assert!(alpha.shape() == (1, n), "weights {:?} of {n} words", alpha.shape());
    sequences.check(b, v.ncols());
    let mut y = Vec::with_capacity(v.nrows() * b);
    for (queries, words, pairs) in blocks(sequences) {
        let alpha = block(&alpha, pairs, (words.len(), queries.len()));
        y.extend_from_slice(product(&v.columns_range(words), &alpha).as_slice());
    }
    let y = Matrix::from_vec(v.nrows(), b, y);
    let sequences = sequences.clone();
    values.tape().push([values, weights], y, move |dy, [v_id, alpha_id], gradients| {
        let mut d = Vec::with_capacity(alpha.len());
        for (queries, words, _) in blocks(&sequences) {
            let d_block = product(&v.columns_range(words).t(), &dy.columns_range(queries)); // dA = Vᵀ·dC
            d.extend_from_slice(d_block.as_slice());
        }
        gradients.add(alpha_id, row(d));
        gradients.update(v_id, |dv| {
            for (queries, words, pairs) in blocks(&sequences) {
                let alpha = block(&alpha, pairs, (words.len(), queries.len()));
                let dy = dy.columns_range(queries);
                gemm(1.0, &mut dv.columns_range_mut(words), 1.0, &dy, &alpha.t()); // dV = dC·Aᵀ
            }
        });
    })
}

fn check(q: &Matrix, k: &Matrix, sequences: &Sequences) {
    assert!(q.nrows() == k.nrows(), "queries {:?} and keys {:?}", q.shape(), k.shape());
    sequences.check(q.ncols(), k.ncols());
}

/// The columns of queries, of words and of pairs (query, word) of every sentence. All its queries
/// must look at all its words: only then are its pairs a matrix.
fn blocks(
    sequences: &Sequences,
) -> impl Iterator<Item = (Range<usize>, Range<usize>, Range<usize>)> {
    let mask = &sequences.mask;
    assert!(*mask == AttentionMask::All, "a product a sentence, but its queries see {mask:?}");
    let mut pair = 0;
    sequences.sequences.iter().map(move |Sequence { queries, keys, .. }| {
        let start = pair;
        pair += queries.len() * keys.len();
        (queries.clone(), keys.clone(), start..pair)
    })
}

/// The scores of one sentence as a matrix (words, queries).
fn block(row: &Matrix, pairs: Range<usize>, (m, b): (usize, usize)) -> DMatrixView<'_, Float> {
    DMatrixView::from_slice(&row.as_slice()[pairs], m, b)
}

fn row(entries: Vec<Float>) -> Matrix {
    Matrix::from_vec(1, entries.len(), entries)
}
