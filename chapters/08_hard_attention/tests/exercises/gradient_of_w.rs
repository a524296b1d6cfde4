//! 8.8: a loss that is its own teacher.

use super::solutions;
use super::support::{softmax, softmax_less};
use shared::Vector;
use tests::exercises::{Exercise, bug, wrong};
use tests::expect;

type GradientOfW = fn(f32, &Vector, &Vector, f32, usize, f32) -> f32;

const DRAWN: &str = "the look is drawn from α already: a second α_z counts probable places twice";
const BASELINE: &str = "the baseline is subtracted from the loss of this look";

pub const EXERCISE: Exercise<GradientOfW> = Exercise {
    check,
    wrong: &[
        bug(
            "the reader's route was multiplied with ln α_z, but J contains ℓ_z, not ℓ_z·ln α_z",
            |w, k, v, y, z, b| {
                let [looking, reading] = routes(w, k, v, y, z, b);
                looking + reading * softmax(&(w * k))[z].ln()
            },
        ),
        wrong("as if the reader did not learn", |w, k, v, y, z, b| routes(w, k, v, y, z, b)[0]),
        wrong("as if looking did not learn", |w, k, v, y, z, b| routes(w, k, v, y, z, b)[1]),
        wrong(DRAWN, |w, k, v, y, z, b| {
            let [looking, reading] = routes(w, k, v, y, z, b);
            looking + softmax(&(w * k))[z] * reading
        }),
        wrong(BASELINE, |w, k, v, y, z, _| solutions::gradient_of_w(w, k, v, y, z, 0.0)),
        wrong(BASELINE, |w, k, v, y, z, b| solutions::gradient_of_w(w, k, v, y, z, -b)),
        wrong("subtract the largest score before you exponentiate", |w, k, v, y, z, b| {
            let error = w * v[z] - y;
            let alpha = softmax_less(0.0, &(w * k));
            (error * error - b) * (k[z] - alpha.dot(k)) + 2.0 * error * v[z]
        }),
    ],
};

fn check(gradient_of_w: GradientOfW) {
    let values = Vector::from_column_slice(&[1.0, -0.5, 0.3]);
    // Then keys so large that a softmax has to subtract its largest score.
    for (w, keys, b) in [
        (0.7, [0.5, -1.0, 2.0], 0.0),
        (0.7, [0.5, -1.0, 2.0], 0.5),
        (1.0, [300.0, -300.0, 298.0], 0.5),
    ] {
        let keys = Vector::from_column_slice(&keys);
        for z in 0..3 {
            let right = solutions::gradient_of_w(w, &keys, &values, 0.4, z, b);
            expect(gradient_of_w(w, &keys, &values, 0.4, z, b), right, 1e-4)
                .of(format!("gradient_of_w({w}, keys, values, 0.4, {z}, {b})"))
                .given("keys", &keys)
                .given("values", &values)
                .check();
        }
    }
}

/// What the looking and the reading add to the gradient.
fn routes(w: f32, k: &Vector, v: &Vector, y: f32, z: usize, b: f32) -> [f32; 2] {
    let reading = 2.0 * (w * v[z] - y) * v[z];
    [solutions::gradient_of_w(w, k, v, y, z, b) - reading, reading]
}
