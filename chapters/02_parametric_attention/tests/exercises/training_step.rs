//! 2.3 a step of training

use parametric_attention::{Sees, squared_error};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

use super::support::hidden_by_place;

type TrainingStep = fn(&[f32], &[f32], f32, f32) -> f32;

pub fn exercise() -> Exercise<TrainingStep> {
    Exercise {
        number: 3,
        title: "a step of training",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "attending to itself while training",
                hint: "each point sees itself",
                answer: |x, y, w, rate| stepped(x, y, w, rate, Sees::Everyone, 2.0),
            },
            Wrong {
                name: "factor 2 forgotten",
                hint: "the factor 2",
                answer: |x, y, w, rate| stepped(x, y, w, rate, Sees::Others, 1.0),
            },
            Wrong {
                name: "uphill",
                hint: "uphill",
                answer: |x, y, w, rate| stepped(x, y, w, -rate, Sees::Others, 2.0),
            },
            Wrong {
                name: "mean in place of sum",
                hint: "summed, not averaged",
                answer: |x, y, w, rate| stepped(x, y, w, rate / x.len() as f32, Sees::Others, 2.0),
            },
            Wrong {
                name: "the width's sign lost",
                hint: "training_step(x, y, -0.7, 0.1)",
                answer: |x, y, w, rate| stepped(x, y, w.abs(), rate, Sees::Others, 2.0),
            },
            Wrong { name: "hidden by its place", hint: "hide by index", answer: stepped_by_place },
            Wrong {
                name: "not below zero",
                hint: "may become negative",
                answer: |x, y, w, rate| stepped(x, y, w, rate, Sees::Others, 2.0).max(0.0),
            },
        ],
    }
}

fn check(training_step: TrainingStep) {
    let (x, y) = ([0.0, 0.5, 1.0, 2.0, 2.5], [1.0, 2.0, 1.5, 3.0, 2.5]);
    for (w, rate) in [(0.7, 0.1), (2.0, 0.05)] {
        expect(
            [training_step(&x, &y, w, rate)],
            [stepped(&x, &y, w, rate, Sees::Others, 2.0)],
            1e-5,
        )
        .of(format!("training_step(x, y, {w}, {rate})"))
        .given("x", x)
        .given("y", y)
        .or_hint(
            [stepped(&x, &y, w, rate, Sees::Everyone, 2.0)],
            "each point sees itself: hide key j while you predict point j",
        )
        .or_hint(
            [stepped(&x, &y, w, rate, Sees::Others, 1.0)],
            "the factor 2 of the square is missing",
        )
        .or_hint(
            [stepped(&x, &y, w, -rate, Sees::Others, 2.0)],
            "this goes uphill: subtract the gradient",
        )
        .or_hint(
            [stepped(&x, &y, w, rate / 5.0, Sees::Others, 2.0)],
            "the errors of the points are summed, not averaged",
        )
        .check();
    }

    let twins = [0.0, 0.5, 0.5, 2.0, 2.5];
    expect(
        [training_step(&twins, &y, 0.7, 0.1)],
        [stepped(&twins, &y, 0.7, 0.1, Sees::Others, 2.0)],
        1e-5,
    )
    .of("training_step(x, y, 0.7, 0.1)")
    .given("x", twins)
    .given("y", y)
    .or_hint(
        [stepped_by_place(&twins, &y, 0.7, 0.1)],
        "two points may share an x and may attend to each other: hide by index",
    )
    .check();

    // The slope is positive here, and the rate takes w far below zero.
    let below = stepped(&x, &y, 1.5, 20.0, Sees::Others, 2.0);
    assert!(below < -0.5, "the step was to lead below zero, not to {below}");
    expect([training_step(&x, &y, 1.5, 20.0)], [below], 1e-4)
        .of("training_step(x, y, 1.5, 20)")
        .given("x", x)
        .given("y", y)
        .or_hint([0.0], "w may become negative: w and −w are the same model")
        .check();
    let step = stepped(&x, &y, -0.7, 0.1, Sees::Others, 2.0);
    expect([training_step(&x, &y, -0.7, 0.1)], [step], 1e-5)
        .of("training_step(x, y, -0.7, 0.1)")
        .check();
}

fn stepped(x: &[f32], y: &[f32], w: f32, rate: f32, sees: Sees, factor: f32) -> f32 {
    w - rate * squared_error(x, y, w, sees).1 * factor / 2.0
}

fn stepped_by_place(x: &[f32], y: &[f32], w: f32, rate: f32) -> f32 {
    let alpha = hidden_by_place(x, w);
    let mut slope = 0.0;
    for j in 0..x.len() {
        let f: f32 = (0..x.len()).map(|i| alpha[(i, j)] * y[i]).sum();
        let share = |i: usize| alpha[(i, j)] * (y[i] - f) * (x[j] - x[i]) * (x[j] - x[i]);
        slope += 2.0 * (f - y[j]) * -w * (0..x.len()).map(share).sum::<f32>();
    }
    w - rate * slope
}
