//! 8.8: a loss that is its own teacher.

use crate::support::softmax;
use nalgebra::DMatrix;
use shared::Vector;
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::{expect, finite_difference};

type GradientOfW = fn(f32, &Vector, &Vector, f32, usize, f32) -> f32;

pub fn exercise() -> Exercise<GradientOfW> {
    Exercise {
        number: 8,
        title: "spot the bug: a loss that is its own teacher",
        kind: Kind::SpotTheBug,
        difficulty: 3,
        minutes: 15,
        check,
        wrong: &[
            Wrong { name: ORIGINAL_BUG, hint: "reader's route", answer: through_the_surrogate },
            Wrong {
                name: "the reader's route cut",
                hint: "as if the reader did not learn",
                answer: looking_only,
            },
            Wrong {
                name: "the looking's route cut",
                hint: "as if nobody learned where to look",
                answer: reading_only,
            },
            Wrong {
                name: "the reader's route times α_z",
                hint: "drawn from α already",
                answer: reading_weighted,
            },
            Wrong {
                name: "the looking's route times α_z",
                hint: "drawn from α already",
                answer: looking_weighted,
            },
            Wrong {
                name: "both routes times α_z",
                hint: "drawn from α already",
                answer: |w, k, v, y, s, b| one_look(w, k, v, y, s, b) * alpha_s(w, k, s),
            },
            Wrong {
                name: "no baseline",
                hint: "the baseline",
                answer: |w, k, v, y, s, _| one_look(w, k, v, y, s, 0.0),
            },
            Wrong {
                name: "a softmax without the maximum",
                hint: "subtract the largest score",
                answer: |w, k, v, y, s, b| {
                    let exponentials = (w * k).map(f32::exp);
                    let alpha = &exponentials / exponentials.sum();
                    let error = w * v[s] - y;
                    (error * error - b) * (k[s] - alpha.dot(k)) + 2.0 * error * v[s]
                },
            },
            Wrong {
                name: "the baseline is added",
                hint: "the baseline",
                answer: |w, k, v, y, s, b| one_look(w, k, v, y, s, -b),
            },
        ],
    }
}

fn check(gradient_of_w: GradientOfW) {
    let keys = Vector::from_column_slice(&[0.5, -1.0, 2.0]);
    let values = Vector::from_column_slice(&[1.0, -0.5, 0.3]);
    let (w, y) = (0.7_f32, 0.4_f32);
    let expected = |w: &DMatrix<f64>| {
        let e = keys.map(|k| (w[0] * f64::from(k)).exp());
        let loss = values.map(|v| (w[0] * f64::from(v) - f64::from(y)).powi(2));
        e.dot(&loss) / e.sum()
    };
    let right = finite_difference(expected, DMatrix::from_element(1, 1, w))[0];
    let alpha = softmax(&(w * &keys));
    for b in [0.0, 0.5] {
        let mean = |f: GradientOfW| -> f64 {
            (0..3).map(|s| f64::from(alpha[s]) * f64::from(f(w, &keys, &values, y, s, b))).sum()
        };
        let drawn = "the look is drawn from α already: a second α_z counts probable places twice";
        expect(mean(gradient_of_w), right, 1e-5)
            .of(format!(
                "the mean of gradient_of_w(0.7, keys, values, 0.4, s, {b}) over all looks, which should be \
                 dJ/dw"
            ))
            .given("keys", &keys)
            .given("values", &values)
            .or_hint(
                mean(through_the_surrogate),
                "the reader's route was multiplied with ln α_z, but J contains ℓ_z, not ℓ_z·ln α_z",
            )
            .or_hint(mean(looking_only), "as if the reader did not learn")
            .or_hint(mean(reading_only), "as if nobody learned where to look")
            .or_hint(mean(reading_weighted), drawn)
            .or_hint(mean(looking_weighted), drawn)
            .or_hint(
                mean(|w, k, v, y, s, b| one_look(w, k, v, y, s, b) * alpha_s(w, k, s)),
                drawn,
            )
            .check();
        for s in 0..3 {
            let found = gradient_of_w(w, &keys, &values, y, s, b);
            let right = one_look(w, &keys, &values, y, s, b);
            assert!(
                (found - right).abs() < 1e-5,
                "right on average, but one look at place {s} gives {found:.5} instead of {right:.5} \
                 with b = {b}\nhint: the baseline is subtracted from the loss of this look"
            );
        }
    }
    check_large(gradient_of_w);
}

/// Keys so large that a softmax has to subtract its largest score.
fn check_large(gradient_of_w: GradientOfW) {
    let keys = Vector::from_column_slice(&[300.0, -300.0, 298.0]);
    let values = Vector::from_column_slice(&[1.0, -0.5, 0.3]);
    for s in 0..3 {
        let found = gradient_of_w(1.0, &keys, &values, 0.4, s, 0.5);
        let right = one_look(1.0, &keys, &values, 0.4, s, 0.5);
        assert!(
            (found - right).abs() < 1e-3 * right.abs().max(1.0),
            "with the keys 300, -300 and 298 one look at place {s} gives {found} instead of {right}\n\
             hint: subtract the largest score before you exponentiate"
        );
    }
}

/// Right.
fn one_look(w: f32, keys: &Vector, values: &Vector, y: f32, s: usize, b: f32) -> f32 {
    let [loss, dloss, dln_alpha, _] = parts(w, keys, values, y, s);
    (loss - b) * dln_alpha + dloss
}

fn through_the_surrogate(w: f32, keys: &Vector, values: &Vector, y: f32, s: usize, b: f32) -> f32 {
    let [loss, dloss, dln_alpha, ln_alpha] = parts(w, keys, values, y, s);
    (loss - b) * dln_alpha + dloss * ln_alpha
}

fn looking_only(w: f32, keys: &Vector, values: &Vector, y: f32, s: usize, b: f32) -> f32 {
    let [loss, _, dln_alpha, _] = parts(w, keys, values, y, s);
    (loss - b) * dln_alpha
}

fn reading_only(w: f32, keys: &Vector, values: &Vector, y: f32, s: usize, _: f32) -> f32 {
    parts(w, keys, values, y, s)[1]
}

fn reading_weighted(w: f32, keys: &Vector, values: &Vector, y: f32, s: usize, b: f32) -> f32 {
    looking_only(w, keys, values, y, s, b)
        + alpha_s(w, keys, s) * reading_only(w, keys, values, y, s, b)
}

fn looking_weighted(w: f32, keys: &Vector, values: &Vector, y: f32, s: usize, b: f32) -> f32 {
    alpha_s(w, keys, s) * looking_only(w, keys, values, y, s, b)
        + reading_only(w, keys, values, y, s, b)
}

fn alpha_s(w: f32, keys: &Vector, s: usize) -> f32 {
    softmax(&(w * keys))[s]
}

/// Loss, its derivative, that of ln α_z, and ln α_z.
fn parts(w: f32, keys: &Vector, values: &Vector, y: f32, s: usize) -> [f32; 4] {
    let alpha = softmax(&(w * keys));
    let error = w * values[s] - y;
    [error * error, 2.0 * error * values[s], keys[s] - alpha.dot(keys), alpha[s].ln()]
}
