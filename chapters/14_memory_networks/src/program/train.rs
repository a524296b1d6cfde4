//! `train`: learn from stories, answer new ones, keep what was learnt.

use super::data::{Example, Lexicon, generated, known};
use super::judge::judge;
use super::saved::{KIND, Saved};
use super::show::{picture, say_answer};
use super::task::{BATCH, LINEAR, MEMORY, WIDTH, fit, options};
use crate::world::Task;
use crate::{MemoryNetwork, Sizes};
use clap::Args;
use corpora::{Story, read_stories};
use serde::Serialize;
use shared::{Module, rng};
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::files::holds_own_model;
use workbench::memory::must_fit;
use workbench::program::{Common, Output, Table, TrainingArgs, counted, say, within};
use workbench::training::{Epoch, Options, Watch, json};
use workbench::{Fingerprint, stream};

#[derive(Args, Clone, Debug)]
pub struct TrainArgs {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub training: TrainingArgs,
    /// Train on a file of the published form instead: numbered lines, questions with answer and supporting lines after tabs
    #[arg(long, value_name = "FILE")]
    pub file: Vec<PathBuf>,
    /// Test on this file [default: the last tenth of the stories]
    #[arg(long, value_name = "FILE", requires = "file")]
    pub test: Option<PathBuf>,
    /// Generated questions of each task
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = within(100..=1_000_000))]
    pub questions: usize,
    /// Hops
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = within(1..=16))]
    pub hops: usize,
    /// Entries of a sentence
    #[arg(long, value_name = "D", default_value_t = WIDTH, value_parser = within(1..=1024))]
    pub width: usize,
    /// Sentences in memory: of longer stories the last ones [default: 16; of files 50]
    #[arg(long, value_name = "M", value_parser = within(1..=10_000))]
    pub memory: Option<usize>,
    /// The share of steps before the softmax over sentences comes in
    #[arg(long, value_name = "SHARE", default_value_t = LINEAR)]
    pub linear_start: f64,
}

pub const MODEL: &str = "model";

/// A part of the test, by name.
struct Part {
    name: String,
    examples: Vec<Example>,
}

struct Data {
    lexicon: Lexicon,
    training: Vec<Example>,
    tests: Vec<Part>,
    memory: usize,
    fingerprint: Fingerprint,
}

#[derive(Serialize)]
struct Results<'a> {
    seed: u64,
    parameters: usize,
    tests: Vec<(&'a str, f64)>,
    epochs: &'a [Epoch],
}

pub fn train(arguments: &TrainArgs) -> Result<()> {
    let (seed, share) = (arguments.common.seed, arguments.linear_start);
    if !(0.0..=1.0).contains(&share) {
        let reason = format!("--linear-start {share}: a share from 0 to 1 is needed");
        return Err(Error::argument(reason));
    }
    arguments.training.options(&arguments.common, options(0.005, 20, 1))?; // refused before files are read
    let data = data(arguments)?;
    let usual = if arguments.file.is_empty() { 20 } else { 100 }; // published files have 1,000 questions
    let epochs = arguments.training.epochs.map_or(usual, |n| n.max(1) as usize);
    let options = options(0.005, epochs, data.training.len());
    let options = arguments.training.options(&arguments.common, options)?;
    arguments.training.precision.begin()?;
    let output = Output::open(&arguments.common, KIND)?;
    let folder = Output::at(output.folder().join(MODEL))?;
    holds_own_model(folder.folder(), &[KIND])?;
    let sizes = Sizes {
        words: data.lexicon.len(),
        memory: data.memory,
        width: arguments.width,
        hops: arguments.hops,
    };
    must_fit("training this network", Some(bytes(sizes, &data.training)))?;
    let mut network = MemoryNetwork::new(sizes, &mut rng(stream(seed, 0)));
    let parameters = network.parameter_count();
    say(format!(
        "{}, {}, {parameters} parameters, {}\n",
        counted(data.training.len(), "question"),
        counted(sizes.words, "word"),
        counted(sizes.hops, "hop"),
    ));
    let watch = Watch::begin(); // from here on until the model is saved, Ctrl-C waits
    let history = learn(&mut network, &data, share, &options)?;
    let Data { lexicon, tests, memory, .. } = data;
    let mut saved = Saved { network, lexicon, memory };
    saved.write(folder.folder())?;
    watch.saved(format!(
        "interrupted after training: the model is in {}",
        folder.folder().display()
    ))?;
    let tested = tests.iter().map(|part| (&part.name[..], right(&saved, part))).collect();
    print(&saved, &tests);
    let several = |part: &&Part| part.examples[0].supports.len() > 1;
    if let Some(part) = tests.iter().find(several).or(tests.first()) {
        output.figure("hops", &picture(&saved.network, &saved.lexicon, &part.examples[0]))?;
    }
    output.results(&Results { seed, parameters, tests: tested, epochs: &history.epochs })?;
    say(format!("the model is in {}", folder.folder().display()));
    say("ask it about a story of your own: cargo run --release -p memory_networks -- answer");
    Ok(())
}

