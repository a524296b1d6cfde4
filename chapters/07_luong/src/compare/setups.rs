//! What is trained: mechanisms of equally many parameters.

use super::arguments::Arguments;
use super::mechanisms::MECHANISMS;
use crate::choices::{Choices, build};
use seq2seq::Sizes;
use serde::Serialize;
use shared::{Module, rng};
use workbench::study;

/// A model with everything but its seed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Setup {
    #[serde(skip)] // the row's name tells
    pub(super) mechanism: &'static str,
    /// None: chapter 6's.
    pub(super) choices: Option<Choices>,
    pub(super) sizes: Sizes,
}

/// A row of a table.
pub(super) type Row = study::Row<Setup>;

impl Setup {
    /// Whether it has input feeding, as results say it.
    pub(super) fn feeding(&self) -> &'static str {
        if self.choices.as_ref().is_none_or(|choices| choices.feeding) { "fed" } else { "plain" }
    }

    /// A row of it.
    pub(super) fn row(self, name: String, arguments: &Arguments) -> Row {
        Row { name, config: self, epochs: arguments.repeated.epochs as usize, against: None }
    }
}

/// The rows of the large table: chapter 6's model, and every mechanism without and with input feeding.
pub(super) fn rows(arguments: &Arguments, base: &Sizes, parameters: usize) -> Vec<Row> {
    let mut all = vec![Setup { mechanism: "bahdanau", choices: None, sizes: base.clone() }];
    for feeding in [false, true] {
        for mechanism in MECHANISMS.into_iter().filter(|m| feeding || m.both_ways()) {
            let choices = mechanism.choices(feeding);
            let sizes = equalised(base, &choices, parameters);
            all.push(Setup { mechanism: mechanism.name, choices: Some(choices), sizes });
        }
    }
    let row = |setup: Setup| {
        let name = format!("{} {}", setup.mechanism, setup.feeding());
        setup.row(name, arguments)
    };
    all.into_iter().map(row).collect()
}

/// The sizes with which a mechanism has as many parameters as `parameters`, or nearly: the vectors
/// of words are as wide as that takes.
// ANCHOR: equalised
pub fn equalised(base: &Sizes, choices: &Choices, parameters: usize) -> Sizes {
    let with = |embedding: usize| Sizes { embedding, ..base.clone() };
    let count = |embedding: usize| build(&with(embedding), choices, &mut rng(0)).parameter_count();
    let (one, two) = (count(1), count(2));
    let room = parameters.saturating_sub(one) as f64 / (two - one) as f64;
    with(1 + room.round() as usize)
}
// ANCHOR_END: equalised
