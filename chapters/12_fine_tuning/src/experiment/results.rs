//! Everything the page quotes.

use super::baselines::{bag_of_words, majority, words_in_common};
use super::data::{Data, Task};
use super::judge::{Tally, accuracy, tallies};
use super::rows::{Plan, Training, Way};
use super::table::Form;
use serde::{Deserialize, Serialize};
use shared::{Float, rng};
use std::collections::BTreeMap;
use workbench::study::{Bootstrap, BySeeds, Claim, Interval, Spread, rounded};
use worlds::documents::tasks::ambiguous;

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

/// What a trained model told of the test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tested {
    /// The rate that validation chose.
    pub rate: Float,
    /// Of every test example the questions that count: ambiguous words alone, or the text.
    pub tallies: Vec<Tally>,
    /// The same of all words; as `tallies` where texts are judged.
    pub everywhere: Vec<Tally>,
}

impl Tested {
    /// From the classes that were told.
    pub(super) fn new(rate: Float, data: &Data, told: &[Vec<usize>]) -> Tested {
        let everywhere = tallies(told, &data.test, |_| true);
        Tested { rate, tallies: counted(data, told), everywhere }
    }
}

/// Of every test example the questions that count.
fn counted(data: &Data, told: &[Vec<usize>]) -> Vec<Tally> {
    match data.form {
        Form::Words => tallies(told, &data.test, ambiguous),
        Form::Text | Form::Pair => tallies(told, &data.test, |_| true),
    }
}

impl Results {
    /// From what all trainings found; the claims are still to be judged. `all` has a task's examples each.
    pub(super) fn new(plan: &Plan, all: &[Data], found: &BySeeds<Tested>) -> Results {
        let of_task = |(task, data): (&Task, &Data)| {
            let row = |&examples: &usize| {
                (format!("{examples:04}"), row(plan, *task, data, examples, found))
            };
            let by_examples = plan.examples.iter().map(row).collect();
            let majority = rounded(accuracy(&counted(data, &majority(data))));
            (task.name().to_owned(), OfTask { majority, test: data.test.len(), by_examples })
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

/// How often each rate of a way was chosen, in all tasks together; by names such as `3e-4`.
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
        epochs: (plan.epochs)(examples),
        bag_of_words: by_counting(&parts, |part| Some(bag_of_words(part))).expect("of every form"),
        words_in_common: by_counting(&parts, words_in_common),
        ways: Way::ALL.into_iter().filter_map(score).collect(),
        gains: [Way::FromScratch, Way::Frozen].into_iter().filter_map(gain).collect(),
    }
}

/// What counting tells, with the examples of every repetition.
fn by_counting(parts: &[Data], tell: fn(&Data) -> Option<Vec<Vec<usize>>>) -> Option<Spread> {
    let right = parts.iter().map(|part| Some(accuracy(&counted(part, &tell(part)?))));
    Some(Spread::of(right.collect::<Option<Vec<f64>>>()?))
}

impl Score {
    fn of(runs: &[Tested]) -> Score {
        let spread = |tallies: fn(&Tested) -> &[Tally]| {
            Spread::of(runs.iter().map(|run| accuracy(tallies(run))))
        };
        Score {
            accuracy: spread(|run| &run.tallies),
            everywhere: spread(|run| &run.everywhere),
            rates: runs.iter().map(|run| run.rate).collect(),
        }
    }
}
