//! What a translator is worth: of one model (`judge`), and over several seeds (`scores`).

pub mod judge;
pub mod scores;
