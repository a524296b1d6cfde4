//! The exercises of chapter 15: `cargo test -p captioning --test exercises`.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod back_to_pixels;
pub mod capstone;
pub mod clipped;
pub mod even_gradient;
pub mod neighbourhood;
pub mod pointing;
pub mod query_for_a_ring;
pub mod receptive_field;
pub mod under_evenness;

tests::suite! {
    neighbourhood, receptive_field, even_gradient, clipped, pointing, back_to_pixels,
    query_for_a_ring, under_evenness;
    within 200 seconds // the capstone trains
}
