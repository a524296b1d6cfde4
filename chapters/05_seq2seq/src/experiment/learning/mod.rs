//! Two changes of the chapter's model: a last layer that sees the word before and the context too,
//! and a training in which the decoder reads words of its own.

mod claims;
mod compare;
mod results;
mod trials;

pub use claims::claims;
pub use compare::{LAYER, OWN_WORDS, Other, compare};
pub use results::{Model, Results};
pub use trials::Change;
