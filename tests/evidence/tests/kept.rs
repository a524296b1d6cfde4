//! What a comparison kept is not done again, and what is of another one is refused.

use evidence::{Comparison, Row, StudyArgs};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use workbench::error::{Error, Result};
use workbench::program::Common;

fn arguments(folder: &Path) -> StudyArgs {
    let common = Common { out: Some(folder.join("out")), seed: 7 };
    let keep = Some(folder.join("kept"));
    StudyArgs { common, seeds: 2, only: Vec::new(), keep, judge: false }
}

/// A comparison of two rows, and how many judgements it made; `fails` names a row that stops it.
fn compare(arguments: &StudyArgs, factor: f64, fails: &str) -> (Result<()>, usize) {
    let toy = Comparison {
        name: "compare",
        about: "",
        record: "07_toy/figures/results.json",
        claims: &[("a_larger", "scaled is larger", |found| {
            found.less(("plain", "value"), ("scaled", "value"))
        })],
        figures: &[],
        run: |_, _| Ok(()),
    };
    let run = AtomicUsize::new(0);
    let rows = vec![Row::new("plain", ("plain", 1.0)), Row::new("scaled", ("scaled", factor))];
    let found = toy.compare(arguments, "numbers", rows, |(name, factor), seed| {
        if *name == fails {
            return Err(Error::argument("stopped"));
        }
        run.fetch_add(1, Relaxed);
        Ok([("value", factor * seed as f64)])
    });
    (found, run.into_inner())
}

fn refused(found: Result<()>, reason: &str) {
    let said = found.unwrap_err().to_string();
    assert!(said.contains(reason) && !said.contains('\n'), "{said}");
}

#[test]
fn a_comparison_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = arguments(folder.path());
    refused(compare(&arguments, 2.0, "scaled").0, "stopped");
    let (found, run) = compare(&arguments, 2.0, "");
    assert_eq!((found.unwrap(), run), ((), 2));
    let record = std::fs::read_to_string(folder.path().join("out/results.json")).unwrap();
    assert!(record.contains("\"mean\": 15.0") && record.contains("\"holds\": true"), "{record}");
    let (found, run) = compare(&StudyArgs { judge: true, ..arguments }, 2.0, "plain");
    assert_eq!((found.unwrap(), run), ((), 0));
}

#[test]
fn what_is_of_another_comparison_or_missing_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = arguments(folder.path());
    let judge = StudyArgs { judge: true, ..arguments.clone() };
    refused(compare(&judge, 2.0, "").0, "kept: holds nothing to judge");
    compare(&arguments, 2.0, "").0.unwrap();
    refused(
        compare(&arguments, 3.0, "").0,
        r#"row.config is ["scaled",2.0] there and ["scaled",3.0] here"#,
    );
    refused(compare(&StudyArgs { seeds: 3, ..judge }, 2.0, "").0, "plain_9.json: is missing");
    let only = StudyArgs { only: vec!["other".to_owned()], ..arguments.clone() };
    refused(compare(&only, 2.0, "").0, "--only other: no such row; there are plain, scaled");
    let kept = folder.path().join("kept/plain_7.json");
    let text = std::fs::read_to_string(&kept).unwrap();
    std::fs::write(&kept, text.replace("[[\"value\",7.0]]", "7")).unwrap();
    refused(compare(&arguments, 2.0, "").0, "plain_7.json: is of another version");
    std::fs::write(&kept, &text[..20]).unwrap();
    refused(compare(&arguments, 2.0, "").0, "plain_7.json:1: not the JSON it should be");
}
