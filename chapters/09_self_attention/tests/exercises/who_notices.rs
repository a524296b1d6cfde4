//! 9.14: who notices the order?

use super::support::{scores, softmax};
use shared::{Matrix, product};
use tests::exercises::{Exercise, check_answers, unhinted};
use tests::uneven;

type Order = fn() -> [bool; 8];

pub const EXERCISE: Exercise<Order> = Exercise {
    check,
    wrong: &[
        unhinted("without positions nobody notices", || {
            [false, false, false, false, true, false, false, false]
        }),
        unhinted("every causal mask notices", || {
            [false, true, false, true, true, false, true, false]
        }),
        unhinted("two layers notice", || [false, false, true, true, true, false, true, false]),
        unhinted("any vector added notices", || {
            [false, false, false, true, true, true, true, false]
        }),
        unhinted("heads take turns", || [false, false, false, true, true, false, true, true]),
        unhinted("attention reads from left to right", || [true; 8]),
    ],
};

/// What a system does, and why it answers so.
type System = (fn(&Matrix) -> Matrix, &'static str);

const SYSTEMS: [System; 8] = [
    (|x| layer(x, 0.2, all), "a sum over all words, in any order"),
    (|x| layer(x, 0.2, causal), "the last token sees all words"),
    (|x| layer(&layer(x, 0.2, all), 1.3, all), "the second layer reads the same, permuted"),
    (
        |x| layer(&layer(x, 0.2, causal), 1.3, causal),
        "in the first layer a word reads those before it, so the second reads who came first",
    ),
    (|x| layer(&(x + uneven(4, 5, 0.9)), 0.2, all), "a word elsewhere is another token"),
    (
        |x| layer(&Matrix::from_fn(4, 5, |r, i| x[(r, i)] + 0.3 * r as f32), 0.2, all),
        "one vector added to all distinguishes no positions",
    ),
    (|x| layer(x, 0.2, |j, i| j <= i && i <= j + 2), "other words are in the window"),
    (|x| layer(x, 0.2, all) + layer(x, 2.1, all), "every head is a sum over all words"),
];

fn check(order: Order) {
    let x = uneven(4, 5, 0.4) * 0.5;
    let other = x.select_columns(&[2, 0, 3, 1, 4]); // the last stays
    let notices = SYSTEMS.map(|(system, _)| {
        let change = (system(&x).column(4) - system(&other).column(4)).amax();
        assert!(!(1e-5..1e-3).contains(&change), "{change} decides nothing");
        change > 1e-3
    });
    check_answers(order(), notices, SYSTEMS.map(|(_, why)| why));
}

fn all(_: usize, _: usize) -> bool {
    true
}

fn causal(j: usize, i: usize) -> bool {
    j <= i
}

/// `x + attention(W_q x, W_k x, W_v x)` under a mask, `sees(key, query)`.
fn layer(x: &Matrix, phase: f64, sees: fn(usize, usize) -> bool) -> Matrix {
    let [q, k, v] = [0.0, 1.1, 2.2].map(|more| product(&uneven(4, 4, phase + more), x));
    let s = scores(&q, &k);
    let seen = Matrix::from_fn(5, 5, |j, i| if sees(j, i) { s[(j, i)] } else { f32::NEG_INFINITY });
    x + product(&v, &softmax(seen))
}
