//! A decoder that reads its own words.

use seq2seq::own_words::{with_own_words, word_entropies, word_losses};
use seq2seq::{BEGIN, Batch, END, EncoderDecoder, Sizes, Translator};
use shared::{Linear, Matrix, Param, Ragged, Tape, rng};
use tests::assert_close;

const WORDS: usize = 9;

fn model() -> EncoderDecoder {
    let sizes = Sizes {
        source_words: WORDS,
        target_words: WORDS,
        embedding: 4,
        hidden: 5,
        layers: 2,
        dropout: 0.5,
    };
    EncoderDecoder::new(&sizes, &mut rng(1))
}

fn batch() -> Batch {
    let pairs: [(&[usize], &[usize]); 3] = [
        (&[3, 4, END], &[5, 6, 7, 8, 3, END]),
        (&[6, END], &[7, END]),
        (&[8, 8, 3, 5, END], &[4, 4, 5, END]),
    ];
    Batch::new(&pairs, BEGIN)
}

fn loss(model: &EncoderDecoder, batch: &Batch) -> f64 {
    f64::from(model.loss(&Tape::no_grad(), batch).scalar())
}

/// Word by word as when it writes, and in one pass as when it learns.
#[test]
fn the_losses_of_words_add_up_to_the_loss() {
    let model = model();
    let own = with_own_words(&model, &batch(), 0.5, &mut rng(3));
    for batch in [batch(), own] {
        let words: Vec<f64> = word_losses(&model, &batch).concat();
        assert_eq!(words.len(), batch.tokens());
        assert_close!(words.iter().sum::<f64>(), loss(&model, &batch), 1e-5);
    }
}

/// One word that is certain, or all equally probable.
#[test]
fn an_entropy_is_that_of_all_words() {
    for (bias, entropy) in [(1000.0, 0.0), (0.0, (WORDS as f64).ln())] {
        let mut model = model();
        let biases = Matrix::from_fn(WORDS, 1, |word, _| if word == 4 { bias } else { 0.0 });
        let [weight, bias] = [Matrix::zeros(WORDS, 5), biases].map(Param::new);
        model.output = Linear { weight, bias: Some(bias) };
        for found in word_entropies(&model, &batch()).concat() {
            assert_close!(found, entropy, 1e-5);
        }
    }
}

#[test]
fn without_a_share_nothing_changes() {
    let model = model();
    assert_eq!(with_own_words(&model, &batch(), 0.0, &mut rng(0)), batch());
}

/// For every given word the model is asked, alone, what would have been most probable there.
#[test]
fn every_own_word_is_the_most_probable_one_after_those_before() {
    let model = model();
    let own = with_own_words(&model, &batch(), 1.0, &mut rng(0));
    assert_eq!((&own.source, &own.target), (&batch().source, &batch().target));
    for (source, given) in own.source.iter().zip(own.previous.iter()) {
        for i in 1..given.len() {
            let after = |word: usize| -> f64 {
                let target = [&given[1..i], &[word]].concat();
                loss(&model, &Batch::new(&[(source, &target)], BEGIN))
            };
            let best = (3..WORDS).min_by(|a, b| after(*a).total_cmp(&after(*b)));
            assert_eq!(Some(given[i]), best, "after {:?}", &given[..i]);
        }
    }
}

/// About half of the words are its own, and the rest the reference's.
#[test]
fn a_share_is_drawn() {
    let model = model();
    let target: Vec<usize> = (0..1000).map(|i| 3 + i % 6).chain([END]).collect();
    let batch = Batch::new(&[(&[3, END], &target)], BEGIN);
    let own = with_own_words(&model, &batch, 0.5, &mut rng(0));
    let Ragged { words, .. } = &own.previous;
    let same = words.iter().zip(&batch.previous.words).filter(|(a, b)| a == b).count();
    assert!((450..700).contains(&same), "{same} of 1001"); // some of its own are the same
}
