//! What several exercises need.

use bert::Special;
use shared::Matrix;

/// Special pieces that are not the first five.
pub const SPECIAL: Special = Special { pad: 0, unknown: 3, cls: 5, sep: 6, mask: 9 };

/// The special pieces as most vocabularies have them.
pub const FIRST_FIVE: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

/// Uneven numbers of both signs.
pub fn matrix(rows: usize, columns: usize, phase: f32) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| 1.2 * (1.3 * i as f32 + 2.1 * j as f32 + phase).sin())
}
