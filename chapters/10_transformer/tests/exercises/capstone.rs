//! 10.16, the capstone: the reader's functions are a Transformer, trained on the course's grammar.

mod language;
mod yours;

use crate::sight::Sight;
use crate::solutions;
use corpora::BEGIN;
use language::Language;
use seq2seq::decoding::greedy_all;
use seq2seq::translating::draw::in_text;
use seq2seq::{Batch, Translator};
use shared::{Adam, Matrix, Optimizer, ParamGradients, ParamId, Rng, Tape, Var, Vector, rng};
use std::fmt::Write;
use std::sync::OnceLock;
use tests::exercises::{Exercise, Kind, Wrong, show};
use transformer::{BlockSizes, Config, Norm, Tied, Transformer};

type NormBackward = fn(&Matrix, &Vector, &Matrix) -> (Matrix, Vector, Vector);
type NextToken = fn(&mut Vec<(Vector, Vector)>, &Vector, &Matrix, &Matrix, &Matrix) -> Vector;
type Tokens = fn(&[usize], usize, &Matrix, fn(usize) -> Vector) -> Matrix;

/// The answers that the Transformer is made of.
#[derive(Clone, Copy)]
pub struct Parts {
    pub layer_norm: fn(&Matrix, &Vector, &Vector) -> Matrix,
    pub layer_norm_backward: NormBackward,
    pub smoothed_loss: fn(&Vector, usize, f32) -> (f32, Vector),
    pub rate_and_its_twin: fn(f64, f64, f64) -> (f64, f64),
    pub next_token: NextToken,
    pub decoder_tokens: Tokens,
    pub sight: Sight,
}

/// Which exercises ask for them.
pub const NEEDS: [u32; 7] = [1, 2, 6, 7, 8, 9, 13];

const SOLVED: Parts = Parts {
    layer_norm: solutions::layer_norm,
    layer_norm_backward: solutions::layer_norm_backward,
    smoothed_loss: solutions::smoothed_loss,
    rate_and_its_twin: solutions::rate_and_its_twin,
    next_token: solutions::next_token,
    decoder_tokens: solutions::decoder_tokens,
    sight: solutions::sight,
};

