//! Masked words.

use super::experiment::committed;
use parallel::EXAMPLES;
use self_attention::program::heads::filler::{Batch, judge};
use self_attention::program::heads::texts::texts;
use self_attention::program::heads::{Config, Kind, measure};
use shared::{Float, Matrix, Module, Tape};
use std::collections::HashSet;
use tests::assert_close;

#[test]
fn no_sentence_is_twice() {
    let parts = texts([300, 50, 50], &mut shared::rng(1));
    let all: HashSet<String> = parts.iter().flatten().map(|words| words.join(" ")).collect();
    assert_eq!(all.len(), 400);
    assert!(EXAMPLES.iter().all(|pair| !all.contains(pair.0)));
}

const SENTENCES: [&[usize]; 3] = [&[3, 4, 5, 6, 7], &[5, 3], &[9, 8, 7, 6, 5, 4, 3]];

/// What is hidden cannot be seen: another word in its place changes nothing.
#[test]
fn a_hidden_word_is_hidden() {
    for kind in Kind::ALL {
        let filler = kind.filler(10, 2);
        let logits = |word: usize| {
            let (sentence, tape) = ([3, 4, word, 6], Tape::without_gradients());
            let batch = Batch::new(vec![(&sentence, vec![2]), (SENTENCES[1], vec![0])]);
            Matrix::clone(&filler.logits(&tape, &batch).value())
        };
        assert_eq!(logits(5), logits(8), "{}", kind.name());
    }
}

/// Sentences of a batch do not see each other, however long they are.
#[test]
fn a_batch_equals_its_sentences_one_by_one() {
    for kind in Kind::ALL {
        let filler = kind.filler(10, 3);
        let whole = judge(&filler, &SENTENCES.map(<[usize]>::to_vec)).0;
        let words = SENTENCES.map(|sentence| sentence.len() as Float);
        let alone = SENTENCES.map(|sentence| judge(&filler, &[sentence.to_vec()]).0);
        let mean = alone.iter().zip(words).map(|(loss, n)| loss * n).sum::<Float>();
        assert_close!(whole, mean / words.iter().sum::<Float>(), 1e-5, "{}", kind.name());
    }
}

/// Heads cost nothing, and the other models have as many parameters within two percent.
#[test]
fn models_of_equal_size_are_compared() {
    let counts = Kind::ALL.map(|kind| kind.filler(committed().heads.words, 4).parameter_count());
    assert!(counts[..4].iter().all(|count| *count == counts[0]), "{counts:?}");
    for (kind, count) in Kind::ALL.iter().zip(counts) {
        assert!((count as Float / counts[0] as Float - 1.0).abs() < 0.02, "{counts:?}");
        assert_eq!(count, committed().heads.filled[&kind.name()].parameters);
    }
}

/// A training much too short to learn anything runs from one end to the other.
#[test]
fn the_measurement_runs() {
    let config = Config { seeds: 1, epochs: 1, sentences: [128, 40, 40], ..Config::default() };
    let found = measure(&config).expect("a training");
    assert_eq!(found.filled.len(), Kind::ALL.len());
}

/// What the page says in words: which rows are distinguished.
#[test]
fn the_pages_sentences_follow_from_the_numbers() {
    let filled = committed().heads.filled;
    let smaller = |one: &str, other: &str| {
        workbench::smaller(&filled[one].loss.of_seeds, &filled[other].loss.of_seeds)
    };
    for (one, other) in [("h2", "h1"), ("h4", "h2"), ("gru", "both"), ("both", "h4")] {
        assert_eq!(smaller(one, other), Some(true), "{one} {other}");
    }
    assert_eq!(smaller("h8", "h4"), None);
}
