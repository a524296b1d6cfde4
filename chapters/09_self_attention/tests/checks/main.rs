//! The tests of chapter 9:
//!
//! - `multi_head`: the layer against PyTorch's, and against a loop over its heads
//! - `cached`: one new token against all tokens at once
//! - `convolution`: the convolutional translator against PyTorch, and what a word can depend on
//! - `positions`: what sinusoids know of positions and of distances
//! - `properties`: what must hold always, tried on many random cases
//! - `layers`: heads and masks
//! - `river`: the page's example, number by number
//! - `pronoun`: the sentences about *it*, and the model that names its noun
//! - `questions`: the answers of the page's questions, computed

mod cached;
mod convolution;
mod layers;
mod multi_head;
mod positions;
mod pronoun;
mod properties;
mod questions;
mod relative;
mod river;
