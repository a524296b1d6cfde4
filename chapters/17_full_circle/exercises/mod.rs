//! The exercises of chapter 17. Replace a `todo!()`, then run
//! `cargo test -p full_circle --test exercises`.
//!
//! A column is a key or a query.
#![allow(unused_variables, unused_imports, unreachable_code)] // until all are solved

use full_circle::Kind;
use nalgebra::DVector;
use shared::Matrix;

/// **17.1 derive: the weights of a local line – difficulty ●●○, about 20 minutes**
///
/// Places on a line. For a query at `q` Nadaraya–Watson gives `keys` (m) the weights `alpha` (m), which sum to 1. What does
/// each value count for the local line? Its answer is the `c` that makes `Σ αᵢ(vᵢ − c − b(kᵢ − q))²` smallest.
///
/// Hint: set both derivatives to 0. With the mean of the keys under `alpha` as the origin, the two equations part. Where
/// all weight is on one key there is no slope: the weights stay what they are.
pub fn line_weights(q: f32, keys: &[f32], alpha: &[f32]) -> Vec<f32> {
    todo!()
}

/// **17.2 one more point – difficulty ●○○, about 10 minutes**
///
/// `p` (d, d) is the inverse of `Σ kkᵀ + λI`, and symmetric. One more key `k` (d): the inverse of `Σ kkᵀ + λI + kkᵀ`,
/// without inverting a matrix (Sherman and Morrison 1950).
///
/// Hint: guess that the change is a multiple of `(Pk)(Pk)ᵀ`, multiply it out, and find the multiple.
pub fn one_more(p: &Matrix, k: &DVector<f32>) -> Matrix {
    todo!()
}

/// **17.3 derive: the best rate – difficulty ●●●, about 25 minutes**
///
/// A task is a random `w` from N(0, I/d), known at `m` points `xᵢ` from N(0, I) without noise. A linear layer answers a
/// query `x`, drawn like the points, by `(η/m) Σ (wᵀxᵢ)(xᵢᵀx)`. Which `η` has the smallest mean squared error?
///
/// Hint: with `A = (1/m)Σ xᵢxᵢᵀ` the answer is `η wᵀA x`. You need `E tr A` and `E tr A²`, and of a normal vector
/// `E (xᵢxᵢᵀ)² = (d + 2) I`.
pub fn best_rate(m: usize, d: usize) -> f64 {
    todo!()
}

/// **17.4 construct: keys that nothing is lost under – difficulty ●●○, about 15 minutes**
///
/// Choose `n` keys of `n` entries, (n, n), such that one pass of the delta rule at the rate 1 finds every value again,
/// exactly, in whatever order it was written: as least squares would. No entry may be 0; `n` is at least 3.
///
/// Hint: what must `kᵢᵀkⱼ` be? A mirror has such columns.
pub fn keys(n: usize) -> Matrix {
    todo!()
}

/// **17.5 spot the bug: a chunk – difficulty ●●○, about 15 minutes**
///
/// Causal linear attention, `oⱼ = Σ_{i≤j} vᵢ kᵢᵀqⱼ`, in chunks: `q`, `k` (p, n) and `v` (c, n) → (c, n). With a chunk of
/// 1 it is right.
///
/// Hint: try it with two tokens in one chunk. Which sum should the first of them read?
pub fn in_chunks(q: &Matrix, k: &Matrix, v: &Matrix, chunk: usize) -> Matrix {
    todo!("find the bug, then remove this line");
    let mut s = Matrix::zeros(v.nrows(), k.nrows());
    let mut o = Matrix::zeros(v.nrows(), q.ncols());
    for first in (0..q.ncols()).step_by(chunk) {
        let n = chunk.min(q.ncols() - first);
        let [q, k, v] = [q, k, v].map(|x| x.columns(first, n));
        let scores = k.tr_mul(&q).upper_triangle(); // (n, n): key i, query j, i ≤ j
        s += v * k.transpose();
        o.columns_mut(first, n).copy_from(&(&s * q + v * scores));
    }
    o
}

/// **17.6 predict: beyond the training range – difficulty ●○○, about 5 minutes**
///
/// One head of softmax attention was trained on curves between 0 and 5. Now the points and the queries lie between 2.5 and
/// 7.5, and it is asked beyond 5. The estimators do not care: they know only distances. Say what you expect of the layer's
/// mean squared error beyond 5, divided by its error inside: `'a'` below 1.5, `'b'` from 1.5 to 5, `'c'` above 5. And
/// which estimator has the smallest error beyond 5: `'k'` the local constant, `'l'` the local line, `'r'` kernel ridge?
pub fn beyond() -> (char, char) {
    todo!()
}

/// **17.7 judge: four memories – difficulty ●●○, about 10 minutes**
///
/// Mean squared error on a target that drifts, five seeds each. May one say …
///
/// | | lowest | highest |
/// |---|---:|---:|
/// | A, least squares | 0.80 | 0.93 |
/// | B, least squares that forget | 0.083 | 0.092 |
/// | C, delta rule | 0.100 | 0.108 |
/// | D, implicit step | 0.102 | 0.115 |
///
/// … 1. that B errs less than A here; 2. that C errs less than D here; 3. that B errs less than C with each of five seeds;
/// 4. that forgetting is the cause of B's smaller error, if A and B differ in their decay alone; 5. that B is better than
/// A on targets that stand still?
pub fn may_one_say() -> [bool; 5] {
    todo!()
}

/// **17.8 eight black boxes – difficulty ●●●, about 40 minutes**
///
/// `ask` is one of the eight estimators of this chapter, with a parameter that you do not know: it takes queries (d, n),
/// keys (d, m) and values (c, m), and gives answers (c, n). Ask it whatever you like, as often as you like, and name it.
///
/// Hint: with the identity as values it answers with its equivalent weights. Which of the eight know the order of the
/// keys? Which have weights that always sum to 1? Which are linear in the query?
pub fn name(ask: &dyn Fn(&Matrix, &Matrix, &Matrix) -> Matrix) -> Kind {
    todo!()
}

// **17.9 capstone: your own boxes – difficulty ●○○, about 5 minutes**
//
// There is nothing to write here. When 17.1, 17.2, 17.5 and 17.8 are solved, the check builds three boxes of your functions
// – a local line, least squares key by key, linear attention in chunks – and puts them among the others: your `name` has
// to recognise each.
//
// `cargo test -p full_circle --test exercises 17` says which it missed.
