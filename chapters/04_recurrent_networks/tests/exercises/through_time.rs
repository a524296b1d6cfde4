//! 4.5 the gradient through time

use nalgebra::DMatrix;
use shared::{Matrix, product};
use tests::exercises::{Exercise, Kind, Wrong};
use tests::{expect, finite_difference};

use super::support::uneven;
use crate::solutions;

type ThroughTime = fn(&Matrix, &Matrix) -> Matrix;

pub fn exercise() -> Exercise<ThroughTime> {
    Exercise {
        number: 5,
        title: "the gradient through time",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "steps in the wrong order",
                hint: "the last step stands on the left",
                answer: wrong_order,
            },
            Wrong {
                name: "transposed",
                hint: "entry (i, j)",
                answer: |u, h| solutions::through_time(u, h).transpose(),
            },
            Wrong {
                name: "powers of U",
                hint: "the slope of the tanh",
                answer: |u, h| (1..h.ncols()).fold(Matrix::identity(3, 3), |j, _| product(u, &j)),
            },
            Wrong {
                name: "slopes of the states before",
                hint: "of the state it leads to",
                answer: |u, h| {
                    let mut shifted = h.clone();
                    for t in 1..h.ncols() {
                        shifted.set_column(t, &h.column(t - 1));
                    }
                    solutions::through_time(u, &shifted)
                },
            },
            Wrong {
                name: "slopes on the right",
                hint: "",
                answer: |u, h| {
                    h.column_iter().skip(1).fold(Matrix::identity(3, 3), |j, h| {
                        let slope = Matrix::from_diagonal(&h.map(|h| 1.0 - h * h));
                        product(&product(u, &slope), &j)
                    })
                },
            },
            Wrong {
                name: "nothing for no step",
                hint: "T = 0",
                answer: |u, h| match h.ncols() {
                    1 => Matrix::zeros(3, 3),
                    _ => solutions::through_time(u, h),
                },
            },
            Wrong {
                name: "begun with the first step's factor",
                hint: "T = 0",
                answer: |u, h| {
                    let first = h.column(1.min(h.ncols() - 1));
                    let slope = Matrix::from_diagonal(&first.map(|h| 1.0 - h * h));
                    let begun = product(&slope, u);
                    h.column_iter().skip(2).fold(begun, |j, h| {
                        let slope = Matrix::from_diagonal(&h.map(|h| 1.0 - h * h));
                        product(&slope, &product(u, &j))
                    })
                },
            },
            Wrong {
                name: "one step alone",
                hint: "",
                answer: |u, h| {
                    let last = h.columns(h.ncols() - 2, 2).into_owned();
                    solutions::through_time(u, &last)
                },
            },
        ],
    }
}

fn check(through_time: ThroughTime) {
    let (u, inputs, start) = (uneven(3, 3, 0.0), uneven(3, 4, 1.0), uneven(3, 1, 2.0));
    let run = |start: &DMatrix<f64>| {
        let u = u.map(f64::from);
        let mut h = start.clone();
        let mut states = vec![h.clone()];
        for a in inputs.column_iter() {
            h = (&u * &h + DMatrix::from_fn(3, 1, |i, _| f64::from(a[i]))).map(f64::tanh);
            states.push(h.clone());
        }
        states
    };
    let states = run(&start.map(f64::from));
    let states = Matrix::from_fn(3, 5, |i, t| states[t][i] as f32);
    let mut expected = DMatrix::zeros(3, 3);
    for i in 0..3 {
        let row = finite_difference(|h: &DMatrix<f64>| run(h)[4][i], &start);
        expected.row_mut(i).copy_from(&row.transpose());
    }
    let powers = (1..5).fold(Matrix::identity(3, 3), |j, _| product(&u, &j));
    let mut shifted = states.clone();
    for t in 1..5 {
        shifted.set_column(t, &states.column(t - 1));
    }
    let narrow = expected.map(|x| x as f32);
    expect(through_time(&u, &states), &expected, 1e-5)
        .of("through_time(u, states)")
        .given("u", &u)
        .given("states", &states)
        .or_hint(narrow.transpose(), "entry (i, j) belongs to entry i of h_T and entry j of h₀")
        .or_hint(powers, "these are powers of U: the slope of the tanh is missing")
        .or_hint(
            wrong_order(&u, &states),
            "∂h_T/∂h_{T−1} comes last, so the last step stands on the left",
        )
        .or_hint(chain(&u, &shifted), "the slope 1 − h² of a step is that of the state it leads to")
        .check();

    let none = states.columns(0, 1).into_owned();
    expect(through_time(&u, &none), Matrix::identity(3, 3), 1e-6)
        .of("through_time(u, states) for T = 0, where h_T is h₀ itself: the derivative")
        .given("states", &none)
        .check();
}

fn chain(u: &Matrix, states: &Matrix) -> Matrix {
    states.column_iter().skip(1).fold(Matrix::identity(3, 3), |j, h| {
        product(&Matrix::from_diagonal(&h.map(|h| 1.0 - h * h)), &product(u, &j))
    })
}

fn wrong_order(u: &Matrix, states: &Matrix) -> Matrix {
    states.column_iter().skip(1).fold(Matrix::identity(3, 3), |j, h| {
        product(&j, &product(&Matrix::from_diagonal(&h.map(|h| 1.0 - h * h)), u))
    })
}
