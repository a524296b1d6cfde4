//! The solutions of chapter 3: same signatures as `exercises/mod.rs`.

use shared::{Matrix, Operand, Vector, product};

use super::attempts::Part; // it stands with exercise 3.7

/// 3.1: K transposed, because scores are (m, n).
pub fn scaled_dot(queries: &Matrix, keys: &Matrix) -> Matrix {
    product(&keys.t(), queries) / (queries.nrows() as f32).sqrt()
}

/// 3.2: a softmax of the visible part, zeros elsewhere.
pub fn masked_softmax(scores: &Matrix, lengths: &[usize]) -> Matrix {
    let mut weights = Matrix::zeros(scores.nrows(), scores.ncols());
    for (i, &length) in lengths.iter().enumerate().filter(|(_, length)| **length > 0) {
        let visible = scores.view((0, i), (length, 1));
        let max = visible.max();
        let exponentials = visible.map(|e| (e - max).exp());
        weights.view_mut((0, i), (length, 1)).copy_from(&(&exponentials / exponentials.sum()));
    }
    weights
}

/// 3.3: n + m projections instead of n·m.
pub fn additive(queries: &Matrix, keys: &Matrix, w_q: &Matrix, w_k: &Matrix, v: &Vector) -> Matrix {
    let (q, k) = (product(w_q, queries), product(w_k, keys)); // (d_h, n), (d_h, m)
    Matrix::from_fn(keys.ncols(), queries.ncols(), |j, i| {
        v.dot(&(q.column(i) + k.column(j)).map(f32::tanh))
    })
}

/// 3.4: along itself a unit vector cannot move, across it moves by 1/‖q‖.
pub fn cosine_gradient(q: &Vector, k: &Vector) -> Vector {
    let (q_unit, k_unit) = (q.normalize(), k.normalize());
    (&k_unit - &q_unit * q_unit.dot(&k_unit)) / q.norm()
}

/// 3.5: forward's lines, last to first.
pub fn attention_backward(
    q: &Matrix,
    k: &Matrix,
    v: &Matrix,
    doutput: &Matrix,
) -> (Matrix, Matrix, Matrix) {
    let scale = 1.0 / (q.nrows() as f32).sqrt();
    let weights = masked_softmax(&scaled_dot(q, k), &vec![k.ncols(); q.ncols()]); // (m, n)
    let dv = product(doutput, &weights.t()); //       out = V·A
    let mut dscores = product(&v.t(), doutput); //    dA = VᵀdO
    for (mut de, alpha) in dscores.column_iter_mut().zip(weights.column_iter()) {
        let mean = de.dot(&alpha);
        de.zip_apply(&alpha, |de, alpha| *de = alpha * (*de - mean)); // A = softmax(E)
    }
    let dq = product(k, &dscores) * scale; //         E = KᵀQ/√d
    let dk = product(q, &dscores.t()) * scale;
    (dq, dk, dv)
}

/// 3.6: the sum of both keys scores 1 with each and 0 with all others; scale it until exp(score) wins:
/// 98/exp(20) is far below 0.001, and √d undoes the scaling.
pub fn query_for_two(keys: &Matrix, a: usize, b: usize) -> Vector {
    (keys.column(a) + keys.column(b)) * (20.0 * (keys.nrows() as f32).sqrt())
}

/// 3.7: each part shrinks by exp(its maximum − the common one).
pub fn merge(a: &Part, b: &Part) -> Part {
    let max = a.max.max(b.max);
    let (of_a, of_b) = ((a.max - max).exp(), (b.max - max).exp());
    let weighted = &a.weighted * of_a + &b.weighted * of_b;
    Part { max, sum: a.sum * of_a + b.sum * of_b, weighted }
}

/// 3.8: a column was a key there, so each *key* divided a weight of 1 among the queries. With keys as
/// rows a column is a query.
pub fn attention(q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    let d = q.nrows() as f32;
    let scores = product(&k.t(), q) / d.sqrt(); // every key against every query
    let mut weights = scores;
    for mut column in weights.column_iter_mut() {
        let max = column.max();
        column.apply(|e| *e = (*e - max).exp());
        column /= column.sum();
    }
    product(v, &weights)
}

/// 3.9: without tanh the score is a part of the query plus a part of the key, and a softmax over the
/// keys does not notice what is added to all of them.
pub fn concat_weights(queries: &Matrix, keys: &Matrix, w: &Matrix, v: &Vector) -> Matrix {
    let d_q = queries.nrows();
    let mut weights =
        Matrix::from_fn(keys.ncols(), queries.ncols(), |j, i| {
            let stacked = Vector::from_fn(w.ncols(), |a, _| {
                if a < d_q { queries[(a, i)] } else { keys[(a - d_q, j)] }
            });
            v.dot(&(w * stacked).map(f32::tanh))
        });
    for mut column in weights.column_iter_mut() {
        let max = column.max();
        column.apply(|e| *e = (*e - max).exp());
        column /= column.sum();
    }
    weights
}

/// 3.10: keys are unit vectors, queries those of the position before. A score of 20 stands against scores of 0.
pub fn previous(n: usize) -> (Matrix, Matrix) {
    let score = 20.0 * (n as f32).sqrt(); // √d undone
    let queries = Matrix::from_fn(n, n, |i, j| if i == j.saturating_sub(1) { score } else { 0.0 });
    (queries, Matrix::identity(n, n))
}

/// 3.11: the roots of 64·4·4; of 64·⅓·⅓; of 64·(2·2 − 1); of 32; and, as q·k = 64ab, of 64²·1.
pub fn divisors() -> [f64; 5] {
    [32.0, 8.0 / 3.0, 192f64.sqrt(), 32f64.sqrt(), 64.0]
}
