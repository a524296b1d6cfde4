//! The rows of the page's tables.

use super::arguments::CompareArgs;
use super::recipe::{Chapter, Sizes};
use crate::{Norm, Tied};
use bahdanau::Reading;
use clap::Args;
use seq2seq::translating::recurrent::{self, Config, SizeArgs};
use seq2seq::translating::{Recipe, Words};
use shared::Precision;
use workbench::training::{Options, Schedule, Shape};

/// How a row's model is made and trained.
#[derive(Clone, Debug)]
pub enum Way {
    /// Chapter 5's: no attention.
    Seq2seq(Config<seq2seq::experiment::Choices>),
    /// Chapter 6's.
    Bahdanau(Config<bahdanau::experiment::Choices>),
    /// Chapter 7's, as it is trained there by default.
    Luong(Config<luong::experiment::Choices>),
    /// This chapter's, and its learning rate.
    Transformer(Sizes, Schedule),
}

/// A model with everything but its seed.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its key in the results.
    pub name: &'static str,
    /// The model.
    pub way: Way,
    /// Passes over the data.
    pub epochs: usize,
    /// In how many bits the products of its training and of its translating read their factors.
    pub precision: Precision,
}

/// The models of the course on equal parameters, the Transformer first.
pub const MODELS: [&str; 4] = ["transformer", "seq2seq", "bahdanau", "luong"];

/// The recurrent ones of these once more, trained as long as the Transformer is.
pub const EQUAL_TIME: [&str; 3] = ["seq2seq_equal_time", "bahdanau_equal_time", "luong_equal_time"];

/// The Transformer otherwise, one thing changed a row. `linear` has another schedule, and is itself
/// what the three rows after it are compared with: normalisation before the parts, no warm-up, both.
pub const VARIANTS: [&str; 8] = [
    "linear",
    "linear_pre",
    "linear_without_warm_up",
    "linear_pre_without_warm_up",
    "without_smoothing",
    "untied",
    "random_start",
    "bf16",
];

/// Places by which a pair may be moved in the row `random_start`: as many as the longest sentence
/// trained on has words.
const START: u32 = corpora::parallel::LONGEST_TRAINED as u32;

/// The models on equal parameters with their chapters' own training.
pub fn models(arguments: &CompareArgs, words: Words) -> Vec<Row> {
    let (pairs, batch) = (arguments.pairs as usize, arguments.batch as usize);
    let sizes = &arguments.sizes;
    let parameters = Chapter::parameters(sizes, words).unwrap_or(u64::MAX);
    let options = Chapter::options(pairs, batch);
    let epochs = recurrent::options_for(pairs, batch).epochs;
    let both = bahdanau::experiment::Choices::from(Reading::BothDirections);
    type Five = seq2seq::experiment::Chapter;
    type Six = bahdanau::experiment::Chapter;
    type Seven = luong::experiment::Chapter;
    let five = equalised::<Five, _>(seq2seq::experiment::Choices {}, words, parameters);
    let six = equalised::<Six, _>(both, words, parameters);
    let seven = equalised::<Seven, _>(luong::experiment::Choices::default(), words, parameters);
    let ways = [
        (Way::Transformer(sizes.clone(), options.schedule), options.epochs),
        (Way::Seq2seq(five), epochs),
        (Way::Bahdanau(six), epochs),
        (Way::Luong(seven), epochs),
    ];
    let precision = Precision::F32;
    let row = |(name, (way, epochs))| Row { name, way, epochs, precision };
    MODELS.into_iter().zip(ways).map(row).collect()
}

