//! Chapter 3's tests: the committed results made again, and scores, masks and attention against
//! their formulas, against PyTorch and against each other.

mod experiment;
mod scores;
