//! Why do alignments sharpen before anything is known, and does it do harm? Trainings in which one
//! thing is changed.

use super::config::Config;
use super::statistics::{Paired, Seeds};
use super::training::{Kind, TESTED, batch_loss, over_seeds, queries, spreads, test};
use crate::retrieval::{DIGITS, Episode, KEY, Model, normal};
use crate::{Baseline, entropy};
use rand::RngExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::{Adam, Float, Optimizer, Tape, Var, cross_entropy, rng};
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::program::{Table, say};
use workbench::study::{Findings, Spread};

/// The one thing that is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    None,
    /// The scores' parameters move with a tenth of the learning rate.
    SlowScores,
    /// The reader moves with a tenth of the learning rate.
    SlowReader,
    /// In training every answer is a random digit: there is nothing to be learnt.
    RandomAnswers,
    /// In the first hundred steps the scores' parameters stay as they are.
    Waiting,
    /// The same, and the reader is shown the true places meanwhile.
    Taught,
    /// The entropy bonus.
    Bonus,
    /// A slow scorer that begins sharp: W is random at the start.
    SharpStart,
}

impl Change {
    /// All of them.
    pub const ALL: [Change; 8] = {
        use Change::*;
        [None, SlowScores, SlowReader, RandomAnswers, Waiting, Taught, Bonus, SharpStart]
    };

    /// Its name in results.
    pub fn name(self) -> &'static str {
        [
            "none",
            "slow_scores",
            "slow_reader",
            "random_answers",
            "waiting",
            "taught",
            "bonus",
            "sharp_start",
        ][self as usize]
    }

    /// By what the learning rates of scores and reader are multiplied at a step.
    fn rates(self, step: usize) -> (Float, Float) {
        match self {
            Change::SlowScores | Change::SharpStart => (0.1, 1.0),
            Change::SlowReader => (1.0, 0.1),
            Change::Waiting | Change::Taught if step <= WAIT => (0.0, 1.0),
            _ => (1.0, 1.0),
        }
    }

    /// Steps in which the scores do not move.
    fn wait(self) -> usize {
        if matches!(self, Change::Waiting | Change::Taught) { WAIT } else { 0 }
    }
}

const WAIT: usize = 100;
/// Standard deviation of W's entries at a sharp start.
const SHARP: Float = 0.25;
/// The methods that are changed.
pub const KINDS: [Kind; 3] = [Kind::Soft, Kind::Enumerated, Kind::Baseline];

/// Everything `--about collapse` records.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Collapse {
    /// How often each training was repeated.
    pub seeds: usize,
    /// Steps of each.
    pub steps: usize,
    /// By method, by change.
    pub trained: BTreeMap<String, BTreeMap<String, Trained>>,
    /// By method, by how much the share of solved trainings exceeds that of another change: named
    /// `change_against_other`.
    #[serde(skip_deserializing)] // made of the rest: see `judged`
    pub differences: Differences,
    /// What was claimed beforehand.
    pub claims: BTreeMap<String, Claim>,
}

/// By method, by name.
pub type Differences = BTreeMap<String, BTreeMap<String, Paired>>;

/// Trainings with one change.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trained {
    /// Share of right answers by the likeliest place at the end.
    pub accuracy: Spread,
    /// How many seeds ended above 0.9.
    pub solved: usize,
    /// Entropy of the alignments before the first step, nats.
    pub first_entropy: Spread,
    /// After 75 steps of the scores.
    pub early_entropy: Spread,
    /// Share of right answers then.
    pub early_accuracy: Spread,
    /// Share of right answers from the true places then: what the reader can.
    pub early_reading: Spread,
}

/// Runs them all; `done` is called after each training.
pub fn run(config: &Config, done: impl Fn() + Sync) -> Collapse {
    let jobs: Vec<(Kind, Change)> =
        KINDS.into_iter().flat_map(|kind| Change::ALL.map(|change| (kind, change))).collect();
    let trained: Vec<Trained> =
        jobs.par_iter().map(|(kind, change)| trainings(config, *kind, *change, &done)).collect();
    let mut by_kind: BTreeMap<String, BTreeMap<String, Trained>> = BTreeMap::new();
    for ((kind, change), trained) in jobs.into_iter().zip(trained) {
        by_kind.entry(kind.name().into()).or_default().insert(change.name().into(), trained);
    }
    let (differences, claims) = Default::default();
    let (seeds, steps) = (config.seeds, config.steps);
    Collapse { seeds, steps, trained: by_kind, differences, claims }.judged()
}

