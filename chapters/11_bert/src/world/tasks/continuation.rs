//! Does the second text go on where the first one ends?

use super::{Parts, Sizes, Source, parts};
use crate::world::told::Sentence;
use std::slice::from_mut;

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
/// No story's first two sentences are ever the second text, since none comes after two others; all
/// later ones of a story are equally likely, in the one kind as in the other. So every word is as
/// frequent in the one as in the other, and it takes both texts to decide.
///
/// # Errors
/// When there are not so many that differ.
pub fn continuation(sizes: &Sizes, seed: u64) -> Result<Parts<Continued>, String> {
    parts(sizes, seed, 4, example, |one| from_mut(&mut one.label), &Continuation::ALL)
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
        Continuation::Another => &other.sentences[2 + source.below(other.sentences.len() - 2)],
    };
    Continued { first: text(&story.sentences[start..start + 2]), second: second.text(), label }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two stories a call: the second text is of the one or of the other, never one of its first two
    /// sentences, and as far on in the one kind as in the other.
    #[test]
    fn what_opens_a_story_is_in_neither_kind() {
        let [mut source, mut again] = [(); 2].map(|()| Source::new(1, 4, 0));
        let mut places = [Vec::new(), Vec::new()];
        for _ in 0..500 {
            let found = example(&mut source);
            let [story, other] = [again.story(), again.story()];
            let (kind, story) = match found.label {
                Continuation::Next => (0, story),
                Continuation::Another => (1, other),
            };
            let place = story.sentences.iter().position(|one| one.text() == found.second);
            let place = place.expect("a sentence of that story");
            assert!(place >= 2, "{found:?}");
            places[kind].push((place - 2) as f64 / (story.sentences.len() - 2) as f64);
        }
        let means = places.map(|places| places.iter().sum::<f64>() / places.len() as f64);
        assert!((means[0] - means[1]).abs() < 0.06, "{means:?}"); // a standard error is 0.026
    }
}
