//! Several looks in turn: what the credit of each does to the estimate, and to the training.

use super::config::Config;
use super::statistics::{Paired, Seeds};
use super::training::{over_seeds, spreads};
use crate::retrieval::{KEY, VALUE, World};
use crate::sequence::{Baselines, Credit};
use crate::trail::{Asked, Episode, LOOKS, Loss, Method, Model, QUERIES};
use nalgebra::DMatrix;
use rand::RngExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::{Adam, Float, Matrix, Optimizer, Rng, Tape, elementwise, rng};
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::program::{Table, say};
use workbench::study::{Findings, Spread, rounded};

/// How the looks are taught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The expected value at every look.
    Soft,
    /// The expected loss over all sequences.
    Exact,
    /// The whole loss for every look, no baseline.
    WholeBare,
    /// The same, one baseline.
    Whole,
    /// The loss to go, no baseline.
    ToGoBare,
    /// The loss to go, one baseline for all looks.
    ToGoOne,
    /// The loss to go, a baseline for each look.
    ToGo,
    /// Its own loss for each look, a baseline for each.
    Own,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 8] = {
        use Way::*;
        [Soft, Exact, WholeBare, Whole, ToGoBare, ToGoOne, ToGo, Own]
    };

    /// Its name in results.
    pub fn name(self) -> &'static str {
        ["soft", "exact", "whole_bare", "whole", "to_go_bare", "to_go_one", "to_go", "own"]
            [self as usize]
    }

    fn credit(self) -> Credit {
        match self {
            Way::WholeBare | Way::Whole => Credit::Whole,
            Way::Own => Credit::Own,
            _ => Credit::ToGo,
        }
    }

    /// What to do at a step, `means` being what each look had to answer for on average.
    fn method(self, means: &[Float]) -> Method {
        let credit = self.credit();
        let baselines = match self {
            Way::Soft => return Method::Soft,
            Way::Exact => return Method::Exact,
            Way::WholeBare | Way::ToGoBare => vec![0.0; LOOKS],
            Way::ToGoOne => vec![means.iter().sum::<Float>() / LOOKS as Float; LOOKS],
            Way::Whole | Way::ToGo | Way::Own => means.to_vec(),
        };
        Method::Looks { credit, baselines }
    }
}

/// Everything `--about sequence` records.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InTurn {
    /// How often each training was repeated.
    pub seeds: usize,
    /// Steps of each.
    pub steps: usize,
    /// The estimates of one gradient, `early` and `late` in one training, by way.
    pub estimates: BTreeMap<String, BTreeMap<String, Estimate>>,
    /// By task, by way: an answer `always`, `at_the_end`, or at the end with `separate` scores.
    pub trained: BTreeMap<String, BTreeMap<String, Trained>>,
    /// Shares of solved trainings, paired: named `task_these_against_those`.
    #[serde(skip_deserializing)] // made of the rest: see `judged`
    pub differences: BTreeMap<String, Paired>,
    /// The same of the steps to 0.8.
    #[serde(skip_deserializing)] // made of the rest: see `judged`
    pub steps_differences: BTreeMap<String, Paired>,
    /// What was claimed beforehand.
    pub claims: BTreeMap<String, Claim>,
}

/// Many estimates of the gradient with respect to W, against the exact one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// Standard errors between their mean and the exact value, in the entry that is furthest off.
    pub largest_z: f64,
    /// Cosine of the angle between their mean and the exact gradient.
    pub cosine: f64,
    /// Norm of their mean over the norm of the exact gradient.
    pub length: f64,
    /// Variance, summed over the entries.
    pub variance: f64,
}

/// Trainings one way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trained {
    /// How many seeds ended with more than 0.9 of the last answers right.
    pub solved: usize,
    /// Share of right last answers, following the likeliest places.
    pub last: Spread,
    /// Steps until more than 0.8 of them were right; the number of steps when that never happened.
    pub steps_to_80: Spread,
    /// Share of first looks that go to the right place.
    pub first_look: Spread,
}

/// Steps before the two closer looks.
pub const LOOKED_AT: [(&str, usize); 2] = [("early", 100), ("late", 600)];
/// What is asked of the model, and how many scores it has.
const TASKS: [(&str, Asked, usize); 3] = [
    ("always", Asked::Always, 1),
    ("at_the_end", Asked::AtTheEnd, 1),
    ("separate", Asked::AtTheEnd, LOOKS),
];
const RATE: Float = 0.01;
const TESTED: usize = 50; // episodes, 800 trails
const SAMPLES: usize = 40;

