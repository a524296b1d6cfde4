//! Chapter 13: every model by three rulers, how often its largest weight lies on the reason, and what order and
//! time do to a number.

use crate::claims::all_hold;
use crate::comparison::{Comparison, Expected, Numbers, Row};
use clap::ValueEnum;
use rand::seq::SliceRandom;
use recommendation::program::{
    Choice, Data, Example, Fitted, Parts, RULERS, Recipe, fit, judge, reason_rate,
};
use recommendation::rulers::Ruler;
use recommendation::world::Sizes;
use recommendation::{Action, Candidates, Histories, Model};
use serde::Serialize;
use shared::{Float, Module, Tape, rng};
use workbench::error::Result;
use workbench::figure::{Chart, Svg, colour::PALETTE};

pub const EVIDENCE: &[Comparison] = &[Comparison {
    name: "compare",
    about: "All models by three rulers, and how often the largest weight lies on the reason",
    record: "13_recommendation/figures/results.json",
    claims: CLAIMS,
    figures: &[("rulers", rulers)],
    run: |this, arguments| {
        let about = "the generated shop, another one for every seed; HR and NDCG at 10";
        this.compare(arguments, about, rows(), one)
    },
}];

/// A row: a model, and what is held out.
#[derive(Clone, Copy, Debug, Serialize)]
struct Config {
    recipe: Recipe,
    /// The last twelfth of the actions in time, in place of everybody's last purchase.
    in_time: bool,
}

fn rows() -> Vec<Row<Config>> {
    let row = |choice: Choice, in_time| {
        let recipe = Recipe::new(choice);
        let name = choice.name() + if in_time { "_in_time" } else { "" };
        let epochs = if choice.is_counted() { 1 } else { recipe.epochs };
        Row { epochs, ..Row::new(name, Config { recipe, in_time }) }
    };
    let last_out = Choice::value_variants().iter().rev().map(|choice| row(*choice, false));
    let in_time = [Choice::Din, Choice::Sasrec, Choice::ItemToItem, Choice::Popularity];
    last_out.chain(in_time.map(|choice| row(choice, true))).collect()
}

/// Trains one model on the shop of this seed, and judges it.
fn one(config: &Config, seed: u64) -> Result<Vec<(String, f64)>> {
    let data = Data::shop(&Sizes::default(), seed);
    let parts = if config.in_time { in_time(&data) } else { Parts::last_out(&data) };
    let (mut fitted, _) = fit(&config.recipe, &data, &parts, &config.recipe.options(seed))?;
    let longest = config.recipe.longest;
    let bought = parts.popularity(&data);
    let scores = |histories: &Histories| fitted.scores(histories, data.items.len());
    let case = (&data, &parts.test[..], longest);
    let by_ruler = judge(case, bought.counts(), &RULERS.map(|(_, ruler)| ruler), &scores)?;
    let mut numbers = Vec::new();
    for ((ruler, _), [hit, ndcg]) in RULERS.iter().zip(by_ruler) {
        numbers.push((format!("hit_{ruler}"), hit.estimate));
        numbers.push((format!("ndcg_{ruler}"), ndcg.estimate));
    }
    let orders: [(&str, Order); 2] =
        [("hit_ties_reversed", reverse_ties), ("hit_shuffled", shuffle)];
    for (name, order) in orders {
        let other = reordered(&data, &parts.test, longest, order);
        let case = (&other, &parts.test[..], longest);
        let [[hit, _]] = judge(case, &[], &[Ruler::Full], &scores)?[..] else { unreachable!() };
        numbers.push((name.to_owned(), hit.estimate));
    }
    let weights = |history: &[Action], item| fitted.weights(history, item);
    let absolute = |history: &[Action], item| {
        Some(weights(history, item)?.into_iter().map(Float::abs).collect())
    };
    let left_out = |history: &[Action], item| match &fitted {
        Fitted::Trained(model) => falls(model, history, item),
        _ => None,
    };
    let rates = [
        ("reasons", reason_rate(case, &weights)),
        ("reasons_absolute", reason_rate(case, &absolute)),
        ("reasons_left_out", reason_rate(case, &left_out)),
    ];
    numbers.extend(rates.into_iter().filter_map(|(name, of)| Some((name.to_owned(), of?.1))));
    if let Fitted::Trained(model) = &mut fitted {
        numbers.push(("parameters".to_owned(), model.parameter_count() as f64));
    }
    Ok(numbers)
}

