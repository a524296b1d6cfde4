//! 7.6: location in a short sentence.

use shared::{Float, Matrix};
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

type Location = fn(&Matrix, &Matrix, usize) -> Vec<Float>;

pub fn exercise() -> Exercise<Location> {
    Exercise {
        number: 6,
        title: "spot the bug: location in a short sentence",
        kind: Kind::SpotTheBug,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: ORIGINAL_BUG,
                hint: "positions the sentence does not have",
                answer: all_positions,
            },
            Wrong {
                name: "no score subtracted",
                hint: "subtract the largest",
                answer: |w, query, words| {
                    let known = words.min(w.nrows());
                    let exponentials = (w.rows(0, known) * query).map(Float::exp);
                    let sum = exponentials.sum();
                    padded(exponentials.iter().map(|e| e / sum), words)
                },
            },
            Wrong {
                name: "the largest score of all positions subtracted",
                hint: "of the positions that the sentence has",
                answer: |w, query, words| shifted(w, query, words, (w * query).max()),
            },
            Wrong {
                name: "the largest score counted from 0",
                hint: "of the positions that the sentence has",
                answer: |w, query, words| {
                    let known = w.rows(0, words.min(w.nrows())) * query;
                    shifted(w, query, words, known.max().max(0.0))
                },
            },
            Wrong {
                name: "words behind the last position score 0",
                hint: "get no weight",
                answer: zero_scores,
            },
            Wrong {
                name: "too few weights",
                hint: "5 words",
                answer: |w, query, words| {
                    softmax((w.rows(0, words.min(w.nrows())) * query).as_slice())
                },
            },
        ],
    }
}

fn check(location: Location) {
    let w = Matrix::from_row_slice(4, 2, &[1.0, 0.0, 0.0, 2.0, -1.0, 1.0, 3.0, 3.0]);
    let query = Matrix::from_row_slice(2, 1, &[0.5, 0.25]); // scores 0.5, 0.5, −0.25, 2.25
    let (e, f) = ((-0.75_f64).exp(), 1.75_f64.exp());
    let all = 2.0 + e + f;
    let cases = [
        (1, vec![1.0]),
        (2, vec![0.5, 0.5]),
        (3, vec![1.0 / (2.0 + e), 1.0 / (2.0 + e), e / (2.0 + e)]),
        (4, vec![1.0 / all, 1.0 / all, e / all, f / all]),
        (5, vec![1.0 / all, 1.0 / all, e / all, f / all, 0.0]),
        (7, vec![1.0 / all, 1.0 / all, e / all, f / all, 0.0, 0.0, 0.0]),
    ];
    // All scores larger by 100: the same weights.
    let large = Matrix::from_fn(4, 2, |s, a| w[(s, a)] + if a == 0 { 200.0 } else { 0.0 });
    for (words, expected) in cases {
        let found = location(&w, &query, words);
        assert!(found.len() == words, "{} weights for {words} words", found.len());
        let expectation = expect(found, expected.clone(), 1e-5)
            .of(format!("location(w, query, {words})"))
            .given("w", &w)
            .given("query", &query);
        if words < 4 {
            let hint = "positions the sentence does not have take part in the softmax";
            expectation.or_hint(all_positions(&w, &query, words), hint).check();
        } else if words > 4 {
            let hint = "words behind the last known position get no weight";
            expectation.or_hint(zero_scores(&w, &query, words), hint).check();
        } else {
            expectation.check();
        }
        let found = location(&large, &query, words);
        assert!(
            found.iter().all(|weight| weight.is_finite()),
            "with scores from 99 to 102 the weights are {found:?}: subtract the largest score before you exponentiate"
        );
        expect(found, expected, 1e-5).of("location with large scores").check();
    }
    // Two words; position 2, which the sentence does not have, scores far more. Then all far below 0, and two
    // that lie far apart.
    let one = Matrix::from_element(1, 1, 1.0);
    let second = 1.0 / (1.0 + (-1.0_f64).exp());
    for (scores, second) in [
        ([1.0, 2.0, 300.0], second),
        ([-200.0, -199.0, -198.0], second),
        ([200.0, 0.0, 0.0], 0.0),
        ([0.0, 200.0, 0.0], 1.0),
    ] {
        let found = location(&Matrix::from_column_slice(3, 1, &scores), &one, 2);
        assert!(
            found.iter().all(|weight| weight.is_finite()),
            "with the scores {scores:?} the weights of two words are {found:?}: subtract the largest score \
             of the positions that the sentence has, which may be below 0"
        );
        expect(found, [1.0 - second, second], 1e-5)
            .of(format!("the weights of two words, with the scores {scores:?}"))
            .check();
    }
}

/// Right, but for what is subtracted from the scores.
fn shifted(w: &Matrix, query: &Matrix, words: usize, shift: Float) -> Vec<Float> {
    let known = words.min(w.nrows());
    let exponentials = (w.rows(0, known) * query).map(|score| (score - shift).exp());
    let sum = exponentials.sum();
    padded(exponentials.iter().map(|e| e / sum), words)
}

/// The function as the exercise gives it.
fn all_positions(w: &Matrix, query: &Matrix, words: usize) -> Vec<Float> {
    padded(softmax((w * query).as_slice()).into_iter(), words)
}

fn zero_scores(w: &Matrix, query: &Matrix, words: usize) -> Vec<Float> {
    softmax(&padded((w * query).iter().copied(), words))
}

/// One number for each word, 0 where there is none.
fn padded(numbers: impl Iterator<Item = Float>, words: usize) -> Vec<Float> {
    numbers.chain(std::iter::repeat(0.0)).take(words).collect()
}

fn softmax(scores: &[Float]) -> Vec<Float> {
    let largest = scores.iter().copied().fold(Float::MIN, Float::max);
    let sum: Float = scores.iter().map(|score| (score - largest).exp()).sum();
    scores.iter().map(|score| (score - largest).exp() / sum).collect()
}
