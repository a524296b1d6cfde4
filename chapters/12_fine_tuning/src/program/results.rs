//! Everything the page quotes.

use super::baselines::{bag_of_words, majority, words_in_common};
use super::data::{Data, Task};
use super::judge::{Tally, accuracy, tallies};
use super::rows::{Plan, Training, Way};
use super::table::Form;
use bert::world::tasks::ambiguous;
use serde::{Deserialize, Serialize};
use shared::{Float, rng};
use std::collections::BTreeMap;
use workbench::study::{Bootstrap, BySeeds, Claim, Interval, Spread, rounded};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    pub seeds: usize,
    pub tasks: BTreeMap<String, OfTask>,
    #[serde(default)]
    pub chosen: BTreeMap<String, BTreeMap<String, usize>>,
    #[serde(default)]
    pub claims: BTreeMap<String, Claim>,
    pub measured: Measured,
}

/// A task's scores. Accuracies are shares of texts, or of the words that can have two tags.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OfTask {
    pub majority: f64,
    /// By the number of examples, four digits with noughts before them, so that they are in order.
    pub by_examples: BTreeMap<String, Row>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub examples: usize,
    pub bag_of_words: Spread,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words_in_common: Option<Spread>,
    pub ways: BTreeMap<String, Score>,
    /// The accuracy of the way `pre_trained` minus that of another, on the same drawn examples, in
    /// percentage points.
    pub gains: BTreeMap<String, Interval>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Score {
    pub accuracy: Spread,
    pub rates: Vec<Float>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Measured {
    pub minutes: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tested {
    pub rate: Float,
    /// Of every test example the questions that count: ambiguous words alone, or the text.
    pub tallies: Vec<Tally>,
}

impl Tested {
    pub(super) fn new(rate: Float, data: &Data, predicted: &[Vec<usize>]) -> Tested {
        Tested { rate, tallies: counted(data, predicted) }
    }
}

fn counted(data: &Data, predicted: &[Vec<usize>]) -> Vec<Tally> {
    match data.form {
        Form::Words => tallies(predicted, &data.test, ambiguous),
        Form::Text | Form::Pair => tallies(predicted, &data.test, |_| true),
    }
}

impl Results {
    pub(super) fn new(plan: &Plan, all: &[Data], found: &BySeeds<Tested>) -> Results {
        let of_task = |(task, data): (&Task, &Data)| {
            let row = |&examples: &usize| {
                (format!("{examples:04}"), row(plan, *task, data, examples, found))
            };
            let by_examples = plan.examples.iter().map(row).collect();
            let majority = rounded(accuracy(&counted(data, &majority(data))));
            (task.name().to_owned(), OfTask { majority, by_examples })
        };
        Results {
            seeds: plan.study.seeds as usize,
            tasks: plan.tasks.iter().zip(all).map(of_task).collect(),
            chosen: Way::ALL.map(|way| (way.name().to_owned(), chosen(way, found))).into(),
            claims: BTreeMap::new(),
            measured: Measured::default(),
        }
    }
}

fn chosen(way: Way, found: &BySeeds<Tested>) -> BTreeMap<String, usize> {
    let of_way = found.iter().filter(|(name, _)| name.ends_with(way.name()));
    let rates: Vec<Float> = of_way.flat_map(|(_, runs)| runs).map(|run| run.rate).collect();
    let count =
        |rate: &Float| (format!("{rate:e}"), rates.iter().filter(|one| *one == rate).count());
    way.rates().iter().map(count).collect()
}

fn row(plan: &Plan, task: Task, data: &Data, examples: usize, found: &BySeeds<Tested>) -> Row {
    let parts: Vec<Data> =
        (0..plan.study.seeds as usize).map(|seed| plan.part(data, examples, seed)).collect();
    let of = |way: Way| found.get(&Training { task, examples, way }.name());
    let score = |way: Way| Some((way.name().to_owned(), Score::of(of(way)?)));
    let gain = |way: Way| {
        let [a, b] = [of(Way::PreTrained)?, of(way)?]
            .map(|runs| runs.iter().map(|run| run.tallies.clone()).collect::<Vec<_>>());
        let gain = Bootstrap::default().difference(&a, &b, &mut rng(0));
        Some((way.name().to_owned(), gain.map(|x| rounded(100.0 * x))))
    };
    Row {
        examples,
        bag_of_words: by_counting(&parts, |part| Some(bag_of_words(part))).expect("of every form"),
        words_in_common: by_counting(&parts, words_in_common),
        ways: Way::ALL.into_iter().filter_map(score).collect(),
        gains: [Way::FromScratch, Way::Frozen].into_iter().filter_map(gain).collect(),
    }
}

fn by_counting(parts: &[Data], predict: fn(&Data) -> Option<Vec<Vec<usize>>>) -> Option<Spread> {
    let right = parts.iter().map(|part| Some(accuracy(&counted(part, &predict(part)?))));
    Some(Spread::of(right.collect::<Option<Vec<f64>>>()?))
}

impl Score {
    fn of(runs: &[Tested]) -> Score {
        Score {
            accuracy: Spread::of(runs.iter().map(|run| accuracy(&run.tallies))),
            rates: runs.iter().map(|run| run.rate).collect(),
        }
    }
}
