//! `pretrain`: learn from text alone, tell how well, keep.

use super::corpus::{Corpus, CorpusArgs, NUMBERS, counted};
use super::evaluate::Held;
use super::report::report;
use super::sizes::{Preset, Sizes, training_memory};
use super::task::{PairsFirst, PretrainingTask, decay};
use crate::interchange::{PRETRAINED, must_be_replaceable, write_pretraining};
use crate::masking::Masking;
use crate::{Config, Pretraining, count};
use clap::Args;
use shared::{AdamW, Float, rng, stream};
use std::sync::Arc;
use workbench::error::{Error, Result};
use workbench::memory::must_fit;
use workbench::program::{Common, Output, Table, TrainingArgs, say};
#[cfg(feature = "mpi")]
use workbench::training::mpi::Ranks;
use workbench::training::{History, Method, Options, Peers, Watch, json, train};

/// Arguments of `pretrain`.
#[derive(Args, Clone, Debug)]
pub struct PretrainArgs {
    /// Output folder and seed.
    #[command(flatten)]
    pub common: Common,
    /// Epochs, learning rate, checkpoints.
    #[command(flatten)]
    pub training: TrainingArgs,
    /// Texts.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// What the model is made of.
    #[command(flatten)]
    pub sizes: Sizes,
    /// Pairs a training step
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub batch: u32,
    /// In how many groups, one after another, a batch is computed: less memory, the same gradients
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub accumulate: u32,
    /// Into how many shards a batch is cut, which may run at the same time, also in several processes:
    /// part of the run, results differ with it in their last digits [default: 2 in each group]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub shards: Option<u32>,
    /// For which share of all steps pairs come first: for half of it the rate is a quarter of the highest
    /// and hidden pieces hardly count, then both rise (the rate takes a tenth of all steps at least) [default: 0.15 for the small model and generated documents, 0 for others]
    #[arg(long, value_name = "SHARE")]
    pub pairs_first: Option<Float>,
    /// Print how many parameters the model has, and where they sit, and end
    #[arg(long)]
    pub count: bool,
}

/// How many times wider the queries of heads that begin alike are drawn, …
const ALIKE: Float = 4.0;
/// … and for which share of the steps pairs come first, where both were found to serve: for the small model,
/// of documents of the small world.
const PAIRS_FIRST: Float = 0.15;

impl PretrainArgs {
    /// Whether this is what the chapter measures. Of a real text both cost more than they brought, and
    /// other sizes were not tried: these begin as in the paper.
    fn is_the_chapters(&self) -> bool {
        self.sizes.config == Preset::Small && self.corpus.corpus.is_none()
    }

    /// The model to train, with so many pieces.
    ///
    /// # Errors
    /// As [`Sizes::config`].
    pub(super) fn config(&self, vocabulary: usize) -> Result<Config> {
        let alike = self.sizes.alike.or(self.is_the_chapters().then_some(ALIKE));
        Sizes { alike, ..self.sizes.clone() }.config(vocabulary)
    }

    /// For which share of the steps pairs come first.
    ///
    /// # Errors
    /// When that is no share, or leaves no steps for the rate to fall in.
    pub(super) fn first(&self) -> Result<Float> {
        let unless_told = if self.is_the_chapters() { PAIRS_FIRST } else { 0.0 };
        match self.pairs_first.unwrap_or(unless_told) {
            share if (0.0..1.0).contains(&share) => Ok(share),
            share => {
                let reason = format!("pairs first {share}: it must be at least 0 and below 1");
                Err(Error::argument(reason))
            }
        }
    }
}

/// The folder in the output folder that keeps the model.
pub const MODEL: &str = "model";

/// Held-out pairs that are looked at after every epoch and at the end.
const HELD: [usize; 2] = [512, 2048];

// ANCHOR: options
/// The chapter's options for so many steps when nothing comes first: AdamW, a rate that rises and falls
/// on straight lines, gradients of norm 1 at most.
pub fn options(steps: u64, rate: Float) -> Options {
    let schedule = PairsFirst::default().schedule(rate, steps);
    let method = Method::new(AdamW::new(0.0, decay));
    Options { epochs: EPOCHS, schedule, method, clip: Some(1.0), ..Options::default() }
}
// ANCHOR_END: options

/// Passes over the corpus, and the highest learning rate, unless told otherwise.
const EPOCHS: usize = 4;
const RATE: Float = 2e-3;

/// A model after pre-training.
pub struct Pretrained {
    /// The model.
    pub model: Pretraining,
    /// What it is made of.
    pub config: Config,
    /// For which share of the steps pairs came first.
    pub pairs_first: Float,
    /// How it went.
    pub history: History,
}

