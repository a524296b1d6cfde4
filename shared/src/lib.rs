//! The mathematics that is no chapter's subject, and every chapter's ground: an evening's reading.
//!
//! | file | holds |
//! |---|---|
//! | `matrix` | the matrix type and its one product, with free transposes |
//! | [`elementwise`] | `exp`, `tanh`, softmax of a slice: loops that vectorise |
//! | `tape`, `operations` | reverse-mode differentiation |
//! | `module`, `layers`, `losses` | parameters, and the layers and losses that no chapter teaches |
//! | `shards` | a batch on several threads, the same numbers on any number of them |
//! | `optimizers` | gradient descent, Adam, clipping |
//! | `gradient_check` | finite differences |
//!
//! A column is a token; see `matrix`. Nothing here touches a file, a terminal or a clock: that is the
//! crate `workbench`.

pub mod elementwise;
mod gradient_check;
mod layers;
mod losses;
mod matrix;
mod module;
mod operations;
mod optimizers;
mod shards;
mod tape;

pub use gradient_check::{check_gradients, finite_differences};
pub use layers::{Embedding, Linear, dropout};
pub use losses::{cross_entropy, squared_error};
pub use matrix::{Float, Matrix, Operand, Target, Vector, View, ViewMut, gemm, product};
pub use module::{Module, Param, ParamId, Visitor};
pub use optimizers::{Adam, Method, Moments, Optimizer, ParamGradients, Sgd};
pub use shards::{loss_and_gradients, mean_loss, run_shards};
pub use tape::{Gradients, NodeId, Tape, Var};

/// The generator behind every random number of the course: named, portable, seeded explicitly, so
/// that a printed number can be printed again.
pub type Rng = rand_chacha::ChaCha8Rng;

/// The generator with the given seed.
pub fn rng(seed: u64) -> Rng {
    rand::SeedableRng::seed_from_u64(seed)
}
