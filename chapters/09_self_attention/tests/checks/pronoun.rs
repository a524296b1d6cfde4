//! Sentences in which *it* can be either of two nouns, and those who name the right one.

use super::experiment::committed;
use corpora::Vocabulary;
use scoring_functions::Sight;
use self_attention::program::pronoun::guesser::{Batch, Guesser, looks, right};
use self_attention::program::pronoun::sentences::{Family, Sentence, Sizes, corpus, examples};
use self_attention::program::pronoun::{Config, Numbers, Pronoun, measure};
use self_attention::reader::NEAR;
use shared::{Matrix, Tape, rng};
use std::collections::{HashMap, HashSet};

const SMALL: Sizes = Sizes([2, 1, 1]);

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
        for family in Family::ALL {
            let of: Vec<_> = part.iter().filter(|s| s.family == family).collect();
            let first = of.iter().filter(|s| s.referent == s.nouns[0]).count();
            assert_eq!(2 * first, of.len(), "{family:?}");
            let distances: HashSet<_> = of.iter().map(|s| s.it - s.referent).collect();
            assert!(distances.len() > 8, "{family:?}: {distances:?}");
        }
    }
}

/// Two nouns that meet in one part meet in no other, and all words of the test occur in training.
#[test]
fn the_parts_share_words_and_no_pair_of_nouns() {
    let parts = corpus(SMALL, &mut rng(2));
    let pairs = |part: &[Sentence]| -> HashSet<[String; 2]> {
        part.iter().map(|sentence| nouns(sentence).map(String::clone)).collect()
    };
    let [training, validation, test] = [0, 1, 2].map(|part| pairs(&parts[part]));
    assert!(training.is_disjoint(&validation) && training.is_disjoint(&test));
    assert!(validation.is_disjoint(&test));
    for sentence in examples().iter().flatten() {
        assert!(test.contains(&nouns(sentence).map(String::clone)));
    }
    let known = vocabulary(&parts[0]);
    assert!(parts[2].iter().flat_map(|s| &s.words).all(|word| known.id(word).is_some()));
}

/// Where nouns may change places, the words of each sentence make another one with another answer:
/// whoever does not know their order is right in half of them at most.
#[test]
fn a_bag_of_words_cannot_tell_swapped_nouns_apart() {
    let [.., test] = corpus(SMALL, &mut rng(3));
    let known = vocabulary(&test);
    let mut bags: HashMap<Vec<&String>, Vec<&Sentence>> = HashMap::new();
    for sentence in test.iter().filter(|sentence| sentence.family.swaps()) {
        let mut words: Vec<&String> = sentence.words.iter().collect();
        words.sort_unstable();
        bags.entry(words).or_default().push(sentence);
    }
    let guesser = Guesser::bag(known.len(), &mut rng(4));
    assert!(bags.len() > 100);
    for twins in bags.values() {
        let answers: HashSet<&String> = twins.iter().map(|sentence| sentence.answer()).collect();
        assert_eq!((twins.len() % 2, answers.len()), (0, 2), "{twins:?}");
        let right = right(&guesser, twins, &known).into_iter().filter(|right| *right).count();
        assert!(right <= twins.len() / 2);
    }
}

/// The two families of the examples, word by word.
#[test]
fn examples_are_the_known_ones() {
    let [[tired, wide], [big, small]] = examples();
    assert_eq!(
        tired.words.join(" "),
        "the animal did not cross the street because it was too tired"
    );
    assert_eq!((tired.answer().as_str(), wide.answer().as_str()), ("animal", "street"));
    assert_eq!(
        small.words.join(" "),
        "the trophy did not fit into the suitcase because it was too small"
    );
    assert_eq!((big.answer().as_str(), small.answer().as_str()), ("trophy", "suitcase"));
    assert_eq!(&small.words[small.it], "it");
}

/// In the first block, nothing beyond the window has weight; in the second, everything has.
#[test]
fn the_first_block_sees_its_window() {
    let [[sentence, _], _] = examples();
    let known = vocabulary(std::slice::from_ref(&sentence));
    let mut guesser = Guesser::attention(known.len(), NEAR, &mut rng(5));
    let blocks = looks(guesser.reader(), &[&sentence], &known);
    let Sight::Window { behind, ahead } = NEAR else { panic!("a window") };
    let n = sentence.words.len();
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let near = i + behind >= j && i <= j + ahead;
        assert_eq!(blocks[0].of(0, 0)[(i, j)] > 0.0, near, "{i} {j}");
        assert!(blocks[1].of(0, 0)[(i, j)] > 0.0);
    }
}

/// A silent head adds nothing, and speaks as before when it is restored.
#[test]
fn a_head_can_be_silenced_and_restored() {
    let [[sentence, _], _] = examples();
    let known = vocabulary(std::slice::from_ref(&sentence));
    let mut guesser = Guesser::attention(known.len(), NEAR, &mut rng(6));
    let logits = |guesser: &Guesser| {
        let tape = Tape::without_gradients();
        Matrix::clone(&guesser.logits(&tape, &Batch::new(&[&sentence], &known)).value())
    };
    let before = logits(&guesser);
    for head in guesser.reader().heads() {
        let kept = guesser.reader().silence(head);
        assert!((logits(&guesser) - &before).amax() > 1e-3, "{head:?}");
        guesser.reader().restore(head, kept);
        assert_eq!(logits(&guesser), before);
    }
    let heads = guesser.reader().heads();
    heads.iter().for_each(|head| drop(guesser.reader().silence(*head)));
    let reader = guesser.reader();
    assert!(reader.blocks.iter().all(|block| block.w_o.weight.value().amax() == 0.0));
}

/// A training much too short to learn anything runs from one end to the other.
#[test]
fn the_measurement_runs() {
    let config = Config { seeds: 1, epochs: 1, sizes: Sizes([1, 1, 1]), ..Config::default() };
    let found = measure(&config).expect("a training");
    let found = found.numbers;
    assert_eq!((found.first.mean, found.nearest.mean), (0.5, 0.5));
    assert!(found.bag.family["fit"].mean <= 0.5 && found.bag.family["catch"].mean <= 0.5);
    let then = committed().pronoun.numbers;
    assert_eq!((found.words, found.parameters), (then.words, then.parameters));
}

/// What the page says in words: the window decides here, heads follow where they did not before, and
/// the head that points is not the one that is missed most.
#[test]
fn the_pages_sentences_follow_from_the_numbers() {
    let Pronoun { numbers, heads, .. } = committed().pronoun;
    let Numbers { attention, everywhere, bag, looks, without, without_another, .. } = numbers;
    assert!(attention.all.lowest > everywhere.all.highest);
    for family in Family::ALL.iter().filter(|family| family.swaps()) {
        assert!(bag.family[family.name()].highest <= 0.5);
        assert!(attention.family[family.name()].lowest > 0.8);
    }
    assert!(looks.trained.lowest > 0.8 && looks.best_untrained.highest < 0.2);
    assert!(heads.iter().all(|head| head.block == 1));
    assert!(without.mean > without_another.mean);
    let pairs = without.of_seeds.iter().zip(&without_another.of_seeds);
    assert!(pairs.into_iter().all(|(without, another)| without > another));
}
