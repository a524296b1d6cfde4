//! Why do alignments sharpen before anything is known, and does it do harm? Trainings in which one
//! thing is changed.

use super::config::Config;
use super::statistics::{Paired, Seeds, Trained};
use super::training::{Change, Kind, fresh, test, train};
use crate::retrieval::{Episode, Model};
use serde::{Deserialize, Serialize};
use shared::Tape;
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::error::Result;
use workbench::program::{Table, say};
use workbench::study::{Findings, trainings, with_seeds};

pub const KINDS: [Kind; 3] = [Kind::Soft, Kind::Enumerated, Kind::Baseline];

/// Everything `--about collapse` records.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Collapse {
    pub seeds: usize,
    pub steps: usize,
    pub trained: BTreeMap<String, BTreeMap<String, Trained>>,
    /// By method, by how much the share of solved trainings exceeds that of another change: named
    /// `change_against_other`.
    #[serde(skip_deserializing)] // made of the rest: see `judged`
    pub differences: Differences,
    pub claims: BTreeMap<String, Claim>,
}

pub type Differences = BTreeMap<String, BTreeMap<String, Paired>>;

pub fn run(config: &Config) -> Result<Collapse> {
    let jobs = KINDS.into_iter().flat_map(|kind| Change::ALL.map(|change| (kind, change)));
    let jobs: Vec<(Kind, Change)> = jobs.collect();
    let runs = trainings("changes", &with_seeds(&jobs, config.seeds), |((kind, change), seed)| {
        Ok(one_run(config, *kind, *change, *seed))
    })?;
    let mut trained: BTreeMap<String, BTreeMap<String, Trained>> = BTreeMap::new();
    for ((kind, change), runs) in jobs.into_iter().zip(runs.chunks(config.seeds)) {
        let of_kind = trained.entry(kind.name().into()).or_default();
        of_kind.insert(change.name().into(), Trained::new(runs));
    }
    let (differences, claims) = Default::default();
    let (seeds, steps) = (config.seeds, config.steps);
    Ok(Collapse { seeds, steps, trained, differences, claims }.judged())
}

impl Collapse {
    pub fn judged(self) -> Collapse {
        let differences = self
            .trained
            .iter()
            .map(|(kind, changes)| (kind.clone(), differences(changes)))
            .collect();
        let claims = claims(&self.trained, &differences);
        Collapse { differences, claims, ..self }
    }
}

const COMPARED: [(Change, Change); 6] = [
    (Change::SlowScores, Change::None),
    (Change::SlowReader, Change::None),
    (Change::Waiting, Change::None),
    (Change::Taught, Change::Waiting),
    (Change::Bonus, Change::None),
    (Change::SlowScores, Change::SharpStart),
];

fn differences(changes: &BTreeMap<String, Trained>) -> BTreeMap<String, Paired> {
    let solved = |change: Change| changes[change.name()]["accuracy"].above(0.9);
    let of = |(these, those): (Change, Change)| {
        (format!("{}_against_{}", these.name(), those.name()), solved(these).minus(&solved(those)))
    };
    COMPARED.map(of).into()
}

/// About entropies: held when it is so for every seed of all three methods, and failed by a single
/// one. About solved trainings: decided when both the interval of the paired difference and the sign
/// test decide.
fn claims(
    trained: &BTreeMap<String, BTreeMap<String, Trained>>,
    differences: &Differences,
) -> BTreeMap<String, Claim> {
    let every = |change: Change, holds: fn(&f64) -> bool| {
        let early = |kind: Kind| &trained[kind.name()][change.name()]["early_entropy"].of_seeds;
        Some(KINDS.into_iter().all(|kind| early(kind).iter().all(holds)))
    };
    let sharp = |change: Change| every(change, |entropy| *entropy < HALF_WAY);
    let more = |name: &str| differences[Kind::Baseline.name()][name].more_often();
    workbench::claims([
        (
            "a_random",
            "with random answers, from which nothing can be learnt, the entropy after 75 steps is below 2 nats with every seed and method, too",
            sharp(Change::RandomAnswers),
        ),
        (
            "b_slow_scores",
            "with a tenth of the learning rate for the scores alone it is above 3 nats with every seed and method",
            every(Change::SlowScores, |entropy| *entropy > 3.0),
        ),
        (
            "c_slow_reader",
            "with a tenth of the learning rate for the reader alone it is below 2 nats with every seed and method",
            sharp(Change::SlowReader),
        ),
        (
            "d_slow_solves",
            "one look, moving average: slower scores solve more trainings",
            more("slow_scores_against_none"),
        ),
        (
            "e_sharp_start",
            "slower scores that begin sharp solve fewer than slower scores that begin flat",
            more("slow_scores_against_sharp_start"),
        ),
        (
            "f_taught",
            "a reader that was shown the true places for 100 steps solves more than one that was not, while the scores waited for both",
            more("taught_against_waiting"),
        ),
    ])
}

const HALF_WAY: f64 = 2.0;

/// The accuracy by the likeliest place at the end; the entropy of the alignments in nats
/// before the first step and after 75 steps of the scores; what is right then, and what the reader makes
/// right of the true places.
fn one_run(config: &Config, kind: Kind, change: Change, seed: u64) -> [(&'static str, f64); 5] {
    let fresh = fresh(config, seed);
    let (mut first, mut early) = (0.0, [0.0; 3]);
    let model = train(kind, change, config, seed, |step, model| {
        if step == 0 {
            first = f64::from(test(model, &fresh, 0).entropy);
        } else if step == 75 + change.wait() {
            let tested = test(model, &fresh, 0);
            let [entropy, right] = [tested.entropy, tested.argmax].map(f64::from);
            early = [entropy, right, reading(model, &fresh)];
        }
    });
    let [entropy, right, reading] = early;
    [
        ("accuracy", f64::from(test(&model, &fresh, 0).argmax)),
        ("first_entropy", first),
        ("early_entropy", entropy),
        ("early_accuracy", right),
        ("early_reading", reading),
    ]
}

fn reading(model: &Model, episodes: &[Episode]) -> f64 {
    let (mut right, mut asked) = (0, 0);
    for episode in episodes {
        let tape = Tape::without_gradients();
        let values = tape.constant(episode.values.select_columns(&episode.places));
        let digits = model.reader.forward(values).value();
        let is_right = |(j, answer): (usize, &usize)| digits.column(j).imax() == *answer;
        right += episode.answers.iter().enumerate().filter(|pair| is_right(*pair)).count();
        asked += episode.answers.len();
    }
    f64::from(right as u32) / f64::from(asked as u32)
}

impl Findings for Collapse {
    fn print(&self) {
        let heads =
            ["trained by", "change", "solved", "right", "first nats", "early nats", "reading"];
        let mut table = Table::new(heads);
        for (method, changes) in &self.trained {
            for (change, at) in changes {
                let early = &at["early_entropy"];
                table.row([
                    method.replace('_', " "),
                    change.replace('_', " "),
                    format!("{}/{}", at.solved, self.seeds),
                    format!("{:.3}", at["accuracy"].mean),
                    format!("{:.2}", at["first_entropy"].mean),
                    format!("{:.2} ({:.2} to {:.2})", early.mean, early.lowest, early.highest),
                    format!("{:.2}", at["early_reading"].mean),
                ]);
            }
        }
        say(&table);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }
}
