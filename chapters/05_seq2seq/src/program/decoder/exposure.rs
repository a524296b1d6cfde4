//! What it costs a decoder to read its own words.

use crate::own_words::{with_own_words, word_entropies, word_losses};
use crate::translating::corpus::Part;
use crate::translating::judge::together;
use crate::{BEGIN, Batch, EncoderDecoder};
use serde::{Deserialize, Serialize};
use shared::rng;
use workbench::study::Spread;

/// How far after the first wrong word is looked.
const BEHIND: usize = 5;

/// What is read twice, by one model or over the seeds: in nats a word, the cross-entropy of the
/// reference's words and the entropy of what the model would say.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Exposure<N = Spread> {
    pub all: Twice<N>,
    /// The share of sentences in which a word of the model's own was another than the true one.
    pub with_mistake: N,
    /// Of these: after the first such word, 1, 2, … words on.
    pub behind: Vec<Twice<N>>,
}

/// The same positions of the same sentences, after the true words and after the model's own, the most
/// probable one at every position.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Twice<N = Spread> {
    pub after_true: N,
    pub after_own: N,
    pub entropy_true: N,
    pub entropy_own: N,
}

/// A sentence: where its first mistake stands among the words that are given, and the numbers of
/// [`Twice`] word by word.
type Sentence = (Option<usize>, [Vec<f64>; 4]);

/// Reads a part twice: the true words, and its own.
pub(super) fn losses(model: &EncoderDecoder, part: &Part) -> Exposure<f64> {
    let sentences = together(part.len(), |some| {
        let pairs: Vec<_> = some.map(|i| part.numbers(i)).collect();
        read_twice(model, &Batch::new(&pairs, BEGIN))
    });
    let mean = |numbers: Vec<f64>| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    let twice = |of: &dyn Fn(&Sentence, usize) -> Vec<f64>| {
        let [after_true, after_own, entropy_true, entropy_own] =
            [0, 1, 2, 3].map(|k| mean(sentences.iter().flat_map(|s| of(s, k)).collect()));
        Twice { after_true, after_own, entropy_true, entropy_own }
    };
    let behind = |n: usize| {
        twice(&|(first, numbers), k| {
            first.and_then(|first| numbers[k].get(first + n)).into_iter().copied().collect()
        })
    };
    let mistaken = sentences.iter().filter(|(first, _)| first.is_some()).count();
    Exposure {
        all: twice(&|(_, numbers), k| numbers[k].clone()),
        with_mistake: mistaken as f64 / sentences.len() as f64,
        behind: (0..BEHIND).map(behind).collect(),
    }
}

fn read_twice(model: &EncoderDecoder, batch: &Batch) -> Vec<Sentence> {
    let own = with_own_words(model, batch, 1.0, &mut rng(0)); // nothing is left to chance
    let [losses, own_losses] = [batch, &own].map(|batch| word_losses(model, batch).into_iter());
    let [entropies, own_entropies] = [batch, &own].map(|batch| word_entropies(model, batch));
    let given = batch.previous.iter().zip(own.previous.iter());
    let first = given.map(|(truly, own)| truly.iter().zip(own).position(|(a, b)| a != b));
    let numbers = losses.zip(own_losses).zip(entropies.into_iter().zip(own_entropies));
    let four = |((a, b), (c, d)): ((_, _), (_, _))| [a, b, c, d];
    first.zip(numbers.map(four)).collect()
}
