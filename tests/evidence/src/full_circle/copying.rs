//! The same kinds of attention on sequences that repeat: how much is copied, and by which heads.

use super::models::{Plan, rows};
use crate::claims::all_hold;
use crate::comparison::{Comparison, Expected};
use full_circle::layer::{Attention, LanguageModel};
use full_circle::{DeltaRule, Estimator, LinearAttention};
use language_model::Config;
use language_model::induction::{induction_score, repeated};
use rand::RngExt;
use scoring_functions::{AttentionMask, Sequences};
use shared::{Adam, Float, Matrix, Optimizer, Ragged, Rng, Tape, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::stream;

pub const COPYING: Comparison = Comparison {
    name: "copying",
    about: "Either kind of attention on sequences that repeat: what is copied, and the induction scores",
    record: "17_full_circle/figures/copying.json",
    claims: CLAIMS,
    figures: &[],
    run: |this, arguments| this.compare(arguments, "sequences that repeat", rows(), judge),
};

const CLAIMS: &[Expected] = &[
    ("a_all", "every kind copies 80 % of the later tokens with every seed", |found| {
        Some(Some(found.each("copied").iter().all(|copied| copied.lowest >= 0.8)))
    }),
    ("b_tokens", "with keys that hold two tokens the delta rule copies more", |found| {
        found.less(("delta", "copied"), ("delta_two_tokens", "copied"))
    }),
    (
        "c_scores",
        "the best head of a memory has a smaller induction score than that of softmax attention",
        |found| {
            let less = |row| found.less((row, "induction"), ("softmax", "induction"));
            Some(all_hold([less("linear")?, less("delta")?, less("delta_two_tokens")?]))
        },
    ),
];

/// Chapter 16's sequences that repeat: their words, tokens, sequences of a step, periods, steps.
const VOCABULARY: usize = 32;
const TOKENS: usize = 48;
const AT_ONCE: usize = 32;
const STEPS: u64 = 1_000;
const RATE: Float = 3e-3;

fn judge(plan: &Plan, seed: u64) -> Result<[(&'static str, f64); 2]> {
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
    let best = scores.into_values().fold(f64::MIN, f64::max);
    Ok([("copied", right as f64 / asked as f64), ("induction", best)])
}

/// What every value counts for every query in each head of each block: of a memory the equivalent weights, in units of
/// their column's sum of absolute values, since a normalisation follows.
fn heads(model: &LanguageModel, text: &Ragged) -> Vec<((usize, usize), Matrix)> {
    let tape = Tape::no_grad();
    let mut x = model.words.forward(&tape, &text.words);
    let mut found = Vec::new();
    for (b, block) in model.blocks.iter().enumerate() {
        let (y, weights) = block.around_attention.residual(x, |x| {
            let keys = model.found_by(x, text);
            let weights = match &block.attention {
                Attention::Softmax(heads) => {
                    let causal = Sequences::new(&text.offsets).with(AttentionMask::Causal);
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
        let sum: Float = weights.iter().map(|w| w.abs()).sum();
        all.view_mut((0, j), (j + 1, 1)).copy_from(&(weights / sum.max(Float::MIN_POSITIVE)));
    }
    all
}
