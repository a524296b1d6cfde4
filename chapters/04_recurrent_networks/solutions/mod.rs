//! Solutions to the exercises of chapter 4.

use recurrent_networks::Steps;
use shared::elementwise::sigmoid;
use shared::{Matrix, Vector, product};

use super::attempts::{Cell, Reader}; // they stand with exercises 4.9 and 4.6

/// 4.1: one product for all three gates.
pub fn gru_step(projected: &Matrix, u: &Matrix, c: &Vector, h: &Matrix) -> Matrix {
    let size = h.nrows();
    let mut q = product(u, h); // (3H, B)
    for mut column in q.column_iter_mut() {
        column += c;
    }
    let gate = |x: &Matrix, k: usize| x.rows(k * size, size).into_owned();
    let r = (gate(projected, 0) + gate(&q, 0)).map(sigmoid);
    let z = (gate(projected, 1) + gate(&q, 1)).map(sigmoid);
    let n = (gate(projected, 2) + r.component_mul(&gate(&q, 2))).map(f32::tanh);
    &n + z.component_mul(&(h - &n)) // (1 − z) ⊙ n + z ⊙ h
}

/// 4.2: the two routes to c are added first.
pub fn lstm_backward(gates: &Vector, last: &Vector, dh: &Vector, dc: &Vector) -> (Vector, Vector) {
    let size = last.len();
    let [i, f, g, o] = [0, 1, 2, 3].map(|k| gates.rows(k * size, size).into_owned());
    let shown = (f.component_mul(last) + i.component_mul(&g)).map(f32::tanh);
    let d_o = dh.component_mul(&shown);
    let dc = dc + dh.component_mul(&o).component_mul(&shown.map(|t| 1.0 - t * t));
    let of_sigmoid = |d: Vector, y: &Vector| d.component_mul(&y.map(|y| y * (1.0 - y)));
    let mut da = Vector::zeros(4 * size);
    da.rows_mut(0, size).copy_from(&of_sigmoid(dc.component_mul(&g), &i));
    da.rows_mut(size, size).copy_from(&of_sigmoid(dc.component_mul(last), &f));
    let dg = dc.component_mul(&i).component_mul(&g.map(|g| 1.0 - g * g));
    da.rows_mut(2 * size, size).copy_from(&dg);
    da.rows_mut(3 * size, size).copy_from(&of_sigmoid(d_o, &o));
    (da, dc.component_mul(&f))
}

/// 4.3: between a token and the one before it stand the later sequences of its last step and the
/// earlier ones of its own: as many as ran at the last step.
pub fn word_before(lengths: &[usize]) -> Vec<Option<usize>> {
    let running = |t: usize| lengths.iter().filter(|length| **length > t).count();
    let longest = lengths.first().copied().unwrap_or(0);
    let before = (0..longest).flat_map(|t| {
        let start = t.checked_sub(1).map(|last| (0..last).map(running).sum::<usize>());
        (0..running(t)).map(move |i| start.map(|start| start + i))
    });
    before.collect()
}

/// 4.4: the largest entry is taken out of the norm, so that no square overflows.
pub fn clip(gradients: &[Matrix], longest: f32) -> Vec<Matrix> {
    let largest = gradients.iter().map(|d| d.amax()).fold(0.0, f32::max);
    if largest == 0.0 {
        return gradients.to_vec();
    }
    let squares = gradients.iter().map(|d| (d / largest).norm_squared()).sum::<f32>();
    let shortened = longest / largest / squares.sqrt(); // longest / norm
    let factor = if shortened < 1.0 { shortened } else { 1.0 };
    gradients.iter().map(|d| d * factor).collect()
}

/// 4.5: each step multiplies from the left; none leave the identity.
pub fn through_time(u: &Matrix, states: &Matrix) -> Matrix {
    let size = u.nrows();
    let mut jacobian = Matrix::identity(size, size);
    for h in states.column_iter().skip(1) {
        let mut step = product(u, &jacobian);
        for (mut row, h) in step.row_iter_mut().zip(h.iter()) {
            row *= 1.0 - h * h; // ∂h_t/∂h_{t−1} = diag(1 − h_t²) U
        }
        jacobian = step;
    }
    jacobian
}

/// 4.6: what was read back to front is turned back, so that a column is about one word.
pub fn both_ways(forward: Reader, backward: Reader, x: &Matrix, steps: &Steps) -> Matrix {
    let order = steps.reversed();
    let (above, below) = (forward(x), backward(&x.select_columns(&order)).select_columns(&order));
    let mut states = Matrix::zeros(above.nrows() + below.nrows(), x.ncols());
    states.rows_mut(0, above.nrows()).copy_from(&above);
    states.rows_mut(above.nrows(), below.nrows()).copy_from(&below);
    states
}

/// 4.7: sequence i ends after step lengths[i], not after the last one.
pub fn final_states(states: &Matrix, lengths: &[usize]) -> Matrix {
    let batch = lengths.len();
    let last = lengths.iter().enumerate().map(|(i, length)| (length - 1) * batch + i);
    states.select_columns(&last.collect::<Vec<_>>())
}

/// 4.8: the largest logit is taken out before dividing; then along the line.
pub fn choose(logits: &[f32], temperature: f32, mut ticket: f32) -> usize {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let p: Vec<f32> = logits.iter().map(|x| ((x - largest) / temperature).exp()).collect();
    let sum: f32 = p.iter().sum();
    for (word, p) in p.iter().enumerate() {
        if ticket < p / sum {
            return word;
        }
        ticket -= p / sum;
    }
    logits.iter().position(|x| *x == largest).expect("a word")
}

/// 4.9: z is σ(20) without a mark, σ(−20) with one; n is the tanh of the number.
pub fn by_hand() -> Cell {
    Cell {
        w: [[0.0, 0.0], [0.0, -40.0], [1.0, 0.0]],
        u: [0.0; 3],
        b: [0.0, 20.0, 0.0],
        c: [0.0; 3],
    }
}

/// 4.10: exp of the mean of −ln p: ln 600; (ln 16)/4 = ln 2; one infinity is enough.
pub fn perplexities() -> [f64; 3] {
    [600.0, 2.0, f64::INFINITY]
}

/// 4.11: both explanations expect 0, 2, 4 and 5; the second one rules out success at 1 and at 3.
pub fn distinguishing() -> [bool; 6] {
    [false, true, false, true, false, false]
}
