//! A folder in which a test runs the program from outside.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of its own for every test.
pub struct Place(tempfile::TempDir);

impl Place {
    pub fn new() -> Place {
        Place(tempfile::tempdir().expect("a folder for the test"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).expect("a file of the test");
    }

    /// Sixty pairs of a language without surprises.
    pub fn pairs(&self) {
        let (things, thing) = (["cat", "dog", "owl", "fox"], ["chat", "chien", "hibou", "renard"]);
        let (deeds, deed) = (["sleeps", "runs", "sings"], ["dort", "court", "chante"]);
        let (colours, colour) =
            (["black", "white", "grey", "red", ""], ["noir", "blanc", "gris", "rouge", ""]);
        let mut text = String::new();
        for ((i, k), j) in (0..4)
            .flat_map(|i| (0..5).map(move |k| (i, k)))
            .flat_map(|ik| (0..3).map(move |j| (ik, j)))
        {
            text += &format!(
                "The {} {} {}.\tLe {} {} {}.\n",
                colours[k], things[i], deeds[j], thing[i], colour[k], deed[j]
            );
        }
        self.write("pairs.tsv", text);
    }

    /// Runs the program in the folder.
    pub fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_seq2seq"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace());
        command
    }

    /// Trains a tiny model; further arguments may follow.
    pub fn train(&self, more: &str) -> Output {
        self.run(&format!("{TRAIN} {more}"))
    }

    /// What is refused with one line and exit code 2; returns the line.
    pub fn refused(&self, arguments: &str) -> String {
        refusal(&self.run(arguments), arguments)
    }
}

pub const TRAIN: &str =
    "train --data pairs.tsv --min-frequency 1 --embedding 8 --hidden 8 --batch 8 --epochs 2";

pub fn refusal(output: &Output, what: &str) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{what}: {errors}");
    assert!(!errors.contains("panicked"), "{what}: {errors}");
    let line = errors.strip_suffix('\n').expect("a line");
    assert_eq!(line.lines().count(), 1, "{what}: {errors}");
    line.strip_prefix("error: ").unwrap_or_else(|| panic!("{what}: {errors}")).to_owned()
}

pub fn text(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout.clone()).expect("words in UTF-8")
}
