//! Where a translator looked (`draw`), and every head of one in a page
//! (`look`, `view`).

pub mod draw;
pub mod look;
pub(crate) mod view;
