//! 15.5: where it points.

use shared::Matrix;
use tests::exercises::{Exercise, wrong};
use tests::expect;

pub type Pointing = fn(&[f32], &[Option<usize>], usize, usize) -> f32;

pub const EXERCISE: Exercise<Pointing> = Exercise {
    check,
    wrong: &[
        wrong(
            "a place belongs to one thing: the one that most of its pixels show",
            |w, shown, n, of| shares(w, shown, n, |counts| f32::from(counts[of] > 0)),
        ),
        wrong("of the pixels that show any thing, even one is enough", |w, shown, n, of| {
            shares(w, shown, n, |counts| f32::from(counts[of] > 8))
        }),
        wrong("a place belongs to a thing as a whole", |w, shown, n, of| {
            shares(w, shown, n, |counts| counts[of] as f32 / 16.0)
        }),
        wrong("of two that show equally many, the smaller number", |w, shown, n, of| {
            shares(w, shown, n, |counts| f32::from(most(counts).last() == Some(of)))
        }),
    ],
};

/// Those of five things of which a place has most pixels.
fn most(counts: [usize; 5]) -> impl Iterator<Item = usize> {
    let most = counts.into_iter().max().unwrap_or(0);
    (0..5).filter(move |thing| most > 0 && counts[*thing] == most)
}

/// The weights, each times what `part` makes of how many pixels of its place show each of five things.
fn shares(
    weights: &[f32],
    shown: &[Option<usize>],
    side: usize,
    part: impl Fn([usize; 5]) -> f32,
) -> f32 {
    let shares = weights.iter().enumerate().map(|(place, weight)| {
        let mut counts = [0; 5];
        let things = (0..16).filter_map(|pixel| {
            let (y, x) = (place / (side / 4) * 4 + pixel / 4, place % (side / 4) * 4 + pixel % 4);
            shown[y * side + x]
        });
        things.for_each(|thing| counts[thing] += 1);
        weight * part(counts)
    });
    shares.sum()
}

fn check(pointing: Pointing) {
    // Thing 0 is large, thing 1 has two pixels of a place and three of another, thing 2 one pixel; 3 and 4 are equal.
    let thing = |y: usize, x: usize| match (y, x) {
        (0..5, 0..5) => Some(0),
        (5, 3..5) => Some(1),
        (9..12, 6) => Some(1),
        (8, 9) => Some(2),
        (0, 8..10) => Some(4),
        (2, 8..10) => Some(3),
        _ => None,
    };
    for side in [12, 16] {
        let shown: Vec<Option<usize>> =
            (0..side * side).map(|i| thing(i / side, i % side)).collect();
        let row = side / 4;
        let weight = |i: usize| (1 + 5 * i % 7) as f32;
        let sum: f32 = (0..row * row).map(weight).sum();
        let weights: Vec<f32> = (0..row * row).map(|i| weight(i) / sum).collect();
        for of in 0..5 {
            let right = shares(&weights, &shown, side, |c| f32::from(most(c).next() == Some(of)));
            expect(pointing(&weights, &shown, side, of), right, 1e-6)
                .of(format!("pointing(weights, shown, {side}, {of})"))
                .given("weights", Matrix::from_row_slice(row, row, &weights))
                .hint("for each place, count its pixels of each thing")
                .check();
        }
    }
}
