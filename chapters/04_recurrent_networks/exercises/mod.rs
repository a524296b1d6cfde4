//! The exercises of chapter 4. Replace a `todo!()`, then run
//! `cargo test -p recurrent_networks --test exercises`.
//!
//! A column is a token. `product(&a, &b)` is ab, `product(&a.t(), &b)` is aᵀb; `a.rows(i, k)` are k
//! rows of a from row i on, `a.component_mul(&b)` multiplies entry by entry, `a.map(f32::tanh)` applies
//! a function to every entry. `sigmoid(x)` is 1/(1 + e^−x).
#![allow(unused_variables, unused_imports, unreachable_code)] // until all are solved

use recurrent_networks::Steps;
use shared::elementwise::sigmoid;
use shared::{Matrix, Operand, Vector, product};

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
    todo!()
}

/// **4.2 backward through one LSTM step – difficulty ●●●, about 30 minutes**
///
/// The step was c = f ⊙ c' + i ⊙ g and h = o ⊙ tanh(c), with i, f, o = σ(…) and g = tanh(…).
/// `gates` (4H, 1) holds i, f, g, o one below the other, after their σ and tanh; `last` is c' (H, 1).
/// From `dh` and `dc` (H, 1), the gradients of a loss with respect to h and to c, return the gradient of
/// what went into the four σ and tanh (4H, 1), in the same order, and that of c' (H, 1).
///
/// Hint: c is reached by two routes, from `dc` and through h. Add them first.
pub fn lstm_backward(gates: &Vector, last: &Vector, dh: &Vector, dc: &Vector) -> (Vector, Vector) {
    todo!()
}

/// **4.3 the word before – difficulty ●●○, about 15 minutes**
///
/// Sequences of the given lengths, longest first, are packed step by step: first the first tokens of all,
/// then the second tokens of those that have one, and so on. Return, for each column of the packing, the
/// column of the token before it in its own sequence, and `None` for first tokens: for the lengths 4, 2
/// and 1 – `abcd`, `ef`, `g`, packed as `aeg bf c d` – three times `None`, then 0 (a), 1 (e), 3 (b), 5 (c).
///
/// Hint: how many tokens stand between a token and the one before it? Sequences that have ended are not
/// among them.
pub fn word_before(lengths: &[usize]) -> Vec<Option<usize>> {
    todo!()
}

/// **4.4 clipping – difficulty ●○○, about 10 minutes**
///
/// All gradients of a model, together no longer than `longest`: if the Euclidean norm of all entries of
/// all matrices is larger, shorten the whole without turning it; otherwise change nothing. Entries may be
/// as large as 10³⁰, whose squares an `f32` cannot hold.
///
/// Hint: one factor for all matrices. To sum squares of large numbers, divide by the largest first.
pub fn clip(gradients: &[Matrix], longest: f32) -> Vec<Matrix> {
    todo!()
}

/// **4.5 the gradient through time – difficulty ●●○, about 20 minutes**
///
/// A plain network went through the states h₀, h₁, … h_T, the columns of `states` (H, T + 1), by
/// h_t = tanh(a_t + U h_{t−1}) with some inputs a_t. Return ∂h_T/∂h₀ (H, H): entry (i, j) says how entry
/// i of h_T moves with entry j of h₀. T may be 0.
///
/// Hint: the derivative of tanh is 1 − tanh², so you need the states and U alone. What does one step
/// contribute, and on which side?
pub fn through_time(u: &Matrix, states: &Matrix) -> Matrix {
    todo!()
}

/// **4.6 spot the bug: two directions – difficulty ●●○, about 10 minutes**
///
/// Should return the states (2H, N) of a bidirectional layer over a packed batch `x` (I, N): in each
/// column, the forward layer's state, which depends on the token and all before it, above the backward
/// layer's, which depends on the token and all behind it. `forward` and `backward` are two layers; each
/// reads a packed batch from the first token of every sequence to its last, and returns its states (H, N).
///
/// Hint: read a sequence of two words. What should the backward state at the second word depend on?
pub fn both_ways(forward: Reader, backward: Reader, x: &Matrix, steps: &Steps) -> Matrix {
    todo!("find the bug, then remove this line");
    let turned = x.select_columns(&steps.reversed());
    let (above, below) = (forward(x), backward(&turned));
    let mut states = Matrix::zeros(above.nrows() + below.nrows(), x.ncols());
    states.rows_mut(0, above.nrows()).copy_from(&above);
    states.rows_mut(above.nrows(), below.nrows()).copy_from(&below);
    states
}

/// A layer that reads a packed batch (I, N) and returns its states (H, N).
pub type Reader<'a> = &'a dyn Fn(&Matrix) -> Matrix;

/// **4.7 spot the bug: the last state – difficulty ●○○, about 5 minutes**
///
/// Should return the state of each sequence at its own end, (H, B). Here sequences are *padded*, as other
/// libraries do it: `states` (H, T·B) holds in column t·B + i the state of sequence i after step t, also
/// for steps after its end; `lengths` (B) says where each ends.
///
/// Hint: try two sequences of different lengths.
pub fn final_states(states: &Matrix, lengths: &[usize]) -> Matrix {
    todo!("find the bug, then remove this line");
    let batch = lengths.len();
    states.columns(states.ncols() - batch, batch).into_owned()
}
