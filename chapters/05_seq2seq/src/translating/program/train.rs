//! `train`: learn, judge, draw, keep.

use super::report::report;
use super::saved::{MODEL, check_place, model_folder, save};
use crate::translating::corpus::{Corpus, CorpusArgs};
use crate::translating::training::chapter::{Chapter, Description};
use crate::translator::Translator;
use clap::Args;
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::program::{Common, Output, TrainingArgs, say};
use workbench::training::Watch;

#[derive(Args)]
pub struct TrainArgs<C: Description> {
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
    pub config: C,
}

pub fn train<C: Description, M: Translator>(
    chapter: &Chapter<C, M>,
    arguments: &TrainArgs<C>,
) -> Result<()> {
    let config = &arguments.config;
    let batch = arguments.batch.map_or(chapter.batch, |batch| batch as usize);
    let options = |pairs| {
        arguments.training.options(&arguments.common, (chapter.options)(config, pairs, batch))
    };
    let check = || (chapter.check)(config, arguments.corpus.subwords.is_some());
    check().and_then(|()| (chapter.heeds)(config)).map_err(Error::Argument)?;
    options(1)?; // a wrong argument is refused before files are read
    arguments.training.precision.begin()?;
    let output = Output::open(&arguments.common, chapter.name)?;
    let corpus = Corpus::open(&arguments.corpus, arguments.common.seed)?;
    let options = options(corpus.training.len())?;
    let beside = || output.folder().join(MODEL);
    let folder = Output::at(options.checkpoint.clone().unwrap_or_else(beside))?;
    check_place(chapter.name, folder.folder())?;
    introduce(&corpus);
    let watch = Watch::begin(); // from here on until the model is saved, Ctrl-C waits
    let mut trained = chapter.train(&corpus, config, batch, &options)?;
    save(folder.folder(), (chapter.name, &mut trained.model), config, &corpus)?;
    watch.saved(format!(
        "interrupted after training: the model is in {}; what is missing of scores, figures and \
         results.json was not made",
        folder.folder().display()
    ))?;
    report(chapter.name, &corpus, &mut trained, options.seed, &output)?;
    farewell(chapter.name, folder.folder(), &output);
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
fn farewell(name: &str, model: &Path, output: &Output) {
    let folder = model.display().to_string();
    let at = match model == model_folder(name) {
        true => String::new(),
        false if folder.contains(char::is_whitespace) => format!(" --checkpoint '{folder}'"),
        false => format!(" --checkpoint {folder}"),
    };
    say(format!("\nthe model is in {}", model.display()));
    say(format!("figures and results.json are in {}", output.folder().display()));
    say(format!("try: cargo run --release -p {name} -- translate{at} \"…\""));
}
