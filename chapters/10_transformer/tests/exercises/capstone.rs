//! 10.16, the capstone: the reader's functions are a Transformer, trained on the course's grammar.

mod language;
mod yours;

use crate::cache::NextToken;
use crate::norm::LayerNorm;
use crate::norm_backward::Backward;
use crate::sight::Sight;
use crate::smoothing::SmoothedLoss;
use crate::solutions;
use crate::token_places::Tokens;
use crate::warm_up::Rate;
use corpora::BEGIN;
use language::{Language, Numbers};
use seq2seq::decoding::greedy_all;
use seq2seq::translating::draw::in_text;
use seq2seq::{Batch, Translator};
use shared::{Adam, Matrix, Module, Optimizer, ParamGradients, ParamId, Tape, rng};
use std::fmt::Write;
use std::sync::OnceLock;
use tests::exercises::{Exercise, Kind, show, wrong};
use transformer::{BlockSizes, Config, Norm, Tied, Transformer};
use yours::Yours;

/// The answers that the Transformer is made of.
#[derive(Clone, Copy)]
pub struct Parts {
    pub layer_norm: LayerNorm,
    pub layer_norm_backward: Backward,
    pub smoothed_loss: SmoothedLoss,
    pub rate_and_its_twin: Rate,
    pub next_token: NextToken,
    pub decoder_tokens: Tokens,
    pub sight: Sight,
}

/// Which exercises ask for them.
pub const NEEDS: [u32; 7] = [1, 2, 6, 7, 8, 9, 13];

pub const SOLVED: Parts = Parts {
    layer_norm: solutions::layer_norm,
    layer_norm_backward: solutions::layer_norm_backward,
    smoothed_loss: solutions::smoothed_loss,
    rate_and_its_twin: solutions::rate_and_its_twin,
    next_token: solutions::next_token,
    decoder_tokens: solutions::decoder_tokens,
    sight: solutions::sight,
};

pub const EXERCISE: Exercise<Parts> = Exercise {
    number: 16,
    title: "capstone: your Transformer",
    kind: Kind::Implement,
    difficulty: 1,
    minutes: 5,
    check,
    wrong: &[
        wrong(
            "no causal mask",
            "(10.13)",
            Parts { sight: |q, k, _| solutions::sight(q, k, false), ..SOLVED },
        ),
        wrong(
            "the look across sees all sentences",
            "(10.13)",
            Parts {
                sight: |queries, keys, causal| {
                    let mask = solutions::sight(queries, keys, causal);
                    if queries == keys { mask } else { mask.map(|_| 0.0) }
                },
                ..SOLVED
            },
        ),
        wrong(
            "the gain forgotten",
            "(10.1)",
            Parts {
                layer_norm: |x, gain, bias| solutions::layer_norm(x, &gain.map(|_| 1.0), bias),
                ..SOLVED
            },
        ),
        wrong(
            "the gain forgotten on the way back",
            "(10.2)",
            Parts {
                layer_norm_backward: |x, gain, dy| {
                    solutions::layer_norm_backward(x, &gain.map(|_| 1.0), dy)
                },
                ..SOLVED
            },
        ),
        wrong(
            "smoothed forward, sharp backward",
            "(10.6)",
            Parts {
                smoothed_loss: |x, target, epsilon| {
                    let (loss, _) = solutions::smoothed_loss(x, target, epsilon);
                    (loss, solutions::smoothed_loss(x, target, 0.0).1)
                },
                ..SOLVED
            },
        ),
        wrong(
            "the rate of one step later",
            "(10.7)",
            Parts {
                rate_and_its_twin: |d, w, s| solutions::rate_and_its_twin(d, w, s + 1.0),
                ..SOLVED
            },
        ),
        wrong(
            "always at the beginning",
            "(10.9)",
            Parts {
                decoder_tokens: |words, _, table, place| {
                    solutions::decoder_tokens(words, 0, table, place)
                },
                ..SOLVED
            },
        ),
        wrong(
            "nothing is kept",
            "(10.8)",
            Parts {
                next_token: |cache, x, w_q, w_k, w_v| {
                    solutions::next_token(&mut cache.clone(), x, w_q, w_k, w_v)
                },
                ..SOLVED
            },
        ),
    ],
};

