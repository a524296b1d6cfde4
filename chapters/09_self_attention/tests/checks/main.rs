//! The tests of chapter 9:
//!
//! - `multi_head`: the layer against PyTorch's, and against a loop over its heads
//! - `cached`: one new token against all tokens at once
//! - `parallel`: what waits for what, number by number
//! - `convolution`: the convolutional translator against PyTorch, and what a word can depend on
//! - `positions`: what sinusoids know of positions and of distances
//! - `properties`: what must hold always, tried on many random cases
//! - `layers`: heads and masks
//! - `river`: the page's example, number by number
//! - `program`: the committed results, and what the page says of them
//! - `heads`: masked words, and what the page says of them
//! - `pronoun`: the sentences about *it*, the two guessers, and what the page says of them
//! - `questions`: the answers of the page's questions, computed

mod cached;
mod convolution;
mod experiment;
mod heads;
mod layers;
mod multi_head;
mod parallel;
mod positions;
mod pronoun;
mod properties;
mod questions;
mod relative;
mod river;
