//! The committed results, and claims about numbers that are given.

use recommendation::program::{
    Case, Customer, Data, Example, Order, RecommendationTask, Split, changed_places, comparison,
    reason_rate, reasons, rows,
};
use recommendation::world::{Catalogue, Sizes};
use recommendation::{Action, Question};
use shared::rng;
use std::collections::BTreeMap;
use tests::chapter;
use workbench::study::{Numbers, Spread};
use workbench::training::{Task, json};

#[test]
fn figures_are_drawn_from_the_results() {
    let found: Numbers = chapter::results(env!("CARGO_MANIFEST_DIR"));
    let figures = comparison(1).figures;
    let drawn = figures.iter().map(|(name, draw)| (*name, draw(&found)));
    chapter::figures(env!("CARGO_MANIFEST_DIR"), drawn);
}

#[test]
fn claims_are_those_of_the_results() {
    let mut found: Numbers = chapter::results(env!("CARGO_MANIFEST_DIR"));
    let written = std::mem::take(&mut found.claims);
    for (name, sentence, holds) in comparison(1).claims {
        let claim = &written[*name];
        assert_eq!((&claim.claim[..], Some(claim.holds)), (*sentence, holds(&found)), "{name}");
    }
    assert_eq!(found.order, rows(1).iter().map(|row| row.name.clone()).collect::<Vec<_>>());
}

/// Two models change places only where every seed says so.
#[test]
fn places_are_changed_by_every_seed_or_not() {
    let spread = |of_seeds: [f64; 2]| Spread::of(of_seeds);
    let row = |full, sampled| -> BTreeMap<String, Spread> {
        let names =
            ["hit_full", "ndcg_full", "hit_uniform", "hit_popular", "ndcg_uniform", "ndcg_popular"];
        let value = |name: &str| if name.ends_with("full") { full } else { sampled };
        names.map(|name| (name.to_owned(), spread(value(name)))).into()
    };
    let mut rows: BTreeMap<String, BTreeMap<String, Spread>> = BTreeMap::new();
    let all = rows_of_claims();
    all.iter().for_each(|name| _ = rows.insert(name.clone(), row([0.1, 0.1], [0.1, 0.1])));
    rows.insert("din".to_owned(), row([0.5, 0.5], [0.6, 0.6]));
    rows.insert("gru".to_owned(), row([0.4, 0.4], [0.7, 0.7]));
    let mut found = Numbers { rows, claims: BTreeMap::new(), order: all };
    let pairs = changed_places(&found).unwrap();
    assert_eq!(pairs.len(), 4, "{pairs:?}");
    assert!(pairs.iter().all(|(a, b, _)| (*a, *b) == ("din", "gru")));
    found.rows.insert("gru".to_owned(), row([0.4, 0.6], [0.7, 0.7]));
    assert!(changed_places(&found).unwrap().is_empty());
}

fn rows_of_claims() -> Vec<String> {
    let names = rows(1).into_iter().map(|row| row.name);
    names.filter(|name| !name.ends_with("in_time")).collect()
}

/// Three customers; what they buy is thing 1, then 2, then 3, … on days 0, 1, 1, 2, 2, 3.
fn shop() -> Data {
    use recommendation::world::Motive::{Series, Supply, Taste};
    let customer = |first: usize| Customer {
        actions: (0..6)
            .map(|i| Action { item: first + i, kind: if i == 3 { 0 } else { 2 } })
            .collect(),
        times: vec![0.0, 1.0, 1.0, 2.0, 2.0, 3.0],
        motives: vec![Taste, Taste, Series, Taste, Taste, Supply],
        reasons: vec![None, None, Some(1), None, None, Some(first % 3)],
    };
    Data {
        items: (0..9).map(|i| format!("thing {i}")).collect(),
        kinds: ["view", "basket", "purchase"].map(str::to_owned).to_vec(),
        customers: (0..3).map(customer).collect(),
        name: "three customers".to_owned(),
    }
}