const WIDTH: usize = 32;
const HEADS: usize = 2;
const SMOOTHING: f32 = 0.1;
const WARM_UP: f64 = 40.0;
const EPOCHS: usize = 8;
const BATCH: usize = 8;

fn check(parts: Parts) {
    let language = Language::new();
    let fresh = || Yours { parts, model: model(&language) };
    one_pass(fresh(), &language);
    one_by_one(fresh(), &language.test[0].1);
    let steps = EPOCHS * language.training.len().div_ceil(BATCH);
    let (our_curve, our_bleu) = reference(&language, steps);
    let (_, first) = trained(fresh(), parts.rate_and_its_twin, &language, 3);
    assert!(
        first.iter().zip(our_curve).all(near),
        "the first losses are {first:.4?}, the chapter's {:.4?}: after a step they differ\nhint: the first \
         gradients are right, so look at the rate (10.7)",
        &our_curve[..3]
    );
    let (model, curve) = trained(fresh(), parts.rate_and_its_twin, &language, steps);
    let bleu = report(&model, &language, &curve, reference(&language, steps));
    assert!(
        bleu > our_bleu - 5.0,
        "BLEU {bleu:.1}, the chapter's model {our_bleu:.1}, after the same lessons\nhint: look at the rate \
         after the warm-up (10.7)"
    );
}

fn model(language: &Language) -> Transformer {
    let block = BlockSizes {
        d_model: WIDTH,
        d_ff: 2 * WIDTH,
        heads: HEADS,
        dropout: 0.0,
        norm: Norm::Post,
    };
    let config = Config {
        source_words: language.sizes[0],
        target_words: language.sizes[1],
        encoder_blocks: 1,
        decoder_blocks: 1,
        block,
        tied: Tied::Output,
        smoothing: SMOOTHING,
        longest: 32,
    };
    Transformer::new(&config, &mut rng(0))
}

fn batch<'n>(pairs: impl Iterator<Item = &'n Numbers>) -> Batch {
    let pairs: Vec<_> = pairs.map(|(source, target)| (&source[..], &target[..])).collect();
    Batch::new(&pairs, BEGIN)
}

/// The loss per word of a batch, and its gradients.
fn pass(model: &impl Translator, batch: &Batch) -> (f64, Vec<(ParamId, Matrix)>) {
    let tape = Tape::new();
    let unused = &mut rng(0); // without dropout nothing is drawn; with it, that is in training, the chapter smooths
    let loss = model.loss(&tape, batch, Some(unused)) * (1.0 / batch.target.words.len() as f32);
    (f64::from(loss.scalar()), loss.backward().into_params())
}

/// The model after this many steps, and of each step the loss.
fn trained<M: Translator>(
    mut model: M,
    rate: Rate,
    language: &Language,
    steps: usize,
) -> (M, Vec<f64>) {
    let (mut adam, mut curve) = (Adam::new(0.01), Vec::new());
    let batches = language.training.len().div_ceil(BATCH);
    for step in 0..steps {
        let chosen = language.training.iter().skip(step % batches).step_by(batches);
        let (loss, gradients) = pass(&model, &batch(chosen));
        curve.push(loss);
        adam.learning_rate = 0.15 * rate(WIDTH as f64, WARM_UP, step as f64 + 1.0).0 as f32;
        adam.step(&mut model, &gradients.into_iter().collect());
    }
    (model, curve)
}

/// Losses and BLEU of the chapter's own model.
fn reference(language: &Language, steps: usize) -> &'static (Vec<f64>, f64) {
    static REFERENCE: OnceLock<(Vec<f64>, f64)> = OnceLock::new(); // the same for every answer
    REFERENCE.get_or_init(|| {
        let rate = solutions::rate_and_its_twin;
        let (model, curve) = trained(model(language), rate, language, steps);
        let sources: Vec<&[usize]> = language.test.iter().map(|(_, pair)| &pair.0[..]).collect();
        let found = greedy_all(&model, &sources);
        (curve, language.bleu(found.iter().map(|found| &found.words)))
    })
}

