//! What the page measures: seven mechanisms, without and with input feeding, and chapter 6's model,
//! each trained with several seeds on the same pairs with equally many parameters.

mod claims;
mod pictures;
mod reordering;
mod timing;

pub use claims::{Inequality, claims};
pub use reordering::{Displaced, Half, displaced, displacement, halves};

use crate::experiment::{Chapter, Choices, build};
use crate::windows::Reach;
use crate::{Luong, Scoring};
use clap::Args;
use reordering::Looked;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::judge::{bleu_of, mean_loss};
use seq2seq::translating::recurrent::{self, options};
use seq2seq::translating::{Progress, Recipe, Repeated, side_by_side, train_model};
use seq2seq::{Sizes, Translator};
use serde::{Deserialize, Serialize};
use shared::{Module, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::program::{Output, Table, say};
use workbench::training::Options;

/// Arguments of `compare`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Output folder, seeds, passes.
    #[command(flatten)]
    repeated: Repeated,
    /// Generated pairs to learn from
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pairs: u32,
    /// Only rows whose name contains this
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,
    /// Entries of a recurrent state
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(8..=1024))]
    hidden: u32,
    /// Entries of a word's vector in chapter 6's model; those of the others are such that all
    /// models have equally many parameters
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(8..=1024))]
    embedding: u32,
    /// Pairs a training step
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1024))]
    batch: u32,
}

/// One way to attend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mechanism {
    /// As in the table.
    pub name: &'static str,
    reach: Reach,
    score: Scoring,
    window: u32,
}

/// The rows of the table, most of them as in the paper's Table 4.
pub const MECHANISMS: [Mechanism; 8] = [
    Mechanism::global("global_location", Scoring::Location),
    Mechanism::global("global_dot", Scoring::Dot),
    Mechanism::global("global_general", Scoring::General),
    Mechanism::global("global_concat", Scoring::Concat),
    Mechanism::local("local_m_general", Reach::LocalM, Scoring::General, 1),
    Mechanism::local(WIDER, Reach::LocalM, Scoring::General, 3),
    Mechanism::local("local_p_dot", Reach::LocalP, Scoring::Dot, 3),
    Mechanism::local("local_p_general", Reach::LocalP, Scoring::General, 3),
];

const WIDER: &str = "local_m_wide";

/// A pair is displaced when a word stands farther from the same position than the narrowest window
/// reaches.
pub const NARROW: usize = 1;

impl Mechanism {
    const fn global(name: &'static str, score: Scoring) -> Mechanism {
        Mechanism { name, reach: Reach::Global, score, window: 1 } // a width that is not looked at
    }

    const fn local(name: &'static str, reach: Reach, score: Scoring, window: u32) -> Mechanism {
        Mechanism { name, reach, score, window }
    }

    /// The model with this mechanism.
    pub fn choices(self, feeding: bool) -> Choices {
        let Mechanism { reach, score, window, .. } = self;
        Choices { score, reach, feeding, window, ..Choices::default() }
    }

    /// Whether it is also trained without input feeding.
    fn both_ways(self) -> bool {
        !["local_p_dot", WIDER].contains(&self.name)
    }
}

/// `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// What was done.
    pub plan: Comparison,
    /// Mechanism → `plain` or `fed` → row; chapter 6's model is `bahdanau`.
    pub rows: BTreeMap<String, BTreeMap<String, Row>>,
    /// Shares of words whose strongest weight is right, by distance from the diagonal: `fed` rows.
    pub by_displacement: BTreeMap<String, Vec<f64>>,
    /// The test's pairs: how many are displaced and not, and how many words.
    pub displaced: Displaced,
    /// What was expected, and what became of it.
    #[serde(default)]
    pub claims: BTreeMap<String, Inequality>,
    /// A short training for tests to repeat.
    pub quick: BTreeMap<String, f64>,
    /// Differs from run to run.
    pub measured: timing::Measured,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Pairs to learn from.
    pub pairs: usize,
    /// Passes over them.
    pub epochs: usize,
    /// Trainings of each kind.
    pub seeds: usize,
    /// Entries of a state.
    pub hidden: usize,
    /// Entries of a word's vector in chapter 6's model.
    pub embedding: usize,
    /// Parameters of chapter 6's model, which the others come as close to as they can.
    pub parameters: usize,
}

