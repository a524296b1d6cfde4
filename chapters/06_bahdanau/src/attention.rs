//! Score, alignment and context of every query and every key that it sees.
//!
//! A decoder asks once a step: a sentence of the batch has one query, and as many keys as its source
//! has words. The keys of all sentences stand in one matrix, sentence after sentence,
//! and [`Sequences`] say which of them belong to which query. There is no padding, hence no mask. A
//! batch may have more keys than the sequences speak of: sentences whose translation is finished are
//! left out.
//!
//! | letter | what it counts |
//! |---|---|
//! | `b` | queries: sentences that are still translated |
//! | `m` | keys: the source words of all sentences |
//! | `n` | pairs of a query and a key that it sees |
//! | `h` | hidden units of the score |
//! | `c` | entries of a value |

use multiversion::multiversion;
use scoring_functions::sequences::{Pair, Sequences};
use shared::elementwise::{self, add_scaled};
use shared::{Float, Matrix, Var};
use std::sync::Arc;

/// The score of each query and each key that it sees, `e = vᵀ tanh(q + k)` (Bahdanau et al. 2015,
/// appendix A.1.2), in which `q = W s` and `k = U h` are projected already.
///
/// `queries` (h, b), `keys` (h, m), `v` (h, 1) → (1, n). One operation: of `tanh(q + k)`, h numbers
/// for every word at every step, only one column is in memory at a time. Backward computes it again,
/// which takes less time than remembering it. The oracle is [`scoring_functions::Additive`],
/// sentence by sentence.
///
/// # Panics
/// When the shapes do not fit.
pub fn additive_scores<'t>(
    queries: Var<'t>,
    keys: Var<'t>,
    v: Var<'t>,
    sequences: &Sequences,
) -> Var<'t> {
    let operands = [queries, keys, v];
    let (q, k, v) = (queries.value(), keys.value(), v.value());
    check(sequences, &q, &k);
    let h = q.nrows();
    // ANCHOR: additive_scores
    let mut e = Matrix::zeros(1, sequences.pair_count());
    let mut t = vec![0.0; h]; // tanh(q + k) of one pair
    for (p, Pair { query, key, .. }) in sequences.pairs().enumerate() {
        tanh_of_sum(&mut t, q.column(query).as_slice(), k.column(key).as_slice());
        e[p] = elementwise::dot(v.as_slice(), &t);
    }
    let sequences = sequences.clone();
    queries.tape().push(operands, e, move |de, [q_id, k_id, v_id], gradients| {
        let (mut dq, mut dv) = (Matrix::zeros(h, q.ncols()), Matrix::zeros(h, 1));
        let mut pass = |dk: &mut Matrix| {
            for (p, Pair { query, key, .. }) in sequences.pairs().enumerate() {
                tanh_of_sum(&mut t, q.column(query).as_slice(), k.column(key).as_slice());
                let (dq, dk) = (column_mut(&mut dq, query), column_mut(dk, key));
                // e = v·t, t = tanh(q + k): dv = t·de, dq = dk = v·de·(1 − t²)
                additive_backward(dq, dk, dv.as_mut_slice(), &t, v.as_slice(), de[p]);
            }
        };
        // ANCHOR_END: additive_scores
        if gradients.needs(k_id) {
            gradients.update(k_id, &mut pass);
        } else {
            pass(&mut Matrix::zeros(h, k.ncols())); // only dq and dv are asked for
        }
        gradients.add(q_id, dq);
        gradients.add(v_id, dv);
    })
}

