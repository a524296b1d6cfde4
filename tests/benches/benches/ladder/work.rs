//! The same work, on paper.

use transformer::{BlockSizes, Norm};

pub const SIZES: BlockSizes =
    BlockSizes { d_model: 256, d_ff: 256, heads: 4, dropout: 0.0, norm: Norm::Post };

/// The cost of some products.
#[derive(Clone, Copy, Default)]
pub struct Work {
    /// Multiplications and additions.
    pub operations: u64,
    /// Bytes that must be moved at least: both factors read and the result written, each once, in f32.
    pub bytes: u64,
}

impl Work {
    /// A product of (m, k) and (k, n), and the two of its gradients: the same three matrices each time.
    fn with_gradients(m: usize, k: usize, n: usize) -> Work {
        Work {
            operations: 3 * 2 * (m * k * n) as u64,
            bytes: 3 * 4 * (m * k + k * n + m * n) as u64,
        }
    }

    fn times(self, count: usize) -> Work {
        Work { operations: self.operations * count as u64, bytes: self.bytes * count as u64 }
    }

    pub fn plus(self, other: Work) -> Work {
        Work { operations: self.operations + other.operations, bytes: self.bytes + other.bytes }
    }

    /// Operations a byte.
    pub fn intensity(self) -> f64 {
        self.operations as f64 / self.bytes as f64
    }
}

/// The work of a square linear layer.
pub fn linear_work(tokens: usize) -> Work {
    Work::with_gradients(SIZES.d_model, SIZES.d_model, tokens)
}

/// The work of scores and contexts in all heads.
pub fn attention_work(length: usize) -> Work {
    let width = SIZES.d_model / SIZES.heads;
    let scores = Work::with_gradients(length, width, length);
    scores.plus(Work::with_gradients(width, length, length)).times(SIZES.heads)
}

/// Four projections and the two layers of the network for all words, attention for every sentence.
pub fn step_work(lengths: &[usize], blocks: usize) -> Work {
    let attention = lengths.iter().map(|length| attention_work(*length));
    attention.fold(linear_work(lengths.iter().sum()).times(6), Work::plus).times(blocks)
}
