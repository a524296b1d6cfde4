//! Chapter 6: what is true of attention over sentences side by side, on random batches.

use bahdanau::attention::{additive_scores, contexts, softmax_in_segments};
use bahdanau::{Bahdanau, Config, Reading};
use proptest::prelude::*;
use scoring_functions::Sequences;
use seq2seq::{Batch, Sizes, Translator};
use shared::{Float, Matrix, Tape, rng};
use tests::assert_close;

/// The lengths of some sentences.
fn lengths() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(1_usize..7, 1..6)
}

fn offsets(lengths: &[usize]) -> Vec<usize> {
    let mut offsets = vec![0];
    lengths.iter().for_each(|length| offsets.push(offsets[offsets.len() - 1] + length));
    offsets
}

fn matrix(rows: usize, columns: usize, size: Float, seed: u64) -> Matrix {
    use rand::RngExt;
    let mut rng = rng(seed);
    Matrix::from_fn(rows, columns, |_, _| rng.random_range(-size..size))
}

/// Weights (1, n) and contexts (c, b) of random queries, keys and values.
fn attend(
    q: &Matrix,
    k: &Matrix,
    values: &Matrix,
    v: &Matrix,
    offsets: &[usize],
) -> (Matrix, Matrix) {
    let tape = Tape::no_grad();
    let [q, k, values, v] = [q, k, values, v].map(|x| tape.constant(x.clone()));
    let sequences = Sequences::one_each(offsets);
    let alpha = softmax_in_segments(additive_scores(q, k, v, &sequences), &sequences);
    let c = contexts(values, alpha, &sequences);
    (Matrix::clone(&alpha.value()), Matrix::clone(&c.value()))
}

/// A sentence of some words below 9, closed by the end word.
fn sentence() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(3_usize..9, 0..6).prop_map(|mut words| {
        words.push(2);
        words
    })
}

