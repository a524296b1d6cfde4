//! 10.2: the gradient of a layer normalisation.

use crate::solutions;
use nalgebra::DMatrix;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, uneven, uneven_vector};

pub type Backward = fn(&Matrix, &Vector, &Matrix) -> (Matrix, Vector, Vector);

pub const EXERCISE: Exercise<Backward> = Exercise {
    check,
    wrong: &[
        wrong("as if μ and s do not depend on x, but both do", |x, gain, dy| {
            with_dx(x, gain, dy, |_, s, dz| dz * s)
        }),
        wrong("right as far as μ goes, but s depends on x too", |x, gain, dy| {
            with_dx(x, gain, dy, |_, s, dz| dz.add_scalar(-dz.mean()) * s)
        }),
        wrong("right as far as s goes, but μ depends on x too", |x, gain, dy| {
            with_dx(x, gain, dy, |z, s, dz| (dz - z * (dz.dot(z) / z.len() as f32)) * s)
        }),
        wrong(
            "μ and σ² are means over the d entries, and so are the two terms that come from them",
            |x, gain, dy| {
                with_dx(x, gain, dy, |z, s, dz| (dz.add_scalar(-dz.sum()) - z * dz.dot(z)) * s)
            },
        ),
        wrong("y = g ⊙ z + b: first dz = g ⊙ dy", |x, gain, dy| {
            let (_, dgain, dbias) = solutions::layer_norm_backward(x, gain, dy);
            (solutions::layer_norm_backward(x, &gain.map(|_| 1.0), dy).0, dgain, dbias)
        }),
        wrong("the gain multiplies z, not x", |x, gain, dy| {
            let (dx, _, dbias) = solutions::layer_norm_backward(x, gain, dy);
            (dx, dy.component_mul(x).column_sum(), dbias)
        }),
        wrong("here ε counts: s = 1/√(σ² + ε)", |x, gain, dy| {
            with_dx(x, gain, dy, |z, s, dz| {
                let longer = (1.0 - 1e-5 * s * s).sqrt().recip(); // 1/(s·σ)
                right(&(z * longer), s * longer, dz)
            })
        }),
        wrong(
            "of the mean of the squares less the square of the mean little is left: square the deviations",
            |x, gain, dy| {
                let (mut dx, dgain, dbias) = solutions::layer_norm_backward(x, gain, dy);
                for (x, mut dx) in x.column_iter().zip(dx.column_iter_mut()) {
                    let variance = x.norm_squared() / x.len() as f32 - x.mean().powi(2);
                    dx *= ((x.variance() + 1e-5) / (variance.max(0.0) + 1e-5)).sqrt();
                }
                (dx, dgain, dbias)
            },
        ),
    ],
};

fn check(backward: Backward) {
    let x = uneven(4, 3, 0.3);
    for (what, x, tolerance) in [
        ("x", x.clone(), 1e-4),
        ("five tokens of seven entries", uneven(7, 5, 0.8), 1e-4),
        ("x + 1000", x.add_scalar(1000.0), 2e-3),
        ("tokens with a variance like ε", x * 0.003, 1e-4),
    ] {
        let (gain, dy) = (uneven_vector(x.nrows(), 0.4), uneven(x.nrows(), x.ncols(), 1.7));
        let (dx, dgain, dbias) = backward(&x, &gain, &dy);
        let (x64, gain64) = (x.map(f64::from), gain.map(f64::from));
        for (name, found, right) in [
            ("dx", dx, finite_difference(|x| loss(x, gain64.as_slice(), &dy), &x)),
            ("dgain", column(dgain), finite_difference(|g| loss(&x64, g.as_slice(), &dy), &gain)),
            ("dbias", column(dbias), column(dy.column_sum()).map(f64::from)),
        ] {
            expect(found, right, tolerance)
                .of(format!("{name} of layer_norm_backward(x, gain, dy) of {what}"))
                .given("x", &x)
                .given("gain", &gain)
                .given("dy", &dy)
                .check();
        }
    }
}

/// `Σ dy ⊙ g ⊙ z`
fn loss(x: &DMatrix<f64>, gain: &[f64], dy: &Matrix) -> f64 {
    let mut sum = 0.0;
    for (x, dy) in x.column_iter().zip(dy.column_iter()) {
        let deviation = x.add_scalar(-x.mean());
        let s = (deviation.norm_squared() / x.len() as f64 + 1e-5).sqrt().recip();
        let each = deviation.iter().zip(gain).zip(&dy);
        sum += each.map(|((x, gain), dy)| gain * x * s * f64::from(*dy)).sum::<f64>();
    }
    sum
}

fn column(x: Vector) -> Matrix {
    Matrix::from_column_slice(x.len(), 1, x.as_slice())
}

/// The right answer except for dx, which is `f(z, s, dz)` in each column.
fn with_dx(
    x: &Matrix,
    gain: &Vector,
    dy: &Matrix,
    f: fn(&Vector, f32, &Vector) -> Vector,
) -> (Matrix, Vector, Vector) {
    let (mut dx, dgain, dbias) = solutions::layer_norm_backward(x, gain, dy);
    for ((x, dy), mut dx) in x.column_iter().zip(dy.column_iter()).zip(dx.column_iter_mut()) {
        let deviation = x.add_scalar(-x.mean());
        let s = (deviation.norm_squared() / x.len() as f32 + 1e-5).sqrt().recip();
        dx.copy_from(&f(&(deviation * s), s, &gain.component_mul(&dy)));
    }
    (dx, dgain, dbias)
}

fn right(z: &Vector, s: f32, dz: &Vector) -> Vector {
    (dz.add_scalar(-dz.mean()) - z * (dz.dot(z) / z.len() as f32)) * s
}
