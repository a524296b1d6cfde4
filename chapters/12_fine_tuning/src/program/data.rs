//! Examples to learn from, to watch by and to judge by.

use super::labels::{answers, labels_of, must_be_labelled};
use super::table::{Form, Table, read_table};
use bert::world::Tag;
use bert::world::tasks::{self, Continuation, Sizes, Topic};
use clap::{Args, ValueEnum};
use rand::seq::SliceRandom;
use serde::Serialize;
use shared::rng;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use workbench::Fingerprint;
use workbench::error::{Error, Result};
use workbench::program::say;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    pub texts: Vec<String>,
    /// Its class, or the class of each word; none where it is not known.
    pub answers: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct Data {
    pub name: String,
    pub form: Form,
    pub labels: Vec<String>,
    pub training: Vec<Example>,
    pub validation: Vec<Example>,
    pub test: Vec<Example>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
pub enum Task {
    /// What is a sentence about: food, games, weather, jobs?
    Topic,
    /// Does the second text go on where the first one ends?
    Continuation,
    /// What does each word name?
    Tags,
}

impl Task {
    pub const ALL: [Task; 3] = [Task::Topic, Task::Continuation, Task::Tags];

    pub fn data(self, sizes: &Sizes, seed: u64) -> Result<Data> {
        match self {
            Task::Topic => self.parts(Form::Text, &Topic::ALL, tasks::topic(sizes, seed), |one| {
                (vec![one.text], vec![one.label])
            }),
            Task::Continuation => {
                let parts = tasks::continuation(sizes, seed);
                self.parts(Form::Pair, &Continuation::ALL, parts, |one| {
                    (vec![one.first, one.second], vec![one.label])
                })
            }
            Task::Tags => self.parts(Form::Words, &Tag::ALL, tasks::tags(sizes, seed), |one| {
                (one.words, one.tags)
            }),
        }
    }

    /// Classes are numbered in the order of `all`.
    fn parts<E, L: PartialEq + std::fmt::Debug>(
        self,
        form: Form,
        all: &[L],
        parts: Result<tasks::Parts<E>, String>,
        read: impl Fn(E) -> (Vec<String>, Vec<L>),
    ) -> Result<Data> {
        let lowercase = |name: &dyn std::fmt::Debug| format!("{name:?}").to_lowercase();
        let name = lowercase(&self);
        let parts = parts.map_err(|reason| Error::argument(format!("task {name}: {reason}")))?;
        let number = |label| all.iter().position(|one| *one == label).expect("one of them");
        let example = |one: E| {
            let (texts, labels) = read(one);
            Example { texts, answers: labels.into_iter().map(number).collect() }
        };
        let labels = all.iter().map(|label| lowercase(label)).collect();
        let [training, validation, test] = [parts.train, parts.validation, parts.test]
            .map(|part| part.into_iter().map(example).collect());
        Ok(Data { name, form, labels, training, validation, test })
    }
}

#[derive(Args, Clone, Debug)]
pub struct DataArgs {
    /// A task of the small world that the course generates
    #[arg(long, value_enum, default_value_t = Task::Continuation, conflicts_with = "data")]
    pub task: Task,
    /// Examples to learn from instead: a row each. The first line names the columns: `text`, `label`; or
    /// `first`, `second`, `label`; or `words`, `tags` with blanks between words and between tags
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Examples to watch the training by, instead of lines held out of --data
    #[arg(long, value_name = "FILE", requires = "data")]
    pub validation: Option<PathBuf>,
    /// Examples to judge the model by, instead of lines held out of --data
    #[arg(long, value_name = "FILE", requires = "data")]
    pub test: Option<PathBuf>,
    /// Examples to learn from, at most [default: 1000 of a generated task, all of a file]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub examples: Option<u32>,
}

impl DataArgs {
    pub fn open(&self, seed: u64) -> Result<Data> {
        let Some(path) = &self.data else {
            let default = Sizes::default();
            let train = self.examples.map_or(default.train, |n| n as usize);
            return self.task.data(&Sizes { train, ..default }, seed);
        };
        let held = [&self.validation, &self.test].map(|path| path.as_deref());
        let mut data = read_data(path, held, seed)?;
        if let Some(most) = self.examples {
            data.training.shuffle(&mut rng(seed));
            data.training.truncate(most as usize);
        }
        Ok(data)
    }
}

const HELD_OUT: f64 = 0.1;

/// Reads a task from files; what is held out of `path` has no text in common with the rest.
pub fn read_data(path: &Path, held: [Option<&Path>; 2], seed: u64) -> Result<Data> {
    let table = read_table(path)?;
    table.notices.iter().for_each(say);
    let labels = labels_of(path, &table)?;
    let mut training = examples(path, &table, &labels)?;
    let wanted = (HELD_OUT * training.len() as f64).ceil() as usize;
    let given: Vec<Option<Vec<Example>>> = held
        .into_iter()
        .map(|held| held.map(|held| read_part(held, table.form, &labels)).transpose())
        .collect::<Result<_>>()?;
    if given.contains(&None) {
        together(&mut training, seed);
    }
    let all = training.len();
    let mut part =
        |given: Option<Vec<Example>>| given.unwrap_or_else(|| hold_out(&mut training, wanted));
    let mut parts = given.into_iter().map(&mut part);
    let [validation, test] = [parts.next(), parts.next()].map(Option::unwrap_or_default);
    if [&training, &validation, &test].iter().any(|part| part.is_empty()) {
        let reason =
            "examples are too few to hold some out: name files with --validation and --test";
        return Err(Error::file(path, format!("{all} {reason}")));
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Data { name, form: table.form, labels, training, validation, test })
}

fn read_part(path: &Path, form: Form, labels: &[String]) -> Result<Vec<Example>> {
    let table = read_table(path)?;
    table.notices.iter().for_each(say);
    must_be_labelled(path, &table)?;
    if table.form != form {
        let [found, needed] = [table.form, form].map(|form| form.texts().join("`, `"));
        let reason = format!("has `{found}` to be read, where `{needed}` is needed");
        return Err(Error::file(path, reason));
    }
    examples(path, &table, labels)
}

pub(super) fn examples(path: &Path, table: &Table, labels: &[String]) -> Result<Vec<Example>> {
    let rows = table.rows.iter().zip(answers(path, table, labels)?);
    Ok(rows.map(|(row, answers)| Example { texts: row.texts.clone(), answers }).collect())
}

/// Shuffles examples; those with the same texts stand together.
fn together(examples: &mut [Example], seed: u64) {
    let texts: BTreeSet<_> = examples.iter().map(|example| example.texts.clone()).collect();
    let mut texts = Vec::from_iter(texts);
    texts.shuffle(&mut rng(seed));
    let places: HashMap<_, usize> = texts.iter().zip(0..).collect();
    examples.sort_by_key(|example| places[&example.texts]);
}

/// Takes so many examples from the end, and those with the texts of the last one: else the test would ask for
/// what was learnt.
fn hold_out(examples: &mut Vec<Example>, wanted: usize) -> Vec<Example> {
    let mut begin = examples.len().saturating_sub(wanted);
    while begin > 0 && begin < examples.len() && examples[begin - 1].texts == examples[begin].texts
    {
        begin -= 1;
    }
    examples.split_off(begin)
}

impl Data {
    pub fn fingerprint(&self) -> String {
        let sum = Fingerprint::default().and(format!("{:?}", self.labels));
        let parts = [&self.training, &self.validation, &self.test];
        let all = parts.into_iter().flatten();
        all.fold(sum, |sum, example| sum.and(format!("{example:?}"))).to_string()
    }
}
