//! `compare`: what a start is worth, by how many examples there are.

use super::claims::claims;
use super::data::{Data, MOST_GENERATED, Task};
use super::figures::figures;
use super::folder::{Encoder, read_pretrained};
use super::judge::{Answer, Tally, accuracy, answers, loss_and_accuracy, tallies};
use super::reader::Reader;
use super::results::Results;
use super::table::Form;
use super::tuning::{BATCH, Start, begin, options, tune};
use clap::Args;
use corpora::documents::tasks::{Sizes, ambiguous};
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::HashSet;
use std::path::PathBuf;
use workbench::error::{Error, Result};
use workbench::program::{Common, Output, PrecisionArgs, Table, say};
use workbench::study::{Progress, Spread, side_by_side};
use workbench::training::Options;

/// Arguments of `compare`.
#[derive(Args, Clone, Debug)]
pub struct CompareArgs {
    /// Output folder and first seed.
    #[command(flatten)]
    pub common: Common,
    /// Folder of the encoder, as `train` has it [default: out/bert/model]
    #[arg(long, value_name = "DIR")]
    pub encoder: Option<PathBuf>,
    /// How often everything is repeated, with other examples to learn from and other random numbers
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub seeds: u32,
    /// Numbers of examples to learn from
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = EXAMPLES, value_parser = clap::value_parser!(u32).range(8..=100_000))]
    pub examples: Vec<u32>,
    /// Only these tasks
    #[arg(long, value_enum, value_name = "TASK,…", value_delimiter = ',', default_values_t = Task::COMPARED)]
    pub tasks: Vec<Task>,
    /// Name of the file of results in the output folder, without its ending
    #[arg(long, value_name = "NAME", default_value = "results", value_parser = file_name)]
    pub name: String,
    /// In how many bits products read their factors.
    #[command(flatten)]
    pub precision: PrecisionArgs,
}

/// Refuses what is no plain name of a file.
fn file_name(name: &str) -> std::result::Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    match !name.is_empty() && name.chars().all(plain) {
        true => Ok(name.to_owned()),
        false => Err("letters, digits, `-` and `_` make a name".to_owned()),
    }
}

/// The page's numbers of examples.
pub const EXAMPLES: [u32; 3] = [50, 200, 1000];

/// Examples to choose a rate by, and to judge by.
const HELD: [usize; 2] = [500, 1000];

/// Where a classifier begins, and what of it is trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// The encoder as pre-training left it; all is trained.
    PreTrained,
    /// The same encoder as it begins before pre-training; all is trained.
    FromScratch,
    /// The encoder as pre-training left it; the new layer alone is trained.
    Frozen,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 3] = [Way::PreTrained, Way::FromScratch, Way::Frozen];

    /// Its key in the results.
    pub fn name(self) -> &'static str {
        match self {
            Way::PreTrained => "pre_trained",
            Way::FromScratch => "from_scratch",
            Way::Frozen => "frozen",
        }
    }

    fn start(self) -> Start {
        Start { from_scratch: self == Way::FromScratch, frozen: self == Way::Frozen }
    }

    /// The rates that are tried; validation chooses. What has been trained before takes smaller steps, and
    /// a new layer alone takes larger ones.
    pub fn rates(self) -> &'static [Float] {
        match self {
            Way::PreTrained => &[3e-5, 1e-4, 3e-4, 1e-3],
            Way::FromScratch => &[1e-4, 3e-4, 1e-3],
            Way::Frozen => &[1e-3, 3e-3, 1e-2, 3e-2],
        }
    }
}

/// Passes over so many examples: ten, and as many more as 300 steps take.
///
/// ```
/// use fine_tuning::experiment::epochs;
/// assert_eq!([50, 200, 1000].map(epochs), [75, 24, 10]);
/// ```
pub fn epochs(examples: usize) -> usize {
    let steps = examples.div_ceil(BATCH);
    300_usize.div_ceil(steps).max(10)
}

/// A training of the comparison.
#[derive(Clone, Copy, Debug)]
struct Trial {
    task: Task,
    way: Way,
    examples: usize,
    seed: usize,
}

