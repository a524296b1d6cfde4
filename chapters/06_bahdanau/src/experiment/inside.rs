//! Inside trained models with attention: where they look, what an annotation knows, and what becomes
//! of the words when one thing is changed.

use super::arguments::Compare;
use super::baselines::{Baseline, STEPS, baselines};
use super::looks::{Class, class_of};
use super::probes::{Found, LocalChange, Probes};
use super::recipe::{Chapter, Choices, build};
use super::rows::Corner;
use crate::Reading;
use seq2seq::Translator;
use seq2seq::translating::Repetitions;
use seq2seq::translating::corpus::{Corpus, Part};
use seq2seq::translating::judge::{alignment_error_rate, forced_alignment};
use seq2seq::translating::recurrent::Config;
use seq2seq::translating::train_counted;
use serde::{Deserialize, Serialize};
use shared::rng;
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::{Chart, Svg, colour};
use workbench::study::{Claim, Findings, Spread, rounded, smaller};

/// `inside/figures/results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Inside {
    /// What was repeated, and on what.
    #[serde(flatten)]
    pub plan: Repetitions,
    /// The network's alignment error rate by part.
    pub aer: BTreeMap<String, Spread>,
    /// Alignments without a network.
    pub baselines: BTreeMap<String, Baseline>,
    /// How often two seeds' models have their largest weight on the same word: means over the pairs
    /// of seeds, on the test part.
    pub seeds_agree: BTreeMap<Class, f64>,
    /// What was changed, and what became of it.
    pub found: Found,
    /// What was written down before it ran, and whether it held.
    pub claims: BTreeMap<String, Claim>,
    /// Minutes that it took, those of kept trainings left out.
    pub minutes: f64,
}

/// What was found in the model of one seed.
#[derive(Serialize, Deserialize)]
struct Looked {
    /// By part.
    aer: Vec<f64>,
    /// Of every word of the test's references: its kind, and where the largest weight lies.
    largest: Vec<(Class, usize)>,
    probes: Probes,
}

/// Trains this chapter's model with every seed and looks inside.
pub(super) fn inside(arguments: &Compare, corpus: &Corpus) -> Result<()> {
    let common = &arguments.common;
    let (sizes, epochs) = (common.sizes(corpus), common.repeated.epochs);
    let both = Choices::from(Reading::BothDirections);
    let rows = common.repeated.study.choose(vec![Corner::Attention.row(&sizes, epochs, None)])?;
    let mut study = arguments.study(corpus)?;
    let looked = study.run(&rows, |row, seed, progress| {
        let (batch, options) = (common.batch as usize, arguments.options(&row.name, seed));
        let config = Config::new(&sizes, both);
        let model = train_counted::<Chapter>(progress, corpus, &config, batch, &options)?.model;
        let fresh = build(&sizes, &both, &mut rng(seed));
        let rate = |part: &Part| alignment_error_rate(&model, part).unwrap_or(1.0);
        Ok(Looked {
            aer: corpus.tests.iter().map(rate).collect(),
            largest: largest(&model, &corpus.tests[0]),
            probes: Probes::new(&model, &fresh, corpus),
        })
    })?;
    let plan = Repetitions::new(&common.repeated, corpus);
    let mut results = Inside::new(plan, corpus, &looked["with"]);
    results.claims = claims(&results);
    results.minutes = study.minutes();
    study.publish(&results)
}

impl Findings for Inside {
    fn tell(&self) {}

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

impl Inside {
    fn new(plan: Repetitions, corpus: &Corpus, looked: &[Looked]) -> Inside {
        let rate = |(i, part): (usize, &Part)| {
            (part.name.clone(), Spread::of(looked.iter().map(|found| found.aer[i])))
        };
        let probes: Vec<&Probes> = looked.iter().map(|found| &found.probes).collect();
        Inside {
            plan,
            aer: corpus.tests.iter().enumerate().map(rate).collect(),
            baselines: baselines(corpus, STEPS),
            seeds_agree: agreement(looked),
            found: Found::new(&probes),
            claims: BTreeMap::new(),
            minutes: 0.0,
        }
    }
}

/// The share of words for which two seeds' largest weights lie on the same source word.
fn agreement(looked: &[Looked]) -> BTreeMap<Class, f64> {
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
pub fn local_figure(places: &[LocalChange]) -> Svg {
    let line = |of: fn(&LocalChange) -> &Spread| {
        let at = |place: &LocalChange| (place.distance as f64, of(place).mean);
        let band =
            |place: &LocalChange| (place.distance as f64, of(place).lowest, of(place).highest);
        let (line, band): (Vec<_>, Vec<_>) = places.iter().map(|p| (at(p), band(p))).unzip();
        (line, band)
    };
    let (trained, fresh) = (line(|place| &place.trained), line(|place| &place.fresh));
    Chart::new("One word is exchanged", "places behind it", "change of the annotation")
        .band(&trained.1)
        .line("trained", &trained.0)
        .coloured(colour::WITH_ATTENTION)
        .band(&fresh.1)
        .line("before training", &fresh.0)
        .coloured(colour::WITHOUT_ATTENTION)
        .draw()
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
