//! 13.1: a hit among equals.

use crate::solutions;
use tests::exercises::{Exercise, Kind, wrong};
use tests::expect;

type Hit = fn(&[f32], usize, usize) -> f32;

const EQUAL: &str =
    "an item of the same score is above the bought one in some orders, and below it in others";

pub const EXERCISE: Exercise<Hit> = Exercise {
    number: 1,
    title: "a hit among equals",
    kind: Kind::Implement,
    difficulty: 1,
    minutes: 15,
    check,
    wrong: &[
        wrong("equals are below", EQUAL, |scores, bought, k| {
            f32::from(u8::from(above(scores, bought) < k))
        }),
        wrong("equals are above", EQUAL, |scores, bought, k| {
            f32::from(u8::from(above(scores, bought) + equal(scores, bought) < k))
        }),
        wrong("half of the equals are above", EQUAL, |scores, bought, k| {
            let place = above(scores, bought) as f32 + equal(scores, bought) as f32 / 2.0;
            f32::from(u8::from(place < k as f32))
        }),
        wrong("the order of the list", EQUAL, |scores, bought, k| {
            let before = scores[..bought].iter().filter(|score| **score == scores[bought]);
            f32::from(u8::from(above(scores, bought) + before.count() < k))
        }),
        wrong("one place too far", "the first k places are 1 … k", |scores, bought, k| {
            solutions::hit(scores, bought, k + 1)
        }),
        wrong(
            "itself is not one of the equals",
            "the bought item takes one of the places",
            |scores, bought, k| {
                let (above, equal) = (above(scores, bought), equal(scores, bought).max(1));
                k.saturating_sub(above).min(equal) as f32 / equal as f32
            },
        ),
    ],
};

fn check(hit: Hit) {
    let scores: &[f32] = &[0.5, 2.0, 0.5, 3.0, 0.5, -1.0];
    for (bought, k) in
        [(3, 1), (1, 1), (1, 2), (0, 2), (0, 3), (2, 4), (4, 5), (4, 3), (5, 5), (5, 6), (5, 9)]
    {
        expect(hit(scores, bought, k), solutions::hit(scores, bought, k), 1e-6)
            .of(format!("hit({scores:?}, {bought}, {k})"))
            .check();
    }
    expect(hit(&[7.0; 4], 3, 2), 0.5, 1e-6).of("hit([7.0; 4], 3, 2)".to_owned()).check();
}

fn above(scores: &[f32], bought: usize) -> usize {
    scores.iter().filter(|score| **score > scores[bought]).count()
}

fn equal(scores: &[f32], bought: usize) -> usize {
    scores.iter().filter(|score| **score == scores[bought]).count() - 1
}
