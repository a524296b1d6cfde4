//! One learner at work: which exercise is at hand, what has been saved, and what to say to it.

use std::collections::BTreeSet;
use std::fs::{metadata, read_to_string};
use std::io::{IsTerminal, stdin, stdout};
use std::mem::take;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, SystemTime};

use ::tests::exercises::{self, Outcome, judged_by, slug};

use super::build::compiled;
use super::outline::{Chapter, Task, chapters};

const KEYS: &str =
    "h hint, e edit, r run, n next, l list, s status, 3.2 go there, q quit – then Enter";

/// A chapter, and a task in it.
type At = (usize, usize);

/// What is known of the course, and the exercise at hand.
pub struct Session {
    root: PathBuf,
    editor: Option<String>,
    chapters: Vec<Chapter>,
    /// When each chapter's file was last written.
    saved: Vec<Option<SystemTime>>,
    /// Whether each chapter has been compiled in this session.
    is_warm: Vec<bool>,
    /// What was saved while its chapter did not compile.
    unjudged: BTreeSet<At>,
    /// The exercise at hand.
    pub current: At,
    /// How many hints have been given.
    hints: usize,
}

impl Session {
    /// At the first open exercise; `None` when there are no exercises.
    pub fn new(root: PathBuf, editor: Option<String>) -> Option<Session> {
        let chapters = chapters(&root);
        let saved = chapters.iter().map(|chapter| written(&chapter.folder)).collect();
        let (is_warm, unjudged) = (vec![false; chapters.len()], BTreeSet::new());
        let current = (0, 0);
        let mut session =
            Session { root, editor, chapters, saved, is_warm, unjudged, current, hints: 0 };
        session.chapters.first()?;
        session.current = session.open_from(current).unwrap_or(current);
        Some(session)
    }

