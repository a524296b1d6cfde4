//! A row with a seed: trained, and judged by greedy translations.

use super::arguments::Arguments;
use super::mechanisms::{NARROW, Row};
use super::reordering::{Half, Outputs, halves};

use crate::choices::Chapter;
use corpora::END;
use seq2seq::Translator;
use seq2seq::bleu::{Counts, sentence_counts};
use seq2seq::chrf::corpus_chrf;
use seq2seq::decoding::greedy_all;
use seq2seq::translating::Training;
use seq2seq::translating::corpus::{Corpus, Part};
use seq2seq::translating::judge::{forced_alignment, mean_loss, translations};
use seq2seq::translating::recurrent::Config;
use serde::{Deserialize, Serialize};
use shared::{Float, rng};
use workbench::error::Result;
use workbench::study::{Bootstrap, BySeeds, Interval, Study, Tally, rounded};

/// What one trained model is worth; rates and shares as numbers from 0 to 1. Translations are those of
/// greedy search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Cross-entropy of the test, nats a word.
    pub loss: f64,
    pub perplexity: f64,
    pub bleu: f64,
    pub chrf: f64,
    pub aer: f64,
    /// BLEU on longer sentences than any in training.
    pub long: f64,
    /// Pairs of the test in which no word lies outside its window.
    pub near: Half,
    /// Pairs of the test in which a word does.
    pub displaced: Half,
}

/// A number of a training.
pub(super) type Of = fn(&Run) -> f64;

impl Run {
    pub(super) fn zip(self, other: Run, f: impl Fn(f64, f64) -> f64) -> Run {
        let half = |a: Half, b: Half| Half { bleu: f(a.bleu, b.bleu), aer: f(a.aer, b.aer) };
        Run {
            loss: f(self.loss, other.loss),
            perplexity: f(self.perplexity, other.perplexity),
            bleu: f(self.bleu, other.bleu),
            chrf: f(self.chrf, other.chrf),
            aer: f(self.aer, other.aer),
            long: f(self.long, other.long),
            near: half(self.near, other.near),
            displaced: half(self.displaced, other.displaced),
        }
    }

    pub(super) fn map(self, f: impl Fn(f64) -> f64) -> Run {
        self.zip(self, |x, _| f(x))
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct Trained {
    pub(super) parameters: usize,
    pub(super) run: Run,
    /// The share of words found, by distance from the same position.
    pub(super) by_displacement: Vec<f64>,
    /// What BLEU counts of every sentence: of the test, of the long part, and of the test's pairs that
    /// are not displaced, and that are.
    pub(super) counts: [Vec<Counts>; 4],
    /// Of the first seed: the weights on the course's first example, column by column.
    pub(super) weights: Vec<Float>,
}

pub(super) fn interval(trained: &[Trained], part: usize) -> Interval {
    Bootstrap::default().score(&system(trained, part), &mut rng(part as u64)).rounded()
}

/// By how much the mean BLEU of these exceeds that of those on the test: the same drawn sentences,
/// whatever is compared.
pub(super) fn difference(these: &[Trained], those: &[Trained]) -> Interval {
    Bootstrap::default().difference(&system(these, 0), &system(those, 0), &mut rng(0)).rounded()
}

/// What BLEU counts of every sentence of a part, seed by seed.
fn system(seeds: &[Trained], part: usize) -> Vec<Vec<Counts>> {
    seeds.iter().map(|trained| trained.counts[part].clone()).collect()
}

pub(super) fn train(
    study: &mut Study,
    rows: &[Row],
    arguments: &Arguments,
    corpus: &Corpus,
) -> Result<BySeeds<Trained>> {
    type Six = bahdanau::program::Chapter;
    study.run(rows, |row, seed, progress| {
        let (batch, options) =
            (arguments.batch as usize, arguments.repeated.options(&row.name, seed));
        let training = Training { name: &row.name, corpus, batch, options, progress };
        let is_first = seed == arguments.repeated.study.common.seed;
        let sizes = &row.config.sizes;
        let trained = match &row.config.choices {
            Some(choices) => {
                let config = Config::new(sizes, choices.clone());
                judge(training.model::<Chapter>(&config)?.0, corpus, is_first)
            }
            None => {
                let config = Config::new(sizes, bahdanau::Reading::BothDirections.into());
                judge(training.model::<Six>(&config)?.0, corpus, is_first)
            }
        };
        let Run { bleu, aer, displaced, .. } = trained.run;
        progress.say(format!(
            "{}, seed {seed}: BLEU {bleu:.1}, AER {:.1} %, displaced {:.1}",
            row.name,
            100.0 * aer,
            displaced.bleu
        ));
        Ok(trained)
    })
}

fn judge(mut model: impl Translator, corpus: &Corpus, is_first: bool) -> Trained {
    let parameters = model.parameter_count();
    let model = &model;
    let (test, long) = (&corpus.tests[0], &corpus.tests[1]);
    let loss = mean_loss(model, test);
    let looked = Outputs::of(model, corpus, test);
    let all: Vec<usize> = (0..test.len()).collect();
    let whole = looked.half(test, &all);
    let halves = halves(test, NARROW);
    let [near, displaced] = halves.each_ref().map(|half| looked.half(test, half));
    let longer = translations(corpus, &long.sentences.source, |some| greedy_all(model, some));
    let of_test = sentence_counts(&looked.translations, &references(test));
    let of_long = sentence_counts(&longer, &references(long));
    let [of_near, of_displaced] =
        halves.map(|half| half.iter().map(|&i| of_test[i].clone()).collect());
    let run = Run {
        loss,
        perplexity: loss.exp(),
        bleu: whole.bleu,
        chrf: corpus_chrf(&looked.translations, &references(test)),
        aer: whole.aer,
        long: Counts::score(of_long.iter()),
        near,
        displaced,
    };
    Trained {
        parameters,
        run: run.map(rounded),
        by_displacement: looked.right_by_displacement(test),
        counts: [of_test, of_long, of_near, of_displaced],
        weights: if is_first { weights_on_example(model, corpus) } else { Vec::new() },
    }
}

fn references(part: &Part) -> Vec<Vec<String>> {
    part.pairs.iter().map(|pair| pair.target.clone()).collect()
}

/// The weights of a model on the course's first example, column by column.
fn weights_on_example(model: &impl Translator, corpus: &Corpus) -> Vec<Float> {
    let pair = &parallel::examples()[0];
    let source = [corpus.source.encode(&pair.source), vec![END]].concat();
    let target = [corpus.target.encode(&pair.target), vec![END]].concat();
    let weights = forced_alignment(model, &source, &target);
    weights.map_or(Vec::new(), |weights| weights.as_slice().to_vec())
}
