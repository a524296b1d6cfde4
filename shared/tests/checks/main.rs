//! The tests of the mathematics.

mod adam;
mod elementwise;
mod layers;
mod module;
mod shards;
mod tape;
