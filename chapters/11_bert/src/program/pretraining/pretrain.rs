//! `pretrain`: learn from text alone, report how well, keep.

use super::arguments::{self, PretrainArgs};
use super::beginning::Beginning;
use super::held::Held;
use super::report::{Pretrained, report};
use super::task::PretrainingTask;
use crate::interchange::{PRETRAINED, must_be_replaceable, write_pretraining};
use crate::program::texts::{Corpus, NUMBERS};
use crate::{Config, Pretraining, count};
use shared::rng;
use std::sync::Arc;
use workbench::error::Result;
use workbench::memory::must_fit;
use workbench::program::{Session, counted, say};
use workbench::stream;
use workbench::training::{Options, Peers, Watch, in_all_processes, json, train};

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
        "config": config,
        "batch": batch,
        "beginning": beginning,
    });
    let held = || Held::new(corpus, &corpus.validation, config.longest, HELD[0], 0);
    let held = options.leads().then(held).transpose()?;
    let task = PretrainingTask::new(corpus, held.as_ref(), config.longest, batch, description);
    if !task.has_pairs() && options.leads() {
        let kinds = "two sentences of a document, sentences of two";
        say(format!("no pairs of both kinds ({kinds}): pairs are left out"));
    }
    let total = (options.epochs * task.pairs().div_ceil(batch)) as u64;
    let schedule = arguments::options(total, options.schedule.rate).schedule;
    let task = task.with_nsp_first(beginning.order(total));
    must_fit("this model", count(config).pretraining().checked_mul(16))?; // with gradients and moments
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
    in_all_processes(|peers| learn(arguments, peers))
}

/// One process alone, or one of several: the first leads, the others follow.
fn learn(arguments: &PretrainArgs, peers: Option<Arc<dyn Peers>>) -> Result<()> {
    let own = arguments.own_options(peers)?;
    match own.peers.clone() {
        Some(peers) if !own.leads() => follow(arguments, own, peers.as_ref()),
        _ => lead(arguments, own),
    }
}

/// Computes gradients for the process that leads, and leaves words and files to it.
fn follow(arguments: &PretrainArgs, own: Options, peers: &dyn Peers) -> Result<()> {
    let options = arguments.training.options(own)?;
    arguments.training.precision.begin()?;
    let corpus = Corpus::follow(&arguments.corpus, arguments.training.common.seed, peers)?;
    let config = arguments.sizes.config(corpus.pieces.len())?;
    let _watch = Watch::begin(); // Ctrl-C waits here, too, or it would end the process that saves
    let beginning = arguments.beginning()?;
    pretrain_model(&corpus, &config, arguments.batch as usize, beginning, &options)?;
    peers.share(&mut Vec::new()) // the model is saved
}

fn lead(arguments: &PretrainArgs, own: Options) -> Result<()> {
    let mut session = Session::begin("bert", &arguments.training, own)?;
    must_be_replaceable(session.model(), &PRETRAINED)?;
    session.output.will_write(NUMBERS)?;
    let (peers, folder) = (session.options.peers.clone(), session.output.folder());
    let corpus =
        Corpus::lead(&arguments.corpus, folder, arguments.training.common.seed, peers.as_deref())?;
    let config = arguments.sizes.config(corpus.pieces.len())?;
    introduce(&corpus);
    let (batch, beginning) = (arguments.batch as usize, arguments.beginning()?);
    let mut trained =
        session.train(|options| pretrain_model(&corpus, &config, batch, beginning, options))?;
    session.save("what is missing of scores and figures was not made", |folder| {
        write_pretraining(folder, Some(&corpus.pieces), &mut trained.model, &config)?;
        peers.map_or(Ok(()), |peers| peers.share(&mut Vec::new()))
    })?;
    let held = Held::new(&corpus, &corpus.test, config.longest, HELD[1], 1)?;
    let results = report(&corpus, &held, &mut trained, session.options.seed, &session.output)?;
    session.finish(&results)?;
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
