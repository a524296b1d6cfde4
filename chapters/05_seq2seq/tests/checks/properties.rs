//! What holds of batches, searches and scores, whatever the sentences.

use corpora::{BEGIN, END};
use proptest::prelude::*;
use seq2seq::bleu::corpus_bleu;
use seq2seq::translating::judge::log_probability;
use seq2seq::{Batch, EncoderDecoder, Packed, Sizes, Translator};
use shared::Tape;
use tests::assert_close;

const WORDS: usize = 9;

/// A sentence of the numbers 3 … 8, closed by the end word.
fn sentence() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(3..WORDS, 0..7).prop_map(|mut words| {
        words.push(END);
        words
    })
}

fn pairs() -> impl Strategy<Value = Vec<(Vec<usize>, Vec<usize>)>> {
    prop::collection::vec((sentence(), sentence()), 1..7)
}

/// Words as texts of few kinds, so that runs repeat.
fn texts() -> impl Strategy<Value = Vec<(Vec<String>, Vec<String>)>> {
    let text = || prop::collection::vec(prop::sample::select(vec!["a", "b", "c"]), 0..9);
    let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
    prop::collection::vec((text().prop_map(owned), text().prop_map(owned)), 1..6)
}

fn model(seed: u64) -> EncoderDecoder {
    let (embedding, hidden, layers, dropout) = (4, 5, 2, 0.5);
    let sizes =
        Sizes { source_words: WORDS, target_words: WORDS, embedding, hidden, layers, dropout };
    EncoderDecoder::new(&sizes, &mut shared::rng(seed))
}

fn borrowed(pairs: &[(Vec<usize>, Vec<usize>)]) -> Vec<(&[usize], &[usize])> {
    pairs.iter().map(|(source, target)| (&source[..], &target[..])).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every word of every sentence is there once, in its place, whichever order a side has.
    #[test]
    fn a_batch_loses_no_word(pairs in pairs()) {
        let batch = Packed::new(&Batch::new(&borrowed(&pairs), BEGIN));
        prop_assert_eq!(batch.sentences(), pairs.len());
        let mut found: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        for j in 0..pairs.len() {
            let columns = &batch.annotations[batch.offsets[j]..batch.offsets[j + 1]];
            let source = columns.iter().map(|&column| batch.source[column]).collect();
            let target: Vec<usize> = (0..batch.target.len())
                .filter(|&column| batch.sentence[column] == j)
                .map(|column| batch.target[column])
                .collect();
            let last = batch.source_steps.last()[batch.source_of[j]];
            prop_assert_eq!(Some(&last), columns.last());
            found.push((source, target));
        }
        let mut expected = pairs;
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected);
    }

    /// Side by side or one by one, in any order: the same loss. Nothing leaks from one sentence
    /// into another, and each starts from its own context.
    #[test]
    fn a_batch_costs_what_its_pairs_cost(pairs in pairs(), seed in 0_u64..1000) {
        let model = model(seed);
        let loss = |pairs: &[(&[usize], &[usize])]| {
            model.loss(&Tape::no_grad(), &Batch::new(pairs, BEGIN)).scalar()
        };
        let mut borrowed = borrowed(&pairs);
        let together = loss(&borrowed);
        let alone: f64 = borrowed.iter().map(|(s, t)| -log_probability(&model, s, t)).sum();
        assert_close!(together, alone, 1e-5);
        borrowed.reverse();
        assert_close!(loss(&borrowed), together, 1e-5);
    }

    /// Word by word, decoding computes what training computed all at once.
    #[test]
    fn steps_of_decoding_add_up_to_the_loss(
        source in sentence(), target in sentence(), seed in 0_u64..1000,
    ) {
        let model = model(seed);
        let (mut state, mut last, mut sum) = (model.encode(&[&source]), BEGIN, 0.0);
        for &word in &target {
            let next = model.next(&mut state, &[last]);
            let total: f64 = next.log_probabilities.iter().map(|p| f64::from(*p).exp()).sum();
            assert_close!(total, 1.0, 1e-5);
            sum += f64::from(next.log_probabilities[(word, 0)]);
            last = word;
        }
        assert_close!(sum, log_probability(&model, &source, &target), 1e-5);
    }

    /// The order of the sentences does not matter, as they are counted together.
    #[test]
    fn bleu_is_about_the_corpus(texts in texts()) {
        let score = |texts: &[(Vec<String>, Vec<String>)]| {
            let (candidates, references): (Vec<_>, Vec<_>) = texts.iter().cloned().unzip();
            corpus_bleu(&candidates, &references)
        };
        let turned: Vec<_> = texts.iter().rev().cloned().collect();
        prop_assert_eq!(score(&texts), score(&turned));
        let twice = [&texts[..], &texts[..]].concat();
        let (one, two) = (score(&texts), score(&twice));
        // Smoothing apart, which counts a missing match as half a run of however many.
        prop_assert!((one - two).abs() < 1e-9 || two < one);
    }
}
