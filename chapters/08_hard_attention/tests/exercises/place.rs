//! 8.1: draw a place.

use super::solutions;
use shared::Vector;
use tests::exercises::{Exercise, wrong};

type Place = fn(&[f32], f32) -> usize;

const SHORT: &str = "when weights fall short of 1, the last place that has weight gets the rest";

pub const EXERCISE: Exercise<Place> = Exercise {
    check,
    wrong: &[
        wrong("u decides, not the weights alone", |alpha, _| most_probable(alpha)),
        wrong("places are counted from 0", |alpha, u| {
            sums(alpha).filter(|sum| *sum < u).count() + 1
        }),
        // ≥ where > is needed.
        wrong("a place of weight 0 is never picked", |alpha, u| {
            let reached = sums(alpha).position(|sum| sum >= u);
            reached.or_else(|| alpha.iter().rposition(|a| *a > 0.0)).unwrap_or(0)
        }),
        wrong(SHORT, |alpha, u| exceeds(alpha, u).unwrap_or(alpha.len() - 1)),
        wrong(SHORT, |alpha, u| exceeds(alpha, u).unwrap()),
        wrong("weights count as they are", |alpha, u| {
            solutions::place(alpha, u * alpha.iter().sum::<f32>())
        }),
        wrong(SHORT, |alpha, u| exceeds(alpha, u).unwrap_or_else(|| most_probable(alpha))),
    ],
};

fn check(place: Place) {
    let alpha: &[f32] = &[0.125, 0.0, 0.5, 0.375];
    let cases = [(0.0, 0), (0.1, 0), (0.125, 2), (0.4, 2), (0.62, 2), (0.625, 3), (0.99, 3)];
    // Beginning and end without weight; and a sum that falls short.
    let short: &[f32] = &[0.0, 0.25, 0.749, 0.0];
    let more = [(0.0, 1), (0.3, 2), (0.9995, 2), (0.25, 2)].map(|case| (short, case));
    let turned: (&[f32], (f32, usize)) = (&[0.749, 0.25], (0.9995, 1));
    for (alpha, (u, right)) in
        cases.map(|case| (alpha, case)).into_iter().chain(more).chain([turned])
    {
        let found = place(alpha, u);
        assert!(found == right, "place({alpha:?}, u = {u}) is {found}, it should be {right}");
    }
}

fn most_probable(alpha: &[f32]) -> usize {
    Vector::from_column_slice(alpha).imax()
}

/// Right while the weights sum to 1.
fn exceeds(alpha: &[f32], u: f32) -> Option<usize> {
    sums(alpha).position(|sum| sum > u)
}

fn sums(alpha: &[f32]) -> impl Iterator<Item = f32> {
    (1..=alpha.len()).map(|n| alpha[..n].iter().sum())
}
