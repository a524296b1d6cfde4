//! The Gaussian error linear unit.

use shared::elementwise::{exp, normal_distribution};
use shared::{Float, Var};

// ANCHOR: gelu
/// `x·Φ(x)` of every entry (Hendrycks & Gimpel 2016, equation 1), where Φ is the distribution function
/// of the standard normal distribution: an entry passes as far as it is larger than noise would be.
///
/// Its derivative is `Φ(x) + x·φ(x)`, with the density `φ(x) = e^(−x²/2)/√2π`.
///
/// ```
/// use shared::{Matrix, Tape};
/// let tape = Tape::new();
/// let y = bert::gelu(tape.constant(Matrix::from_column_slice(4, 1, &[-9.0, -1.0, 0.0, 9.0]))).value();
/// assert_eq!((y[0].abs() < 1e-6, y[2], y[3]), (true, 0.0, 9.0));
/// assert!((y[1] + 0.158_655).abs() < 1e-6); // −Φ(−1)
/// ```
pub fn gelu(x: Var<'_>) -> Var<'_> {
    let derivative = |x: Float, _y| normal_distribution(x) + x * normal_density(x);
    x.entrywise(|x| x * normal_distribution(x), derivative)
}

/// `φ(x) = e^(−x²/2)/√2π`
#[inline(always)]
fn normal_density(x: Float) -> Float {
    const ROOT: Float = 0.398_942_280_401_432_7_f64 as Float; // 1/√2π
    ROOT * exp(-0.5 * x * x)
}
// ANCHOR_END: gelu
