//! One learner at work: which exercise is at hand, what has been saved, and what to say to it.

use std::fs::metadata;
use std::io::{IsTerminal, stdin, stdout};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, SystemTime};

use ::tests::exercises::{self, Outcome, Task, attempted, is_solved, tasks_of_all};

use super::build::compiled;

/// The folder of the chapters, from the course's.
const CHAPTERS: &str = "chapters";
const KEYS: &str = "h hint, e edit, n next, l list, 3.2 go there, q quit – then Enter";

/// The state of the course, and the exercise at hand.
pub struct Session {
    editor: Option<String>,
    /// The exercises of all chapters, in order.
    tasks: Vec<Task>,
    /// The source of each when its chapter last compiled.
    judged: Vec<String>,
    /// When a chapter's file was last written.
    saved: Option<SystemTime>,
    /// The exercise at hand.
    current: usize,
    /// How many hints have been given.
    hints: usize,
}

impl Session {
    /// Begins at the first open exercise; `None` when there are no exercises.
    pub fn new(editor: Option<String>) -> Option<Session> {
        let tasks = tasks_of_all(Path::new(CHAPTERS));
        let judged = tasks.iter().map(|task| task.source.clone()).collect();
        let current = tasks.iter().position(|task| !is_solved(task)).unwrap_or(0);
        tasks.first()?;
        let saved = saved(&tasks);
        Some(Session { editor, tasks, judged, saved, current, hints: 0 })
    }

    /// Until `q`, or the end of the input.
    pub fn watch(&mut self) {
        self.tell_current();
        println!("  keys  {KEYS}");
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            stdin().lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        loop {
            match lines.recv_timeout(Duration::from_millis(300)).as_deref().map(str::trim) {
                Ok("q") | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
                Ok("") => self.tell_current(),
                Ok("h") => self.hint(),
                Ok("e") => self.edit(),
                Ok("l") => self.list(),
                Ok("n") => self.go_to_next(),
                Ok(wanted) if self.find(wanted) => self.tell_current(),
                Ok(_) => println!("{KEYS}"),
            }
            self.look();
        }
    }

    /// Runs what has changed since it was last judged.
    fn look(&mut self) {
        let time = saved(&self.tasks);
        if time == self.saved {
            return;
        }
        let tasks = tasks_of_all(Path::new(CHAPTERS));
        if tasks.len() < self.tasks.len() {
            return; // an editor is about to write it
        }
        (self.saved, self.tasks) = (time, tasks);
        self.judged.resize(self.tasks.len(), String::new());
        let new = (0..self.tasks.len()).filter(|at| self.judged[*at] != self.tasks[*at].source);
        let changed: Vec<usize> = new.collect();
        let Some(&first) = changed.first() else { return };
        if !changed.contains(&self.current) {
            (self.current, self.hints) = (first, 0);
        }
        if stdout().is_terminal() {
            print!("\x1b[2J\x1b[H"); // what was said of the answer before
        }
        self.run(&changed);
        if is_solved(&self.tasks[self.current]) {
            self.go_to_next();
        }
    }

    /// Whether the exercise at hand is solved.
    pub fn run_current(&mut self) -> bool {
        self.run(&[self.current])
    }

    /// Compiles and runs these exercises, and says what came out; whether all are solved.
    fn run(&mut self, places: &[usize]) -> bool {
        let mut all_solved = true;
        for &at in places {
            let task = &self.tasks[at];
            let program = match compiled(&task.folder) {
                Ok(program) => program,
                Err(error) => {
                    println!("\nit does not compile:\n{error}");
                    return false;
                }
            };
            self.judged[at] = task.source.clone();
            let outcome = attempted(&program, &task.name(), false);
            let is_right = matches!(outcome, Outcome::Accepted);
            all_solved &= is_right;
            exercises::record(&task.folder, task.number, is_right);
            match outcome {
                Outcome::Accepted => println!("\nsolved: {}", task.title),
                Outcome::Open(_) => println!("\nopen: {}", task.title),
                Outcome::Rejected(message) => println!("\nwrong: {}\n{message}", task.title),
            }
        }
        println!("{}", exercises::course(&self.tasks[self.current].folder));
        all_solved
    }

