//! What the page measures.
//!
//! | module | question |
//! |---|---|
//! | [`pronoun`] | what does *it* look at? |
//! | [`heads`] | one head or several, how far do they look, and along which relations? |
//! | [`reader`] | the small model of both |
//! | [`spread`] | a number for each seed |

pub mod heads;
pub mod pronoun;
pub mod reader;
pub mod spread;