/// The alignment: a softmax over each query's scores. `scores` (1, n) → weights (1, n).
// ANCHOR: alignment
pub fn softmax_in_segments<'t>(scores: Var<'t>, sequences: &Sequences) -> Var<'t> {
    let mut alpha = Matrix::clone(&scores.value());
    let offsets = sequences.pair_offsets(); // where each query's scores begin
    for own in offsets.windows(2) {
        elementwise::softmax(&mut alpha.as_mut_slice()[own[0]..own[1]]);
    }
    let alpha = Arc::new(alpha);
    scores.tape().push([scores], alpha.clone(), move |mut d, [e_id], gradients| {
        for own in offsets.windows(2) {
            let alpha = &alpha.as_slice()[own[0]..own[1]];
            let d = &mut d.as_mut_slice()[own[0]..own[1]];
            let mean = elementwise::dot(alpha, d); // αᵀdα
            for (d, alpha) in d.iter_mut().zip(alpha) {
                *d = alpha * (*d - mean); // de = α ⊙ (dα − αᵀdα)
            }
        }
        gradients.add(e_id, d);
    })
}
// ANCHOR_END: alignment

/// The context: the mean of the values that a query sees under its weights, `c = Σ αⱼ hⱼ` (Bahdanau
/// et al. 2015, equation 5).
///
/// `values` (c, m), `weights` (1, n) → (c, b).
///
/// # Panics
/// When the shapes do not fit.
// ANCHOR: contexts
pub fn contexts<'t>(values: Var<'t>, weights: Var<'t>, sequences: &Sequences) -> Var<'t> {
    let (v, alpha) = (values.value(), weights.value());
    let (b, n) = (sequences.queries(), sequences.pair_count());
    assert!(alpha.shape() == (1, n), "weights {:?} of {n} words", alpha.shape());
    sequences.check(b, v.ncols());
    let mut y = Matrix::zeros(v.nrows(), b);
    for (p, Pair { query, key, .. }) in sequences.pairs().enumerate() {
        add_scaled(column_mut(&mut y, query), alpha[p], v.column(key).as_slice());
    }
    let sequences = sequences.clone();
    values.tape().push([values, weights], y, move |dy, [v_id, alpha_id], gradients| {
        let mut d = Matrix::zeros(1, n);
        for (p, Pair { query, key, .. }) in sequences.pairs().enumerate() {
            d[p] = elementwise::dot(v.column(key).as_slice(), dy.column(query).as_slice()); // dα = vᵀdc
        }
        gradients.add(alpha_id, d);
        gradients.update(v_id, |dv| {
            for (p, Pair { query, key, .. }) in sequences.pairs().enumerate() {
                add_scaled(column_mut(dv, key), alpha[p], dy.column(query).as_slice()); // dv = α·dc
            }
        });
    })
}
// ANCHOR_END: contexts

fn check(sequences: &Sequences, q: &Matrix, k: &Matrix) {
    assert!(
        q.ncols() == sequences.queries() && q.nrows() == k.nrows(),
        "queries {:?} and keys {:?} in sequences of {} queries",
        q.shape(),
        k.shape(),
        sequences.queries()
    );
    sequences.check(q.ncols(), k.ncols());
}

/// `t ← tanh(q + k)`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn tanh_of_sum(t: &mut [Float], q: &[Float], k: &[Float]) {
    for ((t, q), k) in t.iter_mut().zip(q).zip(k) {
        *t = elementwise::tanh(q + k);
    }
}

/// `dv += t·de`, and `v·de·(1 − t²)` is added to `dq` and to `dk`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn additive_backward(
    dq: &mut [Float],
    dk: &mut [Float],
    dv: &mut [Float],
    t: &[Float],
    v: &[Float],
    de: Float,
) {
    let gradients = dq.iter_mut().zip(dk).zip(dv);
    for (((dq, dk), dv), (t, v)) in gradients.zip(t.iter().zip(v)) {
        *dv += t * de;
        let d = v * de * (1.0 - t * t);
        *dq += d;
        *dk += d;
    }
}

fn column_mut(x: &mut Matrix, j: usize) -> &mut [Float] {
    let rows = x.nrows();
    &mut x.as_mut_slice()[j * rows..(j + 1) * rows]
}
