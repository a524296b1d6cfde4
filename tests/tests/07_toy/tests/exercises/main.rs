//! The exercises of a toy chapter: columns, a gradient, a shift and a power.
//!
//! A chapter's `main` would call [`suite`] with its attempts and solutions; this toy is run with
//! several sets of both.

use std::time::Duration;

use nalgebra::DMatrix;
use tests::exercises::{Exercise, Suite};

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;
#[path = "../../exercises/wrong.rs"]
pub mod wrong;

pub mod capstone;
pub mod gradient;
pub mod mean;
pub mod power;
pub mod shift;
pub mod softmax;
/// In place of 7.5: only to show what the runner finds out.
pub mod weak;

type Matrix = DMatrix<f32>;

/// One field an exercise.
#[derive(Clone, Copy)]
pub struct Answers {
    pub mean: fn(&Matrix) -> Matrix,
    pub softmax: fn(&Matrix) -> Matrix,
    pub gradient: fn(&Matrix, &Matrix) -> Matrix,
    pub rotated: fn(&[f32]) -> Vec<f32>,
    pub power_of_two: fn(u32) -> u32,
}

pub fn suite(folder: &str, attempts: Answers, solutions: Answers) -> Suite {
    suite_with(power::EXERCISE, folder, attempts, solutions)
}

pub fn suite_with(
    fifth: Exercise<fn(u32) -> u32>,
    folder: &str,
    attempts: Answers,
    solutions: Answers,
) -> Suite {
    Suite::new(folder)
        .time_limit(Duration::from_secs(2))
        .exercise(mean::EXERCISE, attempts.mean, solutions.mean)
        .exercise(softmax::EXERCISE, attempts.softmax, solutions.softmax)
        .exercise(gradient::EXERCISE, attempts.gradient, solutions.gradient)
        .exercise(shift::EXERCISE, attempts.rotated, solutions.rotated)
        .exercise(fifth, attempts.power_of_two, solutions.power_of_two)
        .capstone(capstone::EXERCISE, &[1, 5], attempts.into(), solutions.into())
}
