//! A row with a seed: trained, judged, and drawn if it is the first.

use super::arguments::CompareArgs;
use super::conv_s2s::Convolutions;
use super::heads::{head_error_rates, heads};
use super::normalised::{Normalised, judged};
use super::recipe::Chapter;
use super::rows::{Model, Row, options};
use crate::Transformer;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::{Judgement, Training, alignment_figure};
use serde::{Deserialize, Serialize};
use workbench::error::Result;
use workbench::figure::Svg;
use workbench::study::Progress;

#[derive(Serialize, Deserialize)]
pub(super) struct Trained {
    pub(super) judgement: Judgement,
    pub(super) heads: Vec<Vec<f64>>,
    pub(super) figures: Vec<(String, Svg)>,
    #[serde(default)]
    pub(super) normalised: Option<Normalised>,
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
    let training = Training { name: &row.name, corpus, batch, options, progress };
    let (mut heads, mut figures, mut normalised) = (Vec::new(), Vec::new(), None);
    let judgement = match &row.config.model {
        Model::Seq2seq(config) => training.judged::<seq2seq::program::Chapter>(config)?.1,
        Model::Bahdanau(config) => training.judged::<bahdanau::program::Chapter>(config)?.1,
        Model::Luong(config) => training.judged::<luong::program::Chapter>(config)?.1,
        Model::ConvS2S(sizes, _) => training.judged::<Convolutions>(sizes)?.1,
        Model::BatchNorm(sizes, _) => {
            let (judgement, found) = judged(&training, sizes)?;
            normalised = Some(found);
            judgement
        }
        Model::Transformer(sizes, _) => {
            let (model, judgement) = training.judged::<Chapter>(sizes)?;
            heads = head_error_rates(&model, &corpus.tests[0]);
            if seed == arguments.study.common.seed && row.name == "transformer" {
                figures = drawn(&model, corpus);
            }
            judgement
        }
    };
    Ok(Trained { judgement, heads, figures, normalised })
}

fn drawn(model: &Transformer, corpus: &Corpus) -> Vec<(String, Svg)> {
    let pair = &parallel::examples()[0];
    let alignment = alignment_figure(model, corpus, pair).map(|svg| ("alignment_1", svg));
    let all = heads(model, corpus, pair).into_iter().chain(alignment);
    all.map(|(name, svg)| (name.to_owned(), svg)).collect()
}
