//! 2.8 a metric by hand: a window that is narrow in one direction

use shared::Matrix;
use tests::exercises::{Exercise, Kind, Wrong};

type Window = fn(f32, f32, f32) -> Matrix;

pub fn exercise() -> Exercise<Window> {
    Exercise {
        number: 8,
        title: "construct: a window in the plane",
        kind: Kind::Construct,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "long where it should be short",
                hint: "one bandwidth away",
                answer: |angle, along, across| turned(angle, along, across),
            },
            Wrong {
                name: "the metric itself",
                hint: "one bandwidth away",
                answer: |angle, along, across| {
                    let w = turned(angle, 1.0 / along, 1.0 / across);
                    w.transpose() * w
                },
            },
            Wrong {
                name: "turned the other way",
                hint: "one bandwidth away",
                answer: |angle, along, across| turned(-angle, 1.0 / along, 1.0 / across),
            },
            Wrong {
                name: "along and across exchanged",
                hint: "one bandwidth away",
                answer: |angle, along, across| turned(angle, 1.0 / across, 1.0 / along),
            },
            Wrong {
                name: "stretched first, then turned",
                hint: "one bandwidth away",
                answer: |angle, along, across| {
                    let stretch =
                        Matrix::from_row_slice(2, 2, &[1.0 / along, 0.0, 0.0, 1.0 / across]);
                    turned(angle, 1.0, 1.0) * stretch
                },
            },
            Wrong {
                name: "an angle in radians",
                hint: "one bandwidth away",
                answer: |angle, along, across| {
                    turned(angle.to_degrees(), 1.0 / along, 1.0 / across)
                },
            },
        ],
    }
}

/// Rows: the direction times a, the direction across times b.
fn turned(angle: f32, a: f32, b: f32) -> Matrix {
    let (sin, cos) = angle.to_radians().sin_cos();
    Matrix::from_row_slice(2, 2, &[a * cos, a * sin, -b * sin, b * cos])
}

fn check(window: Window) {
    for (angle, along, across) in [(0.0, 2.0, 0.5), (30.0, 3.0, 0.25), (100.0, 0.5, 1.5)] {
        let w = window(angle, along, across);
        assert!(
            w.ncols() == 2,
            "W is {:?}\nhint: it is multiplied with two coordinates",
            w.shape()
        );
        let (sin, cos) = angle.to_radians().sin_cos();
        // The scores at one bandwidth from the query in each direction, and at both.
        let places = [(along, 0.0, -0.5), (0.0, across, -0.5), (along, across, -1.0)];
        for (u, v, wanted) in places {
            let place = Matrix::from_column_slice(2, 1, &[u * cos - v * sin, u * sin + v * cos]);
            let score = -0.5 * (&w * place).norm_squared();
            assert!(
                (score - wanted).abs() < 1e-3,
                "angle {angle}°, {along} along, {across} across: the score at {u} along and {v} across \
                 is {score}, not {wanted}\nhint: one bandwidth away ‖W(x − xᵢ)‖ is 1; the rows of W are \
                 directions, each divided by its bandwidth"
            );
        }
    }
}
