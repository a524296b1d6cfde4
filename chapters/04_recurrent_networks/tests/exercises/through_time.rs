//! 4.5 the gradient through time

use super::solutions;
use nalgebra::DMatrix;
use shared::{Matrix, product};
use tests::close::Entries;
use tests::exercises::{Exercise, wrong};
use tests::{expect, finite_difference, uneven};

type ThroughTime = fn(&Matrix, &Matrix) -> Matrix;

pub const EXERCISE: Exercise<ThroughTime> = Exercise {
    check,
    wrong: &[
        wrong("the last step stands on the left", |u, states| {
            let steps = slopes(states).map(|slope| product(&slope, u));
            steps.fold(Matrix::identity(3, 3), |j, step| product(&j, &step))
        }),
        wrong("row i belongs to entry i of h_T", |u, states| {
            solutions::through_time(u, states).transpose()
        }),
        wrong("powers of U: the slope of the tanh is missing", |u, states| {
            solutions::through_time(u, &(states * 0.0))
        }),
        wrong("a step's slope is of the state it leads to", |u, states| {
            let before = (0..states.ncols()).map(|t| t.saturating_sub(1)).collect::<Vec<_>>();
            solutions::through_time(u, &states.select_columns(&before))
        }),
        wrong("the slope stands on the left of U", |u, states| {
            let steps = slopes(states).map(|slope| product(u, &slope));
            steps.fold(Matrix::identity(3, 3), |j, step| product(&step, &j))
        }),
        wrong("for T = 0, h_T is h₀ itself", |u, states| {
            solutions::through_time(u, states) * (states.ncols() as f32 - 1.0).min(1.0)
        }),
    ],
};

fn check(through_time: ThroughTime) {
    let (u, start) = (uneven(3, 3, 0.0) * 0.6, uneven(3, 1, 2.0) * 0.6);
    let inputs = uneven(3, 4, 1.0) * 0.6;
    for steps in [4, 0] {
        let run = |start: &DMatrix<f64>| {
            let mut states = vec![start.clone()];
            for t in 0..steps {
                states.push((u.to_f64() * &states[t] + inputs.columns(t, 1)).map(f64::tanh));
            }
            states
        };
        let states = run(&start.to_f64());
        let states = Matrix::from_fn(3, steps + 1, |i, t| states[t][i] as f32);
        let rows = [0, 1, 2].map(|i| finite_difference(|h| run(h)[steps][i], &start).transpose());
        let right = DMatrix::from_fn(3, 3, |i, j| rows[i][j]);
        expect(through_time(&u, &states), right, 1e-5)
            .of(format!("through_time(u, states) for T = {steps}"))
            .given("u", &u)
            .given("states", &states)
            .check();
    }
}

/// diag(1 − h²) of each state but the first.
fn slopes(states: &Matrix) -> impl Iterator<Item = Matrix> {
    states.column_iter().skip(1).map(|h| Matrix::from_diagonal(&h.map(|h| 1.0 - h * h)))
}
