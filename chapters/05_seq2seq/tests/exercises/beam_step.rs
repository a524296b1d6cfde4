//! 5.5: one step of a beam.

use crate::solutions;
use shared::Matrix;
use shared::elementwise::softmax_columns;
use tests::exercises::{Exercise, wrong};
use tests::{expect, hard};

/// (beginning, word, their ln p), the best first.
pub type Continuations = Vec<(usize, usize, f64)>;
pub type BeamStep = fn(&[f64], &Matrix, usize) -> Continuations;

const AWAY: &str = "no ln p is positive: take ln Σ exp of the column away, and if its largest logit was subtracted \
                    before exp, add it again after ln";

pub const EXERCISE: Exercise<BeamStep> = Exercise {
    check,
    wrong: &[
        wrong(AWAY, |sums, logits, width| less(sums, logits, width, |_| 0.0)),
        wrong(AWAY, |sums, logits, width| {
            less(sums, logits, width, |column| log_sum(column, largest(column)))
        }),
        wrong("sums[b] is missing", |sums, logits, width| {
            solutions::beam_step(&vec![0.0; sums.len()], logits, width)
        }),
        wrong(
            "a probability of e^−2000 is 0 in the computer, its logarithm is −2000",
            |sums, logits, width| {
                let mut p = logits.clone();
                softmax_columns(&mut p);
                less(sums, &p.map(f32::ln), width, |_| 0.0)
            },
        ),
        wrong("all places may go to one beginning", |sums, logits, width| {
            let mut all = solutions::beam_step(sums, logits, logits.len());
            let mut left = vec![width.div_ceil(sums.len()); sums.len()];
            all.retain(|step| {
                let free = left[step.0] > 0;
                left[step.0] -= usize::from(free);
                free
            });
            all
        }),
        wrong("beginning first, then word", |sums, logits, width| {
            let right = solutions::beam_step(sums, logits, width);
            right.into_iter().map(|(b, v, sum)| (v, b, sum)).collect()
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
        expect(found, right, 1e-6)
            .of(format!("beam_step({sums:?}, logits, {width}), beginning, word and ln p in rows"))
            .given("logits", logits)
            .check();
    }
    for (hint, logits) in hard::scores() {
        let logits = Matrix::from_columns(&[logits]);
        let [found, right] = [beam_step, solutions::beam_step]
            .map(|f| f(&[-0.5], &logits, 9).into_iter().map(|step| step.2).collect::<Vec<_>>());
        expect(found, right, 1e-6)
            .of("ln p of beam_step([-0.5], logits, 9)")
            .given("logits", logits)
            .hint(hint)
            .check();
    }
}

/// The best of `sums[b] + logits[(v, b)] − normaliser(column b)`: right when that is ln Σ exp.
fn less(
    sums: &[f64],
    logits: &Matrix,
    width: usize,
    normaliser: impl Fn(&[f64]) -> f64,
) -> Continuations {
    let mut all = Continuations::new();
    for (b, column) in logits.column_iter().enumerate() {
        let column: Vec<f64> = column.iter().map(|z| f64::from(*z)).collect();
        let less = sums[b] - normaliser(&column);
        all.extend(column.iter().enumerate().map(|(v, z)| (b, v, z + less)));
    }
    all.sort_by(|x, y| y.2.total_cmp(&x.2));
    all.truncate(width);
    all
}

/// ln Σ exp(z − shift)
fn log_sum(column: &[f64], shift: f64) -> f64 {
    column.iter().map(|z| (z - shift).exp()).sum::<f64>().ln()
}

fn largest(column: &[f64]) -> f64 {
    column.iter().copied().fold(f64::MIN, f64::max)
}
