//! The answers of `questions.md`, computed.

use recurrent_networks::cells::lstm;
use recurrent_networks::through_time::{Sequence, through_time};
use recurrent_networks::{Gates, State, Steps};
use shared::{Matrix, Tape};
use tests::questions::{answers, option};

#[test]
fn answers_are_those_computed() {
    let [one, u] = [1.0, 0.99].map(|entry| Matrix::from_element(1, 1, entry));
    let still = Matrix::zeros(1, 1001); // inputs and states: tanh has the slope 1
    let mut local = Matrix::zeros(1, 1001);
    local[1000] = 1.0; // the loss is at the end
    let back = through_time(Sequence { w: &one, u: &u, x: &still, h: &still }, &local).dx[0];
    let near = |said: f32| (back / said - 1.0).abs() < 0.2;

    let tape = Tape::no_grad();
    let column =
        |entries: &[f32]| tape.constant(Matrix::from_column_slice(entries.len(), 1, entries));
    let (none, shut) = (column(&[0.0; 4]), column(&[-40.0, 40.0, 0.0, -40.0])); // i, f, g, o
    let gates = Gates { w: none, u: none, b: shut, c: none };
    let before = State { h: column(&[0.5]), c: column(&[0.8]) };
    let after = lstm(gates, gates.project(column(&[0.3])), before);
    let is =
        |h: f32, c: f32| (after.h.scalar() - h).abs() < 1e-6 && (after.c.scalar() - c).abs() < 1e-6;

    let steps = Steps::new(&[5, 3, 3, 1]);
    answers(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("4a", option([near(0.99), near(0.37), near(0.00004)])),
            ("4b", option([is(0.0, 0.0), is(0.0, 0.8), is(0.8, 0.8)])),
            ("4c", steps.last()[1].to_string()),
        ],
    );
}
