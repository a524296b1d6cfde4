//! `pretrain`: learn from text alone, report how well, keep.

use super::arguments::{self, PretrainArgs};
use super::beginning::Beginning;
use super::held::Held;
use super::report::{Pretrained, report};
use super::task::PretrainingTask;
use crate::interchange::{PRETRAINED, must_be_replaceable, write_pretraining};
use crate::program::sizes::training_memory;
use crate::program::texts::{Corpus, NUMBERS};
use crate::{Config, Pretraining};
use shared::rng;
use std::sync::Arc;
use workbench::error::Result;
use workbench::memory::must_fit;
use workbench::program::{Output, counted, say};
use workbench::stream;
use workbench::training::{Options, Peers, Watch, json, train};

pub const MODEL: &str = "model";

/// Held-out pairs that are looked at after every epoch and at the end.
const HELD: [usize; 2] = [512, 2048];

/// Pre-trains a model on a corpus; `options` has everything but the schedule's length.
pub fn pretrain_model(
    corpus: &Corpus,
    config: &Config,
    batch: usize,
    beginning: Beginning,
    options: &Options,
) -> Result<Pretrained> {
    let description = json!({
        "model": "bert",
        "fingerprint of the texts": corpus.fingerprint(),
        "config": beginning.of(config),
        "batch": batch,
        "pairs first": beginning.nsp_first,
    });
    let held = || Held::new(corpus, &corpus.validation, config.longest, HELD[0], 0);
    let held = options.leads().then(held).transpose()?;
    let task = PretrainingTask::new(corpus, held.as_ref(), config.longest, batch, description);
    if !task.has_pairs() && options.leads() {
        let kinds = "two sentences of a document, sentences of two";
        say(format!("no pairs of both kinds ({kinds}): pairs are left out"));
    }
    let at_once = batch.min(task.pairs()).div_ceil(options.accumulate * options.processes());
    let gradients = options.gradients_at_once();
    let memory = training_memory(config, at_once, task.longest(), gradients);
    must_fit("training this model on this text", memory)?;
    let total = (options.epochs * task.pairs().div_ceil(batch)) as u64;
    let schedule = arguments::options(total, options.schedule.rate).schedule;
    let task = task.with_nsp_first(beginning.order(total));
    let mut model = Pretraining::new(config, &mut rng(stream(options.seed, 0)));
    if beginning.keys_as_queries > 0.0 {
        model.bert.begin_with_keys_as_queries(beginning.keys_as_queries);
    }
    let history = train(&task, &mut model, &Options { schedule, ..options.clone() })?;
    Ok(Pretrained { model, config: config.clone(), beginning, history })
}

pub fn pretrain(arguments: &PretrainArgs) -> Result<()> {
    if arguments.count {
        return arguments.print_counts();
    }
    #[cfg(feature = "mpi")] // in all processes that `mpirun` has started
    {
        let ranks = workbench::training::mpi::Ranks::join()?;
        let peers = (ranks.count() > 1).then(|| ranks.clone() as Arc<dyn Peers>);
        ranks.leave(learn(arguments, peers))
    }
    #[cfg(not(feature = "mpi"))]
    learn(arguments, None)
}

/// One process alone, or one of several: the first leads, the others follow.
fn learn(arguments: &PretrainArgs, peers: Option<Arc<dyn Peers>>) -> Result<()> {
    let options = arguments.options(peers)?;
    match &options.peers {
        Some(peers) if !options.leads() => follow(arguments, &options, peers.as_ref()),
        _ => lead(arguments, &options),
    }
}

/// Computes gradients for the process that leads, and leaves words and files to it.
fn follow(arguments: &PretrainArgs, options: &Options, peers: &dyn Peers) -> Result<()> {
    let corpus = Corpus::follow(&arguments.corpus, arguments.common.seed, peers)?;
    let config = arguments.sizes.config(corpus.pieces.len())?;
    let _watch = Watch::begin(); // Ctrl-C waits here, too, or it would end the process that saves
    let (batch, beginning) = (arguments.batch as usize, arguments.beginning()?);
    pretrain_model(&corpus, &config, batch, beginning, options)?;
    peers.share(&mut Vec::new()) // the model is saved
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
    let config = arguments.sizes.config(corpus.pieces.len())?;
    introduce(&corpus);
    let watch = Watch::begin(); // from here on until the model is saved, Ctrl-C waits
    let batch = arguments.batch as usize;
    let mut trained = pretrain_model(&corpus, &config, batch, arguments.beginning()?, options)?;
    write_pretraining(folder.folder(), Some(&corpus.pieces), &mut trained.model, &config)?;
    if let Some(peers) = &options.peers {
        peers.share(&mut Vec::new())?;
    }
    watch.saved(format!(
        "interrupted after training: the model is in {}; what is missing of scores, figures and \
         results.json was not made",
        folder.folder().display()
    ))?;
    let held = Held::new(&corpus, &corpus.test, config.longest, HELD[1], 1)?;
    report(&corpus, &held, &mut trained, options, &output)?;
    say(format!("\nthe model is in {}", folder.folder().display()));
    say(format!("figures and results.json are in {}", output.folder().display()));
    say("try: cargo run --release -p bert -- fill \"the dog is very [MASK].\"");
    Ok(())
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