fn near((yours, ours): (&f64, &f64)) -> bool {
    (yours - ours).abs() < 2e-4 * ours
}

/// The first loss and its gradients are the chapter's. Gains and biases are not 1 and 0, as in a fresh model, and
/// each sentence has another's translation, because its own is always as long as itself.
fn one_pass(mut yours: Yours, language: &Language) {
    yours.for_each_parameter(|name, param| {
        if name.contains("norm") {
            param.value_mut().iter_mut().zip(0..).for_each(|(x, i)| *x += 0.3 * (i as f32).sin());
        }
    });
    let turned: Vec<Numbers> = (language.training.iter().zip(&language.training[1..]))
        .map(|(one, next)| (one.0.clone(), next.1.clone()))
        .collect();
    let batch = batch(turned.iter().take(BATCH));
    let ((loss, gradients), (our_loss, ours)) = (pass(&yours, &batch), pass(&yours.model, &batch));
    assert!(
        near((&loss, &our_loss)),
        "before it has learnt anything, {loss:.4} nats a word, the chapter's {our_loss:.4}\nhint: look at the \
         masks (10.13), the normalisation (10.1), the loss (10.6) and the tokens (10.9)"
    );
    let gradients: ParamGradients = gradients.into_iter().collect();
    for (id, ours) in &ours {
        let apart = gradients.get(*id).map_or(1.0, |yours| (yours - ours).norm() / ours.norm());
        assert!(
            apart < 1e-3,
            "the gradients of the first step are {:.1} % apart from the chapter's\nhint: look at the gradients \
             of the normalisation (10.2) and of the loss (10.6)",
            100.0 * apart
        );
    }
}

/// What is written word by word is what is computed at once.
fn one_by_one(yours: Yours, (source, target): &Numbers) {
    let mut state = yours.encode(&[source]);
    let mut our_state = Translator::encode(&yours.model, &[source]);
    for word in [&[BEGIN], &target[..]].concat() {
        let p = yours.next(&mut state, &[word]).log_probabilities;
        let ours = yours.model.next(&mut our_state, &[word]).log_probabilities;
        let apart = (p - ours).amax();
        assert!(
            apart < 1e-3,
            "word by word, ln p is up to {apart:.3} apart from the chapter's\nhint: what does the next word need \
             from the cache (10.8), and at which place does a word stand that comes alone (10.9)?"
        );
    }
}

/// Shows what was learnt; its BLEU.
fn report(
    model: &Yours,
    language: &Language,
    curve: &[f64],
    (our_curve, our_bleu): &(Vec<f64>, f64),
) -> f64 {
    let sources: Vec<&[usize]> = language.test.iter().map(|(_, pair)| &pair.0[..]).collect();
    let found = greedy_all(model, &sources);
    let bleu = language.bleu(found.iter().map(|found| &found.words));
    let mut text = format!(
        "\n{} pairs, {} steps; of {} sentences that were not learnt from, BLEU {bleu:.1} (the chapter's \
         {our_bleu:.1})\n\nnats a word while it learns (the chapter's)\n",
        language.training.len(),
        curve.len(),
        sources.len(),
    );
    for step in (0..curve.len()).step_by(curve.len() / 10) {
        let bar = "█".repeat((12.0 * curve[step]).round().clamp(0.0, 60.0) as usize);
        let _ =
            writeln!(text, "{:>5} {:5.2} ({:4.2}) {bar}", step + 1, curve[step], our_curve[step]);
    }
    for ((pair, _), found) in language.test.iter().zip(&found).step_by(17) {
        let words = language.target.decode(&found.words);
        let looked = in_text(&found.alignment, &pair.source, &words);
        let _ = write!(text, "\n{}\n→ {}\n{looked}", pair.source.join(" "), words.join(" "));
    }
    show(text);
    bleu
}
