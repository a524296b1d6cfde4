//! Matrices by name in a file of the format *safetensors*, which other libraries read and write.
//!
//! | file | holds |
//! |---|---|
//! | `own` | files with our names: [`save_parameters`], [`ParameterFile`] |
//! | `foreign` | files with the names of others: [`foreign_bytes`], [`ForeignFile`] |
//! | `shards` | a file of others in parts: [`read_shards`] |
//! | `table` | what is called what: [`Foreign`], [`Entry`], [`Theirs`] |
//! | `named` | a model's parameters, taken out and put back |
//! | `tensors` | the bytes of a file, and what may be wrong with them |
//!
//! A matrix (rows, columns) becomes a tensor of the shape `[rows, columns]`, row after row, as
//! PyTorch keeps its own. So the weight of a `Linear` is the tensor PyTorch expects; biases and
//! other columns have the shape `[n, 1]` here and `[n]` there.

mod foreign;
mod named;
mod own;
mod shards;
mod table;
mod tensors;

pub use foreign::{ForeignFile, foreign_bytes};
pub(crate) use named::{Named, assign, parameters};
pub(crate) use own::described_kind;
pub use own::{ParameterFile, save_parameters};
pub use shards::read_shards;
pub use table::{Entry, Foreign, Theirs};
pub(crate) use tensors::{Tensors, to_bytes};

/// What the file of a model is called in its folder.
pub const MODEL_FILE: &str = "model.safetensors";
