//! 3.4 the gradient of the cosine, for queries of any length

use super::solutions;
use shared::Vector;
use tests::close::Entries;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference};

type CosineGradient = fn(&Vector, &Vector) -> Vector;

pub const EXERCISE: Exercise<CosineGradient> = Exercise {
    check,
    wrong: &[
        wrong("not q·k alone depends on q: ‖q‖ moves too", |q, k| k / (q.norm() * k.norm())),
        wrong("a longer query turns more slowly", |q, k| {
            solutions::cosine_gradient(q, k) * q.norm()
        }),
        wrong("divide by ‖k‖: its length does not count", |q, k| {
            solutions::cosine_gradient(q, k) * k.norm()
        }),
        wrong(
            "project onto the unit vector q/‖q‖: q stands in the projection twice",
            |q, k| (k - q * q.dot(k)) / (q.norm() * k.norm()),
        ),
        wrong(
            "with c the cosine, the second term is q·c/‖q‖²: once for the unit vector q/‖q‖, once because a longer \
             query turns more slowly",
            |q, k| k / (q.norm() * k.norm()) - q.normalize() * q.normalize().dot(k) / k.norm(),
        ),
        wrong("the part along q is taken away, not added", |q, k| {
            k * (2.0 / (q.norm() * k.norm())) - solutions::cosine_gradient(q, k)
        }),
        wrong(
            "the formula holds for q of any length; differences with a fixed step do not",
            |q, k| {
                let (q, k, step) = (q.map(f64::from), k.map(f64::from), 1e-5);
                let at = |a: usize, by: f64| {
                    let mut q = q.clone();
                    q[a] += by;
                    q.dot(&k) / (q.norm() * k.norm())
                };
                Vector::from_fn(q.len(), |a, _| {
                    ((at(a, step) - at(a, -step)) / (2.0 * step)) as f32
                })
            },
        ),
        wrong("this is the gradient with respect to k", |q, k| solutions::cosine_gradient(k, q)),
    ],
};

fn check(cosine_gradient: CosineGradient) {
    let q = Vector::from_column_slice(&[1.0, -2.0, 0.5]);
    let k = Vector::from_column_slice(&[0.3, 1.0, 2.0]);
    let k64 = k.to_f64();
    let right = finite_difference(|q| q.dot(&k64) / (q.norm() * k64.norm()), &q);
    for c in [1.0, 1e-3, 1e3, 1e-6, 1e6] {
        // a query c times as long turns c times more slowly
        expect(cosine_gradient(&(&q * c), &k) * c, &right, 1e-5)
            .of(format!("{c:e} times cosine_gradient({c:e}·q, k)"))
            .given("q", &q)
            .given("k", &k)
            .check();
    }
}
