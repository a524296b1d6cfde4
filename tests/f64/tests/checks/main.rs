//! Gradients in double precision: of the ground, and of every chapter (`chapters/*/tests/gradients`).

mod chapters;
mod layers;
mod operations;