/// Runs everything; `done` is called after each training.
pub fn run(config: &Config, done: impl Fn() + Sync) -> InTurn {
    let estimates: BTreeMap<String, BTreeMap<String, Estimate>> = LOOKED_AT
        .par_iter()
        .map(|(name, steps)| ((*name).to_owned(), estimates(config, *steps)))
        .collect();
    let of = |task: (Asked, usize)| -> BTreeMap<String, Trained> {
        let one = |way: &Way| (way.name().to_owned(), trainings(config, task, *way, &done));
        ways(task.0).par_iter().map(one).collect()
    };
    let trained: BTreeMap<_, _> =
        TASKS.map(|(name, asked, scores)| (name.to_owned(), of((asked, scores)))).into();
    let (differences, steps_differences, claims) = Default::default();
    let (seeds, steps) = (config.seeds, config.steps);
    InTurn { seeds, steps, estimates, trained, differences, steps_differences, claims }.judged()
}

impl InTurn {
    /// Compared and judged by what was recorded of estimates and trainings.
    pub fn judged(self) -> InTurn {
        let differences = paired(&self.trained, |at| at.last.above(0.9));
        let steps_differences = paired(&self.trained, |at| at.steps_to_80.clone());
        let claims = claims(&self.estimates, &self.trained, &differences);
        InTurn { differences, steps_differences, claims, ..self }
    }
}

/// When only the last answer counts, the whole loss and the loss to go are the same number.
fn ways(asked: Asked) -> Vec<Way> {
    let same = |way: &Way| matches!(way, Way::WholeBare | Way::Whole | Way::ToGoOne);
    Way::ALL.into_iter().filter(|way| asked == Asked::Always || !same(way)).collect()
}

/// The number of trainings.
pub fn count(config: &Config) -> usize {
    TASKS.iter().map(|(_, asked, _)| ways(*asked).len() * config.seeds).sum()
}

const COMPARED: [(&str, Way, Way); 7] = [
    ("always", Way::ToGoBare, Way::WholeBare),
    ("always", Way::ToGo, Way::Whole),
    ("always", Way::ToGo, Way::ToGoBare),
    ("always", Way::ToGo, Way::ToGoOne),
    ("always", Way::ToGo, Way::Own),
    ("at_the_end", Way::ToGo, Way::Own),
    ("separate", Way::ToGo, Way::Own),
];

/// Of these numbers, the same seeds.
fn paired(
    trained: &BTreeMap<String, BTreeMap<String, Trained>>,
    number: fn(&Trained) -> Spread,
) -> BTreeMap<String, Paired> {
    let of = |(task, these, those): (&str, Way, Way)| {
        let [a, b] = [these, those].map(|way| number(&trained[task][way.name()]));
        (format!("{task}_{}_against_{}", these.name(), those.name()), a.minus(&b))
    };
    COMPARED.map(of).into()
}

/// What was claimed before the first run, and the last one before the row was run that it is about. About
/// solved trainings: decided when both the interval of the paired difference and the sign test decide.
fn claims(
    estimates: &BTreeMap<String, BTreeMap<String, Estimate>>,
    trained: &BTreeMap<String, BTreeMap<String, Trained>>,
    differences: &BTreeMap<String, Paired>,
) -> BTreeMap<String, Claim> {
    let both =
        |holds: &dyn Fn(&BTreeMap<String, Estimate>) -> bool| Some(estimates.values().all(holds));
    let unbiased = [Way::WholeBare, Way::Whole, Way::ToGoBare, Way::ToGoOne, Way::ToGo];
    let lower =
        |these: Way, those: Way| both(&|at| at[these.name()].variance < at[those.name()].variance);
    let more = |name: &str| differences[name].more_often();
    workbench::claims([
        (
            "a_unbiased",
            "the mean of the estimates lies within 4 standard errors of the exact gradient in each of its 256 entries, for the whole loss and for the loss to go, with and without baselines",
            both(&|at| unbiased.iter().all(|way| at[way.name()].largest_z <= 4.0)),
        ),
        (
            "b_own",
            "with its own loss alone for each look, the mean is further away than 4 standard errors in some entry",
            both(&|at| at[Way::Own.name()].largest_z > 4.0),
        ),
        (
            "c_to_go",
            "the loss to go with a baseline for each look has a smaller variance than the whole loss with its baseline",
            lower(Way::ToGo, Way::Whole),
        ),
        (
            "d_each",
            "a baseline for each look has a smaller variance than one for all",
            lower(Way::ToGo, Way::ToGoOne),
        ),
        (
            "e_trained",
            "the loss to go with a baseline for each look solves more trainings than the whole loss",
            more("always_to_go_against_whole"),
        ),
        (
            "f_own_always",
            "while every answer counts, the loss to go solves more trainings than its own loss for each look",
            more("always_to_go_against_own"),
        ),
        (
            "g_own_end",
            "when only the last answer counts, the loss to go solves more trainings than its own loss for each look",
            more("at_the_end_to_go_against_own"),
        ),
        (
            "h_own_separate",
            "when only the last answer counts and each look has a score of its own, the loss to go solves more trainings than its own loss for each look",
            more("separate_to_go_against_own"),
        ),
        (
            "i_exact",
            "the exact gradient solves every training of all three kinds",
            Some(trained.values().all(|ways| {
                let exact = &ways[Way::Exact.name()];
                exact.solved == exact.last.of_seeds.len()
            })),
        ),
        (
            "j_bare",
            "with no baseline, the loss to go has a smaller variance than the whole loss",
            lower(Way::ToGoBare, Way::WholeBare),
        ),
    ])
}

