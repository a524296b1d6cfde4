//! What is done to trained models with attention beside translating, and its numbers over the seeds.

use super::articles::{self, MASKS, Masked, PATCHES, Patched};
use super::explain::{Explained, explained};
use super::local::{self, FARTHEST};
use super::looks::Class;
use crate::Bahdanau;
use seq2seq::translating::corpus::Corpus;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::study::Spread;

/// Test pairs whose every word is asked for an explanation.
const EXPLAINED: usize = 300;

/// What was found in one model.
#[derive(Serialize, Deserialize)]
pub(super) struct Probes {
    trained: Vec<f64>,
    fresh: Vec<f64>,
    articles: usize,
    weight: f64,
    masked: BTreeMap<String, Masked>,
    patched: Patched,
    explained: BTreeMap<Class, Explained>,
}

impl Probes {
    /// Everything, of a model and of what it was before it was trained.
    pub(super) fn new(model: &Bahdanau, fresh: &Bahdanau, corpus: &Corpus) -> Probes {
        let test = &corpus.tests[0];
        let (articles, weight, masked) = articles::masked(model, corpus, test);
        Probes {
            trained: local::changes(model, corpus, test),
            fresh: local::changes(fresh, corpus, test),
            articles,
            weight,
            masked,
            patched: articles::patched(model, corpus, test),
            explained: explained(model, test, EXPLAINED),
        }
    }
}

/// What was found in the models of all seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Found {
    /// By how much annotations change when a word is exchanged, from the farthest place before it to
    /// the farthest behind it.
    pub local: Vec<LocalChange>,
    /// Articles directly before their noun in the test's references.
    pub articles: usize,
    /// The mean weight on the noun while the article is said.
    pub weight_on_noun: Spread,
    /// By what is hidden while the article is said.
    pub masked: BTreeMap<String, ArticleSpread>,
    /// Articles whose noun was exchanged for one of the other gender.
    pub exchanged: usize,
    /// Those for which a model says the right article before and after.
    pub known: Spread,
    /// By what is taken from the sentence with the other noun.
    pub patched: BTreeMap<String, PatchSpread>,
    /// By kind of word.
    pub explained: BTreeMap<Class, ExplainedSpread>,
}

/// How much the annotations at a distance change when a word is exchanged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LocalChange {
    /// How many places behind the word; negative before it.
    pub distance: i64,
    /// Of trained models.
    pub trained: Spread,
    /// Of models before their training.
    pub fresh: Spread,
}

/// See [`Masked`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ArticleSpread {
    /// How often the right article is the most probable one.
    pub right: Spread,
    /// Its probability.
    pub probability: Spread,
}

/// See [`Patched`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PatchSpread {
    /// The share that became the other article.
    pub changed: Spread,
    /// How far the odds moved, as a share of how far they can.
    pub moved: Spread,
}

/// See [`Explained`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExplainedSpread {
    /// How many words.
    pub words: usize,
    /// The largest weight is where an absence changes most.
    pub largest: Spread,
    /// Kendall's τ.
    pub tau: Spread,
    /// Permuted weights: how far the probabilities move.
    pub permuted: Spread,
    /// Permuted weights: another word is the most probable.
    pub permuted_changed: Spread,
    /// Equal weights: how far the probabilities move.
    pub uniform: Spread,
    /// Equal weights: another word is the most probable.
    pub uniform_changed: Spread,
}

impl Found {
    /// # Panics
    /// When there is no model.
    pub(super) fn new(of_seeds: &[&Probes]) -> Found {
        let spread =
            |of: &dyn Fn(&Probes) -> f64| Spread::of(of_seeds.iter().map(|probes| of(probes)));
        let place = |p: usize| LocalChange {
            distance: p as i64 - FARTHEST as i64,
            trained: spread(&|probes| probes.trained[p]),
            fresh: spread(&|probes| probes.fresh[p]),
        };
        let mask = |name: &str| {
            let right = spread(&|probes| probes.masked[name].right);
            let probability = spread(&|probes| probes.masked[name].probability);
            (name.to_owned(), ArticleSpread { right, probability })
        };
        let patch = |name: &str| {
            let changed = spread(&|probes| probes.patched.changed[name]);
            let moved = spread(&|probes| probes.patched.moved[name]);
            (name.to_owned(), PatchSpread { changed, moved })
        };
        let first = of_seeds[0];
        let explained = |(class, explained): (&Class, &Explained)| {
            let of =
                |number: fn(&Explained) -> f64| spread(&|probes| number(&probes.explained[class]));
            let spread = ExplainedSpread {
                words: explained.words,
                largest: of(|e| e.largest),
                tau: of(|e| e.tau),
                permuted: of(|e| e.permuted),
                permuted_changed: of(|e| e.permuted_changed),
                uniform: of(|e| e.uniform),
                uniform_changed: of(|e| e.uniform_changed),
            };
            (*class, spread)
        };
        Found {
            local: (0..first.trained.len()).map(place).collect(),
            articles: first.articles,
            weight_on_noun: spread(&|probes| probes.weight),
            masked: MASKS.into_iter().map(mask).collect(),
            exchanged: first.patched.articles,
            known: spread(&|probes| probes.patched.known as f64),
            patched: PATCHES.into_iter().map(patch).collect(),
            explained: first.explained.iter().map(explained).collect(),
        }
    }
}