fn learn(
    network: &mut MemoryNetwork,
    data: &Data,
    share: f64,
    options: &Options,
) -> Result<workbench::training::History> {
    let steps = options.epochs * data.training.len().div_ceil(BATCH);
    let linear = (share * steps as f64) as u64;
    let description = json!({
        "model": "memory network",
        "fingerprint of the stories": data.fingerprint.to_string(),
        "parameters": network.parameter_count(),
        "hops": network.words.len() - 1,
        "steps of the linear start": linear,
        "batch": BATCH,
    });
    let watched: Vec<Example> =
        data.tests.iter().flat_map(|part| part.examples.iter().take(100).cloned()).collect();
    fit(network, &data.training, &watched, linear, description, options)
}

fn right(saved: &Saved, part: &Part) -> f64 {
    judge(&saved.network, &part.examples).accuracy
}

/// How much is right of every part, where its supporting facts are found, and its first question.
fn print(saved: &Saved, tests: &[Part]) {
    let mut table = Table::new(["questions", "right, %", "supporting facts found, % (hop)"]);
    for part in tests {
        let found = judge(&saved.network, &part.examples);
        let facts = found
            .best()
            .into_iter()
            .map(|(share, hop)| format!("{:.0} ({})", 100.0 * share, hop + 1));
        let facts = facts.collect::<Vec<_>>().join(", ");
        table.row([part.name.clone(), format!("{:.1}", 100.0 * found.accuracy), facts]);
    }
    say(format!("\n{table}"));
    say(
        "A question of each. Left: the weight of every sentence in every hop, %; * a supporting fact.\n",
    );
    for part in tests.iter().take(8) {
        say_answer(&saved.network, &saved.lexicon, &part.examples[0], 0);
    }
}

fn data(arguments: &TrainArgs) -> Result<Data> {
    let seed = arguments.common.seed;
    if !arguments.file.is_empty() {
        return of_files(arguments);
    }
    let memory = arguments.memory.unwrap_or(MEMORY);
    must_fit("these questions", Some((Task::ALL.len() * arguments.questions) as u64 * QUESTION))?;
    let of = |task: &Task| generated(*task, arguments.questions, seed, 0);
    let stories: Vec<Story> = Task::ALL.iter().flat_map(of).collect();
    let lexicon = Lexicon::of(&stories);
    let tests = Task::ALL.iter().map(|task| Part {
        name: task.name().to_owned(),
        examples: known(&lexicon, &generated(*task, 1_000, seed, 1), memory),
    });
    let (tests, training) = (tests.collect(), known(&lexicon, &stories, memory));
    Ok(Data { training, tests, memory, fingerprint: fingerprint(&stories), lexicon })
}

fn of_files(arguments: &TrainArgs) -> Result<Data> {
    let memory = arguments.memory.unwrap_or(50);
    let mut tests: Vec<(&Path, Vec<Story>)> = Vec::new();
    let mut stories = Vec::new();
    for path in &arguments.file {
        let mut own = read_stories(path)?;
        if arguments.test.is_none() {
            let held = own.split_off(own.len() - own.len().div_ceil(10).min(own.len() - 1));
            tests.push((path, held));
        }
        stories.extend(own.into_iter().map(|story| (path, story)));
    }
    if let Some(path) = &arguments.test {
        tests.push((path, read_stories(path)?));
    }
    let told: Vec<Story> = stories.iter().map(|(_, story)| story.clone()).collect();
    let lexicon = Lexicon::of(&told);
    let tested = tests.iter().flat_map(|(_, stories)| stories);
    must_fit("these questions", Some(bytes_of_examples(told.iter().chain(tested), memory)))?;
    let examples = |path: &Path, story: &Story| {
        let found = lexicon.examples(story, memory);
        found.map_err(|(line, reason)| Error::line(path, line, reason))
    };
    let mut training = Vec::new();
    for (path, story) in &stories {
        training.extend(examples(path, story)?);
    }
    if training.is_empty() {
        return Err(Error::file(&arguments.file[0], "has no question to train on"));
    }
    let mut parts = Vec::new();
    for (path, stories) in tests {
        let mut part = Part { name: path.display().to_string(), examples: Vec::new() };
        for story in &stories {
            part.examples.extend(examples(path, story)?);
        }
        if part.examples.is_empty() {
            return Err(Error::file(
                path,
                "has too few stories: none is left to test on (--test FILE)",
            ));
        }
        parts.push(part);
    }
    Ok(Data { training, tests: parts, memory, fingerprint: fingerprint(&told), lexicon })
}

fn fingerprint(stories: &[Story]) -> Fingerprint {
    Fingerprint::default().and(corpora::stories::written(stories))
}

/// About what a generated question takes with its story, in words and in numbers.
const QUESTION: u64 = 5 << 10;

/// About what examples take: every question has its sentences to itself.
fn bytes_of_examples<'a>(stories: impl Iterator<Item = &'a Story>, memory: usize) -> u64 {
    let of = |story: &Story| {
        let words: usize = story.sentences.iter().map(Vec::len).sum();
        let sentence = 40 + 8 * words.div_ceil(story.sentences.len().max(1));
        let told: usize = story.questions.iter().map(|question| question.told.min(memory)).sum();
        (told * sentence) as u64
    };
    stories.map(of).sum()
}

/// About what a training needs: parameters with gradients and two moments, and the sentences of a batch.
fn bytes(sizes: Sizes, training: &[Example]) -> u64 {
    let tables = (sizes.hops + 1) * sizes.width;
    let longest = training.iter().map(|one| one.sentences.len()).max().unwrap_or(0);
    (4 * tables * (5 * (sizes.words + sizes.memory) + 4 * BATCH * longest)) as u64
}
