//! 10.2: the gradient of a layer normalisation.

use super::solutions;
use nalgebra::DMatrix;
use shared::{Matrix, Vector};
use tests::close::Entries;
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
        wrong("μ and σ² are means over d entries: so are the terms from them", |x, gain, dy| {
            with_dx(x, gain, dy, |z, s, dz| (dz.add_scalar(-dz.sum()) - z * dz.dot(z)) * s)
        }),
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
                let z = z * longer;
                (dz.add_scalar(-dz.mean()) - &z * (dz.dot(&z) / z.len() as f32)) * s * longer
            })
        }),
    ],
};

fn check(backward: Backward) {
    let x = uneven(4, 3, 0.3);
    for (what, x, tolerance) in [
        ("x", x.clone(), 1e-4),
        ("five tokens of seven entries", uneven(7, 5, 0.8), 1e-4),
        ("tokens with a variance like ε", x * 0.003, 1e-4),
    ] {
        let (gain, dy) = (uneven_vector(x.nrows(), 0.4), uneven(x.nrows(), x.ncols(), 1.7));
        let (dx, dgain, dbias) = backward(&x, &gain, &dy);
        for (name, found, right) in [
            ("dx", dx.to_f64(), finite_difference(|x| loss(x, &gain.to_f64(), &dy), &x)),
            ("dgain", dgain.to_f64(), finite_difference(|g| loss(&x.to_f64(), g, &dy), &gain)),
            ("dbias", dbias.to_f64(), dy.column_sum().to_f64()),
        ] {
            let expectation = expect(found, right, tolerance).of(format!("{name} of {what}"));
            expectation.given("x", &x).given("gain", &gain).given("dy", &dy).check();
        }
    }
}

/// `Σ dy ⊙ g ⊙ z`
fn loss(x: &DMatrix<f64>, gain: &DMatrix<f64>, dy: &Matrix) -> f64 {
    let losses = x.column_iter().enumerate().map(|(j, x)| {
        let z = x.add_scalar(-x.mean()) / (x.variance() + 1e-5).sqrt();
        z.component_mul(&gain.column(0)).dot(&dy.column(j).map(f64::from))
    });
    losses.sum()
}

/// The right answer except for dx, which is `f(z, s, dz)` in each column.
type Dx = fn(&Vector, f32, &Vector) -> Vector;
fn with_dx(x: &Matrix, gain: &Vector, dy: &Matrix, f: Dx) -> (Matrix, Vector, Vector) {
    let (mut dx, dgain, dbias) = solutions::layer_norm_backward(x, gain, dy);
    for ((x, dy), mut dx) in x.column_iter().zip(dy.column_iter()).zip(dx.column_iter_mut()) {
        let (deviation, s) = (x.add_scalar(-x.mean()), (x.variance() + 1e-5).sqrt().recip());
        dx.copy_from(&f(&(deviation * s), s, &gain.component_mul(&dy)));
    }
    (dx, dgain, dbias)
}
