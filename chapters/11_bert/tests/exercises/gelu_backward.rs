//! 11.4: the slope of GELU.

use shared::Matrix;
use shared::elementwise::normal_distribution;
use std::f32::consts::PI;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, uneven};

pub type Backward = fn(&Matrix, &Matrix) -> Matrix;

pub const EXERCISE: Exercise<Backward> = Exercise {
    check,
    wrong: &[
        wrong("Φ moves with x as well", |x, dy| by(x, dy, normal_distribution)),
        wrong("x is a factor, too: and its derivative is 1", |x, dy| by(x, dy, |x| x * density(x))),
        wrong("the derivative of Φ is multiplied by the other factor, x", |x, dy| {
            by(x, dy, |x| normal_distribution(x) + density(x))
        }),
        wrong("the density has the factor 1/√2π", |x, dy| {
            by(x, dy, |x| normal_distribution(x) + x * (-0.5 * x * x).exp())
        }),
        wrong("the exponent is half the square, −x²/2", |x, dy| {
            by(x, dy, |x| normal_distribution(x) + x * (-x * x).exp() / (2.0 * PI).sqrt())
        }),
        wrong(
            "this is the slope of an approximation, x·(1 + tanh(…))/2: close, but Φ is given here",
            |x, dy| {
                by(x, dy, |x| {
                    let root = (2.0 / PI).sqrt();
                    let t = (root * (x + 0.044_715 * x.powi(3))).tanh();
                    let inner = root * (1.0 + 3.0 * 0.044_715 * x * x);
                    0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * inner
                })
            },
        ),
        wrong("that is dy/dx: multiply by dy, entry by entry", |x, _| {
            by(x, &x.map(|_| 1.0), |x| normal_distribution(x) + x * density(x))
        }),
        wrong("entries may be as large as ±100, and the density is 0 there", |x, dy| {
            by(x, dy, |x| {
                let up = (0.5 * x * x).exp();
                normal_distribution(x) + x * up / (up * up * (2.0 * PI).sqrt())
            })
        }),
    ],
};

fn check(gelu_backward: Backward) {
    let far = Matrix::from_row_slice(1, 4, &[-100.0, 100.0, -30.0, 30.0]);
    for x in [uneven(4, 6, 0.3) * 2.4, Matrix::zeros(1, 1), far] {
        let dy: Matrix = uneven(x.nrows(), x.ncols(), 1.1);
        let weights = dy.map(f64::from);
        let right = finite_difference(|x| x.map(|x| x * distribution(x)).dot(&weights), &x);
        expect(gelu_backward(&x, &dy), right, 2e-5)
            .of("gelu_backward(x, dy)")
            .given("x", &x)
            .given("dy", &dy)
            .check();
    }
}

/// Φ(x) in f64: a half, and the area under the density from 0 to x.
fn distribution(x: f64) -> f64 {
    const PARTS: u32 = 500;
    let width = x / f64::from(PARTS);
    let middles = (0..PARTS).map(|i| (f64::from(i) + 0.5) * width);
    let bells = middles.map(|t| (-0.5 * t * t).exp()).sum::<f64>();
    0.5 + bells * width / (2.0 * std::f64::consts::PI).sqrt()
}

fn density(x: f32) -> f32 {
    (-0.5 * x * x).exp() / (2.0 * PI).sqrt()
}

/// The gradient if this were the slope.
fn by(x: &Matrix, dy: &Matrix, slope: fn(f32) -> f32) -> Matrix {
    x.zip_map(dy, |x, dy| slope(x) * dy)
}
