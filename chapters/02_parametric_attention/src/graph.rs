//! The worked example of the appendix *How gradients flow*: one query, two keys, every arrow.

use nalgebra::RealField;
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Tape, squared_error as error_on_tape};

/// One query, two keys at the distances 1 and 2 with the values 3 and 1, the target 2, w = 1.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Graph {
    /// The scores.
    pub s: [Float; 2],
    /// The weights.
    pub alpha: [Float; 2],
    /// The prediction.
    pub f: Float,
    /// The loss (f − 2)².
    pub loss: Float,
    /// ∂L/∂f
    pub df: Float,
    /// ∂L/∂α
    pub dalpha: [Float; 2],
    /// ∂L/∂s
    pub ds: [Float; 2],
    /// What w receives from either score.
    pub shares: [Float; 2],
    /// Their sum, ∂L/∂w.
    pub dw: Float,
    /// The same from the tape.
    pub tape: Float,
    /// And from finite differences.
    pub differences: f64,
}

/// Walks forward and back through the graph, one arrow at a time.
pub fn graph() -> Graph {
    let (w, u, y, target) = (1.0, [1.0, 2.0], [3.0, 1.0], 2.0);
    let s = u.map(|u: Float| -0.5 * (w * u) * (w * u));
    let mut alpha = s;
    shared::elementwise::softmax(&mut alpha);
    let f = alpha[0] * y[0] + alpha[1] * y[1];
    let df: Float = 2.0 * (f - target);
    let dalpha = y.map(|y| df * y);
    let mean = alpha[0] * dalpha[0] + alpha[1] * dalpha[1];
    let ds = [alpha[0] * (dalpha[0] - mean), alpha[1] * (dalpha[1] - mean)];
    let shares = [ds[0] * -w * u[0] * u[0], ds[1] * -w * u[1] * u[1]];
    Graph {
        s,
        alpha,
        f,
        loss: (f - target) * (f - target),
        df,
        dalpha,
        ds,
        shares,
        dw: shares[0] + shares[1],
        tape: graph_on_tape(),
        differences: (two_keys(1.0 + 1e-5) - two_keys(1.0 - 1e-5)) / 2e-5,
    }
}

// ANCHOR: graph_on_tape
/// ∂L/∂w of the same graph, from the tape.
fn graph_on_tape() -> Float {
    let tape = Tape::new();
    let w = tape.leaf(Matrix::from_element(1, 1, 1.0));
    let u = tape.constant(Matrix::from_row_slice(1, 2, &[1.0, 2.0])); // distances
    let y = tape.constant(Matrix::from_row_slice(1, 2, &[3.0, 1.0])); // values
    let e = (w * u).square().transpose() * -0.5; // (2, 1)
    let f = y * e.softmax(); // (1, 1)
    let loss = error_on_tape(f, &Matrix::from_element(1, 1, 2.0));
    loss.backward().wrt(w)[0]
}
// ANCHOR_END: graph_on_tape

/// The loss of the graph as a function of w, in whatever precision.
pub fn two_keys<T: RealField + Copy>(w: T) -> T {
    let number = |x: f64| nalgebra::convert::<f64, T>(x);
    let score = |u: T| (number(-0.5) * w * u * w * u).exp();
    let (near, far) = (score(number(1.0)), score(number(2.0)));
    let f = (near * number(3.0) + far * number(1.0)) / (near + far);
    (f - number(2.0)) * (f - number(2.0))
}
