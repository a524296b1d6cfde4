//! The tests of the workbench:
//!
//! - `arguments`: the arguments of programs
//! - `averaging`: the mean of the last epochs
//! - `training`: the loop against its steps written out
//! - `diverging`: numbers that are none
//! - `contracts`: denominators, grouped shards, frozen parameters
//! - `checkpoints`: what is saved, what is refused
//! - `reading`: tables from outside, and files that are none
//! - `records`: a run that goes on where nothing is, from damage, with other data
//! - `writing`: what is written over, and what is left alone
//! - `parameters`: files of ours and of others
//! - `stream`: seeds that do not meet
//! - `viewer`: the page of attentions, in a browser
//!
//! `survival`, which is killed, is a program of its own.

mod arguments;
mod averaging;
mod checkpoints;
mod contracts;
mod diverging;
mod parameters;
mod plain;
mod reading;
mod records;
mod stream;
mod toy;
mod training;
mod viewer;
mod writing;
