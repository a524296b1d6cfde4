//! 12.4: up, then down.

use super::solutions;
use tests::exercises::{Exercise, wrong};
use tests::expect;

pub type Rate = fn(usize, usize, f64) -> f64;

pub const EXERCISE: Exercise<Rate> = Exercise {
    check,
    wrong: &[
        wrong(
            "the rate rises first: the first tenth of the steps is a warm-up",
            |step, steps, highest| with_warmup(0, step, steps, highest),
        ),
        wrong(
            "the line begins where the warm-up ends, at the highest rate",
            |step, steps, highest| {
                if step <= steps / 10 {
                    solutions::rate(step, steps, highest)
                } else {
                    with_warmup(0, step, steps, highest)
                }
            },
        ),
        wrong(
            "the first step is a part of the rise: it has one part of the highest rate, not 0",
            |step, steps, highest| {
                if step <= steps / 10 {
                    solutions::rate(step - 1, steps, highest)
                } else {
                    solutions::rate(step, steps, highest)
                }
            },
        ),
        wrong("at the last step the rate is 0", |step, steps, highest| {
            with_warmup(steps / 10, step, steps + 1, highest)
        }),
        wrong(
            "so few steps have no warm-up: nothing is divided by its length",
            |step, steps, highest| match steps / 10 {
                0 => f64::NAN,
                _ => solutions::rate(step, steps, highest),
            },
        ),
        wrong("a tenth of the steps, rounded down", |step, steps, highest| {
            let warmup = if steps < 10 { 0 } else { (steps + 5) / 10 };
            with_warmup(warmup, step, steps, highest)
        }),
        wrong(
            "the warm-up is a tenth of the steps, however many that is",
            |step, steps, highest| with_warmup((steps / 10).min(100), step, steps, highest),
        ),
    ],
};

fn check(rate: Rate) {
    for steps in [40, 7, 1, 9, 10, 16, 19, 205, 2005] {
        for step in 1..=steps {
            for highest in [2.0, 0.3] {
                expect(rate(step, steps, highest), solutions::rate(step, steps, highest), 1e-6)
                    .of(format!("rate({step}, {steps}, {highest:?})"))
                    .check();
            }
        }
    }
}

/// The rate with so many steps of warm-up.
fn with_warmup(warmup: usize, step: usize, steps: usize, highest: f64) -> f64 {
    if step <= warmup {
        highest * step as f64 / warmup as f64
    } else {
        highest * (steps - step) as f64 / (steps - warmup) as f64
    }
}
