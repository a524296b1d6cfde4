//! 8.6: one baseline for many looks.

use super::solutions;
use super::support::{alpha, exact, expectation, losses};
use shared::Vector;
use tests::exercises::{Exercise, wrong};
use tests::expect;

/// Gradient from alpha, places and their losses.
type Looks = fn(&Vector, &[usize], &[f32]) -> Vector;

const OWN: &str = "each look's baseline contains its own loss, so it is no constant for that look";
const OTHERS: &str = "each look takes the mean loss of all the other looks";

pub const EXERCISE: Exercise<Looks> = Exercise {
    check,
    wrong: &[
        wrong(OWN, |alpha, places, losses| {
            solutions::reinforce(alpha, places, losses, mean(losses))
        }),
        wrong(
            "one look has K − 1 others: divide their losses by K − 1, not by K",
            |alpha, places, losses| {
                with_baselines(alpha, places, losses, |k| {
                    mean(losses) - losses[k] / losses.len() as f32
                })
            },
        ),
        wrong(
            "looks that cost what all cost teach nothing: a baseline leaves nothing of them",
            |alpha, places, losses| solutions::reinforce(alpha, places, losses, 0.0),
        ),
        wrong(OTHERS, |alpha, places, losses| {
            with_baselines(alpha, places, losses, |k| losses[(k + 1) % losses.len()])
        }),
        wrong("the mean, not the sum", |alpha, places, losses| {
            solutions::leave_one_out(alpha, places, losses) * places.len() as f32
        }),
    ],
};

fn check(leave_one_out: Looks) {
    let alpha = alpha();
    let cases: [(&[usize], &[f32]); 3] =
        [(&[3, 0, 1], &[2.0, 1.0, 4.0]), (&[2, 0, 1], &[5.0; 3]), (&[3, 0], &[2.0, 1.0])];
    for (places, losses) in cases {
        let right = solutions::leave_one_out(&alpha, places, losses);
        expect(leave_one_out(&alpha, places, losses), right, 1e-5)
            .of(format!("leave_one_out(alpha, {places:?}, {losses:?})"))
            .given("alpha", &alpha)
            .check();
    }
    // What decided is right: the mean over all outcomes of two looks is the gradient.
    let of = |[s, r]: [usize; 2]| leave_one_out(&alpha, &[s, r], &[losses()[s], losses()[r]]);
    let pairs = expectation(&alpha, |s| expectation(&alpha, |r| of([s, r])));
    expect(pairs, exact(), 1e-5).of("the mean of leave_one_out over all outcomes").check();
}

fn mean(losses: &[f32]) -> f32 {
    losses.iter().sum::<f32>() / losses.len() as f32
}

/// Look k with a baseline of its own.
fn with_baselines(
    alpha: &Vector,
    places: &[usize],
    losses: &[f32],
    baseline: impl Fn(usize) -> f32,
) -> Vector {
    let one = |k| solutions::reinforce(alpha, &[places[k]], &[losses[k]], baseline(k));
    (0..places.len()).fold(alpha * 0.0, |sum, k| sum + one(k)) / places.len() as f32
}
