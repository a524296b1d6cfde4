//! 8.1: draw a place.

use shared::Vector;
use tests::exercises::{Exercise, Kind, Wrong};

type Place = fn(&[f32], f32) -> usize;

pub fn exercise() -> Exercise<Place> {
    Exercise {
        number: 1,
        title: "draw a place",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "the most probable place",
                hint: "u = 0)",
                answer: |alpha, _| most_probable(alpha),
            },
            Wrong {
                name: "the place whose weight exceeds u",
                hint: "",
                answer: |alpha, u| alpha.iter().position(|weight| *weight > u).unwrap_or(0),
            },
            Wrong {
                name: "one place too far",
                hint: "",
                answer: |alpha, u| running_sums(alpha).filter(|sum| *sum < u).count() + 1,
            },
            Wrong { name: "zero weights can be picked", hint: "u = 0.125", answer: reaches_u },
            Wrong {
                name: "the last place when the sum falls short",
                hint: "fall short of 1",
                answer: |alpha, u| exceeds(alpha, u).unwrap_or(alpha.len() - 1),
            },
            Wrong {
                name: "panics when the sum falls short",
                hint: "",
                answer: |alpha, u| exceeds(alpha, u).expect("the weights sum to 1"),
            },
            Wrong {
                name: "the weights scaled to a sum of 1",
                hint: "count as they are",
                answer: |alpha, u| exceeds(alpha, u * alpha.iter().sum::<f32>()).unwrap_or(0),
            },
            Wrong {
                name: "the rest to the most probable place",
                hint: "fall short of 1",
                answer: |alpha, u| exceeds(alpha, u).unwrap_or_else(|| most_probable(alpha)),
            },
        ],
    }
}

fn check(place: Place) {
    let alpha = [0.125, 0.0, 0.5, 0.375];
    let cases = [(0.0, 0), (0.1, 0), (0.125, 2), (0.4, 2), (0.62, 2), (0.625, 3), (0.99, 3)];
    for (u, right) in cases {
        let found = place(&alpha, u);
        assert!(
            alpha.get(found).is_some_and(|weight| *weight > 0.0),
            "place({alpha:?}, {u}) is {found}, a place of weight 0"
        );
        assert!(found == right, "place({alpha:?}, u = {u}) is {found}, it should be {right}");
    }
    // Beginning and end without weight; and a sum that falls short.
    let alpha = [0.0, 0.25, 0.749, 0.0];
    let short = "weights may fall short of 1, and count as they are; one of 0 is never picked";
    for (u, right) in [(0.0, 1), (0.3, 2), (0.9995, 2), (0.25, 2)] {
        let found = place(&alpha, u);
        assert!(
            found == right,
            "place({alpha:?}, u = {u}) is {found}, it should be {right}\nhint: {short}"
        );
    }
    let alpha = [0.749, 0.25];
    let found = place(&alpha, 0.9995);
    assert!(
        found == 1,
        "place({alpha:?}, u = 0.9995) is {found}, it should be 1\nhint: when weights fall short of 1, the last \
         place gets the rest"
    );
}

fn most_probable(alpha: &[f32]) -> usize {
    Vector::from_column_slice(alpha).imax()
}

/// `≥` where `>` is needed: u = 0 picks a first place of weight 0.
fn reaches_u(alpha: &[f32], u: f32) -> usize {
    let reached = running_sums(alpha).position(|sum| sum >= u);
    reached.or_else(|| alpha.iter().rposition(|a| *a > 0.0)).unwrap_or(0)
}

/// Right while the weights sum to 1.
fn exceeds(alpha: &[f32], u: f32) -> Option<usize> {
    running_sums(alpha).position(|sum| sum > u)
}

fn running_sums(alpha: &[f32]) -> impl Iterator<Item = f32> {
    alpha.iter().scan(0.0, |sum, weight| {
        *sum += weight;
        Some(*sum)
    })
}
