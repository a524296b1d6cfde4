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
            Wrong { name: "logits cut off", hint: "are other logits", answer: cut_off },
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
    let finite = |found: &Matrix, call: &str| {
        assert!(
            found.iter().all(|x| x.is_finite()),
            "{call} has entries that are not finite\nactual{found}\
             hint: exp(1000) is infinite, and ∞/∞ is NaN: subtract each column's own largest logit before exp"
        );
    };
    let large = Matrix::from_row_slice(2, 1, &[1000.0, 0.0]);
    let found = cross_entropy_gradient(&large, &[1]);
    finite(&found, "cross_entropy_gradient of the column [1000, 0] with the target 1");
    expect(found, [1.0, -1.0], 1e-6)
        .of("cross_entropy_gradient(logits, [1])")
        .given("logits", &large)
        .check();
    let large = Matrix::from_row_slice(2, 3, &[1000.0, -1001.0, -1000.0, 999.0, -1000.0, 1000.0]);
    let found = cross_entropy_gradient(&large, &[1, 0, 0]);
    finite(
        &found,
        "cross_entropy_gradient of the columns [1000, 999], [-1001, -1000], [-1000, 1000] with the \
         targets 1, 0, 0",
    );
    let p = 0.731_058_6;
    // ln Σ exp of logits near 1000 is known to 6 · 10⁻⁵ only.
    expect(found, [[p, -p, -1.0], [-p, p, 1.0]], 1e-4)
        .of("cross_entropy_gradient(logits, [1, 0, 0])")
        .given("logits", &large)
        .or_hint(
            cut_off(&large, &[1, 0, 0]),
            "logits that are cut off are other logits: subtract each column's largest one instead",
        )
        .check();
}

/// p − 1 at the target, nothing elsewhere.
fn targets_alone(logits: &Matrix, targets: &[usize]) -> Matrix {
    let p = probabilities(logits);
    Matrix::from_fn(logits.nrows(), logits.ncols(), |v, j| {
        if v == targets[j] { p[(v, j)] - 1.0 } else { 0.0 }
    })
}

fn cut_off(logits: &Matrix, targets: &[usize]) -> Matrix {
    solutions::cross_entropy_gradient(&logits.map(|x| x.clamp(-80.0, 80.0)), targets)
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
