//! 9.15: one vector, many pairs.

use nalgebra::DMatrix;
use shared::Matrix;
use tests::close::Entries;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, uneven};

type Gradient = fn(&Matrix, &Matrix, usize) -> Matrix;

pub const EXERCISE: Exercise<Gradient> = Exercise {
    check,
    wrong: &[
        wrong("the distance is key minus query: j − i", |q, ds, c| {
            summed(q, ds, c, |i, j| i - j)
        }),
        wrong("three before is not three after: they have vectors of their own", |q, ds, c| {
            summed(q, ds, c, |i, j| (j - i).abs())
        }),
        wrong("the score was divided by √d: the gradient is, too", |q, ds, c| {
            summed(q, ds, c, |i, j| j - i) * (q.nrows() as f32).sqrt()
        }),
        wrong("what is farther than c counts as c: its gradient belongs there", |q, ds, c| {
            let mut near = ds.clone();
            for (j, i) in (0..ds.nrows()).flat_map(|j| (0..ds.ncols()).map(move |i| (j, i))) {
                if i.abs_diff(j) > c {
                    near[(j, i)] = 0.0;
                }
            }
            summed(q, &near, c, |i, j| j - i)
        }),
        wrong("all pairs at a distance share its vector: their gradients add up", |q, ds, c| {
            let mut d = Matrix::zeros(q.nrows(), 2 * c + 1);
            for (j, i) in (0..ds.nrows()).flat_map(|j| (0..ds.ncols()).map(move |i| (j, i))) {
                let row = ((j as isize - i as isize).clamp(-(c as isize), c as isize) + c as isize)
                    as usize;
                d.set_column(row, &(q.column(i) * ds[(j, i)] / (q.nrows() as f32).sqrt()));
            }
            d
        }),
    ],
};

fn summed(q: &Matrix, ds: &Matrix, c: usize, distance: fn(isize, isize) -> isize) -> Matrix {
    let (mut d, c) = (Matrix::zeros(q.nrows(), 2 * c + 1), c as isize);
    for (j, i) in (0..ds.nrows()).flat_map(|j| (0..ds.ncols()).map(move |i| (j, i))) {
        let column = (distance(i as isize, j as isize).clamp(-c, c) + c) as usize;
        let part = q.column(i) * ds[(j, i)] / (q.nrows() as f32).sqrt();
        d.set_column(column, &(d.column(column) + part));
    }
    d
}

fn check(gradient: Gradient) {
    for (d, n, m, c) in [(2, 3, 3, 1), (3, 4, 6, 2), (4, 5, 2, 8)] {
        let (q, ds): (Matrix, Matrix) = (uneven(d, n, 0.4), uneven(m, n, 2.1));
        let a: DMatrix<f64> = uneven(d, 2 * c + 1, 1.0);
        let loss = |a: &DMatrix<f64>| {
            let mut sum = 0.0;
            for (j, i) in (0..m).flat_map(|j| (0..n).map(move |i| (j, i))) {
                let column =
                    (j as isize - i as isize).clamp(-(c as isize), c as isize) + c as isize;
                let score =
                    q.to_f64().column(i).dot(&a.column(column as usize)) / (d as f64).sqrt();
                sum += f64::from(ds[(j, i)]) * score;
            }
            sum
        };
        expect(gradient(&q, &ds, c), finite_difference(loss, &a), 2e-5)
            .of(format!("distance_gradient(q, ds, {c})"))
            .given("q", &q)
            .given("ds", &ds)
            .check();
    }
}
