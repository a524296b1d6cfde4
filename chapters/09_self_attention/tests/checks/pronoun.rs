//! Sentences in which *it* can be either of two nouns, and the model that names the right one.

use corpora::Vocabulary;
use scoring_functions::AttentionMask;
use self_attention::program::sentences::{FAMILIES, Sentence, corpus, examples};
use self_attention::program::weights;
use self_attention::reader::{NEAR, Resolver};
use shared::rng;
use std::collections::{HashMap, HashSet};

const SMALL: [usize; 3] = [2, 1, 1];

fn vocabulary(sentences: &[Sentence]) -> Vocabulary {
    Vocabulary::new(sentences.iter().map(|sentence| sentence.words.as_slice()), 1)
}

fn nouns(sentence: &Sentence) -> [&String; 2] {
    let mut nouns = sentence.nouns.map(|place| &sentence.words[place]);
    nouns.sort_unstable();
    nouns
}

/// In every part and family, the first noun is right in half of the sentences.
#[test]
fn places_do_not_decide() {
    for part in corpus(SMALL, &mut rng(1)) {
        for family in 0..FAMILIES.len() {
            let of: Vec<_> = part.iter().filter(|s| s.family == family).collect();
            let first = of.iter().filter(|s| s.referent == s.nouns[0]).count();
            assert_eq!(2 * first, of.len(), "{family}");
            let distances: HashSet<_> = of.iter().map(|s| s.it - s.referent).collect();
            assert!(distances.len() > 8, "{family}: {distances:?}");
        }
    }
}

/// Two nouns that meet in one part meet in no other, and all words of the test occur in training.
#[test]
fn the_parts_share_words_and_no_pair_of_nouns() {
    let parts = corpus(SMALL, &mut rng(2));
    let [training, validation, test] = [0, 1, 2].map(|part| {
        let pairs = parts[part].iter().map(|sentence| nouns(sentence).map(String::clone));
        pairs.collect::<HashSet<[String; 2]>>()
    });
    assert!(training.is_disjoint(&validation) && training.is_disjoint(&test));
    assert!(validation.is_disjoint(&test));
    for sentence in examples().iter().flatten() {
        assert!(test.contains(&nouns(sentence).map(String::clone)));
    }
    let known = vocabulary(&parts[0]);
    assert!(parts[2].iter().flat_map(|s| &s.words).all(|word| known.id(word).is_some()));
}

/// Where nouns may change places, the words of each sentence make another one with another answer:
/// a model that does not know their order is right in half of them at most.
#[test]
fn swapped_nouns_have_the_same_words_and_other_answers() {
    let [.., test] = corpus(SMALL, &mut rng(3));
    let mut bags: HashMap<Vec<&String>, Vec<&String>> = HashMap::new();
    for sentence in test.iter().filter(|sentence| sentence.family > 0) {
        let mut words: Vec<&String> = sentence.words.iter().collect();
        words.sort_unstable();
        bags.entry(words).or_default().push(answer(sentence));
    }
    assert!(bags.len() > 100);
    for answers in bags.values() {
        let first = answers.iter().filter(|answer| *answer == &answers[0]).count();
        assert_eq!(2 * first, answers.len(), "{answers:?}");
    }
}

fn answer(sentence: &Sentence) -> &String {
    &sentence.words[sentence.referent]
}

/// In the first block, nothing beyond the window has weight; in the second, everything has.
#[test]
fn the_first_block_sees_its_window() {
    let [[sentence, _], _] = examples();
    let known = vocabulary(std::slice::from_ref(&sentence));
    let model = Resolver::new(known.len(), NEAR, &mut rng(5));
    let blocks = weights(&model.reader, std::slice::from_ref(&sentence), &known);
    let AttentionMask::Window { behind, ahead } = NEAR else { panic!("a window") };
    let n = sentence.words.len();
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let near = i + behind >= j && i <= j + ahead;
        assert_eq!(blocks[0].of(0, 0)[(i, j)] > 0.0, near, "{i} {j}");
        assert!(blocks[1].of(0, 0)[(i, j)] > 0.0);
    }
}
