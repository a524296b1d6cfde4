//! Batch normalisation, which the Transformer does without: each entry is brought to mean 0 and variance 1 over
//! the tokens of a batch, here of a shard of it: what one tape holds.

use crate::layer_norm::LayerNorm;
use shared::{Float, Matrix, Var};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The statistics of a batch normalisation (Ioffe & Szegedy 2015), row by row: over all tokens of a shard
/// while training, so that a token's result depends on what lies beside it; afterwards those of the training's
/// batches in the mean (their algorithm 2), so that it does not.
#[derive(Debug, Default)]
pub struct BatchStatistics(Mutex<Seen>);

#[derive(Debug, Default)]
enum Seen {
    /// Every batch has its own.
    #[default]
    OfEachBatch,
    /// … and is counted: batches, sums of means and of variances (d, 1).
    Counting(usize, Matrix, Matrix),
    /// Mean and variance (d, 1), whatever the batch.
    Fixed(Matrix, Matrix),
}

impl BatchStatistics {
    /// From now on every batch that is normalised is counted.
    pub fn count(&self, d: usize) {
        *self.seen() = Seen::Counting(0, Matrix::zeros(d, 1), Matrix::zeros(d, 1));
    }

    /// From now on the means over the batches that were counted stand for every batch.
    ///
    /// # Panics
    /// When none was.
    pub fn fix(&self) {
        let mut seen = self.seen();
        let Seen::Counting(batches @ 1.., mean, variance) = &*seen else {
            panic!("no batch was counted")
        };
        let each = 1.0 / *batches as Float;
        *seen = Seen::Fixed(mean * each, variance * each);
    }

    /// `y = g ⊙ (x − μ)/√(σ² + ε) + b`, with μ and σ² of every row and with gain, bias and ε of `norm`:
    /// `x` (d, n) → (d, n).
    pub fn normalised<'t>(&self, norm: &LayerNorm, x: Var<'t>) -> Var<'t> {
        let (tape, value) = (x.tape(), x.value());
        let (gain, bias) = (tape.param(&norm.gain), tape.param(&norm.bias));
        let (g, b) = (gain.value(), bias.value());
        let (mean, variance, fixed) = self.of(&value);
        let s = variance.map(|variance| 1.0 / (variance + norm.epsilon).sqrt()); // (d, 1)
        let z =
            Matrix::from_fn(value.nrows(), value.ncols(), |i, j| (value[(i, j)] - mean[i]) * s[i]);
        let y = Matrix::from_fn(z.nrows(), z.ncols(), |i, j| g[i] * z[(i, j)] + b[i]);
        tape.push([x, gain, bias], y, move |dy, [x_id, g_id, b_id], gradients| {
            let (rows, n) = (z.nrows(), z.ncols() as Float);
            let product = dy.component_mul(&z);
            let sums = |x: &Matrix| Matrix::from_fn(rows, 1, |i, _| x.row(i).sum()); // (d, 1)
            let (d_gain, d_bias) = (sums(&product), sums(&dy));
            // dz = g ⊙ dy, and z = (x − μ)·s ⇒ dx = s·(dz − mean(dz) − z·mean(dz ⊙ z)), row by row
            let d_x = Matrix::from_fn(rows, z.ncols(), |i, j| {
                let through = if fixed { 0.0 } else { (d_bias[i] + z[(i, j)] * d_gain[i]) / n };
                g[i] * s[i] * (dy[(i, j)] - through)
            });
            gradients.add(g_id, d_gain);
            gradients.add(b_id, d_bias);
            gradients.add(x_id, d_x);
        })
    }

    /// Mean and variance of every row, and whether they are fixed.
    fn of(&self, x: &Matrix) -> (Matrix, Matrix, bool) {
        let mut seen = self.seen();
        if let Seen::Fixed(mean, variance) = &*seen {
            return (mean.clone(), variance.clone(), true);
        }
        let (d, n) = (x.nrows(), x.ncols() as Float);
        let mean = Matrix::from_fn(d, 1, |i, _| x.row(i).sum() / n);
        let square = |i: usize| x.row(i).iter().map(|x| (x - mean[i]).powi(2)).sum::<Float>();
        let variance = Matrix::from_fn(d, 1, |i, _| square(i) / n);
        if let Seen::Counting(batches, means, variances) = &mut *seen {
            *batches += 1;
            *means += &mean;
            *variances += &variance;
        }
        (mean, variance, false)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
