//! `train`: learn, judge, draw, keep.

use super::report::report;
use super::saved::{check_place, model_folder, save};
use crate::translating::corpus::{Corpus, CorpusArgs};
use crate::translating::training::chapter::{Chapter, Description};
use crate::translator::Translator;
use clap::Args;
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::program::{Session, TrainingArgs, say};

#[derive(Args)]
pub struct TrainArgs<C: Description> {
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
    let TrainArgs { training, corpus, .. } = arguments;
    let own = |pairs| (chapter.options)(config, pairs, batch);
    let checked = (chapter.check)(config, corpus.subwords.is_some());
    checked.and_then(|()| (chapter.heeds)(config)).map_err(Error::Argument)?;
    let mut session = Session::begin(chapter.name, training, own(1))?;
    if let Some(checkpoint) = &training.checkpoint {
        session.put_model_into(checkpoint.clone())?;
    }
    check_place(chapter.name, session.model())?;
    let corpus = Corpus::open(corpus, training.common.seed)?;
    session.options = training.options(own(corpus.training.len()))?;
    introduce(&corpus);
    let mut trained = session.train(|options| chapter.train(&corpus, config, batch, options))?;
    session.save("what is missing of scores, figures and results.json was not made", |folder| {
        save(folder, (chapter.name, &mut trained.model), config, &corpus)
    })?;
    let results =
        report(chapter.name, &corpus, &mut trained, training.common.seed, &session.output)?;
    let model = session.model().to_owned();
    session.finish(&results)?;
    invite(chapter.name, &model);
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

/// What to do with the model.
fn invite(name: &str, model: &Path) {
    let folder = model.display().to_string();
    let quote = if folder.contains(char::is_whitespace) { "'" } else { "" };
    let chosen = model != model_folder(name);
    let at = if chosen { format!(" --checkpoint {quote}{folder}{quote}") } else { String::new() };
    say(format!("try: cargo run --release -p {name} -- translate{at} \"…\""));
}
