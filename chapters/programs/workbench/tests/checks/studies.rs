//! Comparisons: what is kept is not done again, what is of another comparison is refused.

use std::path::Path;
use std::sync::Mutex;
use workbench::error::{Error, Result};
use workbench::program::Common;
use workbench::study::{Interval, Row, Study, StudyArgs};

fn arguments(folder: &Path) -> StudyArgs {
    let common = Common { out: Some(folder.join("out")), seed: 7 };
    let keep = Some(folder.join("kept"));
    StudyArgs { common, seeds: 2, only: Vec::new(), keep, judge: false }
}

fn rows(factor: f64) -> [Row<f64>; 2] {
    let row = |name: &str, config| Row { name: name.to_owned(), config, epochs: 1, against: None };
    [row("plain", 1.0), row("scaled", factor)]
}

/// A comparison with what each row finds, and which of them were run.
fn compare(arguments: &StudyArgs, factor: f64, fails: Option<&str>) -> (Result<Vec<f64>>, usize) {
    let run = Mutex::new(0);
    let found = Study::open(arguments, "toy", "numbers").and_then(|mut study| {
        study.run(&rows(factor), |row, seed, _| {
            if fails == Some(&row.name) {
                return Err(Error::argument("stopped"));
            }
            *run.lock().unwrap() += 1;
            Ok(row.config * seed as f64 / 3.0)
        })
    });
    let found = found.map(|by_row| by_row.into_values().flatten().collect());
    (found, run.into_inner().unwrap())
}

fn refused(found: Result<Vec<f64>>, reason: &str) {
    let said = found.unwrap_err().to_string();
    assert!(said.contains(reason) && !said.contains('\n'), "{said}");
}

#[test]
fn a_comparison_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = arguments(folder.path());
    refused(compare(&arguments, 2.0, Some("scaled")).0, "stopped");
    let whole = vec![7.0 / 3.0, 8.0 / 3.0, 14.0 / 3.0, 16.0 / 3.0]; // plain, plain, scaled, scaled
    // In another folder, as another program would find it: what this one wrote, it may also read.
    let other = folder.path().join("other");
    std::fs::create_dir(&other).unwrap();
    for entry in std::fs::read_dir(folder.path().join("kept")).unwrap().flatten() {
        std::fs::copy(entry.path(), other.join(entry.file_name())).unwrap();
    }
    let arguments = StudyArgs { keep: Some(other), ..arguments };
    let (found, run) = compare(&arguments, 2.0, None);
    assert_eq!((found.unwrap(), run), (whole.clone(), 2));
    let once_more = compare(&StudyArgs { judge: true, ..arguments.clone() }, 2.0, None);
    assert_eq!((once_more.0.unwrap(), once_more.1), (whole, 0));
}

#[test]
fn what_is_of_another_comparison_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = arguments(folder.path());
    compare(&arguments, 2.0, None).0.unwrap();
    let (found, run) = compare(&arguments, 3.0, None);
    refused(found, "row.config is 2.0 there and 3.0 here");
    assert_eq!(run, 0);
}

/// The same rows, of which an earlier version had found something else.
#[test]
fn what_an_earlier_version_kept_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = arguments(folder.path());
    let mut study = Study::open(&arguments, "toy", "numbers").unwrap();
    study.run(&rows(2.0), |_, _, _| Ok("words".to_owned())).unwrap();
    drop(study);
    refused(
        compare(&arguments, 2.0, None).0,
        "plain_7.json: is of another version of this program",
    );
}

/// Whichever bit of it: it is not believed.
#[test]
fn what_was_changed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = arguments(folder.path());
    let whole = compare(&arguments, 2.0, None).0.unwrap();
    let path = folder.path().join("kept/plain_7.json");
    let kept = std::fs::read(&path).unwrap();
    for i in 0..kept.len() {
        let mut changed = kept.clone();
        changed[i] ^= 1;
        std::fs::write(&path, changed).unwrap();
        let (found, run) = compare(&arguments, 2.0, None);
        assert!(found.is_err() || (found.unwrap() == whole && run == 0), "byte {i}"); // of a time
    }
}

#[test]
fn nothing_is_judged_that_was_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = StudyArgs { judge: true, ..arguments(folder.path()) };
    refused(compare(&arguments, 2.0, None).0, "kept: holds nothing to judge");
    compare(&StudyArgs { judge: false, ..arguments.clone() }, 2.0, None).0.unwrap();
    refused(compare(&StudyArgs { seeds: 3, ..arguments }, 2.0, None).0, "plain_9.json: is missing");
}

#[test]
fn what_is_found_once_is_kept_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = arguments(folder.path());
    for number in [1, 2] {
        let mut study = Study::open(&arguments, "toy", "numbers").unwrap();
        assert_eq!(study.once("times", || Ok(number)).unwrap(), 1);
    }
}

#[test]
fn rows_are_chosen_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let only = |name: &str| StudyArgs { only: vec![name.to_owned()], ..arguments(folder.path()) };
    let chosen = only("scaled").choose(rows(2.0).into()).unwrap();
    assert_eq!(chosen.iter().map(|row| &row.name[..]).collect::<Vec<_>>(), ["scaled"]);
    let said = only("other").choose(rows(2.0).into()).unwrap_err().to_string();
    assert_eq!(said, "--only other: no such row; there are plain, scaled");
}

#[test]
fn an_interval_says_what_it_decides() {
    let of = |low, high| Interval { estimate: (low + high) / 2.0, low, high };
    let positive = [(1.0, 2.0), (-2.0, -1.0), (-1.0, 1.0)].map(|(a, b)| of(a, b).is_positive());
    assert_eq!(positive, [Some(true), Some(false), None]);
    let within = [(-0.5, 0.5), (1.5, 2.0), (0.5, 1.5)].map(|(a, b)| of(a, b).is_within(1.0));
    assert_eq!(within, [Some(true), Some(false), None]);
    assert_eq!(of(1.0, 1.000_04).rounded().high, 1.0);
}
