//! `compare`: what the start and the order do, each by itself and together, over several seeds.

use super::corpus::{Corpus, NUMBERS};
use super::evaluate::{Held, Scores};
use super::pretrain::{PretrainArgs, checked, held_for_test, pretrain_model, tell_counts};
use clap::Args;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::error::{Error, Result};
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Svg};
use workbench::program::{Output, Table, say};
use workbench::study::Spread;
use workbench::training::Options;
use workbench::{Claim, claims, smaller};

/// Arguments of `compare`.
#[derive(Args, Clone, Debug)]
pub struct CompareArgs {
    /// As for one training; the seed is the first.
    #[command(flatten)]
    pub pretrain: PretrainArgs,
    /// Seeds, each with texts and a vocabulary of its own unless --corpus is given: four models are trained
    /// with every one
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub seeds: u32,
}

/// The file of the results in the output folder.
const RESULTS: &str = "compare.json";

/// What is left in, of the start that is alike and of pairs first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Neither,
    Start,
    Order,
    Both,
}

impl Way {
    const ALL: [Way; 4] = [Way::Neither, Way::Start, Way::Order, Way::Both];

    /// Its key in the results.
    fn key(self) -> &'static str {
        match self {
            Way::Neither => "neither",
            Way::Start => "start",
            Way::Order => "order",
            Way::Both => "both",
        }
    }

    /// The colour of its order in the figure.
    fn colour(self) -> Colour {
        match self {
            Way::Neither | Way::Start => colour::AT_ONCE,
            Way::Order | Way::Both => colour::IN_ORDER,
        }
    }

    /// What a reader calls it.
    fn name(self) -> &'static str {
        match self {
            Way::Neither => "drawn, all at once",
            Way::Start => "half alike, all at once",
            Way::Order => "drawn, pairs first",
            Way::Both => "half alike, pairs first",
        }
    }
}

/// `compare.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// How many times wider queries begin where heads begin alike.
    pub alike: Float,
    /// For which share of the steps pairs come first where they do.
    pub pairs_first: Float,
    /// By way.
    pub ways: BTreeMap<String, Row>,
    /// What they decide: nothing before every way has learnt from equally many seeds, and from two at least.
    pub claims: BTreeMap<String, Claim>,
}

/// A way, with several seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The share of pairs that is told.
    pub pairs: Spread,
    /// The same with nothing hidden.
    pub whole: Spread,
    /// The loss of the hidden pieces.
    pub nats: Spread,
    /// A training for each seed.
    pub seeds: Vec<Trained>,
}

impl Row {
    fn of(seeds: Vec<Trained>) -> Row {
        let spread = |of: fn(&Scores) -> f64| Spread::of(seeds.iter().map(|seed| of(&seed.test)));
        let pairs = spread(|test| test.next_accuracy);
        let whole = spread(|test| test.whole_accuracy);
        let nats = spread(|test| test.hidden);
        Row { pairs, whole, nats, seeds }
    }
}

impl Comparison {
    /// What trainings show, by way.
    pub fn of(alike: Float, pairs_first: Float, ways: &Trainings) -> Comparison {
        let first = ways.values().next().map_or(0, Vec::len);
        let are_equal = ways.len() == Way::ALL.len() && ways.values().all(|all| all.len() == first);
        let claims = if are_equal && first > 1 { claims_of(ways) } else { BTreeMap::new() };
        let ways = ways.iter().map(|(way, seeds)| (way.clone(), Row::of(seeds.clone()))).collect();
        Comparison { alike, pairs_first, ways, claims }
    }
}

/// By way, a training for each seed.
pub type Trainings = BTreeMap<String, Vec<Trained>>;

/// What became of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trained {
    /// Of all that is drawn: the start, batches, what is hidden; without a corpus of one's own also of texts
    /// and vocabulary.
    pub seed: u64,
    /// On the test documents.
    pub test: Scores,
    /// The bigram's loss on them, nats a hidden piece.
    pub bigram: f64,
    /// The share of pairs that is told by what both halves have in common.
    pub in_common: f64,
    /// Differs from run to run.
    pub training_seconds: f64,
}

