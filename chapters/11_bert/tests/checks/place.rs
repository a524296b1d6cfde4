//! A folder to run the program in.

use crate::support::{letters, small, stirred};
use bert::interchange::write_pretraining;
use bert::{Config, Pretraining};
use serde_json::Value;
use shared::Float;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

pub struct Place(TempDir);

/// Those of [`small`] with a piece for every letter.
pub fn sizes() -> Config {
    Config { vocabulary: letters().len(), ..small() }
}

pub fn numbers(line: &str) -> Vec<Float> {
    line.split(' ').map(|number| number.parse().unwrap()).collect()
}

impl Place {
    pub fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    /// A place with a model of eleven pieces and eleven positions in the folder `model`.
    pub fn with_model() -> (Place, Pretraining) {
        let (place, mut model) = (Place::new(), stirred(&sizes(), 5));
        let pieces = letters();
        write_pretraining(&place.path("model"), Some(&pieces), &mut model, &sizes()).unwrap();
        (place, model)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bert"));
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What it prints when all is well.
    pub fn printed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The reason why it ends with exit code 2, in one line.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        errors.trim_end().strip_prefix("error: ").expect("an error").to_owned()
    }

    /// The vectors of some lines, and what is printed beside them.
    pub fn embed(&self, lines: &str, more: &[&str]) -> (Vec<Vec<Float>>, String) {
        self.write("lines.txt", lines);
        let output = self.run(&[&EMBED, more].concat());
        let [printed, told] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(output.status.success(), "{told}");
        (printed.lines().map(numbers).collect(), told)
    }
}

pub const EMBED: [&str; 5] = ["embed", "--checkpoint", "model", "--file", "lines.txt"];
