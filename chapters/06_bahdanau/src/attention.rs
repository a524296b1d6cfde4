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
/// `queries` (h, b), `keys` (h, ≥ n), `v` (h, 1) → (1, n). One operation, so that the sums q + k,
/// h numbers for every word, are written once instead of four times; the oracle is
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
    let (q, k, v_value) = (queries.value(), keys.value(), v.value());
    check(offsets, &q, &k);
    let (h, n) = (q.nrows(), offsets[q.ncols()]);
    let mut t = k.columns(0, n).into_owned(); // (h, n): becomes tanh(q + k)
    let mut e = Matrix::zeros(1, n);
    for (j, words) in offsets.windows(2).enumerate() {
        for i in words[0]..words[1] {
            let t_i = &mut t.as_mut_slice()[i * h..(i + 1) * h];
            add_tanh(t_i, q.column(j).as_slice());
            e[i] = elementwise::dot(v_value.as_slice(), t_i);
        }
    }
    let ((dq, dk), dv) = (queries.ids(keys), v.id());
    let offsets = offsets.to_vec();
    queries.tape().push(e, move |de, gradients| {
        let mut v_sum = Matrix::zeros(h, 1);
        let mut q_sum = Matrix::zeros(h, offsets.len() - 1);
        for (j, words) in offsets.windows(2).enumerate() {
            for i in words[0]..words[1] {
                let t_i = &mut t.as_mut_slice()[i * h..(i + 1) * h];
                let q_j = &mut q_sum.as_mut_slice()[j * h..(j + 1) * h];
                // e = v·t, t = tanh(q + k): dv = t·de, dq = dk = v·de·(1 − t²)
                additive_backward(t_i, q_j, v_sum.as_mut_slice(), v_value.as_slice(), de[i]);
            }
        }
        gradients.update(dk, |dk| add_to(&mut dk.as_mut_slice()[..h * n], t.as_slice()));
        gradients.add(dq, q_sum);
        gradients.add(dv, v_sum);
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

/// `t ← tanh(t + q)`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn add_tanh(t: &mut [Float], q: &[Float]) {
    for (t, q) in t.iter_mut().zip(q) {
        *t = elementwise::tanh(*t + q);
    }
}

/// `dv += t·de`, then `t ← v·de·(1 − t²)` and `dq += t`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn additive_backward(t: &mut [Float], dq: &mut [Float], dv: &mut [Float], v: &[Float], de: Float) {
    for (((t, dq), dv), v) in t.iter_mut().zip(dq).zip(dv).zip(v) {
        *dv += *t * de;
        *t = v * de * (1.0 - *t * *t);
        *dq += *t;
    }
}

/// `y += factor·x`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn add_scaled(y: &mut [Float], factor: Float, x: &[Float]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// `y += x`
fn add_to(y: &mut [Float], x: &[Float]) {
    add_scaled(y, 1.0, x);
}