/// Pre-trains a model on a corpus, pairs first for a share of the steps; `options` has everything but the
/// schedule's length.
///
/// # Errors
/// As [`train`], and when there is not enough memory.
pub fn pretrain_model(
    corpus: &Corpus,
    config: &Config,
    batch: usize,
    pairs_first: Float,
    options: &Options,
) -> Result<Pretrained> {
    let description = json!({
        "model": "bert",
        "fingerprint of the texts": corpus.fingerprint(),
        "config": config,
        "batch": batch,
        "pairs first": pairs_first,
    });
    let held = || Held::new(corpus, &corpus.validation, config.longest, HELD[0], 0);
    let held = options.leads().then(held).transpose()?;
    let task = PretrainingTask::new(corpus, held.as_ref(), config.longest, batch, description);
    if !task.has_pairs() && options.leads() {
        say(
            "no pairs of both kinds (two sentences of a document, sentences of two): pairs are left out",
        );
    }
    let longest = task.lengths().first().copied().unwrap_or(0);
    let hidden = Masking::default().count(longest);
    let at_once = batch.min(task.pairs()).div_ceil(options.accumulate * options.processes());
    let gradients = options.gradients_at_once();
    let memory = training_memory(config, at_once, longest, hidden, gradients);
    must_fit("training this model on this text", Some(memory))?;
    let steps = (options.epochs * task.pairs().div_ceil(batch)) as u64;
    let first = f64::from(pairs_first) * steps as f64;
    let first = PairsFirst { steps: if pairs_first > 0.0 { first.max(1.0) as u64 } else { 0 } };
    let schedule = first.schedule(options.schedule.rate, steps);
    let task = task.with_pairs_first(first);
    let mut model = Pretraining::new(config, &mut rng(stream(options.seed, 0)));
    let history = train(&task, &mut model, &Options { schedule, ..options.clone() })?;
    Ok(Pretrained { model, config: config.clone(), pairs_first, history })
}

/// Learns, judges, draws, keeps: with the feature `mpi` in all processes that `mpirun` has started.
///
/// # Errors
/// When a file cannot be read or written, an argument makes no sense, or training fails.
#[cfg(feature = "mpi")]
pub fn pretrain(arguments: &PretrainArgs) -> Result<()> {
    if arguments.count {
        return tell_counts(arguments);
    }
    let ranks = Ranks::join()?;
    let peers = (ranks.count() > 1).then(|| ranks.clone() as Arc<dyn Peers>);
    ranks.leave(learn(arguments, peers))
}

/// Learns, judges, draws, keeps.
///
/// # Errors
/// When a file cannot be read or written, an argument makes no sense, or training fails.
#[cfg(not(feature = "mpi"))]
pub fn pretrain(arguments: &PretrainArgs) -> Result<()> {
    match arguments.count {
        true => tell_counts(arguments),
        false => learn(arguments, None),
    }
}

// ANCHOR: roles
/// One process alone, or one of several: the first leads, the others follow.
fn learn(arguments: &PretrainArgs, peers: Option<Arc<dyn Peers>>) -> Result<()> {
    let options = checked(arguments, peers)?;
    match &options.peers {
        Some(peers) if !options.leads() => follow(arguments, &options, peers.as_ref()),
        _ => lead(arguments, &options),
    }
}

/// Computes gradients for the process that leads, and leaves words and files to it.
fn follow(arguments: &PretrainArgs, options: &Options, peers: &dyn Peers) -> Result<()> {
    let corpus = Corpus::follow(&arguments.corpus, arguments.common.seed, peers)?;
    let config = arguments.config(corpus.pieces.len())?;
    let _watch = Watch::begin(); // Ctrl-C waits here, too, or it would end the process that saves
    let (batch, first) = (arguments.batch as usize, arguments.first()?);
    pretrain_model(&corpus, &config, batch, first, options)?;
    peers.share(&mut Vec::new()) // the model is saved
}
// ANCHOR_END: roles

/// The options of a training. What is wrong with an argument is told here, before files are read.
///
/// # Errors
/// When an argument makes no sense.
pub(super) fn checked(arguments: &PretrainArgs, peers: Option<Arc<dyn Peers>>) -> Result<Options> {
    arguments.config(100)?;
    arguments.first()?;
    let groups = arguments.accumulate as usize;
    let shards = arguments.shards.map_or(2 * groups, |shards| shards as usize);
    let chapter = Options { shards, accumulate: groups, peers, ..options(1, RATE) };
    must_divide(shards, groups, chapter.processes())?;
    let options = arguments.training.options(&arguments.common, chapter)?;
    arguments.training.precision.begin();
    Ok(options)
}

