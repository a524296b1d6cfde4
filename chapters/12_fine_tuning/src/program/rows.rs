//! What is compared: a task, a number of examples, a start; and which examples each learns from.

use super::data::{Data, MOST_GENERATED, Task};
use super::tuning::{BATCH, Start};
use bert::world::tasks::Sizes;
use serde::{Deserialize, Serialize};
use shared::Float;
use workbench::error::{Error, Result};
use workbench::study::{self, StudyArgs};

pub const EXAMPLES: [u32; 3] = [50, 200, 1000];

const HELD: [usize; 2] = [500, 1000];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// The encoder as pre-training left it; all is trained.
    PreTrained,
    /// The same encoder as it begins before pre-training; all is trained.
    FromScratch,
    /// The encoder as pre-training left it; the new layer alone is trained.
    Frozen,
}

impl Way {
    pub const ALL: [Way; 3] = [Way::PreTrained, Way::FromScratch, Way::Frozen];

    pub fn name(self) -> &'static str {
        match self {
            Way::PreTrained => "pre_trained",
            Way::FromScratch => "from_scratch",
            Way::Frozen => "frozen",
        }
    }

    pub(super) fn start(self) -> Start {
        Start { from_scratch: self == Way::FromScratch, frozen: self == Way::Frozen }
    }

    /// The rates that are tried; validation chooses. What has been trained before takes smaller steps, and
    /// a new layer alone takes larger ones.
    pub fn rates(self) -> &'static [Float] {
        match self {
            Way::PreTrained => &[3e-5, 1e-4, 3e-4, 1e-3],
            Way::FromScratch => &[1e-4, 3e-4, 1e-3],
            Way::Frozen => &[1e-3, 3e-3, 1e-2, 3e-2],
        }
    }
}

/// Passes over so many examples: ten, and as many more as 300 steps take.
///
/// ```
/// use fine_tuning::program::epochs;
/// assert_eq!([50, 200, 1000].map(epochs), [75, 24, 10]);
/// ```
pub fn epochs(examples: usize) -> usize {
    let steps = examples.div_ceil(BATCH);
    300_usize.div_ceil(steps).max(10)
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Training {
    pub(super) task: Task,
    pub(super) examples: usize,
    pub(super) way: Way,
}

impl Training {
    pub(super) fn name(&self) -> String {
        format!("{}_{:04}_{}", self.task.name(), self.examples, self.way.name())
    }
}

pub struct Plan {
    pub study: StudyArgs,
    pub tasks: Vec<Task>,
    pub examples: Vec<usize>,
    pub held: [usize; 2],
    pub epochs: fn(usize) -> usize,
}

impl Plan {
    /// The page's, for these tasks and numbers; what they say twice is done once.
    pub fn new(study: StudyArgs, tasks: &[Task], examples: &[u32]) -> Result<Plan> {
        let examples = once(&examples.iter().map(|n| *n as usize).collect::<Vec<_>>());
        let plan = Plan { study, tasks: once(tasks), examples, held: HELD, epochs };
        let (most, seeds) = (plan.most(), plan.study.seeds);
        if most * seeds as usize > MOST_GENERATED {
            let reason = format!(
                "--examples {most} with --seeds {seeds}: at most {MOST_GENERATED} are generated in all"
            );
            return Err(Error::argument(reason));
        }
        Ok(plan)
    }

    fn most(&self) -> usize {
        self.examples.iter().max().copied().unwrap_or(0)
    }

    pub(super) fn data(&self, task: Task) -> Result<Data> {
        task.data(&self.sizes(), self.study.common.seed)
    }

    fn sizes(&self) -> Sizes {
        let [validation, test] = self.held;
        let train = self.most() * self.study.seeds as usize;
        Sizes { train, validation, test, ..Sizes::default() }
    }

    pub(super) fn about(&self) -> String {
        format!("{:?} of seed {}", self.sizes(), self.study.common.seed)
    }

    /// Those of a repetition, counted from 0: another number of examples begins with the same ones.
    pub fn part(&self, all: &Data, examples: usize, repetition: usize) -> Data {
        let most = all.training.len() / self.study.seeds as usize;
        let training = all.training[repetition * most..][..examples].to_vec();
        Data { training, ..all.clone() }
    }

    pub(super) fn rows(&self) -> Result<Vec<study::Row<Training>>> {
        let mut rows = Vec::new();
        for &task in &self.tasks {
            for &examples in &self.examples {
                for way in Way::ALL {
                    let config = Training { task, examples, way };
                    let epochs = way.rates().len() * (self.epochs)(examples);
                    rows.push(study::Row { name: config.name(), config, epochs, against: None });
                }
            }
        }
        rows.sort_by_key(|row| std::cmp::Reverse(row.config.examples));
        self.study.choose(rows)
    }
}

fn once<T: Clone + PartialEq>(list: &[T]) -> Vec<T> {
    let is_new = |(i, one): &(usize, &T)| !list[..*i].contains(one);
    list.iter().enumerate().filter(is_new).map(|(_, one)| one.clone()).collect()
}
