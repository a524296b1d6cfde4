//! The textbook's training, step by step, and the gradient of a matrix, as PyTorch computes them.

use parametric_attention::{Attention, Sees, descend, squared_error};
use shared::{Matrix, Tape};
use tests::{assert_close, golden};

#[test]
fn the_textbooks_training() {
    let g = golden::load("parametric_attention");
    let (x, y) = (g.values::<f32>("x"), g.values::<f32>("y"));
    let path: Vec<f32> = g.values("path");
    let steps = descend(path[0], 0.5, 5, |w| squared_error(&x, &y, w, Sees::Others));
    let column =
        |f: fn(&parametric_attention::Step) -> f32| -> Vec<f32> { steps.iter().map(f).collect() };
    assert_close!(column(|step| step.w), path, 1e-4);
    assert_close!(column(|step| step.loss), g.values::<f32>("losses"), 1e-4);
    assert_close!(column(|step| step.slope), g.values::<f32>("slopes"), 1e-3);
}

#[test]
fn the_gradient_of_a_matrix() {
    let g = golden::load("parametric_attention");
    let values: Matrix = g.matrix("values");
    let y = values.transpose(); // (1, n)
    let model = Attention::new(g.matrix::<f32>("matrix").transpose()); // W (2, 3)
    let tape = Tape::new();
    let f = model.leave_one_out(tape.constant(g.matrix::<f32>("places")), tape.constant(y.clone()));
    let loss = shared::squared_error(f, &y);
    assert_close!(loss.scalar(), g.scalar::<f32>("matrix_loss"), 1e-5);
    let gradients = loss.backward();
    let expected = g.matrix::<f32>("matrix_gradient").transpose();
    assert_close!(gradients.of(&model.weight).unwrap(), expected, 1e-4);
}
