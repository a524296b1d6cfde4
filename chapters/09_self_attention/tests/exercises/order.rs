//! 9.14: who notices the order?

use super::support::{scores, softmax, uneven};
use shared::{Matrix, product};
use tests::exercises::{Exercise, Kind, Wrong};

type Order = fn() -> [bool; 8];

pub fn exercise() -> Exercise<Order> {
    Exercise {
        number: 14,
        title: "who notices the order?",
        kind: Kind::Predict,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "without positions nobody notices",
                hint: "2 has read",
                answer: || [false, false, false, false, true, false, false, false],
            },
            Wrong {
                name: "every causal mask notices",
                hint: "the last token sees all",
                answer: || [false, true, false, true, true, false, true, false],
            },
            Wrong {
                name: "two layers notice",
                hint: "permuted",
                answer: || [false, false, true, true, true, false, true, false],
            },
            Wrong {
                name: "any vector added notices",
                hint: "the same vector",
                answer: || [false, false, false, true, true, true, true, false],
            },
            Wrong {
                name: "heads take turns",
                hint: "every head",
                answer: || [false, false, false, true, true, false, true, true],
            },
            Wrong {
                name: "attention reads from left to right",
                hint: "a sum",
                answer: || [true; 8],
            },
        ],
    }
}

/// Which keys a query sees: `sees(key, query)`.
type Sees = fn(usize, usize) -> bool;

/// A system's name, what it does, and why it answers so.
type System = (&'static str, fn(&Matrix) -> Matrix, &'static str);

const SYSTEMS: [System; 8] = [
    ("one layer", |x| layer(x, 0.2, |_, _| true), "a sum over all words, in any order"),
    (
        "one causal layer",
        |x| layer(x, 0.2, |j, i| j <= i),
        "the last token sees all words, and sums over them",
    ),
    (
        "two layers",
        |x| layer(&layer(x, 0.2, |_, _| true), 1.3, |_, _| true),
        "what the second layer reads is the same, permuted",
    ),
    (
        "two causal layers",
        |x| layer(&layer(x, 0.2, |j, i| j <= i), 1.3, |j, i| j <= i),
        "in the first layer the word at place 2 has read those before it and no others, so what the second \
         layer reads depends on who came before whom",
    ),
    (
        "positions added",
        |x| layer(&(x + uneven(4, 5, 0.9)), 0.2, |_, _| true),
        "a word at another place is another token",
    ),
    (
        "one vector added to all",
        |x| layer(&Matrix::from_fn(4, 5, |r, i| x[(r, i)] + 0.3 * r as f32), 0.2, |_, _| true),
        "the same vector for every place tells no places apart",
    ),
    (
        "a window",
        |x| layer(x, 0.2, |j, i| j <= i && i <= j + 2),
        "another order brings other words into the window",
    ),
    (
        "two heads",
        |x| layer(x, 0.2, |_, _| true) + layer(x, 2.1, |_, _| true),
        "every head is a sum over all words",
    ),
];

fn check(order: Order) {
    let x = uneven(4, 5, 0.4) * 0.5;
    let other = x.select_columns(&[2, 0, 3, 1, 4]); // the last stays
    let wrong: Vec<String> = (order().into_iter().zip(SYSTEMS).enumerate())
        .filter_map(|(number, (notices, (name, system, why)))| {
            let change = (system(&x).column(4) - system(&other).column(4)).amax();
            assert!(!(1e-5..1e-3).contains(&change), "{name}: {change} decides nothing");
            let told = if notices { "yes" } else { "no" };
            (notices != (change > 1e-3)).then(|| {
                format!(
                    "{number}, {name}: you say {told}; the result moves by {change:.3}\nhint: {why}"
                )
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `x + attention(W_q x, W_k x, W_v x)` under a mask.
fn layer(x: &Matrix, phase: f32, sees: Sees) -> Matrix {
    let [q, k, v] = [0.0, 1.1, 2.2].map(|more| product(&uneven(4, 4, phase + more), x));
    let s = scores(&q, &k);
    let hidden = |j, i| if sees(j, i) { s[(j, i)] } else { f32::NEG_INFINITY };
    x + product(&v, &softmax(Matrix::from_fn(5, 5, hidden)))
}
