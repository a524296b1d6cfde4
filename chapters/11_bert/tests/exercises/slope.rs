//! 11.4: the slope of GELU.

use crate::support::matrix;
use nalgebra::DMatrix;
use shared::Matrix;
use shared::elementwise::normal_distribution;
use std::f32::consts::PI;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

type Backward = fn(&Matrix, &Matrix) -> Matrix;

pub fn exercise() -> Exercise<Backward> {
    Exercise {
        number: 4,
        title: "the slope of GELU",
        kind: Kind::Derive,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "Φ as a number",
                hint: "Φ moves with x",
                answer: |x, dy| by(x, dy, normal_distribution),
            },
            Wrong {
                name: "x as a number",
                hint: "x is a factor, too",
                answer: |x, dy| by(x, dy, |x| x * density(x)),
            },
            Wrong {
                name: "the density without its x",
                hint: "the other factor",
                answer: |x, dy| by(x, dy, |x| normal_distribution(x) + density(x)),
            },
            Wrong {
                name: "a density that does not sum to 1",
                hint: "1/√2π",
                answer: |x, dy| by(x, dy, |x| normal_distribution(x) + x * bell(x)),
            },
            Wrong {
                name: "the half forgotten",
                hint: "half the square",
                answer: |x, dy| by(x, dy, without_half),
            },
            Wrong {
                name: "the slope of the rectifier",
                hint: "",
                answer: |x, dy| by(x, dy, |x| if x > 0.0 { 1.0 } else { 0.0 }),
            },
            Wrong {
                name: "the slope of the approximation by tanh",
                hint: "approximation",
                answer: |x, dy| by(x, dy, of_tanh),
            },
            Wrong {
                name: "dy forgotten",
                hint: "dy",
                answer: |x, _| by(x, &x.map(|_| 1.0), right),
            },
            Wrong {
                name: "the function once more",
                hint: "the function itself",
                answer: |x, dy| by(x, dy, |x| x * normal_distribution(x)),
            },
            Wrong {
                name: "the bell by way of a quotient",
                hint: "±100",
                answer: |x, dy| {
                    by(x, dy, |x| {
                        let up = (0.5 * x * x).exp();
                        normal_distribution(x) + x * up / (up * up * (2.0 * PI).sqrt())
                    })
                },
            },
            Wrong {
                name: "a step beyond 3",
                hint: "far away only",
                answer: |x, dy| by(x, dy, step_beyond_3),
            },
            Wrong {
                name: "by way of y/x",
                hint: "divided by x",
                answer: |x, dy| {
                    by(x, dy, |x| {
                        let y = x * normal_distribution(x);
                        y / x + x * density(x)
                    })
                },
            },
        ],
    }
}

fn check(gelu_backward: Backward) {
    let zero = gelu_backward(&Matrix::zeros(1, 1), &Matrix::from_element(1, 1, 1.0));
    assert!(
        zero.iter().all(|dx| dx.is_finite()),
        "at x = 0 the result is {zero}hint: nothing is divided by x, which may be 0"
    );
    let (x, dy) = (matrix(4, 6, 0.3) * 4.0, matrix(4, 6, 1.1)); // between −4.8 and 4.8
    let weights = dy.map(f64::from);
    let loss = |x: &DMatrix<f64>| x.map(|x| x * distribution(x)).dot(&weights);
    expect(gelu_backward(&x, &dy), finite_difference(loss, &x), 2e-5)
        .of("gelu_backward(x, dy)")
        .given("x", &x)
        .given("dy", &dy)
        .or_hint(by(&x, &dy, normal_distribution), "Φ moves with x as well")
        .or_hint(by(&x, &dy, |x| x * density(x)), "x is a factor, too: and its derivative is 1")
        .or_hint(
            by(&x, &dy, |x| normal_distribution(x) + density(x)),
            "the derivative of Φ is multiplied by the other factor, x",
        )
        .or_hint(
            by(&x, &dy, |x| normal_distribution(x) + x * bell(x)),
            "the density has the factor 1/√2π",
        )
        .or_hint(by(&x, &dy, without_half), "the exponent is half the square, −x²/2")
        .or_hint(
            by(&x, &dy, of_tanh),
            "this is the slope of an approximation, x·(1 + tanh(…))/2: close, but Φ is given here",
        )
        .or_hint(by(&x, &x.map(|_| 1.0), right), "that is dy/dx: multiply by dy, entry by entry")
        .or_hint(by(&x, &dy, |x| x * normal_distribution(x)), "that is the function itself")
        .or_hint(
            by(&x, &dy, step_beyond_3),
            "far away only the slope is 0 or 1: at 3 it is 1.012 still",
        )
        .check();
    let far = Matrix::from_row_slice(1, 4, &[-100.0, 100.0, -30.0, 30.0]);
    let found = gelu_backward(&far, &far.map(|_| 2.0));
    assert!(
        found.iter().all(|dx| dx.is_finite()),
        "at x = {:?} the result is {:?}\nhint: entries may be as large as ±100, and the density is 0 there",
        far.as_slice(),
        found.as_slice()
    );
    expect(found, [[0.0, 2.0, 0.0, 2.0]], 1e-6).of("gelu_backward far away, dy = 2,").check();
}

/// Φ(x) in f64: a half and the area under the density from 0 to x, by Simpson's rule.
fn distribution(x: f64) -> f64 {
    const PARTS: usize = 200;
    let h = x / PARTS as f64;
    let weight = |i: usize| match i {
        0 | PARTS => 1.0,
        i if i % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let density = |t: f64| (-0.5 * t * t).exp() / (2.0 * std::f64::consts::PI).sqrt();
    0.5 + (0..=PARTS).map(|i| weight(i) * density(i as f64 * h)).sum::<f64>() * h / 3.0
}

fn bell(x: f32) -> f32 {
    (-0.5 * x * x).exp()
}

fn density(x: f32) -> f32 {
    bell(x) / (2.0 * PI).sqrt()
}

fn right(x: f32) -> f32 {
    normal_distribution(x) + x * density(x)
}

fn without_half(x: f32) -> f32 {
    normal_distribution(x) + x * (-x * x).exp() / (2.0 * PI).sqrt()
}

fn step_beyond_3(x: f32) -> f32 {
    if x.abs() > 3.0 { f32::from(u8::from(x > 0.0)) } else { right(x) }
}

/// Of `x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))/2`.
fn of_tanh(x: f32) -> f32 {
    let root = (2.0 / PI).sqrt();
    let t = (root * (x + 0.044_715 * x.powi(3))).tanh();
    0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * root * (1.0 + 3.0 * 0.044_715 * x * x)
}

/// With this slope.
fn by(x: &Matrix, dy: &Matrix, slope: fn(f32) -> f32) -> Matrix {
    x.zip_map(dy, |x, dy| slope(x) * dy)
}