/// What became of a trial, with the rate that validation chose.
pub struct Judged {
    /// The task, the way, the number of examples, and the repetition.
    pub task: Task,
    /// See `task`.
    pub way: Way,
    /// See `task`.
    pub examples: usize,
    /// See `task`.
    pub seed: usize,
    /// The rate.
    pub rate: Float,
    /// Of every test example the questions that count: ambiguous words alone, or the text.
    pub tallies: Vec<Tally>,
    /// The same of all words; as `tallies` where texts are judged.
    pub everywhere: Vec<Tally>,
}

/// The tallies of a task's test: of what counts, and of everything.
pub fn judged(data: &Data, told: &[Vec<usize>]) -> [Vec<Tally>; 2] {
    let everywhere = tallies(told, &data.test, |_| true);
    match data.form {
        Form::Words => [tallies(told, &data.test, ambiguous), everywhere],
        Form::Text | Form::Pair => [everywhere.clone(), everywhere],
    }
}

/// What is compared.
pub struct Plan {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// Numbers of examples.
    pub examples: Vec<usize>,
    /// Repetitions.
    pub seeds: usize,
    /// Examples to choose a rate by, and to judge by.
    pub held: [usize; 2],
    /// Passes over so many examples.
    pub epochs: fn(usize) -> usize,
    /// The first seed.
    pub seed: u64,
}

impl Plan {
    /// All examples of a task: a part to learn from for every repetition, one after another.
    fn data(&self, task: Task) -> Result<Data> {
        let most = self.examples.iter().max().copied().unwrap_or(0);
        let [validation, test] = self.held;
        let train = most * self.seeds;
        task.data(&Sizes { train, validation, test, ..Sizes::default() }, self.seed)
    }

    /// Those of a trial: another number of examples of the same repetition begins with the same ones.
    pub fn part(&self, all: &Data, examples: usize, seed: usize) -> Data {
        let most = all.training.len() / self.seeds;
        let training = all.training[seed * most..][..examples].to_vec();
        Data { training, ..all.clone() }
    }

    fn trials(&self) -> Vec<Trial> {
        let mut trials = Vec::new();
        for &task in &self.tasks {
            for &examples in &self.examples {
                for seed in 0..self.seeds {
                    let of = |way| Trial { task, way, examples, seed };
                    trials.extend(Way::ALL.map(of));
                }
            }
        }
        trials.sort_by_key(|trial| std::cmp::Reverse(trial.examples)); // the long ones first
        trials
    }

    /// Trains and judges everything.
    ///
    /// # Errors
    /// As [`tune`].
    pub fn run(&self, encoder: &Encoder) -> Result<Results> {
        let all: Vec<Data> =
            self.tasks.iter().map(|task| self.data(*task)).collect::<Result<_>>()?;
        let trials = self.trials();
        let epochs = |trial: &Trial| trial.way.rates().len() * (self.epochs)(trial.examples);
        let total = trials.iter().map(epochs).sum();
        let run = |trial: &Trial, progress: &Progress| {
            let place = self.tasks.iter().position(|task| *task == trial.task);
            let data = self.part(&all[place.unwrap_or(0)], trial.examples, trial.seed);
            trial.run(&data, encoder, self, progress)
        };
        let judged = side_by_side("comparing", &trials, total, run)?;
        let mut results = Results::new(self, &all, &judged);
        results.claims = claims(&results);
        Ok(results)
    }
}

