//! Decoding a model whose probabilities are known, and models that answer nonsense.

use corpora::{BEGIN, END};
use proptest::prelude::*;
use rand::RngExt;
use seq2seq::decoding::{
    PER_WORD, Pruned, Translation, beam, beam_all, beam_within, greedy, greedy_all, greedy_within,
    pruned_all, sample, word_limit, words_per_word,
};
use seq2seq::{Batch, Next, Translator};
use shared::{Float, Matrix, Module, Tape, Var, Visitor, rng};

/// A model whose probabilities are any function of the words so far.
struct Toy<F>(F);

impl<F> Module for Toy<F> {
    fn visit(&mut self, _: &mut Visitor) {}
}

impl<F: Fn(&[usize]) -> Vec<Float> + Sync> Translator for Toy<F> {
    /// The words of every hypothesis, the begin word first.
    type State = Vec<Vec<usize>>;

    fn loss<'t>(&self, _: &'t Tape, _: &Batch) -> Var<'t> {
        unreachable!("decoding needs no loss")
    }

    fn encode(&self, sources: &[&[usize]]) -> Vec<Vec<usize>> {
        vec![Vec::new(); sources.len()]
    }

    /// The weights are the number of words so far and the last of them, to recognise them by.
    fn next(&self, state: &mut Vec<Vec<usize>>, last: &[usize]) -> Next {
        state.iter_mut().zip(last).for_each(|(words, last)| words.push(*last));
        let answers: Vec<_> = state.iter().map(|words| (self.0)(&words[1..])).collect();
        let rows = answers.iter().map(Vec::len).max().unwrap_or(0);
        let log_probabilities = Matrix::from_fn(rows, answers.len(), |i, j| {
            answers[j].get(i).copied().unwrap_or(Float::NEG_INFINITY)
        });
        let weights = state.iter().map(|words| [words.len(), words[words.len() - 1]]);
        let alignments = weights.map(|numbers| numbers.map(|n| n as Float).to_vec()).collect();
        Next { log_probabilities, alignments }
    }

    fn select(&self, state: &mut Vec<Vec<usize>>, chosen: &[usize]) {
        *state = chosen.iter().map(|&j| state[j].clone()).collect();
    }
}

fn log(probabilities: &[f64]) -> Vec<Float> {
    probabilities.iter().map(|p| p.ln() as Float).collect()
}

