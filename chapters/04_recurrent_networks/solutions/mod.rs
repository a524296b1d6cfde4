//! Solutions to the exercises of chapter 4.

use recurrent_networks::{Bidirectional, Gru, Recurrent, Steps};
use shared::elementwise::sigmoid;
use shared::{Matrix, Tape, Vector, product};

/// **4.1 one step of a GRU – difficulty ●●○, about 15 minutes**
///
/// The new states (H, B). `projected` (3H, B) holds `W x + b`, the rows of r above those of z above those
/// of n; `u` (3H, H), `c` (3H, 1), and the last states `h` (H, B):
///
/// r = σ(p_r + U_r h + c_r), z = σ(p_z + U_z h + c_z), n = tanh(p_n + r ⊙ (U_n h + c_n)),
/// new h = (1 − z) ⊙ n + z ⊙ h
///
/// Hint: one product for all three gates; then take rows.
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

/// **4.2 backward through one LSTM step – difficulty ●●●, about 30 minutes**
///
/// The step was c = f ⊙ c' + i ⊙ g and h = o ⊙ tanh(c), with i, f, o = σ(…) and g = tanh(…).
/// `gates` (4H, 1) holds i, f, g, o one below the other, after their σ and tanh; `last` is c' (H, 1).
/// From `dh` and `dc` (H, 1), the gradients of a loss with respect to h and to c, return the gradient of
/// what went into the four σ and tanh (4H, 1), in the same order, and that of c' (H, 1).
///
/// Hint: c is reached on two ways, from `dc` and through h. Add them first.
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

/// **4.3 every sequence back to front – difficulty ●●○, about 15 minutes**
///
/// Sequences of the given lengths, longest first, are packed step by step: first the first tokens of all,
/// then the second tokens of those that have one, and so on. Return, for each column of the packing in
/// which every sequence stands back to front, the column where its token stands now: for the lengths 4, 2
/// and 1 – `abcd`, `ef`, `g`, packed as `aeg bf c d` – that is 6, 4, 2, 5, 1, 3, 0, for `dfg ce b a`.
///
/// Hint: token t of sequence i stands in column (tokens of all steps before t) + i.
pub fn reversed(lengths: &[usize]) -> Vec<usize> {
    let running = |t: usize| lengths.iter().filter(|length| **length > t).count();
    let column = |i: usize, t: usize| (0..t).map(running).sum::<usize>() + i;
    let longest = lengths.first().copied().unwrap_or(0);
    let step = |t: usize| (0..running(t)).map(move |i| column(i, lengths[i] - 1 - t));
    (0..longest).flat_map(step).collect()
}

/// **4.4 clipping – difficulty ●○○, about 10 minutes**
///
/// All gradients of a model, together no longer than `longest`: if the Euclidean norm of all entries of
/// all matrices is larger, shorten the whole without turning it; otherwise change nothing.
///
/// Hint: one factor for all matrices.
pub fn clip(gradients: &[Matrix], longest: f32) -> Vec<Matrix> {
    let norm = gradients.iter().map(|d| d.norm_squared()).sum::<f32>().sqrt();
    let factor = if norm > longest { longest / norm } else { 1.0 };
    gradients.iter().map(|d| d * factor).collect()
}

/// **4.5 the gradient through time – difficulty ●●○, about 20 minutes**
///
/// A plain network went through the states h₀, h₁, … h_T, the columns of `states` (H, T + 1), by
/// h_t = tanh(a_t + U h_{t−1}) with some inputs a_t. Return ∂h_T/∂h₀ (H, H): entry (i, j) says how entry
/// i of h_T moves with entry j of h₀.
///
/// Hint: the derivative of tanh is 1 − tanh², so you need the states and U alone. What does one step
/// contribute, and on which side?
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

/// **4.6 spot the bug: two directions – difficulty ●●○, about 10 minutes**
///
/// Should return the states (2H, N) of a bidirectional layer: in each column, what the forward layer knows
/// of the token and all before it, above what the backward layer knows of the token and all behind it.
///
/// Hint: read a sequence of two words. What should the backward state at the second word depend on?
pub fn both_ways(layer: &Bidirectional<Gru>, x: &Matrix, steps: &Steps) -> Matrix {
    let tape = Tape::without_gradients();
    let x = tape.constant(x.clone());
    let turned = x.select_columns(&steps.reversed());
    let forward = layer.forward.forward(x, steps, None);
    let backward = layer.backward.forward(turned, steps, None).select_columns(&steps.reversed());
    Matrix::clone(&forward.stack(backward).value())
}

/// **4.7 spot the bug: the last state – difficulty ●○○, about 5 minutes**
///
/// Should return the state of each sequence at its own end, (H, B). Here sequences are *padded*, as other
/// libraries do it: `states` (H, T·B) holds in column t·B + i the state of sequence i after step t, also
/// for steps after its end; `lengths` (B) says where each ends.
///
/// Hint: try two sequences of different lengths.
pub fn final_states(states: &Matrix, lengths: &[usize]) -> Matrix {
    let batch = lengths.len();
    let last = |(i, length): (usize, &usize)| (length - 1) * batch + i;
    states.select_columns(&lengths.iter().enumerate().map(last).collect::<Vec<_>>())
}
