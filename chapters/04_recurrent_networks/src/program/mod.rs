//! What the page measures.
//!
//! | module | question |
//! |---|---|
//! | [`flow`] | how does a gradient fade on its way back? |
//! | [`adding`], `additions` | which cell carries a number over 10 … 200 steps? |
//! | [`clipping`] | what if it explodes? |
//! | [`starts`] | what if a plain network starts where its gradient arrives? |
//! | [`gates`] | what do the gates of a trained GRU do? |
//! | [`next_word`], [`writing`], [`ngrams`], [`agreement`] | how well does a network know what comes next? |
//! | [`apple`] | what if the deciding word comes later? |
//! | `config`, `cell`, `results` | what can be set, what is compared, what is quoted, and was claimed beforehand? |
//! | `figures`, `report` | the pictures, the tables |

#![allow(missing_docs)] // an experiment: names say it

pub mod adding;
mod additions;
pub mod agreement;
pub mod apple;
mod cell;
pub mod clipping;
pub mod commands;
mod config;
mod figures;
pub mod flow;
pub mod gates;
pub mod next_word;
pub mod ngrams;
mod report;
mod results;
pub mod starts;
pub mod writing;

pub use additions::{Added, Additions, Learned, add, geometric_mean, summary};
pub use apple::Apple;
pub use cell::Cell;
pub use config::Config;
pub use figures::{by_distance, figures, learning};
pub use results::{Results, claims};

use additions::additions;
use apple::apples;
use flow::Flow;
use workbench::error::Result;

pub fn run(config: &Config) -> Result<Results> {
    let (adding, trained) = additions(config)?;
    let flow = Flow { trained, ..flow::untrained(config) };
    let apple = apples(config)?;
    let clipping = clipping::measure(config);
    let gates = gates::measure(config)?;
    let claims = claims(&adding, &flow, &apple);
    Ok(Results { flow, adding, gates, clipping, apple, claims })
}
