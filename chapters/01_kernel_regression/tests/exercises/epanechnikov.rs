//! 1.1 the Epanechnikov kernel: inside, outside, and on both sides of the key

use kernel_regression::{Float, Kernel};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

pub fn exercise() -> Exercise<fn(Float) -> Float> {
    Exercise {
        number: 1,
        title: "the Epanechnikov kernel",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: "the triangular kernel",
                hint: "triangular kernel",
                answer: |u| (1.0 - u.abs()).max(0.0),
            },
            Wrong {
                name: "no positive part",
                hint: "beyond the distance 1",
                answer: |u| 0.75 * (1.0 - u * u),
            },
            Wrong { name: "the factor forgotten", hint: "¾", answer: |u| (1.0 - u * u).max(0.0) },
            Wrong {
                name: "one side only",
                hint: "negative",
                answer: |u| 0.75 * (1.0 - u.max(0.0).powi(2)).max(0.0),
            },
        ],
    }
}

fn check(epanechnikov: fn(Float) -> Float) {
    let u = [0.2, 0.5, -0.5, 0.9, 1.1, -1.5];
    expect(u.map(epanechnikov), [0.72, 0.5625, 0.5625, 0.1425, 0.0, 0.0], 1e-6)
        .of("epanechnikov(u) for each u")
        .given("u", u)
        .or_hint(
            u.map(|u| Kernel::Triangular.weight(u)),
            "this is the triangular kernel, which many a text calls Epanechnikov's: his is a parabola",
        )
        .or_hint(u.map(|u| 0.75 * (1.0 - u * u)), "beyond the distance 1 the weight is 0, never negative")
        .or_hint(u.map(|u| (1.0 - u * u).max(0.0)), "the factor ¾ is missing (it cancels in the weights)")
        .or_hint(
            u.map(|u| 0.75 * (1.0 - u.max(0.0).powi(2)).max(0.0)),
            "distances may be negative: the kernel is symmetric",
        )
        .check();
}
