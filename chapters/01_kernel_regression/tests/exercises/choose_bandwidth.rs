//! 1.4 spot the bug: always the smallest

use kernel_regression::{Float, Kernel, mean_squared_error, nadaraya_watson};
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
                hint: "",
                answer: not_rescaled,
            },
        ],
    }
}

fn check(choose_bandwidth: ChooseBandwidth) {
    // A straight line with noise of alternating sign: too narrow a bandwidth repeats the noise, too
    // wide a one forgets the slope.
    let keys: Vec<Float> = (0..20).map(|i| i as Float).collect();
    let values: Vec<Float> =
        (0..20).map(|i| 100.0 + i as Float / 2.0 + if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
    for (candidates, best) in
        [([0.01, 1.5, 50.0], 1.5), ([1.5, 20.0, 0.1], 1.5), ([30.0, 0.2, 1.2], 1.2)]
    {
        let chosen = choose_bandwidth(&keys, &values, &candidates);
        let smallest = candidates.into_iter().fold(Float::INFINITY, Float::min);
        let hint = match chosen == smallest {
            true => "\nhint: each point that sees itself is predicted without error by h → 0",
            false => "",
        };
        assert!(
            chosen == best,
            "choose_bandwidth(keys, values, {candidates:?}) is {chosen} instead of {best}, for the \
             keys 0, 1, 2, … 19 and the values 101, 99.5, 102, 100.5, 103, …{hint}"
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

fn seeing_itself(keys: &[Float], values: &[Float], candidates: &[Float]) -> Float {
    let predict = |h| nadaraya_watson(keys, keys, values, Kernel::Gaussian, h);
    best_of(candidates, |h| mean_squared_error(&predict(h), values))
}

fn not_rescaled(keys: &[Float], values: &[Float], candidates: &[Float]) -> Float {
    let predict = |h| means(&weights(keys, keys, h), values, |all, own, y| all - own * y);
    best_of(candidates, |h| mean_squared_error(&predict(h), values))
}
