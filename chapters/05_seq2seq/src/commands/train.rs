//! `train`: learn, judge, draw, keep.

use super::{Recipe, files};
use crate::corpus::{Corpus, CorpusArgs, Part};
use crate::draw;
use crate::judge::{LengthScore, Scores, bleu_by_length, forced_alignment, judge};
use crate::task::Translation;
use crate::{Sizes, decoding};
use clap::Args;
use serde::{Deserialize, Serialize};
use shared::Module;
use shared::error::{Error, Result};
use shared::figure::{Chart, Svg};
use shared::program::{Common, Output, Table, TrainingArgs, say};
use shared::text::{END, Pair, detokenize};
use shared::training::{Epoch, History, Options, Schedule, Shape, json, train as run_training};
use shared::{Float, rng};
use std::path::PathBuf;

/// Arguments of `train`.
#[derive(Args, Debug, Clone)]
pub struct TrainArgs<C: Args> {
    /// Output folder and seed.
    #[command(flatten)]
    pub common: Common,
    /// Epochs, learning rate, checkpoints.
    #[command(flatten)]
    pub training: TrainingArgs,
    /// Texts.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Widths.
    #[command(flatten)]
    pub sizes: SizeArgs,
    /// What the chapter lets choose.
    #[command(flatten)]
    pub choices: C,
}

/// The sizes of a model, and of a batch.
#[derive(Args, Debug, Clone)]
pub struct SizeArgs {
    /// Entries of a word's vector
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub embedding: u32,
    /// Entries of a recurrent state
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub hidden: u32,
    /// Recurrent layers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub layers: u32,
    /// Probability of leaving out a unit while training
    #[arg(long, value_name = "P", default_value_t = 0.1)]
    pub dropout: Float,
    /// Pairs a training step
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub batch: u32,
}

/// The chapters' way of training, the defaults behind every number on their pages: Adam, its rate
/// falling in a straight line from 0.003 to 0, gradients no longer than 1.
pub fn options() -> Options {
    Options { epochs: 10, schedule: Schedule::constant(3e-3), ..Options::default() }
}

/// Passes over the data unless told otherwise: [`options`]' many, or, of fewer pairs, as many as give
/// 3,000 steps.
fn epochs_for(pairs: usize, batch: usize) -> usize {
    const STEPS: usize = 3_000;
    STEPS.div_ceil(pairs.div_ceil(batch).max(1)).clamp(options().epochs, 200)
}

/// Lets the learning rate fall to 0 in the last of the steps.
fn falling(options: Options, pairs: usize, batch: usize) -> Options {
    let total = (options.epochs * pairs.div_ceil(batch)) as u64;
    let schedule = Schedule { shape: Shape::Linear { total }, ..options.schedule };
    Options { schedule, ..options }
}

impl SizeArgs {
    /// The sizes of a model for a corpus.
    ///
    /// # Errors
    /// When the dropout is not a probability below 1.
    pub fn sizes(&self, corpus: &Corpus) -> Result<Sizes> {
        let sizes = Sizes {
            source_words: corpus.source.len(),
            target_words: corpus.target.len(),
            embedding: self.embedding as usize,
            hidden: self.hidden as usize,
            layers: self.layers as usize,
            dropout: self.dropout,
        };
        sizes.check().map_err(Error::Argument)?;
        Ok(sizes)
    }
}

/// `results.json`.
#[derive(Serialize)]
struct Results {
    seed: u64,
    training_pairs: usize,
    source_words: usize,
    target_words: usize,
    parameters: usize,
    scores: Vec<Scores>,
    by_length: Vec<LengthScore>,
    examples: Vec<Example>,
    epochs: Vec<Epoch>,
    /// Differs from run to run.
    measured: Measured,
}

/// A sentence, what a model makes of it, and what it should have made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Example {
    /// The sentence.
    pub source: String,
    /// The model's translation.
    pub translation: String,
    /// The corpus's.
    pub reference: String,
}

#[derive(Serialize)]
struct Measured {
    tokens_per_second: f64,
    training_seconds: f64,
}

/// A model after training.
pub struct Trained<M> {
    /// The model.
    pub model: M,
    /// How it went.
    pub history: History,
}

/// Trains a model of a chapter on a corpus.
///
/// # Errors
/// As [`shared::training::train`].
pub fn train_model<R: Recipe>(
    corpus: &Corpus,
    (sizes, choices): (&Sizes, &R::Choices),
    batch: usize,
    options: &Options,
) -> Result<Trained<R::Model>> {
    train_observed::<R>(corpus, (sizes, choices), batch, options, &|| ())
}

