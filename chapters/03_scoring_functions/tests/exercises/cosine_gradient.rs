//! 3.4 the gradient of the cosine, for queries of any length

use nalgebra::DMatrix;
use shared::Vector;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

use crate::solutions;

type CosineGradient = fn(&Vector, &Vector) -> Vector;

pub fn exercise() -> Exercise<CosineGradient> {
    Exercise {
        number: 4,
        title: "the gradient of the cosine",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "lengths held fixed",
                hint: "‖q‖ moves too",
                answer: |q, k| k / (q.norm() * k.norm()),
            },
            Wrong {
                name: "not divided by the length",
                hint: "a longer query turns more slowly",
                answer: |q, k| solutions::cosine_gradient(q, k) * q.norm(),
            },
            Wrong {
                name: "the key not normalised",
                hint: "‖k‖",
                answer: |q, k| solutions::cosine_gradient(q, k) * k.norm(),
            },
            Wrong {
                name: "q not normalised in the projection",
                hint: "unit vector",
                answer: |q, k| k / (q.norm() * k.norm()) - q * (q.dot(k) / (q.norm() * k.norm())),
            },
            Wrong {
                name: "the key not normalised in the first term",
                hint: "in the first term",
                answer: |q, k| k / q.norm() - along(q, k) / q.norm(),
            },
            Wrong {
                name: "c/‖q‖ for c/‖q‖²",
                hint: "c/‖q‖²",
                answer: |q, k| k / (q.norm() * k.norm()) - along(q, k),
            },
            Wrong {
                name: "the projection added",
                hint: "taken away",
                answer: |q, k| k * (2.0 / (q.norm() * k.norm())) - solutions::cosine_gradient(q, k),
            },
            Wrong { name: "finite differences", hint: "of any length", answer: cosine_differences },
            Wrong {
                name: "the gradient of k",
                hint: "with respect to k",
                answer: |q, k| solutions::cosine_gradient(k, q),
            },
        ],
    }
}

fn check(cosine_gradient: CosineGradient) {
    let q = Vector::from_column_slice(&[1.0, -2.0, 0.5]);
    let k = Vector::from_column_slice(&[0.3, 1.0, 2.0]);
    let of = |q: &DMatrix<f64>, k: &DMatrix<f64>| q.dot(k) / (q.norm() * k.norm());
    let (q64, k64) = (q.map(f64::from), k.map(f64::from));
    let (q64, k64) = (
        DMatrix::from_column_slice(3, 1, q64.as_slice()),
        DMatrix::from_column_slice(3, 1, k64.as_slice()),
    );
    let right = finite_difference(|q| of(q, &k64), &q);
    expect(cosine_gradient(&q, &k), &right, 1e-5)
        .of("cosine_gradient(q, k)")
        .given("q", &q)
        .given("k", &k)
        .or_hint(&k / (q.norm() * k.norm()), "correct if only q·k depended on q; but ‖q‖ moves too")
        .or_hint(&right * f64::from(q.norm()), "divide by ‖q‖: a longer query turns more slowly")
        .or_hint(
            &right * f64::from(k.norm()),
            "divide by ‖k‖, too: the length of the key does not count",
        )
        .or_hint(
            &k / (q.norm() * k.norm()) - &q * (q.dot(&k) / (q.norm() * k.norm())),
            "project onto the unit vector q/‖q‖: q stands in the projection twice",
        )
        .or_hint(
            &k / q.norm() - along(&q, &k) / q.norm(),
            "the key has its own length in the first term, too: k/(‖q‖‖k‖)",
        )
        .or_hint(
            &k / (q.norm() * k.norm()) - along(&q, &k),
            "with c the cosine, the second term is q·c/‖q‖²: once for the unit vector q/‖q‖, once \
             because a longer query turns more slowly",
        )
        .or_hint(
            (&k * (2.0 / (q.norm() * k.norm()))).map(f64::from) - right.column(0),
            "the part along q is taken away, not added",
        )
        .or_hint(finite_difference(|k| of(&q64, k), &k), "this is the gradient with respect to k")
        .check();

    // A query c times as long turns c times more slowly.
    for c in [1e-3, 1e3, 1e-6, 1e6] {
        let found = cosine_gradient(&(&q * c), &k) * c;
        expect(found, &right, 1e-5)
            .of(format!(
                "{c:e} times cosine_gradient({c:e}·q, k), which should not depend on the factor (the \
                 formula holds for q of any length; differences with a fixed step do not)"
            ))
            .given("q", &q)
            .given("k", &k)
            .check();
    }
}

/// The cosine along the unit vector of q: the part of k/‖k‖ along q.
fn along(q: &Vector, k: &Vector) -> Vector {
    q * (q.dot(k) / (q.norm_squared() * k.norm()))
}

/// Central differences with a fixed step, in f64.
fn cosine_differences(q: &Vector, k: &Vector) -> Vector {
    let (q, k, step) = (q.map(f64::from), k.map(f64::from), 1e-5);
    let at = |a: usize, by: f64| {
        let mut q = q.clone();
        q[a] += by;
        q.dot(&k) / (q.norm() * k.norm())
    };
    Vector::from_fn(q.len(), |a, _| ((at(a, step) - at(a, -step)) / (2.0 * step)) as f32)
}
