//! 3.8 spot the bug: an attention that sums to one

use shared::{Matrix, Operand, product};
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

use super::support::{softmax, uneven, unstable_weights, weights};

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
            .of(format!("attention of {n} queries over {m} keys"))
            .or_hint(
                over_queries(&q, &k, &v),
                "each key shares out a weight of 1 among the queries; each query should among the keys",
            )
            .check();
    }

    let (q, k, v) = (uneven(4, 2, 0.0) * 100.0, uneven(4, 3, 1.0), uneven(2, 3, 2.0));
    let found = attention(&q, &k, &v);
    assert!(
        found.iter().all(|x| x.is_finite()),
        "attention(100·q, k, v) is {found}subtract the largest score of a column before you exponentiate"
    );
    expect(found, product(&v, &weights(&q, &k)), 1e-4).of("attention(100·q, k, v)").check();
}

fn over_queries(q: &Matrix, k: &Matrix, v: &Matrix) -> Matrix {
    product(v, &softmax(&(product(&q.t(), k) / (q.nrows() as f32).sqrt())).t())
}
