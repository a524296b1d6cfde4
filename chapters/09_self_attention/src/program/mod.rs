//! What the page measures.
//!
//! | module | question |
//! |---|---|
//! | [`own`] | how much does a token look at itself? |
//! | [`walk`] | two words, step by step, in numbers |
//! | [`padding`] | what does a wrong mask do? |
//! | [`places`] | what do sinusoids say of positions? |
//! | [`depth`], [`parallel`] | what waits for what, and what two threads make of it? |
//! | [`adding`] | chapter 4's adding problem and its gradients, once more |
//! | [`pronoun`] | what does *it* look at? |
//! | [`heads`] | one head or several? |
//! | `config`, `section`, `results` | what can be set, asked, quoted |
//! | `program`, `statistics` | the command, and shares |
//!
//! A further section is one line here, and in `results` one for its field, one where it is measured
//! and one among the sections.

#![allow(missing_docs)] // an experiment: names say it

pub mod adding;
mod commands;
mod config;
pub mod depth;
pub mod heads;
pub mod own;
pub mod padding;
pub mod parallel;
pub mod places;
pub mod pronoun;
mod results;
mod section;
pub mod statistics;
pub mod walk;

pub use commands::program;
pub use config::Config;
pub use results::{Results, run};
pub use section::{JudgedClaim, Section};
