//! Losses that are no chapter's subject.

use crate::elementwise::{self, assert_same_shape};
use crate::tape::Var;
use products::{Float, Matrix};

/// The sum of squared differences, 1 × 1.
///
/// ```
/// use shared::{Matrix, Tape, squared_error};
/// let tape = Tape::new();
/// let prediction = tape.leaf(Matrix::from_row_slice(1, 2, &[1.0, 5.0]));
/// let loss = squared_error(prediction, &Matrix::from_row_slice(1, 2, &[1.0, 2.0]));
/// assert_eq!(loss.scalar(), 9.0);
/// assert_eq!(loss.backward().wrt(prediction), Matrix::from_row_slice(1, 2, &[0.0, 6.0]));
/// ```
///
/// # Panics
/// When the shapes differ.
pub fn squared_error<'t>(prediction: Var<'t>, target: &Matrix) -> Var<'t> {
    let x = prediction.value();
    assert_same_shape("squared error", &x, target);
    let error = &*x - target;
    let loss = Matrix::from_element(1, 1, error.norm_squared());
    prediction.tape().push([prediction], loss, move |dy, [x_id], gradients| {
        gradients.add(x_id, error * (2.0 * dy[(0, 0)]));
    })
}

/// The cross-entropy `−ln softmax(x)_target`, summed over the columns, 1 × 1: in nats.
///
/// `logits` (classes, n); `targets[j]` is the class of column `j`. Its gradient is what makes the
/// pair softmax–cross-entropy famous: `dx = softmax(x) − onehot(target)`.
///
/// ```
/// use shared::{Matrix, Tape, cross_entropy};
/// let tape = Tape::new();
/// let loss = cross_entropy(tape.constant(Matrix::zeros(8, 2)), &[3, 5]);
/// assert!((loss.scalar() - 2.0 * shared::Float::ln(8.0)).abs() < 1e-5); // uniform: ln 8 a column
/// ```
///
/// # Panics
/// When there is not one target a column, or a target is not a class.
#[doc(alias = "CrossEntropyLoss")]
pub fn cross_entropy<'t>(logits: Var<'t>, targets: &[usize]) -> Var<'t> {
    let x = logits.value();
    let (classes, columns) = x.shape();
    assert!(columns == targets.len(), "{} targets for {columns} columns", targets.len());
    if let Some(target) = targets.iter().find(|target| **target >= classes) {
        panic!("target {target} among {classes} classes");
    }
    let mut probabilities = Matrix::clone(&x);
    let mut loss = 0.0;
    for (j, &target) in targets.iter().enumerate() {
        let (max, sum) = elementwise::softmax(probabilities.column_mut(j).as_mut_slice());
        loss += Float::ln(sum) - (x[(target, j)] - max); // differences first: large logits do not cancel
    }
    let targets = targets.to_vec();
    logits.tape().push([logits], Matrix::from_element(1, 1, loss), move |dy, [x_id], gradients| {
        let mut d = probabilities;
        for (j, &target) in targets.iter().enumerate() {
            d[(target, j)] -= 1.0;
        }
        gradients.add(x_id, d * dy[(0, 0)]);
    })
}
