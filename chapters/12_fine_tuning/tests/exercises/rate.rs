//! 12.4: up, then down.

use tests::exercises::{Exercise, Kind, Wrong};

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
                hint: "the rate rises first: the first tenth of the steps is a warm-up",
                answer: |step, steps, highest| highest * (steps - step) as f64 / steps as f64,
            },
            Wrong {
                name: "falls as if from the first step",
                hint: "the line begins where the warm-up ends, at the highest rate",
                answer: |step, steps, highest| match step <= steps / 10 {
                    true => highest * step as f64 / (steps / 10) as f64,
                    false => highest * (steps - step) as f64 / steps as f64,
                },
            },
            Wrong {
                name: "begins at 0",
                hint: "the first step is a part of the rise: it has one part of the highest rate, not 0",
                answer: |step, steps, highest| match step <= steps / 10 {
                    true => highest * (step - 1) as f64 / (steps / 10) as f64,
                    false => highest * (steps - step) as f64 / (steps - steps / 10) as f64,
                },
            },
            Wrong {
                name: "never reaches 0",
                hint: "at the last step the rate is 0",
                answer: |step, steps, highest| match step <= steps / 10 {
                    true => highest * step as f64 / (steps / 10) as f64,
                    false => highest * (steps + 1 - step) as f64 / (steps + 1 - steps / 10) as f64,
                },
            },
            Wrong {
                name: "divides by a tenth that is none",
                hint: "so few steps have no warm-up: nothing is divided by its length",
                answer: |step, steps, highest| match steps / 10 {
                    0 => f64::NAN,
                    _ => crate::solutions::rate(step, steps, highest),
                },
            },
            Wrong {
                name: "a tenth, rounded to the nearest",
                hint: "a tenth of the steps, rounded down",
                answer: |step, steps, highest| {
                    with_warmup(if steps < 10 { 0 } else { (steps + 5) / 10 }, step, steps, highest)
                },
            },
            Wrong {
                name: "a tenth, rounded up from twenty steps on",
                hint: "a tenth of the steps, rounded down: here it is rounded up",
                answer: |step, steps, highest| {
                    let up = usize::from(steps >= 20 && !steps.is_multiple_of(10));
                    with_warmup(steps / 10 + up, step, steps, highest)
                },
            },
            Wrong {
                name: "a hundred steps of warm-up at most",
                hint: "the warm-up is a tenth of the steps, however many that is",
                answer: |step, steps, highest| {
                    with_warmup((steps / 10).min(100), step, steps, highest)
                },
            },
        ],
    }
}

fn check(rate: Rate) {
    const TRAININGS: [usize; 9] = [40, 7, 1, 9, 10, 16, 19, 205, 2005];
    let steps = TRAININGS.iter().flat_map(|steps| (1..=*steps).map(move |step| (step, *steps)));
    let all = || steps.clone().flat_map(|(step, steps)| [2.0, 0.3].map(|top| (step, steps, top)));
    let near = |a: f64, b: f64| (a - b).abs() < 1e-6 || a.is_nan() && b.is_nan();
    for (step, steps, highest) in all() {
        let (found, right) =
            (rate(step, steps, highest), with_warmup(steps / 10, step, steps, highest));
        if near(found, right) {
            continue;
        }
        // What is told fits at every step, or is the rule.
        let same = |other: Rate| all().all(|(i, n, top)| near(rate(i, n, top), other(i, n, top)));
        let known = exercise().wrong.iter().find(|wrong| same(wrong.answer));
        let hint = known.map_or(
            "in equal parts up to `highest` at step ⌊steps/10⌋, then in equal parts down to 0 at the last step",
            |wrong| wrong.hint,
        );
        panic!("rate({step}, {steps}, {highest:?}) is {found}, not {right}\nhint: {hint}");
    }
}

/// With so many steps of warm-up.
fn with_warmup(warmup: usize, step: usize, steps: usize, highest: f64) -> f64 {
    match step <= warmup {
        true => highest * step as f64 / warmup as f64,
        false => highest * (steps - step) as f64 / (steps - warmup) as f64,
    }
}