/// The notes' language and the digits of one repetition.
pub fn world(config: &Config, seed: u64) -> World {
    World::new(&mut rng(config.stream(11_000 + seed)))
}

fn uniforms(episodes: usize, rng: &mut Rng) -> Vec<Vec<Float>> {
    (0..episodes).map(|_| (0..LOOKS * QUERIES).map(|_| rng.random()).collect()).collect()
}

/// Trains a model with one score or with one for each look; `look` sees it before the first step and after each.
pub fn train(
    way: Way,
    (asked, scores): (Asked, usize),
    config: &Config,
    seed: u64,
    mut look: impl FnMut(usize, &Model),
) -> Model {
    let (world, rng) = (world(config, seed), &mut rng(config.stream(12_000 + seed)));
    let mut model = Model::new(scores, rng);
    let (mut adam, mut baselines) = (Adam::new(RATE), Baselines::new(LOOKS));
    look(0, &model);
    for step in 1..=config.steps {
        let batch: Vec<Episode> = (0..config.episodes).map(|_| world.trails(rng)).collect();
        let uniforms = uniforms(batch.len(), rng);
        let method = way.method(&baselines.values());
        let tape = Tape::new();
        let losses: Vec<Loss> = batch
            .iter()
            .zip(&uniforms)
            .map(|(episode, uniforms)| model.loss(&tape, episode, asked, &method, uniforms))
            .collect();
        baselines.update(&means(way.credit(), &losses));
        let sum = losses.into_iter().map(|loss| loss.sum).reduce(|a, b| a + b).expect("episodes");
        let mean = sum * (1.0 / (config.episodes * QUERIES) as Float);
        adam.step(&mut model, &mean.backward().into());
        look(step, &model);
    }
    model
}

/// What each look answered for, the mean over the batch; nothing where nobody looked.
fn means(credit: Credit, losses: &[Loss]) -> Vec<Float> {
    let credits: Vec<Vec<Matrix>> = losses.iter().map(|loss| credit.of(&loss.by_look)).collect();
    let looks = credits.first().map_or(0, Vec::len);
    let of = |i: usize| credits.iter().map(|c| c[i].mean()).sum::<Float>() / losses.len() as Float;
    (0..looks).map(of).collect()
}

fn trainings(
    config: &Config,
    task: (Asked, usize),
    way: Way,
    done: &(impl Fn() + Sync),
) -> Trained {
    let runs = over_seeds(config, done, |seed| one_run(config, task, way, seed));
    let [last, first_look, steps_to_80] = spreads(&runs);
    Trained { solved: last.count_above(0.9), last, first_look, steps_to_80 }
}

fn one_run(config: &Config, task: (Asked, usize), way: Way, seed: u64) -> [f64; 3] {
    let (world, fresh) = (world(config, seed), &mut rng(config.stream(13_000 + seed)));
    let fresh: Vec<Episode> = (0..TESTED).map(|_| world.trails(fresh)).collect();
    let mut steps_to_80 = None;
    let model = train(way, task, config, seed, |step, model| {
        let sampled =
            step * SAMPLES / config.steps > step.saturating_sub(1) * SAMPLES / config.steps;
        if sampled && steps_to_80.is_none() && test(model, &fresh).0 > 0.8 {
            steps_to_80 = Some(step);
        }
    });
    let (last, first_look) = test(&model, &fresh);
    [last, first_look, steps_to_80.unwrap_or(config.steps) as f64]
}

/// Follows the likeliest places: share of right last answers, and of first looks at the right place.
pub fn test(model: &Model, episodes: &[Episode]) -> (f64, f64) {
    let (mut last, mut first) = (0, 0);
    for episode in episodes {
        let tape = Tape::without_gradients();
        let values = tape.constant(episode.values.clone());
        let mut query = tape.constant(episode.queries.clone());
        for i in 0..LOOKS {
            let scores = model.scores(i, query, episode).value();
            let places: Vec<usize> = scores.column_iter().map(|column| column.imax()).collect();
            let found = values.select_columns(&places);
            let same = |a: &[usize], b: &[usize]| a.iter().zip(b).filter(|(a, b)| a == b).count();
            if i == 0 {
                first += same(&places, &episode.places[0]);
            }
            if i + 1 == LOOKS {
                let digits = model.read(found).value();
                let said: Vec<usize> = digits.column_iter().map(|column| column.imax()).collect();
                last += same(&said, &episode.answers[i]);
            }
            query = found.rows(VALUE, KEY);
        }
    }
    let asked = (episodes.len() * QUERIES) as f64;
    (last as f64 / asked, first as f64 / asked)
}

