//! 8.4: the best constant.

use crate::support::{alpha, estimate, losses, softmax};
use shared::Vector;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type OptimalBaseline = fn(&Vector, &Vector) -> f32;

pub fn exercise() -> Exercise<OptimalBaseline> {
    Exercise {
        number: 4,
        title: "the best constant",
        kind: Kind::Derive,
        difficulty: 3,
        minutes: 30,
        check,
        wrong: &[
            Wrong {
                name: "the expected loss",
                hint: "expected loss",
                answer: |alpha, losses| alpha.dot(losses),
            },
            Wrong {
                name: "the mean over the places",
                hint: "every place the same",
                answer: |_, losses| losses.mean(),
            },
            Wrong {
                name: "not weighted by the probabilities",
                hint: "how often",
                answer: not_weighted,
            },
            Wrong {
                name: "lengths instead of square lengths",
                hint: "square length",
                answer: lengths,
            },
            Wrong {
                name: "only the entry of the place itself",
                hint: "the other entries of 1_z − α count too",
                answer: only_the_place,
            },
            Wrong {
                name: "not divided by the weights",
                hint: "divide by the sum of the weights",
                answer: not_divided,
            },
            // αⱼ‖∂αⱼ/αⱼ‖²: right while no weight is 0.
            Wrong {
                name: "divided by a weight of 0",
                hint: "NaN",
                answer: |alpha, losses| {
                    let squares = alpha.component_mul(alpha);
                    let of_alpha = squares.component_mul(&square_lengths(alpha)); // ‖∂αⱼ‖²
                    mean(losses, alpha, &of_alpha.component_div(&squares))
                },
            },
        ],
    }
}

fn check(optimal_baseline: OptimalBaseline) {
    let column = Vector::from_column_slice;
    for (alpha, losses) in [
        (alpha(), losses()),
        (softmax(&column(&[2.0, 0.0, -1.0])), column(&[0.1, 3.0, 5.0])),
        (column(&[0.5, 0.0, 0.2, 0.3]), losses()), // one place is never looked at
    ] {
        let best = optimal_baseline(&alpha, &losses);
        let moment = |b: f32| -> f64 {
            let of = |s: usize| {
                let estimate = estimate(&alpha, &[s], &[losses[s]], b).map(f64::from);
                f64::from(alpha[s]) * estimate.norm_squared()
            };
            (0..alpha.len()).map(of).sum()
        };
        assert!(
            best.is_finite(),
            "optimal_baseline(alpha, losses) is {best} for alpha = {:?}, losses = {:?}\n\
             hint: 0/0 is NaN: a place of weight 0 has to leave the sums as they are",
            alpha.as_slice(),
            losses.as_slice()
        );
        // A parabola through three points, in f64: its vertex.
        let (low, middle, high) = (moment(0.0), moment(1.0), moment(2.0));
        let vertex = 1.0 - (high - low) / (2.0 * (high - 2.0 * middle + low));
        expect(best, vertex, 1e-4)
            .of("optimal_baseline(alpha, losses), for the smallest second moment,")
            .given("alpha", &alpha)
            .given("losses", &losses)
            .or_hint(
                alpha.dot(&losses),
                "this is the expected loss: a place counts for as much as looking there moves the scores",
            )
            .or_hint(losses.mean(), "every place the same: how often it is looked at should count")
            .or_hint(
                not_weighted(&alpha, &losses),
                "weighted by ‖1_z − α‖² alone: how often a place is looked at, α_z, counts too",
            )
            .or_hint(
                lengths(&alpha, &losses),
                "weighted by the length ‖1_z − α‖: a second moment has the square length",
            )
            .or_hint(
                not_divided(&alpha, &losses),
                "b is a mean of the losses: divide by the sum of the weights",
            )
            .or_hint(
                only_the_place(&alpha, &losses),
                "(1 − α_z)² is the entry z alone of ‖1_z − α‖²: the other entries of 1_z − α count too",
            )
            .check();
    }
}

/// `‖1ⱼ − α‖²`
fn square_lengths(alpha: &Vector) -> Vector {
    alpha.map(|a| 1.0 - 2.0 * a + alpha.norm_squared())
}

fn not_divided(alpha: &Vector, losses: &Vector) -> f32 {
    alpha.component_mul(&square_lengths(alpha)).dot(losses)
}

fn not_weighted(alpha: &Vector, losses: &Vector) -> f32 {
    let weights = square_lengths(alpha);
    weights.dot(losses) / weights.sum()
}

fn lengths(alpha: &Vector, losses: &Vector) -> f32 {
    mean(losses, alpha, &square_lengths(alpha).map(f32::sqrt))
}

fn only_the_place(alpha: &Vector, losses: &Vector) -> f32 {
    mean(losses, alpha, &alpha.map(|a| (1.0 - a) * (1.0 - a)))
}

/// Of the losses, each with weight `αⱼwⱼ`.
fn mean(losses: &Vector, alpha: &Vector, w: &Vector) -> f32 {
    let weights = alpha.component_mul(w);
    weights.dot(losses) / weights.sum()
}
