//! `train`: learn from labelled examples, report how well, keep.

use super::baselines::{bag_of_words, majority, words_in_common};
use super::data::{Data, DataArgs};
use super::folder::{Tuned, read_pretrained};
use super::judge::{answers, classes, must_be_readable, tallies};
use super::reader::Reader;
use super::table::Form;
use super::tuning::{self, BATCH, Learns, Start, begin, tune};
use crate::Asks;
use bert::interchange::must_be_replaceable;
use clap::Args;
use shared::{Module, Precision, rng};
use std::collections::BTreeMap;
use std::path::PathBuf;
use workbench::error::Result;
use workbench::program::{Session, Table, TrainingArgs, say};
use workbench::statistics::{Bootstrap, Interval};
use workbench::training::json;

/// What is trained here, in the words of the library *transformers*.
const CLASSIFIERS: [&str; 2] = ["BertForSequenceClassification", "BertForTokenClassification"];

#[derive(Args, Clone, Debug)]
pub struct TrainArgs {
    #[command(flatten)]
    pub training: TrainingArgs,
    #[command(flatten)]
    pub data: DataArgs,
    /// Folder of the encoder: one that chapter 11's `pretrain` left, or a BERT of the Hugging Face
    /// ecosystem [default: out/bert/model]
    #[arg(long, value_name = "DIR")]
    pub encoder: Option<PathBuf>,
    /// Leave the encoder as it is and learn the new layer alone
    #[arg(long)]
    pub frozen: bool,
    /// Leave the encoder as it is but for products of two thin matrices, added to those of queries and values (LoRA)
    #[arg(long, value_name = "RANK", conflicts_with = "frozen", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub lora: Option<u32>,
    /// Forget what the encoder has learnt: keep its sizes and pieces, draw its parameters anew
    #[arg(long)]
    pub from_scratch: bool,
    /// Sequences a training step
    #[arg(long, value_name = "N", default_value_t = BATCH as u32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub batch: u32,
}

/// Validation examples that are looked at after every epoch.
const WATCHED: usize = 512;

pub fn train(arguments: &TrainArgs) -> Result<()> {
    let TrainArgs { training, frozen, from_scratch, lora, .. } = arguments;
    let learns = match lora {
        Some(rank) => Learns::LowRank(*rank as usize),
        None if *frozen => Learns::Nothing,
        None => Learns::Everything,
    };
    let start = Start { from_scratch: *from_scratch, learns };
    let mut session = Session::begin("fine_tuning", training, tuning::options(1.0))?;
    must_be_replaceable(session.model(), &CLASSIFIERS)?;
    let data = arguments.data.open(training.common.seed)?;
    let encoder = read_pretrained(arguments.encoder.as_deref(), data.form)?;
    if training.learning_rate.is_none() {
        session.options.schedule.rate = tuning::rate(&encoder.config, start);
    }
    introduce(&data);
    if data.form.asks() == Asks::Sequences && !encoder.has_pooler && !from_scratch {
        let stays = "drawn, and stays as it is (--frozen)";
        let fate = if *frozen { stays } else { "learnt with the new layer" };
        say(format!("the encoder has no pooler: a new one is {fate}"));
    }
    let model = begin(&encoder, &data, start, training.common.seed);
    let reader = Reader::new(encoder.pieces, &encoder.config, data.form);
    let (labels, pieces) = (data.labels.clone(), reader.pieces.clone());
    let mut tuned = Tuned { model, config: encoder.config, labels, pieces };
    let watched = reader.read(&data.validation[..data.validation.len().min(WATCHED)]);
    if let Some(notice) = reader.notice(reader.read(&data.training).too_long) {
        say(notice);
    }
    must_be_readable(&tuned.config, &watched)?;
    must_be_readable(&tuned.config, &reader.read(&data.test))?;
    let batch = arguments.batch as usize;
    let history = session
        .train(|options| tune(&mut tuned.model, &data, &reader, batch, options, Some(&watched)))?;
    let trained = count_trained(&mut tuned.model);
    tuned.model.merge();
    session.save("the test was not judged", |folder| tuned.write(folder))?;
    let scores = judge(&tuned, &data, &reader);
    print(&scores, data.form);
    let parameters = tuned.model.parameter_count();
    say(format!("\n{parameters} parameters, of which {trained} were trained"));
    let examples = [&data.training, &data.validation, &data.test].map(Vec::len);
    session.finish(&json!({
        "seed": training.common.seed,
        "precision": Precision::current().name(),
        "task": data.name,
        "labels": data.labels,
        "examples": examples,
        "frozen": frozen,
        "lora": lora,
        "from_scratch": from_scratch,
        "parameters": parameters,
        "trained_parameters": trained,
        "test": scores,
        "epochs": history.epochs,
    }))
}

fn count_trained(model: &mut impl Module) -> usize {
    let mut count = 0;
    model.for_each_parameter(|_, param| {
        count += if param.is_frozen() { 0 } else { param.value().len() };
    });
    count
}

fn introduce(data: &Data) {
    let Data { name, labels, training, validation, test, .. } = data;
    let [training, validation, test] = [training, validation, test].map(Vec::len);
    say(format!(
        "{name}: {training} examples to learn from, {validation} to watch it by, {test} to judge it by; \
         {} labels: {}\n",
        labels.len(),
        labels.iter().take(20).cloned().collect::<Vec<_>>().join(", ")
    ));
}

/// Accuracies on the test. Examples are drawn, each with all of its words; the same draws for all.
fn judge(tuned: &Tuned, data: &Data, reader: &Reader) -> BTreeMap<&'static str, Interval> {
    let found = classes(&answers(&tuned.model, &reader.read(&data.test), data.test.len()));
    [
        ("model", Some(found)),
        ("words_in_common", words_in_common(data)),
        ("bag_of_words", Some(bag_of_words(data))),
        ("majority", Some(majority(data))),
    ]
    .into_iter()
    .filter_map(|(name, predicted)| {
        let tallies = tallies(&predicted?, &data.test, |_| true);
        Some((name, Bootstrap::default().score(&[tallies], &mut rng(0))))
    })
    .collect()
}

fn print(scores: &BTreeMap<&str, Interval>, form: Form) {
    let counting = match form {
        Form::Text | Form::Pair => "naive Bayes: counts words",
        Form::Words => "each word's most frequent tag",
    };
    let mut table = Table::new(["predicts the test", "accuracy, %", "95 % of resamplings"]);
    for (title, name) in [
        ("the model", "model"),
        ("words in common", "words_in_common"),
        (counting, "bag_of_words"),
        ("the most frequent label, always", "majority"),
    ] {
        if let Some(Interval { estimate, low, high }) = scores.get(name) {
            let [estimate, low, high] = [estimate, low, high].map(|x| format!("{:.1}", 100.0 * x));
            table.row([title.to_owned(), estimate, format!("{low} to {high}")]);
        }
    }
    say(format!("\n{table}"));
}
