//! 1.3 spot the bug: far from all keys

use kernel_regression::{Float, Matrix};
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

use super::support::columns_normalised;

pub fn exercise() -> Exercise<fn(&Matrix) -> Matrix> {
    Exercise {
        number: 3,
        title: "spot the bug: far from all keys",
        kind: Kind::SpotTheBug,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong { name: ORIGINAL_BUG, hint: "NaN", answer: one_largest_for_all },
            Wrong {
                name: "NaN painted over",
                hint: "must sum to 1",
                answer: |scores| {
                    one_largest_for_all(scores).map(|a| if a.is_nan() { 0.0 } else { a })
                },
            },
            Wrong {
                name: "nothing subtracted",
                hint: "",
                answer: |scores| columns_normalised(scores.map(Float::exp)),
            },
            Wrong {
                name: "a little added to the sum",
                hint: "must sum to 1",
                answer: epsilon_in_the_sum,
            },
        ],
    }
}

fn check(softmax: fn(&Matrix) -> Matrix) {
    let near = Matrix::from_row_slice(3, 2, &[0.0, 1.0, -1.0, 0.5, -2.0, 3.0]);
    expect(softmax(&near), columns_normalised(near.map(Float::exp)), 1e-5)
        .of("softmax(scores)")
        .given("scores", &near)
        .check();

    // The second query is far from all keys.
    let far = Matrix::from_row_slice(2, 2, &[0.0, -200.0, -1.0, -200.0]);
    let first = [1.0 / (1.0 + (-1.0 as Float).exp()), 1.0 / (1.0 + (1.0 as Float).exp())];
    let found = softmax(&far);
    assert!(
        !found.iter().any(|a| a.is_nan()),
        "softmax(scores) has NaN:{found}given scores{far}NaN is 0/0: where does a sum become 0?"
    );
    expect(found, [[first[0], 0.5], [first[1], 0.5]], 1e-5)
        .of("softmax(scores)")
        .given("scores", &far)
        .or_hint([[first[0], 0.0], [first[1], 0.0]], "every column must sum to 1, this one, too")
        .check();

    // Columns that spread widely: only the largest score of the column itself is safe to subtract.
    let wide = Matrix::from_column_slice(3, 2, &[-300.0, 0.0, -1.0, -500.0, -200.0, -201.0]);
    expect(softmax(&wide), [[0.0, 0.0], [first[0], first[0]], [first[1], first[1]]], 1e-5)
        .of("softmax(scores)")
        .given("scores", &wide)
        .check();

    let high = softmax(&Matrix::from_element(2, 1, 1000.0));
    expect(high, [0.5, 0.5], 1e-5).of("softmax([1000, 1000])").check();
}

fn one_largest_for_all(scores: &Matrix) -> Matrix {
    let largest = scores.max();
    columns_normalised(scores.map(|score| (score - largest).exp()))
}

fn epsilon_in_the_sum(scores: &Matrix) -> Matrix {
    let largest = scores.max();
    let mut weights = scores.map(|score| (score - largest).exp());
    for mut column in weights.column_iter_mut() {
        let sum = column.sum() + 1e-9;
        column /= sum;
    }
    weights
}
