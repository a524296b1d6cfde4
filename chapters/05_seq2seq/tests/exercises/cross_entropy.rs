//! 5.4: the gradient of the cross-entropy.

use crate::solutions;
use crate::support::probabilities;
use shared::Matrix;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

type Gradient = fn(&Matrix, &[usize]) -> Matrix;

pub fn exercise() -> Exercise<Gradient> {
    Exercise {
        number: 4,
        title: "the gradient of the cross-entropy",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "the wrong sign",
                hint: "turned round",
                answer: |z, y| -solutions::cross_entropy_gradient(z, y),
            },
            Wrong {
                name: "of the mean",
                hint: "summed over columns",
                answer: |z, y| solutions::cross_entropy_gradient(z, y) / y.len() as f32,
            },
            Wrong { name: "targets alone", hint: "the other words' logits", answer: targets_alone },
            Wrong {
                name: "probabilities",
                hint: "where has the target gone",
                answer: |z, _| probabilities(z),
            },
            Wrong {
                name: "softmax over rows",
                hint: "",
                answer: |z, y| less_target(probabilities(&z.transpose()).transpose(), y),
            },
            Wrong {
                name: "logits for probabilities",
                hint: "",
                answer: |z, y| less_target(z.clone(), y),
            },
            Wrong {
                name: "an exponential that overflows",
                hint: "NaN",
                answer: |z, y| less_target(normalised(z.map(f32::exp)), y),
            },
            Wrong {
                name: "the largest logit of all columns",
                hint: "each column's own",
                answer: |z, y| less_target(normalised(z.map(|x| (x - z.max()).exp())), y),
            },
            Wrong {
                name: "logits cut off",
                hint: "",
                answer: |z, y| {
                    solutions::cross_entropy_gradient(&z.map(|x| x.clamp(-80.0, 80.0)), y)
                },
            },
        ],
    }
}

fn check(cross_entropy_gradient: Gradient) {
    let logits = Matrix::from_row_slice(3, 2, &[1.0, -0.5, 0.0, 2.0, -2.0, 0.5]);
    let targets = [2, 0];
    let loss = |z: &nalgebra::DMatrix<f64>| -> f64 {
        let of = |j: usize| z.column(j).map(f64::exp).sum().ln() - z[(targets[j], j)];
        (0..2).map(of).sum()
    };
    let right = finite_difference(loss, &logits);
    expect(cross_entropy_gradient(&logits, &targets), right.clone(), 1e-6)
        .of("cross_entropy_gradient(logits, [2, 0])")
        .given("logits", &logits)
        .or_hint(-&right, "the sign is turned round: a larger logit of the target lowers the loss")
        .or_hint(&right * 0.5, "this is the gradient of the mean: the loss is summed over columns")
        .or_hint(
            targets_alone(&logits, &targets),
            "the other words' logits stand in the logarithm of the sum, too",
        )
        .or_hint(probabilities(&logits), "these are the probabilities: where has the target gone?")
        .check();
    let large = Matrix::from_row_slice(2, 1, &[1000.0, 0.0]);
    expect(cross_entropy_gradient(&large, &[1]), [1.0, -1.0], 1e-6)
        .of("cross_entropy_gradient([1000, 0], [1])")
        .check();
    let large = Matrix::from_row_slice(2, 3, &[1000.0, -1001.0, -1000.0, 999.0, -1000.0, 1000.0]);
    let found = cross_entropy_gradient(&large, &[1, 0, 0]);
    assert!(
        found.iter().all(|x| x.is_finite()),
        "cross_entropy_gradient({large}, [1, 0, 0]) is {found}: subtract each column's own largest logit before exp"
    );
    let p = 0.731_058_6;
    expect(found, [[p, -p, -1.0], [-p, p, 1.0]], 1e-6)
        .of("cross_entropy_gradient(logits, [1, 0, 0])")
        .given("logits", &large)
        .check();
}

/// p − 1 at the target, nothing elsewhere.
fn targets_alone(logits: &Matrix, targets: &[usize]) -> Matrix {
    let p = probabilities(logits);
    Matrix::from_fn(logits.nrows(), logits.ncols(), |v, j| {
        if v == targets[j] { p[(v, j)] - 1.0 } else { 0.0 }
    })
}

/// Every column divided by its sum.
fn normalised(mut exponentials: Matrix) -> Matrix {
    for mut column in exponentials.column_iter_mut() {
        let sum = column.sum();
        column /= sum;
    }
    exponentials
}

fn less_target(mut p: Matrix, targets: &[usize]) -> Matrix {
    targets.iter().enumerate().for_each(|(j, y)| p[(*y, j)] -= 1.0);
    p
}
