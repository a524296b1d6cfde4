//! What the exercises of chapter 8 must do, and typical mistakes that the checks must reject.
//!
//! There are only m looks, so whether an estimate is unbiased is decided by a finite sum: no check
//! draws at random.

use nalgebra::DMatrix;
use shared::Vector;
use tests::exercises::{Exercise, Kind, Mistake, ORIGINAL_BUG, Suite};
use tests::{expect, finite_difference};

use crate::attempt;

mod wrong;

/// One field an exercise.
#[derive(Clone, Copy)]
pub struct Table {
    pub place: fn(&[f32], f32) -> usize,
    pub score_function: fn(&Vector, usize) -> Vector,
    pub reinforce: fn(&Vector, &[usize], &[f32], f32) -> Vector,
    pub optimal_baseline: fn(&Vector, &Vector) -> f32,
    pub entropy_gradient: fn(&Vector) -> Vector,
    pub leave_one_out: fn(&Vector, &[usize], &[f32]) -> Vector,
    pub better_than_average: fn(&Vector, &[usize], &[f32]) -> Vector,
    pub gradient_of_w: fn(f32, &Vector, &Vector, f32, usize, f32) -> f32,
}

/// The functions of the module that this test program calls `attempt`: exercises or solutions.
pub fn table() -> Table {
    Table {
        place: attempt::place,
        score_function: attempt::score_function,
        reinforce: attempt::reinforce,
        optimal_baseline: attempt::optimal_baseline,
        entropy_gradient: attempt::entropy_gradient,
        leave_one_out: attempt::leave_one_out,
        better_than_average: attempt::better_than_average,
        gradient_of_w: attempt::gradient_of_w,
    }
}

pub fn suite() -> Suite<Table> {
    let suite = Suite::new(env!("CARGO_MANIFEST_DIR"));
    let suite = suite.exercise(first()).exercise(second()).exercise(third()).exercise(fourth());
    suite.exercise(fifth()).exercise(sixth()).exercise(seventh()).exercise(eighth())
}

fn first() -> Exercise<Table> {
    Exercise {
        number: 1,
        title: "draw a place",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 10,
        check: place,
        mistakes: &[
            Mistake {
                name: "the most probable place",
                hint: "u = 0)",
                apply: |table| table.place = wrong::most_probable,
            },
            Mistake {
                name: "the place whose weight exceeds u",
                hint: "",
                apply: |table| table.place = wrong::weight_above_u,
            },
            Mistake {
                name: "one place too far",
                hint: "",
                apply: |table| table.place = wrong::one_too_far,
            },
            Mistake {
                name: "zero weights can be picked",
                hint: "u = 0.125",
                apply: |table| table.place = wrong::reaches_u,
            },
            Mistake {
                name: "the last place when the sum falls short",
                hint: "fall short of 1",
                apply: |table| table.place = wrong::last_of_all,
            },
            Mistake {
                name: "panics when the sum falls short",
                hint: "",
                apply: |table| table.place = wrong::no_rest,
            },
            Mistake {
                name: "the weights scaled to a sum of 1",
                hint: "count as they are",
                apply: |table| table.place = wrong::scaled,
            },
            Mistake {
                name: "the rest to the most probable place",
                hint: "fall short of 1",
                apply: |table| table.place = wrong::rest_to_the_largest,
            },
            Mistake { name: "always the first", hint: "", apply: |table| table.place = |_, _| 0 },
        ],
    }
}

