//! 1.6 the bandwidth of a noisy memory

use super::solutions;
use kernel_regression::Float;
use tests::exercises::{Exercise, wrong};
use tests::expect;

pub const EXERCISE: Exercise<fn(Float, Float) -> Float> = Exercise {
    check,
    wrong: &[
        wrong("variances add up, not deviations", |query, key| query + key),
        wrong("a bandwidth is in the unit of the keys", |query, key| query * query + key * key),
        wrong("the stored key is blurred, too", |query, _| query),
    ],
};

fn check(lookup_bandwidth: fn(Float, Float) -> Float) {
    for (query, key) in [(0.03, 0.04), (1.2, 0.5), (0.2, 0.0)] {
        expect(lookup_bandwidth(query, key), solutions::lookup_bandwidth(query, key), 1e-5)
            .of(format!("lookup_bandwidth({query}, {key})"))
            .check();
    }
}
