//! 1.1 the Epanechnikov kernel: inside, outside, and on both sides of the key

use super::solutions;
use kernel_regression::Float;
use tests::exercises::{Exercise, wrong};
use tests::expect;

pub const EXERCISE: Exercise<fn(Float) -> Float> = Exercise {
    check,
    wrong: &[
        wrong(
            "this is the triangular kernel, which many a text calls Epanechnikov's: his is a parabola",
            |u| (1.0 - u.abs()).max(0.0),
        ),
        wrong("beyond the distance 1 the weight is 0, never negative", |u| 0.75 * (1.0 - u * u)),
        wrong("the factor ¾ is missing (it cancels in weights)", |u| (1.0 - u * u).max(0.0)),
        wrong("distances may be negative: the kernel is symmetric", |u| {
            solutions::epanechnikov(u.max(0.0))
        }),
    ],
};

fn check(epanechnikov: fn(Float) -> Float) {
    let u = [0.2, 0.5, -0.5, 0.9, 1.1, -1.5];
    expect(u.map(epanechnikov), u.map(solutions::epanechnikov), 1e-6)
        .of("epanechnikov(u) for each u")
        .given("u", u)
        .hint("¾ of a parabola as far as the distance 1, on either side; 0 beyond")
        .check();
}
