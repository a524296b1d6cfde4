//! What the page measures.
//!
//! | module | question |
//! |---|---|
//! | [`flow`] | how does a gradient fade on its way back? |
//! | [`adding`], `additions` | which cell carries a number over 10 … 200 steps? |
//! | [`clipping`] | what if it explodes? |
//! | [`starts`] | what if a plain network starts where its gradient arrives? what do gates do? |
//! | [`next_word`], [`writing`], [`ngrams`], [`agreement`] | how well does a network know what comes next? |
//! | [`apple`], `apples` | what if the deciding word comes later? |
//! | [`packing`] | what does padding cost? |
//! | `claims` | what was claimed beforehand? |
//! | `config`, `cell`, `results` | what can be set, what is compared, what is quoted? |
//! | `figures`, `statistics` | the pictures, and numbers short enough to be read |

pub mod adding;
mod additions;
pub mod agreement;
pub mod apple;
mod apples;
mod cell;
mod claims;
pub mod clipping;
mod config;
mod figures;
pub mod flow;
pub mod next_word;
pub mod ngrams;
pub mod packing;
pub mod program;
mod results;
pub mod starts;
mod statistics;
pub mod writing;

pub use additions::{Added, Additions, Learned, add, summary};
pub use apples::Apple;
pub use cell::Cell;
pub use claims::claims;
pub use config::Config;
pub use figures::figures;
pub use results::Results;

use adding::LENGTHS;
use additions::additions;
use apple::Reading;
use apples::apples;
use flow::Flow;
use workbench::error::Result;

/// The number of trainings that [`run`] will do.
pub fn trainings(config: &Config) -> usize {
    (LENGTHS.len() * Cell::ALL.len() + Reading::ALL.len()) * config.seeds
}

/// Runs everything on all cores; `done` is called after each training.
///
/// # Errors
/// When a number is not finite, or Ctrl-C was pressed.
pub fn run(config: &Config, done: impl Fn() + Sync) -> Result<Results> {
    let (adding, trained) = additions(config, &done)?;
    let flow = Flow { trained, ..flow::untrained(config) };
    let apple = apples(config, &done)?;
    let clipping = clipping::measure(config);
    let packing = packing::measure(config);
    let claims = claims(&adding, &flow, &apple);
    Ok(Results { flow, adding, clipping, apple, packing, claims })
}
