//! The models that are compared, and how each is trained and judged.

use super::fixed::Fixed;
use super::looks::{Class, Look, looks};
use super::lstms::Lstms;
use super::recipe::{Chapter, build};
use crate::Reading::{BothDirections, Forward};
use crate::fixed_context::FixedContext;
use crate::lstm::LstmTranslator;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::{CompareArgs, Config};
use seq2seq::translating::{self, Recipe, Repeated, Training, alignment_figure, example};
use seq2seq::{EncoderDecoder, Sizes};
use serde::{Deserialize, Serialize};
use shared::{Module, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::Svg;
use workbench::study::{self, BySeeds, Study};

/// Which of the course's examples the page shows.
const DRAWN: [usize; 2] = [1, 3];

/// Attention or one fixed context, a source read in both directions or forwards only: the corners of the
/// page's square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Corner {
    /// This chapter's model: attention, both directions.
    Attention,
    /// Attention over annotations that were read forwards only.
    AttentionForward,
    /// One context of a source that was read in both directions.
    Fixed,
    /// The model of chapter 5: one context, read forwards.
    FixedForward,
    /// No corner, but held against the first: attention, both directions, LSTM cells.
    Lstm,
}

use Corner::{Attention, AttentionForward, FixedForward};

impl Corner {
    pub const ALL: [Corner; 5] =
        [Attention, AttentionForward, Corner::Fixed, FixedForward, Corner::Lstm];

    /// Its key in the results, and its folder among the trainings that are kept.
    pub fn name(self) -> &'static str {
        match self {
            Attention => "with",
            AttentionForward => "with_forward",
            Corner::Fixed => "without_both",
            FixedForward => "without",
            Corner::Lstm => "lstm",
        }
    }

    /// A row of it, of about as many parameters as this chapter's model with `sizes` has.
    pub(super) fn row(self, sizes: &Sizes, repeated: &Repeated) -> Row {
        repeated.row(self.name(), (self, self.sizes(sizes)), None)
    }

    fn parameters(self, sizes: &Sizes) -> usize {
        let mut rng = rng(0);
        match self {
            Attention => build(sizes, &BothDirections.into(), &mut rng).parameter_count(),
            AttentionForward => build(sizes, &Forward.into(), &mut rng).parameter_count(),
            Corner::Fixed => FixedContext::new(sizes, &mut rng).parameter_count(),
            FixedForward => EncoderDecoder::new(sizes, &mut rng).parameter_count(),
            Corner::Lstm => LstmTranslator::new(sizes, &mut rng).parameter_count(),
        }
    }

    /// The sizes with which it has about as many parameters as this chapter's model with `sizes`: what
    /// attention takes, it may have in longer states.
    ///
    /// ```
    /// use bahdanau::program::Corner;
    /// use seq2seq::Sizes;
    /// let sizes = Sizes { source_words: 300, target_words: 400, embedding: 32, hidden: 64, layers: 1, dropout: 0.0 };
    /// let other = Corner::FixedForward.sizes(&sizes);
    /// assert_eq!((other.embedding, other.layers), (32, 1));
    /// assert!(other.hidden > 64);
    /// ```
    pub fn sizes(self, sizes: &Sizes) -> Sizes {
        let with = |hidden: usize| Sizes { hidden, ..sizes.clone() };
        with(nearest(Attention.parameters(sizes), |hidden| self.parameters(&with(hidden))))
    }
}

pub(super) type Row = study::Row<(Corner, Sizes)>;

/// The number of entries of a state with which a model has about as many parameters as asked for.
fn nearest(parameters: usize, of: impl Fn(usize) -> usize) -> usize {
    let larger = (1..).find(|&h| of(h) >= parameters).expect("parameters grow with the states");
    let best = [larger - 1, larger].into_iter().filter(|hidden| *hidden > 0);
    best.min_by_key(|&hidden| of(hidden).abs_diff(parameters)).unwrap_or(larger)
}

/// What is asked of every model beside its scores.
#[derive(Serialize, Deserialize)]
pub(super) struct Asked {
    pub(super) translations: Vec<String>,
    pub(super) looks: BTreeMap<Class, Look>,
    /// Of the first seed with attention: where it looks in the examples [`DRAWN`].
    pub(super) figures: Vec<(String, Svg)>,
}

pub(super) type Trained = translating::Trained<Asked>;

pub(super) fn train(
    study: &mut Study,
    rows: &[Row],
    arguments: &CompareArgs,
    corpus: &Corpus,
) -> Result<BySeeds<Trained>> {
    type Five = seq2seq::program::Chapter;
    study.run(rows, |row, seed, progress| {
        let training = arguments.training(&row.name, seed, corpus, progress);
        let is_first = seed == arguments.repeated.study.common.seed;
        let (corner, sizes) = &row.config;
        let both = || Config::new(sizes, BothDirections.into());
        let none = || Config::new(sizes, seq2seq::program::Choices {});
        match corner {
            Attention => of::<Chapter>(&training, &both(), is_first),
            AttentionForward => {
                of::<Chapter>(&training, &Config::new(sizes, Forward.into()), is_first)
            }
            Corner::Fixed => of::<Fixed>(&training, &none(), is_first),
            FixedForward => of::<Five>(&training, &none(), is_first),
            Corner::Lstm => of::<Lstms>(&training, &none(), is_first),
        }
    })
}

fn of<R: Recipe>(training: &Training, config: &R::Config, is_first: bool) -> Result<Trained> {
    let (model, judgement) = training.judged::<R>(config)?;
    let (corpus, pairs) = (training.corpus, parallel::examples());
    let figure = |number: &usize| {
        let figure = alignment_figure(&model, corpus, &pairs[number - 1])?;
        Some((format!("alignment_{number}"), figure))
    };
    let more = Asked {
        translations: pairs.iter().map(|p| example(&model, corpus, p).translation).collect(),
        looks: looks(&model, &corpus.tests[0]),
        figures: DRAWN.iter().filter(|_| is_first).filter_map(figure).collect(),
    };
    Ok(Trained { judgement, more })
}
