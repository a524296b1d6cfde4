//! Solutions to the exercises of chapter 6.

use shared::{Matrix, Vector};
use std::collections::HashSet;

/// A link (source word, target word), counted from 0.
pub type Link = (usize, usize);

/// 6.1
pub fn align(s: &Vector, annotations: &Matrix, w: &Matrix, u: &Matrix, v: &Vector) -> Vector {
    let query = w * s; // (h, 1)
    let mut t = u * annotations; // (h, m)
    for mut word in t.column_iter_mut() {
        word += &query;
    }
    let e = t.map(f32::tanh).tr_mul(v); // (m, 1)
    let largest = e.max();
    let exponentials = e.map(|e| (e - largest).exp());
    let sum = exponentials.sum();
    exponentials / sum
}

/// 6.2
pub fn contexts(values: &Matrix, weights: &[f32], offsets: &[usize]) -> Matrix {
    let mut contexts = Matrix::zeros(values.nrows(), offsets.len() - 1);
    for (mut context, words) in contexts.column_iter_mut().zip(offsets.windows(2)) {
        for i in words[0]..words[1] {
            context += values.column(i) * weights[i];
        }
    }
    contexts
}

/// 6.3
pub fn softmax_backward(weights: &[f32], dweights: &[f32], offsets: &[usize]) -> Vec<f32> {
    let mut dscores = vec![0.0; weights.len()];
    for words in offsets.windows(2) {
        let words = words[0]..words[1];
        let mean: f32 = words.clone().map(|i| weights[i] * dweights[i]).sum();
        for i in words {
            dscores[i] = weights[i] * (dweights[i] - mean);
        }
    }
    dscores
}

/// 6.4
pub fn additive_backward(
    q: &Vector,
    keys: &Matrix,
    v: &Vector,
    de: &Vector,
) -> (Vector, Matrix, Vector) {
    let mut t = keys.clone();
    for mut word in t.column_iter_mut() {
        word += q;
    }
    let t = t.map(f32::tanh);
    let dk = Matrix::from_fn(t.nrows(), t.ncols(), |a, i| {
        v[a] * de[i] * (1.0 - t[(a, i)] * t[(a, i)]) // through v and tanh
    });
    let dq = dk.column_sum(); // the query is in every score
    let dv = t * de;
    (dq, dk, dv)
}

/// 6.5
pub fn alignment_error_rate(weights: &Matrix, sure: &[Link], possible: &[Link]) -> f64 {
    let found: HashSet<Link> =
        weights.column_iter().enumerate().map(|(j, column)| (column.imax(), j)).collect();
    let sure: HashSet<Link> = sure.iter().copied().collect();
    let possible: HashSet<Link> = possible.iter().copied().chain(sure.iter().copied()).collect();
    let right = found.intersection(&sure).count() + found.intersection(&possible).count();
    1.0 - right as f64 / (found.len() + sure.len()) as f64
}

/// 6.6 With d = j − i, the score 5·(tanh(4d + 2) − tanh(4d − 2)) is a bump: 9.6 at d = 0, 0.2 beside it.
pub fn moving_look() -> (Matrix, Matrix, Vector) {
    let w = Matrix::from_column_slice(2, 1, &[-4.0, -4.0]);
    let u = Matrix::from_row_slice(2, 2, &[4.0, 2.0, 4.0, -2.0]);
    (w, u, Vector::from_column_slice(&[5.0, -5.0]))
}

/// 6.7 The sum ran over the whole batch.
pub fn softmax_in_segments(scores: &[f32], offsets: &[usize]) -> Vec<f32> {
    let mut weights = scores.to_vec();
    for words in offsets.windows(2) {
        let weights = &mut weights[words[0]..words[1]];
        let largest = weights.iter().fold(f32::MIN, |a, b| a.max(*b));
        weights.iter_mut().for_each(|weight| *weight = (*weight - largest).exp());
        let sum: f32 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
    weights
}

/// Solves 6.8.
///
/// All weights are ½ at first. So *the* counts le 1, chat ½, chien ½, and its row becomes ½, ¼, ¼;
/// *cat* counts le ½, chat ½, and its row becomes ½, ½. For *le* both sources say ½: ½. For *chat* they
/// say ¼ and ½: *cat* has ⅔. From there *cat* needs *le* less and less, and in the end *the* has it all.
pub fn by_hand() -> [f64; 3] {
    [1.0 / 2.0, 2.0 / 3.0, 1.0]
}