    /// Until `q`, or the end of the input.
    pub fn watch(&mut self) {
        self.tell_current();
        println!("  keys  {KEYS}");
        let (lines, read_on) = lines();
        loop {
            match lines.recv_timeout(Duration::from_millis(300)) {
                Ok(line) if line.trim() == "q" => return,
                Ok(line) => {
                    self.obey(line.trim());
                    let _ = read_on.send(()); // nobody listens any more when the input has ended
                }
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            (0..self.chapters.len()).for_each(|chapter| self.look(chapter));
        }
    }

    fn obey(&mut self, line: &str) {
        match line {
            "" => self.tell_current(),
            "h" => self.hint(),
            "e" => self.edit(),
            "l" => self.list(),
            "s" => self.status(),
            "r" => {
                self.run(&[self.current]);
                self.go_on();
            }
            "n" => match self.open_after(self.current) {
                Some(next) => self.go_to(next),
                None => println!("nothing else is open"),
            },
            other => match self.find(other) {
                Some(at) => self.go_to(at),
                None => println!("{KEYS}"),
            },
        }
    }

    /// Runs what has changed in a chapter's file, when it was saved.
    fn look(&mut self, chapter: usize) {
        let folder = self.chapters[chapter].folder.clone();
        let time = written(&folder);
        if time.is_none() || time == self.saved[chapter] {
            return;
        }
        let Some(now) = Chapter::read(folder) else {
            return; // an editor is about to write it: look again
        };
        self.saved[chapter] = time;
        let changed = now.changed_since(&self.chapters[chapter]);
        self.chapters[chapter] = now;
        if !self.exists(self.current) {
            self.current = (chapter, 0);
        }
        let Some(&first) = changed.first() else { return };
        if !changed.iter().any(|task| (chapter, *task) == self.current) {
            (self.current, self.hints) = ((chapter, first), 0);
        }
        self.unjudged.extend(changed.iter().map(|task| (chapter, *task)));
        let unjudged: Vec<At> = self.unjudged.iter().copied().collect();
        if stdout().is_terminal() {
            print!("\x1b[2J\x1b[H"); // what was said of the answer before
        }
        let here = unjudged.into_iter().filter(|at| at.0 == chapter && self.exists(*at));
        self.run(&here.collect::<Vec<_>>());
        if let Some(passed) = time.and_then(|time| time.elapsed().ok()) {
            println!("({:.1} s after it was saved)", passed.as_secs_f64());
        }
        self.go_on();
    }

    /// Compiles, runs and tells these exercises of one chapter; whether all are solved.
    pub fn run(&mut self, tasks: &[At]) -> bool {
        let Some(&(chapter, _)) = tasks.first() else { return true };
        let (package, is_first) = (self.chapters[chapter].package(), !self.is_warm[chapter]);
        let program = match compiled(&self.root, &package, is_first) {
            Ok(program) => program,
            Err(error) => {
                println!("\nit does not compile:\n{error}");
                return false;
            }
        };
        self.is_warm[chapter] = true;
        self.unjudged.retain(|at| at.0 != chapter);
        let mut all_solved = true;
        for &at in tasks {
            let (chapter, task) = self.at(at);
            let outcome = judged_by(&program, [], &task.name());
            let is_solved = matches!(outcome, Outcome::Accepted);
            exercises::record(&chapter.folder, task.number, is_solved);
            if tasks.len() == 1 || !matches!(outcome, Outcome::Open(_)) {
                println!("\n{}", verdict(task, outcome));
            }
            all_solved &= is_solved;
        }
        println!("{}", exercises::course(&self.chapters[chapter].folder));
        all_solved
    }

    /// To the next open exercise, when this one is solved. A capstone runs when it is all that is left of a chapter.
    fn go_on(&mut self) {
        let mut is_news = false;
        while self.is_solved(self.current) {
            let Some(next) = self.open_after(self.current) else {
                println!("\nnothing is open any more: the course is solved");
                return;
            };
            (self.current, self.hints, is_news) = (next, 0, true);
            let (chapter, task) = self.at(next);
            let is_last = chapter.solved().len() + 1 == chapter.tasks.len();
            if !(task.is_capstone() && is_last && self.run(&[next])) {
                break;
            }
        }
        if is_news {
            self.tell_current();
        }
    }

    fn go_to(&mut self, at: At) {
        (self.current, self.hints) = (at, 0);
        self.tell_current();
    }

    /// The exercise at hand: where it is written, and where it is posed.
    pub fn tell_current(&self) {
        let (chapter, task) = self.at(self.current);
        let state = if self.is_solved(self.current) { "solved" } else { "next" };
        let file = self.short(&chapter.folder.join("exercises/mod.rs"));
        println!("\n{state}: {} {}\n  file  {file}:{}", task.title, task.effort, task.place());
        if let Some((line, section)) = chapter.posed(task) {
            let page = self.short(&chapter.folder.join("README.md"));
            println!("  page  {page}:{line} ({section})");
        }
        let book = format!("target/book/{}/index.html", chapter.name());
        let is_built = self.root.join(&book).exists();
        println!("  book  {book}{}", if is_built { "" } else { " (after `mdbook build`)" });
    }

    /// The next hint: the sentences of the exercise's own, then the page, then where the solution is.
    fn hint(&mut self) {
        let (chapter, task) = self.at(self.current);
        let mut steps = task.hints();
        if let Some((line, section)) = chapter.posed(task) {
            let page = self.short(&chapter.folder.join("README.md"));
            steps.push(format!("read {page} again, from “{section}” to line {line}"));
        }
        let solutions = chapter.folder.join("solutions/mod.rs");
        let number = task.title.split(' ').next().unwrap_or_default();
        let text = read_to_string(&solutions).unwrap_or_default();
        let line = text.lines().position(|line| line.starts_with(&format!("/// {number}:")));
        let place = line.map_or(String::new(), |line| format!(":{}", line + 1));
        steps.push(format!("a solution is in {}{place}", self.short(&solutions)));
        let step = self.hints.min(steps.len() - 1);
        println!("hint {} of {}: {}", step + 1, steps.len(), steps[step]);
        self.hints = step + 1;
    }

    fn edit(&self) {
        let (chapter, task) = self.at(self.current);
        let file = chapter.folder.join("exercises/mod.rs");
        let Some(editor) = &self.editor else {
            println!("which editor? start with --edit-cmd \"code -g {{file}}:{{line}}\"");
            return;
        };
        let words = command(editor, &file, task.place());
        let Some((program, arguments)) = words.split_first() else { return };
        let mut command = Command::new(program);
        command.args(arguments);
        let ended = if editor.trim_end().ends_with('&') {
            command.spawn().map(drop)
        } else {
            command.status().map(drop)
        };
        if let Err(error) = ended {
            println!("{program} cannot be started: {error}");
        }
    }

    /// The exercises of this chapter.
    fn list(&self) {
        let (chapter, _) = self.at(self.current);
        for (at, task) in chapter.tasks.iter().enumerate() {
            let here = (self.current.0, at);
            let mark = if self.is_solved(here) { '✓' } else { '·' };
            let arrow = if here == self.current { '→' } else { ' ' };
            println!("{arrow} {mark} {} {}", task.title, task.effort);
        }
    }

    /// How far one is, chapter by chapter, and what is next.
    pub fn status(&self) {
        for chapter in &self.chapters {
            let (solved, all) = (chapter.solved().len(), chapter.tasks.len());
            println!("{solved:>4} of {all:>2} solved in {}", self.short(&chapter.folder));
        }
        let (chapter, task) = self.at(self.current);
        println!("{}\nnext: {} {}", exercises::course(&chapter.folder), task.title, task.effort);
    }

    /// By its number, or by words of its title.
    pub fn find(&self, wanted: &str) -> Option<At> {
        let (number, words) = (format!("{wanted} "), slug(wanted));
        let is_number = wanted.starts_with(|c: char| c.is_ascii_digit());
        let is_meant = |task: &Task| {
            if is_number {
                task.title.starts_with(&number)
            } else {
                words.len() > 2 && task.name().contains(&words)
            }
        };
        self.all().into_iter().find(|at| is_meant(self.at(*at).1))
    }

    fn exists(&self, (chapter, task): At) -> bool {
        self.chapters.get(chapter).is_some_and(|chapter| task < chapter.tasks.len())
    }

    fn at(&self, (chapter, task): At) -> (&Chapter, &Task) {
        (&self.chapters[chapter], &self.chapters[chapter].tasks[task])
    }

    fn all(&self) -> Vec<At> {
        let chapters = self.chapters.iter().enumerate();
        chapters
            .flat_map(|(at, chapter)| (0..chapter.tasks.len()).map(move |task| (at, task)))
            .collect()
    }

    fn is_solved(&self, at: At) -> bool {
        let (chapter, task) = self.at(at);
        chapter.solved().contains(&task.number)
    }

    /// The first open exercise from this one on, from the beginning after the end.
    fn open_from(&self, from: At) -> Option<At> {
        let all = self.all();
        let start = all.iter().position(|at| *at == from)?;
        let mut in_turn = all[start..].iter().chain(&all[..start]);
        in_turn.find(|at| !self.is_solved(**at)).copied()
    }

    /// The first open exercise after this one, which is not meant itself.
    fn open_after(&self, this: At) -> Option<At> {
        let all = self.all();
        let start = all.iter().position(|at| *at == this)? + 1;
        self.open_from(*all.get(start).or(all.first())?).filter(|next| *next != this)
    }

    /// As seen from the course's folder.
    fn short(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }
}

fn verdict(task: &Task, outcome: Outcome) -> String {
    match outcome {
        Outcome::Accepted => format!("solved: {}", task.title),
        Outcome::Open(_) if task.is_capstone() => {
            format!("open: {} (until all that it is made of are solved)", task.title)
        }
        Outcome::Open(_) => format!("open: {}", task.title),
        Outcome::Rejected(message) | Outcome::Endless(message) => {
            format!("wrong: {}\n{message}", task.title)
        }
    }
}

fn written(folder: &Path) -> Option<SystemTime> {
    metadata(folder.join("exercises/mod.rs")).and_then(|data| data.modified()).ok()
}

/// The words of the editor's command, with the file and the line put in.
fn command(editor: &str, file: &Path, line: usize) -> Vec<String> {
    let words = editor.trim_end_matches(['&', ' ']).split_whitespace();
    let put_in = |word: &str| {
        word.replace("{line}", &line.to_string()).replace("{file}", &file.to_string_lossy())
    };
    words.map(put_in).collect()
}

/// The lines of the input. The next is read after one has been obeyed: an editor may need the terminal.
fn lines() -> (Receiver<String>, Sender<()>) {
    let ((sender, lines), (read_on, obeyed)) = (mpsc::channel(), mpsc::channel());
    thread::spawn(move || {
        let mut line = String::new();
        while stdin().read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            if sender.send(take(&mut line)).is_err() || obeyed.recv().is_err() {
                return;
            }
        }
    });
    (lines, read_on)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_is_told_file_and_line() {
        let told = |editor| command(editor, Path::new("/a folder/mod.rs"), 7);
        assert_eq!(told("code -g {file}:{line}"), ["code", "-g", "/a folder/mod.rs:7"]);
        assert_eq!(told("kate -l {line} {file} &"), ["kate", "-l", "7", "/a folder/mod.rs"]);
        assert!(told(" &").is_empty());
    }
}
