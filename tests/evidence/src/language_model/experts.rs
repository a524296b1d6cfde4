//! Experts against one network, with and without what balances them.

use super::common::{LENGTH, TEST, owned};
use crate::comparison::{Comparison, Expected, Row};
use language_model::program::{EPOCHS, Source, fit, mean_nats, options, right_answers};
use language_model::{Config, Gpt, Network};
use scoring_functions::{AttentionMask, Sequences};
use shared::{Module, Tape, rng};
use std::collections::BTreeMap;
use transformer::Layer;
use workbench::error::Result;
use workbench::stream;
use workbench::training::Options;

/// Half of the chapter's epochs.
const FEWER: usize = EPOCHS / 2;

pub const EXPERTS: Comparison = Comparison {
    name: "experts",
    about: "Four experts, of which a token attends to one or two, against one network; without balance",
    record: "16_language_model/figures/experts.json",
    claims: CLAIMS,
    figures: &[],
    run: |this, arguments| this.compare(arguments, "texts of the world", mixtures(), judge_mixture),
};

fn mixtures() -> Vec<Row<Config>> {
    let today = Config { longest: LENGTH, ..Config::today(Source::World.words().count()) };
    let with = |kept, balance| Config { experts: 4, kept, balance, ..today.clone() };
    let rows = [
        ("one_network", today.clone()),
        ("top_1", with(1, 0.01)),
        ("top_1_without_balance", with(1, 0.0)),
        ("top_2", with(2, 0.01)),
    ];
    rows.map(|(name, config)| Row { epochs: FEWER, ..Row::new(name, config) }).into()
}

const CLAIMS: &[Expected] = &[
    (
        "a_experts",
        "four experts with one of them active are nearer to the world than one network",
        |found| found.less(("top_1", "above"), ("one_network", "above")),
    ),
    ("b_two", "two smaller ones of four are nearer than one network", |found| {
        found.less(("top_2", "above"), ("one_network", "above"))
    }),
    (
        "c_collapse",
        "without the balance term one expert gets more than half of the tokens of a block, with every seed",
        |found| found.at_least("top_1_without_balance", "largest", 0.5),
    ),
    ("d_balance", "with it no expert gets more than 40 % of them", |found| {
        Some(Some(found.of("top_1", "largest")?.highest <= 0.4))
    }),
];

fn judge_mixture(config: &Config, seed: u64) -> Result<BTreeMap<String, f64>> {
    let (source, options) = (Source::World, Options { seed, ..options(FEWER) });
    let test = source.held_out(TEST, LENGTH);
    let mut model = Gpt::new(config, &mut rng(stream(seed, 0)));
    fit(&mut model, config, &source, LENGTH, &[], &options)?;
    let above = mean_nats(&model, &test) - source.floor(&test).expect("the world's");
    let mut found = BTreeMap::from([
        owned(("above", above)),
        owned(("answers", right_answers(&model, &test))),
        owned(("parameters", model.parameter_count() as f64)),
    ]);
    let shares = shares(&model, &test);
    if !shares.is_empty() {
        found.extend([
            owned(("largest", shares.iter().copied().fold(0.0, f64::max))),
            owned(("smallest", shares.iter().copied().fold(1.0, f64::min))),
        ]);
    }
    Ok(found)
}

/// The share of all choices that each expert of each block gets.
fn shares(model: &Gpt, texts: &[Vec<usize>]) -> Vec<f64> {
    let mut counts = vec![vec![0.0; model.config.experts]; model.blocks.len()];
    for text in texts {
        let (tape, read) = (Tape::no_grad(), &text[..LENGTH]);
        let causal = Sequences::single(LENGTH, LENGTH).with(AttentionMask::Causal);
        let mut x = model.words.forward(&tape, read);
        for (block, counts) in model.blocks.iter().zip(&mut counts) {
            let Network::Experts(experts) = &block.feed_forward else { return Vec::new() };
            let attend = |x| (block.attention.forward(x, x, &causal), ());
            let (y, ()) = block.around_attention.residual(x, attend);
            let p = experts.router.forward(block.around_feed_forward.norm.forward(y)).softmax();
            experts.choose(&p.value()).iter().flatten().for_each(|e| counts[*e] += 1.0);
            x = block.forward(x, &causal).0;
        }
    }
    let share = |counts: &Vec<f64>| {
        counts.iter().map(|n| n / counts.iter().sum::<f64>()).collect::<Vec<_>>()
    };
    counts.iter().flat_map(share).collect()
}