/// Some distribution over END, 3 and 4 for every beginning.
fn scattered(seed: u64) -> Toy<impl Fn(&[usize]) -> Vec<Float> + Sync> {
    Toy(move |words: &[usize]| {
        let hash = words.iter().fold(seed, |hash, word| {
            (hash ^ *word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        });
        let mut rng = rng(hash);
        let p: Vec<f64> = (0..5).map(|_| rng.random::<f64>()).collect();
        let sum: f64 = p.iter().sum();
        log(&p.iter().map(|p| p / sum).collect::<Vec<_>>())
    })
}

/// Every sentence of END, 3 and 4 that ends within the limit, with its log-probability.
fn all_sentences(
    model: &impl Translator<State = Vec<Vec<usize>>>,
    limit: usize,
) -> Vec<(Vec<usize>, f64)> {
    let mut open = vec![(Vec::new(), 0.0)];
    let mut ended = Vec::new();
    for _ in 0..limit {
        let mut longer = Vec::new();
        for (words, log_p) in open {
            let said = [&[BEGIN], &words[..]].concat();
            let (last, before) = said.split_last().unwrap();
            let log_probabilities =
                model.next(&mut vec![before.to_vec()], &[*last]).log_probabilities;
            ended.push((words.clone(), log_p + f64::from(log_probabilities[END])));
            for word in [3, 4] {
                longer.push((
                    [&words[..], &[word]].concat(),
                    log_p + f64::from(log_probabilities[word]),
                ));
            }
        }
        open = longer;
    }
    ended
}

const SOURCE: [usize; 1] = [END]; // so at most 10 words

#[test]
fn length_normalisation_chooses_between_short_and_long() {
    // The empty sentence: 0.4. Words 3 and 4: 0.6 · 0.8 · 0.8 = 0.384, except for three factors.
    let model = Toy(|words: &[usize]| match words {
        [] => log(&[0.0, 0.0, 0.4, 0.6, 0.0]),
        [3] => log(&[0.0, 0.0, 0.1, 0.1, 0.8]),
        _ => log(&[0.0, 0.0, 0.8, 0.1, 0.1]),
    });
    let words = |alpha| beam(&model, &SOURCE, 3, alpha).words;
    assert_eq!(words(0.0), [0; 0]);
    assert_eq!(words(1.0), [3, 4]);
    // ln 0.4 = −0.9163, ln 0.384 = −0.9571: equal scores at 3^alpha = 0.9571/0.9163
    let even = (0.384_f64.ln() / 0.4_f64.ln()).ln() / 3_f64.ln();
    assert_eq!((words(even - 0.001), words(even + 0.001)), (vec![], vec![3, 4]));
}

/// A beam of two: the empty sentence ends in one place at once; in the other the search goes on with 3
/// alone. Had it two places again, as where bounds prune, 4 would be kept and lead to the best sentence.
#[test]
fn what_has_ended_keeps_its_place_unless_the_beam_is_pruned() {
    let model = Toy(|words: &[usize]| match words {
        [] => log(&[0.0, 0.0, 0.3, 0.5, 0.2]),
        [3] => log(&[0.0, 0.0, 0.1, 0.5, 0.4]),
        [3, 4] => log(&[0.0, 0.0, 1.0, 0.0, 0.0]),
        _ => log(&[0.0, 0.0, 0.5, 0.5, 0.0]),
    });
    assert_eq!(beam(&model, &SOURCE, 2, 1.0).words, [3, 3]);
    assert_eq!(beam(&model, &SOURCE, 3, 1.0).words, [3, 4]);
    let found = pruned_all(&model, &[&SOURCE], 2, 1.0).remove(0);
    assert_eq!(found.translation.words, [3, 4]);
    // ln 0.3 of the empty sentence is above ln 0.25 and ln 0.2, all that is left after a word.
    let found = pruned_all(&model, &[&SOURCE], 2, 0.0).remove(0);
    assert_eq!((found.translation.words.len(), found.proven), (0, true));
}

#[test]
fn a_translation_without_end_is_cut_off() {
    let model = Toy(|_: &[usize]| log(&[0.0, 0.0, 0.0, 0.5, 0.5]));
    for found in [greedy(&model, &[4, 3, END]), beam(&model, &[4, 3, END], 3, 1.0)] {
        assert_eq!((found.words, found.ended), (vec![3; 14], false));
        assert!((found.log_probability - 14.0 * f64::from((0.5 as Float).ln())).abs() < 1e-9);
    }
}

/// Letters for words: eighteen for two, of which a likelier beginning than a short sentence must tell.
#[test]
fn the_limit_is_that_of_what_was_learnt_from() {
    let per_word = words_per_word(&[(3, 3), (3, 19), (2, 6)]);
    assert_eq!((per_word, words_per_word(&[(3, 3)])), (5.0, PER_WORD));
    let model = Toy(|words: &[usize]| match words {
        [] => log(&[0.0, 0.0, 0.1, 0.9, 0.0]),
        _ if words.len() < 18 => log(&[0.0, 0.0, 0.0, 1.0, 0.0]),
        _ => log(&[0.0, 0.0, 1.0, 0.0, 0.0]),
    });
    let source: &[usize] = &[4, 3, END];
    let found = beam(&model, source, 2, 1.0);
    assert_eq!((found.words.len(), found.ended, found.cut), (0, true, true));
    for found in [
        beam_within(&model, &[source], 2, 1.0, per_word).remove(0),
        greedy_within(&model, &[source], per_word).remove(0),
    ] {
        assert_eq!((found.words, found.ended, found.cut), (vec![3; 18], true, false));
    }
}

#[test]
fn special_words_are_never_produced() {
    let model = Toy(|words: &[usize]| match words {
        [] => log(&[0.5, 0.3, 0.05, 0.1, 0.05]),
        _ => log(&[0.5, 0.3, 0.2, 0.0, 0.0]),
    });
    for found in [greedy(&model, &SOURCE), beam(&model, &SOURCE, 1, 0.0)] {
        assert_eq!((found.words, found.ended), (vec![3], true));
        // The probability is the model's: the special words' part is not shared out.
        assert!((found.log_probability - 0.02_f64.ln()).abs() < 1e-6);
    }
    let mut rng = rng(0);
    for _ in 0..1000 {
        let words = sample(&model, &SOURCE, 3.0, &mut rng).words;
        assert!(words.iter().all(|word| *word == 3 || *word == 4), "{words:?}");
    }
}

#[test]
fn weights_stand_in_the_column_of_the_word_they_chose() {
    let model = Toy(|words: &[usize]| match words {
        [] => log(&[0.0, 0.0, 0.0, 0.6, 0.4]),
        [_] => log(&[0.0, 0.0, 0.1, 0.0, 0.9]),
        _ => log(&[0.0, 0.0, 1.0, 0.0, 0.0]),
    });
    let expected = Matrix::from_row_slice(2, 2, &[1.0, 2.0, BEGIN as Float, 3.0]);
    for found in [greedy(&model, &SOURCE), beam(&model, &SOURCE, 2, 1.0)] {
        assert_eq!((found.words, found.alignment), (vec![3, 4], expected.clone()));
    }
    let silent = Toy(|_: &[usize]| log(&[0.0, 0.0, 1.0]));
    assert_eq!(greedy(&silent, &SOURCE).alignment.shape(), (0, 0));
}

/// `Σ (counted − expected)²/expected` of 20,000 first words against their probabilities.
fn chi_square(temperature: f64, expected: [f64; 4]) -> f64 {
    let model = Toy(|words: &[usize]| match words {
        [] => log(&[0.1, 0.1, 0.0, 0.08, 0.16, 0.24, 0.32]),
        _ => log(&[0.1, 0.1, 0.8, 0.0, 0.0, 0.0, 0.0]),
    });
    let (mut counts, mut rng) = ([0.0; 4], rng(7));
    for _ in 0..20_000 {
        counts[sample(&model, &SOURCE, temperature, &mut rng).words[0] - 3] += 1.0;
    }
    let pairs = counts.into_iter().zip(expected.map(|p| 20_000.0 * p));
    pairs.map(|(count, expected)| (count - expected).powi(2) / expected).sum()
}

#[test]
fn words_are_drawn_with_their_probabilities() {
    // With three degrees of freedom 16.27 is exceeded by chance once in 1000 seeds.
    assert!(chi_square(1.0, [0.1, 0.2, 0.3, 0.4]) < 16.27);
    let roots = [1.0, 2.0, 3.0, 4.0].map(f64::sqrt);
    let flatter = roots.map(|root| root / roots.iter().sum::<f64>());
    assert!(chi_square(2.0, flatter) < 16.27);
    let squares = [1.0, 4.0, 9.0, 16.0].map(|square| square / 30.0);
    assert!(chi_square(0.5, squares) < 16.27);
    assert!(chi_square(1e9, [0.25; 4]) < 16.27);
    // The test distinguishes the temperatures.
    assert!(chi_square(1.0, flatter) > 100.0);
    assert!(chi_square(1.0, squares) > 100.0);
}

#[test]
#[should_panic(expected = "a temperature of 0: it must be positive")]
fn a_temperature_of_zero_is_refused() {
    sample(&scattered(0), &SOURCE, 0.0, &mut rng(0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_wide_beam_finds_what_trying_all_sentences_finds(seed: u64, alpha in 0.0..1.5) {
        let model = scattered(seed);
        let found = beam(&model, &SOURCE, 3000, alpha);
        let all = all_sentences(&model, word_limit(&SOURCE, PER_WORD));
        prop_assert_eq!(all.len(), 1023); // 1 + 2 + 4 + … + 512
        let score = |(words, log_p): &(Vec<usize>, f64)| log_p / (words.len() as f64 + 1.0).powf(alpha);
        let best = all.iter().max_by(|a, b| score(a).total_cmp(&score(b))).unwrap();
        prop_assert_eq!(&found.words, &best.0);
        prop_assert!((found.log_probability - best.1).abs() < 1e-9 && found.ended);
    }

    /// What is said to be proven is the best of all sentences; a beam that drops nothing proves it.
    #[test]
    fn a_pruned_beam_knows_when_it_has_found_the_best(seed: u64, width in 1_usize..7, alpha in 0.0..1.5) {
        let model = scattered(seed);
        let score = |words: usize, log_p: f64| log_p / (words as f64 + 1.0).powf(alpha);
        let all = all_sentences(&model, word_limit(&SOURCE, PER_WORD));
        let best = all.iter().map(|(words, log_p)| score(words.len(), *log_p)).fold(f64::NEG_INFINITY, f64::max);
        for (width, alone) in [(width, false), (3000, true)] {
            let Pruned { translation, proven } = pruned_all(&model, &[&SOURCE], width, alpha).remove(0);
            let found = score(translation.words.len(), translation.log_probability);
            prop_assert!(found <= best + 1e-9);
            prop_assert!(!proven || found > best - 1e-9, "{found} is not {best}");
            prop_assert!(proven || !alone);
        }
    }

    #[test]
    fn a_beam_of_one_is_greedy(seed: u64, alpha in 0.0..1.5) {
        let model = scattered(seed);
        prop_assert_eq!(beam(&model, &SOURCE, 1, alpha), greedy(&model, &SOURCE));
    }

    /// α ranks the sentences that have ended; which beginnings are kept does not depend on it. So
    /// with α = 0 the same search returns the most probable of what it found.
    #[test]
    fn alpha_does_not_change_what_a_beam_finds(seed: u64, width in 1_usize..5, alpha in -2.0..3.0) {
        let model = scattered(seed);
        let (probable, ranked) = (beam(&model, &SOURCE, width, 0.0), beam(&model, &SOURCE, width, alpha));
        prop_assert!(ranked.log_probability <= probable.log_probability);
    }

    /// Sources of different lengths, so their searches end at different steps.
    #[test]
    fn many_sources_at_once_are_one_after_another(seed: u64, width in 1_usize..5, alpha in 0.0..1.5) {
        let model = scattered(seed);
        let sources: [&[usize]; 4] = [&[END], &[4, 3, END], &[3, END], &[END]];
        let one: Vec<_> = sources.iter().map(|source| beam(&model, source, width, alpha)).collect();
        prop_assert_eq!(beam_all(&model, &sources, width, alpha), one);
        let one: Vec<_> = sources.iter().map(|source| greedy(&model, source)).collect();
        prop_assert_eq!(greedy_all(&model, &sources), one);
        prop_assert_eq!(greedy_all(&model, &[]), vec![]);
    }

    #[test]
    fn the_cold_is_greedy(seed: u64) {
        let model = scattered(seed);
        prop_assert_eq!(sample(&model, &SOURCE, 1e-12, &mut rng(seed)), greedy(&model, &SOURCE));
    }

    #[test]
    fn the_probability_told_is_that_of_the_words(seed: u64, width in 1_usize..6) {
        let model = scattered(seed);
        let sum = |found: &Translation| {
            let words = found.words.iter().copied().chain(found.ended.then_some(END));
            let log_p = |(j, word)| f64::from((model.0)(&found.words[..j])[word]);
            words.enumerate().map(log_p).sum::<f64>()
        };
        for found in [
            greedy(&model, &SOURCE),
            beam(&model, &SOURCE, width, 0.7),
            sample(&model, &SOURCE, 1.5, &mut rng(seed)),
        ] {
            prop_assert!((found.log_probability - sum(&found)).abs() < 1e-9);
            prop_assert!(found.words.len() + usize::from(found.ended) <= 10);
            prop_assert_eq!(found.alignment.ncols(), found.words.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn nothing_a_model_answers_makes_decoding_panic(
        answers in prop::collection::vec(
            prop::collection::vec(
                prop::sample::select(vec![Float::NAN, Float::INFINITY, Float::NEG_INFINITY, Float::MIN, 0.0, -0.0, -1.0, 1.0]),
                0..7,
            ),
            1..5,
        ),
        width in 1_usize..6,
    ) {
        let model = Toy(|words: &[usize]| answers[words.len() % answers.len()].clone());
        let first = greedy(&model, &SOURCE);
        prop_assert_eq!(&beam(&model, &SOURCE, 1, 1.0), &first);
        for found in [first, beam(&model, &SOURCE, width, 1.0), sample(&model, &SOURCE, 1.0, &mut rng(0))] {
            prop_assert!(found.words.iter().all(|word| *word > END));
            prop_assert!(found.log_probability.is_finite());
        }
    }
}
