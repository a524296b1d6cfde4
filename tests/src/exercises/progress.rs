//! How far the learner has come: in this run, and by what earlier runs have left in `target/`.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs::{create_dir_all, read_to_string, write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::panics::lock;
use super::task::{Task, tasks_of_all};

/// How an attempt ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Solved,
    Wrong,
    Open,
}

/// The outcomes of one run.
#[derive(Default)]
pub(super) struct Tally {
    /// The state of every exercise, by its number.
    states: Mutex<BTreeMap<u32, State>>,
    /// The messages that a learner who gives one of the wrong answers would read.
    pub rejections: Mutex<Vec<String>>,
}

impl Tally {
    pub fn record(&self, number: u32, state: State) {
        lock(&self.states).insert(number, state);
    }

    /// Those of these exercises that this run has found open or wrong.
    pub fn unsolved(&self, needs: &[u32]) -> Vec<u32> {
        let states = lock(&self.states);
        let unsolved = needs
            .iter()
            .filter(|number| states.get(number).is_some_and(|state| *state != State::Solved));
        unsolved.copied().collect()
    }

    /// The last lines: how far one has come, here and in the course, and what is next. `tasks` are all of the
    /// chapter, in the page's order.
    pub fn print(&self, chapter: &Path, tasks: &[Task]) {
        let states = lock(&self.states);
        if states.is_empty() {
            return;
        }
        let solved_before = state_names(chapter, &states);
        let of = |state| states.values().filter(|found| **found == state).count();
        let (solved, wrong, open) = (of(State::Solved), of(State::Wrong), of(State::Open));
        let (ran, all) = (states.len(), tasks.len());
        let counted = |count: usize, what| match count {
            0 => String::new(),
            _ => format!(", {count} {what}"),
        };
        let (is_wrong, is_open) = (counted(wrong, "wrong"), counted(open, "open"));
        let others = if ran < all { format!(" ({} not run)", all - ran) } else { String::new() };
        let last = tasks.iter().rposition(|task| states.contains_key(&task.number)).unwrap_or(0);
        let next = match open {
            0 if wrong > 0 => None,
            0 => (tasks[last..].iter().chain(&tasks[..last]))
                .find(|task| !solved_before.contains(&task.number)),
            _ => tasks.iter().find(|task| states.get(&task.number) == Some(&State::Open)),
        };
        let next = next.map(|task| format!(" – next: {} {}", task.title, task.effort()));
        println!("{solved} of {ran} solved{is_wrong}{is_open}{}{others}", next.unwrap_or_default());
        println!("{}\n", course(chapter));
    }
}

/// `target/debug/exercises`, of this program in `target/debug` or in `target/debug/deps`; another for the runner's own
/// tests.
fn memory() -> Option<PathBuf> {
    if let Some(folder) = env::var_os("EXERCISES_SOLVED") {
        return Some(folder.into());
    }
    let program = env::current_exe().ok()?;
    let folder = program.parent()?;
    let profile = if folder.ends_with("deps") { folder.parent()? } else { folder };
    Some(profile.join("exercises"))
}

/// The file that holds the numbers of the chapter's solved exercises.
fn file(chapter: &Path) -> Option<PathBuf> {
    Some(memory()?.join(chapter.file_name()?))
}

/// The numbers of the solved exercises of the chapter in this folder, as its last runs have found.
fn solved(chapter: &Path) -> BTreeSet<u32> {
    let text = file(chapter).and_then(|file| read_to_string(file).ok()).unwrap_or_default();
    text.lines().filter_map(|number| number.parse().ok()).collect()
}

/// The chapter's solved exercises after a run that has found these states, written for the next.
fn state_names(chapter: &Path, states: &BTreeMap<u32, State>) -> BTreeSet<u32> {
    let mut solved = solved(chapter);
    solved.retain(|number| !states.contains_key(number));
    solved.extend(states.iter().filter(|(_, state)| **state == State::Solved).map(|(n, _)| n));
    write_down(chapter, &solved);
    solved
}

/// Remembers for the next run whether this exercise of the chapter is solved.
pub fn record(chapter: &Path, number: u32, is_solved: bool) {
    let mut solved = solved(chapter);
    let is_news = if is_solved { solved.insert(number) } else { solved.remove(&number) };
    if is_news {
        write_down(chapter, &solved);
    }
}

fn write_down(chapter: &Path, solved: &BTreeSet<u32>) {
    if let Some(file) = file(chapter) {
        let text: String = solved.iter().map(|number| format!("{number}\n")).collect();
        // Where nothing can be written, the total knows less.
        let _ = file.parent().map(create_dir_all);
        let _ = write(file, text);
    }
}

/// Whether this exercise is solved, and no gap has come back.
pub fn is_solved(task: &Task) -> bool {
    task.gap().is_none() && solved(&task.folder).contains(&task.number)
}

/// `in the course: 3 of 146 solved, about 36 h 20 min left`, of this chapter and those beside it.
pub fn course(chapter: &Path) -> String {
    let tasks = chapter.parent().map(tasks_of_all).unwrap_or_default();
    let open = tasks.iter().filter(|task| !solved(&task.folder).contains(&task.number));
    let open: Vec<u32> = open.map(|task| task.minutes).collect();
    let (all, done, left) = (tasks.len(), tasks.len() - open.len(), open.iter().sum::<u32>());
    format!("in the course: {done} of {all} solved, about {} h {} min left", left / 60, left % 60)
}