fn second() -> Exercise<Table> {
    Exercise {
        number: 2,
        title: "the score function of a softmax",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 15,
        check: score_function,
        mistakes: &[
            Mistake {
                name: "the gradient of α instead of its logarithm",
                hint: "gradient of α_s, not of ln α_s",
                apply: |table| table.score_function = wrong::gradient_of_alpha,
            },
            Mistake {
                name: "one over α",
                hint: "",
                apply: |table| table.score_function = wrong::one_over_alpha,
            },
            Mistake {
                name: "the other way round",
                hint: "sign",
                apply: |table| table.score_function = |x, s| -wrong::score(x, s),
            },
            Mistake {
                name: "only the drawn place",
                hint: "every score",
                apply: |table| table.score_function = wrong::only_the_place,
            },
            Mistake {
                name: "unstable exponent",
                hint: "NaN",
                apply: |table| table.score_function = wrong::unstable_score,
            },
            Mistake {
                name: "the drawn score subtracted instead of the largest",
                hint: "NaN",
                apply: |table| table.score_function = wrong::drawn_score_first,
            },
            Mistake {
                name: "the gradient of α_s divided by α_s",
                hint: "NaN",
                apply: |table| table.score_function = wrong::over_alpha,
            },
            Mistake {
                name: "zeros",
                hint: "",
                apply: |table| table.score_function = |x, _| x * 0.0,
            },
        ],
    }
}

fn third() -> Exercise<Table> {
    Exercise {
        number: 3,
        title: "REINFORCE",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check: reinforce,
        mistakes: &[
            Mistake {
                name: "the sum instead of the mean",
                hint: "mean",
                apply: |table| {
                    table.reinforce = |a, p, l, b| wrong::mean(a, p, l, b) * p.len() as f32
                },
            },
            Mistake {
                name: "a reward, not a loss",
                hint: "sign",
                apply: |table| table.reinforce = |a, p, l, b| -wrong::mean(a, p, l, b),
            },
            Mistake {
                name: "no baseline",
                hint: "baseline",
                apply: |table| table.reinforce = |a, p, l, _| wrong::mean(a, p, l, 0.0),
            },
            Mistake {
                name: "the baseline is added",
                hint: "",
                apply: |table| table.reinforce = |a, p, l, b| wrong::mean(a, p, l, -b),
            },
            Mistake {
                name: "the places' probabilities as weights",
                hint: "already",
                apply: |table| table.reinforce = wrong::weighted_by_alpha,
            },
            Mistake {
                name: "e_s without α",
                hint: "",
                apply: |table| table.reinforce = wrong::without_alpha,
            },
        ],
    }
}

fn fourth() -> Exercise<Table> {
    Exercise {
        number: 4,
        title: "the best constant",
        kind: Kind::Derive,
        difficulty: 3,
        minutes: 30,
        check: optimal_baseline,
        mistakes: &[
            Mistake {
                name: "the expected loss",
                hint: "expected loss",
                apply: |table| table.optimal_baseline = |a, l| a.dot(l),
            },
            Mistake {
                name: "the mean over the places",
                hint: "",
                apply: |table| table.optimal_baseline = |_, l| l.mean(),
            },
            Mistake {
                name: "lengths instead of square lengths",
                hint: "",
                apply: |table| table.optimal_baseline = wrong::by_length,
            },
            Mistake {
                name: "only the entry of the place itself",
                hint: "",
                apply: |table| table.optimal_baseline = wrong::own_entry,
            },
            Mistake {
                name: "not divided by the weights",
                hint: "",
                apply: |table| table.optimal_baseline = wrong::not_divided,
            },
            Mistake {
                name: "divided by a weight of 0",
                hint: "NaN",
                apply: |table| table.optimal_baseline = wrong::over_weight,
            },
            Mistake { name: "none", hint: "", apply: |table| table.optimal_baseline = |_, _| 0.0 },
        ],
    }
}

fn fifth() -> Exercise<Table> {
    Exercise {
        number: 5,
        title: "the gradient of the entropy",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 20,
        check: entropy_gradient,
        mistakes: &[
            Mistake {
                name: "with respect to the weights",
                hint: "with respect to α",
                apply: |table| table.entropy_gradient = wrong::with_respect_to_alpha,
            },
            Mistake {
                name: "the other way round",
                hint: "flatter",
                apply: |table| table.entropy_gradient = |s| -wrong::entropy_gradient(s),
            },
            Mistake {
                name: "H forgotten",
                hint: "",
                apply: |table| table.entropy_gradient = wrong::without_h,
            },
            Mistake {
                name: "the logarithm of zero",
                hint: "NaN",
                apply: |table| table.entropy_gradient = wrong::entropy_gradient,
            },
            Mistake {
                name: "zeros",
                hint: "",
                apply: |table| table.entropy_gradient = |s| s * 0.0,
            },
        ],
    }
}

