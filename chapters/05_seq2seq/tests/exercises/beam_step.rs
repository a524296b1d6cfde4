//! 5.5: one step of a beam.

use super::solutions;
use shared::Matrix;
use shared::elementwise::softmax_columns;
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard};

/// (beginning, word, their ln p), the best first.
pub type Continuations = Vec<(usize, usize, f64)>;
pub type BeamStep = fn(&[f64], &Matrix, usize) -> Continuations;

pub const EXERCISE: Exercise<BeamStep> = Exercise {
    check,
    wrong: &[
        wrong("no ln p is positive: take ln Σ exp of the column away", |sums, logits, width| {
            less(sums, logits, width)
        }),
        wrong("sums[b] is missing", |sums, logits, width| {
            solutions::beam_step(&vec![0.0; sums.len()], logits, width)
        }),
        wrong("e^−2000 is 0 in the computer, its logarithm is −2000", |sums, logits, width| {
            let mut p = logits.clone();
            softmax_columns(&mut p);
            less(sums, &p.map(f32::ln), width)
        }),
        wrong("all places may go to one beginning", |sums, logits, width| {
            let mut all = solutions::beam_step(sums, logits, logits.len());
            let (mut taken, most) = (vec![0; sums.len()], width.div_ceil(sums.len()));
            all.retain(|step| (taken[step.0] < most, taken[step.0] += 1).0);
            all
        }),
        wrong("beginning first, then word", |sums, logits, width| {
            let right = solutions::beam_step(sums, logits, width).into_iter();
            right.map(|(b, v, sum)| (v, b, sum)).collect()
        }),
    ],
};

fn check(beam_step: BeamStep) {
    let near = Matrix::from_row_slice(3, 2, &[2.0, 10.0, 1.0, 10.5, -1.0, 9.0]);
    let large = Matrix::from_row_slice(2, 2, &[1000.0, -1000.0, 999.0, -1001.0]);
    for (sums, logits, width) in [
        (&[-1.0, -2.0][..], &near, 4),
        (&[0.0, -0.1], &large, 3),
        (&[0.0, -0.1], &large, 10), // more than there are
        // equal except for the eighth digit of their sums
        (&[-1_000.000_01, -1_000.0], &Matrix::zeros(1, 2), 1),
        (&[-1.0, -9.0], &near, 3), // all from one beginning
    ] {
        let [found, right] = [beam_step, solutions::beam_step].map(|f| {
            let steps = f(sums, logits, width);
            let rows = steps.iter().flat_map(|(b, v, sum)| [*b as f64, *v as f64, *sum]);
            nalgebra::DMatrix::from_row_iterator(steps.len(), 3, rows)
        });
        let what = format!("beam_step({sums:?}, logits, {width}), beginning, word, ln p in rows");
        expect(found, right, 1e-6).of(what).given("logits", logits).check();
    }
    for (hint, logits) in hard::scores() {
        let logits = Matrix::from_columns(&[logits]);
        let [found, right] = [beam_step, solutions::beam_step]
            .map(|f| f(&[-0.5], &logits, 9).into_iter().map(|step| step.2).collect::<Vec<_>>());
        let expectation = expect(found, right, 1e-6).of("ln p of beam_step([-0.5], logits, 9)");
        expectation.given("logits", logits).hint(hint).check();
    }
}

/// The best of `sums[b] + logits[(v, b)]`: right when the logits are logarithms of probabilities.
fn less(sums: &[f64], logits: &Matrix, width: usize) -> Continuations {
    let all = logits.iter().enumerate().map(|(at, z)| {
        let (b, v) = (at / logits.nrows(), at % logits.nrows());
        (b, v, sums[b] + f64::from(*z))
    });
    let mut all: Continuations = all.collect();
    all.sort_by(|x, y| y.2.total_cmp(&x.2));
    all.truncate(width);
    all
}
