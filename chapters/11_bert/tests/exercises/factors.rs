//! 11.7: every machine knows its own mean.

use crate::support::matrix;
use shared::Matrix;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type Factors = fn(&[usize]) -> Vec<f32>;

pub fn exercise() -> Exercise<Factors> {
    Exercise {
        number: 7,
        title: "every machine knows its own mean",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "the mean of the means",
                hint: "counts more",
                answer: |hidden| vec![1.0; hidden.len()],
            },
            Wrong {
                name: "the library forgotten",
                hint: "the mean over machines",
                answer: |hidden| {
                    let all: usize = hidden.iter().sum();
                    hidden.iter().map(|own| *own as f32 / all as f32).collect()
                },
            },
            Wrong {
                name: "as though gradients were sums",
                hint: "of its own mean",
                answer: |hidden| {
                    let all: usize = hidden.iter().sum();
                    vec![hidden.len() as f32 / all as f32; hidden.len()]
                },
            },
            Wrong {
                name: "upside down",
                hint: "",
                answer: |hidden| {
                    let all: usize = hidden.iter().sum();
                    let factor = |own: &usize| all as f32 / (own.max(&1) * hidden.len()) as f32;
                    hidden.iter().map(factor).collect()
                },
            },
            Wrong {
                name: "by the largest",
                hint: "",
                answer: |hidden| {
                    let largest = hidden.iter().max().copied().unwrap_or(1);
                    hidden.iter().map(|own| *own as f32 / largest as f32).collect()
                },
            },
            Wrong {
                name: "machines without hidden pieces are left out",
                hint: "zero when it has none",
                answer: |hidden| {
                    let all: usize = hidden.iter().sum();
                    let busy = hidden.iter().filter(|own| **own > 0).count();
                    hidden.iter().map(|own| (own * busy) as f32 / all as f32).collect()
                },
            },
            Wrong {
                name: "nothing by nothing",
                hint: "not finite",
                answer: |hidden| {
                    let all: usize = hidden.iter().sum();
                    let scale = hidden.len() as f32 / all as f32;
                    hidden.iter().map(|own| (own * own) as f32 / *own as f32 * scale).collect()
                },
            },
            Wrong {
                name: "at most four machines",
                hint: "",
                answer: |hidden| {
                    let (all, machines) = (hidden.iter().sum::<usize>(), hidden.len().min(4));
                    hidden.iter().map(|own| (own * machines) as f32 / all as f32).collect()
                },
            },
            Wrong {
                name: "at most 255 pieces",
                hint: "",
                answer: |hidden| {
                    let small: Vec<usize> = hidden.iter().map(|own| own % 256).collect();
                    crate::solutions::factors(&small)
                },
            },
        ],
    }
}

fn check(factors: Factors) {
    for hidden in [
        &[4, 4][..],
        &[1, 3],
        &[5, 2, 2],
        &[7],
        &[3, 1, 6, 2],
        &[0, 3, 2],
        &[0, 5],
        &[310, 260, 500, 120, 0, 430],
    ] {
        let found = factors(hidden);
        assert!(
            found.len() == hidden.len(),
            "factors({hidden:?}) are {}, one for each machine is wanted",
            found.len()
        );
        assert!(
            found.iter().all(|factor| factor.is_finite()),
            "factors({hidden:?}) is {found:?}: not finite"
        );
        let (right, gradients) = gradients(hidden);
        let all: usize = hidden.iter().sum();
        let counts = |own: &usize| *own as f32;
        let mut expected = expect(combined(&gradients, &found), &right, 1e-5)
            .of(format!("the gradient that comes out with factors({hidden:?}) = {found:.3?}"));
        if hidden.iter().any(|own| *own != hidden[0]) {
            expected = expected.or_hint(
                combined(&gradients, &vec![1.0; hidden.len()]),
                "a hidden piece among few counts more than one among many",
            );
        }
        if hidden.len() > 1 {
            let shares: Vec<f32> = hidden.iter().map(|own| counts(own) / all as f32).collect();
            let sums = vec![hidden.len() as f32 / all as f32; hidden.len()];
            expected = expected
                .or_hint(combined(&gradients, &shares), "the library takes the mean over machines")
                .or_hint(
                    combined(&gradients, &sums),
                    "every machine has the gradient of its own mean: it is divided already",
                );
        }
        if hidden.contains(&0) {
            let busy = hidden.iter().filter(|own| **own > 0).count() as f32;
            let left_out: Vec<f32> =
                hidden.iter().map(|own| counts(own) * busy / all as f32).collect();
            expected = expected.or_hint(
                combined(&gradients, &left_out),
                "the library divides by all machines: a gradient is zero when it has none, and still counted",
            );
        }
        expected.check();
    }
}

/// Of the mean over all pieces, and of each machine's own mean; a column is one piece's.
fn gradients(hidden: &[usize]) -> (Matrix, Vec<Matrix>) {
    let pieces = matrix(3, hidden.iter().sum(), 0.8);
    let mut begin = 0;
    let mut own = Vec::new();
    for &count in hidden {
        own.push(mean(&pieces.columns(begin, count).into_owned()));
        begin += count;
    }
    (mean(&pieces), own)
}

fn mean(pieces: &Matrix) -> Matrix {
    Matrix::from_fn(3, 1, |i, _| pieces.row(i).sum()) / pieces.ncols().max(1) as f32
}

/// What the library makes of them.
fn combined(gradients: &[Matrix], factors: &[f32]) -> Matrix {
    let scaled = gradients.iter().zip(factors).map(|(gradient, factor)| gradient * *factor);
    scaled.fold(Matrix::zeros(3, 1), |sum, gradient| sum + gradient) / gradients.len() as f32
}