fn sixth() -> Exercise<Table> {
    Exercise {
        number: 6,
        title: "one baseline for many looks",
        kind: Kind::Implement,
        difficulty: 3,
        minutes: 25,
        check: leave_one_out,
        mistakes: &[
            Mistake {
                name: "the mean of all looks",
                hint: "own loss",
                apply: |table| table.leave_one_out = wrong::mean_of_all,
            },
            Mistake {
                name: "divided by K",
                hint: "",
                apply: |table| table.leave_one_out = wrong::others_over_k,
            },
            Mistake {
                name: "no baseline",
                hint: "",
                apply: |table| table.leave_one_out = |a, p, l| wrong::mean(a, p, l, 0.0),
            },
            Mistake {
                name: "the next look alone",
                hint: "mean loss of all the other looks",
                apply: |table| table.leave_one_out = wrong::next_look,
            },
            Mistake {
                name: "the cheapest of the others",
                hint: "mean loss of all the other looks",
                apply: |table| table.leave_one_out = wrong::cheapest_other,
            },
            Mistake {
                name: "the sum of the estimates",
                hint: "",
                apply: |table| {
                    table.leave_one_out = |a, p, l| wrong::others(a, p, l) * p.len() as f32;
                },
            },
        ],
    }
}

fn seventh() -> Exercise<Table> {
    Exercise {
        number: 7,
        title: "spot the bug: better than average",
        kind: Kind::SpotTheBug,
        difficulty: 2,
        minutes: 10,
        check: better_than_average,
        mistakes: &[
            Mistake {
                name: ORIGINAL_BUG,
                hint: "own loss",
                apply: |table| table.better_than_average = wrong::mean_of_all,
            },
            Mistake {
                name: "unbiased, but without a baseline",
                hint: "less noisy",
                apply: |table| table.better_than_average = |a, p, l| wrong::mean(a, p, l, 0.0),
            },
            Mistake {
                name: "stretched the wrong way",
                hint: "",
                apply: |table| {
                    table.better_than_average = |a, p, l| {
                        wrong::mean_of_all(a, p, l) * (p.len() as f32 - 1.0) / p.len() as f32
                    };
                },
            },
        ],
    }
}

fn eighth() -> Exercise<Table> {
    Exercise {
        number: 8,
        title: "spot the bug: a loss that is its own teacher",
        kind: Kind::SpotTheBug,
        difficulty: 3,
        minutes: 15,
        check: gradient_of_w,
        mistakes: &[
            Mistake {
                name: ORIGINAL_BUG,
                hint: "reader's route",
                apply: |table| table.gradient_of_w = wrong::through_the_surrogate,
            },
            Mistake {
                name: "the reader's route cut",
                hint: "as if the reader did not learn",
                apply: |table| table.gradient_of_w = wrong::looking_only,
            },
            Mistake {
                name: "the looking's route cut",
                hint: "as if nobody learned where to look",
                apply: |table| table.gradient_of_w = wrong::reading_only,
            },
            Mistake {
                name: "no baseline",
                hint: "the baseline",
                apply: |table| {
                    table.gradient_of_w = |w, k, v, y, s, _| wrong::one_look(w, k, v, y, s, 0.0);
                },
            },
            Mistake {
                name: "the baseline is added",
                hint: "the baseline",
                apply: |table| {
                    table.gradient_of_w = |w, k, v, y, s, b| wrong::one_look(w, k, v, y, s, -b);
                },
            },
        ],
    }
}

// The checks.

