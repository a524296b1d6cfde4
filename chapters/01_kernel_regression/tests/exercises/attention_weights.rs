//! 1.2 attention weights: a softmax down each column, which does not underflow

use kernel_regression::{Float, Kernel, Matrix};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

use super::support::{columns_normalised, weights};

type AttentionWeights = fn(&[Float], &[Float], Float) -> Matrix;

pub fn exercise() -> Exercise<AttentionWeights> {
    Exercise {
        number: 2,
        title: "attention weights",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 15,
        check,
        wrong: &[
            Wrong { name: "over rows", hint: "a column is a query", answer: over_rows },
            Wrong {
                name: "transposed",
                hint: "one row for each key",
                answer: |q, k, h| weights(q, k, h).transpose(),
            },
            Wrong { name: "unstable exponent", hint: "NaN", answer: unstable },
            Wrong { name: "not normalised", hint: "must sum to 1", answer: kernel_values },
            Wrong { name: "distances not squared", hint: "square", answer: not_squared },
            Wrong {
                name: "the square multiplied out",
                hint: "before you square",
                answer: expanded,
            },
            Wrong {
                name: "the two forgotten",
                hint: "2h²",
                answer: |q, k, h| weights(q, k, h / (2.0 as Float).sqrt()),
            },
            Wrong {
                name: "multiplied by the bandwidth",
                hint: "divided by the bandwidth",
                answer: |q, k, h| weights(q, k, 1.0 / h),
            },
        ],
    }
}

fn check(attention_weights: AttentionWeights) {
    let (queries, keys) = ([0.5, 2.0, 3.5], [0.0, 1.0, 3.0, 4.5]);
    let h = 0.8;
    let actual = attention_weights(&queries, &keys, h);
    assert!(
        actual.shape() == (4, 3),
        "attention_weights of 3 queries and 4 keys is {:?}: there must be one row for each key and \
         one column for each query",
        actual.shape()
    );
    expect(actual, weights(&queries, &keys, h), 1e-5)
        .of("attention_weights(queries, keys, 0.8)")
        .given("queries", queries)
        .given("keys", keys)
        .or_hint(
            over_rows(&queries, &keys, h),
            "here each row sums to 1, but a column is a query: each column must",
        )
        .or_hint(
            kernel_values(&queries, &keys, h),
            "these are the kernel's values: each column must sum to 1",
        )
        .or_hint(
            not_squared(&queries, &keys, h),
            "the Gaussian's score is a square: −(x − xᵢ)²/2h²",
        )
        .or_hint(
            weights(&queries, &keys, h / (2.0 as Float).sqrt()),
            "divide the square by 2h², not by h²",
        )
        .or_hint(weights(&queries, &keys, 1.0 / h), "distances are divided by the bandwidth")
        .check();

    let narrow = attention_weights(&[0.4, 3.9], &[0.0, 1.0, 3.0], 0.001);
    assert!(
        !narrow.iter().any(|a| a.is_nan()),
        "attention_weights([0.4, 3.9], [0, 1, 3], 0.001) has NaN:{narrow}\
         NaN is 0/0: every exponential of the column is too small for a Float"
    );
    expect(narrow, [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]], 1e-6)
        .of("attention_weights([0.4, 3.9], [0, 1, 3], 0.001)")
        .check();
    // The nearest key is neither the first nor the last.
    expect(attention_weights(&[1.3], &[0.0, 1.0, 3.0], 0.001), [0.0, 1.0, 0.0], 1e-6)
        .of("attention_weights([1.3], [0, 1, 3], 0.001)")
        .check();
    let (year, years) = ([2019.3], [2018.0, 2020.0, 2021.0]);
    expect(attention_weights(&year, &years, h), weights(&year, &years, h), 1e-4)
        .of("attention_weights([2019.3], [2018, 2020, 2021], 0.8)")
        .or_hint(expanded(&year, &years, h), "take the difference before you square it")
        .check();
    // Far from both keys, which still share: (20² − 19.98²)/2 = 0.3998.
    let share = 1.0 / (1.0 + (-0.3998 as Float).exp());
    expect(attention_weights(&[20.0], &[0.0, 0.02], 1.0), [1.0 - share, share], 1e-3)
        .of("attention_weights([20], [0, 0.02], 1)")
        .check();
}

/// x² − 2xk + k², of which single precision leaves nothing where x and k are large.
fn expanded(queries: &[Float], keys: &[Float], h: Float) -> Matrix {
    let square = |x: Float, k: Float| x * x - 2.0 * x * k + k * k;
    let mut scores = Matrix::from_fn(keys.len(), queries.len(), |i, j| square(queries[j], keys[i]));
    for mut column in scores.column_iter_mut() {
        let least = column.min();
        column.apply(|s| *s = (-(*s - least) / (2.0 * h * h)).exp());
    }
    columns_normalised(scores)
}

fn kernel_values(queries: &[Float], keys: &[Float], h: Float) -> Matrix {
    kernel_regression::scores(queries, keys, Kernel::Gaussian, h).map(Float::exp)
}

fn unstable(queries: &[Float], keys: &[Float], h: Float) -> Matrix {
    columns_normalised(kernel_values(queries, keys, h))
}

fn over_rows(queries: &[Float], keys: &[Float], h: Float) -> Matrix {
    columns_normalised(kernel_values(queries, keys, h).transpose()).transpose()
}

fn not_squared(queries: &[Float], keys: &[Float], h: Float) -> Matrix {
    let score = |i: usize, j: usize| -(queries[j] - keys[i]).abs() / (2.0 * h * h);
    columns_normalised(Matrix::from_fn(keys.len(), queries.len(), score).map(Float::exp))
}
