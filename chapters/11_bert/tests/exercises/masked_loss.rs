//! 11.5: a mask that hides nothing.

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, bug, wrong};
use tests::{expect, hard, uneven};

pub type MaskedLoss = fn(&Matrix, &[usize], &[bool]) -> f32;

pub const EXERCISE: Exercise<MaskedLoss> = Exercise {
    check,
    wrong: &[
        bug("the mean over all positions: whatever is masked", |logits, targets, _| {
            mean(logits, targets)
        }),
        wrong("divided by how many are masked, not by all", |logits, targets, masked| {
            sum(logits, targets, masked) / masked.len() as f32
        }),
        wrong("that is the sum", sum),
        wrong("that is the mean over those that are not masked", |logits, targets, masked| {
            let others: Vec<bool> = masked.iter().map(|masked| !masked).collect();
            solutions::masked_loss(logits, targets, &others)
        }),
        wrong("it is 0 when there are none", |logits, targets, masked| {
            sum(logits, targets, masked) / count(masked)
        }),
        wrong("a softmax of zeros is not nothing: each costs ln 5", |logits, targets, masked| {
            let own = |i, j: usize| if masked[j] { logits[(i, j)] } else { 0.0 };
            let own = Matrix::from_fn(logits.nrows(), logits.ncols(), own);
            mean(&own, targets) * targets.len() as f32 / count(masked)
        }),
        wrong(
            "before exp, subtract the position's own largest logit",
            |logits, targets, masked| {
                let shifted = logits.map(|o| (o - logits.max()).max(-80.0));
                solutions::masked_loss(&shifted, targets, masked)
            },
        ),
    ],
};

fn check(masked_loss: MaskedLoss) {
    let (logits, targets): (Matrix, _) = (uneven(5, 6, 0.4), [3, 0, 4, 1, 2, 2]);
    let (mut below, [yes, no]) = (logits.clone(), [true, false]);
    below.column_mut(4).add_scalar_mut(-400.0);
    let three = [no, yes, no, no, yes, yes];
    for (what, logits, masked) in [
        ("logits", &logits, three),
        ("logits", &logits, [yes, no, yes, yes, no, yes]),
        ("logits", &logits, [no; 6]),
        ("logits, one position far below the others", &below, three),
        ("logits of up to ±2000", &(&logits * 1000.0), three),
    ] {
        let found = masked_loss(logits, &targets, &masked);
        let right = solutions::masked_loss(logits, &targets, &masked);
        let what = format!("masked_loss({what}, {targets:?}, {masked:?})");
        expect(found, right, 1e-5).of(what).given("logits", logits).check();
    }
    for (hint, logits) in hard::scores() {
        let logits = Matrix::from_columns(&[logits]);
        let [found, right] =
            [masked_loss, solutions::masked_loss].map(|f| f(&logits, &[0], &[yes]));
        let expectation = expect(found, right, 1e-4).of("masked_loss(logits, [0], [true])");
        expectation.given("logits", logits).hint(hint).check();
    }
}

/// Over all positions.
fn mean(logits: &Matrix, targets: &[usize]) -> f32 {
    solutions::masked_loss(logits, targets, &vec![true; targets.len()])
}

/// Over the masked ones.
fn sum(logits: &Matrix, targets: &[usize], masked: &[bool]) -> f32 {
    solutions::masked_loss(logits, targets, masked) * count(masked)
}

fn count(masked: &[bool]) -> f32 {
    masked.iter().filter(|masked| **masked).count() as f32
}