/// By how much a candidate's logit falls when an action is left out, one after the other; the rest keeps its ages.
/// Of models that candidates ask.
fn falls(model: &Model, history: &[Action], candidate: usize) -> Option<Vec<Float>> {
    let tape = Tape::no_grad();
    let logits = |histories: &Histories| {
        let asked = Candidates::new(&vec![vec![candidate]; histories.len()]);
        Some(model.ask(&tape, histories, &asked)?.logits.value())
    };
    let (whole, n) = (Histories::new(&[history]), history.len());
    let each =
        |all: &[usize]| (0..n).flat_map(|left| [&all[..left], &all[left + 1..]].concat()).collect();
    let without = Histories {
        items: each(&whole.items),
        kinds: each(&whole.kinds),
        ages: each(&whole.ages),
        offsets: (0..=n).map(|i| i * (n - 1)).collect(),
    };
    let with = logits(&whole)?[0];
    if n == 1 {
        return Some(vec![0.0]);
    }
    Some(logits(&without)?.iter().map(|without| with - without).collect())
}

/// What happened in the last twelfth of the time is not seen at all: the test is every customer's first purchase in it.
fn in_time(data: &Data) -> Parts {
    let mut times: Vec<f64> = data.customers.iter().flat_map(|one| one.times.clone()).collect();
    times.sort_by(f64::total_cmp);
    let cut = times[((1.0 - 1.0 / 12.0) * times.len() as f64) as usize];
    let mut parts = Parts::default();
    for (customer, one) in data.customers.iter().enumerate() {
        let bought = data.purchases(one);
        let before = bought.partition_point(|at| one.times[*at] < cut);
        let [validation, test] = [before.checked_sub(1), Some(before)]
            .map(|place| bought.get(place?).map(|at| Example { customer, at: *at }));
        let end = one.times.partition_point(|time| *time < cut);
        parts.trained.push(validation.or(test).map_or(end, |held| held.at.min(end)));
        parts.validation.extend(validation);
        parts.test.extend(test);
    }
    parts
}

/// Changes the order of a history, given the times of its actions and the customer's number.
type Order = fn(&mut [Action], &[f64], u64);

/// Actions of the same time the other way round.
fn reverse_ties(history: &mut [Action], times: &[f64], _: u64) {
    let mut first = 0;
    for run in times.chunk_by(|a, b| a == b) {
        history[first..first + run.len()].reverse();
        first += run.len();
    }
}

fn shuffle(history: &mut [Action], _: &[f64], customer: u64) {
    history.shuffle(&mut rng(customer));
}

/// The same customers, with the histories of these purchases in another order.
fn reordered(data: &Data, examples: &[Example], longest: usize, order: Order) -> Data {
    let mut data = data.clone();
    for Example { customer, at } in examples {
        let (one, first) = (&mut data.customers[*customer], at.saturating_sub(longest));
        order(&mut one.actions[first..*at], &one.times[first..*at], *customer as u64);
    }
    data
}

