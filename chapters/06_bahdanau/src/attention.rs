//! Score, alignment and context for one query a sentence, over sentences of any lengths.
//!
//! A decoder asks once a step: sentence `j` of the batch has one query, column `j`, and as many keys
//! as its source has words. The keys of all sentences stand in one matrix, sentence after sentence:
//! those of sentence `j` are the columns `offsets[j]..offsets[j + 1]`. There is no padding, hence no
//! mask. A batch may have more keys than `offsets` speaks of: sentences whose translation is
//! finished stand at the end and are left out.
//!
//! | letter | what it counts |
//! |---|---|
//! | `b` | sentences that still have a query |
//! | `n` | their source words together: `offsets[b]` |
//! | `h` | hidden units of the score |
//! | `c` | entries of a value |

use multiversion::multiversion;
use shared::{Float, Matrix, Var, elementwise};
use std::sync::Arc;

/// The scores of each sentence's query against its own keys, `e = vᵀ tanh(q + k)` (Bahdanau et al.
/// 2015, appendix A.1.2), in which `q = W s` and `k = U h` are projected already.
///
/// `queries` (h, b), `keys` (h, ≥ n), `v` (h, 1) → (1, n). One operation: of `tanh(q + k)`, h
/// numbers for every word at every step, only one column is in memory at a time. Backward computes
/// it again, which takes less time than remembering it. The oracle is
/// [`scoring_functions::Additive`], sentence by sentence.
///
/// # Panics
/// When the shapes do not fit.
// ANCHOR: additive_scores
pub fn additive_scores<'t>(
    queries: Var<'t>,
    keys: Var<'t>,
    v: Var<'t>,
    offsets: &[usize],
) -> Var<'t> {
    let ((dq_id, dk_id), dv_id) = (queries.ids(keys), v.id());
    let (q, k, v) = (queries.value(), keys.value(), v.value());
    check(offsets, &q, &k);
    let (h, n) = (q.nrows(), offsets[q.ncols()]);
    let mut e = Matrix::zeros(1, n);
    let mut t = vec![0.0; h]; // tanh(q + k) of one word
    for (j, words) in offsets.windows(2).enumerate() {
        for i in words[0]..words[1] {
            tanh_of_sum(&mut t, q.column(j).as_slice(), k.column(i).as_slice());
            e[i] = elementwise::dot(v.as_slice(), &t);
        }
    }
    let offsets = offsets.to_vec();
    queries.tape().push(e, move |de, gradients| {
        let (mut dq, mut dv) = (Matrix::zeros(h, q.ncols()), Matrix::zeros(h, 1));
        let mut pass = |dk: &mut Matrix| {
            for (j, words) in offsets.windows(2).enumerate() {
                for i in words[0]..words[1] {
                    tanh_of_sum(&mut t, q.column(j).as_slice(), k.column(i).as_slice());
                    let (dq, dk) = (column_mut(&mut dq, j), column_mut(dk, i));
                    // e = v·t, t = tanh(q + k): dv = t·de, dq = dk = v·de·(1 − t²)
                    additive_backward(dq, dk, dv.as_mut_slice(), &t, v.as_slice(), de[i]);
                }
            }
        };
        match gradients.needs(dk_id) {
            true => gradients.update(dk_id, &mut pass),
            false => pass(&mut Matrix::zeros(h, n)), // constant keys: only dq and dv are asked for
        }
        gradients.add(dq_id, dq);
        gradients.add(dv_id, dv);
    })
}
// ANCHOR_END: additive_scores

/// The alignment: a softmax over each sentence's scores. `scores` (1, n) → weights (1, n).
// ANCHOR: alignment
pub fn softmax_in_segments<'t>(scores: Var<'t>, offsets: &[usize]) -> Var<'t> {
    let mut alpha = Matrix::clone(&scores.value());
    for words in offsets.windows(2) {
        elementwise::softmax(&mut alpha.as_mut_slice()[words[0]..words[1]]);
    }
    let (de, alpha, offsets) = (scores.id(), Arc::new(alpha), offsets.to_vec());
    scores.tape().push(alpha.clone(), move |mut d, gradients| {
        for words in offsets.windows(2) {
            let alpha = &alpha.as_slice()[words[0]..words[1]];
            let d = &mut d.as_mut_slice()[words[0]..words[1]];
            let mean = elementwise::dot(alpha, d); // αᵀdα
            for (d, alpha) in d.iter_mut().zip(alpha) {
                *d = alpha * (*d - mean); // de = α ⊙ (dα − αᵀdα)
            }
        }
        gradients.add(de, d);
    })
}
// ANCHOR_END: alignment

/// The context: the mean of each sentence's values under its weights, `c = Σ αᵢ hᵢ` (Bahdanau et
/// al. 2015, equation 5).
///
/// `values` (c, ≥ n), `weights` (1, n) → (c, b).
///
/// # Panics
/// When the shapes do not fit.
// ANCHOR: contexts
pub fn contexts<'t>(values: Var<'t>, weights: Var<'t>, offsets: &[usize]) -> Var<'t> {
    let (v, alpha) = (values.value(), weights.value());
    let (c, b) = (v.nrows(), offsets.len() - 1);
    assert!(
        alpha.shape() == (1, offsets[b]) && v.ncols() >= offsets[b],
        "weights {:?} on values {:?} of {} words",
        alpha.shape(),
        v.shape(),
        offsets[b]
    );
    let mut y = Matrix::zeros(c, b);
    for (y_j, words) in y.as_mut_slice().chunks_exact_mut(c).zip(offsets.windows(2)) {
        for i in words[0]..words[1] {
            add_scaled(y_j, alpha[i], v.column(i).as_slice());
        }
    }
    let (dv, dalpha) = values.ids(weights);
    let offsets = offsets.to_vec();
    values.tape().push(y, move |dy, gradients| {
        let sentences = || offsets.windows(2).enumerate();
        let mut d = Matrix::zeros(1, alpha.ncols());
        for (j, words) in sentences() {
            for i in words[0]..words[1] {
                d[i] = elementwise::dot(v.column(i).as_slice(), dy.column(j).as_slice()); // dα = vᵀdc
            }
        }
        gradients.add(dalpha, d);
        gradients.update(dv, |dv| {
            for (j, words) in sentences() {
                for i in words[0]..words[1] {
                    let dv_i = &mut dv.as_mut_slice()[i * c..(i + 1) * c];
                    add_scaled(dv_i, alpha[i], dy.column(j).as_slice()); // dv = α·dc
                }
            }
        });
    })
}
// ANCHOR_END: contexts

fn check(offsets: &[usize], q: &Matrix, k: &Matrix) {
    let b = offsets.len() - 1;
    assert!(
        q.ncols() == b && q.nrows() == k.nrows() && k.ncols() >= offsets[b],
        "queries {:?} and keys {:?} of {b} sentences with {} words",
        q.shape(),
        k.shape(),
        offsets[b]
    );
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

/// `y += factor·x`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn add_scaled(y: &mut [Float], factor: Float, x: &[Float]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}
