//! Inside trained models with attention: where they look, what an annotation knows, and what becomes
//! of the words when one thing is changed.

use super::arguments::Compare;
use super::articles::{Masked, Patched, masked, patched};
use super::baselines::{Baseline, STEPS, baselines};
use super::explain::{Explained, explained};
use super::local::{LocalChange, local_changes};
use super::looks::{Class, class_of};
use super::recipe::{Chapter, Choices, build};
use super::rows::Corner;
use crate::{Bahdanau, Reading};
use seq2seq::Translator;
use seq2seq::translating::Repetitions;
use seq2seq::translating::corpus::{Corpus, Part};
use seq2seq::translating::judge::{alignment_error_rate, forced_alignment};
use seq2seq::translating::recurrent::Config;
use serde::{Deserialize, Serialize};
use shared::rng;
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::{Chart, Svg, colour};
use workbench::study::{Claim, Findings, Spread, over_seeds, rounded, smaller};

/// `inside/figures/results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Inside {
    #[serde(flatten)]
    pub plan: Repetitions,
    /// The network's alignment error rate by part.
    pub aer: BTreeMap<String, Spread>,
    pub baselines: BTreeMap<String, Baseline>,
    /// How often two seeds' models have their largest weight on the same word: means over the pairs
    /// of seeds, on the test part.
    pub seeds_agree: BTreeMap<Class, f64>,
    pub found: Interventions,
    pub claims: BTreeMap<String, Claim>,
    pub minutes: f64,
}

/// What was changed, and what became of it: in one model, or over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Interventions<N = Spread> {
    /// By how much annotations change when a word is exchanged, from the farthest position before it to
    /// the farthest after it.
    pub local: Vec<LocalChange<N>>,
    /// Articles directly before their noun in the test's references.
    pub articles: usize,
    /// The mean weight on the noun while the article is said.
    pub weight_on_noun: N,
    /// By what is hidden while the article is said.
    pub masked: BTreeMap<String, Masked<N>>,
    /// Articles whose noun was exchanged for one of the other gender.
    pub exchanged: usize,
    /// Those for which a model says the right article before and after.
    pub known: N,
    /// By what is taken from the sentence with the other noun.
    pub patched: BTreeMap<String, Patched<N>>,
    pub explained: BTreeMap<Class, Explained<N>>,
}

/// Test pairs whose every word is asked for an explanation.
const EXPLAINED: usize = 300;

