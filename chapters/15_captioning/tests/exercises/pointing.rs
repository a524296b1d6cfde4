//! 15.5: where it points.

use crate::solutions;
use tests::exercises::{Exercise, Kind, wrong};
use tests::expect;

pub type Pointing = fn(&[f32], &[Option<usize>], usize, usize) -> f32;

pub const EXERCISE: Exercise<Pointing> = Exercise {
    number: 5,
    title: "where it points",
    kind: Kind::Implement,
    difficulty: 1,
    minutes: 10,
    check,
    wrong: &[
        wrong(
            "every place that it touches",
            "a place belongs to one thing: the one that most of its pixels show",
            |weights, shown, side, thing| {
                shares(weights, shown, side, |counts| f32::from(counts[thing] > 0))
            },
        ),
        wrong(
            "the ground counts",
            "of the pixels that show any thing, even one is enough",
            |weights, shown, side, thing| {
                shares(weights, shown, side, |counts| f32::from(counts[thing] > 8))
            },
        ),
        wrong(
            "pixel by pixel",
            "a place belongs to a thing as a whole",
            |weights, shown, side, thing| {
                shares(weights, shown, side, |counts| counts[thing] as f32 / 16.0)
            },
        ),
        wrong(
            "how many places",
            "the share of the weight, not of the places",
            |weights, shown, side, thing| {
                solutions::pointing(
                    &vec![1.0 / weights.len() as f32; weights.len()],
                    shown,
                    side,
                    thing,
                )
            },
        ),
        wrong(
            "pixels in a line",
            "sixteen pixels of a place are 4 × 4, not 16 in a row",
            |weights, shown, _, thing| {
                let own = shown
                    .chunks(16)
                    .zip(weights)
                    .filter(|(pixels, _)| pixels.contains(&Some(thing)));
                own.map(|(_, weight)| weight).sum()
            },
        ),
    ],
};

/// The weights, each times what `part` makes of how many pixels of its place show each of three things.
fn shares(
    weights: &[f32],
    shown: &[Option<usize>],
    side: usize,
    part: impl Fn([usize; 3]) -> f32,
) -> f32 {
    let counts = |place: usize| {
        let mut counts = [0; 3];
        for pixel in 0..16 {
            let (y, x) = (place / (side / 4) * 4 + pixel / 4, place % (side / 4) * 4 + pixel % 4);
            shown[y * side + x].iter().for_each(|thing| counts[*thing] += 1);
        }
        counts
    };
    weights.iter().enumerate().map(|(place, weight)| weight * part(counts(place))).sum()
}

fn check(pointing: Pointing) {
    let side = 12;
    // Thing 0 is large, thing 1 has two pixels of a place and three of another, thing 2 one pixel.
    let thing = |i: usize| match (i / side, i % side) {
        (0..5, 0..5) => Some(0),
        (5, 3..5) => Some(1),
        (9..12, 6) => Some(1),
        (8, 9) => Some(2),
        _ => None,
    };
    let shown: Vec<Option<usize>> = (0..side * side).map(thing).collect();
    let weights = [0.3, 0.05, 0.02, 0.1, 0.15, 0.08, 0.06, 0.2, 0.04];
    for of in 0..3 {
        let right = shares(&weights, &shown, side, |counts| {
            let most = counts.iter().max().copied().filter(|most| *most > 0);
            let first = most.and_then(|most| counts.iter().position(|count| *count == most));
            f32::from(first == Some(of))
        });
        expect(pointing(&weights, &shown, side, of), right, 1e-6)
            .of(format!("pointing(weights, shown, {side}, {of})"))
            .check();
    }
}
