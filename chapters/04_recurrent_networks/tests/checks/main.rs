//! The tests of chapter 4:
//!
//! - `experiment`: the committed results, and what the page says of them
//! - `golden`: the layers against PyTorch's, values and gradients
//! - `layers`: the fused layers against their cells, unrolled
//! - `properties`: what must hold always, tried on many random cases

mod experiment;
mod golden;
mod layers;
mod properties;