fn place(table: &Table) {
    let alpha = [0.125, 0.0, 0.5, 0.375];
    let cases = [(0.0, 0), (0.1, 0), (0.125, 2), (0.4, 2), (0.62, 2), (0.625, 3), (0.99, 3)];
    for (u, right) in cases {
        let found = (table.place)(&alpha, u);
        assert!(
            alpha.get(found).is_some_and(|weight| *weight > 0.0),
            "place({alpha:?}, {u}) is {found}, a place of weight 0"
        );
        assert!(found == right, "place({alpha:?}, u = {u}) is {found}, it should be {right}");
    }
    // Beginning and end without weight; and a sum that falls short.
    let alpha = [0.0, 0.25, 0.749, 0.0];
    let short = "weights may fall short of 1, and count as they are; one of 0 is never picked";
    for (u, right) in [(0.0, 1), (0.3, 2), (0.9995, 2), (0.25, 2)] {
        let found = (table.place)(&alpha, u);
        assert!(
            found == right,
            "place({alpha:?}, u = {u}) is {found}, it should be {right}: {short}"
        );
    }
    let alpha = [0.749, 0.25];
    let found = (table.place)(&alpha, 0.9995);
    assert!(
        found == 1,
        "place({alpha:?}, u = 0.9995) is {found}, it should be 1: when weights fall short of 1, the last \
         place gets the rest"
    );
}

/// Uneven scores, and their softmax.
fn scores() -> Vector {
    Vector::from_column_slice(&[0.3, -1.2, 1.1, 0.2])
}

fn alpha() -> Vector {
    wrong::softmax(&scores())
}

fn losses() -> Vector {
    Vector::from_column_slice(&[0.4, 2.0, 1.1, 3.2])
}

fn ln_alpha(scores: &DMatrix<f64>, s: usize) -> f64 {
    scores[s] - scores.map(f64::exp).sum().ln()
}

fn score_function(table: &Table) {
    let x = scores();
    let column = DMatrix::from_column_slice(4, 1, x.as_slice());
    for s in 0..4 {
        let right = finite_difference(|x| ln_alpha(x, s), &column);
        expect((table.score_function)(&x, s), &right, 1e-5)
            .of(format!("score_function(scores, {s})"))
            .given("scores", &column)
            .or_hint(wrong::gradient_of_alpha(&x, s), "this is the gradient of α_s, not of ln α_s")
            .or_hint(-wrong::score(&x, s), "the sign: raising score s makes place s more probable")
            .or_hint(
                wrong::only_the_place(&x, s),
                "ln α_s depends on every score: raising another one takes probability away",
            )
            .check();
    }
    let large = Vector::from_column_slice(&[-1000.0, 1000.0, 999.0]);
    for s in 0..3 {
        let found = (table.score_function)(&large, s);
        assert!(
            found.iter().all(|x| x.is_finite()),
            "score_function([-1000, 1000, 999], {s}) is {found}NaN or infinity: subtract the largest score \
             first, and do not divide by α"
        );
        let mut right = Vector::from_column_slice(&[0.0, -0.731_058_6, -0.268_941_4]);
        right[s] += 1.0;
        expect(found, right, 1e-5).of(format!("score_function([-1000, 1000, 999], {s})")).check();
    }
}

fn reinforce(table: &Table) {
    let (alpha, places, losses, b) = (alpha(), [2, 0, 2], [1.1, 0.4, 1.5], 0.7);
    let right = wrong::mean(&alpha, &places, &losses, b);
    expect((table.reinforce)(&alpha, &places, &losses, b), &right, 1e-5)
        .of("reinforce(alpha, [2, 0, 2], [1.1, 0.4, 1.5], 0.7)")
        .given("alpha", &alpha)
        .or_hint(&right * 3.0, "the mean over the looks, not the sum")
        .or_hint(-&right, "the sign: losses are to fall, rewards would be to rise")
        .or_hint(wrong::mean(&alpha, &places, &losses, 0.0), "the baseline is not subtracted")
        .or_hint(
            wrong::weighted_by_alpha(&alpha, &places, &losses, b),
            "the looks are drawn from α already: a second α counts probable places twice",
        )
        .check();
    // The mean over all looks is the enumerated gradient, whatever the baseline.
    for b in [0.0, 2.0] {
        let all = expectation(&alpha, |s| (table.reinforce)(&alpha, &[s], &[self::losses()[s]], b));
        expect(all, exact(), 1e-5)
            .of(format!("the mean of reinforce over all looks, baseline {b}"))
            .check();
    }
}

