//! 10.2: the gradient of a layer normalisation.

use crate::solutions;
use crate::support::{matrix, vector};
use nalgebra::DMatrix;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

type Backward = fn(&Matrix, &Vector, &Matrix) -> (Matrix, Vector, Vector);

pub fn exercise() -> Exercise<Backward> {
    Exercise {
        number: 2,
        title: "the gradient of a layer normalisation",
        kind: Kind::Derive,
        difficulty: 3,
        minutes: 30,
        check,
        wrong: &[
            Wrong {
                name: "mean and scale taken for constants",
                hint: "do not depend on x",
                answer: |x, gain, dy| with_dx(x, gain, dy, &|part| part.dz.clone()),
            },
            Wrong {
                name: "the scale taken for a constant",
                hint: "s depends on x",
                answer: |x, gain, dy| {
                    with_dx(x, gain, dy, &|part| part.dz.add_scalar(-part.dz.mean()))
                },
            },
            Wrong {
                name: "the mean taken for a constant",
                hint: "μ depends on x",
                answer: |x, gain, dy| with_dx(x, gain, dy, &mean_constant),
            },
            Wrong {
                name: "sums for means",
                hint: "means over the d entries",
                answer: |x, gain, dy| with_dx(x, gain, dy, &sums),
            },
            Wrong {
                name: "the gain forgotten on the way to x",
                hint: "dz = g ⊙ dy",
                answer: |x, gain, dy| {
                    let (_, dgain, dbias) = solutions::layer_norm_backward(x, gain, dy);
                    let ones = gain.map(|_| 1.0);
                    (solutions::layer_norm_backward(x, &ones, dy).0, dgain, dbias)
                },
            },
            Wrong {
                name: "the gain's gradient from x",
                hint: "z, not x",
                answer: |x, gain, dy| {
                    let (dx, _, dbias) = solutions::layer_norm_backward(x, gain, dy);
                    (dx, dy.component_mul(x).column_sum(), dbias)
                },
            },
            Wrong {
                name: "ε forgotten",
                hint: "here ε counts",
                answer: |x, gain, dy| with_scale(x, gain, dy, |variance| variance.sqrt()),
            },
            Wrong {
                name: "a difference of squares",
                hint: "squared deviations",
                answer: |x, gain, dy| {
                    let (mut dx, mut dgain, dbias) = solutions::layer_norm_backward(x, gain, dy);
                    for (x, mut dx) in x.column_iter().zip(dx.column_iter_mut()) {
                        let variance = x.norm_squared() / x.len() as f32 - x.mean().powi(2);
                        let scale = (x.variance() + 1e-5) / (variance.max(0.0) + 1e-5);
                        dx *= scale.sqrt();
                        dgain *= scale.sqrt();
                    }
                    (dx, dgain, dbias)
                },
            },
        ],
    }
}

