//! 1.4 spot the bug: always the smallest

use kernel_regression::{Float, Kernel, leave_out, mean_squared_error, nadaraya_watson};
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};

use super::support::{means, weights};

type ChooseBandwidth = fn(&[Float], &[Float], &[Float]) -> Float;

pub fn exercise() -> Exercise<ChooseBandwidth> {
    Exercise {
        number: 4,
        title: "spot the bug: always the smallest",
        kind: Kind::SpotTheBug,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong { name: ORIGINAL_BUG, hint: "sees itself", answer: seeing_itself },
            Wrong {
                name: "the own weight set to zero, the rest not rescaled",
                hint: "sum to 1",
                answer: not_rescaled,
            },
            Wrong {
                name: "seeing itself, tiny errors skipped",
                hint: "sees itself",
                answer: tiny_errors_skipped,
            },
            Wrong {
                name: "stopping at the first rise",
                hint: "compare all candidates",
                answer: |k, v, h| first_rise(k, v, h),
            },
            Wrong {
                name: "stopping at the first rise, in ascending order",
                hint: "",
                answer: |k, v, h| first_rise(k, v, &ascending(h)),
            },
            Wrong {
                name: "all points with the same key left out",
                hint: "a point of its own",
                answer: dropped_by_key,
            },
            Wrong {
                name: "every second point held out",
                hint: "",
                answer: |k, v, h| best_of(h, |h| mean(&halves(k, v, h)[1..2])),
            },
            Wrong {
                name: "each half predicted from the other",
                hint: "",
                answer: |k, v, h| best_of(h, |h| mean(&halves(k, v, h))),
            },
            Wrong {
                name: "mean absolute error",
                hint: "squared errors",
                answer: |k, v, h| {
                    best_of(h, |h| left_out(k, v, h).map(Float::abs).sum::<Float>().into())
                },
            },
            Wrong {
                name: "largest error",
                hint: "",
                answer: |k, v, h| {
                    best_of(h, |h| left_out(k, v, h).map(Float::abs).fold(0.0, Float::max).into())
                },
            },
            Wrong {
                name: "the ends ignored",
                hint: "",
                answer: |k, v, h| {
                    let inner = k.len() - 2;
                    best_of(h, |h| {
                        left_out(k, v, h).skip(1).take(inner).map(|e| e * e).sum::<Float>().into()
                    })
                },
            },
        ],
    }
}

/// Keys, values and candidates, with the one that leave-one-out chooses by a wide margin.
struct Problem {
    keys: Vec<Float>,
    values: Vec<Float>,
    candidates: Vec<Float>,
    best: Float,
}

/// A straight line with noise of alternating sign: too narrow a bandwidth repeats the noise, too wide
/// a one forgets the slope. Then two sets of few points, found by a search for such as each of the
/// wrong answers misjudges: keys that are equal, keys in disorder, and an error with two valleys.
fn problems() -> [Problem; 4] {
    let line = |i: u8| {
        (
            Float::from(i),
            100.0 + Float::from(i) / 2.0 + if i.is_multiple_of(2) { 1.0 } else { -1.0 },
        )
    };
    let problem = |points: (Vec<Float>, Vec<Float>), candidates: &[Float], best| {
        let (keys, values) = points;
        Problem { keys, values, candidates: candidates.to_vec(), best }
    };
    let equal_keys = (
        vec![0.0, 0.0, 1.0, 2.0, 2.5, 3.0, 4.0, 6.0, 6.5],
        vec![-2.0, 0.0, 3.0, 3.0, 7.0, 2.0, -1.0, 3.0, 6.0],
    );
    let disorder = (
        vec![0.5, 2.0, 3.0, 3.5, 4.5, 9.5, 2.0, 8.5, 6.0],
        vec![6.0, 2.0, 3.0, 3.0, 1.0, 5.0, 2.0, -1.0, 3.0],
    );
    [
        problem((0..20).map(line).unzip(), &[0.01, 1.5, 50.0], 1.5),
        problem((0..20).map(line).unzip(), &[30.0, 0.2, 1.2], 1.2),
        problem(equal_keys, &[1.5, 0.4, 3.0, 0.75, 6.0], 0.75),
        problem(disorder, &[0.2, 5.0, 1.0], 5.0),
    ]
}

