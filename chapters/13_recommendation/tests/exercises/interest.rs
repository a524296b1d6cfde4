//! 13.2: what a candidate makes of a history.

use crate::solutions;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, wrong};
use tests::{expect, uneven, uneven_vector};

type Interest = fn(&Vector, &Matrix, bool) -> Vector;

pub const EXERCISE: Exercise<Interest> = Exercise {
    number: 2,
    title: "what a candidate makes of a history",
    kind: Kind::Implement,
    difficulty: 1,
    minutes: 10,
    check,
    wrong: &[
        wrong("always a softmax", "DIN has none", |q, keys, _| solutions::interest(q, keys, true)),
        wrong("never a softmax", "it is asked for", |q, keys, _| {
            solutions::interest(q, keys, false)
        }),
        wrong(
            "a mean",
            "weights that are not a softmax need not be divided",
            |q, keys, softmax| {
                let m = if softmax { 1.0 } else { keys.ncols() as f32 };
                solutions::interest(q, keys, softmax) / m
            },
        ),
        wrong("divided by their sum", "a softmax takes exponentials", |q, keys, softmax| {
            let scores = keys.tr_mul(q);
            let sum = if softmax { scores.sum() } else { 1.0 };
            keys * scores / sum
        }),
        wrong("scaled by √d", "the scores are plain dot products", |q, keys, softmax| {
            let scaled = q / (q.len() as f32).sqrt();
            solutions::interest(&scaled, keys, softmax)
        }),
        wrong(
            "exponentials of large scores",
            "subtract the largest score first",
            |q, keys, softmax| {
                if !softmax {
                    return solutions::interest(q, keys, false);
                }
                let e = keys.tr_mul(q).map(f32::exp);
                keys * &e / e.sum()
            },
        ),
    ],
};

fn check(interest: Interest) {
    let history = Matrix::from_column_slice(2, 3, &[0.0, 1.0, 2.0, 0.0, 1.0, 1.0]); // the page's
    let candidates = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|q| Vector::from_column_slice(&q));
    let wide = (uneven_vector(4, 0.3), uneven(4, 6, 1.1));
    let large = (uneven_vector::<f32>(4, 0.3) * 800.0, uneven(4, 6, 1.1));
    let of_page = candidates.into_iter().map(|q| (q, history.clone()));
    for (q, keys) in of_page.chain([wide, large]) {
        for softmax in [false, true] {
            let right = solutions::interest(&q, &keys, softmax);
            let within = 1e-5 * right.amax().max(1.0);
            expect(interest(&q, &keys, softmax), right, within)
                .of(format!("interest({:?}, keys, softmax: {softmax})", q.as_slice()))
                .given("keys", &keys)
                .check();
        }
    }
}
