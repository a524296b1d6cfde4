//! 15.1: a neighbourhood.

use crate::solutions;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, wrong};
use tests::expect;

pub type Neighbourhood = fn(&Matrix, usize, usize, usize) -> Vector;

pub const EXERCISE: Exercise<Neighbourhood> = Exercise {
    number: 1,
    title: "a neighbourhood",
    kind: Kind::Implement,
    difficulty: 1,
    minutes: 15,
    check,
    wrong: &[
        wrong("column by column", "the nine pixels come row by row", |x, side, row, column| {
            let stacked = solutions::neighbourhood(x, side, row, column);
            let c = x.nrows();
            Vector::from_fn(9 * c, |i, _| stacked[(i / c % 3 * 3 + i / c / 3) * c + i % c])
        }),
        wrong(
            "the edge goes on",
            "beyond the edge stand zeros, not the nearest pixel",
            |x, side, row, column| {
                stacked(x, |dy, dx| {
                    let at = |i: usize, d: usize| (i + d).saturating_sub(1).min(side - 1);
                    Some(at(row, dy) * side + at(column, dx))
                })
            },
        ),
        wrong(
            "round the edge",
            "left of the first pixel of a row is not the last of the row before",
            |x, side, row, column| {
                stacked(x, |dy, dx| {
                    ((row + dy) * side + column + dx)
                        .checked_sub(side + 1)
                        .filter(|i| *i < side * side)
                })
            },
        ),
        wrong(
            "channel by channel",
            "all numbers of a pixel come together",
            |x, side, row, column| {
                let stacked = solutions::neighbourhood(x, side, row, column);
                let c = x.nrows();
                Vector::from_fn(9 * c, |i, _| stacked[i % 9 * c + i / 9])
            },
        ),
        wrong("row and column exchanged", "", |x, side, row, column| {
            solutions::neighbourhood(x, side, column, row)
        }),
    ],
};

fn stacked(x: &Matrix, pixel: impl Fn(usize, usize) -> Option<usize>) -> Vector {
    let c = x.nrows();
    Vector::from_fn(9 * c, |i, _| {
        pixel(i / c / 3, i / c % 3).map_or(0.0, |pixel| x[(i % c, pixel)])
    })
}

fn check(neighbourhood: Neighbourhood) {
    let x = Matrix::from_fn(2, 16, |i, j| (1 + i + 10 * j) as f32);
    for (row, column) in [(1, 2), (0, 1), (2, 0), (3, 3), (0, 3)] {
        expect(neighbourhood(&x, 4, row, column), naive(&x, 4, row, column), 0.0)
            .of(format!("neighbourhood(x, 4, {row}, {column})"))
            .given("x", &x)
            .check();
    }
}

fn naive(x: &Matrix, side: isize, row: usize, column: usize) -> Vector {
    let mut all = Vec::new();
    for y in row as isize - 1..=row as isize + 1 {
        for x_ in column as isize - 1..=column as isize + 1 {
            let inside = (0..side).contains(&y) && (0..side).contains(&x_);
            let pixel = |i: usize| if inside { x[(i, (y * side + x_) as usize)] } else { 0.0 };
            all.extend((0..x.nrows()).map(pixel));
        }
    }
    Vector::from_vec(all)
}
