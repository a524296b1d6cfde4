//! `train`: learn from stories, answer new ones, keep what was learnt.

use super::data::{Example, Lexicon, generated};
use super::judge::judge;
use super::saved::{KIND, Saved};
use super::show::{picture, say_answer};
use super::task::{BATCH, LINEAR, MEMORY, WIDTH, fit, options};
use crate::world::Task;
use crate::{MemoryNetwork, Sizes};
use clap::Args;
use corpora::{Story, read_stories};
use shared::{Module, rng};
use std::path::PathBuf;
use workbench::error::{Error, Result};
use workbench::files::holds_own_model;
use workbench::memory::must_fit;
use workbench::program::{Session, Table, TrainingArgs, counted, say, within};
use workbench::training::json;
use workbench::{Fingerprint, stream};

#[derive(Args, Clone, Debug)]
pub struct TrainArgs {
    #[command(flatten)]
    pub training: TrainingArgs,
    /// Train on a file of the published form instead: numbered lines, questions with answer and supporting lines after tabs
    #[arg(long, value_name = "FILE")]
    pub file: Vec<PathBuf>,
    /// Test on this file [default: the last tenth of the stories]
    #[arg(long, value_name = "FILE", requires = "file")]
    pub test: Option<PathBuf>,
    /// Generated questions of each task
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = within(100..=100_000))]
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

/// What is learnt from, and each part of the test with its name.
struct Data {
    lexicon: Lexicon,
    training: Vec<Example>,
    tests: Vec<(String, Vec<Example>)>,
    memory: usize,
    fingerprint: Fingerprint,
}

const RATE: shared::Float = 0.005;

pub fn train(arguments: &TrainArgs) -> Result<()> {
    let (seed, share) = (arguments.training.common.seed, arguments.linear_start);
    if !(0.0..=1.0).contains(&share) {
        let reason = format!("--linear-start {share}: a share from 0 to 1 is needed");
        return Err(Error::argument(reason));
    }
    let usual = if arguments.file.is_empty() { 20 } else { 100 }; // published files have 1,000 questions
    let own = options(RATE, usual, BATCH);
    let mut session = Session::begin(KIND, &arguments.training, own)?;
    holds_own_model(session.model(), &[KIND])?;
    let Data { lexicon, training, tests, memory, fingerprint } = data(arguments)?;
    let (width, hops, words) = (arguments.width, arguments.hops, lexicon.len());
    let numbers = ((hops + 1) * width * (words + memory)) as u64;
    must_fit("this network", numbers.checked_mul(16))?; // with gradients and two moments
    let network =
        MemoryNetwork::new(Sizes { words, memory, width, hops }, &mut rng(stream(seed, 0)));
    let mut saved = Saved { network, lexicon, memory };
    let parameters = saved.network.parameter_count();
    say(format!(
        "{}, {}, {parameters} parameters, {}\n",
        counted(training.len(), "question"),
        counted(words, "word"),
        counted(hops, "hop"),
    ));
    let schedule =
        options(session.options.schedule.rate, session.options.epochs, training.len()).schedule;
    session.options.schedule = schedule;
    let steps = session.options.epochs * training.len().div_ceil(BATCH);
    let linear = (share * steps as f64) as u64;
    let description = json!({
        "model": "memory network",
        "fingerprint of the stories": fingerprint.to_string(),
        "parameters": parameters,
        "hops": hops,
        "steps of the linear start": linear,
        "batch": BATCH,
    });
    let watched: Vec<Example> =
        tests.iter().flat_map(|(_, examples)| examples.iter().take(100).cloned()).collect();
    let history = session.train(|options| {
        fit(&mut saved.network, &training, &watched, linear, description, options)
    })?;
    session.save("it was not tested", |folder| saved.write(folder))?;
    let tested = report(&saved, &tests);
    let mut firsts = tests.iter().map(|(_, examples)| &examples[0]);
    let several = firsts.clone().find(|example| example.supports.len() > 1);
    let shown = several.or(firsts.next()).expect("a part");
    session.output.figure("hops", &picture(&saved.network, &saved.lexicon, shown))?;
    let epochs = &history.epochs;
    session.finish(
        &json!({ "seed": seed, "parameters": parameters, "tests": tested, "epochs": epochs }),
    )?;
    say("ask it about a story of your own: cargo run --release -p memory_networks -- answer");
    Ok(())
}

