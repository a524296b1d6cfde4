//! What arguments may be given together, and what a saved model or a begun training keeps of them.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;
use transformer::program::{CHAPTER, Decay, Distances, Positions, Sizes, options};
use workbench::training::{Schedule, Shape};

const TRAIN: &str = "train --data pairs.tsv --min-frequency 1 --width 8 --heads 2";

/// Forty pairs, and what the program says of them: exit code and lines.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let pairs: String = (0..40).map(|i| format!("cat {i}\tchat {i}\n")).collect();
        std::fs::write(folder.path().join("pairs.tsv"), pairs).unwrap();
        Place(folder)
    }

    fn run(&self, arguments: &str) -> (Option<i32>, String) {
        let mut program = Command::new(env!("CARGO_BIN_EXE_transformer"));
        let output =
            program.current_dir(&self.0).args(arguments.split_whitespace()).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    fn passes(&self, arguments: &str) {
        let (code, said) = self.run(arguments);
        assert_eq!(code, Some(0), "{arguments}: {said}");
    }

    /// One line, exit code 2, and nothing written.
    fn refuses(&self, arguments: &str, reason: &str) {
        let before = files(self.0.path());
        let (code, said) = self.run(arguments);
        assert!(code == Some(2) && said.contains(reason), "{arguments}: {said}");
        assert_eq!(said.lines().count(), 1, "{arguments}: {said}");
        assert_eq!(files(self.0.path()), before, "{arguments}");
    }
}

/// All that lies in a folder, and when files were written.
fn files(folder: &Path) -> BTreeMap<PathBuf, Option<SystemTime>> {
    let mut found = BTreeMap::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let written = path.is_file().then(|| path.metadata().unwrap().modified().unwrap());
        if written.is_none() {
            found.extend(files(&path));
        }
        found.insert(path, written);
    }
    found
}

/// Nobody's argument is passed over in silence.
#[test]
fn a_start_without_places_is_refused() {
    let place = Place::new();
    for positions in ["shaw", "rope", "alibi"] {
        for distances in ["", "--distances self", "--distances both"] {
            let line = format!("{TRAIN} --start 4 --positions {positions} {distances}");
            place.refuses(&line, &format!("--start: with {positions} in self-attention"));
        }
    }
    place.refuses(&format!("{TRAIN} --start 4"), "--start: with shaw in self-attention");
    place.passes(&format!("{TRAIN} --epochs 1 --start 4 --positions rope --distances cross"));
}

#[test]
fn distances_of_positions_that_have_none_are_refused() {
    let place = Place::new();
    for positions in ["sinusoids", "learned", "random"] {
        for distances in ["self", "cross", "both"] {
            let line = format!("{TRAIN} --positions {positions} --distances {distances}");
            place.refuses(&line, &format!("--distances: it says where shaw, rope and alibi are used, and --positions is {positions}"));
        }
    }
    place.passes(&format!("{TRAIN} --epochs 1 --positions sinusoids"));
}

/// Those versions heeded less than they were given.
#[test]
fn models_of_before_are_still_read() {
    let read = |mut sizes: Value, changed: &[(&str, Value)]| -> Sizes {
        sizes.as_object_mut().unwrap().remove("schedule");
        changed.iter().for_each(|(name, value)| sizes[name] = value.clone());
        serde_json::from_value(sizes).unwrap()
    };
    let written = serde_json::to_value(Sizes::QUICK).unwrap();
    assert_eq!(written["distances"], "both"); // what checkpoints of before say
    assert!(written.get("schedule").is_none());

    let passed_over =
        [("positions", json!("rope")), ("start", json!(4)), ("distances", json!("self"))];
    for changed in [&[("distances", json!("cross"))][..], &passed_over] {
        let sizes = read(written.clone(), changed);
        assert!((CHAPTER.check)(&sizes, false).is_ok() && (CHAPTER.heeds)(&sizes).is_err());
        assert_eq!(sizes.schedule, Decay::Straight);
    }
    let own = read(written.clone(), &[("positions", json!("shaw")), ("distances", json!("self"))]);
    assert_eq!((own.positions, own.distances), (Positions::Shaw, Some(Distances::Own)));
    assert_eq!(serde_json::to_value(own).unwrap()["distances"], "self");

    let place = Place::new();
    place.passes(&format!("{TRAIN} --epochs 1 --positions sinusoids"));
    place.passes("translate cat --beam 1"); // its file says "both", which nobody gave
}

/// Both rise to the same rate; one ends at 0, the other goes on falling.
#[test]
fn the_schedule_is_the_one_asked_for() {
    let scheduled = |schedule| {
        let sizes = Sizes { schedule, ..Sizes::QUICK };
        options(&sizes, 20_000, 64).schedule
    };
    let (schedule, paper) = (scheduled(Decay::Straight), scheduled(Decay::Paper));
    let shapes = (schedule.shape, paper.shape);
    assert_eq!(shapes, (Shape::Linear { total: 0 }, Shape::InverseSquareRoot));
    let straight = Schedule { shape: Shape::Linear { total: 3_000 }, ..schedule };
    for step in [1, 100, schedule.warmup] {
        assert_eq!(straight.at(step), paper.at(step));
    }
    assert_eq!(straight.at(3_000), 0.0);
    assert_eq!(paper.at(4 * schedule.warmup), schedule.rate / 2.0);
}

/// It is kept with the run and with the model.
#[test]
fn a_training_goes_on_under_its_schedule() {
    let place = Place::new();
    let begin = |more: &str| format!("{TRAIN} --checkpoint kept --out figures {more}");
    place.passes(&begin("--epochs 1 --schedule paper"));
    let more = |schedule: &str| begin(&format!("--resume --epochs 2 {schedule}"));
    for other in ["", "--schedule straight"] {
        place.refuses(&more(other), r#"config.schedule is "paper" there and null here"#);
    }
    place.passes(&more("--schedule paper"));
    place.passes("translate --checkpoint kept cat --beam 1");
}
