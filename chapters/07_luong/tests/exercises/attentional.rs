//! 7.7: the attentional state and its gradients.

use super::solutions;
use nalgebra::DMatrix;
use shared::{Float, Matrix, Vector};
use tests::close::Entries;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, uneven, uneven_vector};

pub type Attentional = fn(&Matrix, &Vector, &Vector, &Vector) -> (Vector, Matrix, Vector, Vector);

pub const EXERCISE: Exercise<Attentional> = Exercise {
    check,
    wrong: &[
        wrong("the context comes first: [c; s]", |w, c, s, dy| solutions::attentional(w, s, c, dy)),
        wrong("tanh′ is 1 − tanh²: it is missing", |w, c, s, dy| {
            through(w, c, s, dy, |_| 1.0)
        }),
        wrong(
            "tanh′ is 1 − tanh² of what tanh returned, not of what was entered",
            |w, c, s, dy| through(w, c, s, dy, |y| 1.0 - y.atanh().powi(2)),
        ),
        wrong("the upper rows of Wᵀ dz are those of the context", |w, c, s, dy| {
            let (y, dw, dc, ds) = solutions::attentional(w, c, s, dy);
            (y, dw, ds, dc)
        }),
        wrong("tanh is missing", |w, c, s, dy| {
            let (_, dw, dc, ds) = solutions::attentional(w, c, s, dy);
            (w * stacked(c, s), dw, dc, ds)
        }),
    ],
};

fn check(attentional: Attentional) {
    let (w, dy) = (uneven(4, 5, 0.3), uneven_vector(4, 1.0));
    let (c, s) = (uneven_vector(3, 0.3) * 0.5, uneven_vector(2, 2.0) * 0.5); // the context is the longer one
    let (y, dw, dc, ds) = attentional(&w, &c, &s, &dy);
    let loss = |w: &DMatrix<f64>, c: &DMatrix<f64>, s: &DMatrix<f64>| {
        let both = DMatrix::from_iterator(5, 1, c.iter().chain(s).copied());
        (w * both).map(f64::tanh).dot(&dy.to_f64())
    };
    let of_w = finite_difference(|w| loss(w, &c.to_f64(), &s.to_f64()), &w);
    let of_c = finite_difference(|c| loss(&w.to_f64(), c, &s.to_f64()), &c);
    let of_s = finite_difference(|s| loss(&w.to_f64(), &c.to_f64(), s), &s);
    let z = (&w * stacked(&c, &s)).map(Float::tanh);
    for (name, found, right) in [
        ("s̃", y.to_f64(), z.to_f64()),
        ("dW", dw.to_f64(), of_w),
        ("dc", dc.to_f64(), of_c),
        ("ds", ds.to_f64(), of_s),
    ] {
        let expectation = expect(found, right, 1e-4).of(name);
        expectation.given("w", &w).given("c", &c).given("s", &s).given("dy", &dy).check();
    }
}

fn stacked(above: &Vector, below: &Vector) -> Vector {
    Vector::from_iterator(above.len() + below.len(), above.iter().chain(below).copied())
}

/// Right, except for the derivative of tanh: a function of what came out.
fn through(
    w: &Matrix,
    c: &Vector,
    s: &Vector,
    dy: &Vector,
    slope: fn(Float) -> Float,
) -> (Vector, Matrix, Vector, Vector) {
    let (y, ..) = solutions::attentional(w, c, s, dy);
    let instead = dy.zip_map(&y, |dy, y| dy * slope(y) / (1.0 - y * y));
    solutions::attentional(w, c, s, &instead)
}