/// [`train_model`] that calls `epoch_done` after every epoch.
pub(super) fn train_observed<R: Recipe>(
    corpus: &Corpus,
    (sizes, choices): (&Sizes, &R::Choices),
    batch: usize,
    options: &Options,
    epoch_done: &(dyn Fn() + Sync),
) -> Result<Trained<R::Model>> {
    let mut model = R::build(sizes, choices, &mut rng(options.seed));
    let description = json!({
        "model": R::CHAPTER,
        "sizes": sizes,
        "choices": choices,
        "batch": batch,
        "data": corpus.training.fingerprint(),
    });
    let task = Translation::new(corpus, batch, description).observed(epoch_done);
    let options = falling(options.clone(), corpus.training.len(), batch);
    let history = run_training(&task, &mut model, &options)?;
    Ok(Trained { model, history })
}

/// The folder `translate` looks into unless told otherwise.
pub fn model_folder<R: Recipe>() -> PathBuf {
    PathBuf::from("out").join(R::CHAPTER).join("model")
}

/// Trains, judges, draws, keeps.
pub fn train<R: Recipe>(arguments: &TrainArgs<R::Choices>) -> Result<()> {
    let output = Output::open(&arguments.common, R::CHAPTER)?;
    let corpus = Corpus::open(&arguments.corpus, arguments.common.seed)?;
    corpus.notice.iter().for_each(say);
    let sizes = arguments.sizes.sizes(&corpus)?;
    let batch = arguments.sizes.batch as usize;
    let options = Options { epochs: epochs_for(corpus.training.len(), batch), ..options() };
    let options = arguments.training.options(&arguments.common, options)?;
    let keep = options.checkpoint.clone().unwrap_or_else(|| model_folder::<R>());
    let folder = Output::at(keep.clone())?;
    introduce(&corpus);
    let mut trained = train_model::<R>(&corpus, (&sizes, &arguments.choices), batch, &options)?;
    files::save::<R>(
        folder.folder(),
        &mut trained.model,
        (&sizes, &arguments.choices),
        (&corpus.source, &corpus.target),
    )?;
    report::<R>(&corpus, &mut trained, options.seed, &output)?;
    say(format!(
        "the model is in {}, figures and results.json in {}",
        keep.display(),
        output.folder().display()
    ));
    say(format!("try: cargo run --release -p {} -- translate \"…\"", R::CHAPTER));
    Ok(())
}

fn report<R: Recipe>(
    corpus: &Corpus,
    trained: &mut Trained<R::Model>,
    seed: u64,
    output: &Output,
) -> Result<()> {
    let parameters = trained.model.parameter_count();
    let model = &trained.model;
    say(format!("\n{parameters} parameters; how it does on sentences that it has not seen:\n"));
    let scores: Vec<Scores> = corpus.tests.iter().map(|part| judge(model, corpus, part)).collect();
    print_scores(&scores);
    let parts: Vec<&Part> = corpus.tests.iter().take(2).collect();
    let by_length = bleu_by_length(model, corpus, &parts);
    let pairs = examples(corpus);
    let examples: Vec<_> = pairs.iter().map(|pair| example(model, corpus, pair)).collect();
    examples.iter().for_each(show);
    show_alignment(model, corpus, &pairs[0]);
    output.figure("learning", &learning_curve(&trained.history))?;
    if !by_length.is_empty() {
        output.figure(
            "by_length",
            &draw::by_length("BLEU by length", &[(R::CHAPTER, by_length.clone())]),
        )?;
    }
    for (number, pair) in pairs.iter().enumerate() {
        if let Some(figure) = alignment_figure(model, corpus, pair) {
            output.figure(&format!("alignment_{}", number + 1), &figure)?;
        }
    }
    let seconds = trained.history.timings.iter().map(|timing| timing.seconds).sum();
    output.results(&Results {
        seed,
        training_pairs: corpus.training.len(),
        source_words: corpus.source.len(),
        target_words: corpus.target.len(),
        parameters,
        scores,
        by_length,
        examples,
        epochs: trained.history.epochs.clone(),
        measured: Measured {
            tokens_per_second: trained.history.tokens_per_second(),
            training_seconds: seconds,
        },
    })
}

