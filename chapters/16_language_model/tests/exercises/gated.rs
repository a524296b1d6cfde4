//! 16.2: a gate.

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, wrong};
use tests::{expect, uneven};

pub type Gated = fn(&Matrix, &Matrix, &Matrix, &Matrix) -> Matrix;

pub const EXERCISE: Exercise<Gated> = Exercise {
    check,
    wrong: &[
        wrong(
            "silu(z) is z·σ(z): the sigmoid alone makes another gate (GLU)",
            |x, w_g, w_1, w_2| w_2 * (w_g * x).map(sigmoid).component_mul(&(w_1 * x)),
        ),
        wrong("one of the two passes through silu", |x, w_g, w_1, w_2| {
            w_2 * (w_g * x).map(silu).component_mul(&(w_1 * x).map(silu))
        }),
        wrong("the gate is W_g x", |x, w_g, w_1, w_2| solutions::gated(x, w_1, w_g, w_2)),
        wrong("the gate multiplies, it does not add", |x, w_g, w_1, w_2| {
            w_2 * ((w_g * x).map(silu) + w_1 * x)
        }),
        wrong("a network without a gate is W₂ silu(W₁ x)", |x, _, w_1, w_2| {
            w_2 * (w_1 * x).map(silu)
        }),
    ],
};

fn sigmoid(z: f32) -> f32 {
    1.0 / (1.0 + (-z).exp())
}

fn silu(z: f32) -> f32 {
    z * sigmoid(z)
}

fn check(gated: Gated) {
    let one = |entry: f32| Matrix::from_element(1, 1, entry);
    let cases = [
        ([one(1.0), one(2.0), one(3.0), one(1.0)], "silu(2) is 1.762, and 3 times that is 5.285"),
        ([one(1.0), one(-30.0), one(3.0), one(1.0)], "a gate that is shut lets nothing pass"),
        (
            [uneven(3, 4, 0.0) * 2.0, uneven(5, 3, 1.0), uneven(5, 3, 2.0), uneven(3, 5, 3.0)],
            "each column by itself",
        ),
    ];
    for ([x, w_g, w_1, w_2], hint) in cases {
        let expected = Matrix::from_fn(w_2.nrows(), x.ncols(), |i, j| {
            let unit = |u: usize| {
                let [gate, inner] = [&w_g, &w_1].map(|w| (w.row(u) * x.column(j))[0]);
                w_2[(i, u)] * silu(gate) * inner
            };
            (0..w_2.ncols()).map(unit).sum()
        });
        expect(gated(&x, &w_g, &w_1, &w_2), expected, 1e-5)
            .of("gated(x, w_g, w_1, w_2)")
            .given("x", &x)
            .given("w_g", &w_g)
            .hint(hint)
            .check();
    }
}