/// One kind of model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Entries of a word's vector.
    pub embedding: usize,
    /// Parameters.
    pub parameters: usize,
    /// Of each seed.
    pub seeds: Vec<Run>,
    /// Mean over the seeds.
    pub mean: Run,
    /// Half the distance between the largest and the smallest.
    pub spread: Run,
}

/// What one trained model is worth; rates and shares as numbers from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Cross-entropy of the test, nats a word.
    pub loss: f64,
    /// Its exponential: perplexity.
    pub perplexity: f64,
    /// BLEU of greedy translations of the test.
    pub bleu: f64,
    /// Alignment error rate on the test.
    pub aer: f64,
    /// BLEU on longer sentences than any in training.
    pub long: f64,
    /// Pairs of the test in which no word lies outside its window.
    pub near: Half,
    /// Pairs of the test in which a word does.
    pub displaced: Half,
}

impl Run {
    fn zip(self, other: Run, f: impl Fn(f64, f64) -> f64) -> Run {
        let half = |a: Half, b: Half| Half { bleu: f(a.bleu, b.bleu), aer: f(a.aer, b.aer) };
        Run {
            loss: f(self.loss, other.loss),
            perplexity: f(self.perplexity, other.perplexity),
            bleu: f(self.bleu, other.bleu),
            aer: f(self.aer, other.aer),
            long: f(self.long, other.long),
            near: half(self.near, other.near),
            displaced: half(self.displaced, other.displaced),
        }
    }

    fn map(self, f: impl Fn(f64) -> f64) -> Run {
        self.zip(self, |x, _| f(x))
    }
}

impl Row {
    fn new(embedding: usize, parameters: usize, seeds: Vec<Run>) -> Row {
        let fold = |f: fn(f64, f64) -> f64| {
            seeds.iter().copied().reduce(|a, b| a.zip(b, f)).unwrap_or_default()
        };
        let count = seeds.len() as f64;
        let mean = fold(|a, b| a + b).map(|sum| round(sum / count));
        let spread = fold(f64::max).zip(fold(f64::min), |max, min| round((max - min) / 2.0));
        Row { embedding, parameters, seeds, mean, spread }
    }
}

