//! One training, and how its model is judged.

use super::arguments::CompareArgs;
use super::heads::{head_error_rates, heads};
use super::recipe::Chapter;
use super::rows::{Row, Way};
use crate::Transformer;
use seq2seq::Translator;
use seq2seq::bleu::{Counts, sentence_counts};
use seq2seq::decoding::beam_all;
use seq2seq::translating::corpus::{Corpus, Part};
use seq2seq::translating::judge::{BEAM, LengthScore, Scores, bleu_by_length, judge, translations};
use seq2seq::translating::train_counted;
use seq2seq::translating::{Example, Recipe, alignment_figure, example};
use shared::Module;
use std::time::Instant;
use workbench::error::Result;
use workbench::figure::Svg;
use workbench::study::Progress;

/// A row with one of its seeds.
pub(super) struct Trial {
    pub(super) row: Row,
    pub(super) seed: u64,
    /// Whether its model translates and draws the course's examples.
    pub(super) shown: bool,
}

/// Every row with every seed.
pub(super) fn all(rows: &[Row], seeds: &[u64]) -> Vec<Trial> {
    let numbered = seeds.iter().enumerate();
    let pairs = numbered.flat_map(|seed| rows.iter().map(move |row| (seed, row)));
    let trial = |((i, seed), row): ((usize, &u64), &Row)| Trial {
        row: row.clone(),
        seed: *seed,
        shown: i == 0,
    };
    pairs.map(trial).collect()
}

/// What a trial found.
pub(super) struct Judged {
    pub(super) name: &'static str,
    pub(super) parameters: usize,
    pub(super) scores: Vec<Scores>,
    pub(super) by_length: Vec<LengthScore>,
    /// After every epoch: the loss and BLEU of validation.
    pub(super) curve: Vec<(f64, f64)>,
    /// Of every part: what BLEU counts of each translation that beam search finds.
    pub(super) counts: Vec<Vec<Counts>>,
    pub(super) examples: Vec<Example>,
    /// Of a Transformer: the alignment error rate of every head of every block.
    pub(super) heads: Vec<Vec<f64>>,
    pub(super) figures: Vec<(String, Svg)>,
    pub(super) seconds: f64,
}

impl Trial {
    pub(super) fn run(
        &self,
        corpus: &Corpus,
        arguments: &CompareArgs,
        progress: &Progress,
    ) -> Result<Judged> {
        type Five = seq2seq::experiment::Chapter;
        type Six = bahdanau::experiment::Chapter;
        type Seven = luong::experiment::Chapter;
        match &self.row.way {
            Way::Seq2seq(config) => Ok(self.judged::<Five>(config, corpus, arguments, progress)?.1),
            Way::Bahdanau(config) => Ok(self.judged::<Six>(config, corpus, arguments, progress)?.1),
            Way::Luong(config) => Ok(self.judged::<Seven>(config, corpus, arguments, progress)?.1),
            Way::Transformer(sizes, _) => {
                let (model, judged) = self.judged::<Chapter>(sizes, corpus, arguments, progress)?;
                let figures = self.figures(&model, corpus);
                Ok(Judged { heads: head_error_rates(&model, &corpus.tests[0]), figures, ..judged })
            }
        }
    }

    fn judged<R: Recipe>(
        &self,
        config: &R::Config,
        corpus: &Corpus,
        arguments: &CompareArgs,
        progress: &Progress,
    ) -> Result<(R::Model, Judged)> {
        let batch = arguments.batch as usize;
        let options = self.row.options(corpus.training.len(), batch, self.seed);
        let begin = Instant::now();
        let trained = train_counted::<R>(progress, corpus, config, batch, &options)?;
        let (mut model, seconds) = (trained.model, begin.elapsed().as_secs_f64());
        let parameters = model.parameter_count();
        let scores: Vec<_> = corpus.tests.iter().map(|part| judge(&model, corpus, part)).collect();
        progress.say(format!(
            "{}, seed {}: BLEU {:.1} on test, {:.1} on long",
            self.row.name, self.seed, scores[0].bleu, scores[1].bleu
        ));
        let evaluations = trained.history.epochs.iter().filter_map(|e| e.evaluation.as_ref());
        let parts: Vec<&Part> = corpus.tests.iter().take(2).collect();
        let shown = if self.shown { corpora::parallel::examples() } else { Vec::new() };
        let judged = Judged {
            name: self.row.name,
            parameters,
            scores,
            by_length: bleu_by_length(&model, corpus, &parts),
            curve: evaluations.map(|e| (e.loss, e.scores["BLEU"])).collect(),
            counts: corpus.tests.iter().map(|part| counts(&model, corpus, part)).collect(),
            examples: shown.iter().map(|pair| example(&model, corpus, pair)).collect(),
            heads: Vec::new(),
            figures: Vec::new(),
            seconds,
        };
        Ok((model, judged))
    }

    /// Of the first Transformer: its heads and its alignment of the course's first example.
    fn figures(&self, model: &Transformer, corpus: &Corpus) -> Vec<(String, Svg)> {
        if !self.shown || self.row.name != "transformer" {
            return Vec::new();
        }
        let pairs = corpora::parallel::examples();
        let heads = heads(model, corpus, &pairs[0]);
        let alignment = alignment_figure(model, corpus, &pairs[0]).map(|svg| ("alignment_1", svg));
        let named = |(name, svg): (&str, Svg)| (name.to_owned(), svg);
        heads.into_iter().chain(alignment).map(named).collect()
    }
}

fn counts(model: &impl Translator, corpus: &Corpus, part: &Part) -> Vec<Counts> {
    let found =
        translations(corpus, &part.sentences.source, |some| beam_all(model, some, BEAM, 1.0));
    let references: Vec<_> = part.pairs.iter().map(|pair| pair.target.clone()).collect();
    sentence_counts(&found, &references)
}
