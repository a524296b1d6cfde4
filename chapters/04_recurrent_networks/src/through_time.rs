//! Backpropagation through time as it is derived: one sequence, one plain layer, no tape.
//!
//! The teacher, and the oracle, of what [`crate::layers`] does for a whole batch at once.

use shared::{Matrix, Operand, Vector, product};

/// What a plain layer read and what became of it: `h_t = tanh(W x_t + U h_{t−1} + b)`, `h_0 = 0`.
#[derive(Clone, Debug)]
pub struct Sequence<'a> {
    /// `W` (H, I).
    pub w: &'a Matrix,
    /// `U` (H, H).
    pub u: &'a Matrix,
    /// (I, T): what is read.
    pub x: &'a Matrix,
    /// (H, T): the states after each step.
    pub h: &'a Matrix,
}

/// The gradients of a loss with respect to what a plain layer is made of, and what it read.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// (H, I)
    pub dw: Matrix,
    /// (H, H)
    pub du: Matrix,
    /// (H)
    pub db: Vector,
    /// (I, T)
    pub dx: Matrix,
}

// ANCHOR: backward
/// Backpropagation through time (Werbos 1990). `local` (H, T) holds in column `t` what the loss says
/// of `h_t` directly, as if no later state depended on it.
pub fn through_time(Sequence { w, u, x, h }: Sequence, local: &Matrix) -> Gradient {
    let (hidden, steps) = h.shape();
    let mut gradient = Gradient {
        dw: Matrix::zeros(w.nrows(), w.ncols()),
        du: Matrix::zeros(hidden, hidden),
        db: Vector::zeros(hidden),
        dx: Matrix::zeros(x.nrows(), steps),
    };
    let mut later = Matrix::zeros(hidden, 1); // what comes back from the step after: 0 at the end
    for t in (0..steps).rev() {
        let dh = local.columns(t, 1) + &later;
        let da = dh.zip_map(&h.columns(t, 1), |dh, h| dh * (1.0 - h * h)); // h = tanh(a)
        later = product(&u.t(), &da); //                                      Uᵀ da
        gradient.dw += product(&da, &x.columns(t, 1).t());
        gradient.db += &da.column(0);
        gradient.dx.set_column(t, &product(&w.t(), &da).column(0));
        if t > 0 {
            gradient.du += product(&da, &h.columns(t - 1, 1).t()); //         the sum over time
        }
    }
    gradient
}
// ANCHOR_END: backward
