//! The rows of the page's tables.

use super::arguments::CompareArgs;
use super::conv_s2s::ConvSizes;
use super::positions::{Distances, Positions};
use super::recipe::{Chapter, START, Sizes, paper};
use crate::{Norm, Tied};
use bahdanau::Reading;
use clap::Args;
use seq2seq::translating::recurrent::{self, Config, SizeArgs};
use seq2seq::translating::{Recipe, Words};
use serde::Serialize;
use shared::Precision;
use workbench::study;
use workbench::training::{Options, Schedule, Shape};

#[derive(Clone, Debug, Serialize)]
pub enum Model {
    Seq2seq(Config<seq2seq::program::Choices>),
    Bahdanau(Config<bahdanau::program::Choices>),
    Luong(Config<luong::program::Choices>),
    Transformer(Sizes, Schedule),
    ConvS2S(ConvSizes, Schedule),
    /// The Transformer with the statistics of batches.
    BatchNorm(Sizes, Schedule),
}

#[derive(Clone, Debug, Serialize)]
pub struct Setup {
    pub model: Model,
    #[serde(skip)] // the row's name says it
    pub precision: Precision,
}

pub type Row = study::Row<Setup>;

fn row(name: &str, model: Model, epochs: usize, against: Option<&'static str>) -> Row {
    let config = Setup { model, precision: Precision::F32 };
    Row { name: name.to_owned(), config, epochs, against }
}

pub const MODELS: [&str; 4] = ["transformer", "seq2seq", "bahdanau", "luong"];

pub const EQUAL_TIME: [&str; 3] = ["seq2seq_equal_time", "bahdanau_equal_time", "luong_equal_time"];

/// What is trained like the row `linear`, with another model or another normalisation.
pub const OTHERS: [&str; 2] = ["conv_s2s", "batch_norm"];

/// The Transformer as in the paper, then otherwise, one thing changed a row. `linear` has another schedule, and is itself
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

pub fn models(arguments: &CompareArgs, words: Words) -> Vec<Row> {
    let (pairs, batch) = (arguments.pairs as usize, arguments.batch as usize);
    let sizes = &Sizes { positions: Positions::Sinusoids, ..arguments.sizes.clone() };
    let parameters = Chapter::parameters(sizes, words).unwrap_or(u64::MAX);
    let options = Chapter::options(pairs, batch);
    let epochs = recurrent::options_for(pairs, batch).epochs;
    let both = bahdanau::program::Choices::from(Reading::BothDirections);
    type Five = seq2seq::program::Chapter;
    type Six = bahdanau::program::Chapter;
    type Seven = luong::program::Chapter;
    let five = equalised::<Five, _>(seq2seq::program::Choices {}, words, parameters);
    let six = equalised::<Six, _>(both, words, parameters);
    let seven = equalised::<Seven, _>(luong::program::Choices::default(), words, parameters);
    let ours = Model::Transformer(sizes.clone(), paper(options.schedule));
    let [first, others @ ..] = MODELS;
    let theirs = [Model::Seq2seq(five), Model::Bahdanau(six), Model::Luong(seven)];
    let theirs = others.into_iter().zip(theirs);
    let theirs = theirs.map(|(name, model)| row(name, model, epochs, Some(first)));
    [row(first, ours, options.epochs, None)].into_iter().chain(theirs).collect()
}

