//! What simpler models make of the same texts: what loss is normal?

use super::source::Source;
use recurrent_networks::ngrams::Ngrams;
use serde::{Deserialize, Serialize};
use shared::rng;
use workbench::stream;

/// Mean losses of held-out texts, in nats a word, for who knows …
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ladder {
    /// … how many words there are.
    pub uniform: f64,
    /// … how frequent each is.
    pub unigram: f64,
    /// … the word before.
    pub bigram: f64,
    /// … the two words before.
    pub trigram: f64,
}

/// Words from which n-grams are counted.
const COUNTED: usize = 256_000;

/// Counts words, pairs and triples in texts of a source, and judges them by others.
pub fn ladder(source: &Source, length: usize, held_out: &[Vec<usize>]) -> Ladder {
    let rng = &mut rng(stream(0, 1617));
    let words = source.words().count();
    let begin = words; // a mark of its own, before each text
    let counted: Vec<_> =
        (0..COUNTED.div_ceil(length)).map(|_| source.draw(length, rng)[1..].to_vec()).collect();
    let ngrams = Ngrams::new(words, begin, &counted);
    let judged: Vec<_> = held_out.iter().map(|text| text[1..].to_vec()).collect();
    let [unigram, bigram, trigram] = [0, 1, 2].map(|order| ngrams.loss(order, begin, &judged));
    Ladder { uniform: (words as f64).ln(), unigram, bigram, trigram }
}
