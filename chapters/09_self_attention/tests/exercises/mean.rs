//! 9.3: what all tokens share.

use super::support::uneven;
use crate::attempts::Layer;
use scoring_functions::weights;
use shared::{Matrix, product};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type TakeTheMeanAway = fn(usize) -> Layer;

pub fn exercise() -> Exercise<TakeTheMeanAway> {
    Exercise {
        number: 3,
        title: "what all tokens share",
        kind: Kind::Construct,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "queries and keys as they are",
                hint: "every weight is 1/n",
                answer: |d| head(1.0, Matrix::identity(d, d), -1.0),
            },
            Wrong {
                name: "very small queries",
                hint: "nearly 0 is not 0",
                answer: |d| head(1e-6, Matrix::identity(d, d), -1.0),
            },
            Wrong {
                name: "queries of ones",
                hint: "every weight is 1/n",
                answer: |d| Layer {
                    w_q: Matrix::from_element(d, d, 1.0),
                    ..head(0.0, Matrix::identity(d, d), -1.0)
                },
            },
            Wrong {
                name: "the mean added",
                hint: "sign",
                answer: |d| head(0.0, Matrix::identity(d, d), 1.0),
            },
            Wrong {
                name: "two signs",
                hint: "sign",
                answer: |d| head(0.0, -Matrix::identity(d, d), -1.0),
            },
            Wrong {
                name: "nothing taken",
                hint: "x itself",
                answer: |d| head(0.0, Matrix::zeros(d, d), 0.0),
            },
            Wrong {
                name: "divided once more",
                hint: "divides already",
                answer: |d| head(0.0, Matrix::identity(d, d), -1.0 / d as f32),
            },
            Wrong {
                name: "the mean of a token's entries",
                hint: "over tokens",
                answer: |d| head(0.0, Matrix::from_element(d, d, 1.0 / d as f32), -1.0),
            },
        ],
    }
}

/// `W_q = q·I`, `W_k = I`, `W_o = o·I`.
fn head(q: f32, w_v: Matrix, o: f32) -> Layer {
    let one = Matrix::identity(w_v.nrows(), w_v.nrows());
    Layer { w_q: &one * q, w_k: one.clone(), w_v, w_o: one * o }
}

fn check(take_the_mean_away: TakeTheMeanAway) {
    for (d, n) in [(3, 4), (5, 2), (4, 9), (2, 1)] {
        let x = uneven(d, n, 0.7);
        let Layer { w_q, w_k, w_v, w_o } = take_the_mean_away(d);
        for (name, w) in [("w_q", &w_q), ("w_k", &w_k), ("w_v", &w_v), ("w_o", &w_o)] {
            assert!(w.shape() == (d, d), "{name} has the shape {:?}, for d = {d}", w.shape());
        }
        let alpha = weights(&product(&w_q, &x), &product(&w_k, &x));
        assert!(
            alpha.iter().all(|a| (a - 1.0 / n as f32).abs() < 1e-5),
            "the weights of {n} tokens are{alpha}hint: in a mean of all tokens every weight is 1/n: which \
             queries score all keys alike, whatever the keys are?"
        );
        let large = &x * 1e18; // where small scores are small no longer
        let of_large = weights(&product(&w_q, &large), &product(&w_k, &large));
        assert!(
            of_large.iter().all(|a| (a - 1.0 / n as f32).abs() < 1e-5),
            "for tokens 10¹⁸ times as large the weights are{of_large}hint: nearly 0 is not 0: every weight \
             is to be 1/n whatever the tokens are"
        );
        let context = product(&product(&w_v, &x), &alpha);
        let found = &x + product(&w_o, &context);
        let mean = x.column_mean();
        let minus = |share: f32| {
            let mut y = x.clone();
            y.column_iter_mut().for_each(|mut column| column.axpy(-share, &mean, 1.0));
            y
        };
        let mut of_entries = x.clone();
        let all = mean.mean();
        of_entries.add_scalar_mut(-all);
        expect(found, minus(1.0), 1e-5)
            .of(format!("x + W_o·attention(W_q x, W_k x, W_v x) for {n} tokens"))
            .given("x", &x)
            .or_hint(minus(-1.0), "the sign: the mean was added")
            .or_hint(&x, "this is x itself: nothing was taken away")
            .or_hint(minus(1.0 / d as f32), "the softmax divides already, and by n, not by d")
            .or_hint(
                of_entries,
                "the mean is over tokens, for each entry by itself, not over a token's entries",
            )
            .check();
    }
}