fn check(choose_bandwidth: ChooseBandwidth) {
    let problems = problems();
    let answers = |choose: ChooseBandwidth| {
        let choose = |p: &Problem| choose(&p.keys, &p.values, &p.candidates);
        problems.iter().map(choose).collect::<Vec<_>>()
    };
    let hints: [(ChooseBandwidth, &str); 6] = [
        (seeing_itself, "each point that sees itself is predicted almost without error by h → 0"),
        (
            tiny_errors_skipped,
            "each point still sees itself: to skip what looks too good is no cure",
        ),
        (not_rescaled, "without the own weight, the others must again sum to 1"),
        (first_rise, "the error may fall again after it has risen: compare all candidates"),
        (
            dropped_by_key,
            "another measurement at the same key is a point of its own: leave out one, by index",
        ),
        (
            |k, v, h| best_of(h, |h| left_out(k, v, h).map(Float::abs).sum::<Float>().into()),
            "CV(h) is a mean of squared errors",
        ),
    ];
    let chosen = answers(choose_bandwidth);
    let hint = hints.iter().find(|(answer, _)| answers(*answer) == chosen);
    let hint = hint.map_or(String::new(), |(_, hint)| format!("\nhint: {hint}"));
    for (problem, chosen) in problems.iter().zip(chosen) {
        let Problem { keys, values, candidates, best } = problem;
        assert!(
            chosen == *best,
            "choose_bandwidth(keys, values, {candidates:?}) is {chosen} instead of {best}\n\
             given keys {keys:?}\nand values {values:?}{hint}"
        );
    }
}

fn best_of(candidates: &[Float], error: impl Fn(Float) -> f64) -> Float {
    let mut best = candidates[0];
    for candidate in candidates {
        if error(*candidate) < error(best) {
            best = *candidate;
        }
    }
    best
}

fn itself(keys: &[Float], values: &[Float], h: Float) -> f64 {
    mean_squared_error(&nadaraya_watson(keys, keys, values, Kernel::Gaussian, h), values)
}

fn seeing_itself(keys: &[Float], values: &[Float], candidates: &[Float]) -> Float {
    best_of(candidates, |h| itself(keys, values, h))
}

fn tiny_errors_skipped(keys: &[Float], values: &[Float], candidates: &[Float]) -> Float {
    best_of(candidates, |h| {
        let error = itself(keys, values, h);
        if error < 1e-3 { f64::INFINITY } else { error }
    })
}

fn not_rescaled(keys: &[Float], values: &[Float], candidates: &[Float]) -> Float {
    let predict = |h| means(&weights(keys, keys, h), values, |all, own, y| all - own * y);
    best_of(candidates, |h| mean_squared_error(&predict(h), values))
}

/// The errors of predicting each point from all the others.
fn left_out(keys: &[Float], values: &[Float], h: Float) -> impl Iterator<Item = Float> {
    (0..keys.len()).map(move |i| values[i] - leave_out(i, keys, values, Kernel::Gaussian, h))
}

fn ascending(candidates: &[Float]) -> Vec<Float> {
    let mut sorted = candidates.to_vec();
    sorted.sort_by(Float::total_cmp);
    sorted
}

fn first_rise(keys: &[Float], values: &[Float], candidates: &[Float]) -> Float {
    let error = |h: Float| left_out(keys, values, h).map(|e| e * e).sum::<Float>();
    let falls = candidates.windows(2).take_while(|pair| error(pair[1]) < error(pair[0]));
    candidates[falls.count()]
}

fn dropped_by_key(keys: &[Float], values: &[Float], candidates: &[Float]) -> Float {
    best_of(candidates, |h| {
        let predict = |key: &Float| {
            let others = keys.iter().zip(values).filter(|(other, _)| *other != key);
            let (keys, values): (Vec<Float>, Vec<Float>) = others.unzip();
            nadaraya_watson(&[*key], &keys, &values, Kernel::Gaussian, h)[0]
        };
        mean_squared_error(&keys.iter().map(predict).collect::<Vec<_>>(), values)
    })
}

/// The mean squared errors of predicting the points with even index from the others, and those with
/// odd index.
fn halves(keys: &[Float], values: &[Float], h: Float) -> [f64; 2] {
    let half = |first: usize| -> (Vec<Float>, Vec<Float>) {
        keys.iter().copied().zip(values.iter().copied()).skip(first).step_by(2).unzip()
    };
    [(0, 1), (1, 0)].map(|(asked, seen)| {
        let ((asked, truths), (keys, values)) = (half(asked), half(seen));
        let predictions = nadaraya_watson(&asked, &keys, &values, Kernel::Gaussian, h);
        mean_squared_error(&predictions, &truths)
    })
}

fn mean(errors: &[f64]) -> f64 {
    errors.iter().sum::<f64>() / errors.len() as f64
}