impl Trial {
    /// Trains with every rate, and judges the model that is best on validation; of equally good ones that
    /// of the smallest rate.
    fn run(
        &self,
        data: &Data,
        encoder: &Encoder,
        plan: &Plan,
        progress: &Progress,
    ) -> Result<Judged> {
        let Trial { task, way, examples, seed } = *self;
        let reader = Reader::new(encoder.pieces.clone(), &encoder.config, data.form);
        let validation = reader.read(&data.validation);
        let run_seed = plan.seed.wrapping_add(seed as u64);
        let mut best: Option<(f64, Float, crate::Classifier)> = None;
        for &rate in way.rates() {
            let mut model = begin(encoder, data, way.start(), run_seed);
            let options =
                Options { epochs: (plan.epochs)(examples), seed: run_seed, ..options(rate) };
            tune(&mut model, data, &reader, BATCH, &options, None, &|| progress.epoch())?;
            let (_, right) = loss_and_accuracy(&model, &validation);
            if best.as_ref().is_none_or(|(most, ..)| right > *most) {
                best = Some((right, rate, model));
            }
        }
        let (_, rate, model) = best.expect("a rate was tried");
        let told = answers(&model, &reader.read(&data.test), data.test.len());
        let classes = |of: &Vec<Answer>| of.iter().map(|answer| answer.class).collect();
        let told: Vec<Vec<usize>> = told.iter().map(classes).collect();
        let [tallies, everywhere] = judged(data, &told);
        progress.say(format!(
            "{:10} {:12} {examples:5} examples, seed {run_seed}: {:.1} % at a rate of {rate}",
            task.name(),
            way.name(),
            100.0 * accuracy(&tallies)
        ));
        Ok(Judged { task, way, examples, seed, rate, tallies, everywhere })
    }
}

/// Compares, tells and draws.
///
/// # Errors
/// When a file cannot be read or written, or a training fails.
pub fn compare(arguments: &CompareArgs) -> Result<()> {
    let plan = plan(arguments)?;
    arguments.precision.begin();
    let output = Output::open(&arguments.common, "fine_tuning")?;
    let file = format!("{}.json", arguments.name);
    output.will_write(&file)?;
    let encoder = read_pretrained(arguments.encoder.as_deref(), Form::Pair)?;
    say("nothing is kept before the end: stopped, it begins again");
    let begin = std::time::Instant::now();
    let mut results = plan.run(&encoder)?;
    results.measured.minutes = (begin.elapsed().as_secs_f64() / 6.0).round() / 10.0;
    output.json(&file, &results)?; // first: a figure can be drawn again from it
    tell(&results);
    for (name, figure) in figures(&results) {
        output.figure(&name, &figure)?;
    }
    say(format!("{file} and figures are in {}", output.folder().display()));
    Ok(())
}

/// What the arguments ask for; what they say twice is done once.
fn plan(arguments: &CompareArgs) -> Result<Plan> {
    let mut tasks = arguments.tasks.clone();
    let mut seen = HashSet::new();
    tasks.retain(|task| seen.insert(*task));
    let mut examples: Vec<usize> = arguments.examples.iter().map(|n| *n as usize).collect();
    let mut seen = HashSet::new();
    examples.retain(|count| seen.insert(*count));
    let (seeds, most) = (arguments.seeds as usize, examples.iter().max().copied().unwrap_or(0));
    if most * seeds > MOST_GENERATED {
        let reason = format!(
            "--examples {most} with --seeds {seeds}: at most {MOST_GENERATED} are generated in all"
        );
        return Err(Error::argument(reason));
    }
    Ok(Plan { tasks, examples, seeds, held: HELD, epochs, seed: arguments.common.seed })
}

fn tell(results: &Results) {
    let percent = |x: f64| format!("{:.1}", 100.0 * x);
    let range = |of: &Spread| format!("{}–{}", percent(of.lowest), percent(of.highest));
    let mut table = Table::new(["task", "examples", "way", "right, %", "of the seeds", "rates"]);
    for (task, found) in &results.tasks {
        for (examples, row) in &found.by_examples {
            for (way, score) in &row.ways {
                let range = range(&score.accuracy);
                let rates: Vec<String> = score.rates.iter().map(Float::to_string).collect();
                let mean = percent(score.accuracy.mean);
                table.row([
                    task.clone(),
                    examples.clone(),
                    way.clone(),
                    mean,
                    range,
                    rates.join(" "),
                ]);
            }
            let in_common = row.words_in_common.iter().map(|found| ("words in common", found));
            for (name, found) in in_common.chain([("counting words", &row.bag_of_words)]) {
                let (mean, range) = (percent(found.mean), range(found));
                table.row([
                    task.clone(),
                    examples.clone(),
                    name.into(),
                    mean,
                    range,
                    String::new(),
                ]);
            }
        }
    }
    say(format!("Of a test that nobody has seen, over {} seeds\n\n{table}", results.seeds));
    say("What the page expects of its own, full-sized comparison:");
    results.claims.values().for_each(say);
}