/// Sums have the same bits in any number of processes and groups where each has a power of two of the
/// shards.
fn must_divide(shards: usize, groups: usize, processes: usize) -> Result<()> {
    let parts = groups * processes;
    let fits = match processes {
        1 => parts == 1 || is_power_of_two(shards, parts),
        _ => is_power_of_two(shards, parts) && groups.is_power_of_two(),
    };
    if fits {
        return Ok(());
    }
    let accumulate = match processes {
        1 => groups,
        _ => groups.next_power_of_two(),
    };
    let example = 2 * accumulate * processes;
    Err(Error::argument(format!(
        "shards of a batch: {shards}, processes: {processes}, groups in each: {groups}; a process needs \
         a power of two of shards, and so does a group: --shards {example} --accumulate {accumulate} \
         would do"
    )))
}

/// Whether each of the parts has a power of two of them.
fn is_power_of_two(all: usize, parts: usize) -> bool {
    all.is_multiple_of(parts) && (all / parts).is_power_of_two()
}

fn lead(arguments: &PretrainArgs, options: &Options) -> Result<()> {
    let output = Output::open(&arguments.common, "bert")?;
    let folder = Output::at(output.folder().join(MODEL))?;
    must_be_replaceable(folder.folder(), &PRETRAINED)?;
    output.will_write(NUMBERS)?;
    let seed = arguments.common.seed;
    let corpus = match &options.peers {
        None => Corpus::open(&arguments.corpus, output.folder(), seed)?,
        Some(peers) => Corpus::lead(&arguments.corpus, output.folder(), seed, peers.as_ref())?,
    };
    let config = arguments.config(corpus.pieces.len())?;
    introduce(&corpus);
    let watch = Watch::begin(); // from here on until the model is saved, Ctrl-C waits
    let batch = arguments.batch as usize;
    let mut trained = pretrain_model(&corpus, &config, batch, arguments.first()?, options)?;
    write_pretraining(folder.folder(), Some(&corpus.pieces), &mut trained.model, &config)?;
    if let Some(peers) = &options.peers {
        peers.share(&mut Vec::new())?;
    }
    watch.saved(format!(
        "interrupted after training: the model is in {}; what is missing of scores, figures and \
         results.json was not made",
        folder.folder().display()
    ))?;
    let held = held_for_test(&corpus, config.longest)?;
    report(&corpus, &held, &mut trained, options, &output)?;
    say(format!("\nthe model is in {}", folder.folder().display()));
    say(format!("figures and results.json are in {}", output.folder().display()));
    say("try: cargo run --release -p bert -- fill \"the dog is very [MASK].\"");
    Ok(())
}

/// What a model is judged by when training is over.
///
/// # Errors
/// As [`Held::new`].
pub(super) fn held_for_test(corpus: &Corpus, longest: usize) -> Result<Held> {
    Held::new(corpus, &corpus.test, longest, HELD[1], 1)
}

fn introduce(corpus: &Corpus) {
    let [documents, held] = [&corpus.training, &corpus.validation].map(|part| part.documents.len());
    let (sentences, pieces) = corpus.training.size();
    say(format!(
        "{} to learn from ({}, {}), {held} to watch it by; {} pieces of words in the vocabulary\n",
        counted(documents, "document"),
        counted(sentences, "sentence"),
        counted(pieces, "piece"),
        corpus.pieces.len()
    ));
}

/// Where the parameters sit.
pub(super) fn tell_counts(arguments: &PretrainArgs) -> Result<()> {
    checked(arguments, None)?;
    let vocabulary = arguments.corpus.vocabulary.map(|size| size as usize);
    let found = count(&arguments.config(vocabulary.unwrap_or(Config::BASE.vocabulary))?);
    let encoder = found.encoder();
    let mut table = Table::new(["part", "parameters", "share"]);
    for (part, n) in [
        ("tables of pieces, places, segments", found.embeddings),
        ("attention", found.attention),
        ("position-wise networks", found.feed_forward),
        ("normalisations", found.norms),
        ("pooler", found.pooler),
        ("the encoder", encoder),
    ] {
        let share = format!("{:.1} %", 100.0 * n as f64 / encoder as f64);
        table.row([part.to_owned(), n.to_string(), share]);
    }
    say(table);
    say(format!(
        "with both heads of pre-training: {} (hidden pieces {}, pairs {})",
        found.pretraining(),
        found.masked,
        found.next
    ));
    Ok(())
}
