//! 7.3: the gradient of the position.

use shared::{Float, Matrix};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

type PositionGradient = fn(&[Float], Float, Float, &[Float]) -> Float;

pub fn exercise() -> Exercise<PositionGradient> {
    Exercise {
        number: 3,
        title: "the gradient of the position",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "the wrong way",
                hint: "p moves away",
                answer: |alpha, p, sigma, dy| -divided_by(2, alpha, p, sigma, dy),
            },
            Wrong {
                name: "σ instead of σ²",
                hint: "divides by σ² once",
                answer: |alpha, p, sigma, dy| divided_by(1, alpha, p, sigma, dy),
            },
            Wrong {
                name: "without the Gaussian itself",
                hint: "exp(x)′ is exp(x)",
                answer: without_gaussian,
            },
        ],
    }
}

fn check(position_gradient: PositionGradient) {
    let (alpha, dy) = ([0.2, 0.5, 0.1, 0.2, 0.4, 0.3], [1.0, -0.5, 2.0, -3.0, 1.5, 2.5]);
    for (p, sigma, words) in [(1.3, 1.5, 4), (0.2, 0.75, 3), (3.0, 2.0, 6)] {
        let (alpha, dy) = (&alpha[..words], &dy[..words]);
        let loss = |p: &nalgebra::DMatrix<f64>| {
            let y = |s: usize| {
                let r = s as f64 - p[0];
                f64::from(alpha[s]) * (-r * r / (2.0 * f64::from(sigma).powi(2))).exp()
            };
            (0..words).map(|s| y(s) * f64::from(dy[s])).sum::<f64>()
        };
        let right = finite_difference(loss, Matrix::from_element(1, 1, p))[0];
        expect(position_gradient(alpha, p, sigma, dy), right, 1e-5)
            .of(format!("position_gradient({alpha:?}, {p}, {sigma}, {dy:?})"))
            .or_hint(
                -divided_by(2, alpha, p, sigma, dy),
                "the sign is turned: p moves away from words that help",
            )
            .or_hint(
                divided_by(1, alpha, p, sigma, dy),
                "the exponent (j − p)²/2σ², differentiated, divides by σ² once, not by σ",
            )
            .or_hint(
                without_gaussian(alpha, p, sigma, dy),
                "the Gaussian itself is missing: exp(x)′ is exp(x)",
            )
            .check();
    }
}

/// Right, but for the power of σ: 2.
fn divided_by(power: i32, alpha: &[Float], p: Float, sigma: Float, dy: &[Float]) -> Float {
    let gaussian = |r: Float| (-r * r / (2.0 * sigma * sigma)).exp();
    let r = |s: usize| s as Float - p;
    (0..dy.len()).map(|s| dy[s] * alpha[s] * gaussian(r(s)) * r(s) / sigma.powi(power)).sum()
}

fn without_gaussian(alpha: &[Float], p: Float, sigma: Float, dy: &[Float]) -> Float {
    (0..dy.len()).map(|s| dy[s] * alpha[s] * (s as Float - p) / (sigma * sigma)).sum()
}
