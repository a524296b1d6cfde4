//! The rows beside the Transformer: the convolutional translator, and batch normalisation.

use seq2seq::translating::{Recipe, Words};
use seq2seq::{Batch, Translator};
use shared::{Matrix, Module, Tape, rng};
use tests::{assert_close, uneven};
use transformer::LayerNorm;
use transformer::batch_norm::BatchStatistics;
use transformer::program::conv_s2s::{ConvSizes, Convolutions};

const WORDS: Words = Words { source: 9, target: 9 };

fn sizes() -> ConvSizes {
    ConvSizes { width: 6, k: 3, layers: 2, dropout: 0.0, smoothing: 0.0, longest: 8 }
}

#[test]
fn the_number_of_parameters_is_known_before_a_convolutional_model_is_built() {
    let built = Convolutions::build(&sizes(), WORDS, &mut rng(0)).parameter_count();
    assert_eq!(Convolutions::parameters(&sizes(), WORDS), Some(built as u64));
    let (words, ours) = (Words { source: 540, target: 909 }, 847_232);
    let equalised = ConvSizes::equalised(0.1, 0.1, words, ours);
    let found = Convolutions::parameters(&equalised, words).unwrap();
    assert!(found.abs_diff(ours) * 50 < ours, "{found}");
}

/// Word by word, with two tokens kept of every layer, is what all words at once are; also for hypotheses that
/// change places.
#[test]
fn writing_word_by_word_gives_the_loss_of_all_at_once() {
    let model = Convolutions::build(&sizes(), WORDS, &mut rng(1));
    let pairs: [(&[usize], &[usize]); 2] =
        [(&[3, 4, 5, 2], &[6, 7, 8, 3, 2]), (&[8, 2], &[4, 4, 5, 6, 2])];
    let loss = |pair| model.loss(&Tape::without_gradients(), &Batch::new(&[pair], 1)).scalar();
    let mut state = model.encode(&pairs.map(|(source, _)| source));
    model.select(&mut state, &[1, 0, 1]);
    let of = [1, 0, 1];
    let (mut last, mut sums) = (vec![1; 3], [0.0; 3]);
    for t in 0..5 {
        let next = model.next(&mut state, &last);
        for (j, sum) in sums.iter_mut().enumerate() {
            let word = pairs[of[j]].1[t];
            *sum -= next.log_probabilities[(word, j)];
            last[j] = word;
            assert_close!(next.alignments[j].iter().sum::<f32>(), 1.0, 1e-5);
            assert_eq!(next.alignments[j].len(), pairs[of[j]].0.len());
        }
    }
    for (j, sum) in sums.into_iter().enumerate() {
        assert_close!(sum, loss(pairs[of[j]]), 1e-4);
    }
}

/// Every entry has mean 0 and variance 1 over the batch, and a token changes with what lies beside it; with the
/// statistics of earlier batches it does not, and two batches count alike.
#[test]
fn a_batch_normalisation_looks_across_until_it_is_fixed() {
    let (statistics, norm) = (BatchStatistics::default(), LayerNorm::new(3));
    let of = |x: &Matrix| -> Matrix {
        let tape = Tape::without_gradients();
        Matrix::clone(&statistics.normalised(&norm, tape.constant(x.clone())).value())
    };
    let x: Matrix = uneven(3, 7, 0.3);
    let y = of(&x);
    for row in y.row_iter() {
        assert_close!(row.mean(), 0.0, 1e-5);
        assert_close!(row.variance(), 1.0, 1e-3);
    }
    let mut other = x.clone();
    other.column_mut(6).fill(4.0);
    assert!((of(&other).column(0) - y.column(0)).amax() > 0.1);

    let batches =
        [Matrix::from_row_slice(1, 2, &[1.0, 3.0]), Matrix::from_row_slice(1, 2, &[5.0, 5.0])];
    let (statistics, norm) = (BatchStatistics::default(), LayerNorm::new(1));
    statistics.count(1);
    let tape = Tape::without_gradients();
    for batch in batches {
        statistics.normalised(&norm, tape.constant(batch));
    }
    statistics.fix();
    // means 2 and 5, variances 1 and 0
    let y = statistics.normalised(&norm, tape.constant(Matrix::from_row_slice(1, 2, &[3.5, 4.5])));
    assert_close!(*y.value(), Matrix::from_row_slice(1, 2, &[0.0, 2.0_f32.sqrt()]), 1e-4);
}
