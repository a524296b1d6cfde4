//! `train`: learn from labelled examples, report how well, keep.

use super::baselines::{bag_of_words, majority, words_in_common};
use super::data::{Data, DataArgs};
use super::folder::{Tuned, read_pretrained};
use super::judge::{answers, classes, tallies};
use super::reader::Reader;
use super::table::Form;
use super::tuning::{self, BATCH, Start, begin, must_be_readable, must_have_memory, tune};
use bert::interchange::must_be_replaceable;
use clap::Args;
use serde::Serialize;
use shared::{Module, Precision, rng};
use std::path::PathBuf;
use workbench::error::Result;
use workbench::program::{Common, Output, Table, TrainingArgs, say};
use workbench::study::{Bootstrap, Interval};
use workbench::training::{Epoch, Watch};

/// What is trained here, in the words of the library *transformers*.
const CLASSIFIERS: [&str; 2] = ["BertForSequenceClassification", "BertForTokenClassification"];

#[derive(Args, Clone, Debug)]
pub struct TrainArgs {
    #[command(flatten)]
    pub common: Common,
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
    /// Forget what the encoder has learnt: keep its sizes and pieces, draw its parameters anew
    #[arg(long)]
    pub from_scratch: bool,
    /// Sequences a training step
    #[arg(long, value_name = "N", default_value_t = BATCH as u32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub batch: u32,
}

pub const MODEL: &str = "model";

const WATCHED: usize = 512;

#[derive(Serialize)]
struct Results<'a> {
    seed: u64,
    precision: &'static str,
    task: &'a str,
    labels: &'a [String],
    examples: [usize; 3],
    frozen: bool,
    from_scratch: bool,
    parameters: usize,
    trained_parameters: usize,
    test: Scores,
    epochs: &'a [Epoch],
}

#[derive(Serialize)]
struct Scores {
    model: Interval,
    bag_of_words: Interval,
    majority: Interval,
    #[serde(skip_serializing_if = "Option::is_none")]
    words_in_common: Option<Interval>,
}

pub fn train(arguments: &TrainArgs) -> Result<()> {
    let start = Start { from_scratch: arguments.from_scratch, frozen: arguments.frozen };
    arguments.training.options(&arguments.common, tuning::options(1.0))?; // refused before files are read
    let data = arguments.data.open(arguments.common.seed)?;
    let encoder = read_pretrained(arguments.encoder.as_deref(), data.form)?;
    let rate = tuning::rate(&encoder.config, start);
    let options = arguments.training.options(&arguments.common, tuning::options(rate))?;
    arguments.training.precision.begin()?;
    let output = Output::open(&arguments.common, "fine_tuning")?;
    let folder = Output::at(output.folder().join(MODEL))?;
    must_be_replaceable(folder.folder(), &CLASSIFIERS)?;
    introduce(&data);
    if data.form.asks() == crate::Asks::Sequences && !encoder.has_pooler && !start.from_scratch {
        let frozen = "drawn, and stays as it is (--frozen)";
        let fate = if start.frozen { frozen } else { "learnt with the new layer" };
        say(format!("the encoder has no pooler: a new one is {fate}"));
    }
    let seed = arguments.common.seed;
    let mut model = begin(&encoder, &data, start, seed);
    let reader = Reader::new(encoder.pieces, &encoder.config, data.form);
    let watched = &data.validation[..data.validation.len().min(WATCHED)];
    let (read, watched) = (reader.read(&data.training), reader.read(watched));
    reader.notice(read.too_long).iter().for_each(say);
    let batch = arguments.batch as usize;
    must_have_memory(&encoder.config, &read, batch, options.shards)?;
    must_be_readable(&encoder.config, &watched)?;
    must_be_readable(&encoder.config, &reader.read(&data.test))?;
    let watch = Watch::begin(); // from here on until the model is saved, Ctrl-C waits
    let history = tune(&mut model, &data, &reader, batch, &options, Some(&watched))?;
    let (labels, pieces) = (data.labels.clone(), reader.pieces.clone());
    let mut tuned = Tuned { model, config: encoder.config, labels, pieces };
    tuned.write(folder.folder())?;
    watch.saved(format!(
        "interrupted after training: the model is in {}; the test was not judged",
        folder.folder().display()
    ))?;
    let scores = judge(&tuned, &data, &reader);
    print(&scores, data.form);
    let parameters = tuned.model.parameter_count();
    let trained_parameters = count_trained(&mut tuned.model);
    say(format!("\n{parameters} parameters, of which {trained_parameters} were trained"));
    output.results(&Results {
        seed,
        precision: Precision::current().name(),
        task: &data.name,
        labels: &data.labels,
        examples: [&data.training, &data.validation, &data.test].map(Vec::len),
        frozen: start.frozen,
        from_scratch: start.from_scratch,
        parameters,
        trained_parameters,
        test: scores,
        epochs: &history.epochs,
    })?;
    say(format!("the model is in {}", folder.folder().display()));
    say(format!("results.json is in {}", output.folder().display()));
    Ok(())
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

fn judge(tuned: &Tuned, data: &Data, reader: &Reader) -> Scores {
    let found = classes(&answers(&tuned.model, &reader.read(&data.test), data.test.len()));
    // Examples are drawn, each with all of its words; the same draws for all.
    let score = |predicted: &Vec<Vec<usize>>| {
        Bootstrap::default().score(&[tallies(predicted, &data.test, |_| true)], &mut rng(0))
    };
    Scores {
        model: score(&found),
        bag_of_words: score(&bag_of_words(data)),
        majority: score(&majority(data)),
        words_in_common: words_in_common(data).map(|found| score(&found)),
    }
}

fn print(scores: &Scores, form: Form) {
    let counting = match form {
        Form::Text | Form::Pair => "naive Bayes: counts words",
        Form::Words => "each word's most frequent tag",
    };
    let mut table = Table::new(["predicts the test", "accuracy, %", "95 % of resamplings"]);
    for (name, found) in [
        ("the model", Some(scores.model)),
        ("words in common", scores.words_in_common),
        (counting, Some(scores.bag_of_words)),
        ("the most frequent label, always", Some(scores.majority)),
    ] {
        if let Some(Interval { estimate, low, high }) = found {
            let [estimate, low, high] = [estimate, low, high].map(|x| format!("{:.1}", 100.0 * x));
            table.row([name.to_owned(), estimate, format!("{low} to {high}")]);
        }
    }
    say(format!("\n{table}"));
}