fn optimal_baseline(table: &Table) {
    let column = Vector::from_column_slice;
    for (alpha, losses) in [
        (alpha(), losses()),
        (wrong::softmax(&column(&[2.0, 0.0, -1.0])), column(&[0.1, 3.0, 5.0])),
        (column(&[0.5, 0.0, 0.2, 0.3]), losses()), // one place is never looked at
    ] {
        let best = (table.optimal_baseline)(&alpha, &losses);
        let moment = |b: f32| -> f64 {
            let of = |s: usize| {
                let estimate = wrong::mean(&alpha, &[s], &[losses[s]], b).map(f64::from);
                f64::from(alpha[s]) * estimate.norm_squared()
            };
            (0..alpha.len()).map(of).sum()
        };
        let (at, mean) = (moment(best), alpha.dot(&losses));
        let is_mean = (best - mean).abs() < 1e-4;
        let hint = if is_mean { ". This is the expected loss: near, but not the best" } else { "" };
        // A parabola through three points, in f64: its vertex.
        let (low, middle, high) = (moment(0.0), moment(1.0), moment(2.0));
        let vertex = 1.0 - (high - low) / (2.0 * (high - 2.0 * middle + low));
        assert!(
            (f64::from(best) - vertex).abs() < 1e-3,
            "optimal_baseline(alpha, losses) is {best:.4}, where the estimate's second moment is {at:.5}; \
             at {vertex:.4} it is {:.5}{hint}\nalpha: {alpha}losses: {losses}",
            moment(vertex as f32)
        );
    }
}

fn entropy_gradient(table: &Table) {
    let x = scores();
    let column = DMatrix::from_column_slice(4, 1, x.as_slice());
    let entropy = |x: &DMatrix<f64>| {
        let e = x.map(f64::exp) / x.map(f64::exp).sum();
        -e.iter().map(|a| a * a.ln()).sum::<f64>()
    };
    let right = finite_difference(entropy, &column);
    expect((table.entropy_gradient)(&x), &right, 1e-5)
        .of("entropy_gradient(scores)")
        .given("scores", &column)
        .or_hint(
            wrong::with_respect_to_alpha(&x),
            "this is −ln α − 1, the gradient with respect to α: send it through the softmax",
        )
        .or_hint(-&right, "the sign: going along the gradient should make the alignment flatter")
        .check();
    let large = Vector::from_column_slice(&[-1000.0, 1000.0, 999.0]);
    let found = (table.entropy_gradient)(&large);
    assert!(
        found.iter().all(|x| x.is_finite()),
        "entropy_gradient([-1000, 1000, 999]) is {found}NaN: a weight of 0 has no logarithm, but \
         score − ln Σ e^score is a number"
    );
    expect(found, [0.0, -0.19661193, 0.19661193], 1e-5)
        .of("entropy_gradient([-1000, 1000, 999])")
        .check();
}

fn leave_one_out(table: &Table) {
    several_looks("leave_one_out", table.leave_one_out);
    // Baselines 2.5, 3 and 1.5; they leave −0.5, −2 and 2.5, whose sum is 0, so α drops out.
    let (alpha, places, losses) = (alpha(), [3, 0, 1], [2.0, 1.0, 4.0]);
    let others = "each look takes the mean loss of all the other looks";
    expect(
        (table.leave_one_out)(&alpha, &places, &losses),
        [-2.0 / 3.0, 2.5 / 3.0, 0.0, -0.5 / 3.0],
        1e-5,
    )
    .of("leave_one_out(alpha, [3, 0, 1], [2, 1, 4])")
    .or_hint(wrong::next_look(&alpha, &places, &losses), others)
    .or_hint(wrong::cheapest_other(&alpha, &places, &losses), others)
    .check();
}

fn better_than_average(table: &Table) {
    several_looks("better_than_average", table.better_than_average);
}

