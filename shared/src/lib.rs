//! The mathematics that is no chapter's subject, and every chapter's ground: an evening's reading.
//!
//! | file | holds |
//! |---|---|
//! | `matrix`, `arithmetic` | the matrix type and its one product, with free transposes; its operations counted |
//! | `precision`, `bf16` | the switch to products whose factors are rounded to 16 bits, and these |
//! | `ladder` | with a feature of that name: slower products, to measure against |
//! | [`short`] | the product of matrices that are too small for its kernel |
//! | [`elementwise`] | `exp`, `tanh`, softmax of a slice: loops that vectorise |
//! | `tape`, `operations` | reverse-mode differentiation |
//! | `module`, `layers`, `losses` | parameters, and the layers and losses that no chapter teaches |
//! | `shards`, `arriving` | a batch on several threads, the same numbers on any number of them; its gradients one by one, as they are complete |
//! | `param_gradients` | the gradients of all parameters: their sum, norm and clipping |
//! | `optimizers`, `adam` | gradient descent, Adam, AdamW |
//! | `gradient_check` | finite differences |
//!
//! A column is a token; see `matrix`. Nothing here touches a file, a terminal or a clock: that is the
//! crate `workbench`.

mod adam;
mod arithmetic;
mod arriving;
#[cfg(all(feature = "bf16", not(feature = "f64"), target_arch = "x86_64"))]
mod bf16;
#[cfg(not(all(feature = "bf16", not(feature = "f64"), target_arch = "x86_64")))]
#[path = "no_bf16.rs"]
mod bf16;
pub mod elementwise;
mod gradient_check;
#[cfg(feature = "ladder")]
mod ladder;
mod layers;
mod losses;
mod matrix;
mod module;
mod operations;
mod optimizers;
mod param_gradients;
mod precision;
mod shards;
pub mod short;
mod tape;

pub use adam::{Adam, AdamW, Decay};
pub use arithmetic::arithmetic;
pub use arriving::{Arriving, Complete};
pub use gradient_check::{check_gradients, finite_differences};
#[cfg(feature = "ladder")]
pub use ladder::Products;
pub use layers::{Embedding, Linear, Mask, dropout};
pub use losses::{cross_entropy, squared_error};
pub use matrix::{Float, Matrix, Operand, Target, Vector, View, ViewMut, gemm, product};
pub use module::{Module, Param, ParamId, Visitor};
pub use optimizers::{Memory, Optimizer, Sgd};
pub use param_gradients::ParamGradients;
pub use precision::Precision;
pub use shards::{LossAndGradients, loss_and_gradients, mean_loss};
pub use tape::{Gradients, NodeId, Tape, Var};

/// The generator behind every random number of the course: named, portable, seeded explicitly, so
/// that a printed number can be printed again.
pub type Rng = rand_chacha::ChaCha8Rng;

/// The generator with the given seed.
pub fn rng(seed: u64) -> Rng {
    rand::SeedableRng::seed_from_u64(seed)
}

/// The seed of stream `number` of a run with the given `seed`: a run that repeats a training, or draws
/// data beside start values, gives each its own stream.
///
/// Under seed 0 it is the number itself. Were seeds added to numbers, repetition 1 under seed 0 would
/// be repetition 0 under seed 1, and a second look at a result would be none. So the seed is scrambled
/// first, by the finaliser of splitmix64 (Steele, Lea and Flood 2014, with Stafford's constants): one
/// to one, and 0 stays 0. For seeds below 2000 and numbers below 2¹⁶ no two streams meet.
///
/// ```
/// use shared::stream;
/// assert_eq!(stream(0, 1), 1);
/// assert_ne!(stream(0, 1), stream(1, 0));
/// ```
pub fn stream(seed: u64, number: u64) -> u64 {
    let mut z = seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::stream;
    use std::collections::HashSet;

    /// Two streams with numbers below 2¹⁶ meet only where the scrambled seeds agree in their upper 48
    /// bits.
    #[test]
    fn streams_of_different_seeds_do_not_meet() {
        let upper: HashSet<u64> = (0..2000).map(|seed| stream(seed, 0) >> 16).collect();
        assert_eq!(upper.len(), 2000);
        for number in [0, 1, 4321, u64::from(u16::MAX)] {
            assert_eq!(stream(0, number), number);
            assert_eq!(stream(7, number) >> 16, stream(7, 0) >> 16);
        }
    }
}
