//! Who sees whom in a batch, and which parameters learn.

use crate::support::{
    KINDS, WORDS, batch, config, model, pairs, same_bits, sentence, unequal, uneven,
};
use scoring_functions::{AttentionMask, Sequences};
use seq2seq::{Batch, Translator, log_softmax};
use shared::{Float, Matrix, Module, Ragged, Tape, rng};
use tests::assert_close;
use transformer::{DecoderBlock, LayerNorm, Norm, Tied, Transformer};

/// Logits (words, n) for the words before.
fn logits(model: &Transformer, source: &Ragged, previous: &Ragged) -> Matrix {
    let tape = Tape::no_grad();
    let (h, _) = Transformer::encode(model, &tape, source);
    let (x, _) = model.decode(h, source, previous);
    Matrix::clone(&model.logits(x).value())
}

/// It holds to the last bit, for every prefix: what comes after it could be anything.
#[test]
fn a_word_does_not_see_those_after_it() {
    let (words, others) = (sentence(19, 1), sentence(19, 4)); // more than fit into one vector
    let (source, neighbour) = (Ragged::new(&[&[5, 4, 2], &[7, 2]]), [3, 8, 2]);
    for model in KINDS.map(|(norm, tied)| model(norm, tied)).iter().chain(&[unequal(Norm::Post)]) {
        let of = |words: &[usize]| logits(model, &source, &Ragged::new(&[words, &neighbour]));
        let all = of(&words);
        for n in 0..words.len() {
            let mut changed = words.clone();
            for (word, other) in changed[n..].iter_mut().zip(&others) {
                *word = if word == other { 3 + (*word + 1) % 6 } else { *other };
            }
            let other = of(&changed);
            assert!(
                same_bits(&all.columns(0, n).into_owned(), &other.columns(0, n).into_owned()),
                "{n}"
            );
            assert!((all.column(n) - other.column(n)).amax() > 1e-4, "word {n} sees itself");
            assert_eq!(all.columns(19, 3), other.columns(19, 3)); // nor does the other sentence
            // Nor does it matter whether they are there.
            let alone =
                logits(model, &Ragged::new(&[&[5, 4, 2]]), &Ragged::new(&[&words[..n.max(1)]]));
            assert_close!(alone, all.columns(0, n.max(1)), 1e-5);
        }
    }
}

/// `norm(x + attention(x))` with the causal mask, the first half of a decoder's block.
fn attended(x: &Matrix, norm: impl Fn(&Matrix) -> Matrix) -> Matrix {
    let block = DecoderBlock::new(&config(Norm::Post, Tied::Output).block, &mut rng(5));
    let tape = Tape::no_grad();
    let causal = Sequences::single(x.ncols(), x.ncols()).with(AttentionMask::Causal);
    let x = tape.constant(x.clone());
    norm(&(x + block.attention.forward(x, x, &causal)).value())
}

/// A layer normalisation that takes mean and variance over all words of the sentence, as some notes
/// have it, brings the future past the mask.
#[test]
fn a_normalisation_over_the_sentence_leaks_the_future() {
    let by_token = |x: &Matrix| {
        let tape = Tape::no_grad();
        Matrix::clone(&LayerNorm::new(8).forward(tape.constant(x.clone())).value())
    };
    let over_the_sentence = |x: &Matrix| {
        let mean = x.mean();
        let variance = x.map(|x| (x - mean).powi(2)).mean();
        x.map(|x| (x - mean) / (variance + 1e-5).sqrt())
    };
    let x = uneven(8, 5, 0.3);
    let mut changed = x.clone();
    changed.column_mut(4).fill(2.0);
    let first_four = |x: Matrix| x.columns(0, 4).into_owned();
    assert_eq!(first_four(attended(&x, by_token)), first_four(attended(&changed, by_token)));
    let leaked = first_four(attended(&x, over_the_sentence))
        - first_four(attended(&changed, over_the_sentence));
    assert!(leaked.column_iter().all(|word| word.amax() > 0.01), "{leaked}");
}

