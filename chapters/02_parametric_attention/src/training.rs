//! The same loss by the tape, and the training of a whole matrix.

use crate::Attention;
use shared::{Adam, Float, Matrix, Optimizer, Tape, squared_error as error_on_tape};

// ANCHOR: on_tape
/// The leave-one-out loss and its derivative once more, by the tape.
pub fn on_tape(w: Float, x: &[Float], y: &[Float]) -> (Float, Float) {
    let model = Attention::new(Matrix::from_element(1, 1, w));
    let tape = Tape::new();
    let x = tape.constant(Matrix::from_row_slice(1, x.len(), x));
    let target = Matrix::from_row_slice(1, y.len(), y);
    let f = model.leave_one_out(x, tape.constant(target.clone()));
    let loss = error_on_tape(f, &target);
    (loss.scalar(), loss.backward().of(&model.weight).expect("the loss depends on w")[0])
}
// ANCHOR_END: on_tape

// ANCHOR: train
/// Learns `W` from the leave-one-out loss: `x` (d, n), `y` (1, n).
pub fn train(mut model: Attention, x: &Matrix, y: &Matrix, steps: usize) -> Attention {
    let mut adam = Adam::new(0.1);
    for _ in 0..steps {
        let tape = Tape::new();
        let f = model.leave_one_out(tape.constant(x.clone()), tape.constant(y.clone()));
        let gradients = error_on_tape(f, y).backward();
        adam.step(&mut model, &gradients.into());
    }
    model
}
// ANCHOR_END: train
