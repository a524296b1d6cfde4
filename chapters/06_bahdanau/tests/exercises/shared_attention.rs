//! 6.7: a batch that shares its attention.

use crate::support::shifted;
use shared::Vector;
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

type Segments = fn(&[f32], &[usize]) -> Vec<f32>;

pub fn exercise() -> Exercise<Segments> {
    Exercise {
        number: 7,
        title: "spot the bug: a batch that shares its attention",
        kind: Kind::SpotTheBug,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: ORIGINAL_BUG,
                hint: "the weights of sentence 0 sum to",
                answer: |scores, offsets| {
                    let all = segments(scores, offsets, |e| e);
                    let sum: f32 = all.iter().sum();
                    all.iter().map(|weight| weight / sum).collect()
                },
            },
            Wrong {
                name: "divided by the number of words",
                hint: "the weights of sentence 0 sum to",
                answer: |scores, offsets| {
                    segments(scores, offsets, |e| {
                        let n = e.len() as f32;
                        e.iter().map(|e| e / n).collect()
                    })
                },
            },
            Wrong {
                name: "the largest score counted from 0",
                hint: "the weights of sentence 3 sum to",
                answer: |scores, offsets| {
                    let of = |w: &[usize]| {
                        let e = Vector::from_column_slice(&scores[w[0]..w[1]]);
                        shifted(e, |e| e.max().max(0.0)).as_slice().to_vec()
                    };
                    offsets.windows(2).flat_map(of).collect()
                },
            },
            Wrong {
                name: "the first score subtracted",
                hint: "before you exponentiate",
                answer: |scores, offsets| {
                    let of = |w: &[usize]| {
                        let e = Vector::from_column_slice(&scores[w[0]..w[1]]);
                        shifted(e, |e| e[0]).as_slice().to_vec()
                    };
                    offsets.windows(2).flat_map(of).collect()
                },
            },
            Wrong {
                name: "no exponential",
                hint: "an exponential makes",
                answer: without_exponential,
            },
        ],
    }
}

fn check(softmax_in_segments: Segments) {
    let scores = [1.0, 3.0, -2.0, 500.0, 0.5, 0.25, -300.0, -301.0, -95.0, 90.0];
    let offsets = [0, 3, 4, 6, 8, 10];
    let found = softmax_in_segments(&scores, &offsets);
    assert!(found.len() == scores.len(), "{} weights of {} scores", found.len(), scores.len());
    for (j, words) in offsets.windows(2).enumerate() {
        let (own, words) = (&found[words[0]..words[1]], &scores[words[0]..words[1]]);
        let sum: f32 = own.iter().sum();
        let hint = match sum.is_finite() {
            true => "",
            false => "\nhint: subtract the sentence's largest score before you exponentiate",
        };
        assert!(
            (sum - 1.0).abs() < 1e-5,
            "the weights of sentence {j} sum to {sum}, not to 1; its scores are {words:?}{hint}"
        );
    }
    let own = segments(&scores, &offsets, |e| {
        let sum: f32 = e.iter().sum();
        e.iter().map(|e| e / sum).collect()
    });
    expect(found, own, 1e-5)
        .of("softmax_in_segments(scores, [0, 3, 4, 6, 8, 10])")
        .given("scores", scores)
        .or_hint(
            without_exponential(&scores, &offsets),
            "the scores themselves were divided by their sum: an exponential makes them positive first",
        )
        .check();
}

fn without_exponential(scores: &[f32], offsets: &[usize]) -> Vec<f32> {
    let of = |words: &[usize]| {
        let scores = &scores[words[0]..words[1]];
        let sum: f32 = scores.iter().sum();
        scores.iter().map(|e| e / sum).collect::<Vec<_>>()
    };
    offsets.windows(2).flat_map(of).collect()
}

/// What `finish` makes of each sentence's exponentials, the largest of which is 1.
fn segments(scores: &[f32], offsets: &[usize], finish: fn(Vec<f32>) -> Vec<f32>) -> Vec<f32> {
    let of = |words: &[usize]| {
        let scores = &scores[words[0]..words[1]];
        let largest = scores.iter().copied().fold(f32::MIN, f32::max);
        finish(scores.iter().map(|e| (e - largest).exp()).collect())
    };
    offsets.windows(2).flat_map(of).collect()
}
