//! 3.8 spot the bug: an attention that sums to one

use super::solutions;
use shared::elementwise::softmax_columns;
use shared::{Matrix, Operand, product};
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, hard, uneven};

pub type Attention = fn(&Matrix, &Matrix, &Matrix) -> Matrix;

pub const EXERCISE: Exercise<Attention> = Exercise {
    check,
    wrong: &[
        bug(
            "each key shares out a weight of 1 among the queries; each query should among the keys",
            |q, k, v| {
                let mut weights = solutions::scaled_dot(k, q);
                softmax_columns(&mut weights);
                product(v, &weights.t())
            },
        ),
        wrong("d is the length of a key, not the number of keys", |q, k, v| {
            let root = (q.nrows() as f32 / k.ncols() as f32).sqrt();
            solutions::attention(&(q * root), k, v)
        }),
        wrong("divide the scores by √d", |q, k, v| {
            solutions::attention(&(q * (q.nrows() as f32).sqrt()), k, v)
        }),
        wrong("every query has weights of its own", |q, k, v| {
            let exponentials = solutions::scaled_dot(q, k).map(f32::exp);
            product(v, &exponentials) / exponentials.sum()
        }),
        wrong("subtract a column's largest score before exp", |q, k, v| {
            let mut weights = solutions::scaled_dot(q, k).map(f32::exp);
            weights.column_iter_mut().for_each(|mut column| column /= column.sum());
            product(v, &weights)
        }),
    ],
};

fn check(attention: Attention) {
    let several = [(2, 3), (3, 3)].map(|(n, m)| (uneven(4, n, 0.0), uneven(4, m, 1.0)));
    let far = (uneven(4, 2, 0.0) * 100.0, uneven(4, 3, 1.0));
    let hard =
        hard::scores().map(|(_, k)| (Matrix::identity(1, 1), Matrix::from_rows(&[k.transpose()])));
    for (q, k) in several.into_iter().chain([far]).chain(hard) {
        let v = uneven(2, k.ncols(), 2.0);
        expect(attention(&q, &k, &v), solutions::attention(&q, &k, &v), 1e-4)
            .of("attention(q, k, v)")
            .given("q", &q)
            .given("k", &k)
            .given("v", &v)
            .check();
    }
}
