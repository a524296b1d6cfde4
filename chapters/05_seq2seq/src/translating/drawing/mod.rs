//! Where a translator looked (`draw`), several in one chart (`compared`), and every head of one in a page
//! (`look`, `view`).

pub mod compared;
pub mod draw;
pub mod look;
pub(crate) mod view;
