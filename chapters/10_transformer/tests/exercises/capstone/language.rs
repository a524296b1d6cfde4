//! Sentences of the course's own grammar, few enough to be learnt in a moment.

use corpora::{END, Pair, Vocabulary};
use parallel::lexicon::{adjective, noun, verb};
use parallel::tree::*;

/// A source and a target as numbers, both with their end.
pub type Numbers = (Vec<usize>, Vec<usize>);

/// *the small cats do not sleep .* – *les petits chats ne dorment pas .*
pub struct Language {
    /// The words of the source and of the target.
    pub words: [Vocabulary; 2],
    pub training: Vec<Numbers>,
    pub test: Vec<Numbers>,
}

impl Language {
    /// All sentences of a few words; every sixth is kept for the test.
    pub fn new() -> Language {
        let pairs: Vec<Pair> = (0..300).map(sentence).collect();
        let source = Vocabulary::new(pairs.iter().map(|pair| &pair.source[..]), 1);
        let target = Vocabulary::new(pairs.iter().map(|pair| &pair.target[..]), 1);
        let (mut training, mut test) = (Vec::new(), Vec::new());
        for (i, pair) in pairs.iter().enumerate() {
            let (read, said) = (source.encode(&pair.source), target.encode(&pair.target));
            let part = if i % 6 == i / 6 % 6 { &mut test } else { &mut training };
            part.push(([read, vec![END]].concat(), [said, vec![END]].concat()));
        }
        Language { words: [source, target], training, test }
    }
}

/// One of 300.
fn sentence(i: usize) -> Pair {
    let polarity = [Polarity::Yes, Polarity::Not][i % 2];
    let action = verb(["sleep", "run", "walk"][i / 2 % 3], false);
    let quality = [None, Some("small"), Some("big"), Some("black"), Some("white")][i / 6 % 5];
    let number = [Number::Singular, Number::Plural][i / 30 % 2];
    let name = noun(["cat", "dog", "horse", "cow", "mouse"][i / 60]);
    let (before, after) = match quality.map(adjective) {
        Some(quality) if !quality.before => (None, Some(quality)), // in French
        quality => (quality, None),
    };
    let phrase = NounPhrase::new(Determiner::The, name, number);
    let subject = NounPhrase { before, after, ..phrase }.into();
    let head = Head::Verb { verb: action, object: None, recipient: None };
    let predicates = vec![VerbPhrase { polarity, ..VerbPhrase::new(head) }];
    Sentence::Statement(None, Clause { subject, predicates }).pair()
}
