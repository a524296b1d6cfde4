//! 13.1: a hit among equals.

use super::solutions;
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard};

pub type Hit = fn(&[f32], usize, usize) -> f32;

const EQUAL: &str =
    "an item of the same score is above the bought one in some orders, and below it in others";

pub const EXERCISE: Exercise<Hit> = Exercise {
    check,
    wrong: &[
        wrong(EQUAL, |scores, bought, k| f32::from(u8::from(places(scores, bought).start < k))),
        wrong(EQUAL, |scores, bought, k| f32::from(u8::from(places(scores, bought).end <= k))),
        wrong(EQUAL, |scores, bought, k| {
            let before = scores[..bought].iter().filter(|score| **score == scores[bought]);
            f32::from(u8::from(places(scores, bought).start + before.count() < k))
        }),
        wrong("the first k places are 1 … k", |scores, bought, k| {
            solutions::hit(scores, bought, k + 1)
        }),
        wrong("the bought item takes one of the places", |scores, bought, k| {
            let equal = places(scores, bought).len().max(2) - 1;
            k.saturating_sub(places(scores, bought).start).min(equal) as f32 / equal as f32
        }),
        wrong("the highest score is in the first place", |scores, bought, k| {
            let scores: Vec<f32> = scores.iter().map(|score| -score).collect();
            solutions::hit(&scores, bought, k)
        }),
        wrong("a share is 1 at most", |scores, bought, k| {
            let places = places(scores, bought);
            k.saturating_sub(places.start) as f32 / places.len() as f32
        }),
    ],
};

fn check(hit: Hit) {
    for (hint, scores) in hard::RANKINGS {
        let all = (0..=scores.len() + 2).flat_map(|k| (0..scores.len()).rev().map(move |i| (i, k)));
        for (bought, k) in all {
            let places = places(scores, bought);
            let among = places.clone().filter(|place| *place < k).count();
            expect(hit(scores, bought, k), among as f32 / places.len() as f32, 1e-6)
                .of(format!("hit({scores:?}, {bought}, {k})"))
                .hint(hint)
                .check();
        }
    }
}

/// The places, from 0, at which the bought item could stand.
fn places(scores: &[f32], bought: usize) -> std::ops::Range<usize> {
    let above = scores.iter().filter(|score| **score > scores[bought]).count();
    above..scores.iter().filter(|score| **score >= scores[bought]).count()
}