fn model(reading: Reading, seed: u64) -> Bahdanau {
    let sizes = Sizes {
        source_words: 9,
        target_words: 9,
        embedding: 5,
        hidden: 6,
        layers: 2,
        dropout: 0.0,
    };
    Bahdanau::new(&Config { sizes, reading, score: 4, state_dropout: 0.0 }, &mut rng(seed))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Also with scores that are large.
    #[test]
    fn every_sentence_has_weights_that_sum_to_one(lengths in lengths(), seed in any::<u64>(), size in 0.1_f32..100.0) {
        let (offsets, b) = (offsets(&lengths), lengths.len());
        let n = offsets[b];
        let (q, k) = (matrix(3, b, 2.0, seed), matrix(3, n, 2.0, seed ^ 1));
        let (alpha, _) = attend(&q, &k, &matrix(2, n, 1.0, seed ^ 2), &matrix(3, 1, size as Float, seed ^ 3), &offsets);
        prop_assert!(alpha.iter().all(|weight| (0.0..=1.0).contains(weight)));
        for words in offsets.windows(2) {
            assert_close!(alpha.columns(words[0], words[1] - words[0]).sum(), 1.0, 1e-6);
        }
    }

    /// A context lies between the least and the greatest entry of its own sentence's values.
    #[test]
    fn a_context_lies_among_its_own_sentence_s_values(lengths in lengths(), seed in any::<u64>()) {
        let (offsets, b) = (offsets(&lengths), lengths.len());
        let n = offsets[b];
        let values = matrix(2, n, 5.0, seed ^ 2);
        let (_, c) = attend(&matrix(3, b, 2.0, seed), &matrix(3, n, 2.0, seed ^ 1), &values, &matrix(3, 1, 3.0, seed ^ 3), &offsets);
        for (j, words) in offsets.windows(2).enumerate() {
            let own = values.columns(words[0], words[1] - words[0]);
            for a in 0..2 {
                prop_assert!(c[(a, j)] <= own.row(a).max() + 1e-4);
                prop_assert!(c[(a, j)] >= own.row(a).min() - 1e-4);
            }
        }
    }

    /// It holds to the last bit: what the others say, or whether they are there at all, does not matter.
    #[test]
    fn sentences_of_a_batch_do_not_see_each_other(lengths in lengths(), seed in any::<u64>(), which in 0_usize..6) {
        let (all, b) = (offsets(&lengths), lengths.len());
        let (n, j) = (all[b], which % b);
        let (q, k) = (matrix(3, b, 2.0, seed), matrix(3, n, 2.0, seed ^ 1));
        let (values, v) = (matrix(2, n, 5.0, seed ^ 2), matrix(3, 1, 3.0, seed ^ 3));
        let (alpha, c) = attend(&q, &k, &values, &v, &all);
        let own = |x: &Matrix| x.columns(all[j], lengths[j]).into_owned();
        let (alone, context) = attend(&q.columns(j, 1).into_owned(), &own(&k), &own(&values), &v, &[0, lengths[j]]);
        prop_assert_eq!(own(&alpha), alone);
        prop_assert_eq!(c.columns(j, 1).into_owned(), context);
    }

    /// A memory has no order: words and their annotations may be shuffled together.
    #[test]
    fn the_order_of_annotations_does_not_matter(length in 1_usize..8, seed in any::<u64>(), shift in 0_usize..8) {
        let turned = |x: &Matrix| Matrix::from_fn(x.nrows(), length, |i, j| x[(i, (j + shift) % length)]);
        let (q, k) = (matrix(3, 1, 2.0, seed), matrix(3, length, 2.0, seed ^ 1));
        let (values, v) = (matrix(2, length, 5.0, seed ^ 2), matrix(3, 1, 3.0, seed ^ 3));
        let (alpha, c) = attend(&q, &k, &values, &v, &[0, length]);
        let (other, context) = attend(&q, &turned(&k), &turned(&values), &v, &[0, length]);
        assert_close!(turned(&alpha), other, 1e-5);
        assert_close!(c, context, 1e-5);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The loss of a batch is the sum of its sentences' losses, whatever their lengths and orders:
    /// a sentence that met another's words would not come out.
    #[test]
    fn the_loss_of_a_batch_is_that_of_its_sentences(
        pairs in prop::collection::vec((sentence(), sentence()), 1..6), seed in any::<u64>(), both in any::<bool>(),
    ) {
        let reading = if both { Reading::BothDirections } else { Reading::Forward };
        let model = model(reading, seed);
        let pairs: Vec<(&[usize], &[usize])> = pairs.iter().map(|(s, t)| (&s[..], &t[..])).collect();
        let loss = |pairs: &[(&[usize], &[usize])]| model.loss(&Tape::no_grad(), &Batch::new(pairs, 1)).scalar();
        let sum: Float = pairs.iter().map(|pair| loss(&[*pair])).sum();
        assert_close!(loss(&pairs), sum, 1e-4);
    }

    /// Decoding word by word, as translating does, finds the loss that training computes at once.
    #[test]
    fn dictating_word_by_word_gives_the_loss(source in sentence(), target in sentence(), seed in any::<u64>()) {
        let model = model(Reading::BothDirections, seed);
        let loss = model.loss(&Tape::no_grad(), &Batch::new(&[(&source, &target)], 1)).scalar();
        let (mut state, mut last, mut sum) = (model.encode(&[&source]), 1, 0.0);
        for word in target {
            let next = model.next(&mut state, &[last]);
            prop_assert_eq!(next.alignments[0].len(), source.len());
            sum -= next.log_probabilities[(word, 0)];
            last = word;
        }
        assert_close!(loss, sum, 1e-4);
    }
}

/// With one word to read and one to write, the weights that meet a unit left out have no gradient:
/// about three quarters of the annotation's entries and of the top state's, none of them when the
/// model is not in training.
#[test]
fn what_the_layers_give_out_is_left_out_as_often_as_asked_for() {
    let sizes = Sizes {
        source_words: 9,
        target_words: 9,
        embedding: 5,
        hidden: 64,
        layers: 1,
        dropout: 0.0,
    };
    let reading = Reading::BothDirections;
    let batch = Batch::new(&[(&[2], &[2])], 1);
    let left_out = |state_dropout: Float, training: bool| -> [usize; 2] {
        let config = Config { sizes: sizes.clone(), reading, score: 4, state_dropout };
        let model = Bahdanau::new(&config, &mut rng(0));
        let tape = if training { Tape::training(rng(1)) } else { Tape::new() };
        let gradients = model.loss(&tape, &batch).backward();
        [&model.context.weight, &model.output.weight].map(|weight| {
            let gradient = gradients.of(weight).expect("a gradient");
            gradient.column_iter().filter(|column| column.amax() == 0.0).count()
        })
    };
    assert_eq!(left_out(0.0, true), [0, 0]);
    assert_eq!(left_out(0.75, false), [0, 0]);
    let [annotation, state] = left_out(0.75, true);
    assert!((80..=112).contains(&annotation), "{annotation} of 128"); // 96 ± 3.3 deviations
    assert!((36..=60).contains(&state), "{state} of 64"); // 48 ± 3.5 deviations
}
