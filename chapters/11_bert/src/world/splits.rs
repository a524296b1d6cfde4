//! Documents by their numbers, and three parts that share none.

use super::story::story as told_with;
use super::told::Story;
use corpora::texts::Document;
use std::collections::HashSet;

/// Documents to learn from, to choose by, and to be judged by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splits {
    /// The documents that a model learns from.
    pub train: Vec<Document>,
    /// The documents that settings are chosen by.
    pub validation: Vec<Document>,
    /// The documents that a model is judged by.
    pub test: Vec<Document>,
}

/// A part of the documents: every part has 2⁵⁶ numbers of its own.
#[derive(Clone, Copy)]
pub(super) struct Part(pub u8);

impl Part {
    pub const VALIDATION: Part = Part(1);
    pub const TEST: Part = Part(2);

    /// Number `number` of the part, among all numbers.
    pub fn number(self, number: u64) -> u64 {
        u64::from(self.0) << 56 | number
    }
}

/// The stories of a seed: each has a stream of random numbers of its own, so any of them can be
/// told without the others.
///
/// Numbers below 2⁵⁶ are those of [`documents`]' training part; higher ones make the held-out parts
/// and the [`tasks`](super::tasks).
pub fn story(seed: u64, number: u64) -> Story {
    let mut rng = shared::rng(seed);
    rng.set_stream(number);
    told_with(rng)
}

/// [`story`], the text alone: a stream of any length that nobody has to keep.
///
/// ```
/// use bert::world::{document, documents};
/// assert_eq!(document(1, 7), documents(10, 1).train[7]);
/// ```
pub fn document(seed: u64, number: u64) -> Document {
    story(seed, number).document()
}

/// `count` documents to learn from, and held-out parts of a twentieth of that, at least 50, each.
///
/// Document `i` of the training part is [`document`]`(seed, i)`, so a larger `count` goes on where
/// a smaller one ended. No held-out document has the same sentences as another document of any part.
pub fn documents(count: usize, seed: u64) -> Splits {
    let train: Vec<Document> = (0..count as u64).map(|i| document(seed, i)).collect();
    let mut seen: HashSet<Document> = train.iter().cloned().collect();
    let size = (count / 20).max(50);
    let mut held_out = |part: Part| -> Vec<Document> {
        let candidates = (0..).map(|i| document(seed, part.number(i)));
        candidates.filter(|document| seen.insert(document.clone())).take(size).collect()
    };
    let validation = held_out(Part::VALIDATION);
    let test = held_out(Part::TEST);
    Splits { train, validation, test }
}
