//! The models that are compared, and how each is trained and judged.

use super::arguments::Compare;
use super::fixed::Fixed;
use super::looks::{Class, Look, looks};
use super::recipe::{Chapter, build};
use crate::Reading::{BothDirections, Forward};
use crate::fixed_context::FixedContext;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::judge::Scores;
use seq2seq::translating::recurrent::Config;
use seq2seq::translating::{Judgement, Recipe, alignment_figure, example, train_and_judge};
use seq2seq::{EncoderDecoder, Sizes};
use serde::{Deserialize, Serialize};
use shared::{Module, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::Svg;
use workbench::study::{self, Progress};

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
}

use Corner::{Attention, AttentionForward, FixedForward};

impl Corner {
    /// All four.
    pub const ALL: [Corner; 4] = [Attention, AttentionForward, Corner::Fixed, FixedForward];

    /// Its key in the results, and its folder among the trainings that are kept.
    pub fn name(self) -> &'static str {
        match self {
            Attention => "with",
            AttentionForward => "with_forward",
            Corner::Fixed => "without_both",
            FixedForward => "without",
        }
    }

    /// A row of it, of about as many parameters as this chapter's model with `sizes` has.
    pub(super) fn row(self, sizes: &Sizes, epochs: u32, against: Option<&'static str>) -> Row {
        let config = (self, self.sizes(sizes));
        Row { name: self.name().to_owned(), config, epochs: epochs as usize, against }
    }

    fn parameters(self, sizes: &Sizes) -> usize {
        let mut rng = rng(0);
        match self {
            Attention => build(sizes, &BothDirections.into(), &mut rng).parameter_count(),
            AttentionForward => build(sizes, &Forward.into(), &mut rng).parameter_count(),
            Corner::Fixed => FixedContext::new(sizes, &mut rng).parameter_count(),
            FixedForward => EncoderDecoder::new(sizes, &mut rng).parameter_count(),
        }
    }

    /// The sizes with which it has about as many parameters as this chapter's model with `sizes`: what
    /// attention takes, it may have in longer states.
    ///
    /// ```
    /// use bahdanau::experiment::Corner;
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

/// A corner and its sizes.
pub(super) type Row = study::Row<(Corner, Sizes)>;

/// The number of entries of a state with which a model has about as many parameters as asked for.
fn nearest(parameters: usize, of: impl Fn(usize) -> usize) -> usize {
    let larger = (1..).find(|&h| of(h) >= parameters).expect("parameters grow with the states");
    let best = [larger - 1, larger].into_iter().filter(|hidden| *hidden > 0);
    best.min_by_key(|&hidden| of(hidden).abs_diff(parameters)).unwrap_or(larger)
}

/// What a training found.
#[derive(Serialize, Deserialize)]
pub(super) struct Trained {
    pub(super) judgement: Judgement,
    /// Of the course's examples.
    pub(super) translations: Vec<String>,
    pub(super) looks: BTreeMap<Class, Look>,
    /// Of the first seed with attention: where it looks in the examples [`DRAWN`].
    pub(super) figures: Vec<(String, Svg)>,
}

/// What every seed found on every part.
pub(super) fn parts(runs: &[Trained]) -> Vec<&[Scores]> {
    runs.iter().map(|run| &run.judgement.scores[..]).collect()
}

/// A row to be trained with a seed.
pub(super) struct Training<'a> {
    pub(super) row: &'a Row,
    pub(super) seed: u64,
    pub(super) corpus: &'a Corpus,
    pub(super) arguments: &'a Compare,
    pub(super) progress: &'a Progress,
}

impl Training<'_> {
    pub(super) fn run(&self) -> Result<Trained> {
        type Five = seq2seq::experiment::Chapter;
        let (corner, sizes) = &self.row.config;
        let none = || Config::new(sizes, seq2seq::experiment::Choices {});
        match corner {
            Attention => self.of::<Chapter>(&Config::new(sizes, BothDirections.into())),
            AttentionForward => self.of::<Chapter>(&Config::new(sizes, Forward.into())),
            Corner::Fixed => self.of::<Fixed>(&none()),
            FixedForward => self.of::<Five>(&none()),
        }
    }

    fn of<R: Recipe>(&self, config: &R::Config) -> Result<Trained> {
        let Training { row, seed, corpus, arguments, progress } = *self;
        let (batch, options) =
            (arguments.common.batch as usize, arguments.options(&row.name, seed));
        let (model, judgement) =
            train_and_judge::<R>(&row.name, corpus, config, batch, &options, progress)?;
        let pairs = worlds::parallel::examples();
        let figure = |number: &usize| {
            let figure = alignment_figure(&model, corpus, &pairs[number - 1])?;
            Some((format!("alignment_{number}"), figure))
        };
        let is_first = seed == arguments.common.repeated.study.common.seed;
        Ok(Trained {
            judgement,
            translations: pairs.iter().map(|p| example(&model, corpus, p).translation).collect(),
            looks: looks(&model, &corpus.tests[0]),
            figures: DRAWN.iter().filter(|_| is_first).filter_map(figure).collect(),
        })
    }
}
