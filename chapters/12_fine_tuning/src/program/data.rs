//! Examples to learn from, to watch by and to judge by.

use super::labels::{answers, labels_of, must_be_labelled};
use super::table::{Form, Row, Table, read_table};
use bert::world::Tag;
use bert::world::tasks::{self, Continuation, Sizes, Topic};
use clap::{Args, ValueEnum};
use rand::seq::SliceRandom;
use serde::Serialize;
use shared::rng;
use std::collections::HashMap;
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
            if train > MOST_GENERATED {
                let reason = format!("--examples {train}: at most {MOST_GENERATED} are generated");
                return Err(Error::argument(reason));
            }
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

/// All examples of a task differ, and a small world has only so many.
const MOST_GENERATED: usize = 20_000;

const HELD_OUT: f64 = 0.1;

/// Reads a task from files; what is held out of `path` has no text in common with the rest.
pub fn read_data(path: &Path, held: [Option<&Path>; 2], seed: u64) -> Result<Data> {
    let table = read_table(path)?;
    table.notices.iter().for_each(say);
    let labels = labels_of(path, &table)?;
    let [validation, test] = held.map(|held| held.map(|held| read_part(held, table.form, &labels)));
    let (validation, test) = (validation.transpose()?, test.transpose()?);
    let missing = [&validation, &test].iter().filter(|part| part.is_none()).count();
    let all = examples(path, &table, &labels)?;
    let (training, mut parts) = hold_out(path, all, missing, seed)?;
    let mut part = |given: Option<Vec<Example>>| given.or_else(|| parts.pop()).unwrap_or_default();
    let (validation, test) = (part(validation), part(test));
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Data { name, form: table.form, labels, training, validation, test })
}

fn read_part(path: &Path, form: Form, labels: &[String]) -> Result<Vec<Example>> {
    let table = read_table(path)?;
    table.notices.iter().for_each(say);
    must_be_labelled(path, &table)?;
    must_have_form(path, &table, form)?;
    examples(path, &table, labels)
}

pub fn must_have_form(path: &Path, table: &Table, form: Form) -> Result<()> {
    if table.form == form {
        return Ok(());
    }
    let [found, needed] = [table.form, form].map(|form| format!("`{}`", form.texts().join("`, `")));
    Err(Error::file(path, format!("has {found} to be read, where {needed} is needed")))
}

pub(super) fn examples(path: &Path, table: &Table, labels: &[String]) -> Result<Vec<Example>> {
    let example = |(row, answers): (&Row, _)| Example { texts: row.texts.clone(), answers };
    Ok(table.rows.iter().zip(answers(path, table, labels)?).map(example).collect())
}

/// What is left, and so many parts that are held out. Examples with the same texts go to one part: else
/// the test would ask for what was learnt.
fn hold_out(
    path: &Path,
    examples: Vec<Example>,
    parts: usize,
    seed: u64,
) -> Result<(Vec<Example>, Vec<Vec<Example>>)> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known: HashMap<&[String], usize> = HashMap::new();
    for (i, example) in examples.iter().enumerate() {
        let group = *known.entry(&example.texts).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(i);
    }
    groups.shuffle(&mut rng(seed));
    let wanted = (HELD_OUT * examples.len() as f64).ceil() as usize;
    let mut groups = groups.into_iter();
    let mut part = || {
        let mut part: Vec<usize> = Vec::new();
        while part.len() < wanted {
            match groups.next() {
                Some(group) => part.extend(group),
                None => break,
            }
        }
        part.sort_unstable();
        part
    };
    let held: Vec<Vec<usize>> = (0..parts).map(|_| part()).collect();
    let mut rest: Vec<usize> = groups.flatten().collect();
    rest.sort_unstable();
    if rest.is_empty() || held.iter().any(Vec::is_empty) {
        let reason = format!(
            "{} examples are too few to hold some out: name files with --validation and --test",
            examples.len()
        );
        return Err(Error::file(path, reason));
    }
    let of = |numbers: &Vec<usize>| numbers.iter().map(|i| examples[*i].clone()).collect();
    Ok((of(&rest), held.iter().map(of).collect()))
}

impl Data {
    pub fn fingerprint(&self) -> String {
        let sum = Fingerprint::default().and(format!("{:?}", self.labels));
        let parts = [&self.training, &self.validation, &self.test];
        let all = parts.into_iter().flatten();
        all.fold(sum, |sum, example| sum.and(format!("{example:?}"))).to_string()
    }
}
