//! He or she? Professions whose English name gives no gender, and what French makes of them.

use crate::decoding::beam_all;
use crate::translating::corpus::Corpus;
use crate::translating::judge::{BEAM, translations};
use crate::{END, EncoderDecoder};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::study::Spread;

/// By group: who the sentences are about. In the corpus the first six are masculine in French and *he*
/// in English without exception, the nurse is feminine and *she*.
const GROUPS: [(&str, &[&str]); 4] = [
    ("masculine", &["farmer", "baker", "doctor", "teacher", "soldier", "neighbour"]),
    ("feminine", &["nurse"]),
    ("boy", &["boy"]),
    ("girl", &["girl"]),
];

const DOES: [&str; 8] =
    ["cried", "slept", "rested", "arrived", "worked", "walked", "sang", "fell asleep"];

const IS: [&str; 6] = ["tired", "sick", "sad", "happy", "hungry", "afraid"];

/// How a pronoun was translated, by one model or over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pronouns<N = Spread> {
    pub sentences: usize,
    /// The share of translations with *il* and without *elle*.
    pub il: N,
    /// The share of translations with *elle* and without *il*.
    pub elle: N,
}

/// *The doctor cried because he was tired.*, *The doctor cried because she was tired.*, and so on, by
/// group and pronoun.
pub fn sentences() -> Vec<(String, Vec<Vec<String>>)> {
    let groups = GROUPS.iter().flat_map(|group| ["he", "she"].map(|pronoun| (group, pronoun)));
    let about = |((group, nouns), pronoun): (&(&str, &[&str]), &str)| {
        let mut all = Vec::new();
        for (noun, does) in nouns.iter().flat_map(|noun| DOES.map(|does| (noun, does))) {
            let sentence = |is| format!("the {noun} {does} because {pronoun} was {is} .");
            all.extend(IS.map(|is| sentence(is).split(' ').map(str::to_owned).collect()));
        }
        (format!("{group}_{pronoun}"), all)
    };
    groups.map(about).collect()
}

/// Translates them all, and looks for the pronouns.
pub(super) fn count(model: &EncoderDecoder, corpus: &Corpus) -> BTreeMap<String, Pronouns<f64>> {
    let counted = |(name, sentences): (String, Vec<Vec<String>>)| {
        let source = |words: &Vec<String>| [corpus.source.encode(words), vec![END]].concat();
        let sources: Vec<_> = sentences.iter().map(source).collect();
        let found = translations(corpus, &sources, |some| beam_all(model, some, BEAM, 1.0));
        let share = |this: &str, not: &str| {
            let has = |words: &[String], pronoun: &str| words.iter().any(|word| word == pronoun);
            let some = found.iter().filter(|words| has(words, this) && !has(words, not));
            some.count() as f64 / found.len() as f64
        };
        let (il, elle) = (share("il", "elle"), share("elle", "il"));
        (name, Pronouns { sentences: sources.len(), il, elle })
    };
    sentences().into_iter().map(counted).collect()
}
