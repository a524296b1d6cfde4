//! 3.8 spot the bug: an attention that sums to one

use shared::{Matrix, Operand, product};
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

use super::support::{finite, softmax, uneven, unstable_weights, weights};

type Attention = fn(&Matrix, &Matrix, &Matrix) -> Matrix;

pub fn exercise() -> Exercise<Attention> {
    Exercise {
        number: 8,
        title: "spot the bug: an attention that sums to one",
        kind: Kind::SpotTheBug,
        difficulty: 2,
        minutes: 10,
        check,
        wrong: &[
            Wrong { name: ORIGINAL_BUG, hint: "each key", answer: over_queries },
            Wrong {
                name: "√m for √d",
                hint: "d is the length of a key",
                answer: |q, k, v| scaled_by((k.ncols() as f32).sqrt(), q, k, v),
            },
            Wrong {
                name: "not scaled",
                hint: "divide the scores by √d",
                answer: |q, k, v| scaled_by(1.0, q, k, v),
            },
            Wrong {
                name: "one softmax for all",
                hint: "weights of its own",
                answer: over_everything,
            },
            Wrong {
                name: "unstable exponent",
                hint: "subtract the largest",
                answer: |q, k, v| product(v, &unstable_weights(q, k)),
            },
        ],
    }
}

fn check(attention: Attention) {
    for (n, m) in [(2, 3), (3, 3)] {
        let (q, k, v) = (uneven(4, n, 0.0), uneven(4, m, 1.0), uneven(2, m, 2.0));
        expect(attention(&q, &k, &v), product(&v, &weights(&q, &k)), 1e-5)
            .of("attention(q, k, v)")
            .given("q", &q)
            .given("k", &k)
            .given("v", &v)
            .or_hint(
                over_queries(&q, &k, &v),
                "each key shares out a weight of 1 among the queries; each query should among the keys",
            )
            .or_hint(
                scaled_by((m as f32).sqrt(), &q, &k, &v),
                "d is the length of a key, not the number of keys",
            )
            .or_hint(scaled_by(1.0, &q, &k, &v), "divide the scores by √d")
            .or_hint(
                over_everything(&q, &k, &v),
                "one softmax over the whole matrix: every query has weights of its own",
            )
            .check();
    }

    let (q, k, v) = (uneven(4, 2, 0.0) * 100.0, uneven(4, 3, 1.0), uneven(2, 3, 2.0));
    let found = attention(&q, &k, &v);
    finite(
        &found,
        "attention(q, k, v)",
        &[("q", &q), ("k", &k), ("v", &v)],
        "subtract the largest score of a column before you exponentiate",
    );
    expect(found, product(&v, &weights(&q, &k)), 1e-4)
        .of("attention(q, k, v) with scores of hundreds")
        .check();
}

fn scaled_by(root: f32, q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    product(v, &softmax(&(product(&k.t(), q) / root)))
}

fn over_everything(q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    let exponentials = (product(&k.t(), q) / (q.nrows() as f32).sqrt()).map(f32::exp);
    let sum = exponentials.sum();
    product(v, &(exponentials / sum))
}

fn over_queries(q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    product(v, &softmax(&(product(&q.t(), k) / (q.nrows() as f32).sqrt())).t())
}
