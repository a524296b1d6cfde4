//! What a language model has to beat: counts of words, of pairs and of triples.

use std::collections::HashMap;

/// The weight of a shorter context, in observations (MacKay & Peto 1995).
const WEIGHT: f64 = 5.0;

/// Counts of every word after the words before it, from none to two.
pub struct Ngrams {
    words: usize,
    counts: HashMap<(Vec<usize>, usize), f64>,
    before: HashMap<Vec<usize>, f64>,
}

impl Ngrams {
    /// Counts sentences of `words` different words; each begins with the word `begin`.
    pub fn new(words: usize, begin: usize, sentences: &[Vec<usize>]) -> Ngrams {
        let (mut counts, mut before) = (HashMap::new(), HashMap::new());
        for sentence in sentences {
            let padded = [&[begin, begin], &sentence[..]].concat();
            for three in padded.windows(3) {
                for order in 0..3 {
                    let context = three[2 - order..2].to_vec();
                    *before.entry(context.clone()).or_default() += 1.0;
                    *counts.entry((context, three[2])).or_default() += 1.0;
                }
            }
        }
        Ngrams { words, counts, before }
    }

    // ANCHOR: probability
    /// The probability of `word` after `context`: its count, and that of a shorter context as if it
    /// had been seen `WEIGHT` times; after nothing, half an observation of every word.
    pub fn probability(&self, context: &[usize], word: usize) -> f64 {
        let seen = self.before.get(context).copied().unwrap_or_default();
        let count = self.counts.get(&(context.to_vec(), word)).copied().unwrap_or_default();
        match context {
            [] => (count + 0.5) / (seen + 0.5 * self.words as f64),
            [_, shorter @ ..] => {
                (count + WEIGHT * self.probability(shorter, word)) / (seen + WEIGHT)
            }
        }
    }
    // ANCHOR_END: probability
}

impl Ngrams {
    /// The mean of −ln of the probability of every word, from the last `order` words before it.
    pub fn loss(&self, order: usize, begin: usize, sentences: &[Vec<usize>]) -> f64 {
        let (mut loss, mut n) = (0.0, 0.0);
        for sentence in sentences {
            let padded = [&[begin, begin], &sentence[..]].concat();
            for three in padded.windows(3) {
                loss -= self.probability(&three[2 - order..2], three[2]).ln();
                n += 1.0;
            }
        }
        loss / n
    }
}
