//! 8.3: REINFORCE.

use super::solutions;
use super::support::alpha;
use shared::Vector;
use tests::exercises::{Exercise, wrong};
use tests::expect;

type Reinforce = fn(&Vector, &[usize], &[f32], f32) -> Vector;

pub const EXERCISE: Exercise<Reinforce> = Exercise {
    check,
    wrong: &[
        wrong("a mean over the looks, not a sum", |alpha, z, losses, b| {
            solutions::reinforce(alpha, z, losses, b) * z.len() as f32
        }),
        wrong(
            "the baseline is subtracted from each loss, not from the gradient",
            |alpha, z, losses, b| solutions::reinforce(alpha, z, losses, 0.0).add_scalar(-b),
        ),
        wrong("the sign: losses are to fall", |alpha, z, losses, b| {
            -solutions::reinforce(alpha, z, losses, b)
        }),
        wrong("the baseline is not subtracted", |alpha, z, losses, _| {
            solutions::reinforce(alpha, z, losses, 0.0)
        }),
        wrong("subtract the baseline", |alpha, z, losses, b| {
            solutions::reinforce(alpha, z, losses, -b)
        }),
        wrong(
            "the looks are drawn from α already: a second α counts probable places twice",
            |alpha, z, losses, b| {
                let one = |k| solutions::reinforce(alpha, &[z[k]], &[losses[k]], b) * alpha[z[k]];
                (0..z.len()).fold(alpha * 0.0, |sum, k| sum + one(k)) / z.len() as f32
            },
        ),
        wrong("the gradient of ln α_z is 1_z − α", |alpha, z, losses, b| {
            solutions::reinforce(&(alpha * 0.0), z, losses, b)
        }),
    ],
};

fn check(reinforce: Reinforce) {
    let alpha = alpha();
    let cases: [(&[usize], &[f32], f32); 3] =
        [(&[2, 0, 2], &[1.1, 0.4, 1.5], 0.7), (&[3], &[3.2], 0.0), (&[1, 1], &[2.0, 0.5], 2.0)];
    for (places, losses, b) in cases {
        let right = solutions::reinforce(&alpha, places, losses, b);
        expect(reinforce(&alpha, places, losses, b), right, 1e-5)
            .of(format!("reinforce(alpha, {places:?}, {losses:?}, {b})"))
            .given("alpha", &alpha)
            .check();
    }
}