/// How much is right of every part, where its supporting facts are found, and its first question.
fn report<'a>(saved: &Saved, tests: &'a [(String, Vec<Example>)]) -> Vec<(&'a str, f64)> {
    let mut table = Table::new(["questions", "right, %", "supporting facts found, % (hop)"]);
    let mut tested = Vec::new();
    for (name, examples) in tests {
        let found = judge(&saved.network, examples);
        let facts = found.best().into_iter();
        let facts: Vec<String> =
            facts.map(|(share, hop)| format!("{:.0} ({})", 100.0 * share, hop + 1)).collect();
        table.row([name.clone(), format!("{:.1}", 100.0 * found.accuracy), facts.join(", ")]);
        tested.push((&name[..], found.accuracy));
    }
    say(format!("\n{table}"));
    say(
        "A question of each. Left: the weight of every sentence in every hop, %; * a supporting fact.\n",
    );
    for (_, examples) in tests.iter().take(8) {
        say_answer(&saved.network, &saved.lexicon, &examples[0], 0);
    }
    tested
}

/// A file of stories, or a task, with the stories.
type Source = (String, Vec<Story>);

fn data(arguments: &TrainArgs) -> Result<Data> {
    let (training, tests) =
        if arguments.file.is_empty() { of_tasks(arguments) } else { of_files(arguments)? };
    let usual = if arguments.file.is_empty() { MEMORY } else { 50 };
    let memory = arguments.memory.unwrap_or(usual);
    let stories: Vec<Story> = training.iter().flat_map(|(_, own)| own.iter().cloned()).collect();
    let lexicon = Lexicon::of(&stories);
    let all = stories.iter().chain(tests.iter().flat_map(|(_, stories)| stories));
    must_fit("these questions", Some(all.map(|story| bytes(story, memory)).sum()))?;
    let examples = |(path, stories): &Source| {
        let found = stories.iter().map(|story| {
            let found = lexicon.examples(story, memory);
            found.map_err(|(line, reason)| Error::line(path.as_ref(), line, reason))
        });
        Ok(found.collect::<Result<Vec<_>>>()?.concat())
    };
    let fingerprint = Fingerprint::default().and(corpora::stories::written(&stories));
    let learnt = training.iter().map(&examples).collect::<Result<Vec<_>>>()?.concat();
    if learnt.is_empty() {
        return Err(Error::file(&arguments.file[0], "has no question to train on"));
    }
    let mut parts = Vec::new();
    for source in &tests {
        let examples = examples(source)?;
        if examples.is_empty() {
            let reason = "has too few stories: none is left to test on (--test FILE)";
            return Err(Error::file(source.0.as_ref(), reason));
        }
        parts.push((source.0.clone(), examples));
    }
    Ok(Data { lexicon, training: learnt, tests: parts, memory, fingerprint })
}

/// Stories to learn from, and to be tested on.
fn of_tasks(arguments: &TrainArgs) -> (Vec<Source>, Vec<Source>) {
    let (count, seed) = (arguments.questions, arguments.training.common.seed);
    let of = |count, part| {
        let tasks = Task::ALL.iter();
        tasks.map(|task| (task.name().to_owned(), generated(*task, count, seed, part))).collect()
    };
    (of(count, 0), of(1_000, 1))
}

fn of_files(arguments: &TrainArgs) -> Result<(Vec<Source>, Vec<Source>)> {
    let (mut training, mut tests) = (Vec::new(), Vec::new());
    for path in &arguments.file {
        let (name, mut own) = (path.display().to_string(), read_stories(path)?);
        if arguments.test.is_none() {
            let held = own.split_off(own.len() - own.len().div_ceil(10).min(own.len() - 1));
            tests.push((name.clone(), held));
        }
        training.push((name, own));
    }
    if let Some(path) = &arguments.test {
        tests.push((path.display().to_string(), read_stories(path)?));
    }
    Ok((training, tests))
}

/// About what the questions of a story take: each has its sentences to itself.
fn bytes(story: &Story, memory: usize) -> u64 {
    let words: usize = story.sentences.iter().map(Vec::len).sum();
    let sentence = 40 + 8 * words.div_ceil(story.sentences.len().max(1));
    let told: usize = story.questions.iter().map(|question| question.told.min(memory)).sum();
    (told * sentence) as u64
}
