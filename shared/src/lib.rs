//! The mathematics that is no chapter's subject, and every chapter's ground: an evening's reading.
//!
//! | file | holds |
//! |---|---|
//! | `matrix`, `arithmetic` | the matrix type and its one product, with free transposes; its operations counted |
//! | [`elementwise`] | `exp`, `tanh`, softmax of a slice: loops that vectorise |
//! | `tape`, `operations` | reverse-mode differentiation |
//! | `module`, `layers`, `losses` | parameters, and the layers and losses that no chapter teaches |
//! | `shards` | a batch on several threads, the same numbers on any number of them |
//! | `param_gradients` | the gradients of all parameters: their sum, norm and clipping |
//! | `optimizers`, `adam` | gradient descent, Adam, AdamW |
//! | `gradient_check` | finite differences |
//!
//! A column is a token; see `matrix`. Nothing here touches a file, a terminal or a clock: that is the
//! crate `workbench`.

mod adam;
mod arithmetic;
pub mod elementwise;
mod gradient_check;
mod layers;
mod losses;
mod matrix;
mod module;
mod operations;
mod optimizers;
mod param_gradients;
mod shards;
mod tape;

pub use adam::{Adam, AdamW, Decay};
pub use arithmetic::arithmetic;
pub use gradient_check::{check_gradients, finite_differences};
pub use layers::{Embedding, Linear, dropout};
pub use losses::{cross_entropy, squared_error};
pub use matrix::{Float, Matrix, Operand, Target, Vector, View, ViewMut, gemm, product};
pub use module::{Module, Param, ParamId, Visitor};
pub use optimizers::{Memory, Optimizer, Sgd};
pub use param_gradients::ParamGradients;
pub use shards::{LossAndGradients, loss_and_gradients, mean_loss};
pub use tape::{Gradients, NodeId, Tape, Var};

/// The generator behind every random number of the course: named, portable, seeded explicitly, so
/// that a printed number can be printed again.
pub type Rng = rand_chacha::ChaCha8Rng;

/// The generator with the given seed.
pub fn rng(seed: u64) -> Rng {
    rand::SeedableRng::seed_from_u64(seed)
}
