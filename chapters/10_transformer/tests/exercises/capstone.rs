//! 10.16, the capstone: the reader's functions are a Transformer, trained on the course's grammar.

mod language;
mod yours;

use super::decoder_tokens::Tokens;
use super::layer_norm::LayerNorm;
use super::layer_norm_backward::Backward;
use super::next_token::NextToken;
use super::rate_and_its_twin::Rate;
use super::sight::{AttentionMask, EXERCISE as SIGHT};
use super::smoothed_loss::SmoothedLoss;
use corpora::BEGIN;
use language::{Language, Numbers};
use seq2seq::Batch;
use shared::{Adam, Optimizer, Tape, rng};
use tests::exercises::show;
use transformer::{BlockSizes, Config, Norm, Tied, Transformer};
use yours::Yours;

tests::parts! {
    1 layer_norm: LayerNorm,
    2 layer_norm_backward: Backward,
    6 smoothed_loss: SmoothedLoss,
    7 rate_and_its_twin: Rate,
    8 next_token: NextToken,
    9 decoder_tokens: Tokens,
    13 sight: AttentionMask = [SIGHT.wrong[3].answer],
}

const WIDTH: usize = 32;
const HEADS: usize = 2;
const SMOOTHING: f32 = 0.1;
const WARM_UP: f64 = 40.0;
const STEPS: usize = 256;
const BATCH: usize = 8;

fn check(parts: Parts) {
    let language = Language::new();
    let mut yours = Yours { parts, model: model(&language) };
    let curve = train(&mut yours, &language.training);
    let some: Vec<f32> = curve.into_iter().step_by(STEPS / 8).collect();
    let found: Vec<_> = language.test.iter().map(|(source, _)| yours.translate(source)).collect();
    let right = language.test.iter().zip(&found).filter(|(pair, found)| pair.1 == **found).count();
    let told = format!("{right} of {} sentences that were not learnt from are right", found.len());
    show(format!("\nnats a word while it learns: {some:.2?}\n{told}"));
    let learnt = right * 10 > found.len() * 8;
    assert!(learnt, "{told}\nhint: do the tests of all parts pass?");
}

fn model(language: &Language) -> Transformer {
    let [source_words, target_words] = language.words.each_ref().map(|words| words.len());
    let (d_model, d_ff, norm) = (WIDTH, 2 * WIDTH, Norm::Post);
    let block = BlockSizes { d_model, d_ff, heads: HEADS, dropout: 0.0, norm };
    let config = Config {
        source_words,
        target_words,
        encoder_blocks: 1,
        decoder_blocks: 1,
        block,
        tied: Tied::Output,
        smoothing: SMOOTHING,
        encoding: transformer::Encoding::PAPER,
        longest: 32,
    };
    Transformer::new(&config, &mut rng(0))
}

fn batch<'n>(pairs: impl Iterator<Item = &'n Numbers>) -> Batch {
    let pairs: Vec<_> = pairs.map(|(source, target)| (&source[..], &target[..])).collect();
    Batch::new(&pairs, BEGIN)
}

/// The loss per word at each step.
fn train(yours: &mut Yours, training: &[Numbers]) -> Vec<f32> {
    let (mut adam, mut curve) = (Adam::new(0.01), Vec::new());
    let batches = training.len().div_ceil(BATCH);
    for step in 0..STEPS {
        let batch = batch(training.iter().skip(step % batches).step_by(batches));
        let tape = Tape::new();
        let loss = yours.loss(&tape, &batch) * (1.0 / batch.target.words.len() as f32);
        curve.push(loss.scalar());
        let rate = (yours.parts.rate_and_its_twin)(WIDTH as f64, WARM_UP, step as f64 + 1.0).0;
        adam.learning_rate = 0.15 * rate as f32;
        let gradients = loss.backward().into();
        adam.step(&mut yours.model, &gradients);
    }
    curve
}