pub fn exercise() -> Exercise<Parts> {
    Exercise {
        number: 16,
        title: "capstone: your Transformer",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: "no causal mask",
                hint: "(10.13)",
                answer: Parts { sight: |q, k, _| solutions::sight(q, k, false), ..SOLVED },
            },
            Wrong {
                name: "a normalisation that scales only",
                hint: "(10.2)",
                answer: Parts {
                    layer_norm_backward: |x, gain, dy| {
                        let (_, dgain, dbias) = solutions::layer_norm_backward(x, gain, dy);
                        (dy.clone(), dgain, dbias)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "labels that are not smoothed",
                hint: "(10.6)",
                answer: Parts {
                    smoothed_loss: |x, target, _| solutions::smoothed_loss(x, target, 0.0),
                    ..SOLVED
                },
            },
            Wrong {
                name: "the rate of one step later",
                hint: "(10.7)",
                answer: Parts {
                    rate_and_its_twin: |d_model, w, s| {
                        solutions::rate_and_its_twin(d_model, w, s + 1.0)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "words without √d",
                hint: "(10.9)",
                answer: Parts {
                    decoder_tokens: |words, before, table, place| {
                        let table = table / (table.nrows() as f32).sqrt();
                        solutions::decoder_tokens(words, before, &table, place)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "smoothed over the other words alone",
                hint: "(10.6)",
                answer: Parts {
                    smoothed_loss: |x, target, epsilon| {
                        let words = x.len() as f32;
                        solutions::smoothed_loss(x, target, epsilon * words / (words - 1.0))
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "smoothed forward, sharp backward",
                hint: "(10.6)",
                answer: Parts {
                    smoothed_loss: |x, target, epsilon| {
                        let (loss, _) = solutions::smoothed_loss(x, target, epsilon);
                        (loss, solutions::smoothed_loss(x, target, 0.0).1)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "a gain that learns too slowly",
                hint: "(10.2)",
                answer: Parts {
                    layer_norm_backward: |x, gain, dy| {
                        let (dx, dgain, dbias) = solutions::layer_norm_backward(x, gain, dy);
                        (dx, dgain / x.ncols() as f32, dbias)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "the look across sees all sentences",
                hint: "(10.13)",
                answer: Parts {
                    sight: |queries, keys, causal| {
                        let mask = solutions::sight(queries, keys, causal);
                        if queries == keys { mask } else { mask.map(|_| 0.0) }
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "the gain forgotten",
                hint: "(10.1)",
                answer: Parts {
                    layer_norm: |x, gain, bias| solutions::layer_norm(x, &gain.map(|_| 1.0), bias),
                    ..SOLVED
                },
            },
            Wrong {
                name: "the gain forgotten on the way back",
                hint: "(10.2)",
                answer: Parts {
                    layer_norm_backward: |x, gain, dy| {
                        solutions::layer_norm_backward(x, &gain.map(|_| 1.0), dy)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "always at the beginning",
                hint: "(10.9)",
                answer: Parts {
                    decoder_tokens: |words, _, table, place| {
                        solutions::decoder_tokens(words, 0, table, place)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "nothing is kept",
                hint: "(10.8)",
                answer: Parts {
                    next_token: |cache, x, w_q, w_k, w_v| {
                        cache.clear();
                        solutions::next_token(cache, x, w_q, w_k, w_v)
                    },
                    ..SOLVED
                },
            },
        ],
    }
}

const WIDTH: usize = 32;
const HEADS: usize = 2;
const SMOOTHING: f32 = 0.1;
const WARM_UP: f64 = 40.0;
const EPOCHS: usize = 8;
const BATCH: usize = 8;
/// Steps at which yours and the chapter's have to be alike.
const ALIKE: usize = 3;

fn model(language: &Language) -> Transformer {
    let block = BlockSizes {
        d_model: WIDTH,
        d_ff: 2 * WIDTH,
        heads: HEADS,
        dropout: 0.0,
        norm: Norm::Post,
    };
    let config = Config {
        source_words: language.source.len(),
        target_words: language.target.len(),
        encoder_blocks: 1,
        decoder_blocks: 1,
        block,
        tied: Tied::Output,
        smoothing: SMOOTHING,
        longest: 32,
    };
    Transformer::new(&config, &mut rng(0))
}

/// The summed loss of a batch, the chapter's own. It smooths while it trains, that is, when it is given random numbers.
fn reference_loss<'t>(model: &Transformer, tape: &'t Tape, batch: &Batch) -> Var<'t> {
    let unused: &mut Rng = &mut rng(0); // without dropout nothing is drawn
    model.loss(tape, batch)
}

/// A fresh model after this many steps of these parts, or of the chapter's; of each step the loss per word.
fn trained(language: &Language, steps: usize, parts: Option<Parts>) -> (Transformer, Vec<f64>) {
    let rate = parts.unwrap_or(SOLVED).rate_and_its_twin;
    let (mut model, mut adam, mut curve) = (model(language), Adam::new(0.01), Vec::new());
    let batches = language.training.len().div_ceil(BATCH);
    for step in 0..steps {
        let chosen = (step % batches..language.training.len()).step_by(batches);
        let pairs: Vec<_> = chosen.map(|i| language.training[i].numbers()).collect();
        let batch = Batch::new(&pairs, BEGIN);
        let tape = Tape::new();
        let loss = loss(&model, &tape, &batch, parts) * (1.0 / batch.target.words.len() as f32);
        curve.push(f64::from(loss.scalar()));
        adam.learning_rate = 0.15 * rate(WIDTH as f64, WARM_UP, step as f64 + 1.0).0 as f32;
        let gradients = loss.backward().into();
        adam.step(&mut model, &gradients);
    }
    (model, curve)
}

/// The chapter's model and losses: the same for every answer.
fn reference(language: &Language, steps: usize) -> &'static (Vec<f64>, f64) {
    static REFERENCE: OnceLock<(Vec<f64>, f64)> = OnceLock::new();
    REFERENCE.get_or_init(|| {
        let (model, curve) = trained(language, steps, None);
        let sources: Vec<&[usize]> = language.test.iter().map(|pair| pair.numbers().0).collect();
        let found = greedy_all(&model, &sources);
        let found: Vec<Vec<usize>> = found.into_iter().map(|found| found.words).collect();
        (curve, language.bleu(&found))
    })
}

fn check(parts: Parts) {
    let language = Language::new();
    alike(parts, &language);
    one_by_one(parts, &language);
    let steps = EPOCHS * language.training.len().div_ceil(BATCH);
    let (model, curve) = trained(&language, steps, Some(parts));
    let (our_curve, our_bleu) = reference(&language, steps);
    let translations: Vec<Vec<usize>> =
        language.test.iter().map(|pair| parts.translate(&model, pair.numbers().0)).collect();
    let bleu = language.bleu(&translations);
    let mut report = format!(
        "\n{} pairs, {steps} steps; {} sentences that were not learnt from:\n\n{:8} {:>8} {:>11}\n\
         {:8} {bleu:>8.1} {our_bleu:>11.1}\n\nnats a word while it learns (the chapter's)\n",
        language.training.len(),
        language.test.len(),
        "",
        "yours",
        "chapter's",
        "BLEU",
    );
    for step in (0..steps).step_by(steps / 10) {
        let (loss, ours) = (curve[step], our_curve[step]);
        let bar = "█".repeat((12.0 * loss).round().clamp(0.0, 60.0) as usize);
        let _ = writeln!(report, "{:>5} {loss:5.2} ({ours:4.2}) {bar}", step + 1);
    }
    for (pair, words) in language.test.iter().zip(&translations).step_by(17) {
        let found = language.target.decode(words).join(" ");
        let _ = write!(report, "\n  {}\n→ {found}", pair.words.source.join(" "));
    }
    let pair = language.longest();
    let looked = parts.cross_weights(&model, pair.numbers());
    let drawing = in_text(&looked, &pair.words.source, &pair.words.target);
    show(format!("{report}\n\nwhere it looks while this is dictated\n{drawing}"));
    assert!(
        bleu > our_bleu - 5.0,
        "BLEU {bleu:.1}, the chapter's model {our_bleu:.1}, after the same lessons\nhint: look at the rate \
         after the warm-up (10.7)"
    );
}

/// One pass and the first steps are those of the chapter's own model: loss, gradient, rate.
fn alike(parts: Parts, language: &Language) {
    let near = |(yours, ours): (&f64, &f64)| (yours - ours).abs() < 2e-4 * ours;
    let ([yours, ours], far) = one_pass(parts, language);
    assert!(
        near((&yours, &ours)),
        "before it has learnt anything, {yours:.4} nats a word, the chapter's {ours:.4}\nhint: look at the \
         masks (10.13), the normalisation (10.1), the loss (10.6) and the tokens (10.9)"
    );
    assert!(
        far < 1e-3,
        "the gradients of the first step are {:.1} % apart from the chapter's\nhint: look at the gradients \
         of the normalisation (10.2) and of the loss (10.6)",
        100.0 * far
    );
    let (_, yours) = trained(language, ALIKE, Some(parts));
    let (_, ours) = trained(language, ALIKE, None);
    assert!(
        yours.iter().zip(&ours).all(near),
        "the first losses are {yours:.4?}, the chapter's {ours:.4?}: after a step they differ\nhint: the \
         first gradients are right, so look at the rate (10.7)"
    );
}

/// The loss per word, yours and the chapter's, and how far your gradients are from the chapter's at the
/// parameter where it is most. Gains and biases are not 1 and 0, as in a fresh model, and each sentence
/// has another's translation, because its own is always as long as itself.
fn one_pass(parts: Parts, language: &Language) -> ([f64; 2], f32) {
    let mut model = model(language);
    let ([reader], [writer]) = (&mut model.encoder[..], &mut model.decoder[..]) else {
        panic!("a block on either side");
    };
    let residuals = [
        &mut reader.around_attention,
        &mut reader.around_feed_forward,
        &mut writer.around_attention,
        &mut writer.around_cross,
        &mut writer.around_feed_forward,
    ];
    for norm in residuals.map(|residual| &mut residual.norm) {
        norm.gain.value_mut().iter_mut().zip(0..).for_each(|(g, i)| *g += 0.3 * (i as f32).sin());
        norm.bias.value_mut().iter_mut().zip(0..).for_each(|(b, i)| *b += 0.3 * (i as f32).cos());
    }
    let sources = language.training.iter().map(|pair| pair.numbers().0);
    let targets = language.training.iter().map(|pair| pair.numbers().1).skip(1);
    let pairs: Vec<_> = sources.zip(targets).take(BATCH).collect();
    let batch = Batch::new(&pairs, BEGIN);
    let pass = |parts| {
        let tape = Tape::new();
        let loss = loss(&model, &tape, &batch, parts);
        let each = f64::from(loss.scalar()) / batch.target.words.len() as f64;
        (each, loss.backward().into_params())
    };
    let ((yours, your_gradients), (ours, our_gradients)) = (pass(Some(parts)), pass(None));
    let found: ParamGradients = your_gradients.into_iter().collect();
    let apart = |(id, ours): &(ParamId, Matrix)| {
        found.get(*id).map_or(1.0, |yours| (yours - ours).norm() / ours.norm())
    };
    // NaN is the farthest of all.
    let far = our_gradients.iter().map(apart).map(f32::abs).max_by(f32::total_cmp);
    ([yours, ours], far.expect("a gradient"))
}

/// The summed loss of a batch: of these parts, or the chapter's.
fn loss<'t>(model: &Transformer, tape: &'t Tape, batch: &Batch, parts: Option<Parts>) -> Var<'t> {
    match parts {
        Some(parts) => parts.loss(model, tape, batch),
        None => reference_loss(model, tape, batch),
    }
}

/// What is written word by word is what is computed at once.
fn one_by_one(parts: Parts, language: &Language) {
    let [at_once, one_by_one] = parts.both_ways(&model(language), language.longest().numbers());
    let apart = (at_once - one_by_one).amax();
    assert!(
        apart < 1e-3,
        "word by word, logits are up to {apart:.3} apart from those of all words at once\nhint: what does \
         the next word need from the cache (10.8), and at which place does a word stand that comes \
         alone (10.9)?"
    );
}
