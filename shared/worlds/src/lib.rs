//! Texts and pictures that this project generates, so that everything about them is known.
//!
//! | module | writes |
//! |---|---|
//! | [`parallel`] | English and French sentences that translate each other, word by word |
//! | [`documents`] | stories about a small world, and tasks made of them |
//! | [`rooms`] | who went where with what: short stories with questions, and facts with questions |
//! | [`shop`] | what customers look at and buy, and why |
//! | [`scenes`] | pictures of a few things, with a mask and captions for each |

#[cfg(feature = "texts")]
pub mod documents;
#[cfg(feature = "texts")]
pub mod parallel;
#[cfg(feature = "texts")]
pub mod rooms;
pub mod scenes;
#[cfg(feature = "texts")]
pub mod shop;
