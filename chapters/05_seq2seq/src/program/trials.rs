//! The models that are compared, and how each is judged.

use super::recipe::{Chapter, Choices};
use super::searches::{Errors, SearchResult, searches};
use crate::Sizes;
use crate::translating::corpus::Corpus;
use crate::translating::recurrent::Config;
use crate::translating::{Example, Repeated, Training, example};
use serde::{Deserialize, Serialize};
use workbench::error::Result;
use workbench::study;

#[derive(Clone, Debug, Serialize)]
pub struct Setup {
    pub sizes: Sizes,
    /// Whether it reads sentences from their end.
    pub reversed: bool,
}

pub type Row = study::Row<Setup>;

/// All models, the longest trainings first, so that none is waited for at the end.
pub fn rows(repeated: &Repeated, default: &Sizes) -> Vec<Row> {
    let row = |name: &str, hidden: usize, reversed: bool| {
        let config = Setup { sizes: Sizes { hidden, ..default.clone() }, reversed };
        repeated.row(name, config, (name != "default").then_some("default"))
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

/// What is asked of the default model beside its scores.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Asked {
    pub(super) searches: Vec<SearchResult<Errors<f64>>>,
    pub(super) examples: Vec<Example>,
}

pub(super) type Trained = crate::translating::Trained<Asked>;

pub(super) fn train(training: &Training, sizes: &Sizes) -> Result<Trained> {
    let (model, judgement) = training.judged::<Chapter>(&Config::new(sizes, Choices {}))?;
    let mut more = Asked::default();
    if training.name == "default" {
        more.searches = searches(&model, training.corpus);
        let pairs = parallel::examples();
        more.examples = pairs.iter().map(|pair| example(&model, training.corpus, pair)).collect();
    }
    Ok(Trained { judgement, more })
}
