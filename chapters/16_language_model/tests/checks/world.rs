//! Probabilities of the next word, and that all answers are true.

use language_model::world::{BEGIN, WORDS, World, answers, number, surprisals, text};
use shared::rng;
use std::collections::HashMap;

fn spoken(text: &[usize]) -> String {
    text.iter().skip(1).map(|word| WORDS[*word]).collect::<Vec<_>>().join(" ")
}

fn numbers(text: &str) -> Vec<usize> {
    let words = text.split_whitespace().map(|word| number(word).unwrap());
    std::iter::once(BEGIN).chain(words).collect()
}

#[test]
fn probabilities_sum_to_one_and_texts_are_possible() {
    for seed in 0..50 {
        let text = text(200, &mut rng(seed));
        let mut world = World::default();
        for word in &text {
            let next = world.next();
            assert!(
                (next.iter().map(|(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-12,
                "{}",
                spoken(&text)
            );
            world.read(*word);
        }
        assert!(surprisals(&text).iter().all(|s| s.is_finite()));
    }
}

/// A text worked out by hand: the place of everybody and everything, and what follows from it.
#[test]
fn what_may_come_next_is_what_is_so() {
    let mut world = World::default();
    let story = "there is a cup in the attic . anna went to the attic . anna took the cup . anna went to the garden . where is the cup ? the cup is in the";
    numbers(story).into_iter().for_each(|word| world.read(word));
    assert_eq!(world.next(), [(number("garden").unwrap(), 1.0)]);
    numbers("garden . anna left the").into_iter().for_each(|word| world.read(word));
    assert_eq!(world.next(), [(number("cup").unwrap(), 1.0)]);
    numbers("cup . anna").into_iter().for_each(|word| world.read(word));
    let [went, took] = ["went", "took"].map(|word| number(word).unwrap());
    assert_eq!(world.next(), [(went, 0.5), (took, 0.5)]);
}

/// −ln p of a short text, added up by hand.
#[test]
fn surprisals_are_those_of_the_choices() {
    // The first sentence shows a thing (3/10) or is about a person (7/10 for four); then one of five places.
    let found: f64 = surprisals(&numbers("nina went to the hall .")).iter().sum();
    assert!((found - (4.0_f64 / 0.7).ln() - 5.0_f64.ln()).abs() < 1e-12);
    assert!(surprisals(&numbers("nina took the")).contains(&f64::INFINITY));
}

/// Drawn words are as frequent as the world says.
#[test]
fn texts_are_drawn_from_these_probabilities() {
    let mut firsts: HashMap<usize, f64> = HashMap::new();
    for seed in 0..4000 {
        *firsts.entry(text(1, &mut rng(seed))[1]).or_default() += 1.0 / 4000.0;
    }
    for (word, p) in World::default().next() {
        assert!((firsts[&word] - p).abs() < 0.03, "{}", WORDS[word]);
    }
}

#[test]
fn answers_are_where_the_truth_is_asked() {
    let text = numbers(
        "omar went to the hall . where is omar ? omar is in the hall . there is a cup in the hall .",
    );
    assert_eq!(answers(&text), [15]);
}
