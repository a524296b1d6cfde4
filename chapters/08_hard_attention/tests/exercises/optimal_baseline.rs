//! 8.4: the best constant.

use super::solutions;
use super::support::{alpha, losses, softmax};
use shared::Vector;
use tests::exercises::{Exercise, wrong};
use tests::expect;

type OptimalBaseline = fn(&Vector, &Vector) -> f32;

pub const EXERCISE: Exercise<OptimalBaseline> = Exercise {
    check,
    wrong: &[
        wrong(
            "this is the expected loss: a place counts for as much as looking there moves the scores",
            |alpha, losses| alpha.dot(losses),
        ),
        wrong("how often a place is looked at counts", |_, losses| losses.mean()),
        wrong("how often a place is looked at counts, too", |alpha, losses| {
            mean(losses, &squares(alpha))
        }),
        wrong("of ‖1_z − α‖² this is the entry z alone", |alpha, losses| {
            mean(losses, &alpha.map(|a| a * (1.0 - a) * (1.0 - a)))
        }),
        wrong("divide by the sum of the weights", |alpha, losses| {
            alpha.component_mul(&squares(alpha)).dot(losses)
        }),
        // αⱼ‖∂αⱼ/αⱼ‖²: right while no weight is 0.
        wrong(
            "0/0 is NaN: a place of weight 0 has to leave the sums as they are",
            |alpha, losses| {
                let of_alpha = alpha.component_mul(alpha).component_mul(&squares(alpha)); // ‖∂αⱼ‖²
                mean(losses, &of_alpha.component_div(alpha))
            },
        ),
    ],
};

fn check(optimal_baseline: OptimalBaseline) {
    let column = Vector::from_column_slice;
    for (alpha, losses) in [
        (alpha(), losses()),
        (softmax(&column(&[2.0, 0.0, -1.0])), column(&[0.1, 3.0, 5.0])),
        (column(&[0.5, 0.0, 0.2, 0.3]), losses()), // one place is never looked at
    ] {
        expect(optimal_baseline(&alpha, &losses), smallest_moment(&alpha, &losses), 1e-4)
            .of("optimal_baseline(alpha, losses), for the smallest second moment,")
            .given("alpha", &alpha)
            .given("losses", &losses)
            .check();
    }
}

/// Where the second moment of one look's estimate is smallest: the vertex of a parabola through three points.
fn smallest_moment(alpha: &Vector, losses: &Vector) -> f64 {
    let [low, middle, high] = [0.0, 1.0, 2.0].map(|b| {
        let estimate = |z| solutions::reinforce(alpha, &[z], &[losses[z]], b).map(f64::from);
        (0..alpha.len()).map(|z| f64::from(alpha[z]) * estimate(z).norm_squared()).sum::<f64>()
    });
    1.0 - (high - low) / (2.0 * (high - 2.0 * middle + low))
}

/// `‖1ⱼ − α‖²`
fn squares(alpha: &Vector) -> Vector {
    alpha.map(|a| 1.0 - 2.0 * a + alpha.norm_squared())
}

fn mean(losses: &Vector, weights: &Vector) -> f32 {
    weights.dot(losses) / weights.sum()
}
