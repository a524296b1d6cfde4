//! How the error falls as points are added, as theory expects it.

use crate::data::NOISE;

// ANCHOR: theory
/// What theory expects of the Gaussian kernel for 1 ≤ x ≤ 4, far from the ends:
/// error(h) = B h⁴ + V/(n h), the squared bias and the variance.
pub struct Theory {
    b: f64,
    v: f64,
}

impl Theory {
    /// The constants of the curve of [`crate::data`].
    pub fn new() -> Theory {
        let curvature = |x: f64| -2.0 * x.sin() - 0.16 * x.powf(-1.2); // f''
        let squares = (0..3000).map(|i| curvature(1.0005 + f64::from(i) / 1000.0).powi(2));
        let density = 1.0 / 5.0; // of x, uniform on [0, 5]
        let roughness = 0.5 / std::f64::consts::PI.sqrt(); // ∫K² of the normalised kernel
        let v = f64::from(NOISE).powi(2) * roughness / density;
        Theory { b: squares.sum::<f64>() / 3000.0 / 4.0, v }
    }

    /// Where the derivative of the error, 4 B h³ − V/(n h²), is zero.
    pub fn bandwidth(&self, n: usize) -> f64 {
        (self.v / (4.0 * self.b * n as f64)).powf(0.2)
    }

    /// The error there.
    pub fn error(&self, n: usize) -> f64 {
        let h = self.bandwidth(n);
        self.b * h.powi(4) + self.v / (n as f64 * h)
    }
}
// ANCHOR_END: theory

impl Default for Theory {
    fn default() -> Theory {
        Theory::new()
    }
}
