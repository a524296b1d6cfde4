//! What the initialisation and the order do: how it is judged, and what was recorded.

use bert::program::{Comparison, Scores, Trained, starts_figure};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fs::read_to_string;
use workbench::study::BySeeds;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

fn recorded<T: DeserializeOwned>(name: &str) -> T {
    let path = format!("{FOLDER}/figures/{name}");
    let text = read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Trainings with such an NSP accuracy and so many nats.
fn trained(all: &[(f64, f64)]) -> Vec<Trained> {
    let one = |(seed, (accuracy, nats)): (usize, &(f64, f64))| Trained {
        seed: seed as u64,
        test: Scores { next_accuracy: *accuracy, hidden: *nats, ..Scores::default() },
        bigram: 3.0,
        in_common: 0.8,
        training_seconds: 1.0,
    };
    all.iter().enumerate().map(one).collect()
}

/// Of four ways – neither, the start, the order, both – which claims hold: enough; more with both than with
/// neither, the start, the order; more with the start, with the order, than with neither; the two prices.
fn judged(ways: [&[(f64, f64)]; 4]) -> [Option<bool>; 8] {
    let names = ["neither", "start", "order", "both"];
    let mut ways: BySeeds<Trained> =
        names.into_iter().zip(ways).map(|(name, all)| (name.to_owned(), trained(all))).collect();
    let claims = Comparison::of(4.0, 0.15, &ways).claims;
    assert_eq!(claims.len(), 8);
    ways.get_mut("order").unwrap().pop();
    assert!(Comparison::of(4.0, 0.15, &ways).claims.is_empty(), "one seed was not learnt from");
    ways.values_mut().for_each(|all| all.truncate(1));
    assert!(Comparison::of(4.0, 0.15, &ways).claims.is_empty(), "one seed has no range");
    let above = ["above_neither", "above_start", "above_order"];
    let [neither, start, order] = above.map(|name| claims[name].holds);
    let [enough, by_start, by_order, price, price_of_both] =
        ["enough", "start", "order", "price", "price_of_both"].map(|name| claims[name].holds);
    [enough, neither, start, order, by_start, by_order, price, price_of_both]
}

#[test]
fn ranges_that_do_not_overlap_decide() {
    let (yes, no, open) = (Some(true), Some(false), None);
    let low = &[(0.88, 0.60), (0.90, 0.62)][..];
    let between = &[(0.91, 0.63), (0.93, 0.65)][..];
    let both = &[(0.96, 0.66), (0.97, 0.70)][..];
    let all = [yes, yes, yes, yes, yes, yes, yes, yes];
    assert_eq!(judged([low, between, between, both]), all);
    assert_eq!(judged([low, low, between, both]), [yes, yes, yes, yes, open, yes, yes, yes]);
    assert_eq!(judged([low, both, between, both]), [yes, yes, open, yes, yes, yes, open, yes]);
    assert_eq!(judged([low, between, both, both]), [yes, yes, yes, open, yes, yes, yes, yes]);
    assert_eq!(judged([between, low, low, low]), [no, no, open, open, no, no, open, no]);
    // One seed below, one above.
    let wide = &[(0.92, 0.61), (0.97, 0.70)][..];
    assert_eq!(judged([low, between, low, wide]), [open, yes, open, yes, yes, open, open, open]);
    assert_eq!(judged([both, both, both, low]), [no, no, no, no, open, open, no, no]);
}

/// The page's claims follow from the recorded numbers, and it says so; the figure is drawn from them.
#[test]
fn what_was_recorded_is_what_the_page_tells() {
    let found: Comparison = recorded("compare.json");
    assert!(found.ways.values().all(|row| row.seeds.len() == 6) && found.ways.len() == 4);
    let trainings = found.ways.iter().map(|(way, row)| (way.clone(), row.seeds.clone())).collect();
    let again = Comparison::of(found.alike, found.pairs_first, &trainings);
    let [now, then] = [&again, &found].map(|found| serde_json::to_value(found).unwrap());
    assert_eq!(now, then);
    tests::chapter::claims_on_page(FOLDER, &found.claims);
    tests::chapter::figures(FOLDER, [("starts", starts_figure(&found))]);
    // Seed 0 with both is the chapter's own training.
    let results: Value = recorded("results.json");
    let own: Scores = serde_json::from_value(results["test"].clone()).unwrap();
    let first = &found.ways["both"].seeds[0];
    assert_eq!((first.seed, first.test), (0, own));
}
