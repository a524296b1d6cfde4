//! Which estimator is it?
//!
//! Attention is regression at test time (Wang, Shi & Fox 2025): keys and values are the points, a query is the place
//! that is asked about, and a layer differs from the next in how it fits the points. The first page's weighted mean
//! returns here among seven others. A column is a key or a query. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `m`, `n` | keys; queries |
//! | `d`, `c` | entries of a key; entries of a value |
//! | `H`, `p`, `p_v` | heads, entries of a head's keys, of its values |
//! | `C` | tokens of a chunk |
//!
//! | module | holds |
//! |---|---|
//! | [`estimators`] | one trait, eight estimators |
//! | [`mod@line`] | the eight on a line, with chapter 1's points |
//! | [`memory`] | a matrix that is written token by token |
//! | [`mod@linear_attention`] | the same for whole sequences, in chunks, with gradients |
//! | [`layer`] | a layer of heads around it, and a language model with either kind of attention |
//! | [`tasks`] | random regressions, and layers that are trained on them |
//! | `program` | the program |

pub mod estimators;
pub mod layer;
pub mod line;
pub mod linear_attention;
pub mod memory;
#[cfg(feature = "program")]
pub mod program;
pub mod tasks;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as full_circle;

pub use estimators::{
    DeltaRule, Estimator, ImplicitStep, LinearAttention, LocalLine, Mean, NadarayaWatson,
    NearestNeighbour, RecursiveLeastSquares, bumps,
};
pub use line::Kind;
pub use linear_attention::linear_attention;
pub use memory::{Memory, Update};
pub use shared::{Float, Matrix};
