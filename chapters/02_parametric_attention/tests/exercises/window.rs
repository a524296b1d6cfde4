//! 2.8 a metric by hand: a window that is narrow in one direction

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, wrong};
use tests::expect;

type Window = fn(f32, f32, f32) -> Matrix;

const ONE: &str = "one bandwidth away ‖W(x − xᵢ)‖ is 1; the rows of W are directions, each divided by its bandwidth";

pub const EXERCISE: Exercise<Window> = Exercise {
    check,
    wrong: &[
        wrong(ONE, |angle, along, across| solutions::window(angle, 1.0 / along, 1.0 / across)),
        wrong(ONE, |angle, along, across| {
            let w = solutions::window(angle, along, across);
            w.transpose() * w
        }),
        wrong(ONE, |angle, along, across| solutions::window(-angle, along, across)),
        wrong(ONE, |angle, along, across| solutions::window(angle, across, along)),
        wrong(ONE, |angle, along, across| {
            solutions::window(angle, 1.0, 1.0) * solutions::window(0.0, along, across)
        }),
        wrong(ONE, |angle, along, across| solutions::window(angle.to_degrees(), along, across)),
    ],
};

fn check(window: Window) {
    for (angle, along, across) in [(0.0, 2.0, 0.5), (30.0, 3.0, 0.25), (100.0_f32, 0.5, 1.5)] {
        let w = window(angle, along, across);
        assert!(
            w.ncols() == 2,
            "W is {:?}\nhint: it is multiplied with two coordinates",
            w.shape()
        );
        let (sin, cos) = angle.to_radians().sin_cos();
        // one bandwidth away in each direction, and in both
        for (u, v, score) in [(along, 0.0, -0.5), (0.0, across, -0.5), (along, across, -1.0)] {
            let place = Matrix::from_column_slice(2, 1, &[u * cos - v * sin, u * sin + v * cos]);
            expect(-0.5 * (&w * place).norm_squared(), score, 5e-4)
                .of(format!(
                    "angle {angle}°, {along} along, {across} across: the score at {u} along and {v} across"
                ))
                .check();
        }
    }
}
