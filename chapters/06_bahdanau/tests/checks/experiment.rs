//! The committed results, and what can be run again in seconds.

use bahdanau::Reading;
use bahdanau::program::inside::{self, Inside};
use bahdanau::program::square::{self, Square};
use bahdanau::program::{
    Chapter, Choices, Corner, Lstms, Results, baselines, best_possible, claims,
};
use seq2seq::Sizes;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::{Config, SizeArgs};
use seq2seq::translating::{Recipe, Words, quick};
use shared::Module;
use tests::assert_close;
use workbench::study::Findings;

const CHAPTER: &str = env!("CARGO_MANIFEST_DIR");

/// Nothing is built before its size is known.
#[test]
fn the_number_of_parameters_is_known_before_a_model_is_built() {
    let words = Words { source: 11, target: 7 };
    for (reading, layers) in
        [Reading::BothDirections, Reading::Forward].into_iter().flat_map(|r| [(r, 1), (r, 3)])
    {
        let sizes = SizeArgs { embedding: 3, hidden: 5, layers, dropout: 0.0 };
        let config = Config { sizes, choices: reading.into() };
        let built = Chapter::build(&config, words, &mut shared::rng(0)).parameter_count();
        assert_eq!(Chapter::parameters(&config, words), Some(built as u64), "{config:?}");
    }
}

#[test]
fn so_is_that_of_the_lstm() {
    let words = Words { source: 11, target: 7 };
    let sizes = SizeArgs { embedding: 3, hidden: 5, layers: 1, dropout: 0.0 };
    let config = Config { sizes, choices: seq2seq::program::Choices {} };
    let built = Lstms::build(&config, words, &mut shared::rng(0)).parameter_count();
    assert_eq!(Lstms::parameters(&config, words), Some(built as u64));
}

/// Models that were kept before the states' dropout could be chosen are read on.
#[test]
fn choices_that_say_nothing_of_states_leave_none_out() {
    let read: Choices = serde_json::from_str(r#"{"reading": "Forward"}"#).unwrap();
    assert_eq!(read, Reading::Forward.into());
}

#[test]
fn a_dropout_that_leaves_nothing_is_refused() {
    for state_dropout in [1.0, -0.1] {
        let choices = Choices { state_dropout, ..Reading::Forward.into() };
        let refused = Chapter::check(&Config { sizes: SizeArgs::QUICK, choices }).unwrap_err();
        assert_eq!(refused, format!("a state dropout of {state_dropout}: not in 0 ≤ p < 1"));
    }
}

fn committed() -> Results {
    tests::chapter::results(CHAPTER)
}

/// Whether a claim held is decided by the numbers beside it; the page has every claim.
#[test]
fn the_claims_follow_from_the_numbers_and_the_page_tells_them() {
    let results = committed();
    tests::chapter::claims(CHAPTER, &claims(&results.models, &results.looks));
}

/// Same seed, same numbers; another processor may round sums of f32 otherwise.
#[test]
fn a_training_of_seconds_can_be_repeated() {
    let choices = Choices::from(Reading::BothDirections);
    let config = Config { sizes: SizeArgs::QUICK, choices };
    assert_close!(quick::<Chapter>(&config).loss, committed().quick.loss, 1e-3);
}

/// What depends on the corpus and the sizes alone.
#[test]
fn the_bound_of_the_alignment_error_rate_and_the_sizes_are_those_of_the_default_corpus() {
    let results = committed();
    let corpus = Corpus::generated(results.plan.training_pairs, 1, 0);
    assert_eq!(results.plan.seeds, [0, 1, 2]);
    assert_close!(best_possible(&corpus.tests[0]), results.best_possible_aer, 1e-9);
    let sizes = Sizes {
        source_words: corpus.source.len(),
        target_words: corpus.target.len(),
        embedding: 64,
        hidden: results.models["with"].hidden,
        layers: 1,
        dropout: 0.1,
    };
    assert_eq!(Corner::FixedForward.sizes(&sizes).hidden, results.models["without"].hidden);
    assert_eq!(
        (results.plan.source_words, results.plan.target_words),
        (sizes.source_words, sizes.target_words)
    );
}

/// The page's "about one linked word in six", from the kinds of words in its table.
#[test]
fn the_largest_weight_misses_one_linked_word_in_six() {
    let looks = committed().looks;
    let words: usize = looks.values().map(|look| look.words).sum();
    let right: f64 = looks.values().map(|look| look.words as f64 * look.largest).sum();
    assert_close!(words as f64 / (words as f64 - right), 6.0, 0.5);
}

#[test]
fn the_committed_figures_are_drawn_from_the_committed_results() {
    tests::chapter::figures(CHAPTER, committed().figures());
}

#[test]
fn what_was_expected_of_the_square_is_judged_by_the_numbers() {
    let results: Square = tests::chapter::results(&format!("{CHAPTER}/square"));
    assert_eq!(results.plan.seeds, [0, 1, 2]);
    assert_eq!(square::claims(&results), results.claims);
    tests::chapter::claims_on_page(CHAPTER, &results.claims);
}

#[test]
fn what_was_expected_inside_is_judged_by_the_numbers() {
    let results = inside();
    assert_eq!(inside::claims(&results), results.claims);
    tests::chapter::claims_on_page(CHAPTER, &results.claims);
    tests::chapter::figures(&format!("{CHAPTER}/inside"), results.figures());
}

fn inside() -> Inside {
    tests::chapter::results(&format!("{CHAPTER}/inside"))
}

/// The first step of expectation–maximisation on the default corpus, and the diagonal without any.
#[test]
fn the_alignments_without_a_network_can_be_repeated() {
    let corpus = Corpus::generated(committed().plan.training_pairs, 1, 0);
    let (again, committed) = (baselines(&corpus, 1), inside().baselines);
    assert_close!(again["diagonal"].aer["test"], committed["diagonal"].aer["test"], 1e-9);
    for name in ["model_1", "model_1_diagonal"] {
        let likelihoods = &committed[name].log_likelihood;
        for step in [0, 1] {
            assert_close!(again[name].log_likelihood[step], likelihoods[step], 1e-3);
        }
        assert!(likelihoods.is_sorted(), "{name}: a step lowered the likelihood");
    }
}
