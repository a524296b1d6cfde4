//! Sentences of the course's own grammar, few enough to be learnt in a moment.

use corpora::{END, Pair, Vocabulary};
use seq2seq::bleu::corpus_bleu;
use worlds::parallel::lexicon::{adjective, noun, verb};
use worlds::parallel::tree::*;

/// A pair as words and as numbers, both sentences with their end.
pub struct Example {
    pub words: Pair,
    source: Vec<usize>,
    target: Vec<usize>,
}

impl Example {
    /// (source, target)
    pub fn numbers(&self) -> (&[usize], &[usize]) {
        (&self.source, &self.target)
    }
}

/// *the small cats do not sleep .* – *les petits chats ne dorment pas .*
pub struct Language {
    pub source: Vocabulary,
    pub target: Vocabulary,
    pub training: Vec<Example>,
    pub test: Vec<Example>,
}

impl Language {
    /// All sentences of a few words; every sixth is kept for the test.
    pub fn new() -> Language {
        let pairs = sentences();
        let source = Vocabulary::new(pairs.iter().map(|pair| &pair.source[..]), 1);
        let target = Vocabulary::new(pairs.iter().map(|pair| &pair.target[..]), 1);
        let (mut training, mut test) = (Vec::new(), Vec::new());
        for (i, words) in pairs.into_iter().enumerate() {
            let closed = |mut words: Vec<usize>| {
                words.push(END);
                words
            };
            let (read, said) = (source.encode(&words.source), target.encode(&words.target));
            let example = Example { words, source: closed(read), target: closed(said) };
            let part = if i % 6 == i / 6 % 6 { &mut test } else { &mut training };
            part.push(example);
        }
        Language { source, target, training, test }
    }

    /// BLEU of translations of the test, without their ends.
    pub fn bleu(&self, translations: &[Vec<usize>]) -> f64 {
        let found: Vec<_> = translations.iter().map(|words| self.target.decode(words)).collect();
        let references: Vec<_> = self.test.iter().map(|pair| pair.words.target.clone()).collect();
        corpus_bleu(&found, &references)
    }

    /// The sentence of the test with the most words.
    pub fn longest(&self) -> &Example {
        let words = |pair: &&Example| pair.source.len() + pair.target.len();
        self.test.iter().max_by_key(words).expect("a test")
    }
}

fn sentences() -> Vec<Pair> {
    let mut pairs = Vec::new();
    for name in ["cat", "dog", "horse", "cow", "mouse"] {
        for number in [Number::Singular, Number::Plural] {
            for quality in [None, Some("small"), Some("big"), Some("black"), Some("white")] {
                for action in ["sleep", "run", "walk"] {
                    for polarity in [Polarity::Yes, Polarity::Not] {
                        pairs.push(sentence(name, number, quality, action, polarity).pair());
                    }
                }
            }
        }
    }
    pairs
}

fn sentence(
    name: &str,
    number: Number,
    quality: Option<&str>,
    action: &str,
    polarity: Polarity,
) -> Sentence {
    let quality = quality.map(adjective);
    let (before, after) = match quality {
        Some(quality) if !quality.before => (None, Some(quality)), // in French
        _ => (quality, None),
    };
    let phrase = NounPhrase::new(Determiner::The, noun(name), number);
    let subject = NounPhrase { before, after, ..phrase }.into();
    let head = Head::Verb { verb: verb(action, false), object: None, recipient: None };
    let predicates = vec![VerbPhrase { polarity, ..VerbPhrase::new(head) }];
    Sentence::Statement(None, Clause { subject, predicates })
}
