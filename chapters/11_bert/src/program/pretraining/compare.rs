//! `compare`: what the initialisation and the order do, each by itself and together, over several seeds.

use super::arguments::PretrainArgs;
use super::beginning::Beginning;
use super::held::{Held, Scores};
use super::pretrain::{held_for_test, pretrain_model};
use crate::program::texts::{Corpus, NUMBERS};
use clap::Args;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::error::{Error, Result};
use workbench::figure::colour;
use workbench::figure::{Chart, Svg};
use workbench::program::{Output, Table, say};
use workbench::study::{BySeeds, Claim, Findings, Spread, claims, publish, smaller};
use workbench::training::Options;

#[derive(Args, Clone, Debug)]
pub struct CompareArgs {
    #[command(flatten)]
    pub pretrain: PretrainArgs,
    /// Seeds, each with texts and a vocabulary of its own unless --corpus is given: four models are trained
    /// with every one
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub seeds: u32,
}

const RESULTS: &str = "compare.json";

/// Names in the results and to readers; whether keys begin as queries (a lopsided
/// initialisation), whether NSP comes first.
const ROWS: [(&str, &str, [bool; 2]); 4] = [
    ("neither", "usual, all at once", [false, false]),
    ("start", "lopsided, all at once", [true, false]),
    ("order", "usual, NSP first", [false, true]),
    ("both", "lopsided, NSP first", [true, true]),
];

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comparison {
    pub alike: Float,
    pub pairs_first: Float,
    pub ways: BTreeMap<String, OfRow>,
    /// What they decide: nothing before every row has learnt from equally many seeds, and from two at least.
    pub claims: BTreeMap<String, Claim>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OfRow {
    pub pairs: Spread,
    pub whole: Spread,
    pub nats: Spread,
    pub seeds: Vec<Trained>,
}

impl OfRow {
    fn of(seeds: &[Trained]) -> OfRow {
        let spread = |of: fn(&Scores) -> f64| Spread::of(seeds.iter().map(|seed| of(&seed.test)));
        OfRow {
            pairs: spread(|test| test.next_accuracy),
            whole: spread(|test| test.whole_accuracy),
            nats: spread(|test| test.hidden),
            seeds: seeds.to_vec(),
        }
    }
}

impl Comparison {
    pub fn of(alike: Float, pairs_first: Float, found: &BySeeds<Trained>) -> Comparison {
        let seeds = found.values().next().map_or(0, Vec::len);
        let complete = found.len() == ROWS.len() && found.values().all(|all| all.len() == seeds);
        let claims = if complete && seeds > 1 { claims_of(found) } else { BTreeMap::new() };
        let ways = found.iter().map(|(row, seeds)| (row.clone(), OfRow::of(seeds))).collect();
        Comparison { alike, pairs_first, ways, claims }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trained {
    /// Of all that is drawn: the initialisation, batches, what is masked; without a corpus of one's own also of texts
    /// and vocabulary.
    pub seed: u64,
    pub test: Scores,
    pub bigram: f64,
    pub in_common: f64,
    pub training_seconds: f64,
}

/// Trains all, prints, draws, keeps; what is there after each training is kept at once.
pub fn compare(arguments: &CompareArgs) -> Result<()> {
    let CompareArgs { pretrain, seeds } = arguments;
    if pretrain.count {
        return pretrain.print_counts();
    }
    let options = pretrain.options(None)?;
    let Beginning { keys_as_queries, nsp_first } = pretrain.beginning()?;
    if keys_as_queries == 0.0 || nsp_first == 0.0 {
        return Err(Error::argument(
            "an initialisation and an order are compared with the usual ones: --keys-as-queries and \
             --nsp-first must be above 0 (with a text, or other sizes, say both)",
        ));
    }
    let output = Output::open(&pretrain.common, "bert")?;
    [NUMBERS, RESULTS].iter().try_for_each(|name| output.will_write(name))?;
    let mut found = BySeeds::new();
    let (mut done, all) = (0, ROWS.len() * *seeds as usize);
    for seed in (0..u64::from(*seeds)).map(|i| pretrain.common.seed.wrapping_add(i)) {
        let options = Options { seed, ..options.clone() };
        let corpus = Corpus::open(&pretrain.corpus, output.folder(), seed)?;
        let held = held_for_test(&corpus, pretrain.sizes.config(corpus.pieces.len())?.longest)?;
        if held.in_common.is_nan() {
            return Err(Error::argument(
                "the test has pairs of one kind alone, and pairs are compared here",
            ));
        }
        for (row, name, [start, order]) in ROWS {
            let beginning = Beginning {
                keys_as_queries: if start { keys_as_queries } else { 0.0 },
                nsp_first: if order { nsp_first } else { 0.0 },
            };
            say(format!("seed {seed}: {name}"));
            let part = options.part(&format!("{row}_{seed}"));
            let options = Options { title: String::new(), ..part };
            let trained = train(pretrain, beginning, &options, &corpus, &held)?;
            found.entry(row.to_owned()).or_insert_with(Vec::new).push(trained);
            output.json(RESULTS, &Comparison::of(keys_as_queries, nsp_first, &found))?;
            done += 1;
            say(format!("{done} of {all} trained\n"));
        }
    }
    publish(&output, RESULTS, &Comparison::of(keys_as_queries, nsp_first, &found))
}

fn train(
    arguments: &PretrainArgs,
    beginning: Beginning,
    options: &Options,
    corpus: &Corpus,
    held: &Held,
) -> Result<Trained> {
    let config = arguments.sizes.config(corpus.pieces.len())?;
    let trained = pretrain_model(corpus, &config, arguments.batch as usize, beginning, options)?;
    let test = held.judge(&trained.model);
    let accuracy = test.next_accuracy * 100.0;
    say(format!("NSP accuracy {accuracy:.1} %; {:.3} nats a masked token", test.hidden));
    Ok(Trained {
        seed: options.seed,
        test,
        bigram: held.rungs.bigram,
        in_common: held.in_common,
        training_seconds: trained.seconds(),
    })
}

/// What the seeds decide, for rows that all have been trained: one is better than another when the ranges
/// of their seeds do not overlap.
fn claims_of(found: &BySeeds<Trained>) -> BTreeMap<String, Claim> {
    let of = |row: &str, score: fn(&Scores) -> f64| -> Vec<f64> {
        found[row].iter().map(|trained| score(&trained.test)).collect()
    };
    let [neither, start, order, both] = ROWS.map(|(row, ..)| of(row, |test| test.next_accuracy));
    let nats = |row: &str| of(row, |test| test.hidden);
    claims([
        (
            "enough",
            "with the start and the order, the model tells more than 95 % of the pairs",
            smaller(&[ENOUGH], &both),
        ),
        (
            "above_neither",
            "with both, it tells more pairs than with neither",
            smaller(&neither, &both),
        ),
        (
            "above_order",
            "with both, it tells more pairs than with the order alone",
            smaller(&order, &both),
        ),
        (
            "above_start",
            "with both, it tells more pairs than with the start alone",
            smaller(&start, &both),
        ),
        ("start", "the start alone tells more pairs than neither", smaller(&neither, &start)),
        ("order", "the order alone tells more pairs than neither", smaller(&neither, &order)),
        (
            "price",
            "upon this start, the order costs nats of hidden pieces",
            smaller(&nats("start"), &nats("both")),
        ),
        (
            "price_of_both",
            "both together cost nats of hidden pieces, against neither",
            smaller(&nats("neither"), &nats("both")),
        ),
    ])
}

const ENOUGH: f64 = 0.95;

pub fn starts_figure(found: &Comparison) -> Svg {
    let mut chart =
        Chart::new("What the start and the order do", "MLM loss, nats", "NSP accuracy, %");
    let point = |trained: &Trained| (trained.test.hidden, 100.0 * trained.test.next_accuracy);
    // Colour is the order, filling the initialisation.
    for (row, name, [start, order]) in ROWS {
        let points: Vec<(f64, f64)> = found.ways[row].seeds.iter().map(point).collect();
        chart = if start { chart.points(name, &points) } else { chart.rings(name, &points) };
        chart = chart.coloured(if order { colour::IN_ORDER } else { colour::AT_ONCE });
    }
    let nats = found.ways.values().flat_map(|row| &row.seeds).map(|trained| trained.test.hidden);
    let (least, most) = (nats.clone().fold(f64::INFINITY, f64::min), nats.fold(0.0, f64::max));
    let enough = [least, most].map(|nats| (nats, 100.0 * ENOUGH));
    chart.dashed("95 %", &enough).coloured(colour::GIVEN).draw()
}

impl Findings for Comparison {
    fn print(&self) {
        let mut table = Table::new([
            "initialisation, order",
            "seed",
            "NSP accuracy, %",
            "nothing masked, %",
            "nats",
        ]);
        for (row, name, _) in ROWS {
            for Trained { seed, test, .. } in &self.ways[row].seeds {
                let [accuracy, whole] = [test.next_accuracy, test.whole_accuracy]
                    .map(|share| format!("{:.1}", 100.0 * share));
                let nats = format!("{:.3}", test.hidden);
                table.row([name.to_owned(), seed.to_string(), accuracy, whole, nats]);
            }
        }
        say(table);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        vec![("starts".to_owned(), starts_figure(self))]
    }
}