/// The recurrent models once more, trained as long as the Transformer is: `milliseconds` are of a
/// training step of each of [`models`].
pub fn in_equal_time(models: &[Row], milliseconds: &[f64]) -> Vec<Row> {
    let [ours, others @ ..] = models else { return Vec::new() };
    let row = |((name, row), time): ((&'static str, &Row), &f64)| {
        let epochs = epochs_in(ours.epochs, milliseconds[0], *time);
        Row { name: name.to_owned(), epochs, ..row.clone() }
    };
    EQUAL_TIME.into_iter().zip(others).zip(&milliseconds[1..]).map(row).collect()
}

/// How many epochs of steps that take `theirs` fit into `epochs` of steps that take `ours`.
///
/// ```
/// use transformer::program::epochs_in;
/// assert_eq!(epochs_in(10, 20.0, 10.0), 20);
/// assert_eq!(epochs_in(10, 10.0, 300.0), 1); // never none
/// ```
pub fn epochs_in(epochs: usize, ours: f64, theirs: f64) -> usize {
    (epochs as f64 * ours / theirs).round().max(1.0) as usize
}

pub fn variants(ours: &Row) -> Vec<Row> {
    let Model::Transformer(sizes, schedule) = &ours.config.model else { return Vec::new() };
    let sizes = || sizes.clone();
    let pre = Sizes { norm: Norm::Pre, ..sizes() };
    let linear = Schedule { shape: Shape::Linear { total: 0 }, ..*schedule }; // to the last step
    let at_once = Schedule { warmup: 0, ..linear };
    let changed = [
        ("linear", sizes(), linear, "transformer"),
        ("linear_pre", pre.clone(), linear, "linear"),
        ("linear_without_warm_up", sizes(), at_once, "linear"),
        ("linear_pre_without_warm_up", pre, at_once, "linear_pre"),
        ("without_smoothing", Sizes { smoothing: 0.0, ..sizes() }, *schedule, "transformer"),
        ("untied", Sizes { tied: Tied::Nothing, ..sizes() }, *schedule, "transformer"),
        ("random_start", Sizes { start: START, ..sizes() }, *schedule, "transformer"),
    ];
    let variant = |(name, sizes, schedule, against)| {
        row(name, Model::Transformer(sizes, schedule), ours.epochs, Some(against))
    };
    let config = Setup { precision: Precision::Bf16, ..ours.config.clone() };
    let half =
        Row { name: "bf16".to_owned(), config, against: Some("transformer"), ..ours.clone() };
    changed.map(variant).into_iter().chain([half]).collect()
}

fn others(ours: &Row, words: Words) -> Vec<Row> {
    let Model::Transformer(sizes, schedule) = &ours.config.model else { return Vec::new() };
    let linear = Schedule { shape: Shape::Linear { total: 0 }, ..*schedule };
    let parameters = Chapter::parameters(sizes, words).unwrap_or(u64::MAX);
    let conv = ConvSizes::equalised(sizes.dropout, sizes.smoothing, words, parameters);
    let models = [Model::ConvS2S(conv, linear), Model::BatchNorm(sizes.clone(), linear)];
    let of = |(name, model)| row(name, model, ours.epochs, Some("linear"));
    OTHERS.into_iter().zip(models).map(of).collect()
}

pub fn rows(
    arguments: &CompareArgs,
    models: &[Row],
    words: Words,
    milliseconds: &[f64],
) -> Vec<Row> {
    let mut rows = models.to_vec();
    rows.extend(in_equal_time(models, milliseconds));
    rows.extend(variants(&models[0]));
    rows.extend(others(&models[0], words));
    for row in &mut rows {
        row.epochs = arguments.epochs.map_or(row.epochs, |epochs| epochs as usize);
    }
    rows
}

/// The rows of `--what precision`: the paper's Transformer, which differs in nothing else.
pub fn precisions(arguments: &CompareArgs, words: Words) -> Vec<Row> {
    let ours = models(arguments, words).swap_remove(0);
    let epochs = arguments.epochs.map_or(ours.epochs, |epochs| epochs as usize);
    let of_precision = |precision: Precision| {
        let config = Setup { precision, ..ours.config.clone() };
        let against = (precision != Precision::F32).then_some(Precision::F32.name());
        Row { name: precision.name().to_owned(), config, epochs, against }
    };
    [Precision::F32, Precision::Bf16, Precision::Bf16x3].map(of_precision).into()
}

/// The rows of `--what turned`.
pub const TURNED: [&str; 3] = ["sinusoids", "rope_both", "shaw_both"];

/// The rows of `--what positions`: each is held against the row of sinusoids, all under the schedule that
/// falls in a line to 0.
pub fn positions(arguments: &CompareArgs) -> Vec<Row> {
    use {Distances::*, Positions::*};
    let options = Chapter::options(arguments.pairs as usize, arguments.batch as usize);
    let epochs = arguments.epochs.map_or(options.epochs, |epochs| epochs as usize);
    let ways = [
        ("sinusoids", Sinusoids, Both),
        ("learned", Learned, Both),
        ("shaw_self", Shaw, Own),
        ("shaw_cross", Shaw, Cross),
        ("shaw_both", Shaw, Both),
        ("rope_self", Rope, Own),
        ("rope_cross", Rope, Cross),
        ("rope_both", Rope, Both),
        ("alibi_self", Alibi, Own),
        ("alibi_cross", Alibi, Cross),
        ("alibi_both", Alibi, Both),
    ];
    let of_way = |(name, positions, distances): (_, Positions, _)| {
        let distances = positions.are_distances().then_some(distances);
        let sizes = Sizes { positions, distances, ..arguments.sizes.clone() };
        let against = (name != "sinusoids").then_some("sinusoids");
        row(name, Model::Transformer(sizes, options.schedule), epochs, against)
    };
    ways.map(of_way).into()
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

pub(super) fn options(row: &Row, pairs: usize, batch: usize, seed: u64) -> Options {
    let usual = match &row.config.model {
        Model::Transformer(_, schedule)
        | Model::BatchNorm(_, schedule)
        | Model::ConvS2S(_, schedule) => {
            Options { schedule: *schedule, ..Chapter::options(pairs, batch) }
        }
        _ => recurrent::options(),
    };
    let steps = (row.epochs * pairs.div_ceil(batch)) as u64;
    let shape = match usual.schedule.shape {
        Shape::Linear { .. } => Shape::Linear { total: steps },
        shape => shape,
    };
    let schedule = Schedule { shape, ..usual.schedule };
    Options { epochs: row.epochs, schedule, clip: usual.clip, seed, ..Options::default() }
}
