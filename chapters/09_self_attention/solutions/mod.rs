//! The solutions of chapter 9: same signatures as `exercises/mod.rs`.

use super::attempts::{Layer, Verdict};
use scoring_functions::weights;
use self_attention::positions::{frequency, shift, sinusoids};
use shared::{Matrix, Operand, Vector, elementwise, product};

/// 9.1: one against three are scores that are ln 3 apart, `(x·y − x·x)/√d = ln 3`.
pub fn rival(x: &Vector) -> Vector {
    let d = x.len() as f32;
    x * (1.0 + d.sqrt() * 3f32.ln() / x.norm_squared())
}

/// 9.2: kᵀq = yᵀ W_kᵀ W_q x; and W_o meets h_i with the i-th block of its columns.
pub fn one_head(layer: &Layer, heads: usize, i: usize) -> (Matrix, Matrix) {
    let d = layer.w_q.nrows() / heads;
    let rows = |w: &Matrix| w.rows(i * d, d).into_owned();
    let m = product(&rows(&layer.w_k).t(), &rows(&layer.w_q)) / (d as f32).sqrt();
    let n = product(&layer.w_o.columns(i * d, d).into_owned(), &rows(&layer.w_v));
    (m, n)
}

/// 9.3: a query of zeros scores all keys alike, and `W_o W_v = −I` turns the mean round.
pub fn take_the_mean_away(d: usize) -> Layer {
    let (zero, one) = (Matrix::zeros(d, d), Matrix::identity(d, d));
    Layer { w_q: zero, w_k: one.clone(), w_o: -&one, w_v: one }
}

/// 9.4: −∞ before the softmax.
pub fn causal(q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    let mut s = product(&k.t(), q) / (q.nrows() as f32).sqrt();
    for (i, mut column) in s.column_iter_mut().enumerate() {
        column.as_mut_slice()[i + 1..].fill(f32::NEG_INFINITY);
    }
    elementwise::softmax_columns(&mut s);
    product(v, &s)
}

/// 9.5: dQ + dK + dV of attention with Q = K = V = X.
pub fn plain_gradient(x: &Matrix, dy: &Matrix) -> Matrix {
    let scale = 1.0 / (x.nrows() as f32).sqrt();
    let alpha = weights(x, x);
    let dv = product(dy, &alpha.t());
    let mut ds = product(&x.t(), dy); // dA = VᵀdY
    elementwise::softmax_backward(&mut ds, &alpha);
    let dq = product(x, &ds) * scale;
    let dk = product(x, &ds.t()) * scale;
    dq + dk + dv
}

/// 9.6: turn the query one position back; keys are the positions. The factor makes the head sharp.
pub fn look_one_back(d_content: usize, d_position: usize) -> (Matrix, Matrix) {
    let beside = |w: Matrix| {
        let mut whole = Matrix::zeros(d_position, d_content + d_position);
        whole.columns_mut(d_content, d_position).copy_from(&w);
        whole
    };
    let query = shift(d_position, -1) * 200.0 * (d_position as f32).sqrt();
    (beside(query), beside(Matrix::identity(d_position, d_position)))
}

/// 9.7: the position whose encoding points most in the same direction – an attention that is sharp.
pub fn position_of(p: &Vector, n: usize) -> usize {
    let scores = sinusoids(p.len(), 0, n).tr_mul(p);
    scores.imax()
}

/// 9.8: 3nd² + 2n²d > knd² where n > (k − 3)d/2.
pub fn crossing(d: usize, k: usize) -> usize {
    k.saturating_sub(3) * d / 2 + 1
}

/// 9.9: n − 1 positions, `behind` a layer.
pub fn layers(n: usize, behind: usize) -> usize {
    (n - 1).div_ceil(behind)
}

/// 9.10: several sequences, because the largest of all tokens may stand among the first.
pub fn leaks(layer: &dyn Fn(&Matrix) -> Matrix, d: usize, n: usize) -> bool {
    let tokens = |phase: f32| {
        Matrix::from_fn(d, n, |i, j| 3.0 * (1.7 * i as f32 + 2.9 * j as f32 + phase).sin())
    };
    (0..10).any(|trial| {
        let (x, other) = (tokens(trial as f32), tokens(0.5 + 7.0 * trial as f32));
        let y = layer(&x);
        (1..n).any(|seen| {
            let mut changed = x.clone();
            changed.columns_mut(seen, n - seen).copy_from(&other.columns(seen, n - seen));
            layer(&changed).columns(0, seen) != y.columns(0, seen)
        })
    })
}

/// 9.11: ranges that overlap decide nothing, two changes at once explain nothing, and a weight is no
/// proof of use.
pub fn verdicts() -> [Verdict; 5] {
    [Verdict::Undecided, Verdict::Holds, Verdict::Holds, Verdict::Undecided, Verdict::Refuted]
}

/// 9.12: a token's column becomes `heads` columns, so a head's columns are `heads` apart.
pub fn split_heads(x: &Matrix, heads: usize) -> Vec<Matrix> {
    let d = x.nrows() / heads;
    (0..heads).map(|head| x.rows(head * d, d).into_owned()).collect()
}

/// 9.13: hands that turn at different rates, each a sine and a cosine: sin a sin b + cos a cos b =
/// cos(a − b).
pub fn positions(d: usize, n: usize) -> Matrix {
    Matrix::from_fn(d, n, |row, i| {
        let angle = i as f32 * 2.0 * 0.7_f32.powf((row / 2) as f32 * 16.0 / d as f32);
        if row % 2 == 0 { angle.sin() } else { angle.cos() }
    })
}

/// 9.14: sums over all words do not notice; a mask does from the second layer on, a window at once.
pub fn who_notices() -> [bool; 8] {
    [false, false, false, true, true, false, true, false]
}

/// 9.15: every score at a distance has a part in that distance's vector.
pub fn distance_gradient(q: &Matrix, ds: &Matrix, c: usize) -> Matrix {
    let mut d_a = Matrix::zeros(q.nrows(), 2 * c + 1);
    let scale = 1.0 / (q.nrows() as f32).sqrt();
    for (i, ds) in ds.column_iter().enumerate() {
        for (j, ds) in ds.iter().enumerate() {
            let column = (j + c).saturating_sub(i).min(2 * c);
            d_a.column_mut(column).axpy(ds * scale, &q.column(i), 1.0);
        }
    }
    d_a
}

/// 9.16: R_{−1}k = q where k is q turned on by one position; the factor makes it sharp.
pub fn turned(d: usize) -> (Vector, Vector) {
    let key = Vector::from_fn(d, |i, _| {
        let (sin, cos) = frequency(d, i / 2).sin_cos();
        (if i.is_multiple_of(2) { cos - sin } else { sin + cos }) as f32
    });
    (Vector::from_element(d, 30.0), key)
}