impl Collapse {
    /// Compared and judged by what was recorded of the trainings.
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

/// The number of trainings.
pub fn count(config: &Config) -> usize {
    KINDS.len() * Change::ALL.len() * config.seeds
}

const COMPARED: [(Change, Change); 6] = [
    (Change::SlowScores, Change::None),
    (Change::SlowReader, Change::None),
    (Change::Waiting, Change::None),
    (Change::Taught, Change::Waiting),
    (Change::Bonus, Change::None),
    (Change::SlowScores, Change::SharpStart),
];

/// Of the shares of solved trainings.
fn differences(changes: &BTreeMap<String, Trained>) -> BTreeMap<String, Paired> {
    let solved = |change: Change| changes[change.name()].accuracy.above(0.9);
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
        let early = |kind: Kind| &trained[kind.name()][change.name()].early_entropy.of_seeds;
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

fn trainings(config: &Config, kind: Kind, change: Change, done: &(impl Fn() + Sync)) -> Trained {
    let runs = over_seeds(config, done, |seed| one_run(config, kind, change, seed));
    let [accuracy, first_entropy, early_entropy, early_accuracy, early_reading] = spreads(&runs);
    Trained {
        solved: accuracy.count_above(0.9),
        accuracy,
        first_entropy,
        early_entropy,
        early_accuracy,
        early_reading,
    }
}

fn one_run(config: &Config, kind: Kind, change: Change, seed: u64) -> [f64; 5] {
    let (world, fresh) = (config.world(seed), &mut rng(config.stream(2000 + seed)));
    let fresh: Vec<Episode> = (0..TESTED).map(|_| world.episode(fresh)).collect();
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
    [f64::from(test(&model, &fresh, 0).argmax), first, entropy, right, reading]
}

/// Share of right answers from the true places.
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

/// The chapter's training with one change; `look` sees the model before the first step and after each.
pub fn train(
    kind: Kind,
    change: Change,
    config: &Config,
    seed: u64,
    mut look: impl FnMut(usize, &Model),
) -> Model {
    let (world, rng) = (config.world(seed), &mut rng(config.stream(1000 + seed)));
    let mut others = shared::rng(config.stream(10_000 + seed)); // what the change alone draws
    let mut model = Model::new(rng);
    if change == Change::SharpStart {
        *model.content.w.weight.value_mut() = normal(KEY, KEY, &mut others) * SHARP;
    }
    let (mut adam, mut baseline) = (Adam::new(config.learning_rate), Baseline::default());
    look(0, &model);
    for step in 1..=config.steps {
        let mut batch: Vec<Episode> = (0..config.episodes).map(|_| world.episode(rng)).collect();
        let uniforms: Vec<Float> = (0..queries(&batch)).map(|_| rng.random()).collect();
        if change == Change::RandomAnswers {
            for answer in batch.iter_mut().flat_map(|episode| &mut episode.answers) {
                *answer = others.random_range(0..DIGITS);
            }
        }
        let method = kind.method(baseline.value(), config.lambda);
        let tape = Tape::new();
        let (plain, mut objective) = batch_loss(&model, &tape, &batch, method, &uniforms);
        match change {
            Change::Taught if step <= WAIT => objective = taught(&model, &tape, &batch),
            Change::Bonus => {
                objective = objective - openness(&model, &tape, &batch) * config.lambda
            }
            _ => {}
        }
        baseline.update(plain.scalar());
        let gradients = objective.backward().into();
        let (scores, reader) = change.rates(step);
        adam.learning_rate = config.learning_rate * scores;
        adam.step(&mut model.content.w, &gradients);
        adam.step(&mut model.preference, &gradients);
        adam.learning_rate = config.learning_rate * reader;
        adam.step(&mut model.reader, &gradients);
        look(step, &model);
    }
    model
}

/// The mean entropy of a batch's alignments.
fn openness<'t>(model: &Model, tape: &'t Tape, batch: &[Episode]) -> Var<'t> {
    let of = |episode: &Episode| entropy(model.scores(tape, episode)).sum();
    let sum = batch.iter().map(of).reduce(|a, b| a + b).expect("a batch has episodes");
    sum * (1.0 / queries(batch) as Float)
}

/// The mean loss of reading at the true places.
fn taught<'t>(model: &Model, tape: &'t Tape, batch: &[Episode]) -> Var<'t> {
    let of = |episode: &Episode| {
        let values = tape.constant(episode.values.select_columns(&episode.places));
        cross_entropy(model.reader.forward(values), &episode.answers)
    };
    let sum = batch.iter().map(of).reduce(|a, b| a + b).expect("a batch has episodes");
    sum * (1.0 / queries(batch) as Float)
}

impl Findings for Collapse {
    fn tell(&self) {
        let heads =
            ["trained by", "change", "solved", "right", "first nats", "early nats", "reading"];
        let mut table = Table::new(heads);
        for (method, changes) in &self.trained {
            for (change, at) in changes {
                table.row([
                    method.replace('_', " "),
                    change.replace('_', " "),
                    format!("{}/{}", at.solved, self.seeds),
                    format!("{:.3}", at.accuracy.mean),
                    format!("{:.2}", at.first_entropy.mean),
                    format!(
                        "{:.2} ({:.2} to {:.2})",
                        at.early_entropy.mean, at.early_entropy.lowest, at.early_entropy.highest
                    ),
                    format!("{:.2}", at.early_reading.mean),
                ]);
            }
        }
        say(&table);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }
}
