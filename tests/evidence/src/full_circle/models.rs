//! Chapter 16's language model with linear attention, with the delta rule, and with one block of each.

use crate::comparison::{Comparison, Expected, Row};
use full_circle::layer::{Attention, AttentionKind, LanguageModel};
use full_circle::{DeltaRule, Estimator, LinearAttention};
use language_model::Config;
use language_model::induction::{Keys, induction_score, repeated};
use language_model::program::{EPOCHS, Source, fit, mean_nats, options, right_answers};
use rand::RngExt;
use serde::Serialize;
use shared::{Adam, Float, Matrix, Module, Optimizer, Ragged, Rng, Tape, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::stream;
use workbench::training::Options;

pub const MODELS: Comparison = Comparison {
    name: "models",
    about: "A language model with softmax attention, with linear attention, with the delta rule, and mixed",
    record: "17_full_circle/figures/models.json",
    claims: CLAIMS,
    figures: &[],
    run: |this, arguments| this.compare(arguments, "texts of the world", rows(), judge),
};

/// Words of a text, and texts of the test.
const LENGTH: usize = 128;
const TEST: usize = 200;
/// Half of chapter 16's epochs.
const FEWER: usize = EPOCHS / 2;

#[derive(Clone, Debug, Serialize)]
struct Plan {
    config: Config,
    kinds: [AttentionKind; 2],
    keys: Keys,
}

fn rows() -> Vec<Row<Plan>> {
    use AttentionKind::{Delta, Linear, Softmax};
    let config = Config { longest: LENGTH, ..Config::today(Source::World.words().count()) };
    let softmax = Plan { config, kinds: [Softmax; 2], keys: Keys::Own };
    let parameters = count(&softmax);
    let rows = [
        ("softmax", [Softmax; 2], Keys::Own),
        ("linear", [Linear; 2], Keys::Own),
        ("delta", [Delta; 2], Keys::Own),
        ("delta_two_tokens", [Delta; 2], Keys::WithPrevious),
        ("mixed", [Delta, Softmax], Keys::Own),
    ];
    let row = |(name, kinds, keys)| {
        let plan = matched(Plan { kinds, keys, ..softmax.clone() }, parameters);
        Row { epochs: FEWER, ..Row::new(name, plan) }
    };
    rows.map(row).into()
}

fn model(plan: &Plan, seed: u64) -> LanguageModel {
    LanguageModel::new(&plan.config, &plan.kinds, plan.keys, &mut rng(stream(seed, 0)))
}

fn count(plan: &Plan) -> usize {
    model(plan, 0).parameter_count()
}

/// The plan with as many hidden units as give it about so many parameters.
fn matched(plan: Plan, parameters: usize) -> Plan {
    let with = |feed_forward| {
        let config = Config { feed_forward, ..plan.config.clone() };
        Plan { config, ..plan.clone() }
    };
    let units: Vec<usize> = (1..2000).collect();
    let below = units.partition_point(|units| count(&with(*units)) < parameters);
    let best = units[below.saturating_sub(1)..].iter().take(2);
    with(*best.min_by_key(|units| count(&with(**units)).abs_diff(parameters)).expect("some units"))
}

const CLAIMS: &[Expected] = &[
    ("a_linear", "softmax attention is nearer to the world than linear attention", |found| {
        found.less(("softmax", "above"), ("linear", "above"))
    }),
    ("b_delta", "the delta rule is nearer than linear attention", |found| {
        found.less(("delta", "above"), ("linear", "above"))
    }),
    ("c_softmax", "softmax attention is nearer than the delta rule", |found| {
        found.less(("softmax", "above"), ("delta", "above"))
    }),
    ("d_mixed", "one block of each is nearer than softmax attention in both", |found| {
        found.less(("mixed", "above"), ("softmax", "above"))
    }),
    ("e_tokens", "with keys that hold two tokens the delta rule copies more", |found| {
        found.less(("delta", "copied"), ("delta_two_tokens", "copied"))
    }),
    ("f_answers", "softmax attention gives the right answer more often than linear", |found| {
        found.less(("linear", "answers"), ("softmax", "answers"))
    }),
];

fn judge(plan: &Plan, seed: u64) -> Result<BTreeMap<String, f64>> {
    let (source, options) = (Source::World, Options { seed, ..options(FEWER) });
    let test = source.held_out(TEST, LENGTH);
    let mut trained = model(plan, seed);
    fit(&mut trained, plan, &source, LENGTH, &[], &options)?;
    let loss = mean_nats(&trained, &test);
    let above = loss - source.floor(&test).expect("the world's");
    let [copied, induction] = copying(plan, seed);
    let numbers = [
        ("above", above),
        ("answers", right_answers(&trained, &test)),
        ("copied", copied),
        ("induction", induction),
        ("loss", loss),
        ("parameters", trained.parameter_count() as f64),
    ];
    Ok(numbers.map(|(name, number)| (name.to_owned(), number)).into())
}

// ---- copying ---------------------------------------------------------------------------------------

/// Chapter 16's sequences that repeat: their words, tokens, sequences of a step, periods, steps.
const VOCABULARY: usize = 32;
const TOKENS: usize = 48;
const AT_ONCE: usize = 32;
const STEPS: u64 = 1_000;
const RATE: Float = 3e-3;

/// A model of the same kinds that learns to copy: the share of the later copies' tokens that are right, and the largest
/// induction score of a head.
fn copying(plan: &Plan, seed: u64) -> [f64; 2] {
    let small =
        Config { width: 64, heads: 2, groups: 2, feed_forward: 64, ..Config::today(VOCABULARY) };
    let rng = &mut rng(stream(seed, 1));
    let mut model = LanguageModel::new(&small, &plan.kinds, plan.keys, rng);
    let draw = |rng: &mut Rng| {
        let period = rng.random_range(8..=16);
        (repeated(period, TOKENS, VOCABULARY, rng), period)
    };
    let mut adam = Adam::new(RATE);
    for step in 1..=STEPS {
        let texts: Vec<_> = (0..AT_ONCE).map(|_| draw(rng).0).collect();
        let texts: Vec<&[usize]> = texts.iter().map(Vec::as_slice).collect();
        let tape = Tape::new();
        let loss = model.loss(&tape, &texts) * (1.0 / (AT_ONCE * (TOKENS - 1)) as Float);
        let gradients = loss.backward().into();
        adam.set_learning_rate(RATE * (1.0 - step as Float / STEPS as Float));
        adam.step(&mut model, &gradients);
    }
    let test: Vec<_> = (0..4 * AT_ONCE).map(|_| draw(rng)).collect();
    let (mut right, mut asked) = (0, 0);
    let mut scores = BTreeMap::new();
    for (text, period) in &test {
        let read = Ragged::new(&[&text[..TOKENS - 1]]);
        let logits = model.logits(&Tape::no_grad(), &read).value();
        for i in *period..TOKENS {
            right += usize::from(logits.column(i - 1).imax() == text[i]);
            asked += 1;
        }
        for (place, weights) in heads(&model, &read) {
            let score = f64::from(induction_score(&weights, *period)) / test.len() as f64;
            *scores.entry(place).or_insert(0.0) += score;
        }
    }
    [right as f64 / asked as f64, scores.into_values().fold(f64::MIN, f64::max)]
}

/// What every value counts for every query in each head of each block: of a memory the equivalent weights.
fn heads(model: &LanguageModel, text: &Ragged) -> Vec<((usize, usize), Matrix)> {
    let tape = Tape::no_grad();
    let mut x = model.words.forward(&tape, &text.words);
    let mut found = Vec::new();
    for (b, block) in model.blocks.iter().enumerate() {
        let (y, weights) = block.around_attention.residual(x, |x| {
            let keys = model.found_by(x, text);
            let weights = match &block.attention {
                Attention::Softmax(heads) => {
                    let causal = scoring_functions::Sequences::new(&text.offsets)
                        .with(scoring_functions::AttentionMask::Causal);
                    let (_, weights) = heads.attend([x, keys, x], &causal);
                    (0..heads.heads).map(|head| weights.of(0, head).clone()).collect()
                }
                Attention::Linear(heads) => {
                    let ([q, k, _], rates) = heads.memory([x, keys], &text.offsets);
                    let rates = rates.map(|rates| rates.value());
                    (0..heads.heads)
                        .map(|head| {
                            let p = q.shape().0 / heads.heads;
                            let of = |x: &Matrix| x.rows(head * p, p).into_owned();
                            let rates = rates.as_ref().map(|rates| rates.row(head).transpose());
                            equivalent(
                                &of(&q.value()),
                                &of(&k.value()),
                                rates.as_ref().map(|r| r.as_slice()),
                            )
                        })
                        .collect::<Vec<_>>()
                }
            };
            (block.attention.forward([x, keys], &text.offsets), weights)
        });
        found.extend(weights.into_iter().enumerate().map(|(head, w)| ((b, head), w)));
        (x, ()) = block.around_feed_forward.residual(y, |x| (block.feed_forward.forward(x), ()));
    }
    found
}

/// Column j: what each value up to j counts for query j. A rate of its own for every key is a key of another length:
/// `β k kᵀ` is the same as with `√β k`, and what is written is then divided by it.
fn equivalent(q: &Matrix, k: &Matrix, rates: Option<&[Float]>) -> Matrix {
    let n = q.ncols();
    let mut all = Matrix::zeros(n, n);
    for j in 0..n {
        let [q, mut k] = [q.columns(j, 1), k.columns(0, j + 1)].map(|x| x.into_owned());
        let weights = match rates {
            None => LinearAttention { rate: 1.0 }.weights(&q, &k),
            Some(rates) => {
                let roots: Vec<Float> = rates[..=j].iter().map(|rate| rate.sqrt()).collect();
                k.column_iter_mut().zip(&roots).for_each(|(mut k, root)| k *= *root);
                let mut weights = DeltaRule { rate: 1.0 }.weights(&q, &k);
                weights.iter_mut().zip(&roots).for_each(|(w, root)| *w *= root);
                weights
            }
        };
        all.view_mut((0, j), (j + 1, 1)).copy_from(&weights);
    }
    all
}
