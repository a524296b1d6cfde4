//! The exercises of chapter 12: `cargo test -p fine_tuning --test exercises`.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod bag_can;
pub mod capstone;
pub mod comparisons;
pub mod first_pieces;
pub mod have_gradients;
pub mod interval;
pub mod layer_gradients;
pub mod rate;
pub mod shapes;
pub mod share_of_loss;
#[path = "../../../11_bert/tests/exercises/small_encoder.rs"]
pub mod small_encoder;
pub mod verdicts;

tests::suite! {
    first_pieces, share_of_loss, have_gradients, rate, shapes, bag_can, comparisons, interval,
    verdicts, layer_gradients;
    within 200 seconds // the capstone trains an encoder first
}
