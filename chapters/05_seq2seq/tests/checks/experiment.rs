//! The committed results, and what the page says of them.

use seq2seq::program::blind::{Exchanged, exchanged};
use seq2seq::program::{Chapter, Choices, Results, claims, decoder};
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::{Config, SizeArgs};
use seq2seq::translating::{Recipe, Words, quick};
use shared::Module;
use tests::assert_close;
use workbench::study::{Findings, Interval};

/// Nothing is built before its size is known, also when no computer could build it.
#[test]
fn the_number_of_parameters_is_known_before_a_model_is_built() {
    let words = Words { source: 11, target: 7 };
    let config = |embedding, hidden, layers| {
        let sizes = SizeArgs { embedding, hidden, layers, dropout: 0.0 };
        Config { sizes, choices: Choices {} }
    };
    for layers in 1..4 {
        let config = config(3, 5, layers);
        let built = Chapter::build(&config, words, &mut shared::rng(0)).parameter_count();
        assert_eq!(Chapter::parameters(&config, words), Some(built as u64));
    }
    let large = config(1, u32::MAX, u32::MAX);
    assert_eq!(Chapter::parameters(&large, words), None);
    let words = Words { source: usize::MAX, target: usize::MAX };
    assert_eq!(Chapter::parameters(&config(u32::MAX, 1, 1), words), None);
}

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

/// Whether a claim held is decided by the numbers beside it; the page has every claim.
#[test]
fn the_claims_follow_from_the_numbers_and_the_page_tells_them() {
    let results = committed();
    tests::chapter::claims(env!("CARGO_MANIFEST_DIR"), &claims(&results.models, &results.search));
}

/// The four beams of four are one search, ranked in four ways: what the reference is more probable
/// than when the most probable sentence is returned, it is more probable than always.
#[test]
fn a_ranking_by_probability_shows_the_errors_of_the_search_alone() {
    let search = committed().search;
    let errors = |name: &str| search[name].more.search_errors.of_seeds.clone();
    for other in ["width_4", "width_4_alpha_half", "width_4_alpha_2"] {
        let pairs = errors("width_4_alpha_0").into_iter().zip(errors(other));
        assert!(pairs.clone().all(|(alone, with_ranking)| alone <= with_ranking), "{other}");
    }
}

/// And every example as it was translated.
#[test]
fn the_page_shows_the_examples_as_they_were_translated() {
    let page = tests::chapter::pages(env!("CARGO_MANIFEST_DIR"));
    for example in committed().examples {
        let row = format!("| {} | {} |", example.source, example.translation);
        assert!(page.contains(&row), "the page does not say: {row}");
    }
}

/// Every mean has the bootstrap's interval around it, and every difference is that of two means.
#[test]
fn every_score_has_its_interval() {
    let Results { plan, models, differences, search, .. } = committed();
    assert_eq!(plan.seeds, [0, 1, 2]);
    let around = |interval: Interval, mean: f64, what: &str| {
        assert_close!(interval.estimate, mean, 2e-4, "{what}");
        assert!(interval.low < mean && mean < interval.high, "{what}: {interval:?}");
    };
    let bleu = |model: &str, part: &str| models[model].parts[part].bleu.mean;
    for (name, part, scores) in
        models.iter().flat_map(|(name, model)| model.parts.iter().map(move |(p, s)| (name, p, s)))
    {
        around(scores.interval.unwrap(), scores.bleu.mean, &format!("{name}, {part}"));
        if name != "default" {
            let mean = bleu(name, part) - bleu("default", part);
            around(differences[name][part], mean, &format!("{name} minus default, {part}"));
        }
    }
    for (name, found) in search.iter().filter(|(name, _)| *name != "width_4") {
        around(found.difference.unwrap(), found.bleu.mean - search["width_4"].bleu.mean, name);
    }
}

#[test]
fn the_committed_figures_are_drawn_from_the_committed_results() {
    tests::chapter::figures(env!("CARGO_MANIFEST_DIR"), committed().figures());
}

fn of_the_decoder() -> decoder::Results {
    tests::chapter::results(concat!(env!("CARGO_MANIFEST_DIR"), "/decoder"))
}

/// The page has these claims, too.
#[test]
fn what_was_expected_of_the_decoder_follows_from_the_numbers() {
    let results = of_the_decoder();
    assert_eq!(results.plan.seeds, [0, 1, 2]);
    let judged = decoder::claims(&results);
    assert_eq!(judged, results.claims, "the claims do not follow from the numbers");
    tests::chapter::claims_on_page(env!("CARGO_MANIFEST_DIR"), &judged);
}

/// Asked by another command, it is the page's model: with every seed the same beam of four.
#[test]
fn the_decoder_that_was_asked_is_that_of_the_first_comparison() {
    let (decoder, first) = (of_the_decoder(), committed());
    for (beam, width) in [
        ("width_1_alpha_1", "greedy"),
        ("width_4_alpha_1", "width_4"),
        ("width_4_alpha_0", "width_4_alpha_0"),
    ] {
        let (this, that) = (&decoder.beams[beam], &first.search[width]);
        assert_eq!(this.bleu.of_seeds, that.bleu.of_seeds, "{beam}");
        assert_eq!(this.length_ratio.of_seeds, that.length_ratio.of_seeds, "{beam}");
    }
    let loss = &first.models["default"].parts["test"].loss.of_seeds;
    for (this, that) in decoder.exposure.all.after_true.of_seeds.iter().zip(loss) {
        assert_close!(*this, *that, 1e-3); // word by word, and in one pass
    }
}

/// No search finds more probable translations than the widest one that ranks by probability.
#[test]
fn what_is_found_by_pruning_is_the_most_probable() {
    let beams = of_the_decoder().beams;
    let best = &beams["pruned_64_alpha_0"].more.log_probability.of_seeds;
    for (name, beam) in &beams {
        let pairs = beam.more.log_probability.of_seeds.iter().zip(best);
        assert!(pairs.clone().all(|(this, best)| this <= best), "{name}");
    }
}

/// Nothing in the sentences about people is unknown, and nobody but the nurse and the girl is *she*.
#[test]
fn the_sentences_about_people_have_known_words() {
    let corpus = Corpus::generated(committed().plan.training_pairs, 1, 0);
    let groups = decoder::sentences();
    let (names, sizes): (Vec<_>, Vec<_>) =
        groups.iter().map(|(name, sentences)| (&name[..], sentences.len())).unzip();
    assert_eq!(names[..2], ["masculine_he", "masculine_she"]);
    assert_eq!(sizes, [288, 288, 48, 48, 48, 48, 48, 48]);
    for sentence in groups.iter().flat_map(|(_, sentences)| sentences) {
        let numbers = corpus.source.encode(sentence);
        assert!(!numbers.contains(&seq2seq::UNKNOWN), "{sentence:?}");
    }
}

/// The test part is drawn before the training part, so a small corpus has the same one.
#[test]
fn the_references_with_words_exchanged_are_scored_again() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/bleu");
    let found = exchanged(&Corpus::generated(100, 1, 0).tests[0]);
    assert_eq!(found, tests::chapter::results::<Exchanged>(folder));
}
