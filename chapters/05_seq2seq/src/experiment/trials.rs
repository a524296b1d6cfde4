//! The models that are compared, and how each is judged.

use super::arguments::Arguments;
use super::recipe::{Chapter, Choices};
use super::searches::{Searched, searches};
use crate::Sizes;
use crate::translating::corpus::Corpus;
use crate::translating::recurrent::Config;
use crate::translating::{Example, Judgement, example, train_and_judge};
use serde::{Deserialize, Serialize};
use workbench::error::Result;
use workbench::study::{self, Progress};

/// What is trained: its sizes, and whether it reads sentences from their end.
#[derive(Clone, Debug, Serialize)]
pub struct Setup {
    /// The sizes.
    pub sizes: Sizes,
    /// The direction of reading.
    pub reversed: bool,
}

/// A model with everything but its seed.
pub type Row = study::Row<Setup>;

/// All models, the longest trainings first, so that none is waited for at the end.
pub fn rows(arguments: &Arguments, default: &Sizes) -> Vec<Row> {
    let row = |name: &str, hidden: usize, reversed: bool| {
        let config = Setup { sizes: Sizes { hidden, ..default.clone() }, reversed };
        arguments.row(name, config, (name != "default").then_some("default"))
    };
    let mut rows = vec![
        row("hidden_256", 256, false),
        row("default", default.hidden, false),
        row("reversed", default.hidden, true),
        row("hidden_64", 64, false),
        row("hidden_32", 32, false),
    ];
    rows.sort_by_key(|row| std::cmp::Reverse(row.config.sizes.hidden));
    rows
}

// ANCHOR: reverse
/// Turns every source around, its end word excepted (Sutskever et al. 2014, section 3.3).
pub fn reverse_sources(corpus: &mut Corpus) {
    let parts = [&mut corpus.training, &mut corpus.validation].into_iter();
    for part in parts.chain(&mut corpus.tests) {
        for source in &mut part.sentences.source {
            let words = source.len() - 1;
            source[..words].reverse();
        }
    }
}
// ANCHOR_END: reverse

/// What a training found.
#[derive(Serialize, Deserialize)]
pub(super) struct Trained {
    pub(super) judgement: Judgement,
    /// Of the default model: every way of searching, and the course's examples.
    pub(super) searches: Vec<Searched>,
    pub(super) examples: Vec<Example>,
}

pub(super) fn train(
    row: &Row,
    seed: u64,
    corpus: &Corpus,
    arguments: &Arguments,
    progress: &Progress,
) -> Result<Trained> {
    let options = arguments.options(&row.name, seed);
    let config = Config::new(&row.config.sizes, Choices {});
    let batch = arguments.usual.batch as usize;
    let (model, judgement) =
        train_and_judge::<Chapter>(&row.name, corpus, &config, batch, &options, progress)?;
    let mut trained = Trained { judgement, searches: Vec::new(), examples: Vec::new() };
    if row.name == "default" {
        trained.searches = searches(&model, corpus);
        let pairs = worlds::parallel::examples();
        trained.examples = pairs.iter().map(|pair| example(&model, corpus, pair)).collect();
    }
    Ok(trained)
}
