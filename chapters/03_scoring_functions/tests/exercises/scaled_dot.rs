//! 3.1 scaled dot-product scores, for two lengths of a key

use super::solutions;
use shared::{Matrix, Operand, product};
use tests::exercises::{Exercise, wrong};
use tests::{expect, uneven};

pub type ScaledDot = fn(&Matrix, &Matrix) -> Matrix;

pub const EXERCISE: Exercise<ScaledDot> = Exercise {
    check,
    wrong: &[
        wrong("these are plain dot products: divide by √d", |q, k| product(&k.t(), q)),
        wrong("these were divided by d, not by √d", |q, k| product(&k.t(), q) / q.nrows() as f32),
        wrong("divide by √d, do not multiply", |q, k| {
            product(&k.t(), q) * (q.nrows() as f32).sqrt()
        }),
        wrong("divided by 2, but here d is 3 and √3 is 1.73", |q, k| product(&k.t(), q) / 2.0),
        wrong("d is the length of a key", |q, k| product(&k.t(), q) / (k.ncols() as f32).sqrt()),
        wrong("a row for each key, a column for each query", |q, k| solutions::scaled_dot(k, q)),
        wrong("a score can be negative: keep the sign", |q, k| solutions::scaled_dot(q, k).abs()),
    ],
};

fn check(scaled_dot: ScaledDot) {
    for d in [4, 3] {
        let (queries, keys) = (uneven(d, 3, 0.0), uneven(d, 2, 1.0));
        expect(scaled_dot(&queries, &keys), solutions::scaled_dot(&queries, &keys), 1e-6)
            .of("scaled_dot(queries, keys)")
            .given("queries", &queries)
            .given("keys", &keys)
            .check();
    }
}
