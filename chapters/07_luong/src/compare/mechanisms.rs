//! Ways to attend, and what is trained: models of equally many parameters.

use super::arguments::Arguments;
use crate::Scoring;
use crate::choices::{Choices, build};
use crate::windows::Reach;
use seq2seq::Sizes;
use seq2seq::translating::corpus::Corpus;
use serde::Serialize;
use shared::{Module, rng};
use workbench::study;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mechanism {
    pub(super) name: &'static str,
    reach: Reach,
    score: Scoring,
    window: u32,
}

/// The rows of the table, most of them as in the paper's Table 4. (Everywhere, the width of a window is
/// not looked at.)
pub(super) const MECHANISMS: [Mechanism; 9] = [
    Mechanism::new("global_location", Reach::Global, Scoring::Location, 1),
    Mechanism::new("global_dot", Reach::Global, Scoring::Dot, 1),
    Mechanism::new("global_general", Reach::Global, Scoring::General, 1),
    Mechanism::new("global_concat", Reach::Global, Scoring::Concat, 1),
    Mechanism::new("local_m_dot", Reach::LocalM, Scoring::Dot, 1),
    Mechanism::new("local_m_general", Reach::LocalM, Scoring::General, 1),
    Mechanism::new("local_m_wide", Reach::LocalM, Scoring::General, 3),
    Mechanism::new("local_p_dot", Reach::LocalP, Scoring::Dot, 3),
    Mechanism::new("local_p_general", Reach::LocalP, Scoring::General, 3),
];

/// Those that are trained with input feeding alone.
const ONLY_FED: [&str; 3] = ["local_m_dot", "local_p_dot", "local_m_wide"];

/// A pair is displaced when a word stands farther from the same position than the narrowest window
/// reaches.
pub const NARROW: usize = 1;

impl Mechanism {
    const fn new(name: &'static str, reach: Reach, score: Scoring, window: u32) -> Mechanism {
        Mechanism { name, reach, score, window }
    }

    pub(super) fn choices(self, feeding: bool) -> Choices {
        let Mechanism { reach, score, window, .. } = self;
        Choices { score, reach, feeding, window, ..Choices::default() }
    }
}

/// A model with everything but its seed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Setup {
    #[serde(skip)] // the row's name says it
    pub(super) mechanism: &'static str,
    /// None: chapter 6's.
    pub(super) choices: Option<Choices>,
    pub(super) sizes: Sizes,
}

pub(super) type Row = study::Row<Setup>;

impl Setup {
    /// Whether it has input feeding, as results say it.
    pub(super) fn feeding(&self) -> &'static str {
        if self.choices.as_ref().is_none_or(|choices| choices.feeding) { "fed" } else { "plain" }
    }
}

/// The rows of the large table: chapter 6's model, and every mechanism without and with input feeding.
pub(super) fn rows(arguments: &Arguments, corpus: &Corpus) -> Vec<Row> {
    let base = arguments.base(corpus);
    let parameters = bahdanau_of(&base).parameter_count();
    let mut all = vec![Setup { mechanism: "bahdanau", choices: None, sizes: base.clone() }];
    for feeding in [false, true] {
        for mechanism in MECHANISMS {
            if feeding || !ONLY_FED.contains(&mechanism.name) {
                let choices = mechanism.choices(feeding);
                let sizes = equalised(&base, &choices, parameters);
                all.push(Setup { mechanism: mechanism.name, choices: Some(choices), sizes });
            }
        }
    }
    let row = |setup: Setup| {
        let name = format!("{} {}", setup.mechanism, setup.feeding());
        arguments.repeated.row(&name, setup, None)
    };
    all.into_iter().map(row).collect()
}

/// Chapter 6's model, fresh.
pub(super) fn bahdanau_of(sizes: &Sizes) -> bahdanau::Bahdanau {
    let choices = bahdanau::Reading::BothDirections.into();
    bahdanau::program::build(sizes, &choices, &mut rng(0))
}

/// The sizes with which a mechanism has as many parameters as `parameters`, or nearly: the vectors
/// of words are as wide as that takes.
pub(super) fn equalised(base: &Sizes, choices: &Choices, parameters: usize) -> Sizes {
    let with = |embedding: usize| Sizes { embedding, ..base.clone() };
    let count = |embedding: usize| build(&with(embedding), choices, &mut rng(0)).parameter_count();
    let (one, two) = (count(1), count(2));
    let room = parameters.saturating_sub(one) as f64 / (two - one) as f64;
    with(1 + room.round() as usize)
}
