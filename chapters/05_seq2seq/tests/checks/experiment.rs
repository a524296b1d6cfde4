//! The committed results, and what the page says of them.

use seq2seq::experiment::{Chapter, Choices, Results, claims};
use seq2seq::translating::quick;
use seq2seq::translating::recurrent::{Config, SizeArgs};
use tests::assert_close;

fn committed() -> Results {
    tests::chapter::results(env!("CARGO_MANIFEST_DIR"))
}

/// The whole way, corpus to loss, in seconds. Sums of f32 may differ in their last digits between
/// machines.
#[test]
fn a_short_training_can_be_repeated() {
    let config = Config { sizes: SizeArgs::QUICK, choices: Choices {} };
    assert_close!(quick::<Chapter>(&config).loss, committed().quick.loss, 1e-3);
}

/// Whether a claim held is decided by the numbers that stand beside it.
#[test]
fn the_claims_follow_from_the_numbers() {
    let results = committed();
    assert_eq!(claims(&results.models, &results.search), results.claims);
}

/// The page lists every claim, word for word, with its outcome.
#[test]
fn the_page_tells_every_claim_and_its_outcome() {
    let claims = committed().claims;
    let claims = claims.values().map(|claim| (&claim.claim[..], claim.holds));
    tests::chapter::page_tells(env!("CARGO_MANIFEST_DIR"), claims);
}

/// And every example as it was translated.
#[test]
fn the_page_shows_the_examples_as_they_were_translated() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let page = std::fs::read_to_string(path).unwrap();
    for example in committed().examples {
        let row = format!("| {} | {} |", example.source, example.translation);
        assert!(page.contains(&row), "the page does not say: {row}");
    }
}

/// Three seeds, and a mean that is one.
#[test]
fn every_number_was_measured_with_every_seed() {
    let results = committed();
    assert_eq!(results.plan.seeds, [0, 1, 2]);
    for (name, model) in &results.models {
        let lengths = model.by_length.iter().map(|range| &range.bleu);
        for spread in model.parts.values().map(|part| &part.bleu).chain(lengths) {
            assert_eq!(spread.of_seeds.len(), results.plan.seeds.len(), "{name}");
            let mean = spread.of_seeds.iter().sum::<f64>() / spread.of_seeds.len() as f64;
            assert_close!(spread.mean, mean, 1e-4, "{name}");
            assert!(spread.lowest <= spread.mean && spread.mean <= spread.highest, "{name}");
        }
    }
}
