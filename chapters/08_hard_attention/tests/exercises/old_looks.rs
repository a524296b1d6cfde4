//! 8.7: looks of yesterday.

use crate::solutions;
use crate::support::{alpha, estimate, exact, expectation, losses};
use shared::Vector;
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

type OldLooks = fn(&Vector, &Vector, usize, f32, f32) -> Vector;

pub fn exercise() -> Exercise<OldLooks> {
    Exercise {
        number: 7,
        title: "spot the bug: looks of yesterday",
        kind: Kind::SpotTheBug,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong { name: ORIGINAL_BUG, hint: "the baseline was not weighted", answer: loss_alone },
            Wrong {
                name: "no weight at all",
                hint: "as if it had been drawn from alpha",
                answer: |alpha, _, place, loss, b| estimate(alpha, &[place], &[loss], b),
            },
            Wrong {
                name: "the weight turned over",
                hint: "",
                answer: |alpha, drawn_from, place, loss, b| {
                    estimate(alpha, &[place], &[loss], b) * (drawn_from[place] / alpha[place])
                },
            },
            Wrong {
                name: "the score of the old alignment",
                hint: "",
                answer: |alpha, drawn_from, place, loss, b| {
                    estimate(drawn_from, &[place], &[loss], b) * (alpha[place] / drawn_from[place])
                },
            },
            Wrong {
                name: "the baseline left out",
                hint: "less noisy",
                answer: |alpha, drawn_from, place, loss, _| {
                    solutions::from_old_looks(alpha, drawn_from, place, loss, 0.0)
                },
            },
            Wrong {
                name: "the weight cut off at 1",
                hint: "",
                answer: |alpha, drawn_from, place, loss, b| {
                    let weight = (alpha[place] / drawn_from[place]).min(1.0);
                    estimate(alpha, &[place], &[loss], b) * weight
                },
            },
        ],
    }
}

fn check(from_old_looks: OldLooks) {
    let (alpha, losses) = (alpha(), losses());
    let old = Vector::from_column_slice(&[0.1, 0.4, 0.2, 0.3]);
    for b in [0.0, 1.5] {
        let mean = |f: OldLooks| expectation(&old, |s| f(&alpha, &old, s, losses[s], b));
        let not_weighted = |_: &Vector, _: &Vector, s: usize, loss: f32, b: f32| {
            estimate(&alpha, &[s], &[loss], b)
        };
        let expected = expect(mean(from_old_looks), exact(), 1e-5)
            .of(format!(
                "the mean of from_old_looks, baseline {b}, over places drawn from drawn_from, which should \
                 be the gradient under alpha"
            ))
            .given("alpha", &alpha)
            .given("drawn_from", &old)
            .or_hint(
                expectation(&old, |s| not_weighted(&alpha, &old, s, losses[s], b)),
                "as if it had been drawn from alpha: a place drawn more often than alpha would counts less",
            );
        if b == 0.0 {
            expected.check(); // without a baseline the original bug is none
        } else {
            let hint = "right without a baseline: the baseline was not weighted";
            expected.or_hint(mean(loss_alone), hint).check();
        }
    }
    // Looks that cost what was expected tell nothing.
    let found = from_old_looks(&alpha, &old, 2, 5.0, 5.0);
    expect(found, [0.0; 4], 1e-5)
        .of("from_old_looks(alpha, drawn_from, 2, 5, 5)")
        .given("alpha", &alpha)
        .given("drawn_from", &old)
        .or_hint(
            solutions::from_old_looks(&alpha, &old, 2, 5.0, 0.0),
            "it all went as expected: a baseline that makes estimates less noisy leaves nothing",
        )
        .check();
}

/// The function as the exercise gives it.
fn loss_alone(alpha: &Vector, drawn_from: &Vector, place: usize, loss: f32, b: f32) -> Vector {
    estimate(alpha, &[place], &[alpha[place] / drawn_from[place] * loss], b)
}
