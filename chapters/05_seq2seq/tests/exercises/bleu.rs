//! 5.3: BLEU from its counts.

use super::solutions;
use tests::exercises::{Exercise, wrong};
use tests::expect;

pub type Bleu = fn([usize; 4], [usize; 4], usize, usize) -> f64;

const MEAN: &str = "the mean is geometric: the fourth root of the product of the four shares";

pub const EXERCISE: Exercise<Bleu> = Exercise {
    check,
    wrong: &[
        wrong(MEAN, |matches, runs, c, r| {
            let shares: f64 = (0..4).map(|n| share(matches, runs, n)).sum();
            penalty(c, r) * shares / 4.0
        }),
        wrong(MEAN, |matches, runs, c, r| solutions::bleu(matches, runs, c, r).powi(4)),
        wrong("too short is punished, by exp(1 − r/c)", |matches, runs, _, _| {
            solutions::bleu(matches, runs, 1, 1)
        }),
        wrong("too short is punished, not too long", |matches, runs, c, r| {
            solutions::bleu(matches, runs, r, c)
        }),
        wrong("too long is not rewarded", |matches, runs, c, r| {
            solutions::bleu(matches, runs, 1, 1) * (1.0 - r as f64 / c as f64).exp()
        }),
        wrong("a share of 0 makes the mean 0", |matches, runs, c, r| {
            let shares = (0..4).filter(|n| matches[*n] > 0).map(|n| share(matches, runs, n));
            penalty(c, r) * shares.product::<f64>().powf(0.25)
        }),
        wrong("three words have no run of four", |matches, runs, c, r| {
            let shares: f64 = (0..4).map(|n| share(matches, runs, n)).product();
            penalty(c, r) * shares.powf(0.25)
        }),
        wrong(
            "divide before you multiply: such a product has too many digits",
            |matches, runs, c, r| {
                let [matches, runs] = [matches, runs].map(|n| n.iter().product::<usize>());
                match matches {
                    0 => 0.0,
                    _ => penalty(c, r) * (matches as f64 / runs as f64).powf(0.25),
                }
            },
        ),
    ],
};

fn check(bleu: Bleu) {
    let some = ([6, 4, 3, 2], [7, 6, 5, 4]);
    for ((matches, runs), c, r) in [
        (([7, 6, 5, 4], [7, 6, 5, 4]), 7, 7),
        (some, 7, 7),
        (some, 7, 5),
        (some, 7, 9),
        (([5, 2, 1, 0], [6, 5, 4, 3]), 6, 6),
        (([3, 2, 1, 0], [3, 2, 1, 0]), 3, 3),
        ((some.0.map(|n| n * 100_000), some.1.map(|n| n * 100_000)), 700_000, 700_000),
    ] {
        expect(bleu(matches, runs, c, r), solutions::bleu(matches, runs, c, r), 1e-9)
            .of(format!("bleu({matches:?}, {runs:?}, {c}, {r})"))
            .check();
    }
}

fn share(matches: [usize; 4], runs: [usize; 4], n: usize) -> f64 {
    matches[n] as f64 / runs[n] as f64
}

fn penalty(c: usize, r: usize) -> f64 {
    (1.0 - r as f64 / c as f64).min(0.0).exp()
}
