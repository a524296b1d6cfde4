//! Layer normalisation: every token is brought to mean 0 and variance 1, by itself.

use multiversion::multiversion;
use shared::elementwise::{dot, zip};
use shared::{Float, Gradients, Mask, Matrix, Module, Operands, Param, Tape, Var, Visitor};

/// Layer normalisation (Ba et al. 2016, equation 4), column by column:
/// `y = g ⊙ (x − μ)/√(σ² + ε) + b`, where μ and σ² are the mean and the variance of the entries of
/// one token. A token's result depends on no other token.
#[derive(Debug)]
pub struct LayerNorm {
    /// `g` (d, 1).
    pub weight: Param,
    /// `b` (d, 1).
    pub bias: Param,
    /// `ε`, which keeps a constant column from dividing by zero.
    pub epsilon: Float,
}

impl LayerNorm {
    /// Gain 1, bias 0, and an ε of 10⁻⁵.
    pub fn new(d: usize) -> LayerNorm {
        LayerNorm {
            weight: Param::new(Matrix::from_element(d, 1, 1.0)),
            bias: Param::new(Matrix::zeros(d, 1)),
            epsilon: 1e-5,
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
        self.of([x], x.tape(), Matrix::clone(&x.value()), |d, [x_id], gradients| {
            gradients.add(x_id, d)
        })
    }

    /// `norm(x + m ⊙ y)`, with the mask `m` of a dropout or without: a residual connection and its
    /// normalisation as one operation, to the numbers of three. What lies in between is not kept.
    pub fn of_sum<'t>(&self, x: Var<'t>, y: Var<'t>, mask: Option<Mask>) -> Var<'t> {
        let mut sum = Matrix::clone(&y.value());
        if let Some(mask) = mask {
            mask.apply(&mut sum);
        }
        let sum = zip(sum, &x.value(), |y, x| x + y);
        self.of([x, y], x.tape(), sum, move |d, [x_id, y_id], gradients| {
            let mut d_y = d.clone();
            if let Some(mask) = mask {
                mask.apply(&mut d_y);
            }
            gradients.add(x_id, d);
            gradients.add(y_id, d_y);
        })
    }

    /// The normalised columns of `x`, which was made from `operands`; `pass` takes its gradient on to them.
    fn of<'t, O: Operands<Var<'t>>>(
        &self,
        operands: O,
        tape: &'t Tape,
        x: Matrix,
        pass: impl FnOnce(Matrix, O::Ids, &mut Gradients) + 'static,
    ) -> Var<'t> {
        let (gain, bias) = (tape.param(&self.weight), tape.param(&self.bias));
        let g = gain.value();
        assert!(
            x.nrows() == g.nrows(),
            "tokens of {} entries and a normalisation of {}",
            x.nrows(),
            g.nrows()
        );
        let mut z = x; // becomes (x − μ)/√(σ² + ε)
        let scales = standardise(&mut z, self.epsilon);
        let y = affine(&z, &g, &bias.value());
        tape.push((operands, [gain, bias]), y, move |mut dy, (ids, [g_id, b_id]), gradients| {
            let mut d_gain_bias = [0; 2].map(|_| Matrix::zeros(g.nrows(), 1));
            back(&mut dy, &mut d_gain_bias, &z, &g, &scales);
            let [d_gain, d_bias] = d_gain_bias;
            gradients.add(g_id, d_gain);
            gradients.add(b_id, d_bias);
            pass(dy, ids, gradients);
        })
    }
}

// ANCHOR: passes
/// `z = (x − μ)·s` in place, column by column, and `s = 1/√(σ² + ε)` of each.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
// ANCHOR: standardise
fn standardise(x: &mut Matrix, epsilon: Float) -> Vec<Float> {
    let d = x.nrows();
    let mut scales = Vec::with_capacity(x.ncols());
    for x in x.as_mut_slice().chunks_exact_mut(d) {
        let mean = sum(x, |x| x) / d as Float;
        x.iter_mut().for_each(|x| *x -= mean);
        let scale = 1.0 / (sum(x, |x| x * x) / d as Float + epsilon).sqrt();
        x.iter_mut().for_each(|x| *x *= scale);
        scales.push(scale);
    }
    scales
}
// ANCHOR_END: standardise

/// `y = g ⊙ z + b`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn affine(z: &Matrix, g: &Matrix, b: &Matrix) -> Matrix {
    let (mut y, g, b) = (z.clone(), g.as_slice(), b.as_slice());
    for y in y.as_mut_slice().chunks_exact_mut(g.len()) {
        for ((y, g), b) in y.iter_mut().zip(g).zip(b) {
            *y = g * *y + b;
        }
    }
    y
}

/// Turns dy into dx, and adds to dg and db, column by column:
/// `y = g ⊙ z + b ⇒ dg += dy ⊙ z, db += dy, dz = g ⊙ dy`, and
/// `z = (x − μ)·s ⇒ dx = s·(dz − mean(dz) − z·mean(dz ⊙ z))`.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn back(
    dy: &mut Matrix,
    [d_gain, d_bias]: &mut [Matrix; 2],
    z: &Matrix,
    g: &Matrix,
    scales: &[Float],
) {
    let (d, g) = (g.nrows(), g.as_slice());
    let (d_gain, d_bias) = (d_gain.as_mut_slice(), d_bias.as_mut_slice());
    let columns = dy.as_mut_slice().chunks_exact_mut(d).zip(z.as_slice().chunks_exact(d));
    for ((dy, z), scale) in columns.zip(scales) {
        for ((((dy, z), g), dg), db) in
            dy.iter_mut().zip(z).zip(g).zip(d_gain.iter_mut()).zip(d_bias.iter_mut())
        {
            *dg += *dy * z;
            *db += *dy;
            *dy *= g; // dz
        }
        let mean = sum(dy, |dz| dz) / d as Float;
        let slope = dot(dy, z) / d as Float;
        for (dz, z) in dy.iter_mut().zip(z) {
            *dz = scale * (*dz - mean - z * slope);
        }
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
        visitor.param("gain", &mut self.weight);
        visitor.param("bias", &mut self.bias);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values and every gradient agree, as one operation and as three.
    #[test]
    fn a_residual_connection_in_one_piece_is_the_one_in_three() {
        let mut norm = LayerNorm::new(5);
        norm.for_each_parameter(|_, param| {
            let counting = Matrix::from_fn(5, 1, |i, _| 0.3 * i as Float - 0.5);
            *param.value_mut() += counting;
        });
        let inputs = [3.0, 5.0].map(|step| {
            Matrix::from_fn(5, 7, |i, j| ((i + j * 5) as Float * step % 11.0) / 4.0 - 1.0)
        });
        for p in [0.0, 0.4] {
            let run = |fused: bool| {
                let tape = Tape::training(shared::rng(3));
                let [x, y] = inputs.clone().map(|value| tape.leaf(value));
                let out = if fused {
                    norm.of_sum(x, y, tape.mask(p))
                } else {
                    norm.forward(x + y.dropout(p))
                };
                let value = out.value();
                let gradients = out.square().component_mul(tape.constant(inputs[1].clone())).sum();
                let gradients = gradients.backward();
                let params = [&norm.weight, &norm.bias].map(|param| gradients.of(param).cloned());
                (value, gradients.wrt(x), gradients.wrt(y), params)
            };
            assert_eq!(run(true), run(false), "dropout {p}");
        }
    }
}