/// What is held out is not trained on, nor is anything after it; in time, nothing of the last days.
#[test]
fn what_is_held_out_is_not_seen() {
    let data = shop();
    let parts = Split::LeaveLastOut.of(&data);
    let held = |at| (0..3).map(|customer| Example { customer, at }).collect::<Vec<_>>();
    assert_eq!((&parts.validation, &parts.test), (&held(4), &held(5)));
    assert_eq!(parts.trained, [4, 4, 4]);
    let seen: Vec<usize> = parts.training(&data).map(|one| one.at).collect();
    assert_eq!(seen, [1, 2, 1, 2, 1, 2]); // a look is no purchase, and nothing is before the first action
    let parts = Split::InTime(0.5).of(&data); // from day 2 on
    assert_eq!((&parts.validation, &parts.test), (&held(2), &held(4)));
    assert_eq!(parts.trained, [2, 2, 2]);
}

/// Equal times the other way round, and nothing else; shuffled, the same actions.
#[test]
fn histories_are_read_in_three_orders() {
    let (data, example) = (shop(), Example { customer: 0, at: 5 });
    let of = |order: Order| -> Vec<usize> {
        order.history(&data, example, 4).iter().map(|action| action.item).collect()
    };
    assert_eq!(of(Order::AsItWas), [1, 2, 3, 4]);
    assert_eq!(of(Order::TiesReversed), [2, 1, 4, 3]);
    let mut shuffled = of(Order::Shuffled);
    shuffled.sort_unstable();
    assert_eq!(shuffled, [1, 2, 3, 4]);
}

/// The reasons of the last purchases are actions 0, 1, 2; of the last four actions, 0 is not one.
#[test]
fn reasons_are_counted_where_there_is_one() {
    let data = shop();
    let parts = Split::LeaveLastOut.of(&data);
    let of = |longest, weights: &[f32]| {
        let weights = weights.to_vec();
        let found = reasons((&data, &parts.test, longest), &|_, _| Some(weights.clone())).unwrap();
        (found.len(), reason_rate(&found))
    };
    let (count, (rate, [supply, series, basket])) = of(5, &[0.1, 0.4, 0.4, 0.1, 0.0]);
    assert_eq!(count, 3);
    let third = 1.0 / 3.0; // the last of equal weights counts: action 2
    assert_eq!((rate.estimate, supply, series, basket), (third, third, 0.0, 0.0));
    assert!(rate.low == 0.0 && rate.high == 1.0, "{rate:?}");
    assert_eq!(of(4, &[0.9, 0.1, 0.0, 0.0]).0, 2); // the first one is too long ago
    assert_eq!(of(4, &[0.9, 0.1, 0.0, 0.0]).1.0.estimate, 0.5);
    assert!(reasons((&data, &parts.test, 5), &|_, _| None).is_none());
}

/// Of the drawn candidates the first is what a device needs, the second a next volume, the third lies in the basket.
#[test]
fn the_drawn_candidates_have_reasons() {
    let (case, catalogue) = (Case::of(1).unwrap(), Catalogue::default());
    let [supply, volume, basket] = case.candidates[..] else { panic!("{:?}", case.candidates) };
    let reason = |(_, reason): (usize, usize)| case.history[reason];
    assert_eq!(catalogue.supply(reason(supply).item), Some(supply.0));
    assert_eq!(catalogue.next_volume(reason(volume).item), Some(volume.0));
    assert_eq!((reason(basket).item, reason(basket).kind), (basket.0, 1));
    assert_eq!(case.history.len(), 16);
}

/// However far apart the parts of a history begin, each purchase is asked for once.
#[test]
fn parts_that_overlap_ask_for_no_purchase_twice() {
    let data = Data::shop(&Sizes { customers: 6, least: 20, most: 60 }, 0);
    let parts = Split::LeaveLastOut.of(&data);
    let asked = |stride: usize| {
        let sizes = [12, stride, 4];
        let task = RecommendationTask::new(&data, &parts, true, sizes, false, json!({}));
        let mut found = Vec::new();
        for batch in task.batches(&mut rng(0)) {
            for question in task.prepare(&batch, 2, &mut rng(0)).shards {
                let Question::Next { next, .. } = question else { panic!() };
                found.extend(next);
            }
        }
        found.sort_unstable();
        found
    };
    let mut expected: Vec<usize> = parts.training(&data).map(|one| one.bought(&data)).collect();
    expected.sort_unstable();
    for stride in [12, 5, 1] {
        assert_eq!(asked(stride), expected, "begin {stride} apart");
    }
}
