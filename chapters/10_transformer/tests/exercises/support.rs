//! What several exercises need.

use shared::Matrix;

/// Every column becomes its softmax.
pub fn softmax(scores: Matrix) -> Matrix {
    column_by_column(&scores, |e| {
        let e = e.map(|x| (x - e.max()).exp());
        &e / e.sum()
    })
}

/// `(x − mean)/√(variance + ε)` of all entries together.
pub fn standardised(x: &Matrix) -> Matrix {
    let deviation = x.add_scalar(-x.mean());
    let variance = deviation.norm_squared() / x.len() as f32;
    deviation / (variance + 1e-5).sqrt()
}

/// Every column by itself.
pub fn column_by_column(x: &Matrix, f: impl Fn(&Matrix) -> Matrix) -> Matrix {
    let mut y = x.clone();
    for (x, mut y) in x.column_iter().zip(y.column_iter_mut()) {
        y.copy_from(&f(&Matrix::from_column_slice(x.len(), 1, x.as_slice())));
    }
    y
}
