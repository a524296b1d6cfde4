//! What is no chapter's subject, and every chapter's ground.
//!
//! | file | holds |
//! |---|---|
//! | `matrix` | the matrix type and its one product, with free transposes |
//! | [`elementwise`] | `exp`, `tanh`, softmax of a slice: loops that vectorise |
//! | `tape`, `operations` | reverse-mode differentiation |
//! | `module`, `layers`, `losses` | parameters, and the layers and losses that no chapter teaches |
//! | `optimizers` | gradient descent, Adam, clipping |
//! | [`training`] | the one training loop: shards on parallel threads, schedules, checkpoints |
//! | [`data`], [`text`], [`error`] | files from outside, sentences, and what may be wrong with them |
//! | [`figure`] | charts and heatmaps as SVG |
//! | [`program`] | what the chapters' programs have in common |
//! | `gradient_check` | finite differences |
//!
//! A column is a token; see `matrix`.

mod claims;
pub mod data;
pub mod elementwise;
pub mod error;
pub mod figure;
mod gradient_check;
mod layers;
mod losses;
mod matrix;
mod module;
mod operations;
mod optimizers;
pub mod program;
mod tape;
pub mod text;
pub mod training;

pub use claims::{Claim, claims};
pub use gradient_check::{check_gradients, finite_differences};
pub use layers::{Embedding, Linear, dropout};
pub use losses::{cross_entropy, squared_error};
pub use matrix::{Float, Matrix, Operand, Target, Vector, View, ViewMut, gemm, product};
pub use module::{Module, Param, ParamId, Visitor};
pub use optimizers::{Adam, Method, Optimizer, ParamGradients, Sgd};
pub use tape::{Gradients, NodeId, Tape, Var};
pub use training::loss_and_gradients;

/// The generator behind every random number of the course: named, portable, seeded explicitly, so
/// that a printed number can be printed again.
pub type Rng = rand_chacha::ChaCha8Rng;

/// The generator with the given seed.
pub fn rng(seed: u64) -> Rng {
    rand::SeedableRng::seed_from_u64(seed)
}
