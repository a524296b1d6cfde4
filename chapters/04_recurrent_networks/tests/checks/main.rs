//! The tests of chapter 4:
//!
//! - `flow`: how gradients fade
//! - `golden`: the layers against PyTorch's, values and gradients
//! - `language`: backward through time as derived; a network that writes
//! - `layers`: the fused layers against their cells, unrolled
//! - `properties`: what must hold always, tried on many random cases
//! - `questions`: the answers of the page's questions, computed

mod flow;
mod golden;
mod language;
mod layers;
mod properties;
mod questions;
