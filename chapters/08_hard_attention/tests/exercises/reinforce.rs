//! 8.3: REINFORCE.

use crate::support::{self, alpha, estimate, exact, expectation};
use shared::Vector;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type Reinforce = fn(&Vector, &[usize], &[f32], f32) -> Vector;

pub fn exercise() -> Exercise<Reinforce> {
    Exercise {
        number: 3,
        title: "REINFORCE",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "the sum instead of the mean",
                hint: "mean",
                answer: |alpha, places, losses, b| {
                    estimate(alpha, places, losses, b) * places.len() as f32
                },
            },
            Wrong {
                name: "divided by the number of places",
                hint: "the number of looks",
                answer: divided_by_places,
            },
            Wrong {
                name: "the baseline subtracted from the gradient",
                hint: "from each loss",
                answer: |alpha, places, losses, b| {
                    estimate(alpha, places, losses, 0.0).add_scalar(-b)
                },
            },
            Wrong {
                name: "a reward, not a loss",
                hint: "sign",
                answer: |alpha, places, losses, b| -estimate(alpha, places, losses, b),
            },
            Wrong {
                name: "no baseline",
                hint: "baseline",
                answer: |alpha, places, losses, _| estimate(alpha, places, losses, 0.0),
            },
            Wrong {
                name: "the baseline is added",
                hint: "the baseline is added",
                answer: |alpha, places, losses, b| estimate(alpha, places, losses, -b),
            },
            Wrong {
                name: "the places' probabilities as weights",
                hint: "already",
                answer: weighted_by_alpha,
            },
            Wrong {
                name: "1_z without α",
                hint: "1_z − α",
                answer: |alpha, places, losses, b| estimate(&(alpha * 0.0), places, losses, b),
            },
        ],
    }
}

fn check(reinforce: Reinforce) {
    let (alpha, places, losses, b) = (alpha(), [2, 0, 2], [1.1, 0.4, 1.5], 0.7);
    let right = estimate(&alpha, &places, &losses, b);
    expect(reinforce(&alpha, &places, &losses, b), &right, 1e-5)
        .of("reinforce(alpha, [2, 0, 2], [1.1, 0.4, 1.5], 0.7)")
        .given("alpha", &alpha)
        .or_hint(&right * 3.0, "the mean over the looks, not the sum")
        .or_hint(-&right, "the sign: losses are to fall, rewards would be to rise")
        .or_hint(
            divided_by_places(&alpha, &places, &losses, b),
            "the mean is over the looks: divide by the number of looks, not of places",
        )
        .or_hint(
            estimate(&alpha, &places, &losses, 0.0).add_scalar(-b),
            "the baseline is subtracted from each loss, not from the gradient",
        )
        .or_hint(estimate(&alpha, &places, &losses, -b), "the baseline is added, not subtracted")
        .or_hint(
            estimate(&(&alpha * 0.0), &places, &losses, b),
            "the gradient of ln α_z is 1_z − α: the other scores count too",
        )
        .or_hint(estimate(&alpha, &places, &losses, 0.0), "the baseline is not subtracted")
        .or_hint(
            weighted_by_alpha(&alpha, &places, &losses, b),
            "the looks are drawn from α already: a second α counts probable places twice",
        )
        .check();
    // The mean over all looks is the enumerated gradient, whatever the baseline.
    let losses = support::losses();
    for b in [0.0, 2.0] {
        let all = expectation(&alpha, |s| reinforce(&alpha, &[s], &[losses[s]], b));
        expect(all, exact(), 1e-5)
            .of(format!("the mean of reinforce over all looks, baseline {b}"))
            .check();
    }
}

fn divided_by_places(alpha: &Vector, places: &[usize], losses: &[f32], b: f32) -> Vector {
    estimate(alpha, places, losses, b) * (places.len() as f32 / alpha.len() as f32)
}

fn weighted_by_alpha(alpha: &Vector, places: &[usize], losses: &[f32], b: f32) -> Vector {
    let one = |(s, l): (&usize, &f32)| estimate(alpha, &[*s], &[*l], b) * alpha[*s];
    places.iter().zip(losses).map(one).fold(alpha * 0.0, |sum, x| sum + x) / places.len() as f32
}
