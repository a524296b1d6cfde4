//! What every chapter's tests need: approximate equality that explains itself, values recorded from
//! PyTorch, finite differences, and the runner behind the exercises.
//!
//! - [`assert_close!`] compares matrices, vectors, slices and numbers and shows the worst entry.
//! - [`expect`] does the same for an exercise: it names the call and shows the input.
//! - [`uneven`] and [`uneven_vector`] are inputs that distinguish rows, columns and signs.
//! - [`hard`] has the scores, rankings and lengths that careless answers fail on.
//! - [`golden`] loads tensors that a script in `tests/golden/` saved.
//! - [`chapter`] reads what a chapter has measured, and checks that its page says it.
//! - [`numbers`] holds the numbers that pages quote against their records.
//! - [`questions`] compares the answers of a chapter's questions with what its code computes.
//! - [`finite_difference`] is the oracle of a gradient.
//! - [`memory`] counts what a piece of work holds.
//! - [`copies`] derives the packages in double precision.
//! - [`exercises`] runs the checks of a chapter over attempts, solutions and wrong answers.
//!
//! Nothing here knows the course's `Float`: everything works for `f32` and `f64`, on owned matrices
//! and on views.

pub mod chapter;
pub mod close;
pub mod copies;
pub mod exercises;
#[cfg(test)]
mod failing;
pub mod golden;
pub mod gradient;
pub mod hard;
pub mod memory;
pub mod numbers;
pub mod questions;
mod uneven;

pub use close::expect;
pub use gradient::{finite_difference, softmax_mean};
pub use uneven::{uneven, uneven_vector};
