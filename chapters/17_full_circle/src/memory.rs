//! A memory of fixed size: a matrix that every key and value change, and that a query reads.

use crate::estimators::sherman_morrison;
use shared::{Float, Matrix, Vector};

/// How a key and its value change the memory `S` (c, d).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Update {
    /// `S ← S + β v kᵀ`: linear attention (the rule of Hebb).
    Add(Float),
    /// `S ← S + β(v − S k)kᵀ`: the delta rule.
    Delta(Float),
    /// The delta rule at `β/(1 + β‖k‖²)`.
    Implicit(Float),
    /// Least squares with this ridge, in which each pair weighs `decay` times what the next one does.
    LeastSquares {
        /// λ
        ridge: Float,
        /// γ: 1 forgets nothing.
        decay: Float,
    },
}

/// A matrix that holds what was written.
#[derive(Clone, Debug)]
pub struct Memory {
    /// `S` (c, d)
    pub state: Matrix,
    update: Update,
    /// `(Σ γ^… kkᵀ + λI)⁻¹` (d, d), of least squares alone.
    inverse: Matrix,
}

impl Memory {
    /// An empty memory for keys of `d` entries and values of `c`.
    pub fn new(d: usize, c: usize, update: Update) -> Memory {
        let inverse = match update {
            Update::LeastSquares { ridge, .. } => Matrix::identity(d, d) / ridge,
            _ => Matrix::zeros(0, 0),
        };
        Memory { state: Matrix::zeros(c, d), update, inverse }
    }

    // ANCHOR: write
    /// Writes a value `v` (c) under a key `k` (d).
    pub fn write(&mut self, k: &Vector, v: &Vector) {
        let error = v - &self.state * k;
        match self.update {
            Update::Add(rate) => self.state += v * k.transpose() * rate,
            Update::Delta(rate) => self.state += error * k.transpose() * rate,
            Update::Implicit(rate) => {
                self.state += error * k.transpose() * (rate / (1.0 + rate * k.norm_squared()));
            }
            Update::LeastSquares { decay, .. } => {
                self.inverse = sherman_morrison(&(&self.inverse / decay), k);
                self.state += error * (&self.inverse * k).transpose();
            }
        }
    }
    // ANCHOR_END: write

    /// What stands under a key, (c).
    pub fn read(&self, q: &Vector) -> Vector {
        &self.state * q
    }
}
