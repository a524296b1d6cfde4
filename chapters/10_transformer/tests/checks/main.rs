//! The tests of chapter 10:
//!
//! - `blocks`: normalisation token by token, the feed-forward network
//! - `choices`: arguments that do not go together, and what files keep of them
//! - `counts`: parameters, of small models and of the paper's
//! - `decoding`: word by word with keys and values kept, against the whole decoder
//! - `golden`: blocks and small models against PyTorch
//! - `models`: who sees whom in a batch, and which parameters learn
//! - `places`: where sentences begin and end; the committed page of attentions
//! - `precision`: trainings in bf16 and in three products of it, stopped, killed and gone on with
//! - `smoothing`: the loss with smoothed labels against its definition
//! - `survival`: a run that is killed, and a run on many threads
//! - `questions`: the answers of the page's questions, computed

mod blocks;
mod choices;
mod counts;
mod decoding;
mod golden;
mod models;
mod places;
mod precision;
mod questions;
#[path = "../../../../chapters/programs/workbench/tests/runs/mod.rs"]
mod runs;
mod smoothing;
mod support;
mod survival;
