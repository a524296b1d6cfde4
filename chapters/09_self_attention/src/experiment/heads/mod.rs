//! One head or several, how far do they look, and along which relations?
//!
//! | module | holds |
//! |---|---|
//! | [`texts`] | English sentences, and which words belong together |
//! | [`filler`] | models that fill in a hidden word |
//! | [`looking`] | how far a head looks, and what it finds |
//! | `measure` | all trainings, and what they gave |
//! | `figures` | the pictures |

mod figures;
pub mod filler;
pub mod looking;
mod measure;
pub mod texts;

pub use figures::figures;
pub use measure::{Config, Filled, Heads, Kind, SEVERAL, measure, trainings};
