//! Layer normalisation: every token is brought to mean 0 and variance 1, by itself.

use multiversion::multiversion;
use shared::{Float, Matrix, Module, Param, Var, Visitor};

// ANCHOR: layer_norm
/// Layer normalisation (Ba et al. 2016, equation 4), column by column:
/// `y = g ⊙ (x − μ)/√(σ² + ε) + b`, where μ and σ² are the mean and the variance of the entries of
/// one token. A token's result depends on no other token.
#[derive(Debug)]
pub struct LayerNorm {
    /// `g` (d, 1).
    pub gain: Param,
    /// `b` (d, 1).
    pub bias: Param,
}

/// `ε`, which keeps a constant column from dividing by zero.
pub const EPSILON: Float = 1e-5;

impl LayerNorm {
    /// Gain 1 and bias 0.
    pub fn new(d: usize) -> LayerNorm {
        LayerNorm {
            gain: Param::new(Matrix::from_element(d, 1, 1.0)),
            bias: Param::new(Matrix::zeros(d, 1)),
        }
    }

    /// `x` (d, n) → (d, n).
    ///
    /// ```
    /// use shared::{Matrix, Tape};
    /// let tape = Tape::new();
    /// let x = tape.leaf(Matrix::from_column_slice(2, 2, &[1.0, 3.0, 10.0, -10.0]));
    /// let y = transformer::LayerNorm::new(2).forward(x).value();
    /// assert!((y[(0, 0)] + 1.0).abs() < 1e-4 && (y[(1, 0)] - 1.0).abs() < 1e-4);
    /// assert!((y[(0, 1)] - 1.0).abs() < 1e-4); // whatever the size of the entries
    /// ```
    pub fn forward<'t>(&self, x: Var<'t>) -> Var<'t> {
        let tape = x.tape();
        let (gain, bias) = (tape.param(&self.gain), tape.param(&self.bias));
        let (dx, dg, db) = (x.id(), gain.id(), bias.id());
        let (x, g) = (x.value(), gain.value());
        let mut z = Matrix::clone(&x); // (x − μ)/√(σ² + ε): kept for backward
        let mut y = Matrix::zeros(x.nrows(), x.ncols());
        let mut scale = vec![0.0; x.ncols()]; // 1/√(σ² + ε)
        let b = bias.value();
        for (j, scale) in scale.iter_mut().enumerate() {
            *scale = standardise(z.column_mut(j).as_mut_slice());
            affine(
                y.column_mut(j).as_mut_slice(),
                z.column(j).as_slice(),
                g.as_slice(),
                b.as_slice(),
            );
        }
        tape.push(y, move |mut dy, gradients| {
            let (mut d_gain, mut d_bias) =
                (Matrix::zeros(g.nrows(), 1), Matrix::zeros(g.nrows(), 1));
            for (j, scale) in scale.iter().enumerate() {
                let (z, dy) = (z.column(j), &mut dy.column_mut(j));
                let (z, dy) = (z.as_slice(), dy.as_mut_slice());
                sums(d_gain.as_mut_slice(), d_bias.as_mut_slice(), dy, z);
                back(dy, z, g.as_slice(), *scale);
            }
            gradients.add(dg, d_gain);
            gradients.add(db, d_bias);
            gradients.add(dx, dy);
        })
    }
}
// ANCHOR_END: layer_norm

// ANCHOR: passes
/// `z = (x − μ)·s` in place, and `s = 1/√(σ² + ε)`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn standardise(x: &mut [Float]) -> Float {
    let d = x.len() as Float;
    let mean = sum(x, |x| x) / d;
    x.iter_mut().for_each(|x| *x -= mean);
    let scale = 1.0 / (sum(x, |x| x * x) / d + EPSILON).sqrt();
    x.iter_mut().for_each(|x| *x *= scale);
    scale
}

/// `y = g ⊙ z + b`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn affine(y: &mut [Float], z: &[Float], g: &[Float], b: &[Float]) {
    for (((y, z), g), b) in y.iter_mut().zip(z).zip(g).zip(b) {
        *y = g * z + b;
    }
}

/// `y = g ⊙ z + b  ⇒  dg += dy ⊙ z,  db += dy`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn sums(d_gain: &mut [Float], d_bias: &mut [Float], dy: &[Float], z: &[Float]) {
    for (((dg, db), dy), z) in d_gain.iter_mut().zip(d_bias).zip(dy).zip(z) {
        *dg += dy * z;
        *db += dy;
    }
}

/// `z = (x − μ)·s  ⇒  dx = s·(dz − mean(dz) − z·mean(dz ⊙ z))`, where `dz = g ⊙ dy`: turns dy into dx.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn back(dy: &mut [Float], z: &[Float], g: &[Float], scale: Float) {
    let d = dy.len() as Float;
    dy.iter_mut().zip(g).for_each(|(dy, g)| *dy *= g); // dz
    let mean = sum(dy, |dz| dz) / d;
    let slope = shared::elementwise::dot(dy, z) / d;
    for (dz, z) in dy.iter_mut().zip(z) {
        *dz = scale * (*dz - mean - z * slope);
    }
}
// ANCHOR_END: passes

/// The sum of `f(x)`, in lanes that do not wait for one another.
#[inline(always)]
fn sum(x: &[Float], f: impl Fn(Float) -> Float) -> Float {
    const LANES: usize = 16;
    let mut lanes = [0.0; LANES];
    let (chunks, rest) = x.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += f(*x);
        }
    }
    lanes.iter().sum::<Float>() + rest.iter().map(|x| f(*x)).sum::<Float>()
}

impl Module for LayerNorm {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.param("gain", &mut self.gain);
        visitor.param("bias", &mut self.bias);
    }
}
