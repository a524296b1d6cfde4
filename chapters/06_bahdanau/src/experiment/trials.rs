//! The models that are compared, and how each is judged.

use super::compare::Compare;
use super::looks::{Class, Look, looks};
use super::recipe::{Chapter, Choices, build};
use crate::Reading;
use seq2seq::translating::corpus::{Corpus, Part};
use seq2seq::translating::judge::{LengthScore, Scores, bleu_by_length, judge};
use seq2seq::translating::recurrent::Config;
use seq2seq::translating::train_counted;
use seq2seq::translating::{Recipe, alignment_figure, example};
use seq2seq::{EncoderDecoder, Sizes, Translator};
use shared::Module;
use std::collections::BTreeMap;
use std::time::Instant;
use workbench::error::Result;
use workbench::figure::Svg;
use workbench::study::Progress;

/// Which of the course's examples the page shows.
pub(super) const DRAWN: [usize; 2] = [1, 3];

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// This chapter's.
    With,
    /// The encoder–decoder of chapter 5, made as large.
    Without,
}

impl Model {
    /// Its key in the results.
    pub fn name(self) -> &'static str {
        match self {
            Model::With => "with",
            Model::Without => "without",
        }
    }
}

/// One training.
pub(super) struct Trial {
    pub(super) model: Model,
    pub(super) sizes: Sizes,
    pub(super) seed: u64,
    /// Whether its alignments of the examples [`DRAWN`] are drawn.
    pub(super) drawn: bool,
}

/// Both models with every seed, as many parameters in each.
pub(super) fn all(sizes: &Sizes, seeds: &[u64]) -> Vec<Trial> {
    let without = equal_sizes(sizes);
    let both = |(i, seed): (usize, &u64)| {
        let trial =
            |model, sizes: &Sizes, drawn| Trial { model, sizes: sizes.clone(), seed: *seed, drawn };
        [trial(Model::With, sizes, i == 0), trial(Model::Without, &without, false)]
    };
    seeds.iter().enumerate().flat_map(both).collect()
}

/// The sizes with which the model of chapter 5 has about as many parameters as ours with `sizes`:
/// what attention takes, it may have in longer states.
///
/// ```
/// use seq2seq::Sizes;
/// let sizes = Sizes { source_words: 300, target_words: 400, embedding: 32, hidden: 64, layers: 1, dropout: 0.0 };
/// let other = bahdanau::experiment::equal_sizes(&sizes);
/// assert_eq!((other.embedding, other.layers), (32, 1));
/// assert!(other.hidden > 64);
/// ```
pub fn equal_sizes(sizes: &Sizes) -> Sizes {
    let choices = Choices::from(Reading::BothDirections);
    let ours = build(sizes, &choices, &mut shared::rng(0)).parameter_count();
    let of = |hidden: usize| {
        let sizes = Sizes { hidden, ..sizes.clone() };
        EncoderDecoder::new(&sizes, &mut shared::rng(0)).parameter_count()
    };
    Sizes { hidden: nearest(ours, of), ..sizes.clone() }
}

/// The number of entries of a state with which a model has about as many parameters as asked for.
pub(super) fn nearest(parameters: usize, of: impl Fn(usize) -> usize) -> usize {
    let larger = (1..).find(|&h| of(h) >= parameters).expect("parameters grow with the states");
    let best = [larger - 1, larger].into_iter().filter(|hidden| *hidden > 0);
    best.min_by_key(|&hidden| of(hidden).abs_diff(parameters)).unwrap_or(larger)
}

/// What a trial found.
pub(super) struct Judged {
    pub(super) model: Model,
    pub(super) hidden: usize,
    pub(super) parameters: usize,
    pub(super) scores: Vec<Scores>,
    pub(super) by_length: Vec<LengthScore>,
    /// After every epoch: the loss and BLEU of validation.
    pub(super) curve: Vec<(f64, f64)>,
    pub(super) translations: Vec<String>,
    pub(super) looks: BTreeMap<Class, Look>,
    pub(super) alignments: Vec<Svg>,
    pub(super) seconds: f64,
}

impl Trial {
    pub(super) fn run(
        &self,
        corpus: &Corpus,
        arguments: &Compare,
        progress: &Progress,
    ) -> Result<Judged> {
        let none = seq2seq::experiment::Choices {};
        let both = Choices::from(Reading::BothDirections);
        match self.model {
            Model::With => {
                let config = Config::new(&self.sizes, both);
                self.judged::<Chapter>(&config, corpus, arguments, progress)
            }
            Model::Without => {
                let config = Config::new(&self.sizes, none);
                self.judged::<seq2seq::experiment::Chapter>(&config, corpus, arguments, progress)
            }
        }
    }

    fn judged<R: Recipe>(
        &self,
        config: &R::Config,
        corpus: &Corpus,
        arguments: &Compare,
        progress: &Progress,
    ) -> Result<Judged> {
        let batch = arguments.common.batch as usize;
        let options = arguments.options(self.model.name(), self.seed);
        let begin = Instant::now();
        let trained = train_counted::<R>(progress, corpus, config, batch, &options)?;
        let (mut model, seconds) = (trained.model, begin.elapsed().as_secs_f64());
        let parameters = model.parameter_count();
        let scores: Vec<_> = corpus.tests.iter().map(|part| judge(&model, corpus, part)).collect();
        progress.say(format!(
            "{} attention, seed {}: BLEU {:.1} on test, {:.1} on long",
            self.model.name(),
            self.seed,
            scores[0].bleu,
            scores[1].bleu
        ));
        let evaluations = trained.history.epochs.iter().filter_map(|e| e.evaluation.as_ref());
        let pairs = corpora::parallel::examples();
        let figure = |number: &usize| alignment_figure(&model, corpus, &pairs[number - 1]);
        Ok(Judged {
            model: self.model,
            hidden: self.sizes.hidden,
            parameters,
            scores,
            by_length: by_length(&model, corpus),
            curve: evaluations.map(|e| (e.loss, e.scores["BLEU"])).collect(),
            translations: pairs.iter().map(|p| example(&model, corpus, p).translation).collect(),
            looks: looks(&model, &corpus.tests[0]),
            alignments: DRAWN.iter().filter(|_| self.drawn).filter_map(figure).collect(),
            seconds,
        })
    }
}

fn by_length(model: &impl Translator, corpus: &Corpus) -> Vec<LengthScore> {
    let parts: Vec<&Part> = corpus.tests.iter().take(2).collect();
    bleu_by_length(model, corpus, &parts)
}
