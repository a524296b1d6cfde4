//! 5.5: one step of a beam.

use crate::solutions;
use crate::support::probabilities;
use shared::Matrix;
use tests::assert_close;
use tests::exercises::{Exercise, Kind, Wrong};

/// (beginning, word, their ln p), the best first.
pub type Continuations = Vec<(usize, usize, f64)>;
pub type BeamStep = fn(&[f64], &Matrix, usize) -> Continuations;

pub fn exercise() -> Exercise<BeamStep> {
    Exercise {
        number: 5,
        title: "one step of a beam",
        kind: Kind::Implement,
        difficulty: 3,
        minutes: 25,
        check,
        wrong: &[
            Wrong {
                name: "logits as they are",
                hint: "no ln p is positive",
                answer: |sums, logits, width| less(sums, logits, width, |_| 0.0),
            },
            Wrong {
                name: "the largest logit not added back",
                hint: "no ln p is positive",
                answer: |sums, logits, width| {
                    less(sums, logits, width, |column| {
                        let max = column.iter().copied().fold(f64::MIN, f64::max);
                        column.iter().map(|z| (z - max).exp()).sum::<f64>().ln()
                    })
                },
            },
            Wrong {
                name: "the past forgotten",
                hint: "",
                answer: |sums, logits, width| {
                    solutions::beam_step(&vec![0.0; sums.len()], logits, width)
                },
            },
            Wrong {
                name: "sums in single precision",
                hint: "sums are f64",
                answer: |sums, logits, width| {
                    let sums: Vec<f64> = sums.iter().map(|sum| f64::from(*sum as f32)).collect();
                    solutions::beam_step(&sums, logits, width)
                },
            },
            Wrong {
                name: "divided by the sum of logits",
                hint: "",
                answer: |sums, logits, width| {
                    less(sums, logits, width, |column| column.iter().sum())
                },
            },
            Wrong {
                name: "one normalisation for all columns",
                hint: "is more probable",
                answer: |sums, logits, width| {
                    let all: f64 = logits.iter().map(|z| f64::from(*z).exp()).sum();
                    less(sums, logits, width, |_| all.ln())
                },
            },
            Wrong {
                name: "an exponential that overflows",
                hint: "largest logit before exp",
                answer: |sums, logits, width| {
                    let log_sum = |column: &[f64]| column.iter().map(|z| z.exp()).sum::<f64>().ln();
                    less(sums, logits, width, log_sum)
                },
            },
            Wrong {
                name: "the logarithm of a softmax",
                hint: "its logarithm is −2000",
                answer: |sums, logits, width| {
                    let p = probabilities(logits);
                    best(&p, width, |b, v| sums[b] + f64::from(p[(v, b)]).ln())
                },
            },
            Wrong {
                name: "probabilities added to logarithms",
                hint: "",
                answer: |sums, logits, width| {
                    let p = probabilities(logits);
                    best(&p, width, |b, v| sums[b] + f64::from(p[(v, b)]))
                },
            },
            Wrong {
                name: "an equal share for every beginning",
                hint: "all places may go to one",
                answer: |sums, logits, width| {
                    let share = width.div_ceil(sums.len());
                    at_most_each(share, sums, logits, width)
                },
            },
            Wrong {
                name: "a continuation of each beginning",
                hint: "returns 2 continuations, not 4",
                answer: |sums, logits, width| at_most_each(1, sums, logits, width),
            },
            Wrong {
                name: "the best of each beginning first",
                hint: "is more probable",
                answer: |sums, logits, width| {
                    let mut all = solutions::beam_step(sums, logits, logits.len());
                    all.sort_by_key(|step| step.0);
                    all.truncate(width);
                    all
                },
            },
            Wrong {
                name: "the worst first",
                hint: "is more probable",
                answer: |sums, logits, width| {
                    let all = solutions::beam_step(sums, logits, logits.len());
                    all.into_iter().rev().take(width).collect()
                },
            },
            Wrong {
                name: "word and beginning exchanged",
                hint: "the beginning first, then the word",
                answer: |sums, logits, width| {
                    let right = solutions::beam_step(sums, logits, width);
                    right.into_iter().map(|(b, v, sum)| (v, b, sum)).collect()
                },
            },
        ],
    }
}

