//! The tests of chapter 9:
//!
//! - `multi_head`: the layer against PyTorch's, and against a loop over its heads
//! - `cached`: one new token against all tokens at once
//! - `positions`: what sinusoids know of places and of distances
//! - `properties`: what must hold always, tried on many random cases

mod cached;
mod multi_head;
mod positions;
mod properties;
