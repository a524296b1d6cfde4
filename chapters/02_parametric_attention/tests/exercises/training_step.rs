//! 2.3 a step of training

use super::solutions;
use parametric_attention::{Sees, predict_with_slope, squared_error};
use tests::exercises::{Exercise, wrong};
use tests::expect;

pub type TrainingStep = fn(&[f32], &[f32], f32, f32) -> f32;

pub const EXERCISE: Exercise<TrainingStep> = Exercise {
    check,
    wrong: &[
        wrong("each point sees itself: hide key j while you predict point j", |x, y, w, rate| {
            w - rate * squared_error(x, y, w, Sees::Everyone).1
        }),
        wrong("the factor 2 of the square is missing", |x, y, w, rate| {
            solutions::training_step(x, y, w, rate / 2.0)
        }),
        wrong("this goes uphill: subtract the gradient", |x, y, w, rate| {
            solutions::training_step(x, y, w, -rate)
        }),
        wrong("errors are summed, not averaged", |x, y, w, rate| {
            solutions::training_step(x, y, w, rate / x.len() as f32)
        }),
        wrong("w may be negative to begin with", |x, y, w, rate| {
            solutions::training_step(x, y, w.abs(), rate)
        }),
        wrong(
            "two points may share an x and may attend to each other: hide by index",
            |x, y, w, rate| {
                let slopes = x.iter().zip(y).map(|(at, truth)| {
                    let others = x.iter().zip(y).filter(|(other, _)| *other != at);
                    let (keys, values): (Vec<f32>, Vec<f32>) = others.unzip();
                    let (f, df) = predict_with_slope(*at, &keys, &values, w, None);
                    2.0 * (f - truth) * df
                });
                w - rate * slopes.sum::<f32>()
            },
        ),
        wrong("w may become negative: it is the same model", |x, y, w, rate| {
            solutions::training_step(x, y, w, rate).max(0.0)
        }),
    ],
};

fn check(training_step: TrainingStep) {
    let (x, twins) = ([0.0, 0.5, 1.0, 2.0, 2.5], [0.0, 0.5, 0.5, 2.0, 2.5]);
    let y = [1.0, 2.0, 1.5, 3.0, 2.5];
    for (x, w, rate) in [
        (x, 0.7, 0.1),
        (x, 2.0, 0.05),
        (twins, 0.7, 0.1),
        (x, 1.5, 20.0), // far below zero
        (x, -0.7, 0.1),
    ] {
        expect(training_step(&x, &y, w, rate), solutions::training_step(&x, &y, w, rate), 1e-5)
            .of(format!("training_step({x:?}, y, {w}, {rate})"))
            .given("y", y)
            .check();
    }
}
