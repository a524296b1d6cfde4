//! Everything the page quotes.

use super::baselines::{bag_of_words, majority, words_in_common};
use super::compare::{Judged, Plan, Way, judged};
use super::data::{Data, Task};
use super::judge::{Tally, accuracy, difference};
use serde::{Deserialize, Serialize};
use shared::{Float, rng};
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::study::{Interval, Spread};

/// `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// Repetitions.
    pub seeds: usize,
    /// By task: `topic`, `continuation`, `tags`, or others that were asked for.
    pub tasks: BTreeMap<String, OfTask>,
    /// By way, how often validation chose which of its rates.
    #[serde(default)]
    pub chosen: BTreeMap<String, BTreeMap<String, usize>>,
    /// What was written down before the comparison ran, and whether it held.
    #[serde(default)]
    pub claims: BTreeMap<String, Claim>,
    /// Differs from run to run.
    pub measured: Measured,
}

/// A task's scores. Accuracies are shares of texts, or of the words that can have two tags.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OfTask {
    /// Of who always says what is most frequent among all examples to learn from.
    pub majority: f64,
    /// Examples to judge by.
    pub test: usize,
    /// By the number of examples, four digits with noughts before them, so that they are in order.
    pub by_examples: BTreeMap<String, Row>,
}

/// Scores at a number of examples.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Examples to learn from.
    pub examples: usize,
    /// Passes over them.
    pub epochs: usize,
    /// Of who counts words.
    pub bag_of_words: Spread,
    /// Of who sees the words that two texts have in common; none where there are no two texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words_in_common: Option<Spread>,
    /// By way.
    pub ways: BTreeMap<String, Score>,
    /// The accuracy of the way `pre_trained` minus that of another, on the same drawn examples, in
    /// percentage points.
    pub gains: BTreeMap<String, Interval>,
}

/// A way's scores over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Score {
    /// Of what counts.
    pub accuracy: Spread,
    /// Of all words, where words are told.
    pub everywhere: Spread,
    /// The rate that validation chose, a seed each.
    pub rates: Vec<Float>,
}

/// What depends on the machine.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    /// All of `compare`.
    pub minutes: f64,
}

impl Results {
    /// From what all trials found; the claims are still to be judged. `all` has a task's examples each.
    pub(super) fn new(plan: &Plan, all: &[Data], found: &[Judged]) -> Results {
        let of_task = |(task, data): (&Task, &Data)| {
            let rows = plan.examples.iter().map(|examples| {
                (format!("{examples:04}"), row(plan, *task, data, *examples, found))
            });
            let majority = accuracy(&judged(data, &majority(data))[0]);
            let by_examples = rows.collect();
            let of = OfTask { majority: rounded(majority), test: data.test.len(), by_examples };
            (task.name().to_owned(), of)
        };
        Results {
            seeds: plan.seeds,
            tasks: plan.tasks.iter().zip(all).map(of_task).collect(),
            chosen: Way::ALL.map(|way| (way.name().to_owned(), chosen(way, found))).into(),
            claims: BTreeMap::new(),
            measured: Measured::default(),
        }
    }
}

/// How often each rate of a way was chosen, in all tasks together; by names such as `3e-4`.
fn chosen(way: Way, found: &[Judged]) -> BTreeMap<String, usize> {
    let count = |rate: &Float| {
        let runs = found.iter().filter(|run| run.way == way && run.rate == *rate);
        (format!("{rate:e}"), runs.count())
    };
    way.rates().iter().map(count).collect()
}

fn row(plan: &Plan, task: Task, data: &Data, examples: usize, found: &[Judged]) -> Row {
    let of = |way: Way| -> Vec<&Judged> {
        let mut of: Vec<&Judged> = found
            .iter()
            .filter(|run| (run.task, run.way, run.examples) == (task, way, examples))
            .collect();
        of.sort_by_key(|run| run.seed);
        of
    };
    let parts = (0..plan.seeds).map(|seed| plan.part(data, examples, seed));
    let parts: Vec<Data> = parts.collect();
    let counted = |told: fn(&Data) -> Option<Vec<Vec<usize>>>| {
        let right = |part: &Data| Some(accuracy(&judged(part, &told(part)?)[0]));
        Some(Spread::of(parts.iter().map(right).collect::<Option<Vec<f64>>>()?))
    };
    let score = |way: Way| {
        let runs = of(way);
        let spread = |tallies: fn(&Judged) -> &[Tally]| {
            Spread::of(runs.iter().map(|run| accuracy(tallies(run))))
        };
        let score = Score {
            accuracy: spread(|run| &run.tallies),
            everywhere: spread(|run| &run.everywhere),
            rates: runs.iter().map(|run| run.rate).collect(),
        };
        (way.name().to_owned(), score)
    };
    let tallies =
        |way| -> Vec<Vec<Tally>> { of(way).into_iter().map(|run| run.tallies.clone()).collect() };
    let gain = |way: Way| {
        let found = difference(&tallies(Way::PreTrained), &tallies(way), &mut rng(0));
        let Interval { estimate, low, high } = found;
        let [estimate, low, high] = [estimate, low, high].map(|x| rounded(100.0 * x));
        (way.name().to_owned(), Interval { estimate, low, high })
    };
    Row {
        examples,
        epochs: (plan.epochs)(examples),
        bag_of_words: counted(|part| Some(bag_of_words(part))).expect("of every form"),
        words_in_common: counted(words_in_common),
        ways: Way::ALL.map(score).into(),
        gains: [Way::FromScratch, Way::Frozen].map(gain).into(),
    }
}

/// With as many digits as are read.
fn rounded(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}
