//! Chapter 16: how far a language model is from what can be known; four switches; how two blocks learn to copy.

use crate::claims::all_hold;
use crate::comparison::{Comparison, Expected, Row};
use language_model::induction::{
    Copier, Keys, induction_score, previous, previous_score, repeated,
};
use language_model::program::{
    EPOCHS, Source, fit, ladder, lstm, mean_nats, options, right_answers,
};
use language_model::{Config, Gpt, NetworkKind, NormKind, shifted};
use rand::RngExt;
use scoring_functions::{AttentionMask, Sequences};
use serde::Serialize;
use serde_json::json;
use shared::{Adam, Float, Matrix, Module, Optimizer, Ragged, Rng, Tape, elementwise, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::stream;
use workbench::training::Options;

pub const EVIDENCE: &[Comparison] = &[
    Comparison {
        name: "compare",
        about: "Nats a word above the world's own, of an LSTM, of GPT, and of GPT with each of four switches turned back",
        record: "16_language_model/figures/results.json",
        claims: CLAIMS,
        figures: &[],
        run: |this, arguments| {
            this.compare_and(arguments, "texts of the world", rows(), judge, || {
                let test = Source::World.held_out(TEST, LENGTH);
                let ngrams = ladder(&Source::World, LENGTH, &test);
                let floor = Source::World.floor(&test);
                Ok(BTreeMap::from([
                    ("ngrams".to_owned(), json!(ngrams)),
                    ("floor".to_owned(), json!(floor)),
                ]))
            })
        },
    },
    Comparison {
        name: "induction",
        about: "Two blocks of attention learn to copy; one block; one whose keys hold two tokens; heads silenced",
        record: "16_language_model/figures/induction.json",
        claims: INDUCTION,
        figures: &[],
        run: |this, arguments| {
            this.compare(arguments, "sequences that repeat", copiers(), judge_copier)
        },
    },
];

/// Words of a text, and texts of the test.
const LENGTH: usize = 128;
const TEST: usize = 200;

#[derive(Clone, Debug, Serialize)]
enum Plan {
    Lstm,
    Gpt(Config),
}

fn rows() -> Vec<Row<Plan>> {
    let today = Config { longest: LENGTH, ..Config::today(Source::World.words().count()) };
    let gpt2 = Config { longest: LENGTH, ..Config::gpt2(today.vocabulary) };
    let of = |change: &dyn Fn(&mut Config)| {
        let mut config = today.clone();
        change(&mut config);
        Plan::Gpt(matched(config, count(&today)))
    };
    let rows = [
        ("all_heads", of(&|config| config.groups = config.heads)),
        ("gelu", of(&|config| config.network = NetworkKind::Gelu)),
        ("gpt2", Plan::Gpt(matched(gpt2, count(&today)))),
        ("layer_norm", of(&|config| config.norm = NormKind::Layer)),
        ("learned_positions", of(&|config| config.rotary = false)),
        ("lstm", Plan::Lstm),
        ("one_group", of(&|config| config.groups = 1)),
        ("today", of(&|_| ())),
    ];
    rows.map(|(name, plan)| Row { epochs: EPOCHS, ..Row::new(name, plan) }).into()
}

fn count(config: &Config) -> usize {
    Gpt::new(config, &mut rng(0)).parameter_count()
}

/// The configuration with as many hidden units as give it about so many parameters.
fn matched(config: Config, parameters: usize) -> Config {
    let with = |feed_forward| Config { feed_forward, ..config.clone() };
    let best = (1..2000).min_by_key(|units| count(&with(*units)).abs_diff(parameters));
    with(best.expect("some units"))
}

const CLAIMS: &[Expected] = &[
    (
        "a_gpt",
        "with every seed GPT is nearer to the world than an LSTM of equal parameters",
        |found| found.every(("today", "above"), ("lstm", "above"), |gpt, lstm| gpt < lstm),
    ),
    ("b_answers", "GPT gives the right answer more often than the LSTM", |found| {
        found.less(("lstm", "answers"), ("today", "answers"))
    }),
    ("c_rotary", "rotary positions are nearer than learned ones", |found| {
        found.less(("today", "above"), ("learned_positions", "above"))
    }),
    ("d_gate", "the gated network is nearer than the plain one of equal parameters", |found| {
        found.less(("today", "above"), ("gelu", "above"))
    }),
    ("e_norm", "RMSNorm and LayerNorm are not decided by three seeds", |found| {
        let less = |a, b| found.less((a, "above"), (b, "above"));
        let [one, other] = [less("today", "layer_norm")?, less("layer_norm", "today")?];
        Some(Some(one != Some(true) && other != Some(true)))
    }),
    ("f_all", "all four switches together are nearer than the block of GPT-2", |found| {
        found.less(("today", "above"), ("gpt2", "above"))
    }),
];

fn judge(plan: &Plan, seed: u64) -> Result<BTreeMap<String, f64>> {
    let source = Source::World;
    let test = source.held_out(TEST, LENGTH);
    let options = Options { seed, ..options(EPOCHS) };
    let found = match plan {
        Plan::Lstm => {
            let config = Config { longest: LENGTH, ..Config::today(source.words().count()) };
            let mut model = lstm(config.vocabulary, config.width, count(&config), seed);
            fit(&mut model, &"LSTM", &source, LENGTH, &[], &options)?;
            [mean_nats(&model, &test), right_answers(&model, &test), model.parameter_count() as f64]
        }
        Plan::Gpt(config) => {
            let mut model = Gpt::new(config, &mut rng(stream(seed, 0)));
            fit(&mut model, config, &source, LENGTH, &[], &options)?;
            [mean_nats(&model, &test), right_answers(&model, &test), model.parameter_count() as f64]
        }
    };
    let [loss, answers, parameters] = found;
    let above = loss - source.floor(&test).expect("the world's");
    let numbers =
        [("above", above), ("answers", answers), ("loss", loss), ("parameters", parameters)];
    Ok(numbers.map(|(name, number)| (name.to_owned(), number)).into())
}

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

const INDUCTION: &[Expected] = &[
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
    ("f_period", "one block that saw a single period copies it, and no other", |found| {
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

fn owned<T>((name, number): (&str, T)) -> (String, T) {
    (name.to_owned(), number)
}

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
