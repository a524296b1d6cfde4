//! The answers of `questions.md`, computed.

use hard_attention::estimator::{estimate, exact};
use hard_attention::expected_loss;
use shared::{Matrix, Tape, Vector};
use tests::questions::{answers, option};

const ALPHA: [f32; 3] = [0.28, 0.14, 0.58]; // melon, radish, apple
const LOSSES: [f32; 3] = [0.0, 9.0, 1.0];

#[test]
fn answers_are_those_computed() {
    let tape = Tape::no_grad();
    let losses = [0.0, 4.0].map(|price: f32| (price - 2.0).powi(2));
    let losses = tape.constant(Matrix::from_row_slice(1, 2, &losses));
    let expected = expected_loss(tape.constant(Matrix::zeros(2, 1)), losses).scalar();

    let step = -estimate(&ALPHA, 0, LOSSES[0], 0.0); // downhill
    let raises = step[0] > 0.0 && step[1] < 0.0 && step[2] < 0.0;
    let does = [raises, step[0] < 0.0, step.amax() == 0.0];

    let looks = (0..3).map(|z| estimate(&ALPHA, z, LOSSES[z], LOSSES[z]) * ALPHA[z]);
    let mean: Vector = looks.sum();
    let gradient = exact(&ALPHA, &LOSSES);
    let is = |said: Vector| (&mean - said).amax() < 1e-6;
    let mean = option([is(gradient.clone()), is(Vector::zeros(3)), is(-gradient)]);
    let right = [("8a", expected.to_string()), ("8b", option(does)), ("8c", mean)];
    answers(env!("CARGO_MANIFEST_DIR"), &right);
}