/// The recurrent models once more, trained as long as the Transformer is: `milliseconds` are of a
/// training step of each of [`models`].
pub fn in_equal_time(models: &[Row], milliseconds: &[f64]) -> Vec<Row> {
    let [ours, others @ ..] = models else { return Vec::new() };
    let row = |((name, row), time): ((&'static str, &Row), &f64)| {
        let epochs = epochs_in(ours.epochs, milliseconds[0], *time);
        Row { name, epochs, ..row.clone() }
    };
    EQUAL_TIME.into_iter().zip(others).zip(&milliseconds[1..]).map(row).collect()
}

/// How many epochs of steps that take `theirs` fit into `epochs` of steps that take `ours`.
///
/// ```
/// use transformer::experiment::epochs_in;
/// assert_eq!(epochs_in(10, 20.0, 10.0), 20);
/// assert_eq!(epochs_in(10, 10.0, 300.0), 1); // never none
/// ```
pub fn epochs_in(epochs: usize, ours: f64, theirs: f64) -> usize {
    (epochs as f64 * ours / theirs).round().max(1.0) as usize
}

/// The rows of [`VARIANTS`].
pub fn variants(ours: &Row) -> Vec<Row> {
    let Way::Transformer(sizes, schedule) = &ours.way else { return Vec::new() };
    let sizes = || sizes.clone();
    let pre = Sizes { norm: Norm::Pre, ..sizes() };
    let linear = Schedule { shape: Shape::Linear { total: 0 }, ..*schedule }; // to the last step
    let at_once = Schedule { warmup: 0, ..linear };
    let ways = [
        (sizes(), linear),
        (pre.clone(), linear),
        (sizes(), at_once),
        (pre, at_once),
        (Sizes { smoothing: 0.0, ..sizes() }, *schedule),
        (Sizes { tied: Tied::Nothing, ..sizes() }, *schedule),
        (Sizes { start: START, ..sizes() }, *schedule),
        (sizes(), *schedule),
    ];
    let row = |(name, (sizes, schedule))| Row {
        name,
        way: Way::Transformer(sizes, schedule),
        epochs: ours.epochs,
        precision: if name == "bf16" { Precision::Bf16 } else { Precision::F32 },
    };
    VARIANTS.into_iter().zip(ways).map(row).collect()
}

/// The first of these names that no row has.
pub fn unknown(names: &[String]) -> Option<&String> {
    let known: Vec<&str> = [&MODELS[..], &EQUAL_TIME, &VARIANTS].concat();
    names.iter().find(|name| !known.contains(&name.as_str()))
}

/// All rows that are asked for, on this processor.
pub fn rows(arguments: &CompareArgs, models: &[Row], milliseconds: &[f64]) -> Vec<Row> {
    let mut rows = models.to_vec();
    rows.extend(in_equal_time(models, milliseconds));
    rows.extend(variants(&models[0]));
    let asked =
        |row: &Row| arguments.only.is_empty() || arguments.only.iter().any(|n| n == row.name);
    rows.retain(|row| asked(row) && row.precision.is_supported());
    for row in &mut rows {
        row.epochs = arguments.epochs.map_or(row.epochs, |epochs| epochs as usize);
    }
    rows
}

/// The sizes with which a recurrent model comes closest to so many parameters: its states are as
/// long as that takes.
pub fn equalised<R, C>(choices: C, words: Words, parameters: u64) -> Config<C>
where
    R: Recipe<Config = Config<C>>,
    C: Args + Clone,
{
    let with = |hidden: u32| {
        let sizes = SizeArgs { embedding: 64, hidden, layers: 1, dropout: 0.1 };
        Config { sizes, choices: choices.clone() }
    };
    let away = |hidden: &u32| {
        let count = R::parameters(&with(*hidden), words).unwrap_or(u64::MAX);
        count.abs_diff(parameters)
    };
    with((1..=4096).min_by_key(away).expect("some size"))
}

impl Row {
    /// How it is trained.
    pub(super) fn options(&self, pairs: usize, batch: usize, seed: u64) -> Options {
        let (schedule, clip) = match &self.way {
            Way::Transformer(_, schedule) => (*schedule, Chapter::options(pairs, batch).clip),
            _ => (recurrent::options().schedule, recurrent::options().clip),
        };
        let steps = (self.epochs * pairs.div_ceil(batch)) as u64;
        let shape = match schedule.shape {
            Shape::Linear { .. } => Shape::Linear { total: steps },
            shape => shape,
        };
        let schedule = Schedule { shape, ..schedule };
        Options { epochs: self.epochs, schedule, clip, seed, ..Options::default() }
    }
}