/// Trains all, tells, draws, keeps; what is there after each training is kept at once.
///
/// # Errors
/// As `pretrain`, and when there is no start or no order to leave out.
pub(super) fn compare(arguments: &CompareArgs) -> Result<()> {
    let CompareArgs { pretrain, seeds } = arguments;
    if pretrain.count {
        return tell_counts(pretrain);
    }
    let options = checked(pretrain, None)?;
    let (alike, pairs_first) = (pretrain.config(100)?.alike, pretrain.first()?);
    if alike == 0.0 || pairs_first == 0.0 {
        let reason = "a start that is alike and a share of steps for pairs are compared with none: \
                      --alike and --pairs-first must be above 0 (with a text, or other sizes, say both)";
        return Err(Error::argument(reason));
    }
    let output = Output::open(&pretrain.common, "bert")?;
    [NUMBERS, RESULTS].iter().try_for_each(|name| output.will_write(name))?;
    let mut trainings = Trainings::new();
    let all = Way::ALL.len() * *seeds as usize;
    for seed in (0..u64::from(*seeds)).map(|i| pretrain.common.seed.wrapping_add(i)) {
        let options = Options { seed, ..options.clone() };
        let corpus = Corpus::open(&pretrain.corpus, output.folder(), seed)?;
        let held = held_for_test(&corpus, pretrain.config(corpus.pieces.len())?.longest)?;
        if held.in_common.is_nan() {
            let reason = "the test has pairs of one kind alone, and pairs are compared here";
            return Err(Error::argument(reason));
        }
        for way in Way::ALL {
            let trained = train(pretrain, way, &options, &corpus, &held)?;
            trainings.entry(way.key().to_owned()).or_default().push(trained);
            output.json(RESULTS, &Comparison::of(alike, pairs_first, &trainings))?;
            let done: usize = trainings.values().map(Vec::len).sum();
            say(format!("{done} of {all} trained\n"));
        }
    }
    let found = Comparison::of(alike, pairs_first, &trainings);
    output.figure("starts", &starts_figure(&found))?;
    tell(&found);
    say(format!("\n{RESULTS} and starts.svg are in {}", output.folder().display()));
    Ok(())
}

fn train(
    arguments: &PretrainArgs,
    way: Way,
    options: &Options,
    corpus: &Corpus,
    held: &Held,
) -> Result<Trained> {
    let seed = options.seed;
    let mut config = arguments.config(corpus.pieces.len())?;
    let mut pairs_first = arguments.first()?;
    if matches!(way, Way::Neither | Way::Order) {
        config.alike = 0.0;
    }
    if matches!(way, Way::Neither | Way::Start) {
        pairs_first = 0.0;
    }
    say(format!("seed {seed}: {}", way.name()));
    let options =
        Options { title: String::new(), ..options.part(&format!("{}_{seed}", way.key())) };
    let trained = pretrain_model(corpus, &config, arguments.batch as usize, pairs_first, &options)?;
    let test = held.judge(&trained.model);
    let told = test.next_accuracy * 100.0;
    say(format!("tells {told:.1} % of the pairs; {:.3} nats a hidden piece", test.hidden));
    Ok(Trained {
        seed,
        test,
        bigram: held.rungs.bigram,
        in_common: held.in_common,
        training_seconds: trained.history.timings.iter().map(|timing| timing.seconds).sum(),
    })
}

/// What the seeds decide, for ways that all have been trained: one way is better than another when the
/// ranges of their seeds do not overlap.
fn claims_of(ways: &Trainings) -> BTreeMap<String, Claim> {
    let pairs = |way: Way| -> Vec<f64> {
        ways[way.key()].iter().map(|trained| trained.test.next_accuracy).collect()
    };
    let nats = |way: Way| -> Vec<f64> {
        ways[way.key()].iter().map(|trained| trained.test.hidden).collect()
    };
    let [neither, start, order, both] = Way::ALL.map(pairs);
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
            smaller(&nats(Way::Start), &nats(Way::Both)),
        ),
        (
            "price_of_both",
            "both together cost nats of hidden pieces, against neither",
            smaller(&nats(Way::Neither), &nats(Way::Both)),
        ),
    ])
}

/// The share of pairs that the model shall tell.
const ENOUGH: f64 = 0.95;

/// What is told of pairs, and what it costs.
pub fn starts_figure(found: &Comparison) -> Svg {
    let chart =
        Chart::new("What the start and the order do", "nats a hidden piece", "pairs told, %");
    let point = |trained: &Trained| (trained.test.hidden, 100.0 * trained.test.next_accuracy);
    let points =
        |way: Way| -> Vec<(f64, f64)> { found.ways[way.key()].seeds.iter().map(point).collect() };
    // Colour is the order, filling the start.
    let chart = Way::ALL.into_iter().fold(chart, |chart, way| {
        let chart = match way {
            Way::Neither | Way::Order => chart.rings(way.name(), &points(way)),
            Way::Start | Way::Both => chart.points(way.name(), &points(way)),
        };
        chart.coloured(way.colour())
    });
    let nats: Vec<f64> = Way::ALL.into_iter().flat_map(points).map(|(nats, _)| nats).collect();
    let [least, most] = [
        nats.iter().copied().fold(f64::INFINITY, f64::min),
        nats.iter().copied().fold(0.0, f64::max),
    ];
    let enough = [least, most].map(|nats| (nats, 100.0 * ENOUGH));
    chart.dashed("95 %", &enough).coloured(colour::GIVEN).draw()
}

fn tell(found: &Comparison) {
    let mut table =
        Table::new(["start, order", "seed", "pairs told, %", "nothing hidden, %", "nats"]);
    for way in Way::ALL {
        for trained in &found.ways[way.key()].seeds {
            let [told, whole] = [trained.test.next_accuracy, trained.test.whole_accuracy]
                .map(|share| format!("{:.1}", 100.0 * share));
            let nats = format!("{:.3}", trained.test.hidden);
            table.row([way.name().to_owned(), trained.seed.to_string(), told, whole, nats]);
        }
    }
    say(table);
    say("");
    found.claims.values().for_each(say);
}
