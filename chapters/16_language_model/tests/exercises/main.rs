//! The exercises of chapter 16: `cargo test -p language_model --test exercises`.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod capstone;
pub mod floor;
pub mod gated;
pub mod induction_head;
pub mod kept;
pub mod nucleus;
pub mod rms_norm;
pub mod rows_of_group;

tests::suite! {
    rms_norm, gated, nucleus, rows_of_group, floor, induction_head, kept;
    within 200 seconds // the capstone trains
}
