//! `train`: learn, judge, draw, keep.

use super::report::report;
use super::saved::{MODEL, check_place, model_folder, save};
use crate::translating::corpus::{Corpus, CorpusArgs};
use crate::translating::training::recipe::Recipe;
use crate::translating::training::whole::train_model;
use clap::Args;
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::program::{Common, Output, TrainingArgs, say};
use workbench::training::Watch;

#[derive(Args)]
pub struct TrainArgs<R: Recipe> {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub training: TrainingArgs,
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Pairs a training step [default: the chapter's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub batch: Option<u32>,
    #[command(flatten)]
    pub config: R::Config,
}

pub fn train<R: Recipe>(arguments: &TrainArgs<R>) -> Result<()> {
    let batch = arguments.batch.map_or(R::BATCH, |batch| batch as usize);
    let options = |pairs| arguments.training.options(&arguments.common, R::options(pairs, batch));
    let joint = arguments.corpus.subwords.is_some();
    R::check(&arguments.config).map_err(Error::Argument)?;
    R::check_arguments(&arguments.config).map_err(Error::Argument)?;
    R::check_vocabularies(&arguments.config, joint).map_err(Error::Argument)?;
    options(1)?; // a wrong argument is refused before files are read
    arguments.training.precision.begin()?;
    let output = Output::open(&arguments.common, R::CHAPTER)?;
    let corpus = Corpus::open(&arguments.corpus, arguments.common.seed)?;
    let options = options(corpus.training.len())?;
    let beside = || output.folder().join(MODEL);
    let folder = Output::at(options.checkpoint.clone().unwrap_or_else(beside))?;
    check_place::<R>(folder.folder())?;
    introduce(&corpus);
    let watch = Watch::begin(); // from here on until the model is saved, Ctrl-C waits
    let mut trained = train_model::<R>(&corpus, &arguments.config, batch, &options)?;
    let words = (&*corpus.source, &*corpus.target);
    save::<R>(
        folder.folder(),
        &mut trained.model,
        &arguments.config,
        words,
        (corpus.tokenizer, corpus.per_word),
    )?;
    watch.saved(format!(
        "interrupted after training: the model is in {}; what is missing of scores, figures and \
         results.json was not made",
        folder.folder().display()
    ))?;
    report::<R>(&corpus, &mut trained, options.seed, &output)?;
    farewell::<R>(folder.folder(), &output);
    Ok(())
}

fn introduce(corpus: &Corpus) {
    corpus.notice.iter().for_each(say);
    let (pairs, validation) = (corpus.training.len(), corpus.validation.len());
    let (source, target) = (corpus.source.len(), corpus.target.len());
    let known = match corpus.source.merges() {
        Some(_) => format!("{source} pieces of words to read and to write"),
        None => format!("{source} words to read, {target} to write"),
    };
    say(format!(
        "{pairs} pairs of sentences to learn from, {validation} to watch it by; {known}\n"
    ));
}

/// Where everything is, and what to do with it.
fn farewell<R: Recipe>(model: &Path, output: &Output) {
    let folder = model.display().to_string();
    let at = match model == model_folder::<R>() {
        true => String::new(),
        false if folder.contains(char::is_whitespace) => format!(" --checkpoint '{folder}'"),
        false => format!(" --checkpoint {folder}"),
    };
    say(format!("\nthe model is in {}", model.display()));
    say(format!("figures and results.json are in {}", output.folder().display()));
    say(format!("try: cargo run --release -p {} -- translate{at} \"…\"", R::CHAPTER));
}
