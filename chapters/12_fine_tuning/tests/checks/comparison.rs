//! A small comparison, and claims about numbers that are given.

use crate::line::arguments;
use crate::support::encoder;
use fine_tuning::program::{
    CompareArgs, Form, Measured, OfTask, Plan, Results, Score, Scores, Task, Way, claims, compare,
    figures,
};
use rayon::ThreadPoolBuilder;
use std::collections::BTreeMap;
use std::path::Path;
use workbench::program::Common;
use workbench::study::{Findings, Spread, Study, StudyArgs};

fn plan(out: &Path) -> Plan {
    let common = Common { out: Some(out.to_owned()), seed: 0 };
    let study = StudyArgs { common, seeds: 2, only: vec![], keep: None, judge: false };
    let tasks = vec![Task::Continuation, Task::Tags];
    Plan { study, tasks, examples: vec![8, 12], held: [10, 12], epochs: |_| 1 }
}

fn run(plan: &Plan) -> Results {
    let mut study = Study::open(&plan.study, "fine_tuning", "a small one").unwrap();
    plan.run(&encoder(Form::Pair), &mut study).unwrap()
}

/// To the last digit, on one thread and on three.
#[test]
fn a_comparison_does_not_depend_on_the_number_of_threads() {
    let on = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&plan(tempfile::tempdir().unwrap().path())))
    };
    let [one, three] = [1, 3].map(on);
    let json = |results: &Results| serde_json::to_string(results).unwrap();
    assert_eq!(json(&one), json(&three));
    assert_eq!(Vec::from_iter(one.tasks.keys()), ["continuation", "tags"]);
    let in_common = |task: &str| one.tasks[task].by_examples["0012"].words_in_common.is_some();
    assert!(in_common("continuation") && !in_common("tags"));
    let row = &one.tasks["tags"].by_examples["0012"];
    assert_eq!(Vec::from_iter(row.ways.keys()), ["from_scratch", "frozen", "pre_trained"]);
    let [ours, other] = ["pre_trained", "frozen"].map(|way| row.ways[way].accuracy.mean);
    assert!((row.gains["frozen"].estimate - 100.0 * (ours - other)).abs() < 0.2);
    for way in Way::ALL {
        let chosen = &one.chosen[way.name()];
        assert_eq!((chosen.len(), chosen.values().sum()), (way.rates().len(), 8), "{chosen:?}");
    }
    assert!(one.chosen["frozen"].contains_key("3e-2"));
    assert!(one.claims.is_empty(), "none is about so few examples");
    assert_eq!(figures(&one).len(), 2);
}

/// Rows that are not asked for are not trained; no claim and no figure is about the others alone.
#[test]
fn a_comparison_of_some_rows_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(folder.path());
    plan.study.only = vec!["tags_0008_frozen".to_owned()];
    let found = run(&plan);
    assert_eq!(Vec::from_iter(found.tasks["tags"].by_examples["0008"].ways.keys()), ["frozen"]);
    assert!(found.tasks["tags"].by_examples["0012"].ways.is_empty());
    assert!(found.claims.is_empty() && figures(&found).is_empty());
    found.print();
}

#[test]
fn more_examples_than_are_generated_are_refused() {
    let line = ["--encoder", "/nowhere", "--examples", "50,1000", "--seeds", "21"];
    let error = compare(&arguments(&line).unwrap()).unwrap_err();
    let reason = "--examples 1000 with --seeds 21: at most 20000 are generated in all";
    assert_eq!(error.to_string(), reason);
}

#[test]
fn results_have_a_plain_name() {
    let name = |more: &[&str]| arguments::<CompareArgs>(more).map(|found| found.name);
    assert_eq!(name(&[]).unwrap(), "results");
    assert_eq!(name(&["--name", "failed"]).unwrap(), "failed");
    assert!(["", "../x", "a.json", "a b"].iter().all(|wrong| name(&["--name", wrong]).is_err()));
}

/// Every repetition learns from examples of its own, and more examples begin with fewer.
#[test]
fn repetitions_share_no_example() {
    let plan = plan("out".as_ref());
    let all = Task::Sense
        .data(&bert::world::tasks::Sizes { train: 24, validation: 10, test: 12, noise: 0.05 }, 0);
    let all = all.unwrap();
    let [first, second] = [0, 1].map(|seed| plan.part(&all, 12, seed).training);
    assert!(first.iter().all(|example| !second.contains(example)));
    assert_eq!(plan.part(&all, 8, 1).training, second[..8]);
}

/// Results with the same accuracies in all tasks, of 50 and of 1000 examples.
fn results(of: impl Fn(Way, usize) -> [f64; 3]) -> Results {
    let row = |examples: usize| {
        let score = |way: Way| {
            let accuracy = Spread::of(of(way, examples));
            (way.name().to_owned(), Score { accuracy, rates: vec![] })
        };
        let bag_of_words = Spread::of([0.5, 0.51, 0.49]);
        let words_in_common = Some(Spread::of([0.85, 0.86, 0.87]));
        let gains = BTreeMap::new();
        let ways = Way::ALL.map(score).into();
        (format!("{examples:04}"), Scores { examples, bag_of_words, words_in_common, ways, gains })
    };
    let task = |task: Task| {
        let by_examples = [50, 1000].map(row).into();
        (task.name().to_owned(), OfTask { majority: 0.5, by_examples })
    };
    let tasks = Task::COMPARED.map(task).into();
    let (chosen, claims) = (BTreeMap::new(), BTreeMap::new());
    Results { seeds: 3, tasks, chosen, claims, measured: Measured::default() }
}

#[test]
fn claims_are_judged_by_seeds_that_do_not_overlap() {
    let clear = results(|way, examples| match (way, examples) {
        (Way::PreTrained, 50) => [0.8, 0.81, 0.82],
        (Way::PreTrained, _) => [0.9, 0.91, 0.92],
        (Way::Frozen, _) => [0.7, 0.71, 0.72],
        (Way::FromScratch, _) => [0.5, 0.51, 0.52],
    });
    let held = claims(&clear);
    assert_eq!(held.len(), 7);
    assert!(held.values().all(|claim| claim.holds == Some(true)), "{held:?}");

    let turned = results(|way, _| match way {
        Way::FromScratch => [0.9, 0.91, 0.92],
        _ => [0.3, 0.31, 0.32],
    });
    let failed = claims(&turned);
    let of = |name: &str| failed[name].holds;
    for name in
        ["fifty", "thousand", "fifty_for_a_thousand", "frozen_fifty", "counting", "in_common"]
    {
        assert_eq!(of(name), Some(false), "{name}");
    }
    assert_eq!(of("frozen_thousand"), None, "equal seeds decide nothing");

    let wide = claims(&results(|_, _| [0.4, 0.5, 0.9]));
    assert!(wide.values().all(|claim| claim.holds.is_none()), "{wide:?}");
}

fn committed() -> Results {
    tests::chapter::results(env!("CARGO_MANIFEST_DIR"))
}

/// Whether a claim held is decided by the numbers beside it; the page has every claim.
#[test]
fn the_claims_follow_from_the_numbers_and_the_page_tells_them() {
    tests::chapter::claims(env!("CARGO_MANIFEST_DIR"), &claims(&committed()));
}

#[test]
fn the_committed_figures_are_drawn_from_the_committed_results() {
    for (name, figure) in figures(&committed()) {
        tests::chapter::figures(env!("CARGO_MANIFEST_DIR"), [(&*name, figure)]);
    }
}
