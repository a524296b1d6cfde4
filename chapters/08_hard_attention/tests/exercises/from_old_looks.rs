//! 8.7: looks of yesterday.

use super::solutions::{from_old_looks, reinforce};
use super::support::{alpha, exact, expectation, losses};
use shared::Vector;
use tests::exercises::{Exercise, bug, unhinted, wrong};
use tests::expect;

type OldLooks = fn(&Vector, &Vector, usize, f32, f32) -> Vector;

pub const EXERCISE: Exercise<OldLooks> = Exercise {
    check,
    wrong: &[
        bug("right without a baseline: the baseline was not weighted", |alpha, old, z, loss, b| {
            reinforce(alpha, &[z], &[alpha[z] / old[z] * loss], b)
        }),
        wrong(
            "as if it had been drawn from alpha: a place drawn more often than alpha would counts less",
            |alpha, _, z, loss, b| reinforce(alpha, &[z], &[loss], b),
        ),
        wrong("what is drawn too often counts less", |alpha, old, z, loss, b| {
            reinforce(alpha, &[z], &[loss], b) * (old[z] / alpha[z])
        }),
        unhinted("the score of the old alignment", |alpha, old, z, loss, b| {
            reinforce(old, &[z], &[loss], b) * (alpha[z] / old[z])
        }),
        wrong(
            "it all went as expected: a baseline that makes estimates less noisy leaves nothing",
            |alpha, old, z, loss, _| from_old_looks(alpha, old, z, loss, 0.0),
        ),
        unhinted("the weight cut off at 1", |alpha, old, z, loss, b| {
            reinforce(alpha, &[z], &[loss], b) * (alpha[z] / old[z]).min(1.0)
        }),
    ],
};

fn check(from_old_looks: OldLooks) {
    let (alpha, losses) = (alpha(), losses());
    let old = Vector::from_column_slice(&[0.1, 0.4, 0.2, 0.3]);
    let mean = |b| expectation(&old, |z| from_old_looks(&alpha, &old, z, losses[z], b));
    let of_mean =
        "the mean over places drawn from drawn_from, which should be the gradient under alpha";
    for (found, right, of) in [
        (mean(0.0), exact(), format!("baseline 0: {of_mean}")),
        (mean(1.5), exact(), format!("baseline 1.5: {of_mean}")),
        // Looks that cost what was expected teach nothing.
        (
            from_old_looks(&alpha, &old, 2, 5.0, 5.0),
            &alpha * 0.0,
            "from_old_looks(alpha, drawn_from, 2, 5, 5)".into(),
        ),
    ] {
        expect(found, right, 1e-5).of(of).given("alpha", &alpha).given("drawn_from", &old).check();
    }
}
