//! What is held out, and what is counted of it.

use recommendation::program::{
    Choice, Customer, Data, Example, Parts, Recipe, RecommendationTask, reason_rate,
};
use recommendation::world::Sizes;
use recommendation::{Action, Question};
use shared::rng;
use workbench::training::Task;

/// Three customers; what they buy is thing 1, then 2, then 3, … on days 0, 1, 1, 2, 2, 3.
fn shop() -> Data {
    let customers = (0..3).map(|first| Customer {
        actions: (0..6)
            .map(|i| Action { item: first + i, kind: if i == 3 { 0 } else { 2 } })
            .collect(),
        times: vec![0.0, 1.0, 1.0, 2.0, 2.0, 3.0],
        motives: Vec::new(),
        reasons: vec![None, None, Some(1), None, None, Some(first % 3)],
    });
    Data {
        items: (0..9).map(|i| format!("thing {i}")).collect(),
        kinds: ["view", "basket", "purchase"].map(str::to_owned).to_vec(),
        customers: customers.collect(),
        name: "three customers".to_owned(),
    }
}

/// What is held out is not trained on, nor is anything after it.
#[test]
fn what_is_held_out_is_not_seen() {
    let data = shop();
    let parts = Parts::last_out(&data);
    let held = |at| (0..3).map(|customer| Example { customer, at }).collect::<Vec<_>>();
    assert_eq!((&parts.validation, &parts.test), (&held(4), &held(5)));
    assert_eq!(parts.trained, [4, 4, 4]);
    let seen: Vec<usize> = parts.training(&data).map(|one| one.at).collect();
    assert_eq!(seen, [1, 2, 1, 2, 1, 2]); // a look is no purchase, and nothing is before the first action
}

/// The reasons of the last purchases are actions 0, 1, 2; of the last four actions, 0 is not one.
#[test]
fn reasons_are_counted_where_there_is_one() {
    let data = shop();
    let parts = Parts::last_out(&data);
    let of = |longest, weights: &[f32]| {
        reason_rate((&data, &parts.test, longest), &|_, _| Some(weights.to_vec()))
    };
    // The last of equal weights counts: action 2.
    assert_eq!(of(5, &[0.1, 0.4, 0.4, 0.1, 0.0]), Some((3, 1.0 / 3.0)));
    assert_eq!(of(4, &[0.9, 0.1, 0.0, 0.0]), Some((2, 0.5))); // the first one is too long ago
    assert_eq!(reason_rate((&data, &parts.test, 5), &|_, _| None), None);
}

/// Histories are cut into parts, and each purchase is asked for once.
#[test]
fn parts_of_histories_ask_for_no_purchase_twice() {
    let data = Data::shop(&Sizes { customers: 6, least: 20, most: 60 }, 0);
    let parts = Parts::last_out(&data);
    let recipe = Recipe { longest: 12, batch: 4, ..Recipe::new(Choice::Sasrec) };
    let task = RecommendationTask::new(&recipe, &data, &parts, false);
    let mut found = Vec::new();
    for batch in task.batches(&mut rng(0)) {
        for question in task.prepare(&batch, 2, &mut rng(0)).shards {
            let Question::Next { next, .. } = question else { panic!() };
            found.extend(next);
        }
    }
    let mut expected: Vec<usize> = parts.training(&data).map(|one| one.bought(&data)).collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}
