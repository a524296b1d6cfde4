//! Weights, whose rounded copies are kept.

use crate::bf16;
use crate::matrix::Matrix;
use std::sync::Arc;

/// Says that a matrix is a weight: a left factor, as it is or transposed, of more than one product before it changes.
/// Where products round their factors, its copies count until then; a weight that has changed and is told of again gets
/// those made anew, on whatever threads are free, that it had. Memory of others is freed when the next weight is told
/// of. Elsewhere nothing happens.
///
/// ```
/// use products::{Matrix, prepack, product};
/// use std::sync::Arc;
/// let mut w = Arc::new(Matrix::from_element(64, 64, 2.0));
/// prepack(&w);
/// let x = Matrix::from_element(64, 64, 1.0);
/// assert_eq!(product(&*w, &x)[0], 128.0);
/// Arc::make_mut(&mut w)[0] = 3.0; // no copy outlives it
/// assert_eq!(product(&*w, &x)[0], 129.0);
/// ```
pub fn prepack(weight: &Arc<Matrix>) {
    bf16::prepack(weight);
}

/// Bytes that the kept copies of all weights take now. (Those of weights that are gone are freed now.)
pub fn prepacked() -> usize {
    bf16::prepacked()
}
