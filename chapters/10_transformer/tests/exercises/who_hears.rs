//! 10.4: who hears of the last word?

use crate::support::{column_by_column, matrix, softmax, standardised};
use shared::Matrix;
use tests::exercises::{Exercise, Kind, Wrong};

type WhoHears = fn() -> [bool; 8];

pub fn exercise() -> Exercise<WhoHears> {
    Exercise {
        number: 4,
        title: "who hears of the last word?",
        kind: Kind::Predict,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "what comes after the softmax hides as well",
                hint: "denominator",
                answer: || [false, true, false, false, false, false, true, true],
            },
            Wrong {
                name: "a normalisation hears nothing",
                hint: "of the mean",
                answer: || [false, true, false, true, false, false, false, false],
            },
            Wrong {
                name: "every attention hears",
                hint: "do not depend on the other queries",
                answer: || [false, true, false, true, true, false, true, true],
            },
            Wrong {
                name: "the mask is never tight",
                hint: "e^−∞ is 0",
                answer: || [false, true, true, true, false, false, true, true],
            },
            Wrong {
                name: "everything mixes tokens",
                hint: "each token by itself",
                answer: || [true, true, false, true, false, true, true, true],
            },
            Wrong {
                name: "batch normalisation goes by token",
                hint: "over the tokens",
                answer: || [false, true, false, true, false, false, true, false],
            },
            Wrong {
                name: "attention alone mixes tokens",
                hint: "of the mean",
                answer: || [false, true, false, true, true, false, false, false],
            },
        ],
    }
}

/// A part's name, what it does, and why it answers so.
type Part = (&'static str, fn(&Matrix) -> Matrix, &'static str);

const PARTS: [Part; 8] = [
    ("the position-wise network", network, "the same map for each token by itself"),
    ("self-attention without a mask", all, "every token sees all"),
    ("self-attention with the causal mask", causal, "e^−∞ is 0, in the sum and in the denominator"),
    (
        "self-attention with weights set to 0 after the softmax",
        too_late,
        "the scores of later tokens are still in the denominator",
    ),
    (
        "cross-attention",
        cross,
        "keys and values come from the source; a query's weights do not depend on the other queries",
    ),
    (
        "layer normalisation",
        by_token,
        "mean and variance are each token's own: each token by itself",
    ),
    (
        "a normalisation over the sentence",
        standardised,
        "every token is a part of the mean and the variance",
    ),
    ("batch normalisation", by_row, "mean and variance of a row go over the tokens"),
];

fn check(who_hears: WhoHears) {
    let x = matrix(4, 5, 0.3);
    let mut other = x.clone();
    other.column_mut(4).copy_from(&(matrix(4, 1, 0.0) * 2.0));
    let wrong: Vec<String> = (who_hears().into_iter().zip(PARTS).enumerate())
        .filter_map(|(i, (hears, (name, part, why)))| {
            let change = (part(&x).column(0) - part(&other).column(0)).amax();
            let told = if hears { "yes" } else { "no" };
            (hears != (change > 1e-6)).then(|| {
                format!(
                    "{i}, {name}: you say {told}; the first token moves by {change:.2}\nhint: {why}"
                )
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn network(x: &Matrix) -> Matrix {
    matrix(4, 6, 0.7) * (matrix(6, 4, 1.1) * x).map(|h| h.max(0.0))
}

fn scores(queries: &Matrix, keys: &Matrix) -> Matrix {
    (matrix(4, 4, 0.2) * keys).tr_mul(&(matrix(4, 4, 1.2) * queries)) * 0.5
}

fn all(x: &Matrix) -> Matrix {
    x * softmax(scores(x, x))
}

/// Entries below the diagonal, those of later tokens, become `value`.
fn later(mut a: Matrix, value: f32) -> Matrix {
    a.fill_lower_triangle(value, 1);
    a
}

fn causal(x: &Matrix) -> Matrix {
    x * softmax(later(scores(x, x), f32::NEG_INFINITY))
}

fn too_late(x: &Matrix) -> Matrix {
    x * later(softmax(scores(x, x)), 0.0)
}

fn cross(x: &Matrix) -> Matrix {
    let source = matrix(4, 3, 1.9);
    &source * softmax(scores(x, &source))
}

fn by_token(x: &Matrix) -> Matrix {
    column_by_column(x, standardised)
}

fn by_row(x: &Matrix) -> Matrix {
    by_token(&x.transpose()).transpose()
}
