//! 7.4 a shift that loses the first entry

use tests::exercises::{Exercise, bug};
use tests::expect;

type Rotated = fn(&[f32]) -> Vec<f32>;

pub const EXERCISE: Exercise<Rotated> =
    Exercise { check, wrong: &[bug("an entry is read that was already overwritten", as_given)] };

fn check(rotated: Rotated) {
    let x = [1.0, 2.0, 3.0];
    expect(rotated(&x), [3.0, 1.0, 2.0], 0.0).of("rotated(x)").given("x", x).check();
}

fn as_given(x: &[f32]) -> Vec<f32> {
    let mut y = x.to_vec();
    for i in 1..x.len() {
        y[i] = y[i - 1];
    }
    y[0] = x[x.len() - 1];
    y
}
