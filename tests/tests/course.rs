//! The program `course` on the toy chapter, in a folder of its own: what it says to a wrong answer, to one that does
//! not compile and to a right one, how it ends, and what it tells scripts.

use std::fs::{copy, create_dir_all, read_dir, read_to_string, write};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// `tests/exercises/program.rs` of the toy: the chapter's `main`, which the runner's own tests do without.
const PROGRAM: &str = "
#[path = \"main.rs\"]
mod toy;
macro_rules! answers {
    ($of:ident) => {
        toy::Answers {
            mean: toy::$of::mean,
            softmax: toy::$of::softmax,
            gradient: toy::$of::gradient,
            rotated: toy::$of::rotated,
            power_of_two: toy::$of::power_of_two,
        }
    };
}
fn main() -> std::process::ExitCode {
    toy::suite(env!(\"CARGO_MANIFEST_DIR\"), answers!(attempts), answers!(solutions)).run()
}
";

/// A course of one chapter. It is compiled among this workspace's packages, so that theirs serve.
struct Toy {
    root: TempDir,
}

impl Toy {
    fn new() -> Toy {
        let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a place for files");
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let chapter = root.path().join("chapters/07_toy");
        copy_all(&here.join("tests/07_toy"), &chapter);
        let manifest = read_to_string(here.join("../Cargo.toml")).expect("the workspace");
        let from = manifest.find("[profile.dev]").expect("the profile");
        let nalgebra = manifest.lines().find(|line| line.starts_with("nalgebra = "));
        let files = [
            (
                root.path().join("Cargo.toml"),
                format!(
                    "[workspace]\nresolver = \"3\"\nmembers = [\"chapters/*\"]\n{}",
                    &manifest[from..]
                ),
            ),
            (
                chapter.join("Cargo.toml"),
                format!(
                    "[package]\nname = \"toy\"\nedition = \"2024\"\n[dev-dependencies]\n{}\ntests.path = {here:?}\n[[test]]\nname = \"exercises\"\npath = \"tests/exercises/program.rs\"\nharness = false\n",
                    nalgebra.expect("nalgebra")
                ),
            ),
            (chapter.join("tests/exercises/program.rs"), PROGRAM.into()),
            (chapter.join("src/lib.rs"), String::new()),
        ];
        create_dir_all(chapter.join("src")).expect("a folder");
        files.iter().for_each(|(file, text)| write(file, text).expect("a file"));
        copy(here.join("../Cargo.lock"), root.path().join("Cargo.lock")).expect("a file");
        Toy { root }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_course"));
        command.args(arguments).current_dir(self.root.path());
        command.env("EXERCISES_SOLVED", self.root.path().join("solved"));
        command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join(".."));
        command.env("CARGO_NET_OFFLINE", "true").env_remove("VISUAL").env_remove("EDITOR");
        command
    }

    fn exercises(&self) -> PathBuf {
        self.root.path().join("chapters/07_toy/exercises/mod.rs")
    }

    /// Saves this as the answer to the first exercise.
    fn answer(&self, fresh: &str, answer: &str) {
        write(self.exercises(), fresh.replacen("todo!()", answer, 1)).expect("a file");
    }

    #[track_caller]
    fn ends(&self, arguments: &[&str], code: i32, says: &str) {
        let output = self.command(arguments).output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        assert!(text.contains(says), "no {says:?} in {text}");
    }
}

fn copy_all(from: &Path, to: &Path) {
    create_dir_all(to).expect("a folder");
    for entry in read_dir(from).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let beside = to.join(entry.file_name().expect("a name"));
        if entry.is_dir() {
            copy_all(&entry, &beside);
        } else {
            copy(&entry, &beside).expect("a file");
        }
    }
}

/// The program at work.
struct Watching {
    program: Child,
    keys: ChildStdin,
    lines: Receiver<String>,
}

impl Watching {
    fn begin(toy: &Toy, arguments: &[&str]) -> Watching {
        let mut command = toy.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut program = command.spawn().expect("it starts");
        let (output, keys) = (program.stdout.take(), program.stdin.take());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let output = BufReader::new(output.expect("its output"));
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Watching { program, keys: keys.expect("its input"), lines }
    }

