//! 3.1 scaled dot-product scores, for two lengths of a key

use shared::{Matrix, Operand, product};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

pub fn exercise() -> Exercise<fn(&Matrix, &Matrix) -> Matrix> {
    Exercise {
        number: 1,
        title: "scaled dot-product scores",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong { name: "no scaling", hint: "divide by √d", answer: |q, k| product(&k.t(), q) },
            Wrong {
                name: "divided by d",
                hint: "divided by d",
                answer: |q, k| product(&k.t(), q) / q.nrows() as f32,
            },
            Wrong {
                name: "multiplied by √d",
                hint: "divide by √d, do not multiply",
                answer: |q, k| product(&k.t(), q) * (q.nrows() as f32).sqrt(),
            },
            Wrong {
                name: "always divided by 2",
                hint: "d is 3",
                answer: |q, k| product(&k.t(), q) / 2.0,
            },
            Wrong {
                name: "a rounded root",
                hint: "d is 3",
                answer: |q, k| product(&k.t(), q) / (q.nrows() as f32).sqrt().round(),
            },
            Wrong {
                name: "the number of keys for d",
                hint: "d is the length of a key",
                answer: |q, k| product(&k.t(), q) / (k.ncols() as f32).sqrt(),
            },
            Wrong {
                name: "queries as rows",
                hint: "a row for each key",
                answer: |q, k| product(&q.t(), k) / (q.nrows() as f32).sqrt(),
            },
            Wrong {
                name: "the size of the score",
                hint: "a score can be negative",
                answer: |q, k| (product(&k.t(), q) / (q.nrows() as f32).sqrt()).abs(),
            },
        ],
    }
}

fn check(scaled_dot: fn(&Matrix, &Matrix) -> Matrix) {
    let queries = Matrix::from_row_slice(
        4,
        3,
        &[
            1.0, 0.0, 2.0, //
            2.0, 1.0, 0.0, //
            0.0, -1.0, 1.0, //
            1.0, 3.0, 0.0,
        ],
    );
    let keys = Matrix::from_row_slice(
        4,
        2,
        &[
            -1.0, 2.0, //
            0.0, 1.0, //
            -1.0, 0.0, //
            2.0, 4.0,
        ],
    );
    let dots = Matrix::from_row_slice(2, 3, &[1.0, 7.0, -3.0, 8.0, 13.0, 4.0]);
    expect(scaled_dot(&queries, &keys), &dots / 2.0, 1e-6)
        .of("scaled_dot(queries, keys)")
        .given("queries", &queries)
        .given("keys", &keys)
        .or_hint(&dots, "these are plain dot products: divide by √d")
        .or_hint(&dots / 4.0, "these were divided by d, not by √d")
        .or_hint(&dots * 2.0, "divide by √d, do not multiply")
        .or_hint(&dots.abs() / 2.0, "a score can be negative: keep the sign of the dot product")
        .or_hint(&dots / 2.0_f32.sqrt(), "d is the length of a key, not the number of keys")
        .or_hint(
            dots.transpose() / 2.0,
            "scores are (m, n): a row for each key, a column for each query",
        )
        .check();

    let (queries, keys) = (queries.rows(0, 3).into_owned(), keys.rows(0, 3).into_owned());
    let dots = Matrix::from_row_slice(2, 3, &[-1.0, 1.0, -3.0, 4.0, 1.0, 4.0]);
    expect(scaled_dot(&queries, &keys), &dots / 3.0_f32.sqrt(), 1e-6)
        .of("scaled_dot(queries, keys)")
        .given("queries", &queries)
        .given("keys", &keys)
        .or_hint(&dots / 2.0, "divided by 2, but here d is 3 and √3 is 1.73")
        .check();
}