/// Two and three looks: the mean over all their outcomes, and the value itself.
fn several_looks(name: &str, attempt: fn(&Vector, &[usize], &[f32]) -> Vector) {
    let (alpha, losses) = (alpha(), losses());
    let of = |places: &[usize]| {
        let losses: Vec<f32> = places.iter().map(|s| losses[*s]).collect();
        attempt(&alpha, places, &losses)
    };
    let pairs = expectation(&alpha, |s| expectation(&alpha, |r| of(&[s, r])));
    expect(pairs, exact(), 1e-5)
        .of(format!("the mean of {name} over all outcomes of two looks, which should be the gradient"))
        .or_hint(
            exact() * 0.5,
            "half of what it should be: each look's baseline contains its own loss, so it is no constant \
             for that look",
        )
        .check();
    let triples =
        expectation(&alpha, |s| expectation(&alpha, |r| expectation(&alpha, |t| of(&[s, r, t]))));
    expect(triples, exact(), 1e-5)
        .of(format!("the mean of {name} over all outcomes of three looks"))
        .or_hint(exact() * (2.0 / 3.0), "two thirds of what it should be: own loss")
        .check();
    // Looks that cost the same tell nothing.
    let found = attempt(&alpha, &[2, 0, 1], &[5.0, 5.0, 5.0]);
    assert!(
        found.amax() < 1e-5,
        "{name} of three looks that cost 5 each is {found}all went as expected: a baseline that makes \
         estimates less noisy leaves nothing"
    );
    let found = attempt(&alpha, &[3, 0], &[2.0, 1.0]); // ½·(e₃ − α)(2 − 1) + ½·(e₀ − α)(1 − 2)
    expect(found, [-0.5, 0.0, 0.0, 0.5], 1e-5).of(format!("{name}(alpha, [3, 0], [2, 1])")).check();
}

fn gradient_of_w(table: &Table) {
    let keys = Vector::from_column_slice(&[0.5, -1.0, 2.0]);
    let values = Vector::from_column_slice(&[1.0, -0.5, 0.3]);
    let (w, y) = (0.7_f32, 0.4_f32);
    let expected = |w: &DMatrix<f64>| {
        let e = keys.map(|k| (w[0] * f64::from(k)).exp());
        let loss = values.map(|v| (w[0] * f64::from(v) - f64::from(y)).powi(2));
        e.dot(&loss) / e.sum()
    };
    let right = finite_difference(expected, DMatrix::from_element(1, 1, w))[0];
    let alpha = wrong::softmax(&(w * &keys));
    for b in [0.0, 0.5] {
        let mean = |f: fn(f32, &Vector, &Vector, f32, usize, f32) -> f32| -> f64 {
            (0..3).map(|s| f64::from(alpha[s]) * f64::from(f(w, &keys, &values, y, s, b))).sum()
        };
        let found = mean(table.gradient_of_w);
        let close = |wrong: f64| (found - wrong).abs() < 1e-5;
        let hint = if close(mean(wrong::through_the_surrogate)) {
            ": the reader's route was multiplied with ln α_s, but J contains ℓ_s, not ℓ_s·ln α_s"
        } else if close(mean(wrong::looking_only)) {
            ": as if the reader did not learn"
        } else if close(mean(wrong::reading_only)) {
            ": as if nobody learned where to look"
        } else {
            ""
        };
        assert!(
            close(right),
            "the mean of gradient_of_w over all looks, baseline {b}, is {found:.5}; dJ/dw is \
             {right:.5}{hint}"
        );
        for s in 0..3 {
            let found = (table.gradient_of_w)(w, &keys, &values, y, s, b);
            let right = wrong::one_look(w, &keys, &values, y, s, b);
            assert!(
                (found - right).abs() < 1e-5,
                "right on average, but one look at place {s} gives {found:.5} instead of {right:.5} \
                 with b = {b}: the baseline is subtracted from the loss of this look"
            );
        }
    }
}

/// `αᵢ(ℓᵢ − J)`
fn exact() -> Vector {
    let (alpha, losses) = (alpha(), losses());
    let expected = alpha.dot(&losses);
    alpha.zip_map(&losses, |a, l| a * (l - expected))
}

/// The mean over all places, each with its probability.
fn expectation(alpha: &Vector, of: impl Fn(usize) -> Vector) -> Vector {
    (0..alpha.len()).fold(alpha * 0.0, |sum, s| sum + of(s) * alpha[s])
}
