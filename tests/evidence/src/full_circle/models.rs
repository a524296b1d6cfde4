//! Chapter 16's language model with linear attention, with the delta rule, and with one block of each.

use crate::comparison::{Comparison, Expected, Row};
use full_circle::layer::{AttentionKind, LanguageModel};
use language_model::Config;
use language_model::induction::Keys;
use language_model::program::{EPOCHS, Source, fit, mean_nats, options, right_answers};
use serde::Serialize;
use shared::{Module, rng};
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
pub struct Plan {
    config: Config,
    pub kinds: [AttentionKind; 2],
    pub keys: Keys,
}

pub fn rows() -> Vec<Row<Plan>> {
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
    let rows = rows.map(|(name, kinds, keys)| {
        let plan = matched(Plan { kinds, keys, ..softmax.clone() }, parameters);
        Row { epochs: FEWER, ..Row::new(name, plan) }
    });
    rows.into()
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
    ("e_answers", "softmax attention gives the right answer more often than linear", |found| {
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
    let numbers = [
        ("above", above),
        ("answers", right_answers(&trained, &test)),
        ("loss", loss),
        ("parameters", trained.parameter_count() as f64),
    ];
    Ok(numbers.map(|(name, number)| (name.to_owned(), number)).into())
}
