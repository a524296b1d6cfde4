//! 10.4: who hears of the last word?

use super::support::{column_by_column, softmax, standardised};
use shared::{Matrix, product};
use tests::exercises::{Exercise, check_answers, unhinted};
use tests::uneven;

type WhoHears = fn() -> [bool; 8];

pub const EXERCISE: Exercise<WhoHears> = Exercise {
    check,
    wrong: &[
        unhinted("what comes after the softmax hides as well", || {
            [false, true, false, false, false, false, true, true]
        }),
        unhinted("a normalisation hears nothing", || {
            [false, true, false, true, false, false, false, false]
        }),
        unhinted("every attention hears", || [false, true, false, true, true, false, true, true]),
        unhinted("the mask is never tight", || [false, true, true, true, false, false, true, true]),
        unhinted("everything mixes tokens", || [true, true, false, true, false, true, true, true]),
        unhinted("batch normalisation goes by token", || {
            [false, true, false, true, false, false, true, false]
        }),
        unhinted("attention alone mixes tokens", || {
            [false, true, false, true, true, false, false, false]
        }),
    ],
};

/// What a part does, and why it answers so.
type Part = (fn(&Matrix) -> Matrix, &'static str);

const PARTS: [Part; 8] = [
    (
        |x| product(&uneven(4, 6, 0.7), &product(&uneven(6, 4, 1.1), x).map(|h| h.max(0.0))),
        "the same map for each token by itself",
    ),
    (|x| x * softmax(scores(x, x)), "every token sees all"),
    (
        |x| x * softmax(later(scores(x, x), f32::NEG_INFINITY)),
        "e^−∞ is 0, in the sum and in the denominator",
    ),
    (
        |x| x * later(softmax(scores(x, x)), 0.0),
        "the scores of later tokens are still in the denominator",
    ),
    (
        |x| product(&uneven(4, 3, 1.9), &softmax(scores(x, &uneven(4, 3, 1.9)))),
        "keys and values come from the source; a query's weights do not depend on the other queries",
    ),
    (
        |x| column_by_column(x, standardised),
        "mean and variance are each token's own: each token by itself",
    ),
    (standardised, "every token is a part of the mean and the variance"),
    (
        |x| column_by_column(&x.transpose(), standardised).transpose(),
        "mean and variance of a row go over the tokens",
    ),
];

fn check(who_hears: WhoHears) {
    let x = uneven(4, 5, 0.3);
    let mut other = x.clone();
    other.set_column(4, &(uneven(4, 1, 0.0).column(0) * 2.0));
    let moves = PARTS.map(|(part, _)| (part(&x).column(0) - part(&other).column(0)).amax() > 1e-6);
    check_answers(who_hears(), moves, PARTS.map(|(_, why)| why));
}

fn scores(queries: &Matrix, keys: &Matrix) -> Matrix {
    product(&uneven(4, 4, 0.2), keys).tr_mul(&product(&uneven(4, 4, 1.2), queries)) * 0.5
}

/// Entries below the diagonal, those of later tokens, become `value`.
fn later(mut a: Matrix, value: f32) -> Matrix {
    a.fill_lower_triangle(value, 1);
    a
}
