//! Does the second text go on where the first one ends?

use super::noise::disturb;
use super::{Parts, Sizes, Source, parts};
use crate::documents::sentences::Sentence;

/// Whether a text goes on with a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Continuation {
    /// It is the next sentence.
    Next,
    /// It is a sentence of another story.
    Another,
}

impl Continuation {
    /// Both, in the order of their numbers.
    pub const ALL: [Continuation; 2] = [Continuation::Next, Continuation::Another];
}

/// Two texts and whether they belong together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Continued {
    /// Two sentences of a story.
    pub first: String,
    /// The one after them, or one of another story.
    pub second: String,
    /// Its label.
    pub label: Continuation,
}

/// Two sentences of a story with the one after them, or with a sentence of another story, equally often.
/// This is what pre-training's second loss asks of longer texts; here it is asked with few examples.
///
/// # Errors
/// With the reason, when there are not so many that differ.
///
/// # Panics
/// When the noise is not between 0 and 1.
pub fn continuation(sizes: &Sizes, seed: u64) -> Result<Parts<Continued>, String> {
    parts(sizes, seed, 4, example, |examples, share, rng| {
        disturb(examples.iter_mut().map(|one| &mut one.label), &Continuation::ALL, share, rng);
    })
}

fn example(source: &mut Source) -> Continued {
    let label = Continuation::ALL[source.below(2)];
    let (story, other) = (source.story(), source.story());
    let start = source.below(story.sentences.len() - 2);
    let text = |sentences: &[Sentence]| -> String {
        sentences.iter().map(Sentence::text).collect::<Vec<_>>().join(" ")
    };
    let second = match label {
        Continuation::Next => &story.sentences[start + 2],
        Continuation::Another => &other.sentences[source.below(other.sentences.len())],
    };
    Continued { first: text(&story.sentences[start..start + 2]), second: second.text(), label }
}
