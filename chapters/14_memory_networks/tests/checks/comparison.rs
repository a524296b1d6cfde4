//! The recorded comparison: its claims, its figures, and a small one that runs.

use memory_networks::program::{CLAIMS, FIGURES, comparison, study};
use std::collections::BTreeMap;
use workbench::program::Common;
use workbench::study::{Numbers, StudyArgs, claims_of_rows};

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn claims_follow_from_the_numbers() {
    let found: Numbers = tests::chapter::results(FOLDER);
    let judged = CLAIMS.iter().map(|(name, claim, holds)| (*name, *claim, holds(&found)));
    tests::chapter::claims(FOLDER, &claims_of_rows(judged));
}

#[test]
fn figures_are_drawn_from_the_numbers() {
    let found: Numbers = tests::chapter::results(FOLDER);
    let drawn = FIGURES.iter().map(|(name, draw)| (*name, draw(&found)));
    tests::chapter::figures(FOLDER, drawn);
}

/// Every row that is compared was recorded with ten seeds, and self-attention has no more parameters.
#[test]
fn every_row_is_recorded_on_equal_parameters() {
    let found: Numbers = tests::chapter::results(FOLDER);
    let names: Vec<String> = comparison().rows.into_iter().map(|row| row.name).collect();
    assert_eq!(found.order, names);
    let of = |name: &str| found.of(name, "parameters").expect("a row").clone();
    assert!(names.iter().all(|name| of(name).of_seeds.len() == 10));
    for name in names.iter().filter(|name| name.ends_with("self-attention")) {
        let memory = of(&name.replace("self-attention", "three hops")).mean;
        assert!((0.85 * memory..=memory).contains(&of(name).mean), "{name}: {}", of(name).mean);
    }
}

/// One row of every kind of model, from the arguments to the file of results.
#[test]
#[ignore = "trains for minutes without optimisation: cargo test --release -p memory_networks --test checks comparison -- --ignored"]
fn a_small_comparison_runs() {
    let out = tempfile::tempdir().unwrap();
    let only = ["one fact with one hop", "kin one fact with keys and values"].map(str::to_owned);
    let common = Common { out: Some(out.path().to_owned()), seed: 100 };
    let arguments = StudyArgs { common, seeds: 1, only: only.into(), keep: None, judge: false };
    study(&arguments).unwrap();
    let text = std::fs::read_to_string(out.path().join("results.json")).unwrap();
    let found: Numbers = serde_json::from_str(&text).unwrap();
    let recorded: Numbers = tests::chapter::results(FOLDER);
    for (row, numbers) in &found.rows {
        let then: BTreeMap<_, _> = recorded.rows[row].clone();
        let now = numbers["accuracy"].of_seeds[0];
        assert!((now - then["accuracy"].of_seeds[0]).abs() < 0.03, "{row}: {now}");
    }
}
