//! The tests of the workbench:
//!
//! - `arguments`: what programs are told
//! - `training`: the loop against its steps written out
//! - `contracts`: denominators, grouped shards, optimisers, frozen parameters
//! - `checkpoints`: what is saved, what is refused
//! - `parameters`: files of ours and of others
//!
//! `survival`, which is killed, is a program of its own.

mod arguments;
mod checkpoints;
mod contracts;
mod parameters;
mod toy;
mod training;
