//! The tests that cross chapters: what the chapters claim to hold always, and the book against the
//! repository it describes.

mod book;
mod properties;
