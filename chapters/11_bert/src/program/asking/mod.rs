//! What a model is asked when it is trained.

mod embed;
mod fill;
mod model;
mod recipe;
mod view;

pub(super) use embed::{EmbedArgs, embed, means};
pub(super) use fill::{FillArgs, fill};
pub use model::{OVERFLOWS, must_fit_together, print_unused};
pub(super) use view::{ViewArgs, view};