fn introduce(corpus: &Corpus) {
    let (pairs, validation) = (corpus.training.len(), corpus.validation.len());
    let (source, target) = (corpus.source.len(), corpus.target.len());
    say(format!(
        "{pairs} pairs of sentences to learn from, {validation} to watch it by; {source} words to \
         read, {target} to write\n"
    ));
}

fn print_scores(scores: &[Scores]) {
    let mut table = Table::new(["part", "pairs", "loss", "BLEU", "greedy", "exact", "AER"]);
    for s in scores {
        let percent = |x: f64| format!("{:.1} %", x * 100.0);
        table.row([
            s.part.clone(),
            s.sentences.to_string(),
            format!("{:.3}", s.loss),
            format!("{:.1}", s.bleu),
            format!("{:.1}", s.greedy),
            percent(s.exact),
            s.aer.map_or("–".to_owned(), percent),
        ]);
    }
    say(table);
    say(
        "loss: nats a word, of the references · BLEU: of translations found by beam search, up to 100",
    );
    say("greedy: BLEU word by word · exact: equal to the reference");
    if scores.iter().any(|s| s.aer.is_some()) {
        say("AER: alignment error rate of the largest weights, 0 is perfect");
    }
}

/// The course's own examples where the words are known, else the first pairs of the test.
fn examples(corpus: &Corpus) -> Vec<Pair> {
    let known = |pair: &Pair| {
        pair.source.iter().all(|word| corpus.source.id(word).is_some())
            && pair.target.iter().all(|word| corpus.target.id(word).is_some())
    };
    let own: Vec<Pair> = corpora::parallel::examples().into_iter().filter(known).collect();
    match own.is_empty() {
        false => own,
        true => corpus.tests[0].pairs.iter().take(5).cloned().collect(),
    }
}

/// Translates an example.
pub fn example(model: &impl crate::Translator, corpus: &Corpus, pair: &Pair) -> Example {
    let mut source = corpus.source.encode(&pair.source);
    source.push(END);
    let words = decoding::beam(model, &source, crate::judge::BEAM, 1.0).words;
    Example {
        source: detokenize(&pair.source),
        translation: detokenize(&corpus.target.decode(&words)),
        reference: detokenize(&pair.target),
    }
}

fn show(example: &Example) {
    say(format!("\n  {}\n→ {}", example.source, example.translation));
    if example.translation != example.reference {
        say(format!("  ({} was expected)", example.reference));
    }
}

/// Where the model looked while it translated an example, for the terminal.
fn show_alignment(model: &impl crate::Translator, corpus: &Corpus, pair: &Pair) {
    let mut source = corpus.source.encode(&pair.source);
    source.push(END);
    let found = decoding::beam(model, &source, crate::judge::BEAM, 1.0);
    if found.alignment.nrows() == source.len() && !found.words.is_empty() {
        let weights = found.alignment.rows(0, pair.source.len()).into_owned();
        let words = corpus.target.decode(&found.words);
        say("\nWhere it looked, word by word (darker is more):\n");
        say(draw::in_text(&weights, &pair.source, &words));
    }
}

/// The model's weights on the reference beside the known alignment, where there are both.
pub fn alignment_figure(
    model: &impl crate::Translator,
    corpus: &Corpus,
    pair: &Pair,
) -> Option<Svg> {
    let closed = |mut words: Vec<usize>| {
        words.push(END);
        words
    };
    let source = closed(corpus.source.encode(&pair.source));
    let target = closed(corpus.target.encode(&pair.target));
    let weights = forced_alignment(model, &source, &target)?;
    let learnt = draw::heatmap("learnt", &weights, &pair.source, &pair.target);
    let Some(alignment) = &pair.alignment else { return Some(learnt) };
    let known = draw::heatmap("known", &draw::gold(pair, alignment), &pair.source, &pair.target);
    Some(Svg::grid(&[learnt, known], 2))
}

fn learning_curve(history: &History) -> Svg {
    let epochs = history.epochs.iter();
    let training: Vec<_> = epochs.clone().map(|e| (e.epoch as f64, e.loss)).collect();
    let validation: Vec<_> = epochs
        .filter_map(|e| e.evaluation.as_ref().map(|found| (e.epoch as f64, found.loss)))
        .collect();
    Chart::new("Learning", "epoch", "cross-entropy, nats a word")
        .line("training", &training)
        .line("validation", &validation)
        .draw()
}