    /// Goes to the first open exercise after this one. A capstone, with nothing to write, runs at once.
    fn go_to_next(&mut self) {
        let mut places = (self.current + 1..self.tasks.len()).chain(0..self.current);
        let Some(next) = places.find(|at| !is_solved(&self.tasks[*at])) else {
            return println!("\nnothing else is open");
        };
        (self.current, self.hints) = (next, 0);
        self.tell_current();
        if self.tasks[next].is_capstone() && self.run_current() {
            self.go_to_next();
        }
    }

    /// The exercise at hand: where it is written, and where it is posed.
    pub fn tell_current(&self) {
        let task = &self.tasks[self.current];
        let state = if is_solved(task) { "solved" } else { "next" };
        println!("\n{state}: {} {}", task.title, task.effort());
        let folder = task.folder.display();
        println!("  file  {folder}/exercises/mod.rs:{}", task.gap().unwrap_or(task.line));
        println!("  page  {folder}/README.md:{}", task.posed().unwrap_or(1));
        let name = task.folder.file_name().unwrap_or_default().display();
        println!("  notebook  notebooks/{name}.ipynb");
    }

    /// The next hint: the exercise's own, then the page, then where the solution is.
    fn hint(&mut self) {
        let (task, folder) = (&self.tasks[self.current], self.tasks[self.current].folder.display());
        let page = format!("read {folder}/README.md again");
        let last = [page, format!("a solution is in {folder}/solutions/mod.rs")];
        let steps: Vec<String> = task.hint().into_iter().chain(last).collect();
        let step = self.hints.min(steps.len() - 1);
        println!("hint {} of {}: {}", step + 1, steps.len(), steps[step]);
        self.hints = step + 1;
    }

    /// Opens the editor in a window of its own: this program goes on.
    fn edit(&self) {
        let Some(editor) = &self.editor else {
            return println!("which editor? start with --edit-cmd \"code -g {{file}}:{{line}}\"");
        };
        let task = &self.tasks[self.current];
        let file = task.folder.join("exercises/mod.rs").display().to_string();
        let line = task.gap().unwrap_or(task.line).to_string();
        let words = editor.split_whitespace().map(|word| word.replace("{line}", &line));
        let mut words = words.map(|word| word.replace("{file}", &file));
        let mut command = Command::new(words.next().unwrap_or_default());
        if let Err(error) = command.args(words).stdin(Stdio::null()).spawn() {
            println!("{editor} cannot be started: {error}");
        }
    }

    /// The exercises of this chapter.
    fn list(&self) {
        let here = &self.tasks[self.current];
        for task in self.tasks.iter().filter(|task| task.folder == here.folder) {
            let mark = if is_solved(task) { '✓' } else { '·' };
            let arrow = if task.number == here.number { '→' } else { ' ' };
            println!("{arrow} {mark} {} {}", task.title, task.effort());
        }
    }

    /// How far one is, and what is next.
    pub fn status(&self) {
        println!("{}", exercises::course(&self.tasks[self.current].folder));
        self.tell_current();
    }

    /// Every exercise with its state. Solved is what was judged so here, with no gap come back since.
    pub fn states(&self) -> serde_json::Value {
        let states = self.tasks.iter().map(|task| {
            let number = task.title.split(' ').next();
            let chapter = task.folder.file_name().map(|name| name.to_string_lossy());
            serde_json::json!({ "exercise": number, "chapter": chapter, "minutes": task.minutes, "solved": is_solved(task) })
        });
        states.collect()
    }

    /// Goes to the exercise with this number, 3.2; whether there is one.
    pub fn find(&mut self, wanted: &str) -> bool {
        let mut tasks = self.tasks.iter();
        let found = tasks.position(|task| task.title.split(' ').next() == Some(wanted));
        (self.current, self.hints) = (found.unwrap_or(self.current), 0);
        found.is_some()
    }
}

/// When a chapter's file was last written.
fn saved(tasks: &[Task]) -> Option<SystemTime> {
    let times = tasks.iter().map(|task| metadata(task.folder.join("exercises/mod.rs")));
    times.filter_map(|file| file.ok()?.modified().ok()).max()
}
