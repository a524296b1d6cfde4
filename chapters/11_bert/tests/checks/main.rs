//! The tests of chapter 11:
//!
//! - `compare`: what the start and the order do, judged
//! - `encoder`: parameters counted, who sees whom in a batch
//! - `forged`: checkpoints that somebody cut, damaged or forged
//! - `golden`: a checkpoint of transformers, its results and gradients
//! - `interchange`: the spellings and parts of checkpoints, and what is refused
//! - `masking`: what is hidden, counted
//! - `order`: pairs first
//! - `program`: the commands, what they refuse, and a training that is killed
//! - `windows`: which sentences make an example, and the loss of a batch

mod compare;
mod encoder;
mod forged;
mod golden;
mod interchange;
mod masking;
mod order;
mod program;
mod support;
mod windows;
