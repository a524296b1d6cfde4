//! What a model is asked when it is trained.
//!
//! | file | holds |
//! |---|---|
//! | `model` | a model with its pieces, out of a folder |
//! | `fill` | which token was at `[MASK]` |
//! | `embed`, `recipe` | a vector for every line, and how *sentence-transformers* wants it made |
//! | `view` | where every head looks, in one page |

mod embed;
mod fill;
mod model;
mod recipe;
mod view;

pub use embed::means;
pub(super) use embed::{EmbedArgs, embed};
pub use fill::candidates;
pub(super) use fill::{FillArgs, fill};
pub use model::{Model, OVERFLOWS, must_fit_together, print_unused};
pub use recipe::Pooling;
pub(super) use view::{ViewArgs, view};
