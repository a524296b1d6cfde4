//! The tests of chapter 6:
//!
//! - `attention`: scores, weights and contexts of a batch, sentence by sentence
//! - `choices`: what the program's choices make of a model
//! - `fixed_context`: the model of the square that neither chapter has
//! - `model_1`: IBM model 1 as attention, against counting
//! - `properties`: what must hold always, tried on many random cases
//! - `questions`: the answers of the page's questions, computed

mod attention;
mod choices;
mod fixed_context;
mod model_1;
mod properties;
mod questions;
