//! The tests of chapter 4:
//!
//! - `program`: the committed results, and what the page says of them
//! - `golden`: the layers against PyTorch's, values and gradients
//! - `language`: backward through time as derived; a network that writes
//! - `layers`: the fused layers against their cells, unrolled
//! - `side`: the record of the command `language`; other starts
//! - `properties`: what must hold always, tried on many random cases
//! - `questions`: the answers of the page's questions, computed

mod experiment;
mod golden;
mod language;
mod layers;
mod properties;
mod questions;
mod side;