/// One episode, one model, `config.draws` estimates of each kind.
fn estimates(config: &Config, steps: usize) -> BTreeMap<String, Estimate> {
    let short = Config { steps, ..config.clone() };
    let model = train(Way::ToGo, (Asked::Always, 1), &short, 0, |_, _| {});
    let episode = world(config, 0).trails(&mut rng(config.stream(14_000)));
    let exact = gradient(&model, &episode, &Method::Exact, &[]);
    let of = |way: &Way| (way.name().to_owned(), estimate(config, &model, &episode, *way, &exact));
    let drawn: Vec<Way> =
        Way::ALL.into_iter().filter(|way| !matches!(way, Way::Soft | Way::Exact)).collect();
    drawn.par_iter().map(of).collect()
}

/// With respect to W, of the mean over the queries.
fn gradient(model: &Model, episode: &Episode, method: &Method, uniforms: &[Float]) -> DMatrix<f64> {
    let tape = Tape::new();
    let loss = model.loss(&tape, episode, Asked::Always, method, uniforms).sum;
    let mean = loss * (1.0 / QUERIES as Float);
    mean.backward().of(&model.content[0].w.weight).expect("the loss depends on W").map(f64::from)
}

fn estimate(
    config: &Config,
    model: &Model,
    episode: &Episode,
    way: Way,
    exact: &DMatrix<f64>,
) -> Estimate {
    let rng = &mut rng(config.stream(15_000));
    let method = way.method(&settled(model, episode, way, rng));
    let (mut sum, mut squares) = (exact * 0.0, exact * 0.0);
    for _ in 0..config.draws {
        let one = gradient(model, episode, &method, &uniforms(1, rng)[0]);
        squares += one.component_mul(&one);
        sum += one;
    }
    let draws = config.draws as f64;
    let mean = sum / draws;
    let variance = (squares / draws - mean.component_mul(&mean)) * (draws / (draws - 1.0));
    let z = |i: usize| ((mean[i] - exact[i]) / (variance[i] / draws).sqrt()).abs();
    Estimate {
        largest_z: rounded((0..exact.len()).map(z).fold(0.0, f64::max)),
        cosine: rounded(mean.dot(exact) / (mean.norm() * exact.norm())),
        length: rounded(mean.norm() / exact.norm()),
        variance: rounded(variance.sum()),
    }
}

/// What a moving average settles at for this model: the mean over a hundred draws.
fn settled(model: &Model, episode: &Episode, way: Way, rng: &mut Rng) -> Vec<Float> {
    let method = way.method(&[0.0; LOOKS]);
    let mut all = Vec::new();
    for uniforms in uniforms(100, rng) {
        let tape = Tape::without_gradients();
        let loss = model.loss(&tape, episode, Asked::Always, &method, &uniforms);
        all.push(means(way.credit(), std::slice::from_ref(&loss)));
    }
    let of = |i: usize| elementwise::sum(&all.iter().map(|m| m[i]).collect::<Vec<_>>());
    (0..LOOKS).map(|i| of(i) / all.len() as Float).collect()
}

impl Findings for InTurn {
    fn tell(&self) {
        let mut table =
            Table::new(["when", "credit", "furthest entry", "cosine", "length", "variance"]);
        for (when, ways) in &self.estimates {
            for (way, at) in ways {
                table.row([
                    when.clone(),
                    way.replace('_', " "),
                    format!("{:.1}", at.largest_z),
                    format!("{:.4}", at.cosine),
                    format!("{:.3}", at.length),
                    format!("{:.3}", at.variance),
                ]);
            }
        }
        say(&table);
        let mut table = Table::new(["asked", "taught by", "solved", "last right", "steps to 0.8"]);
        for (asked, ways) in &self.trained {
            for (way, at) in ways {
                table.row([
                    asked.replace('_', " "),
                    way.replace('_', " "),
                    format!("{}/{}", at.solved, self.seeds),
                    format!(
                        "{:.3} ({:.3} to {:.3})",
                        at.last.mean, at.last.lowest, at.last.highest
                    ),
                    format!("{:.0}", at.steps_to_80.mean),
                ]);
            }
        }
        say(&table);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }
}
