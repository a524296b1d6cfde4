//! Two blocks of attention learn to copy; what each head looks at, and what is left without it.

use super::common::owned;
use crate::claims::all_hold;
use crate::comparison::{Comparison, Expected, Row};
use language_model::induction::{
    Copier, Keys, induction_score, lookup, previous, previous_score, repeated,
};
use language_model::shifted;
use rand::RngExt;
use scoring_functions::{AttentionMask, Sequences};
use serde::Serialize;
use shared::{Adam, Float, Matrix, Optimizer, Ragged, Rng, Tape, elementwise, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::stream;

pub const INDUCTION: Comparison = Comparison {
    name: "induction",
    about: "Two blocks of attention learn to copy; one block; one whose keys hold two tokens; heads silenced",
    record: "16_language_model/figures/induction.json",
    claims: CLAIMS,
    figures: &[],
    run: |this, arguments| {
        this.compare(arguments, "sequences that repeat", copiers(), judge_copier)
    },
};

/// A model that learns to copy, and the periods that it sees.
#[derive(Clone, Debug, Serialize)]
struct Copying {
    blocks: usize,
    keys: Keys,
    periods: [usize; 2],
}

const VOCABULARY: usize = 32;
const HEADS: usize = 2;
const STEPS: usize = 600;
/// Tokens of a sequence, sequences of a step and of the test.
const TOKENS: usize = 48;
const AT_ONCE: usize = 32;
const PERIODS: [usize; 2] = [8, 16];

fn copiers() -> Vec<Row<Copying>> {
    let row = |name, blocks, keys, periods| Row::new(name, Copying { blocks, keys, periods });
    vec![
        row("two_blocks", 2, Keys::Own, PERIODS),
        row("one_block", 1, Keys::Own, PERIODS),
        row("one_block_two_tokens", 1, Keys::WithPrevious, PERIODS),
        row("one_block_one_period", 1, Keys::Own, [12, 12]),
    ]
}

const CLAIMS: &[Expected] = &[
    ("a_two", "two blocks copy 95 % of the later tokens with nine of ten seeds", |found| {
        let right = &found.of("two_blocks", "right")?.of_seeds;
        let good = right.iter().filter(|right| **right >= 0.95).count();
        (right.len() >= 10).then_some(Some(10 * good >= 9 * right.len()))
    }),
    ("b_one", "one block never copies more than 35 %", |found| {
        Some(Some(found.of("one_block", "right")?.highest <= 0.35))
    }),
    ("c_keys", "one block whose keys hold two tokens copies 85 % with every seed", |found| {
        found.at_least("one_block_two_tokens", "right", 0.85)
    }),
    (
        "d_heads",
        "without the first block's heads, or without the second's, less than half is left",
        |found| {
            let without = |name| Some(found.of("two_blocks", name)?.highest < 0.5);
            Some(all_hold([without("without_block_1"), without("without_block_2")]))
        },
    ),
    (
        "e_exact",
        "with heads in block 1 that look at the token before by construction, 90 % are copied with every seed",
        |found| found.at_least("two_blocks", "exact", 0.9),
    ),
    (
        "f_lookup",
        "two blocks that learnt to copy look up one of four pairs in 90 % of prompts, with every seed",
        |found| found.at_least("two_blocks", "lookup_4", 0.9),
    ),
    ("g_period", "one block that saw a single period copies it, and no other", |found| {
        let of = |name| found.of("one_block_one_period", name);
        Some(Some(of("same")?.lowest > 0.9 && of("right")?.highest < 0.35))
    }),
];

/// Sequences with periods of this range, and the periods.
fn sequences(count: usize, [least, most]: [usize; 2], rng: &mut Rng) -> Test {
    let draw = |_| {
        let period = rng.random_range(least..=most);
        (repeated(period, TOKENS, VOCABULARY, rng), period)
    };
    (0..count).map(draw).unzip()
}

/// Sequences and their periods.
type Test = (Vec<Vec<usize>>, Vec<usize>);

/// Of later copies the share of tokens that are the most probable and their mean loss, and the mean loss of first copies.
fn copied(logits: impl Fn(&Ragged) -> Matrix, (texts, periods): &Test) -> [f64; 3] {
    let (mut right, mut loss, mut count) = (0, [0.0; 2], [0; 2]);
    for (text, period) in texts.iter().zip(periods) {
        let (read, next) = shifted(&[text]);
        let mut p = logits(&read);
        elementwise::softmax_columns(&mut p);
        for (i, next) in next.into_iter().enumerate() {
            let later = usize::from(i + 1 >= *period);
            right += usize::from(later == 1 && p.column(i).imax() == next);
            loss[later] -= f64::from(p[(next, i)]).ln();
            count[later] += 1;
        }
    }
    let mean = |later: usize| loss[later] / count[later] as f64;
    [right as f64 / count[1] as f64, mean(1), mean(0)]
}

fn judge_copier(plan: &Copying, seed: u64) -> Result<BTreeMap<String, f64>> {
    let rng = &mut rng(stream(seed, 0));
    let mut model = Copier::new(VOCABULARY, 64, HEADS, plan.blocks, plan.keys, rng);
    let test = sequences(4 * AT_ONCE, PERIODS, rng);
    let mut found = BTreeMap::new();
    let mut adam = Adam::new(RATE);
    for step in 1..=STEPS {
        let (texts, _) = sequences(AT_ONCE, plan.periods, rng);
        let texts: Vec<&[usize]> = texts.iter().map(Vec::as_slice).collect();
        let loss = |tape: &Tape| {
            let loss = model.loss(tape, &texts) * (1.0 / (AT_ONCE * (TOKENS - 1)) as Float);
            loss.backward().into()
        };
        let gradients = loss(&Tape::new());
        adam.set_learning_rate(RATE * (1.0 - step as Float / STEPS as Float));
        adam.step(&mut model, &gradients);
        let jumped = found.contains_key("jump");
        if step % 10 == 0 && !jumped && copied(by(&model), &test)[0] > 0.5 {
            found.insert("jump".to_owned(), step as f64);
        }
    }
    let [right, later, first] = copied(by(&model), &test);
    found.extend([("right", right), ("later", later), ("first", first)].map(owned));
    if plan.periods[0] == plan.periods[1] {
        let same = sequences(AT_ONCE, plan.periods, rng);
        found.extend([("same", copied(by(&model), &same)[0])].map(owned));
    }
    found.extend(looked_up(&model, rng));
    if plan.blocks == 2 {
        found.extend(looked(&model, &test));
        found.extend(ablated(&mut model, &test));
    }
    Ok(found)
}

const RATE: Float = 3e-3;

/// The logits of a model.
fn by(model: &Copier) -> impl Fn(&Ragged) -> Matrix {
    |text| Matrix::clone(&model.forward(&Tape::no_grad(), text).0.value())
}

/// The logits of a model of two blocks where every head of the first gives all its weight to the token before.
fn by_exact(model: &Copier) -> impl Fn(&Ragged) -> Matrix {
    |text| {
        let tape = Tape::no_grad();
        let [first, second] = &model.blocks[..] else { panic!("two blocks") };
        let x = model.words.forward(&tape, &text.words);
        let before = first.w_v.forward(x).select_columns(&previous(&text.offsets));
        let x = x + first.w_o.forward(before);
        let causal = Sequences::new(&text.offsets).with(AttentionMask::Causal);
        Matrix::clone(&model.output.forward(x + second.forward(x, x, &causal)).value())
    }
}

/// The share of lookups that are right, by the number of pairs in the prompt. Nothing of the kind was trained.
fn looked_up(model: &Copier, rng: &mut Rng) -> Vec<(String, f64)> {
    let right = |pairs: usize, rng: &mut Rng| {
        let right = |_: &usize| {
            let (text, value) = lookup(pairs, VOCABULARY, rng);
            let logits = by(model)(&Ragged::new(&[&text]));
            logits.column(text.len() - 1).imax() == value
        };
        (0..LOOKUPS).filter(right).count() as f64 / LOOKUPS as f64
    };
    PAIRS.iter().map(|pairs| (format!("lookup_{pairs}"), right(*pairs, rng))).collect()
}

const LOOKUPS: usize = 400;
const PAIRS: [usize; 5] = [1, 2, 4, 8, 16];

/// What every head looks at: at the token before, at the token after the last occurrence.
fn looked(model: &Copier, (texts, periods): &Test) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    for (text, period) in texts.iter().zip(periods) {
        let (_, weights) = model.forward(&Tape::no_grad(), &Ragged::new(&[text]));
        for (block, weights) in (1..).zip(&weights) {
            for head in 0..HEADS {
                let alpha = weights.of(0, head);
                let scores = [
                    ("previous", previous_score(alpha)),
                    ("induction", induction_score(alpha, *period)),
                ];
                for (name, score) in scores {
                    let name = format!("{name}_{block}_{}", head + 1);
                    *found.entry(name).or_default() += f64::from(score) / texts.len() as f64;
                }
            }
        }
    }
    found
}

/// What is right without one head, without a block's.
fn ablated(model: &mut Copier, test: &Test) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::from([owned(("exact", copied(by_exact(model), test)[0]))]);
    for block in 0..2 {
        for head in 0..HEADS {
            let w_o = model.blocks[block].ablate(head);
            let name = format!("without_{}_{}", block + 1, head + 1);
            found.insert(name, copied(by(model), test)[0]);
            *model.blocks[block].w_o.weight.value_mut() = w_o;
        }
        let all: Vec<Matrix> = (0..HEADS).map(|head| model.blocks[block].ablate(head)).collect();
        found.insert(format!("without_block_{}", block + 1), copied(by(model), test)[0]);
        *model.blocks[block].w_o.weight.value_mut() = all[0].clone();
    }
    found
}
