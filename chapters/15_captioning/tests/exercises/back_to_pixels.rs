//! 15.6: back to the pixels.

use super::neighbourhood::naive;
use shared::Matrix;
use tests::exercises::{Exercise, wrong};
use tests::{expect, uneven};

type BackToPixels = fn(&Matrix, usize, usize) -> Matrix;

pub const EXERCISE: Exercise<BackToPixels> = Exercise {
    check,
    wrong: &[
        wrong("a pixel stands in up to nine columns: add", |dy, side, stride| {
            scattered(dy, side, |to, k| pixel(side, stride, to, k), |_, dy| dy)
        }),
        wrong("column 1 is about pixel `stride`, not about pixel 1", |dy, side, stride| {
            let row = side / stride;
            scattered(
                dy,
                side,
                |to, k| pixel(side, 1, to / row * side + to % row, k),
                |dx, dy| dx + dy,
            )
        }),
        wrong("the first of the nine is up and left of the pixel", |dy, side, stride| {
            scattered(dy, side, |to, k| pixel(side, stride, to, 8 - k), |dx, dy| dx + dy)
        }),
    ],
};

/// The place of pixel k of column `to`, if it lies in the picture.
fn pixel(side: usize, stride: usize, to: usize, k: usize) -> Option<usize> {
    let (y, x) = (to / (side / stride) * stride + k / 3, to % (side / stride) * stride + k % 3);
    ((1..=side).contains(&y) && (1..=side).contains(&x)).then(|| (y - 1) * side + x - 1)
}

fn scattered(
    dy: &Matrix,
    side: usize,
    pixel: impl Fn(usize, usize) -> Option<usize>,
    with: fn(f32, f32) -> f32,
) -> Matrix {
    let c = dy.nrows() / 9;
    let mut dx = Matrix::zeros(c, side * side);
    for (to, k) in (0..dy.ncols()).flat_map(|to| (0..9).map(move |k| (to, k))) {
        if let Some(pixel) = pixel(to, k) {
            (0..c).for_each(|i| dx[(i, pixel)] = with(dx[(i, pixel)], dy[(k * c + i, to)]));
        }
    }
    dx
}

fn check(back_to_pixels: BackToPixels) {
    for (c, side, stride) in
        [(1, 4, 2), (2, 4, 1), (3, 6, 2), (2, 6, 3), (2, 8, 4), (1, 2, 2), (2, 1, 1)]
    {
        let row = side / stride;
        let dy: Matrix = uneven(9 * c, row * row, 0.3);
        // An entry of the picture alone is 1: what of `dy` does it meet?
        let right = Matrix::from_fn(c, side * side, |i, at| {
            let x = Matrix::from_fn(c, side * side, |k, j| f32::from(u8::from((k, j) == (i, at))));
            let seen = (0..row * row).map(|i| naive(&x, side, i / row * stride, i % row * stride));
            dy.column_iter().zip(seen).map(|(dy, seen)| dy.dot(&seen)).sum()
        });
        expect(back_to_pixels(&dy, side, stride), right, 1e-5)
            .of(format!("back_to_pixels(dy, {side}, {stride})"))
            .given("dy", &dy)
            .hint("take one pixel: in which columns does it stand, and as which of the nine?")
            .check();
    }
}
