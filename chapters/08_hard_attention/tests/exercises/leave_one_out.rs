//! 8.6: one baseline for many looks.

use crate::solutions;
use crate::support::{alpha, estimate, exact, expectation, losses};
use shared::Vector;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

/// Gradient from alpha, places and their losses.
type Looks = fn(&Vector, &[usize], &[f32]) -> Vector;

pub fn exercise() -> Exercise<Looks> {
    Exercise {
        number: 6,
        title: "one baseline for many looks",
        kind: Kind::Implement,
        difficulty: 3,
        minutes: 25,
        check,
        wrong: &[
            Wrong { name: "the mean of all looks", hint: "own loss", answer: mean_of_all },
            Wrong {
                name: "stretched the wrong way",
                hint: "",
                answer: |alpha, places, losses| {
                    let count = places.len() as f32;
                    mean_of_all(alpha, places, losses) * (count - 1.0) / count
                },
            },
            Wrong {
                name: "divided by K",
                hint: "divide their losses by K − 1",
                answer: divided_by_all,
            },
            Wrong {
                name: "no baseline",
                hint: "less noisy",
                answer: |alpha, places, losses| estimate(alpha, places, losses, 0.0),
            },
            Wrong {
                name: "the next look alone",
                hint: "mean loss of all the other looks",
                answer: next_look,
            },
            Wrong {
                name: "the cheapest of the others",
                hint: "mean loss of all the other looks",
                answer: cheapest_other,
            },
            Wrong {
                name: "the sum of the estimates",
                hint: "not their sum",
                answer: |alpha, places, losses| {
                    solutions::leave_one_out(alpha, places, losses) * places.len() as f32
                },
            },
        ],
    }
}

fn check(leave_one_out: Looks) {
    check_means(leave_one_out);
    // Baselines 2.5, 3 and 1.5; they leave −0.5, −2 and 2.5, whose sum is 0, so α drops out.
    let (alpha, places, losses) = (alpha(), [3, 0, 1], [2.0, 1.0, 4.0]);
    let others = "each look takes the mean loss of all the other looks";
    let right = [-2.0 / 3.0, 2.5 / 3.0, 0.0, -0.5 / 3.0];
    expect(leave_one_out(&alpha, &places, &losses), right, 1e-5)
        .of("leave_one_out(alpha, [3, 0, 1], [2, 1, 4])")
        .or_hint(next_look(&alpha, &places, &losses), others)
        .or_hint(cheapest_other(&alpha, &places, &losses), others)
        .check();
}

fn divided_by_all(alpha: &Vector, places: &[usize], losses: &[f32]) -> Vector {
    let sum: f32 = losses.iter().sum();
    with_baselines(alpha, places, losses, |k| (sum - losses[k]) / losses.len() as f32)
}

fn next_look(alpha: &Vector, places: &[usize], losses: &[f32]) -> Vector {
    with_baselines(alpha, places, losses, |k| losses[(k + 1) % losses.len()])
}

fn cheapest_other(alpha: &Vector, places: &[usize], losses: &[f32]) -> Vector {
    let others = |k: usize| losses.iter().enumerate().filter(move |(other, _)| *other != k);
    let cheapest = |k: usize| others(k).fold(f32::MAX, |least, (_, l)| least.min(*l));
    with_baselines(alpha, places, losses, cheapest)
}

/// Look k with a baseline of its own.
fn with_baselines(
    alpha: &Vector,
    places: &[usize],
    losses: &[f32],
    baseline: impl Fn(usize) -> f32,
) -> Vector {
    let one = |k: usize| estimate(alpha, &[places[k]], &[losses[k]], baseline(k));
    (0..places.len()).fold(alpha * 0.0, |sum, k| sum + one(k)) / places.len() as f32
}

/// Wrong: the baseline of a look contains its own loss.
fn mean_of_all(alpha: &Vector, places: &[usize], losses: &[f32]) -> Vector {
    estimate(alpha, places, losses, losses.iter().sum::<f32>() / losses.len() as f32)
}

/// Two and three looks: the mean over all their outcomes, and the value itself.
fn check_means(leave_one_out: Looks) {
    let (alpha, losses) = (alpha(), losses());
    let of = |places: &[usize]| {
        let losses: Vec<f32> = places.iter().map(|s| losses[*s]).collect();
        leave_one_out(&alpha, places, &losses)
    };
    let pairs = expectation(&alpha, |s| expectation(&alpha, |r| of(&[s, r])));
    expect(pairs, exact(), 1e-5)
        .of("the mean of leave_one_out over all outcomes of two looks, which should be the gradient")
        .or_hint(
            exact() * 0.5,
            "half of what it should be: each look's baseline contains its own loss, so it is no constant \
             for that look",
        )
        .or_hint(exact() * 2.0, "the mean of the two estimates, not their sum")
        .check();
    let triples =
        expectation(&alpha, |s| expectation(&alpha, |r| expectation(&alpha, |t| of(&[s, r, t]))));
    expect(triples, exact(), 1e-5)
        .of("the mean of leave_one_out over all outcomes of three looks")
        .or_hint(exact() * (2.0 / 3.0), "two thirds of what it should be: own loss")
        .check();
    // Looks that cost the same tell nothing.
    let found = leave_one_out(&alpha, &[2, 0, 1], &[5.0, 5.0, 5.0]);
    expect(found, [0.0; 4], 1e-5)
        .of("leave_one_out(alpha, [2, 0, 1], [5, 5, 5])")
        .given("alpha", &alpha)
        .or_hint(
            divided_by_all(&alpha, &[2, 0, 1], &[5.0; 3]),
            "one look has K − 1 others: divide their losses by K − 1, not by K",
        )
        .or_hint(
            estimate(&alpha, &[2, 0, 1], &[5.0; 3], 0.0),
            "all went as expected: a baseline that makes estimates less noisy leaves nothing",
        )
        .check();
    let found = leave_one_out(&alpha, &[3, 0], &[2.0, 1.0]); // ½·(e₃ − α)(2 − 1) + ½·(e₀ − α)(1 − 2)
    expect(found, [-0.5, 0.0, 0.0, 0.5], 1e-5).of("leave_one_out(alpha, [3, 0], [2, 1])").check();
}
