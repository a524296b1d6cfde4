//! 12.4: up, then down.

use tests::exercises::{Exercise, Kind, Wrong};
use workbench::training::{Schedule, Shape};

pub type Rate = fn(usize, usize, f64) -> f64;

pub fn exercise() -> Exercise<Rate> {
    Exercise {
        number: 4,
        title: "up, then down",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "no warm-up",
                hint: "rises",
                answer: |step, steps, highest| highest * (steps - step) as f64 / steps as f64,
            },
            Wrong {
                name: "falls as if from the first step",
                hint: "the line begins where the warm-up ends",
                answer: |step, steps, highest| match step <= steps / 10 {
                    true => highest * step as f64 / (steps / 10) as f64,
                    false => highest * (steps - step) as f64 / steps as f64,
                },
            },
            Wrong {
                name: "begins at 0",
                hint: "rises",
                answer: |step, steps, highest| match step <= steps / 10 {
                    true => highest * (step - 1) as f64 / (steps / 10) as f64,
                    false => highest * (steps - step) as f64 / (steps - steps / 10) as f64,
                },
            },
            Wrong {
                name: "never reaches 0",
                hint: "the last step",
                answer: |step, steps, highest| match step <= steps / 10 {
                    true => highest * step as f64 / (steps / 10) as f64,
                    false => highest * (steps + 1 - step) as f64 / (steps + 1 - steps / 10) as f64,
                },
            },
            Wrong {
                name: "divides by a tenth that is none",
                hint: "few steps",
                answer: |step, steps, highest| match steps / 10 {
                    0 => f64::NAN,
                    _ => crate::solutions::rate(step, steps, highest),
                },
            },
            Wrong {
                name: "a tenth, rounded to the nearest",
                hint: "rounded down",
                answer: |step, steps, highest| {
                    with_warmup(if steps < 10 { 0 } else { (steps + 5) / 10 }, step, steps, highest)
                },
            },
            Wrong {
                name: "a tenth, rounded up from twenty steps on",
                hint: "rounded down",
                answer: |step, steps, highest| {
                    let up = usize::from(steps >= 20 && !steps.is_multiple_of(10));
                    with_warmup(steps / 10 + up, step, steps, highest)
                },
            },
            Wrong {
                name: "a hundred steps of warm-up at most",
                hint: "however many",
                answer: |step, steps, highest| {
                    with_warmup((steps / 10).min(100), step, steps, highest)
                },
            },
        ],
    }
}

fn check(rate: Rate) {
    let near = |step: usize, steps: usize, hint: &str| {
        for highest in [2.0, 0.3] {
            let schedule = Schedule {
                rate: highest as f32,
                warmup: steps as u64 / 10,
                shape: Shape::Linear { total: steps as u64 },
            };
            let (found, right) = (rate(step, steps, highest), f64::from(schedule.at(step as u64)));
            assert!(
                (found - right).abs() < 1e-6,
                "rate({step}, {steps}, {highest:?}) is {found}, not {right}\nhint: {hint}"
            );
        }
    };
    for step in 1..=4 {
        near(step, 40, "it rises in equal parts, and the first step is one of them");
    }
    near(40, 40, "at the last step it is 0");
    for step in [5, 22, 39] {
        near(step, 40, "the line begins where the warm-up ends, and ends at the last step");
    }
    for step in 1..=7 {
        near(step, 7, "so few steps have no warm-up: nothing is divided by its length");
    }
    near(1, 1, "the only step is the last one");
    for steps in [10, 16, 19] {
        for step in 1..=3 {
            near(step, steps, "a tenth of the steps, rounded down: one step");
        }
    }
    for steps in [205, 2005] {
        let warmup = steps / 10;
        for step in [1, warmup / 2, warmup, warmup + 1, steps / 2, steps] {
            near(step, steps, "a tenth of the steps, rounded down, however many that is");
        }
    }
}

/// With so many steps of warm-up.
fn with_warmup(warmup: usize, step: usize, steps: usize, highest: f64) -> f64 {
    match step <= warmup {
        true => highest * step as f64 / warmup as f64,
        false => highest * (steps - step) as f64 / (steps - warmup) as f64,
    }
}