impl Interventions<f64> {
    /// In a model; `fresh` is what it was before it was trained.
    fn new(model: &Bahdanau, fresh: &Bahdanau, corpus: &Corpus) -> Interventions<f64> {
        let test = &corpus.tests[0];
        let (articles, weight_on_noun, masked) = masked(model, corpus, test);
        let (exchanged, known, patched) = patched(model, corpus, test);
        Interventions {
            local: local_changes(model, fresh, corpus, test),
            articles,
            weight_on_noun,
            masked,
            exchanged,
            known: known as f64,
            patched,
            explained: explained(model, test, EXPLAINED),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct OfSeed {
    aer: BTreeMap<String, f64>,
    /// Of every word of the test's references: its kind, and where the largest weight lies.
    largest: Vec<(Class, usize)>,
    found: Interventions<f64>,
}

pub(super) fn inside(arguments: &Compare, corpus: &Corpus) -> Result<()> {
    let common = &arguments.common;
    let (sizes, repeated) = (common.sizes(corpus), &common.repeated);
    let both = Choices::from(Reading::BothDirections);
    let rows = repeated.study.choose(vec![Corner::Attention.row(&sizes, repeated)])?;
    let mut study = arguments.study(corpus)?;
    let looked = study.run(&rows, |row, seed, progress| {
        let training = common.training(&row.name, seed, corpus, progress);
        let (model, _) = training.model::<Chapter>(&Config::new(&sizes, both))?;
        let fresh = build(&sizes, &both, &mut rng(seed));
        let rate =
            |part: &Part| (part.name.clone(), alignment_error_rate(&model, part).unwrap_or(1.0));
        Ok(OfSeed {
            aer: corpus.tests.iter().map(rate).collect(),
            largest: largest(&model, &corpus.tests[0]),
            found: Interventions::new(&model, &fresh, corpus),
        })
    })?;
    let looked = &looked["with"];
    let mut results = Inside {
        plan: Repetitions::new(repeated, corpus),
        aer: over_seeds(&looked.iter().map(|seed| &seed.aer).collect::<Vec<_>>()),
        baselines: baselines(corpus, STEPS),
        seeds_agree: agreement(looked),
        found: over_seeds(&looked.iter().map(|seed| &seed.found).collect::<Vec<_>>()),
        claims: BTreeMap::new(),
        minutes: study.minutes(),
    };
    results.claims = claims(&results);
    study.publish(&results)
}

impl Findings for Inside {
    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        vec![("local".to_owned(), local_figure(&self.found.local))]
    }
}

fn largest(model: &impl Translator, part: &Part) -> Vec<(Class, usize)> {
    let of_pair = |number: usize| {
        let (x, y) = part.numbers(number);
        let weights = forced_alignment(model, x, y)?;
        let largest: Vec<usize> = weights.column_iter().map(|column| column.imax()).collect();
        let words = part.pairs[number].target.iter();
        Some(words.map(|word| class_of(word)).zip(largest).collect::<Vec<_>>())
    };
    (0..part.len()).filter_map(of_pair).flatten().collect()
}

/// The share of words for which two seeds' largest weights lie on the same source word.
fn agreement(looked: &[OfSeed]) -> BTreeMap<Class, f64> {
    let pairs = (0..looked.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let mut counts: BTreeMap<Class, (usize, usize)> = BTreeMap::new();
    for (a, b) in pairs {
        for ((class, here), (_, there)) in looked[a].largest.iter().zip(&looked[b].largest) {
            let (same, all) = counts.entry(*class).or_default();
            *same += usize::from(here == there);
            *all += 1;
        }
    }
    let share = |(same, all): (usize, usize)| rounded(same as f64 / all as f64);
    counts.into_iter().map(|(class, counts)| (class, share(counts))).collect()
}

/// How far a word reaches into the annotations of its neighbours.
fn local_figure(places: &[LocalChange<Spread>]) -> Svg {
    type Of = fn(&LocalChange<Spread>) -> &Spread;
    let lines: [(&str, Of, _); 2] = [
        ("trained", |place| &place.trained, colour::WITH_ATTENTION),
        ("before training", |place| &place.fresh, colour::WITHOUT_ATTENTION),
    ];
    let chart =
        Chart::new("One word is exchanged", "positions after it", "change of the annotation");
    let line = |chart: Chart, (name, of, colour): (&str, Of, _)| {
        let at = places.iter().map(|place| of(place).at(place.distance as f64));
        chart.spread(name, at).coloured(colour)
    };
    lines.into_iter().fold(chart, line).draw()
}

/// Judges what was written down before it ran, by the numbers beside it.
pub fn claims(results: &Inside) -> BTreeMap<String, Claim> {
    let Inside { aer, baselines, found, .. } = results;
    let network = &aer["test"].of_seeds;
    let without = |name: &str| [baselines[name].aer["test"]];
    let mut far = found.local.iter().filter(|place| place.distance.abs() == 4);
    let right = |hidden: &str| found.masked[hidden].right.of_seeds.clone();
    let mut content =
        [Class::Noun, Class::Adjective, Class::Verb].iter().map(|class| &found.explained[class]);
    workbench::claims([
        (
            "model_1",
            "the network's alignment error rate on the test part is below that of model 1",
            smaller(network, &without("model_1")),
        ),
        (
            "model_1_diagonal",
            "model 1 with a prior on the diagonal has a lower one than the network",
            smaller(&without("model_1_diagonal"), network),
        ),
        (
            "local",
            "four words from a word that is exchanged, annotations change by less than a tenth of what its own changes by",
            Some(far.all(|place| place.trained.highest < 0.1)),
        ),
        (
            "masked",
            "without the noun's annotation the article is right less often than without that of *the*",
            smaller(&right("noun"), &right("the")),
        ),
        (
            "explained",
            "for nouns, adjectives and verbs the largest weight lies in more than 80 % of cases where an absence changes most",
            Some(content.all(|class| class.largest.lowest > 0.8)),
        ),
    ])
}
