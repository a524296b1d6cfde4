//! A row with a seed: trained, judged, and drawn if it is the first.

use super::arguments::CompareArgs;
use super::heads::{head_error_rates, heads};
use super::recipe::Chapter;
use super::rows::{Model, Row, options};
use crate::Transformer;
use seq2seq::Translator;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::{self, Example, Judgement, Recipe, alignment_figure, example};
use serde::{Deserialize, Serialize};
use workbench::error::Result;
use workbench::figure::Svg;
use workbench::study::Progress;
use workbench::training::Options;

#[derive(Serialize, Deserialize)]
pub(super) struct Trained {
    pub(super) judgement: Judgement,
    pub(super) examples: Vec<Example>,
    pub(super) heads: Vec<Vec<f64>>,
    pub(super) figures: Vec<(String, Svg)>,
}

pub(super) fn train(
    row: &Row,
    seed: u64,
    corpus: &Corpus,
    arguments: &CompareArgs,
    progress: &Progress,
) -> Result<Trained> {
    let batch = arguments.batch as usize;
    let options = options(row, corpus.training.len(), batch, seed);
    let is_first = seed == arguments.study.common.seed;
    let training = Training { row, corpus, batch, options, is_first, progress };
    match &row.config.model {
        Model::Seq2seq(config) => Ok(training.of::<seq2seq::experiment::Chapter>(config)?.1),
        Model::Bahdanau(config) => Ok(training.of::<bahdanau::experiment::Chapter>(config)?.1),
        Model::Luong(config) => Ok(training.of::<luong::experiment::Chapter>(config)?.1),
        Model::Transformer(sizes, _) => {
            let (model, mut trained) = training.of::<Chapter>(sizes)?;
            trained.heads = head_error_rates(&model, &corpus.tests[0]);
            if is_first && row.name == "transformer" {
                trained.figures = figures(&model, corpus);
            }
            Ok(trained)
        }
    }
}

struct Training<'a> {
    row: &'a Row,
    corpus: &'a Corpus,
    batch: usize,
    options: Options,
    is_first: bool,
    progress: &'a Progress,
}

impl Training<'_> {
    fn of<R: Recipe>(&self, config: &R::Config) -> Result<(R::Model, Trained)> {
        let Training { row, corpus, batch, ref options, is_first, progress } = *self;
        let options = options.clone();
        let training = translating::Training { name: &row.name, corpus, batch, options, progress };
        let (model, judgement) = training.judged::<R>(config)?;
        let examples = if is_first { examples(&model, corpus) } else { Vec::new() };
        Ok((model, Trained { judgement, examples, heads: Vec::new(), figures: Vec::new() }))
    }
}

fn examples(model: &impl Translator, corpus: &Corpus) -> Vec<Example> {
    worlds::parallel::examples().iter().map(|pair| example(model, corpus, pair)).collect()
}

fn figures(model: &Transformer, corpus: &Corpus) -> Vec<(String, Svg)> {
    let pair = &worlds::parallel::examples()[0];
    let alignment = alignment_figure(model, corpus, pair).map(|svg| ("alignment_1", svg));
    let all = heads(model, corpus, pair).into_iter().chain(alignment);
    all.map(|(name, svg)| (name.to_owned(), svg)).collect()
}
