//! 15.1: a neighbourhood.

use super::solutions;
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, wrong};
use tests::expect;

pub type Neighbourhood = fn(&Matrix, usize, usize, usize) -> Vector;

pub const EXERCISE: Exercise<Neighbourhood> = Exercise {
    check,
    wrong: &[
        wrong("the nine pixels come row by row", |x, side, row, column| {
            let stacked = solutions::neighbourhood(x, side, row, column);
            let c = x.nrows();
            Vector::from_fn(9 * c, |i, _| stacked[(i / c % 3 * 3 + i / c / 3) * c + i % c])
        }),
        wrong("beyond the edge stand zeros, not the nearest pixel", |x, side, row, column| {
            stacked(x, |dy, dx| {
                let at = |i: usize, d: usize| (i + d).saturating_sub(1).min(side - 1);
                Some(at(row, dy) * side + at(column, dx))
            })
        }),
        wrong(
            "left of the first pixel of a row is not the last of the row before",
            |x, side, row, column| {
                stacked(x, |dy, dx| {
                    ((row + dy) * side + column + dx)
                        .checked_sub(side + 1)
                        .filter(|i| *i < side * side)
                })
            },
        ),
        wrong("all numbers of a pixel come together", |x, side, row, column| {
            let stacked = solutions::neighbourhood(x, side, row, column);
            let c = x.nrows();
            Vector::from_fn(9 * c, |i, _| stacked[i % 9 * c + i / 9])
        }),
        wrong("row `row`, column `column`: rows are `side` long", |x, side, row, column| {
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
    for (c, side) in [(2, 4), (1, 5), (3, 3), (2, 2), (2, 1)] {
        let x = Matrix::from_fn(c, side * side, |i, j| (1 + i + 10 * j) as f32);
        for at in (0..side * side).map(|i| (i + side + 1) % (side * side)) {
            let (row, column) = (at / side, at % side);
            let inside = (1..side - 1).contains(&row) && (1..side - 1).contains(&column);
            let hint = if inside {
                "all nine lie in the picture"
            } else {
                "some of the nine lie beyond the edge"
            };
            expect(neighbourhood(&x, side, row, column), naive(&x, side, row, column), 0.0)
                .of(format!("neighbourhood(x, {side}, {row}, {column})"))
                .given("x", &x)
                .hint(hint)
                .check();
        }
    }
}

pub fn naive(x: &Matrix, side: usize, row: usize, column: usize) -> Vector {
    let inside = |i: usize| (1..=side).contains(&i).then(|| i - 1); // `i` is one more
    stacked(x, |dy, dx| Some(inside(row + dy)? * side + inside(column + dx)?))
}