    /// Reads on to the first line with this text; five minutes are for a hang.
    #[track_caller]
    fn says(&self, text: &str) -> &Watching {
        let mut read = Vec::new();
        loop {
            match self.lines.recv_timeout(Duration::from_secs(300)) {
                Ok(line) if line.contains(text) => return self,
                Ok(line) => read.push(line),
                Err(_) => panic!("no {text:?} in\n{}", read.join("\n")),
            }
        }
    }

    fn press(&mut self, key: &str) -> &Watching {
        writeln!(self.keys, "{key}").expect("it listens");
        self
    }
}

#[test]
fn a_saved_answer_is_judged() {
    let toy = Toy::new();
    let fresh = read_to_string(toy.exercises()).expect("the exercises");
    let mut watching = Watching::begin(&toy, &["--edit-cmd", "echo edits {file}:{line}"]);
    watching.says("next: 7.1 mean of each column ●○○").says("/exercises/mod.rs:12");
    watching.says("chapters/07_toy/README.md:3");
    watching.press("h").says("hint 1 of 3: `x.column_iter()`.");
    watching.press("h").says("hint 2 of 3: read chapters/07_toy/README.md");
    watching.press("e").says("07_toy/exercises/mod.rs:12");
    toy.answer(&fresh, "DMatrix::from_fn(1, x.ncols(), |_, j| x.column(j).sum())");
    watching
        .says("wrong: 7.1 mean of each column")
        .says("worst at row 0, column 2: 16 instead of 8");
    watching.says("in the course: 0 of 6 solved");
    let broken = fresh.replace("unimplemented!()", "n.next_power_of_two()");
    toy.answer(&broken, "x.mean_of_each()");
    watching.says("it does not compile:").says("error[E0599]").says("mean_of_each");
    toy.answer(&broken, "unimplemented!()"); // what was saved with it is judged now
    watching.says("solved: 7.5").says("in the course: 1 of 6 solved");
    let latin_1 = [&b"// \xe9\n"[..], fresh.as_bytes()].concat();
    write(toy.exercises(), latin_1).expect("a file");
    watching.says("it does not compile:").says("UTF-8");
    toy.answer(&fresh, "DMatrix::from_fn(1, x.ncols(), |_, j| x.column(j).mean())");
    watching.says("solved: 7.1").says("in the course: 1 of 6 solved").says("next: 7.2 softmax");
    watching.press("n").says("next: 7.4").says("/exercises/mod.rs:37");
    watching.press("l").says("· 7.2 softmax").says("→ · 7.4");
    watching.press("q");
    assert!(watching.program.wait().expect("it ends").success());

    toy.ends(&["check", "7.1"], 0, "solved: 7.1");
    toy.ends(&["check", "7.2"], 1, "open: 7.2");
    toy.ends(&["check", "7.10"], 2, "no exercise is called “7.10”");
    toy.ends(&["chekc"], 2, "usage: course");
    toy.ends(&["status"], 0, "next: 7.2 softmax");
    toy.ends(&["status", "--json"], 0, "\"exercise\": \"7.1\"");
    toy.ends(&["next"], 0, "next: 7.2 softmax");
    toy.answer(&fresh, "todo!(\"once more\")");
    toy.ends(&["status"], 0, "next: 7.1"); // at once, although nothing has run
    toy.answer(&fresh, "x.");
    toy.ends(&["check", "7.1"], 1, "--> chapters/07_toy/exercises/mod.rs:13:");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it() {
    use std::os::unix::process::ExitStatusExt;
    let toy = Toy::new();
    let mut watching = Watching::begin(&toy, &[]);
    watching.says("next: 7.1").says("q quit");
    let program = watching.program.id().to_string();
    // Not an interrupt: a shell that runs this in the background has it ignored, here and in whatever starts here.
    assert!(Command::new("kill").args(["-TERM", &program]).status().expect("it starts").success());
    assert_eq!(watching.program.wait().expect("it ends").signal(), Some(15));
}

#[test]
fn it_ends_with_its_input() {
    let toy = Toy::new();
    let mut command = toy.command(&["7.2"]);
    let output = command.stdin(Stdio::null()).output().expect("it starts");
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("next: 7.2 softmax"));
    toy.ends(&["--edit-cmd"], 2, "usage: course");
    toy.ends(&["--help"], 0, "usage: course");
}
