//! The exercises of chapter 7: `cargo test -p luong --test exercises`.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod apart;
pub mod attentional;
pub mod capstone;
pub mod decoder_parameters;
pub mod diagonal;
pub mod general_scores;
pub mod local_p;
pub mod location;
pub mod position_gradient;
pub mod window;

tests::suite! {
    window, general_scores, position_gradient, decoder_parameters, local_p, location,
    attentional, diagonal, apart
}
