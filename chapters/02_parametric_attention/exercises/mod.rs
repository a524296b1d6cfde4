//! The exercises of chapter 2. Replace a `todo!()`, then run
//! `cargo test -p parametric_attention --test exercises`.
#![allow(unused_variables, unreachable_code)] // until all are solved

use shared::{Matrix, Var};

/// **2.1 attending to the others – difficulty ●○○, about 10 minutes**
///
/// The weights with which each training point attends to all the others: from `x` (n) and the width
/// `w` a matrix (n, n) whose column j holds softmax(−½((xⱼ − xᵢ)w)²) over all i but j.
///
/// Hint: exp(−∞) = 0. `shared::elementwise::softmax` works on a column in place:
/// `softmax(column.as_mut_slice())`.
pub fn weights_of_others(x: &[f32], w: f32) -> Matrix {
    todo!()
}

/// **2.2 the slope with another score – difficulty ●●○, about 20 minutes**
///
/// ∂f/∂w of f = Σ αᵢ yᵢ with α = softmax(−w·|x − xᵢ|), for one query x; `keys` and `values` are the xᵢ
/// and yᵢ (m each). By a formula: keys may be near each other and values far from 0, where
/// differences say nothing.
///
/// Hint: first ∂f/∂eᵢ, remembering that every weight depends on every score; then ∂eᵢ/∂w.
pub fn slope(query: f32, keys: &[f32], values: &[f32], w: f32) -> f32 {
    todo!()
}

/// **2.3 a step of training – difficulty ●●○, about 15 minutes**
///
/// The width after one step of gradient descent, w − η ∂L/∂w, on the summed squared error L =
/// Σⱼ (f(xⱼ) − yⱼ)², where each point is predicted from all the others.
///
/// Hint: `parametric_attention::predict_with_slope` gives a prediction and its slope, and can hide a
/// key.
pub fn training_step(x: &[f32], y: &[f32], w: f32, learning_rate: f32) -> f32 {
    todo!()
}

/// **2.4 the gradient of a metric – difficulty ●●○, about 20 minutes**
///
/// ∂f/∂M of f = Σ αᵢ yᵢ with α = softmax(−½ (x − xᵢ)ᵀM(x − xᵢ)), for one query x: `query` (d), `keys`
/// (d, m), `values` (m), `metric` M (d, d) → (d, d). All entries of M count as independent.
///
/// Hint: with u = x − xᵢ, uᵀMu = Σ u_a M_ab u_b. What is its derivative in M_ab?
pub fn metric_gradient(query: &[f32], keys: &Matrix, values: &[f32], metric: &Matrix) -> Matrix {
    todo!()
}

/// **2.5 an operation of your own – difficulty ●●○, about 20 minutes**
///
/// The scores e = −½(w·u)², entry by entry, as one operation on the tape: `w` is a 1 × 1 variable,
/// `distances` (m, n) are data. Compute the value, then `push` it together with its backward.
///
/// Hint: `w.tape().push([w], e, move |de, [w_id], gradients| gradients.add(w_id, …))`; de is (m, n),
/// what is added for w must be 1 × 1. Others may use w, too: add, whatever is there.
pub fn gaussian_scores<'t>(w: Var<'t>, distances: &Matrix) -> Var<'t> {
    todo!()
}

/// **2.6 spot the bug: a gradient that forgets – difficulty ●○○, about 10 minutes**
///
/// Should return the gradients `dq` (d, n) and `dk` (d, m) of queries and keys, given `de` (m, n),
/// the gradient of the scores eᵢⱼ = −½‖qᵢ − kⱼ‖²: row j, column i.
///
/// Hint: it is right when there is a single query and a single key.
pub fn scores_backward(queries: &Matrix, keys: &Matrix, de: &Matrix) -> (Matrix, Matrix) {
    todo!("find the bug, then remove this line");
    let mut dq = Matrix::zeros(queries.nrows(), queries.ncols());
    let mut dk = Matrix::zeros(keys.nrows(), keys.ncols());
    for i in 0..queries.ncols() {
        for j in 0..keys.ncols() {
            let difference = (keys.column(j) - queries.column(i)) * de[(j, i)];
            dq.set_column(i, &difference);
            dk.set_column(j, &-difference);
        }
    }
    (dq, dk)
}

/// **2.7 predict: other units – difficulty ●●○, about 10 minutes**
///
/// Temperatures over hours are given, in °C. Somebody writes them in °F, 1.8 times the number plus 32. By which
/// factor does each of these change?
///
/// 1. the best width w;
/// 2. the loss there, the sum of the squared errors;
/// 3. the slope ∂f/∂w of a prediction, at any width.
///
/// Somebody else leaves the temperatures, and writes minutes for hours. By which factor do these change?
///
/// 4. the best width;
/// 5. the loss there;
/// 6. the slope ∂f/∂w, at the width that gives the same weights as before;
/// 7. (w/L)·∂L/∂w, at the same width.
///
/// Hint: what enters a score?
pub fn other_units() -> [f64; 7] {
    todo!()
}

/// **2.8 construct: a window in the plane – difficulty ●●○, about 15 minutes**
///
/// Return a W (2, 2), for the score −½‖W(x − xᵢ)‖², that looks with the bandwidth `along` in the direction that is
/// `angle` degrees from the first axis towards the second, and with the bandwidth `across` at a right angle to it.
///
/// Hint: turn the direction onto the first axis; then stretch.
pub fn window(angle: f32, along: f32, across: f32) -> Matrix {
    todo!()
}

// **2.9 capstone: your learnt width – difficulty ●○○, about 5 minutes**
//
// Nothing to write: 2.1, 2.3 and 2.6 together learn the width of the chapter's fifty points, and a metric in the
// plane. It opens when they are solved: `cargo test -p parametric_attention --test exercises`.
