//! The exercises of chapter 9: `cargo test -p self_attention --test exercises`.
#![allow(missing_docs)]

#[path = "../../exercises/mod.rs"]
pub mod attempts;
#[path = "../../solutions/mod.rs"]
pub mod solutions;

pub mod capstone;
pub mod causal;
pub mod crossing;
pub mod distance_gradient;
pub mod layers;
pub mod leaks;
pub mod look_one_back;
pub mod one_head;
pub mod plain_gradient;
pub mod position_of;
pub mod positions;
pub mod rival;
pub mod split_heads;
pub mod support;
pub mod take_the_mean_away;
pub mod turned;
pub mod verdicts;
pub mod who_notices;

tests::suite! {
    rival, one_head, take_the_mean_away, causal, plain_gradient, look_one_back, position_of,
    crossing, layers, leaks, verdicts, split_heads, positions, who_notices, distance_gradient,
    turned
}
