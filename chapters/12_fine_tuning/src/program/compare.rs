//! `compare`: what pre-training is worth, by how many examples there are.

use super::claims::claims;
use super::data::{Data, Task};
use super::figures::figures;
use super::folder::{Encoder, read_pretrained};
use super::judge::{accuracy, answers, classes, loss_and_accuracy};
use super::reader::Reader;
use super::results::{Results, Tested};
use super::rows::{EXAMPLES, Plan, Training};
use super::table::Form;
use super::tuning::{BATCH, begin, options, tune};
use clap::Args;
use shared::{Float, Precision};
use std::collections::BTreeMap;
use std::path::PathBuf;
use workbench::error::Result;
use workbench::figure::Svg;
use workbench::program::{PrecisionArgs, Table, say};
use workbench::study::{Claim, Findings, Progress, Spread, Study, StudyArgs, publish};
use workbench::training::{Options, json};

#[derive(Args, Clone, Debug)]
pub struct CompareArgs {
    #[command(flatten)]
    pub study: StudyArgs,
    /// Folder of the encoder, as `train` has it [default: out/bert/model]
    #[arg(long, value_name = "DIR")]
    pub encoder: Option<PathBuf>,
    /// Numbers of examples to learn from
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = EXAMPLES, value_parser = clap::value_parser!(u32).range(8..=100_000))]
    pub examples: Vec<u32>,
    /// Only these tasks
    #[arg(long, value_enum, value_name = "TASK,…", value_delimiter = ',', default_values_t = Task::COMPARED)]
    pub tasks: Vec<Task>,
    /// Name of the file of results in the output folder, without its ending
    #[arg(long, value_name = "NAME", default_value = "results", value_parser = file_name)]
    pub name: String,
    #[command(flatten)]
    pub precision: PrecisionArgs,
}

fn file_name(name: &str) -> std::result::Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if !name.is_empty() && name.chars().all(plain) {
        return Ok(name.to_owned());
    }
    Err("letters, digits, `-` and `_` make a name".to_owned())
}

pub fn compare(arguments: &CompareArgs) -> Result<()> {
    let plan = Plan::new(arguments.study.clone(), &arguments.tasks, &arguments.examples)?;
    plan.rows()?; // refused before files are read
    arguments.precision.begin()?;
    let encoder = read_pretrained(arguments.encoder.as_deref(), Form::Pair)?;
    let precision = Precision::current().name();
    let about = json!({
        "encoder": encoder.fingerprint(),
        "examples": plan.about(),
        "precision": precision,
    });
    let mut study = Study::open(&plan.study, "fine_tuning", about)?;
    let file = format!("{}.json", arguments.name);
    study.output.will_write(&file)?;
    if plan.study.keep.is_none() {
        say("nothing is kept before the end: stopped, it begins again (--keep FOLDER goes on)");
    }
    let mut results = plan.run(&encoder, &mut study)?;
    results.measured.minutes = study.minutes();
    publish(&study.output, &file, &results)
}

impl Plan {
    pub fn run(&self, encoder: &Encoder, study: &mut Study) -> Result<Results> {
        let all: Vec<Data> =
            self.tasks.iter().map(|task| self.data(*task)).collect::<Result<_>>()?;
        let found = study.run(&self.rows()?, |row, seed, progress| {
            let place = self.tasks.iter().position(|task| *task == row.config.task);
            let repetition = seed.wrapping_sub(self.study.common.seed) as usize;
            let data = self.part(&all[place.unwrap_or(0)], row.config.examples, repetition);
            train(&row.config, &data, encoder, self, seed, progress)
        })?;
        let mut results = Results::new(self, &all, &found);
        results.claims = claims(&results);
        Ok(results)
    }
}

/// Trains with every rate, and tests the model that is best on validation; of equally good ones that of the
/// smallest rate.
fn train(
    training: &Training,
    data: &Data,
    encoder: &Encoder,
    plan: &Plan,
    seed: u64,
    progress: &Progress,
) -> Result<Tested> {
    let Training { task, way, examples } = *training;
    let reader = Reader::new(encoder.pieces.clone(), &encoder.config, data.form);
    let validation = reader.read(&data.validation);
    let mut best: Option<(f64, Float, crate::Classifier)> = None;
    for &rate in way.rates() {
        let mut model = begin(encoder, data, way.start(), seed);
        let options = Options { epochs: (plan.epochs)(examples), seed, ..options(rate) };
        tune(&mut model, data, &reader, BATCH, &options, None, &|| progress.epoch())?;
        let (_, right) = loss_and_accuracy(&model, &validation);
        if best.as_ref().is_none_or(|(most, ..)| right > *most) {
            best = Some((right, rate, model));
        }
    }
    let (_, rate, model) = best.expect("a rate was tried");
    let predicted = answers(&model, &reader.read(&data.test), data.test.len());
    let tested = Tested::new(rate, data, &classes(&predicted));
    progress.say(format!(
        "{:10} {:12} {examples:5} examples, seed {seed}: {:.1} % at a rate of {rate}",
        task.name(),
        way.name(),
        100.0 * accuracy(&tested.tallies)
    ));
    Ok(tested)
}

impl Findings for Results {
    fn print(&self) {
        let percent = |x: f64| format!("{:.1}", 100.0 * x);
        let mut table =
            Table::new(["task", "examples", "encoder", "accuracy, %", "of the seeds", "rates"]);
        for (task, found) in &self.tasks {
            for (examples, row) in &found.by_examples {
                let mut add = |name: &str, of: &Spread, rates: &[Float]| {
                    let range = format!("{}–{}", percent(of.lowest), percent(of.highest));
                    let rates: Vec<String> = rates.iter().map(Float::to_string).collect();
                    let [task, examples, name] = [task, examples, name].map(str::to_owned);
                    table.row([task, examples, name, percent(of.mean), range, rates.join(" ")]);
                };
                row.ways.iter().for_each(|(way, of)| add(way, &of.accuracy, &of.rates));
                row.words_in_common.iter().for_each(|found| add("words in common", found, &[]));
                add("counting words", &row.bag_of_words, &[]);
            }
        }
        say(format!("Of a test that nobody has seen, over {} seeds\n\n{table}", self.seeds));
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        figures(self)
    }
}
