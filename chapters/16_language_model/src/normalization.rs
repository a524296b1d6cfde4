//! Normalisation without a mean: RMSNorm, and the choice between it and chapter 10's.

use serde::{Deserialize, Serialize};
use shared::elementwise::dot;
use shared::{Float, Matrix, Module, Param, Var, Visitor};
use transformer::{Layer, LayerNorm};

/// Root mean square normalisation (Zhang & Sennrich 2019, equation 4), column by column: `y = g ⊙ z` with
/// `z = x/√(mean(x²) + ε)`. Unlike [`LayerNorm`] it subtracts no mean and adds no bias.
#[doc(alias = "RMSNorm")]
#[derive(Debug)]
pub struct RmsNorm {
    /// `g` (d, 1).
    pub weight: Param,
    /// `ε`, which keeps a column of zeros from dividing by zero.
    pub epsilon: Float,
}

impl RmsNorm {
    /// Gain 1 and an ε of 10⁻⁵.
    pub fn new(d: usize) -> RmsNorm {
        RmsNorm { weight: Param::new(Matrix::from_element(d, 1, 1.0)), epsilon: 1e-5 }
    }

    /// `x` (d, n) → (d, n).
    ///
    /// ```
    /// use shared::{Matrix, Tape};
    /// let tape = Tape::new();
    /// let x = tape.constant(Matrix::from_column_slice(2, 1, &[3.0, -4.0])); // its mean square is 12.5
    /// let y = language_model::RmsNorm::new(2).forward(x).value();
    /// assert!((y[0] - 3.0 / 12.5_f32.sqrt()).abs() < 1e-5);
    /// ```
    // ANCHOR: rms_norm
    pub fn forward<'t>(&self, x: Var<'t>) -> Var<'t> {
        let gain = x.tape().param(&self.weight);
        let (g, mut z) = (gain.value(), Matrix::clone(&x.value()));
        let d = z.nrows() as Float;
        let mean_product = move |a: &[Float], b: &[Float]| dot(a, b) / d;
        let mut scales = Vec::with_capacity(z.ncols());
        for mut z in z.column_iter_mut() {
            let s = (mean_product(z.as_slice(), z.as_slice()) + self.epsilon).sqrt().recip();
            z *= s; // z = x/√(mean(x²) + ε)
            scales.push(s);
        }
        let mut y = z.clone();
        y.column_iter_mut().for_each(|mut y| y.component_mul_assign(&g.column(0))); // y = g ⊙ z
        x.tape().push([x, gain], y, move |mut dy, [x_id, g_id], gradients| {
            let mut d_g = Matrix::zeros(g.nrows(), 1);
            for ((mut dy, z), s) in dy.column_iter_mut().zip(z.column_iter()).zip(&scales) {
                d_g.column_mut(0).cmpy(1.0, &dy, &z, 1.0); // dg = Σ dy ⊙ z
                dy.component_mul_assign(&g.column(0)); //     dz = g ⊙ dy
                let along = mean_product(dy.as_slice(), z.as_slice());
                dy.axpy(-along * s, &z, *s); //               dx = s·(dz − z·mean(dz ⊙ z))
            }
            gradients.add(x_id, dy);
            gradients.add(g_id, d_g);
        })
    }
    // ANCHOR_END: rms_norm
}

/// Which normalisation a model has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum NormKind {
    /// Mean and variance of a token: the paper's.
    Layer,
    /// Its root mean square: today's.
    #[default]
    Rms,
}

/// A normalisation of either kind.
#[derive(Debug)]
#[allow(missing_docs)] // its variants are named by what they hold
pub enum Normalization {
    Layer(LayerNorm),
    Rms(RmsNorm),
}

impl Normalization {
    /// A normalisation of `d` entries that changes no scale at first.
    pub fn new(kind: NormKind, d: usize) -> Normalization {
        match kind {
            NormKind::Layer => Normalization::Layer(LayerNorm::new(d)),
            NormKind::Rms => Normalization::Rms(RmsNorm::new(d)),
        }
    }
}

impl Layer for Normalization {
    fn forward<'t>(&self, x: Var<'t>) -> Var<'t> {
        match self {
            Normalization::Layer(norm) => norm.forward(x),
            Normalization::Rms(norm) => norm.forward(x),
        }
    }
}

impl Module for RmsNorm {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.param("weight", &mut self.weight);
    }
}

impl Module for Normalization {
    fn visit(&mut self, visitor: &mut Visitor) {
        match self {
            Normalization::Layer(norm) => norm.visit(visitor),
            Normalization::Rms(norm) => norm.visit(visitor),
        }
    }
}
