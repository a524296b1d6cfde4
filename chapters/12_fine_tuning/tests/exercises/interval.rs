//! 12.8: the middle of what could have come.

use super::solutions;
use rand::RngExt;
use shared::rng;
use std::collections::BTreeSet;
use tests::exercises::{Exercise, wrong};
use tests::expect;

pub type Interval = fn(&[bool], &[Vec<usize>], f64) -> (f64, f64);

pub const EXERCISE: Exercise<Interval> = Exercise {
    check,
    wrong: &[
        wrong("(1 − level)/2 of them are left out on either side", |right, drawn, _| {
            solutions::interval(right, drawn, 1.0)
        }),
        wrong("(1 − level)/2 of them on either side, not 1 − level", |right, drawn, level| {
            solutions::interval(right, drawn, 1.0 - 2.0 * (1.0 - level))
        }),
        wrong("a text that was drawn twice counts twice", |right, drawn, level| {
            let once = drawn.iter().map(|texts| Vec::from_iter(BTreeSet::from_iter(texts.clone())));
            solutions::interval(right, &once.collect::<Vec<_>>(), level)
        }),
        wrong("the accuracies are put in order first", |right, drawn, level| {
            let outside = outside(drawn, level).round() as usize;
            let of = |i: usize| solutions::interval(right, &drawn[i..=i], 1.0).0;
            (of(outside), of(drawn.len() - 1 - outside))
        }),
        wrong("as many at the upper end as at the lower", |right, drawn, level| {
            let outside = outside(drawn, level).round() as usize;
            let (low, _) = without(right, drawn, outside);
            (low, without(right, drawn, outside.saturating_sub(1)).1)
        }),
        wrong("rounded to the nearest, not down", |right, drawn, level| {
            without(right, drawn, outside(drawn, level) as usize)
        }),
    ],
};

/// How many are left out on either side, before it is rounded.
fn outside(drawn: &[Vec<usize>], level: f64) -> f64 {
    (1.0 - level) / 2.0 * drawn.len() as f64
}

/// The interval with so many left out on either side.
fn without(right: &[bool], drawn: &[Vec<usize>], outside: usize) -> (f64, f64) {
    solutions::interval(right, drawn, 1.0 - 2.0 * outside as f64 / drawn.len() as f64)
}

fn check(interval: Interval) {
    let four = (
        vec![true, false, true, true],
        vec![vec![0, 0, 2, 3], vec![1, 1, 0, 0], vec![1, 1, 1, 1], vec![0, 1, 2, 3]],
    );
    // Ten drawings of ten texts, of which 7, 8, 9, 0, 1 … are the one that was right.
    let drawing = |i| (0..10).map(|text| usize::from(text >= (i + 7) % 10)).collect();
    let ten = ((0..10).map(|text| text == 0).collect(), (0..10).map(drawing).collect());
    let rng = &mut rng(1);
    let random = (0..200).map(|_| (0..40).map(|_| rng.random_range(0..40)).collect()).collect();
    let many = ((0..40).map(|i| i % 3 > 0).collect(), random);
    let one = (four.0.clone(), vec![vec![1, 1, 1, 0]]); // so little that nothing is left out
    for ((right, drawn), levels) in [
        (four, &[0.5][..]),
        (ten, &[0.64, 0.66, 0.67, 0.75]),
        (many, &[0.9, 0.95, 0.99]),
        (one, &[0.95, 0.5]),
    ] {
        for &level in levels {
            let (low, high) = interval(&right, &drawn, level);
            let (right_low, right_high) = solutions::interval(&right, &drawn, level);
            let (drawings, texts) = (drawn.len(), right.len());
            let what =
                format!("of {drawings} drawings of {texts} texts each, interval(…, {level})");
            expect([low, high], [right_low, right_high], 1e-12).of(what).check();
        }
    }
}
