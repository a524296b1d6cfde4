//! `compare`: every model by three rulers, and how often its largest weight lies on the reason.

use super::claims::CLAIMS;
use super::data::Data;
use super::figures::FIGURES;
use super::fit::{Choice, Recipe, fit, popularity};
use super::judge::{Order, RULERS, hit_rate, judge, reason_rate, reasons};
use super::split::Split;
use crate::world::Sizes;
use crate::{Action, Histories};
use clap::ValueEnum;
use serde::Serialize;
use shared::Float;
use workbench::error::Result;
use workbench::study::{Comparison, Row, StudyArgs};

/// A row: how a model is made, and what is held out.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Config {
    pub recipe: Recipe,
    pub split: Split,
    pub customers: usize,
}

/// The last twelfth of the actions in time.
pub const LAST: Split = Split::InTime(1.0 / 12.0);

pub const NUMBERS: [&str; 29] = [
    "hit_full",
    "hit_full_low",
    "hit_full_high",
    "hit_uniform",
    "hit_uniform_low",
    "hit_uniform_high",
    "hit_popular",
    "hit_popular_low",
    "hit_popular_high",
    "ndcg_full",
    "ndcg_full_low",
    "ndcg_full_high",
    "ndcg_uniform",
    "ndcg_uniform_low",
    "ndcg_uniform_high",
    "ndcg_popular",
    "ndcg_popular_low",
    "ndcg_popular_high",
    "hit_ties_reversed",
    "hit_shuffled",
    "reasons",
    "reasons_low",
    "reasons_high",
    "reasons_supply",
    "reasons_series",
    "reasons_basket",
    "reasons_absolute",
    "reasons_left_out",
    "parameters",
];

/// What is compared: leave-last-out for every model, and four of them split in time.
pub fn rows(customers: usize) -> Vec<Row<Config>> {
    use Choice::{Din, ItemToItem, Popularity, Sasrec};
    let all = Choice::value_variants().iter().rev().copied();
    let row = |choice, split, name: String| {
        let recipe = Recipe::new(choice);
        let epochs = if choice.is_counted() { 1 } else { recipe.epochs };
        Row { epochs, ..Row::new(name, Config { recipe, split, customers }) }
    };
    let last_out = all.map(|choice| row(choice, Split::LeaveLastOut, choice.name()));
    let in_time = [Din, Sasrec, ItemToItem, Popularity];
    let in_time = in_time.map(|choice| row(choice, LAST, format!("{}_in_time", choice.name())));
    last_out.chain(in_time).collect()
}

pub fn compare(arguments: &StudyArgs) -> Result<()> {
    comparison(Sizes::default().customers).run(arguments, run)
}

pub fn comparison(customers: usize) -> Comparison<'static, Config> {
    Comparison {
        program: "recommendation",
        about: "the generated shop, another one for every seed; HR and NDCG at 10; intervals over customers",
        rows: rows(customers),
        claims: CLAIMS,
        figures: FIGURES,
    }
}

/// Trains one model on the shop of this seed, and judges it.
pub fn run(config: &Config, seed: u64) -> Result<[(&'static str, f64); 29]> {
    let data = Data::shop(&Sizes { customers: config.customers, ..Sizes::default() }, seed);
    let parts = config.split.of(&data);
    let (mut fitted, _) = fit(&config.recipe, &data, &parts, seed, |options| options)?;
    let case = (&data, &parts.test[..], config.recipe.longest);
    let bought = popularity(&data, &parts);
    let scores = |histories: &Histories| fitted.scores(histories, data.items.len());
    let found = judge(case, bought.counts(), &RULERS.map(|(_, ruler)| ruler), &scores)?;
    let ends = |x: workbench::study::Interval| [x.estimate, x.low, x.high];
    let mut numbers: Vec<f64> = found.hit.into_iter().chain(found.ndcg).flat_map(ends).collect();
    for order in [Order::TiesReversed, Order::Shuffled] {
        numbers.push(hit_rate(case, order, &scores)?);
    }
    let weights = |history: &[Action], candidate| fitted.weights(history, candidate);
    let absolute = |history: &[Action], candidate| {
        Some(weights(history, candidate)?.into_iter().map(Float::abs).collect())
    };
    let falls = |history: &[Action], candidate| fitted.falls(history, candidate);
    let rate = |found: Option<Vec<_>>| found.as_deref().map(reason_rate);
    let found = rate(reasons(case, &weights));
    numbers.extend(found.map_or([0.0; 3], |(rate, _)| ends(rate)));
    numbers.extend(found.map_or([0.0; 3], |(_, motives)| motives));
    let other = [reasons(case, &absolute), reasons(case, &falls)].map(rate);
    numbers.extend(other.map(|found| found.map_or(0.0, |(rate, _)| rate.estimate)));
    numbers.push(fitted.parameters() as f64);
    Ok(std::array::from_fn(|i| (NUMBERS[i], numbers[i])))
}
