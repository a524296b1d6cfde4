//! Masked words, how far heads look, and what they find.

use super::experiment::committed;
use self_attention::experiment::heads::filler::{Batch, judge};
use self_attention::experiment::heads::looking::distance;
use self_attention::experiment::heads::texts::{Asked, Text, texts};
use self_attention::experiment::heads::{Config, Heads, Kind, measure};
use shared::{Float, Matrix, Module, Tape};
use std::collections::HashSet;
use tests::assert_close;
use worlds::parallel::{EXAMPLES, Link, Relation};

/// With equal weights, the mean of |i − j| over all pairs is (n² − 1)/(3n).
#[test]
fn the_distance_of_equal_weights_is_known() {
    for n in [1usize, 2, 5, 12] {
        let equal = Matrix::from_element(n, n, 1.0 / n as Float);
        assert_close!(distance(&equal), (n * n - 1) as Float / (3 * n) as Float, 1e-5);
    }
    let mut next = Matrix::zeros(3, 3); // 0 looks at 1, 1 at 2, 2 at 0
    for place in [(1, 0), (2, 1), (0, 2)] {
        next[place] = 1.0;
    }
    assert_close!(distance(&next), 4.0 / 3.0, 1e-6);
}

/// Six questions from three relations; a noun with two adjectives is not asked for one.
#[test]
fn relations_are_asked_from_both_ends() {
    let link = |relation, dependent, head| Link { relation, dependent, head };
    let text =
        |words: &str, links| Text { words: words.split(' ').map(String::from).collect(), links };
    let cats = text(
        "the old black cats see a dog",
        vec![
            link(Relation::Determiner, 0, 3),
            link(Relation::Adjective, 1, 3),
            link(Relation::Adjective, 2, 3),
            link(Relation::Subject, 3, 4),
            link(Relation::Determiner, 5, 6),
        ],
    );
    assert_eq!(Asked::NounOfDeterminer.questions(&cats), [(0, 3), (5, 6)]);
    assert_eq!(Asked::DeterminerOfNoun.questions(&cats), [(3, 0), (6, 5)]);
    assert_eq!(Asked::NounOfAdjective.questions(&cats), [(1, 3), (2, 3)]);
    assert_eq!(Asked::AdjectiveOfNoun.questions(&cats), []);
    assert_eq!(Asked::SubjectOfVerb.questions(&cats), [(4, 3)]);
    assert_eq!(Asked::VerbOfSubject.questions(&cats), [(3, 4)]);
}

#[test]
fn no_sentence_is_twice() {
    let parts = texts([300, 50, 50], &mut shared::rng(1));
    let all: HashSet<String> = parts.iter().flatten().map(|text| text.words.join(" ")).collect();
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
    assert_eq!((found.filled.len(), found.relations.len()), (6, 6));
    for (name, followed) in &found.relations {
        assert!(followed.asked > 5 && followed.always > 0.1, "{name}: {followed:?}");
    }
}

/// What the page says in words: which rows are distinguished, and what a fixed distance finds.
#[test]
fn the_pages_sentences_follow_from_the_numbers() {
    let Heads { filled, relations, distances, uniform, .. } = committed().heads;
    let smaller = |one: &str, other: &str| {
        workbench::smaller(&filled[one].loss.of_seeds, &filled[other].loss.of_seeds)
    };
    for (one, other) in [("h2", "h1"), ("h4", "h2"), ("gru", "both"), ("both", "h4")] {
        assert_eq!(smaller(one, other), Some(true), "{one} {other}");
    }
    assert_eq!(smaller("h8", "h4"), None);
    for (name, followed) in &relations {
        let fixed = followed.best.lowest > followed.always.into();
        assert_eq!(fixed, name == "determiner_of_noun", "{name}");
        assert!(fixed || followed.best.highest < followed.always.into(), "{name}");
        let learnt = followed.best.lowest > followed.best_untrained.highest;
        assert_eq!(learnt, name != "adjective_of_noun", "{name}");
    }
    let determiner = &relations["determiner_of_noun"];
    let more = determiner.best.of_seeds.iter().map(|found| found - f64::from(determiner.always));
    let more: Vec<_> = more.map(|more| (100.0 * more).round()).collect();
    assert_eq!(more, [18.0, 6.0, 19.0]);
    assert!(determiner.best.mean - f64::from(determiner.always) >= 0.14);
    let all = || distances.iter().flatten();
    let nearer = all().filter(|distance| distance.after < uniform).count();
    assert!(2 * nearer > all().count() && nearer < all().count());
}