fn check(backward: Backward) {
    let (x, gain, dy) = (matrix(4, 3, 0.3), vector(4, 0.4), matrix(4, 3, 1.7));
    let (dx, dgain, dbias) = backward(&x, &gain, &dy);
    let (gain64, dy64) = (gain.map(f64::from), dy.map(f64::from));
    let z = |x: &DMatrix<f64>| {
        let mut z = x.clone();
        for mut z in z.column_iter_mut() {
            let mean = z.mean();
            z.add_scalar_mut(-mean);
            z /= (z.norm_squared() / 4.0 + 1e-5).sqrt();
        }
        z
    };
    let loss = |x: &DMatrix<f64>, gain: &DMatrix<f64>, bias: &DMatrix<f64>| {
        let y = |i, j, z: f64| (gain[i] * z + bias[i]) * dy64[(i, j)];
        let z = z(x);
        (0..3)
            .flat_map(|j| (0..4).map(move |i| (i, j)))
            .map(|(i, j)| y(i, j, z[(i, j)]))
            .sum::<f64>()
    };
    let (gain64, zeros) =
        (DMatrix::from_column_slice(4, 1, gain64.as_slice()), DMatrix::zeros(4, 1));
    let x64 = x.map(f64::from);
    let of = |f: &dyn Fn(&Part) -> Vector| with_dx(&x, &gain, &dy, f).0;
    let call = "of layer_norm_backward(x, gain, dy)";
    expect(dx, finite_difference(|x| loss(x, &gain64, &zeros), &x), 1e-4)
        .of(format!("dx {call}"))
        .given("x", &x)
        .given("gain", &gain)
        .given("dy", &dy)
        .or_hint(of(&|part| part.dz.clone()), "as if μ and s do not depend on x, but both do")
        .or_hint(
            of(&|part| part.dz.add_scalar(-part.dz.mean())),
            "right as far as μ goes, but s depends on x too",
        )
        .or_hint(of(&mean_constant), "right as far as s goes, but μ depends on x too")
        .or_hint(
            of(&|part| right(part) / part.s),
            "the bracket is right: it is still to be multiplied, times s",
        )
        .or_hint(
            of(&sums),
            "μ and σ² are means over the d entries, and so are the two terms that come from them",
        )
        .or_hint(
            solutions::layer_norm_backward(&x, &gain.map(|_| 1.0), &dy).0,
            "y = g ⊙ z + b: first dz = g ⊙ dy",
        )
        .check();
    let last = |a: &Matrix| a.columns(2, 1).into_owned();
    let of_last = solutions::layer_norm_backward(&last(&x), &gain, &last(&dy));
    let right_dgain = solutions::layer_norm_backward(&x, &gain, &dy).1;
    expect(dgain, finite_difference(|gain| loss(&x64, gain, &zeros), &gain), 1e-4)
        .of(format!("dgain {call}"))
        .or_hint(dy.component_mul(&x).column_sum(), "the gain multiplies z, not x")
        .or_hint(of_last.1, "one gain serves all: its gradient sums over the tokens")
        .or_hint(&right_dgain / 3.0, "one gain serves all: its gradient sums over the tokens")
        .check();
    expect(dbias, finite_difference(|bias| loss(&x64, &gain64, bias), vector(4, 1.9)), 1e-4)
        .of(format!("dbias {call}"))
        .or_hint(of_last.2, "one bias serves all: its gradient sums over the tokens")
        .check();
    // What was right above, in another shape.
    let (wide, g, d) = (matrix(7, 5, 0.8), vector(7, 1.1), matrix(7, 5, 2.2));
    let (found, right) = (backward(&wide, &g, &d), solutions::layer_norm_backward(&wide, &g, &d));
    let wide_call = "of layer_norm_backward of five tokens of seven entries";
    expect(found.0, right.0, 1e-4).of(format!("dx {wide_call}")).check();
    expect(found.1, right.1, 1e-4).of(format!("dgain {wide_call}")).check();
    expect(found.2, right.2, 1e-4).of(format!("dbias {wide_call}")).check();
    let far = x.add_scalar(1000.0); // where a difference of squares leaves little in f32
    let (dx, dgain, _) = backward(&far, &gain, &dy);
    let far_call = format!("{call} of x + 1000, for which σ² is a mean of squared deviations,");
    expect(dx, finite_difference(|x| loss(x, &gain64, &zeros), &far), 2e-3)
        .of(format!("dx {far_call}"))
        .check();
    expect(dgain, right_dgain, 2e-3).of(format!("dgain {far_call}")).check();
    let even = x * 0.003; // so even that ε counts
    let (dx, _, _) = backward(&even, &gain, &dy);
    let hint = "here ε counts: s = 1/√(σ² + ε)";
    expect(dx, finite_difference(|x| loss(x, &gain64, &zeros), &even), 1e-4)
        .of(format!("dx {call} of tokens with a variance like ε"))
        .given("x", &even)
        .or_hint(with_scale(&even, &gain, &dy, |variance| variance.sqrt()).0, hint)
        .or_hint(with_scale(&even, &gain, &dy, |variance| variance.sqrt() + 1e-5).0, hint)
        .check();
}

/// What is known of one token.
struct Part {
    z: Vector,
    s: f32,
    dz: Vector,
}

/// The right answer but for dx, which is `s·f(part)` in each column.
fn with_dx(
    x: &Matrix,
    gain: &Vector,
    dy: &Matrix,
    f: &dyn Fn(&Part) -> Vector,
) -> (Matrix, Vector, Vector) {
    let (mut dx, dgain, dbias) = solutions::layer_norm_backward(x, gain, dy);
    for ((x, dy), mut dx) in x.column_iter().zip(dy.column_iter()).zip(dx.column_iter_mut()) {
        let deviation = x.add_scalar(-x.mean());
        let s = (deviation.norm_squared() / x.len() as f32 + 1e-5).sqrt().recip();
        let part = Part { z: deviation * s, s, dz: gain.component_mul(&dy) };
        dx.copy_from(&(f(&part) * s));
    }
    (dx, dgain, dbias)
}

fn right(Part { z, dz, .. }: &Part) -> Vector {
    dz.add_scalar(-dz.mean()) - z * (dz.dot(z) / z.len() as f32)
}

fn mean_constant(Part { z, dz, .. }: &Part) -> Vector {
    dz - z * (dz.dot(z) / z.len() as f32)
}

fn sums(Part { z, dz, .. }: &Part) -> Vector {
    dz.add_scalar(-dz.sum()) - z * dz.dot(z)
}

/// The right answer but for 1/s, which is `scale(σ²)`.
fn with_scale(
    x: &Matrix,
    gain: &Vector,
    dy: &Matrix,
    scale: fn(f32) -> f32,
) -> (Matrix, Vector, Vector) {
    with_dx(x, gain, dy, &|part| {
        let variance = part.s.powi(-2) - 1e-5;
        let s = scale(variance).recip();
        right(&Part { z: &part.z * (s / part.s), s, dz: part.dz.clone() }) * (s / part.s)
    })
}