fn check(beam_step: BeamStep) {
    let logits = Matrix::from_row_slice(3, 2, &[2.0, 10.0, 1.0, 10.5, -1.0, 9.0]);
    let sums = [-1.0, -2.0];
    let right = by_probabilities(&sums, &logits, 4);
    let found = beam_step(&sums, &logits, 4);
    let given = "logits with the columns [2, 1, -1] and [10, 10.5, 9]";
    let call = format!("beam_step([-1, -2], logits, 4), {given},");
    assert!(found.len() == 4, "{call} returns {} continuations, not 4", found.len());
    assert!(
        found.iter().all(|step| step.2 <= 0.0),
        "{call} is {found:?}\nhint: no ln p is positive, since p is at most 1: take ln Σ exp of the column \
         away, and if its largest logit was subtracted before exp, add it again after ln"
    );
    assert!(
        !found.iter().zip(&right).all(|(found, right)| (found.1, found.0) == (right.0, right.1)),
        "{call} is {found:?}\nhint: a continuation names the beginning first, then the word"
    );
    for (place, (found, right)) in found.iter().zip(&right).enumerate() {
        assert!(
            (found.0, found.1) == (right.0, right.1),
            "{call} has at place {place} word {} after beginning {} (ln p {:.4}), but word {} after \
             beginning {} is more probable (ln p {:.4})",
            found.1,
            found.0,
            found.2,
            right.1,
            right.0,
            right.2
        );
        let (b, v, sum) = right;
        assert_close!(found.2, *sum, 1e-6, "{call} ln p of word {v} after beginning {b}");
    }
    let large = Matrix::from_row_slice(2, 2, &[1000.0, -1000.0, 999.0, -1001.0]);
    let found = beam_step(&[0.0, -0.1], &large, 3);
    let sums: Vec<f64> = found.iter().map(|step| step.2).collect();
    let call =
        "beam_step([0, -0.1], logits, 3), logits with the columns [1000, 999] and [-1000, -1001],";
    assert!(
        sums.iter().all(|sum| sum.is_finite()),
        "{call} gives ln p = {sums:?}\nhint: subtract each column's largest logit before exp"
    );
    let places: Vec<_> = found.iter().map(|step| (step.0, step.1)).collect();
    assert!(
        places == [(0, 0), (1, 0), (0, 1)],
        "{call} continues {places:?}, not [(0, 0), (1, 0), (0, 1)]"
    );
    let all = beam_step(&[0.0, -0.1], &large, 10);
    assert!(all.len() == 4, "of 4 continuations, a width of 10 keeps all, not {}", all.len());
    let found = beam_step(&[-0.5], &Matrix::from_column_slice(2, 1, &[1000.0, -1000.0]), 2);
    let sums: Vec<f64> = found.iter().map(|step| step.2).collect();
    assert_close!(
        sums,
        [-0.5, -2000.5],
        1e-6,
        "logits 1000 and -1000: a probability of e^−2000 is 0 in the computer, its logarithm is −2000"
    );
    // Two beginnings, equal but for the eighth digit of their sums.
    let found = beam_step(&[-1_000.000_01, -1_000.0], &Matrix::zeros(1, 2), 1);
    assert!(
        found.first().is_some_and(|step| step.0 == 1),
        "beam_step([-1000.00001, -1000], [0 0], 1) continues {:?}, not beginning 1\nhint: sums are f64, and f32 \
         rounds these two to one number",
        found.iter().map(|step| step.0).collect::<Vec<_>>()
    );
    let found = beam_step(&[-1.0, -9.0], &logits, 3);
    let beginnings: Vec<_> = found.iter().map(|step| step.0).collect();
    assert!(
        beginnings == [0, 0, 0],
        "beam_step([-1, -9], logits, 3), {given}, continues the beginnings {beginnings:?}, not \
         [0, 0, 0]\nhint: all places may go to one beginning"
    );
}

/// The exercise told once more, in another way: all probabilities, then a sort.
fn by_probabilities(sums: &[f64], logits: &Matrix, width: usize) -> Continuations {
    let mut all = Continuations::new();
    for (b, sum) in sums.iter().enumerate() {
        let exponentials: Vec<f64> = logits.column(b).iter().map(|z| f64::from(*z).exp()).collect();
        let total: f64 = exponentials.iter().sum();
        all.extend(exponentials.iter().enumerate().map(|(v, e)| (b, v, sum + (e / total).ln())));
    }
    all.sort_by(|x, y| y.2.total_cmp(&x.2));
    all[..width].to_vec()
}

/// The best of all continuations by `score(beginning, word)`.
fn best(logits: &Matrix, width: usize, score: impl Fn(usize, usize) -> f64) -> Continuations {
    let all = (0..logits.ncols()).flat_map(|b| (0..logits.nrows()).map(move |v| (b, v)));
    let mut all: Continuations = all.map(|(b, v)| (b, v, score(b, v))).collect();
    all.sort_by(|x, y| y.2.total_cmp(&x.2));
    all.truncate(width);
    all
}

/// `sums[b] + logits[(v, b)] − normaliser(column b)`: right when that is ln Σ exp.
fn less(
    sums: &[f64],
    logits: &Matrix,
    width: usize,
    normaliser: impl Fn(&[f64]) -> f64,
) -> Continuations {
    let column = |b: usize| logits.column(b).iter().map(|z| f64::from(*z)).collect::<Vec<_>>();
    best(logits, width, |b, v| sums[b] + column(b)[v] - normaliser(&column(b)))
}

/// No beginning gets more than `share` of the places.
fn at_most_each(share: usize, sums: &[f64], logits: &Matrix, width: usize) -> Continuations {
    let mut all = solutions::beam_step(sums, logits, logits.len());
    let mut left = vec![share; sums.len()];
    all.retain(|step| {
        let free = left[step.0] > 0;
        left[step.0] -= usize::from(free);
        free
    });
    all.truncate(width);
    all
}