/// The claims from before the comparison ran with these seeds, after one with others.
const CLAIMS: &[Expected] = &[
    (
        "reasons",
        "the largest weight of DIN with softmax lies on the reason in 90 % of the purchases that have one, and more",
        |found| found.at_least("din", "reasons", 0.9),
    ),
    (
        "reasons_counting",
        "counting item to item, told kinds, finds the reason more often than DIN with softmax",
        |found| found.less(("din", "reasons"), ("item_to_item_kind", "reasons")),
    ),
    (
        "counting",
        "counting item to item, told kinds and ages, ranks worse than DIN with softmax",
        |found| found.less(("item_to_item_age", "hit_full"), ("din", "hit_full")),
    ),
    (
        "left_out",
        "of DIN without softmax the reason is the action that is missed most in 90 % of the purchases that have one, and more",
        |found| found.at_least("din_sum", "reasons_left_out", 0.9),
    ),
    (
        "reasons_atrank",
        "after self-attention the largest weight lies on the reason less often: ATRank against DIN with softmax",
        |found| found.less(("atrank", "reasons"), ("din", "reasons")),
    ),
    (
        "candidate",
        "a candidate that weighs the history ranks better than an average: DIN without ages against an average four times as wide, in which ages say next to nothing",
        |found| found.less(("average_wide", "hit_full"), ("din_without_age", "hit_full")),
    ),
    (
        "sum",
        "weights that need not sum to 1 rank better, as the paper expects: DIN without softmax against with",
        |found| found.less(("din", "hit_full"), ("din_sum", "hit_full")),
    ),
    ("age", "without ages DIN ranks worse", |found| {
        found.less(("din_without_age", "hit_full"), ("din", "hit_full"))
    }),
    (
        "flattering",
        "against 100 uniform negatives HR@10 of every model is higher than in the full ranking",
        |found| {
            let rows = last_out(found);
            let each = rows.map(|row| found.less((row, "hit_full"), (row, "hit_uniform")));
            Some(all_hold(each.collect::<Option<Vec<_>>>()?))
        },
    ),
    (
        "places",
        "two models change places between the full ranking and a sampled one, by HR@10 or NDCG@10, with every seed",
        |found| {
            let sampled = ["hit_uniform", "hit_popular", "ndcg_uniform", "ndcg_popular"];
            let changed = sampled.map(|sampled| changed_places(found, sampled));
            Some(Some(changed.into_iter().collect::<Option<Vec<_>>>()?.contains(&true)))
        },
    ),
    ("gru", "SASRec ranks better than a GRU of as many parameters", |found| {
        found.less(("gru", "hit_full"), ("sasrec", "hit_full"))
    }),
    (
        "shuffled",
        "SASRec on shuffled histories ranks worse than on those with equal times the other way round",
        |found| found.less(("sasrec", "hit_shuffled"), ("sasrec", "hit_ties_reversed")),
    ),
];

/// Models that can be held against each other.
fn last_out(found: &Numbers) -> impl Iterator<Item = &String> {
    found.order.iter().filter(|row| !row.ends_with("_in_time"))
}

/// Whether there are two models of which the first is better in the full ranking and worse in this sampled one, with
/// every seed.
fn changed_places(found: &Numbers, sampled: &str) -> Option<bool> {
    let full = format!("{}_full", sampled.split('_').next()?);
    let of = |number: &str| {
        last_out(found)
            .map(|row| Some(&found.of(row, number)?.of_seeds))
            .collect::<Option<Vec<_>>>()
    };
    let (full, sampled) = (of(&full)?, of(sampled)?);
    let all = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a > b);
    let mut pairs = (0..full.len()).flat_map(|a| (0..full.len()).map(move |b| (a, b)));
    Some(pairs.any(|(a, b)| all(full[a], full[b]) && all(sampled[b], sampled[a])))
}

const SHOWN: [(&str, &str); 6] = [
    ("din", "DIN"),
    ("gru", "GRU"),
    ("sasrec", "SASRec"),
    ("item_to_item", "item to item"),
    ("din_without_age", "DIN without ages"),
    ("popularity", "popularity"),
];

/// HR@10 of every model by three rulers: lines that cross are models that change places.
fn rulers(found: &Numbers) -> Svg {
    let names = ["100 uniform", "100 popular", "full"];
    let chart = Chart::new("Three rulers", "what the bought item is compared with", "HR@10, %");
    let mut chart = chart.x_names(&names).x_range(-0.2..2.2).y_range(0.0..100.0);
    for ((row, name), colour) in SHOWN.iter().zip(PALETTE) {
        let mut places = Vec::new();
        for (x, number) in ["hit_uniform", "hit_popular", "hit_full"].into_iter().enumerate() {
            let Some(hit) = found.of(row, number) else { continue };
            let (x, mean, low, high) = hit.at(x as f64);
            places.push((x, 100.0 * mean, 100.0 * low, 100.0 * high));
        }
        if !places.is_empty() {
            chart = chart.spread(name, places).coloured(colour);
        }
    }
    chart.draw()
}
