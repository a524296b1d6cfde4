//! Chapter 16: how far a language model is from what can be known, and four switches; in the files, how two blocks learn
//! to copy, experts, and answers that are rewarded.

mod answers;
mod common;
mod experts;
mod induction;

use crate::comparison::{Comparison, Expected, Row};
use answers::ANSWERS;
use common::{LENGTH, TEST};
use experts::EXPERTS;
use induction::INDUCTION;
use language_model::program::{
    EPOCHS, Source, fit, ladder, lstm, mean_nats, options, right_answers,
};
use language_model::{Config, Gpt, NetworkKind, NormKind};
use serde::Serialize;
use serde_json::json;
use shared::{Module, rng};
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
    INDUCTION,
    EXPERTS,
    ANSWERS,
];

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
    let units: Vec<usize> = (1..2000).collect();
    let below = units.partition_point(|units| count(&with(*units)) < parameters);
    let best = units[below.saturating_sub(1)..].iter().take(2);
    with(*best.min_by_key(|units| count(&with(**units)).abs_diff(parameters)).expect("some units"))
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