/// Sentences side by side, of uneven lengths, cost what they cost one by one, and are answered alike.
#[test]
fn a_batch_is_its_pairs_one_by_one() {
    let pairs = pairs(&[(4, 2), (1, 6), (7, 1), (3, 5), (2, 4)]);
    let own = |pairs: &[_]| -> Batch { batch(pairs) };
    for model in KINDS.map(|(norm, tied)| model(norm, tied)).iter().chain(&[unequal(Norm::Pre)]) {
        let loss = |pairs: &[_]| model.loss(&Tape::no_grad(), &own(pairs)).scalar();
        let sum: Float = pairs.iter().map(|pair| loss(std::slice::from_ref(pair))).sum();
        assert_close!(loss(&pairs), sum, 1e-5);
        let all = own(&pairs);
        let together = logits(model, &all.source, &all.previous);
        for (j, pair) in pairs.iter().enumerate() {
            let one = own(std::slice::from_ref(pair));
            let alone = logits(model, &one.source, &one.previous);
            let [start, end] = [all.previous.offsets[j], all.previous.offsets[j + 1]];
            assert_close!(alone, together.columns(start, end - start), 1e-5, "pair {j}");
        }
    }
}

/// What a translation costs is what its words' probabilities say.
#[test]
fn the_loss_is_that_of_the_logits() {
    let (model, batch) = (model(Norm::Pre, Tied::Nothing), batch(&pairs(&[(4, 3), (2, 5)])));
    let log_p = log_softmax(&logits(&model, &batch.source, &batch.previous));
    let sum: Float =
        batch.target.words.iter().enumerate().map(|(j, word)| -log_p[(*word, j)]).sum();
    assert_close!(model.loss(&Tape::no_grad(), &batch).scalar(), sum, 1e-5);
}

/// Also with stacks of unequal depth and heads: only the widths must fit.
#[test]
fn every_parameter_learns() {
    let batch = batch(&pairs(&[(4, 3), (2, 5), (6, 4)]));
    let models = KINDS.map(|(norm, tied)| model(norm, tied)).into_iter();
    for mut model in models.chain([unequal(Norm::Post), unequal(Norm::Pre)]) {
        let gradients = model.training_loss(&Tape::training(rng(0)), &batch).backward();
        model.for_each_parameter(|name, param| {
            let d = gradients.of(param).unwrap_or_else(|| panic!("no gradient of {name}"));
            assert!(d.amax() > 1e-4 && d.iter().all(|d| d.is_finite()), "{name}: {}", d.amax());
        });
    }
}

/// Tied tables are there once, and are what a checkpoint holds.
#[test]
fn tied_tables_have_one_name() {
    let names = |tied| {
        let names = model(Norm::Post, tied).parameter_names();
        let tables = ["source.weight", "target.weight", "output.weight"];
        tables.map(|table| names.iter().any(|name| name == table))
    };
    assert_eq!(names(Tied::Nothing), [true, true, true]);
    assert_eq!(names(Tied::Output), [true, true, false]);
    assert_eq!(names(Tied::Everything), [false, true, false]);
}

#[test]
#[should_panic(expected = "one has 9 words and the other 8")]
fn one_table_needs_one_vocabulary() {
    let config = config(Norm::Post, Tied::Everything);
    Transformer::new(&transformer::Config { target_words: WORDS - 1, ..config }, &mut rng(0));
}

/// At initialisation a word is predicted as badly as by chance, ln K nats: the tables are drawn so that the
/// logits are neither all alike nor sure of anything.
#[test]
fn the_first_loss_is_near_that_of_chance() {
    for (norm, tied) in KINDS {
        let block = transformer::BlockSizes { d_model: 64, heads: 4, ..config(norm, tied).block };
        let words = 200;
        let config = transformer::Config {
            source_words: words,
            target_words: words,
            block,
            ..config(norm, tied)
        };
        let (model, batch) =
            (Transformer::new(&config, &mut rng(1)), batch(&pairs(&[(9, 9), (7, 8)])));
        let loss = model.loss(&Tape::no_grad(), &batch).scalar();
        let mean = loss / batch.tokens() as Float;
        assert!((mean - Float::ln(words as Float)).abs() < 1.5, "{norm:?}, {tied:?}: {mean}");
    }
}
