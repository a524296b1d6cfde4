//! 1.6 the bandwidth of a noisy memory

use kernel_regression::Float;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

pub fn exercise() -> Exercise<fn(Float, Float) -> Float> {
    Exercise {
        number: 6,
        title: "the bandwidth of a noisy memory",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "standard deviations added",
                hint: "variances",
                answer: |query, key| query + key,
            },
            Wrong {
                name: "the variance",
                hint: "in the unit of the keys",
                answer: |query, key| query * query + key * key,
            },
            Wrong {
                name: "the query's noise alone",
                hint: "the stored key is blurred, too",
                answer: |query, _| query,
            },
        ],
    }
}

fn check(lookup_bandwidth: fn(Float, Float) -> Float) {
    for (query, key, expected) in [(0.03, 0.04, 0.05), (1.2, 0.5, 1.3), (0.2, 0.0, 0.2)] {
        let mut check = expect(lookup_bandwidth(query, key), expected, 1e-5)
            .of(format!("lookup_bandwidth({query}, {key})"));
        if key > 0.0 {
            check = check
                .or_hint(query + key, "not standard deviations but variances add up")
                .or_hint(
                    query * query + key * key,
                    "this is a variance; a bandwidth is in the unit of the keys",
                )
                .or_hint(query, "the stored key is blurred, too");
        }
        check.check();
    }
}
