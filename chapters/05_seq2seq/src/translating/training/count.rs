//! How many parameters a layer has, before it is built.
//!
//! In `u128`, so that no size overflows: widths and layers are `u32`, words at most `u64`, and no
//! formula multiplies more than three of them.

/// A [`shared::Linear`] with a bias; without one it has `inputs · outputs`.
pub fn linear(inputs: u128, outputs: u128) -> u128 {
    (inputs + 1) * outputs
}

/// A [`recurrent_networks::Gru`]: three gates, each with W, U, b and c.
pub fn gru(inputs: u128, hidden: u128) -> u128 {
    3 * hidden * (inputs + hidden + 2)
}

/// A [`recurrent_networks::Stack`] of at least one [`gru`].
pub fn stack(inputs: u128, hidden: u128, layers: u128) -> u128 {
    gru(inputs, hidden) + (layers - 1) * gru(hidden, hidden)
}
