//! The mathematics that is no chapter's subject, and every chapter's ground: an evening's reading.
//!
//! | file | holds |
//! |---|---|
//! | [`products`] | a crate of its own: the matrix type and its one product |
//! | `functions`, [`elementwise`] | `exp`, `tanh`; softmax of a slice: loops that vectorise |
//! | `tape`, `operations` | reverse-mode differentiation |
//! | `module`, `layers`, `losses` | parameters, and the layers and losses that no chapter teaches |
//! | `shards` | a batch on several threads, the same numbers on any number of them |
//! | `param_gradients` | the gradients of all parameters: their sum, norm and clipping |
//! | `optimizers`, `adam` | gradient descent, Adam, AdamW |
//! | `gradient_check` | finite differences |
//! | `ragged`, `random` | sequences side by side, without padding; the generator |
//!
//! A column is a token; see [`Matrix`]. Nothing here touches a file, a terminal or a clock: that is the
//! crate `workbench`.

mod adam;
pub mod elementwise;
mod functions;
mod gradient_check;
mod layers;
mod losses;
mod module;
mod operands;
mod operations;
mod optimizers;
mod param_gradients;
mod ragged;
mod random;
mod shards;
mod tape;

pub use adam::{Adam, AdamW, Decay};
pub use gradient_check::{check_gradients, finite_differences};
pub use layers::{Embedding, Linear, Mask};
pub use losses::{cross_entropy, squared_error};
pub use module::{Module, Param, ParamId, Visitor};
pub use operands::{NodeId, Operands};
pub use optimizers::{Memory, Optimizer, Sgd};
pub use param_gradients::ParamGradients;
#[cfg(feature = "ladder")]
pub use products::Products;
pub use products::{
    Backend, Float, Matrix, Operand, Precision, Target, Times, Trial, Vector, View, ViewMut,
    arithmetic, copied, gemm, prepack, prepacked, product, short,
};
pub use ragged::Ragged;
/// The crate behind [`Rng`], for who draws with it and has no crate of their own: a notebook.
pub use rand;
pub use random::{Rng, rng};
pub use shards::{LossAndGradients, loss_and_gradients, mean_loss};
pub use tape::{Gradients, Tape, Var};
