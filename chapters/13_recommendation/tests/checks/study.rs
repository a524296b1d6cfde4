//! The committed results, and claims about numbers that are given.

use recommendation::experiment::{changed_places, comparison, rows};
use std::collections::BTreeMap;
use tests::chapter;
use workbench::study::{Numbers, Spread};

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
