//! 10.16, the capstone: the reader's functions are a Transformer, trained on the course's grammar.

mod language;
mod yours;

use crate::cache::{EXERCISE as NEXT, NextToken};
use crate::norm::LayerNorm;
use crate::norm_backward::{Backward, EXERCISE as BACKWARD};
use crate::sight::{EXERCISE as SIGHT, Sight};
use crate::smoothing::{EXERCISE as SMOOTHED, SmoothedLoss};
use crate::solutions;
use crate::token_places::{EXERCISE as TOKENS, Tokens};
use crate::warm_up::Rate;
use corpora::BEGIN;
use language::{Language, Numbers};
use seq2seq::{Batch, Translator, log_softmax};
use shared::{Adam, Matrix, Module, Optimizer, Ragged, Tape, Var, Vector, rng};
use tests::exercises::{Exercise, show, wrong};
use tests::expect;
use transformer::{BlockSizes, Config, Norm, Tied, Transformer};
use yours::{Caches, Yours};

tests::parts! {
    1 layer_norm: LayerNorm,
    2 layer_norm_backward: Backward,
    6 smoothed_loss: SmoothedLoss,
    7 rate_and_its_twin: Rate,
    8 next_token: NextToken,
    9 decoder_tokens: Tokens,
    13 sight: Sight,
}

pub const EXERCISE: Exercise<Parts> = Exercise {
    check,
    wrong: &[
        wrong("(10.13)", Parts { sight: SIGHT.wrong[3].answer, ..SOLVED }),
        wrong("(10.1)", Parts { layer_norm: without_gain, ..SOLVED }),
        wrong("(10.2)", Parts { layer_norm_backward: BACKWARD.wrong[4].answer, ..SOLVED }),
        wrong("(10.6)", Parts { smoothed_loss: SMOOTHED.wrong[4].answer, ..SOLVED }),
        wrong("(10.7)", Parts { rate_and_its_twin: one_late, ..SOLVED }),
        wrong("(10.9)", Parts { decoder_tokens: TOKENS.wrong[0].answer, ..SOLVED }),
        wrong("(10.8)", Parts { next_token: NEXT.wrong[3].answer, ..SOLVED }),
    ],
};

fn without_gain(x: &Matrix, gain: &Vector, bias: &Vector) -> Matrix {
    solutions::layer_norm(x, &gain.map(|_| 1.0), bias)
}

fn one_late(d: f64, warm_up: f64, step: f64) -> (f64, f64) {
    solutions::rate_and_its_twin(d, warm_up, step + 1.0)
}

const WIDTH: usize = 32;
const HEADS: usize = 2;
const SMOOTHING: f32 = 0.1;
const WARM_UP: f64 = 40.0;
const STEPS: usize = 256;
const BATCH: usize = 8;

fn check(parts: Parts) {
    let language = Language::new();
    let fresh = || Yours { parts, model: model(&language) };
    must_learn_alike(fresh(), &language.training);
    must_write_alike(fresh(), &language.test[0]);
    for step in 1..=STEPS {
        let [yours, ours] = [parts, SOLVED]
            .map(|parts| (parts.rate_and_its_twin)(WIDTH as f64, WARM_UP, step as f64).0);
        expect(yours, ours, 1e-6).of(format!("your rate of step {step} (10.7)")).check();
    }
    let mut yours = fresh();
    let curve = train(&mut yours, &language.training);
    let some: Vec<f32> = curve.into_iter().step_by(STEPS / 8).collect();
    let found: Vec<_> = language.test.iter().map(|(source, _)| yours.translate(source)).collect();
    let right = language.test.iter().zip(&found).filter(|(pair, found)| pair.1 == **found).count();
    let told = format!("{right} of {} sentences that were not learnt from are right", found.len());
    show(format!("\nnats a word while it learns: {some:.2?}\n{told}"));
    let learnt = right * 10 > found.len() * 8;
    assert!(learnt, "{told}\nhint: does a part keep something between calls?");
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

/// The first loss and its gradients are the chapter's. Gains and biases are not 1 and 0, as in a fresh model, and
/// each sentence has another's translation, because its own is always as long as itself.
fn must_learn_alike(mut yours: Yours, training: &[Numbers]) {
    yours.model.for_each_parameter(|name, param| {
        if name.contains("norm") {
            param.value_mut().iter_mut().zip(0..).for_each(|(x, i)| *x += 0.3 * (i as f32).sin());
        }
    });
    let turned = training.iter().zip(&training[1..]);
    let turned: Vec<_> = turned.map(|(one, next)| (one.0.clone(), next.1.clone())).collect();
    let batch = batch(turned.iter().take(BATCH));
    let [tape, our_tape] = [Tape::new(), Tape::new()];
    let loss = yours.loss(&tape, &batch);
    let our_loss = yours.model.training_loss(&our_tape, &batch);
    let what =
        "the first loss, of masks (10.13), normalisation (10.1), loss (10.6), tokens (10.9),";
    expect(loss.scalar(), our_loss.scalar(), 2e-4).of(what).check();
    let [gradients, ours] = [loss, our_loss].map(|loss: Var| loss.backward().into_params());
    for (id, ours) in &ours {
        let same = gradients.iter().find(|(other, _)| other == id);
        let apart = same.map_or(1.0, |(_, yours)| (yours - ours).norm() / ours.norm());
        let hint = "look at the gradients of the normalisation (10.2) and of the loss (10.6)";
        assert!(apart < 1e-3, "a gradient is {apart:.3} apart from the chapter's\nhint: {hint}");
    }
}

/// What is written word by word is what the chapter's model writes.
fn must_write_alike(yours: Yours, (source, target): &Numbers) {
    let (tape, mut caches) = (Tape::without_gradients(), Caches::default());
    let h = yours.read(&tape, &Ragged::new(&[source]));
    let mut state = Translator::encode(&yours.model, &[source]);
    for word in [&[BEGIN], &target[..]].concat() {
        let logits = yours.next(h, &mut caches, word);
        let ours = yours.model.next(&mut state, &[word]).log_probabilities;
        let apart = (log_softmax(&logits) - ours).amax();
        let hint = "what does a word need from the cache (10.8), at which place is it (10.9)?";
        assert!(apart < 1e-3, "ln p is {apart:.3} apart from the chapter's\nhint: {hint}");
    }
}
