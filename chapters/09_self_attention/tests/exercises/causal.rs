//! 9.4: as if it ended here.

use super::solutions;
use super::support::{scores, softmax};
use shared::{Matrix, product};
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard, uneven};

type Causal = fn(&Matrix, &Matrix, &Matrix) -> Matrix;

const LOWEST: &str = "a finite score may lie above those that are seen: only −∞ is below all";

pub const EXERCISE: Exercise<Causal> = Exercise {
    check,
    wrong: &[
        wrong("every token sees all: nothing is hidden", |q, k, v| masked(q, k, v, |_, _, s| s)),
        wrong(
            "the other triangle: column i of the scores belongs to query i, and it sees the rows 0..=i",
            |q, k, v| masked(q, k, v, |i, j, s| if i < j { f32::NEG_INFINITY } else { s }),
        ),
        wrong("a score of 0 hides nothing: e⁰ is 1", |q, k, v| {
            masked(q, k, v, |i, j, s| if i > j { 0.0 } else { s })
        }),
        wrong(
            "the weights of a token no longer sum to 1: hide scores before the softmax",
            |q, k, v| product(v, &softmax(scores(q, k)).upper_triangle()),
        ),
        wrong(
            "a sum of exponentials is infinite or 0: subtract the largest of the scores that are seen",
            |q, k, v| {
                let mut alpha = scores(q, k).map(f32::exp).upper_triangle();
                alpha.column_iter_mut().for_each(|mut column| column /= column.sum());
                product(v, &alpha)
            },
        ),
        wrong("the scores are not divided by √d", |q, k, v| {
            solutions::causal(&(q * (q.nrows() as f32).sqrt()), k, v)
        }),
        wrong(LOWEST, |q, k, v| masked(q, k, v, |i, j, s| if i > j { -1000.0 } else { s })),
        wrong(LOWEST, |q, k, v| masked(q, k, v, |i, j, s| if i > j { s - 100.0 } else { s })),
    ],
};

fn check(causal: Causal) {
    let inputs = [(3, 2, 4), (4, 5, 6), (2, 2, 1)]
        .map(|(d, d_v, n)| [uneven(d, n, 0.4), uneven(d, n, 1.3), uneven(d_v, n, 2.0)]);
    // Token j has score j, of every query that sees it.
    let hard = hard::scores().map(|(_, k)| {
        let ones = Matrix::from_element(1, k.len(), 1.0);
        [ones, Matrix::from_rows(&[k.transpose()]), uneven(2, k.len(), 2.0)]
    });
    for [q, k, v] in inputs.into_iter().chain(hard) {
        expect(causal(&q, &k, &v), solutions::causal(&q, &k, &v), 1e-4)
            .of("causal(q, k, v)")
            .given("q", &q)
            .given("k", &k)
            .given("v", &v)
            .check();
    }
}

/// Attention with scores changed by key, query and score.
fn masked(q: &Matrix, k: &Matrix, v: &Matrix, change: fn(usize, usize, f32) -> f32) -> Matrix {
    let s = scores(q, k);
    let s = Matrix::from_fn(s.nrows(), s.ncols(), |i, j| change(i, j, s[(i, j)]));
    product(v, &softmax(s))
}
