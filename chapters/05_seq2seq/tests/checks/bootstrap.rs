//! Intervals by resampling: against the same corpora written out, and where the answer is known.

use proptest::prelude::*;
use rand::RngExt;
use seq2seq::bleu::{Counts, corpus_bleu, sentence_counts};
use workbench::statistics::{Bootstrap, Interval};

type Sentence = Vec<String>;

/// A reference of words that may repeat, and what systems make of it.
fn corpus() -> impl Strategy<Value = (Vec<Sentence>, [Vec<Sentence>; 3])> {
    let sentence = || prop::collection::vec((0..4).prop_map(|word: i32| word.to_string()), 4..9);
    prop::collection::vec((sentence(), [sentence(), sentence(), sentence()]), 1..8).prop_map(
        |all| {
            let references = all.iter().map(|(reference, _)| reference.clone()).collect();
            let system = |s: usize| all.iter().map(|(_, systems)| systems[s].clone()).collect();
            (references, [system(0), system(1), system(2)])
        },
    )
}

/// Every resampled corpus written out and scored from its words.
fn naive(
    systems: [&[Vec<Sentence>]; 2],
    references: &[Sentence],
    resamplings: usize,
    seed: u64,
) -> Vec<f64> {
    let rng = &mut shared::rng(seed);
    let score = |system: &[Vec<Sentence>], drawn: &[usize]| {
        let pick = |from: &[Sentence]| drawn.iter().map(|&i| from[i].clone()).collect::<Vec<_>>();
        let scores = system.iter().map(|seed| corpus_bleu(&pick(seed), &pick(references)));
        scores.sum::<f64>() / system.len() as f64
    };
    let differences = (0..resamplings).map(|_| {
        let drawn: Vec<usize> =
            references.iter().map(|_| rng.random_range(0..references.len())).collect();
        score(systems[0], &drawn) - score(systems[1], &drawn)
    });
    let mut found: Vec<f64> = differences.collect();
    found.sort_by(f64::total_cmp);
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn sums_of_counts_are_as_good_as_words((references, systems) in corpus(), seed in 0u64..99) {
        let of = |system: &[Sentence]| sentence_counts(system, &references);
        let [a, b, c] = &systems;
        let bootstrap = Bootstrap { resamplings: 40, level: 0.9 };
        let two = [of(a), of(b)];
        let found = bootstrap.difference(&two, &[of(c)], &mut shared::rng(seed));
        let expected = naive([&[a.clone(), b.clone()], std::slice::from_ref(c)], &references, 40, seed);
        prop_assert_eq!((found.low, found.high), (expected[2], expected[37]));

        // The other way round it is the same interval, mirrored.
        let mirrored = bootstrap.difference(&[of(c)], &two, &mut shared::rng(seed));
        prop_assert_eq!((-mirrored.low, -mirrored.high), (found.high, found.low));
        prop_assert_eq!(-mirrored.estimate, found.estimate);

        // A system does not differ from itself, however its scores move.
        let none = bootstrap.difference(&two, &two, &mut shared::rng(seed));
        prop_assert_eq!(none, Interval { estimate: 0.0, low: 0.0, high: 0.0 });
        prop_assert!(!none.excludes_zero());

        let alone = bootstrap.score(&[of(a)], &mut shared::rng(seed));
        prop_assert_eq!(alone.estimate, corpus_bleu(a, &references));
        prop_assert!(alone.low <= alone.high);
    }
}

#[test]
#[should_panic(expected = "[1, 2] sentences: not the same ones")]
fn systems_translate_the_same_sentences() {
    let counts = |n| vec![vec![Counts::default(); n]];
    Bootstrap::default().difference(&counts(1), &counts(2), &mut shared::rng(0));
}
