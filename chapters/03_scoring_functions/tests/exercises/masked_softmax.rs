//! 3.2 masked softmax: large scores, empty columns, and NaN behind the mask

use shared::Matrix;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{assert_close, expect};

use super::support::{finite, softmax};
use crate::solutions;

type MaskedSoftmax = fn(&Matrix, &[usize]) -> Matrix;

pub fn exercise() -> Exercise<MaskedSoftmax> {
    Exercise {
        number: 2,
        title: "masked softmax",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "over rows",
                hint: "a column belongs to a query",
                answer: masked_over_rows,
            },
            Wrong {
                name: "mask after the softmax",
                hint: "no longer sum to 1",
                answer: mask_after_softmax,
            },
            Wrong {
                name: "hidden scores set to zero",
                hint: "e⁰ is 1",
                answer: hidden_scores_zero,
            },
            Wrong { name: "one entry too many", hint: "0..length", answer: one_too_many },
            Wrong { name: "no mask", hint: "hidden entries", answer: |s, _| softmax(s) },
            Wrong { name: "unstable exponent", hint: "largest visible score", answer: unstable },
            Wrong {
                name: "the first score for the largest",
                hint: "largest visible score",
                answer: |s, lengths| with_maximum(s, lengths, |s, j| s[(0, j)]),
            },
            Wrong { name: "exponents clamped", hint: "clamped", answer: clamped },
            Wrong {
                name: "largest score behind the mask",
                hint: "largest visible score",
                answer: maximum_of_all,
            },
            Wrong { name: "minus infinity without a thought", hint: "0/0", answer: minus_infinity },
            Wrong {
                name: "a million for nothing",
                hint: "a query that may see nothing",
                answer: minus_a_million,
            },
            Wrong {
                name: "reads behind the mask",
                hint: "behind the mask",
                answer: multiplied_mask,
            },
        ],
    }
}

fn check(masked_softmax: MaskedSoftmax) {
    // Weights 1 : 3, 1 : 1 : 2, and a single key.
    let (ln2, ln3) = (2.0_f32.ln(), 3.0_f32.ln());
    let scores =
        Matrix::from_row_slice(3, 3, &[0.0, 1.0, -2.0, ln3, 1.0, 1.0, 1.0, 1.0 + ln2, 5.0]);
    let lengths = [2, 3, 1];
    let weights = [[0.25, 0.25, 1.0], [0.75, 0.25, 0.0], [0.0, 0.5, 0.0]];
    expect(masked_softmax(&scores, &lengths), weights, 1e-6)
        .of("masked_softmax(scores, [2, 3, 1])")
        .given("scores", &scores)
        .or_hint(
            masked_over_rows(&scores, &lengths),
            "each row sums to 1, but a column belongs to a query: columns must",
        )
        .or_hint(
            mask_after_softmax(&scores, &lengths),
            "masked after the softmax: the visible weights no longer sum to 1",
        )
        .or_hint(
            hidden_scores_zero(&scores, &lengths),
            "a score of 0 hides nothing: e⁰ is 1, so hidden entries get a weight",
        )
        .or_hint(
            one_too_many(&scores, &lengths),
            "one entry too many is visible: the first `length` entries are 0..length, not 0..=length",
        )
        .or_hint(softmax(&scores), "the hidden entries have weights: is there a mask?")
        .check();

    let large = Matrix::from_row_slice(
        3,
        4,
        &[
            -1000.0, 1000.0, -1000.0, 1000.0, //
            -1000.0, 1000.0, 1000.0, 999.0, //
            1000.0, -1000.0, 0.0, 0.0,
        ],
    );
    let lengths = [2; 4];
    let found = masked_softmax(&large, &lengths);
    finite(
        &found,
        "masked_softmax(scores, [2, 2, 2, 2])",
        &[("scores", &large)],
        "e¹⁰⁰⁰ is infinite and e⁻¹⁰⁰⁰ is 0: subtract the largest visible score of the column first",
    );
    // A score that is larger by 1 has e times the weight.
    let first = 1.0_f32.exp() / (1.0 + 1.0_f32.exp());
    let weights = [[0.5, 0.5, 0.0, first], [0.5, 0.5, 1.0, 1.0 - first], [0.0; 4]];
    expect(found, weights, 1e-6)
        .of("masked_softmax of scores up to ±1000, lengths [2, 2, 2, 2]")
        .given("scores", &large)
        .or_hint(
            clamped(&large, &lengths),
            "clamped scores are other scores: 1000 has e times the weight of 999. Subtract the largest \
             visible score instead",
        )
        .check();

    let nothing = Matrix::from_column_slice(2, 2, &[1.0, 2.0, 0.0, 0.0]);
    let found = masked_softmax(&nothing, &[0, 2]);
    finite(
        &found,
        "masked_softmax(scores, [0, 2])",
        &[("scores", &nothing)],
        "the first query sees nothing: its sum of exponentials is 0, and 0/0 is NaN. Its weights \
         should be zeros",
    );
    expect(found, [[0.0, 0.5], [0.0, 0.5]], 1e-6)
        .of("masked_softmax(scores, [0, 2])")
        .given("scores", &nothing)
        .or_hint(
            [[0.5, 0.5], [0.5, 0.5]],
            "a query that may see nothing looks at everything: equal hidden scores share the weight",
        )
        .check();

    let garbage = Matrix::from_column_slice(3, 1, &[0.0, 0.0, f32::NAN]);
    let weights = masked_softmax(&garbage, &[2]);
    finite(
        &weights,
        "masked_softmax(scores, [2])",
        &[("scores", &garbage)],
        "what stands behind the mask must not be read",
    );
    assert_close!(weights, [0.5, 0.5, 0.0], 1e-6);
}

