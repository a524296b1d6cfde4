//! How local is an annotation? A word of the source is exchanged, and every annotation is compared
//! with what it was.

use crate::Bahdanau;
use rand::RngExt;
use seq2seq::Translator;
use seq2seq::translating::corpus::{Corpus, Part};
use serde::{Deserialize, Serialize};
use shared::rng;

/// How much the annotations at a distance change when a word is exchanged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LocalChange<N> {
    /// How many positions after the word; negative before it.
    pub distance: i64,
    pub trained: N,
    pub fresh: N,
}

/// The positions that are shown: so many before the word that is exchanged and so many after it.
const FARTHEST: usize = 6;

/// Words whose numbers stand for no word of a language.
const SPECIAL: usize = 3;

/// [`changes`] of a model and of what it was before it was trained.
pub fn local_changes(
    trained: &Bahdanau,
    fresh: &Bahdanau,
    corpus: &Corpus,
    part: &Part,
) -> Vec<LocalChange<f64>> {
    let [trained, fresh] = [trained, fresh].map(|model| changes(model, corpus, part));
    let places = (-(FARTHEST as i64)..).zip(trained.into_iter().zip(fresh));
    places.map(|(distance, (trained, fresh))| LocalChange { distance, trained, fresh }).collect()
}

/// By how much annotations change when a word is exchanged for another, from [`FARTHEST`] positions
/// before the word to as many after it: mean lengths of the difference, that of the word's own
/// annotation being 1. One word of every test sentence is exchanged, chosen uniformly at random, as
/// is the word in its place.
fn changes(model: &Bahdanau, corpus: &Corpus, part: &Part) -> [f64; 2 * FARTHEST + 1] {
    let mut rng = rng(0);
    let mut sums = [(0.0, 0); 2 * FARTHEST + 1];
    for x in &part.sentences.source {
        let k = rng.random_range(0..x.len() - 1); // not the end word
        let other = rng.random_range(SPECIAL..corpus.source.len());
        let mut exchanged = x.clone();
        exchanged[k] = if other == x[k] { SPECIAL } else { other };
        let state = model.encode(&[x, &exchanged]);
        for j in k.saturating_sub(FARTHEST)..(k + FARTHEST + 1).min(x.len()) {
            let [before, after] =
                [0, 1].map(|s: usize| state.values.column(state.sources[s].start + j));
            let (sum, count) = &mut sums[j + FARTHEST - k];
            *sum += f64::from((before - after).norm());
            *count += 1;
        }
    }
    let mean = |(sum, count): (f64, usize)| sum / f64::from(count.max(1) as u32);
    let own = mean(sums[FARTHEST]);
    sums.map(|sum| mean(sum) / own)
}
