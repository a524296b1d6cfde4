//! The same Transformer with the statistics of batches in place of every token's own: what it translates, and
//! what its losses become when the batch is another.

use super::recipe::{Chapter, Sizes};
use crate::Transformer;
use crate::batch_norm::BatchStatistics;
use corpora::{BEGIN, bucketed_batches};
use seq2seq::translating::corpus::{Corpus, Part};
use seq2seq::translating::{Judgement, Recipe, Training, Words};
use seq2seq::{Batch, Translator};
use serde::{Deserialize, Serialize};
use shared::{Rng, Tape, rng};
use workbench::error::Result;

/// [`Chapter`] with batch normalisation: the same parameters, drawn from the same numbers.
pub(super) struct BatchNormed;

impl Recipe for BatchNormed {
    const CHAPTER: &'static str = "transformer_batch_norm";
    type Model = Transformer;
    type Config = Sizes;

    fn check(sizes: &Sizes) -> Result<(), String> {
        Chapter::check(sizes)
    }

    fn parameters(sizes: &Sizes, words: Words) -> Option<u64> {
        Chapter::parameters(sizes, words)
    }

    fn width_and_heads(sizes: &Sizes) -> (u32, u32) {
        Chapter::width_and_heads(sizes)
    }

    fn build(sizes: &Sizes, words: Words, rng: &mut Rng) -> Transformer {
        let mut model = Chapter::build(sizes, words, rng);
        let encoder = model.encoder.iter_mut();
        let encoder = encoder.flat_map(|b| [&mut b.around_attention, &mut b.around_feed_forward]);
        encoder.for_each(|around| around.batch = Some(BatchStatistics::default()));
        let decoder = model.decoder.iter_mut().flat_map(|block| {
            [&mut block.around_attention, &mut block.around_cross, &mut block.around_feed_forward]
        });
        decoder.for_each(|around| around.batch = Some(BatchStatistics::default()));
        model
    }
}

/// Of the test part. Losses are in nats a word.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Normalised<N = f64> {
    /// In batches of 64 pairs of about the same length, as in training, with the statistics of each.
    pub alike: N,
    /// In batches of 64 pairs of any length, with the statistics of each.
    pub mixed: N,
    /// Every pair with its own statistics.
    pub alone: N,
    /// With the statistics of the training.
    pub fixed: N,
    /// BLEU where every step of the beam search has the statistics of its hypotheses.
    pub bleu_of_hypotheses: N,
}

/// Trains it, judges it with the statistics of whatever it is given, fixes those of the training, and judges again.
pub(super) fn judged(training: &Training, sizes: &Sizes) -> Result<(Judgement, Normalised)> {
    let (mut model, first) = training.judged::<BatchNormed>(sizes)?;
    let test = &training.corpus.tests[0];
    let mut by_length: Vec<usize> = (0..test.len()).collect();
    let mixed = by_length.clone();
    by_length.sort_by_key(|&i| test.numbers(i).1.len());
    let [alike, mixed, alone] =
        [(&by_length, 64), (&mixed, 64), (&mixed, 1)].map(|(o, size)| loss(&model, test, o, size));
    fix(&model, training.corpus, training.batch);
    let fixed = loss(&model, test, &by_length, 64);
    let bleu_of_hypotheses = first.scores[0].bleu;
    let found = Normalised { alike, mixed, alone, fixed, bleu_of_hypotheses };
    let second = training.judge(&mut model);
    Ok((Judgement { curve: first.curve, seconds: first.seconds, ..second }, found))
}

fn loss(model: &Transformer, part: &Part, order: &[usize], size: usize) -> f64 {
    let (mut sum, mut words) = (0.0, 0);
    for pairs in order.chunks(size) {
        let pairs: Vec<_> = pairs.iter().map(|&i| part.numbers(i)).collect();
        let batch = Batch::new(&pairs, BEGIN);
        sum += f64::from(model.loss(&Tape::without_gradients(), &batch).scalar());
        words += batch.tokens();
    }
    sum / words as f64
}

/// One pass over the training's batches, which are drawn as in training.
fn fix(model: &Transformer, corpus: &Corpus, size: usize) {
    let of_blocks = || {
        let encoder = model.encoder.iter();
        let encoder = encoder.flat_map(|b| [&b.around_attention, &b.around_feed_forward]);
        let decoder = model.decoder.iter();
        let decoder =
            decoder.flat_map(|b| [&b.around_attention, &b.around_cross, &b.around_feed_forward]);
        let all = encoder.chain(decoder);
        all.filter_map(|around| Some((around.batch.as_ref()?, around.norm.gain.value().len())))
    };
    of_blocks().for_each(|(statistics, d)| statistics.count(d));
    let training = &corpus.training;
    for batch in bucketed_batches(&training.sentences.lengths(), size, &mut rng(0)) {
        let pairs: Vec<_> = batch.iter().map(|&i| training.numbers(i)).collect();
        model.loss(&Tape::without_gradients(), &Batch::new(&pairs, BEGIN));
    }
    of_blocks().for_each(|(statistics, _)| statistics.fix());
}