fn masked_over_rows(scores: &Matrix, lengths: &[usize]) -> Matrix {
    let visible = |i: usize, j: usize| if i < lengths[j] { scores[(i, j)].exp() } else { 0.0 };
    let exponentials = Matrix::from_fn(scores.nrows(), scores.ncols(), visible);
    Matrix::from_fn(scores.nrows(), scores.ncols(), |i, j| {
        let sum = exponentials.row(i).sum();
        if sum > 0.0 { exponentials[(i, j)] / sum } else { 0.0 }
    })
}

fn hidden<'a>(lengths: &'a [usize], rows: usize) -> impl Iterator<Item = (usize, usize)> + 'a {
    lengths.iter().enumerate().flat_map(move |(j, length)| (*length..rows).map(move |i| (i, j)))
}

fn mask_after_softmax(scores: &Matrix, lengths: &[usize]) -> Matrix {
    let mut weights = softmax(scores);
    hidden(lengths, scores.nrows()).for_each(|place| weights[place] = 0.0);
    weights
}

fn with_hidden(scores: &Matrix, lengths: &[usize], score: f32) -> Matrix {
    let mut scores = scores.clone();
    hidden(lengths, scores.nrows()).for_each(|place| scores[place] = score);
    scores
}

fn one_too_many(scores: &Matrix, lengths: &[usize]) -> Matrix {
    let one_more = |length: &usize| (length + 1).min(scores.nrows());
    solutions::masked_softmax(scores, &lengths.iter().map(one_more).collect::<Vec<_>>())
}

fn hidden_scores_zero(scores: &Matrix, lengths: &[usize]) -> Matrix {
    softmax(&with_hidden(scores, lengths, 0.0))
}

fn minus_infinity(scores: &Matrix, lengths: &[usize]) -> Matrix {
    softmax(&with_hidden(scores, lengths, f32::NEG_INFINITY))
}

fn minus_a_million(scores: &Matrix, lengths: &[usize]) -> Matrix {
    softmax(&with_hidden(scores, lengths, -1e6))
}

/// Zeroed exponentials, the maximum subtracted by `largest`.
fn with_maximum(scores: &Matrix, lengths: &[usize], largest: fn(&Matrix, usize) -> f32) -> Matrix {
    let mut weights = scores.clone();
    for j in 0..scores.ncols() {
        let max = largest(scores, j);
        weights.column_mut(j).apply(|s| *s = (*s - max).exp());
    }
    hidden(lengths, scores.nrows()).for_each(|place| weights[place] = 0.0);
    for (mut column, length) in weights.column_iter_mut().zip(lengths) {
        let sum = column.sum();
        column.rows_range_mut(..*length).apply(|weight| *weight /= sum);
    }
    weights
}

fn unstable(scores: &Matrix, lengths: &[usize]) -> Matrix {
    with_maximum(scores, lengths, |_, _| 0.0)
}

fn clamped(scores: &Matrix, lengths: &[usize]) -> Matrix {
    unstable(&scores.map(|s| s.clamp(-80.0, 80.0)), lengths)
}

fn maximum_of_all(scores: &Matrix, lengths: &[usize]) -> Matrix {
    with_maximum(scores, lengths, |scores, j| scores.column(j).max())
}

/// Right as long as hidden scores are finite: 0·NaN is NaN.
fn multiplied_mask(scores: &Matrix, lengths: &[usize]) -> Matrix {
    let right = solutions::masked_softmax(scores, lengths);
    Matrix::from_fn(scores.nrows(), scores.ncols(), |i, j| right[(i, j)] + 0.0 * scores[(i, j)])
}
