//! 7.3: the gradient of the position.

use super::solutions;
use nalgebra::DMatrix;
use shared::Float;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference};

type PositionGradient = fn(&[Float], Float, Float, &[Float]) -> Float;

pub const EXERCISE: Exercise<PositionGradient> = Exercise {
    check,
    wrong: &[
        wrong("the sign: p moves away from what helps", |alpha, p, sigma, dy| {
            -solutions::position_gradient(alpha, p, sigma, dy)
        }),
        wrong(
            "the exponent (j − p)²/2σ², differentiated, divides by σ² once, not by σ",
            |alpha, p, sigma, dy| sigma * solutions::position_gradient(alpha, p, sigma, dy),
        ),
        wrong("exp(x)′ is exp(x): where is it?", |alpha, p, sigma, dy| {
            (0..dy.len()).map(|j| dy[j] * alpha[j] * (j as Float - p) / (sigma * sigma)).sum()
        }),
    ],
};

fn check(position_gradient: PositionGradient) {
    let (alpha, dy) = ([0.2, 0.5, 0.1, 0.2, 0.4, 0.3], [1.0, -0.5, 2.0, -3.0, 1.5, 2.5]);
    for (p, sigma, words) in [(1.3, 1.5, 4), (0.2, 0.75, 3), (3.0, 2.0, 6)] {
        let (alpha, dy) = (&alpha[..words], &dy[..words]);
        let loss = |p: &DMatrix<f64>| {
            let losses = (0..words).map(|j| {
                let r = j as f64 - p[0];
                let y = f64::from(alpha[j]) * (-r * r / (2.0 * f64::from(sigma).powi(2))).exp();
                y * f64::from(dy[j])
            });
            losses.sum()
        };
        expect(position_gradient(alpha, p, sigma, dy), finite_difference(loss, p), 1e-5)
            .of(format!("position_gradient({alpha:?}, {p}, {sigma}, {dy:?})"))
            .check();
    }
}
