//! 9.1: a rival.

use super::solutions;
use shared::Vector;
use tests::exercises::{Exercise, wrong};
use tests::{expect, uneven_vector};

type Rival = fn(&Vector) -> Vector;

pub const EXERCISE: Exercise<Rival> = Exercise {
    check,
    wrong: &[
        wrong("the rival gets just as much as x", |x| x.clone()),
        wrong("the rival should have the larger score", |x| x * 2.0 - solutions::rival(x)),
        wrong("differ by ln 3 after dividing by √d", |x| apart_by(x, 3f32.ln() / root(x))),
        wrong("a quarter is one against three", |x| apart_by(x, 4f32.ln())),
        wrong(
            "the rival's score is √d·ln 3 over √d; but x scores itself, too, with ‖x‖²/√d",
            |x| solutions::rival(x) - x,
        ),
        wrong("x·(c x) is c‖x‖², not c‖x‖", |x| {
            x * (1.0 + root(x) * 3f32.ln() / x.norm())
        }),
        wrong(
            "a softmax makes ratios of differences: for three times as much, scores differ by ln 3",
            |x| apart_by(x, 3.0),
        ),
    ],
};

fn check(rival: Rival) {
    let of_length = |d, length: f32| uneven_vector::<f32>(d, d as f64).normalize() * length;
    // The last has entries that are 0, and that sum to 0.
    let last = Vector::from_column_slice(&[0.0, 1.5, -1.0, 0.5, -1.0]);
    for x in [of_length(2, 0.6), of_length(4, 2.5), of_length(9, 7.0), of_length(3, 1.6), last] {
        let y = rival(&x);
        assert!(y.len() == x.len(), "the rival has {} entries, x has {}", y.len(), x.len());
        let [one, other] = [&x, &y].map(|v| v.map(f64::from));
        let apart = one.dot(&(other - &one)) / (x.len() as f64).sqrt();
        expect(1.0 / (1.0 + apart.exp()), 0.25, 1e-3)
            .of("the weight of x on itself, beside rival(x)")
            .given("x", &x)
            .given("rival(x)", &y)
            .check();
    }
}

/// The token along `x` whose score is larger by `difference`.
fn apart_by(x: &Vector, difference: f32) -> Vector {
    x * (1.0 + root(x) * difference / x.norm_squared())
}

fn root(x: &Vector) -> f32 {
    (x.len() as f32).sqrt()
}
