//! From going on to answering: what drawing and rewarding answers does to them, and to the rest.

use super::common::{LENGTH, TEST, owned};
use crate::comparison::{Comparison, Expected, Row};
use language_model::answering::{Answering, next_logits, question};
use language_model::program::{EPOCHS, Source, fit, mean_nats, options};
use language_model::{Config, Gpt};
use shared::{Adam, Float, Matrix, Module, Optimizer, ParamGradients, Tape, rng};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use workbench::error::Result;
use workbench::stream;
use workbench::training::Options;

pub const ANSWERS: Comparison = Comparison {
    name: "answers",
    about: "Answers that are drawn, and rewarded when they are right: with and without a baseline, and held back",
    record: "16_language_model/figures/answers.json",
    claims: CLAIMS,
    figures: &[],
    run: |this, arguments| this.compare(arguments, "questions of the world", rows(), judge),
};

const STEPS: usize = 200;
const WARMUP: usize = 20;
const RATE: Float = 1e-4;
/// Questions of a step, and of the test.
const QUESTIONS: usize = 16;
const TESTED: usize = 1024;

fn rows() -> Vec<Row<Answering>> {
    let group = Answering { group: 8, baseline: true, pull: 0.0 };
    let rows = [
        ("group", group),
        ("no_baseline", Answering { baseline: false, ..group }),
        ("pulled_back", Answering { pull: 0.1, ..group }),
    ];
    rows.map(|(name, plan)| Row::new(name, plan)).into()
}

const CLAIMS: &[Expected] = &[
    ("a_drawn", "drawn answers are right more often than before, with every seed", |found| {
        found.every(("group", "drawn"), ("group", "drawn_before"), |after, before| after > before)
    }),
    (
        "b_likeliest",
        "the most probable answer is right as often as before, to within five points, with every seed",
        |found| {
            found.every(("group", "likeliest"), ("group", "likeliest_before"), |after, before| {
                (after - before).abs() <= 0.05
            })
        },
    ),
    ("c_rest", "the texts of the world become less probable, with every seed", |found| {
        found.every(("group", "above"), ("group", "above_before"), |after, before| after > before)
    }),
    ("d_pull", "pulled back to where it began, it loses less of them", |found| {
        found.less(("pulled_back", "above"), ("group", "above"))
    }),
    ("e_baseline", "without a baseline it loses more of them", |found| {
        found.less(("group", "above"), ("no_baseline", "above"))
    }),
];

fn judge(plan: &Answering, seed: u64) -> Result<BTreeMap<String, f64>> {
    let (mut model, reference) = (trained(seed)?, trained(seed)?);
    let (questions, answers) = (&mut rng(stream(seed, 1)), &mut rng(stream(seed, 2)));
    let before = measured(&model);
    let mut adam = Adam::new(RATE);
    for step in 1..=STEPS {
        let asked: Vec<_> = (0..QUESTIONS).map(|_| question(LENGTH, questions)).collect();
        let tape = Tape::new();
        let (loss, _) = plan.loss(&model, &reference, &tape, &asked, answers);
        let mut gradients: ParamGradients = loss.backward().into();
        gradients.clip_norm(1.0);
        adam.set_learning_rate(RATE * (step as Float / WARMUP as Float).min(1.0));
        adam.step(&mut model, &gradients);
    }
    let mut found: BTreeMap<String, f64> = measured(&model).map(owned).into();
    found.extend(before.map(|(name, number)| (format!("{name}_before"), number)));
    Ok(found)
}

/// The chapter's model, trained once for each seed.
fn trained(seed: u64) -> Result<Gpt> {
    static KEPT: Mutex<BTreeMap<u64, Vec<Matrix>>> = Mutex::new(BTreeMap::new());
    let config = Config { longest: LENGTH, ..Config::today(Source::World.words().count()) };
    let mut model = Gpt::new(&config, &mut rng(stream(seed, 0)));
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(values) = kept.get(&seed) {
        let mut values = values.iter().cloned();
        model.for_each_parameter(|_, p| *p.value_mut() = values.next().expect("one for each"));
        return Ok(model);
    }
    let options = Options { seed, ..options(EPOCHS) };
    fit(&mut model, &config, &Source::World, LENGTH, &[], &options)?;
    let mut values = Vec::new();
    model.for_each_parameter(|_, parameter| values.push(parameter.value().clone()));
    kept.insert(seed, values);
    Ok(model)
}

/// Of questions never asked, how probable the true answer is and how often it is the most probable one; and how far
/// texts are from the world.
fn measured(model: &Gpt) -> [(&'static str, f64); 3] {
    let rng = &mut rng(stream(0, 1617));
    let asked: Vec<_> = (0..TESTED).map(|_| question(LENGTH, rng)).collect();
    let (mut drawn, mut likeliest) = (0.0, 0.0);
    for asked in asked.chunks(QUESTIONS) {
        let prompts: Vec<&[usize]> = asked.iter().map(|(prompt, _)| &prompt[..]).collect();
        let p = next_logits(model, &Tape::no_grad(), &prompts).softmax().value();
        for (p, (_, truth)) in p.column_iter().zip(asked) {
            drawn += f64::from(p[*truth]) / TESTED as f64;
            likeliest += f64::from(u8::from(p.imax() == *truth)) / TESTED as f64;
        }
    }
    let test = Source::World.held_out(TEST, LENGTH);
    let above = mean_nats(model, &test) - Source::World.floor(&test).expect("the world's");
    [("drawn", drawn), ("likeliest", likeliest), ("above", above)]
}