/// Four digits behind the point are more than three seeds can tell.
fn round(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

/// A training to do.
#[derive(Clone)]
struct Job {
    name: &'static str,
    choices: Option<Choices>, // None: chapter 6's
    sizes: Sizes,
    seed: u64,
}

/// What a training leaves.
struct Done {
    run: Run,
    by_displacement: Vec<f64>,
    model: Option<Luong>,
}

/// Trains and judges everything.
///
/// # Errors
/// When a file cannot be written, or a training fails.
pub fn compare(arguments: &Arguments) -> Result<()> {
    let output = Output::open(&arguments.repeated.common, Chapter::CHAPTER)?;
    let corpus = Corpus::generated(arguments.pairs as usize, 1, arguments.repeated.common.seed);
    let base = Sizes {
        source_words: corpus.source.len(),
        target_words: corpus.target.len(),
        embedding: arguments.embedding as usize,
        hidden: arguments.hidden as usize,
        layers: 1,
        dropout: 0.1,
    };
    let parameters = bahdanau_of(&base).parameter_count();
    let jobs = jobs(arguments, &base, parameters);
    say(format!("{} trainings of models with {parameters} parameters", jobs.len()));
    let epochs = jobs.len() * arguments.repeated.epochs as usize;
    let done = side_by_side("comparing", &jobs, epochs, |job, progress| {
        let done = run(job, &corpus, arguments, progress)?;
        progress.say(format!(
            "{} seed {}: BLEU {:.1}, AER {:.1} %, displaced {:.1}",
            label(job),
            job.seed,
            done.run.bleu,
            done.run.aer * 100.0,
            done.run.displaced.bleu
        ));
        Ok(done)
    })?;
    pictures::draw(&output, &corpus, &jobs, &done)?;
    let rows = rows(&jobs, &done);
    let results = Results {
        claims: claims(&rows),
        plan: Comparison {
            pairs: arguments.pairs as usize,
            epochs: arguments.repeated.epochs as usize,
            seeds: arguments.repeated.seeds as usize,
            hidden: base.hidden,
            embedding: base.embedding,
            parameters,
        },
        rows,
        by_displacement: by_displacement(&jobs, &done),
        displaced: reordering::count(&corpus.tests[0], NARROW),
        quick: quick()?,
        measured: timing::measure(&corpus, &jobs),
    };
    print(&results);
    output.results(&results)
}

fn jobs(arguments: &Arguments, base: &Sizes, parameters: usize) -> Vec<Job> {
    let mut kinds = vec![Job { name: "bahdanau", choices: None, sizes: base.clone(), seed: 0 }];
    for feeding in [false, true] {
        for mechanism in MECHANISMS.into_iter().filter(|m| feeding || m.both_ways()) {
            let choices = mechanism.choices(feeding);
            let sizes = equalised(base, &choices, parameters);
            kinds.push(Job { name: mechanism.name, choices: Some(choices), sizes, seed: 0 });
        }
    }
    kinds.retain(|job| label(job).contains(&arguments.only));
    let seeds = arguments.repeated.seeds().into_iter();
    seeds.flat_map(|seed| kinds.iter().cloned().map(move |job| Job { seed, ..job })).collect()
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

fn bahdanau_of(sizes: &Sizes) -> bahdanau::Bahdanau {
    let choices = bahdanau::experiment::Choices { reading: bahdanau::Reading::BothDirections };
    bahdanau::experiment::build(sizes, &choices, &mut rng(0))
}

fn run(job: &Job, corpus: &Corpus, arguments: &Arguments, progress: &Progress) -> Result<Done> {
    let options =
        Options { seed: job.seed, epochs: arguments.repeated.epochs as usize, ..options() };
    let batch = arguments.batch as usize;
    match &job.choices {
        Some(choices) => {
            let of = recurrent::Config::new(&job.sizes, choices.clone());
            let model = progress.train::<Chapter>(corpus, &of, batch, &options)?.model;
            let (run, by_displacement) = judge(&model, corpus);
            let model = (job.seed == arguments.repeated.common.seed).then_some(model);
            Ok(Done { run, by_displacement, model })
        }
        None => {
            let choices =
                bahdanau::experiment::Choices { reading: bahdanau::Reading::BothDirections };
            let of = recurrent::Config::new(&job.sizes, choices);
            type Bahdanau = bahdanau::experiment::Chapter;
            let model = progress.train::<Bahdanau>(corpus, &of, batch, &options)?.model;
            let (run, by_displacement) = judge(&model, corpus);
            Ok(Done { run, by_displacement, model: None })
        }
    }
}

fn judge(model: &impl Translator, corpus: &Corpus) -> (Run, Vec<f64>) {
    let (test, long) = (&corpus.tests[0], &corpus.tests[1]);
    let loss = mean_loss(model, test);
    let looked = Looked::of(model, corpus, test);
    let all: Vec<usize> = (0..test.len()).collect();
    let whole = looked.half(test, &all);
    let [near, displaced] = halves(test, NARROW).map(|half| looked.half(test, &half));
    let run = Run {
        loss,
        perplexity: loss.exp(),
        bleu: whole.bleu,
        aer: whole.aer,
        long: bleu_of(model, corpus, long, long.len()),
        near,
        displaced,
    };
    (run.map(round), looked.right_by_displacement(test))
}

/// Name and feeding.
fn label(job: &Job) -> String {
    format!("{} {}", job.name, feeding(job))
}

fn feeding(job: &Job) -> &'static str {
    if job.choices.as_ref().is_none_or(|choices| choices.feeding) { "fed" } else { "plain" }
}

fn rows(jobs: &[Job], done: &[Done]) -> BTreeMap<String, BTreeMap<String, Row>> {
    let mut runs: BTreeMap<(String, String), (&Job, Vec<Run>)> = BTreeMap::new();
    for (job, done) in jobs.iter().zip(done) {
        let key = (job.name.to_owned(), feeding(job).to_owned());
        runs.entry(key).or_insert_with(|| (job, Vec::new())).1.push(done.run);
    }
    let mut rows: BTreeMap<String, BTreeMap<String, Row>> = BTreeMap::new();
    for ((name, feeding), (job, seeds)) in runs {
        let parameters = match &job.choices {
            Some(choices) => build(&job.sizes, choices, &mut rng(0)).parameter_count(),
            None => bahdanau_of(&job.sizes).parameter_count(),
        };
        let row = Row::new(job.sizes.embedding, parameters, seeds);
        rows.entry(name).or_default().insert(feeding, row);
    }
    rows
}

/// The mean over the seeds.
fn by_displacement(jobs: &[Job], done: &[Done]) -> BTreeMap<String, Vec<f64>> {
    let mut shares: BTreeMap<String, Vec<&[f64]>> = BTreeMap::new();
    for (job, done) in jobs.iter().zip(done).filter(|(job, _)| feeding(job) == "fed") {
        shares.entry(job.name.to_owned()).or_default().push(&done.by_displacement);
    }
    let mean = |curves: Vec<&[f64]>| {
        let at = |d: usize| curves.iter().map(|curve| curve[d]).sum::<f64>() / curves.len() as f64;
        (0..curves[0].len()).map(|d| round(at(d))).collect()
    };
    shares.into_iter().map(|(name, curves)| (name, mean(curves))).collect()
}

/// The test's loss of small models after two epochs on 300 pairs.
///
/// # Errors
/// When a training fails.
pub fn quick() -> Result<BTreeMap<String, f64>> {
    let corpus = Corpus::generated(300, 1, 0);
    let sizes = Sizes {
        source_words: corpus.source.len(),
        target_words: corpus.target.len(),
        embedding: 16,
        hidden: 24,
        layers: 1,
        dropout: 0.1,
    };
    let options = Options { epochs: 2, ..options() };
    let loss = |(mechanism, feeding): (Mechanism, bool)| {
        let choices = mechanism.choices(feeding);
        let trained = train_model::<Chapter>(
            &corpus,
            &recurrent::Config::new(&sizes, choices),
            32,
            &options,
        )?;
        let name = if feeding { "fed" } else { "plain" };
        Ok((format!("{}_{name}", mechanism.name), mean_loss(&trained.model, &corpus.tests[0])))
    };
    [(MECHANISMS[2], false), (MECHANISMS[2], true), (MECHANISMS[7], true)]
        .into_iter()
        .map(loss)
        .collect()
}

fn print(results: &Results) {
    let mut table = Table::new([
        "mechanism",
        "fed",
        "parameters",
        "perplexity",
        "BLEU",
        "AER",
        "long",
        "near",
        "displaced",
        "ms",
    ]);
    for (name, kinds) in &results.rows {
        for (kind, row) in kinds {
            let time = results.measured.milliseconds.get(name).and_then(|kinds| kinds.get(kind));
            let mean = &row.mean;
            table.row([
                name.clone(),
                if kind == "fed" { "yes" } else { "no" }.to_owned(),
                row.parameters.to_string(),
                format!("{:.3}", mean.perplexity),
                format!("{:.1} ± {:.1}", mean.bleu, row.spread.bleu),
                format!("{:.1} %", mean.aer * 100.0),
                format!("{:.1}", mean.long),
                format!("{:.1}", mean.near.bleu),
                format!("{:.1}", mean.displaced.bleu),
                time.map_or("–".to_owned(), |time| format!("{time:.1}")),
            ]);
        }
    }
    say(table);
}
