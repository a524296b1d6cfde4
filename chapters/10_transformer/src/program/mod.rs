//! The chapter's program and what it measures: the translators of the course side by side, and what
//! each choice of this one is worth.
//!
//! | file | holds |
//! |---|---|
//! | `recipe` | the model in the common program |
//! | `arguments`, `rows`, `trained` | what is compared, and how each is trained and judged |
//! | `conv_s2s`, `normalised` | rows that another model, or another normalisation, make |
//! | `depth` | what of a gradient arrives below twelve blocks |
//! | `timing` | how long a training step takes |
//! | `heads` | where the heads look, drawn and counted |
//! | `results`, `claims`, `figures` | what the page quotes, expects and shows |
//! | `compare` | all of it |

#![allow(missing_docs)] // an experiment: names say it

mod arguments;
mod claims;
mod commands;
mod compare;
pub mod conv_s2s;
mod depth;
mod figures;
mod heads;
mod normalised;
mod positions;
pub mod recipe;
mod results;
mod rows;
mod timing;
mod trained;

pub use arguments::CompareArgs;
pub use claims::{claims, claims_of_positions};
pub use commands::program;
pub use depth::{Around, BLOCKS, Depth, depth};
pub use figures::{by_positions, by_precision, figures};
pub use heads::head_error_rates;
pub use normalised::Normalised;
pub use positions::{Distances, Positions};
pub use recipe::{BEST, Chapter, Fall, Preset, Sizes};
pub use results::{ModelScores, OfPositions, OfPrecisions, Results};
pub use rows::{
    EQUAL_TIME, MODELS, Model, OTHERS, Row, Setup, VARIANTS, epochs_in, equalised, models, rows,
};
