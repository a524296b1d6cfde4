//! What the page measures: what 1/√d does, and which scores can learn a lookup.

pub use crate::kinds::Kind;

use crate::kinds::POSITIONS;
use crate::scores::Score;
use nalgebra::Vector2;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::{
    Adam, Float, Matrix, Module, Operand, Optimizer, Tape, cross_entropy, elementwise,
    loss_and_gradients, product, rng,
};
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::figure::{Chart, Heatmap, Svg};

/// The chapter's experiment.
#[derive(Clone, Debug)]
pub struct Config {
    /// Seed of every random number.
    pub seed: u64,
    /// How often each training is repeated, with other data and other start values.
    pub seeds: usize,
    /// Training steps.
    pub steps: usize,
}

impl Config {
    /// The seed of stream `number`.
    ///
    /// Streams of one `seed` differ, but seeds are added: repetition 1 under seed 0 is repetition 0
    /// under seed 1. For numbers that share nothing with the committed ones take a seed of at least
    /// 10,000.
    fn stream(&self, number: u64) -> u64 {
        self.seed.wrapping_add(number)
    }
}

impl Default for Config {
    fn default() -> Config {
        Config { seed: 0, seeds: 5, steps: 400 }
    }
}

/// Everything the page quotes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// The example worked by hand.
    pub example: Example,
    /// By `d1`, `d2`, `d4` … `d4096`.
    pub scaling: BTreeMap<String, Scaling>,
    /// By setting, then by score.
    pub recall: BTreeMap<String, BTreeMap<String, Learned>>,
    /// How often the nearest key, found with the true map between the spaces, is the right one.
    pub ceiling: BTreeMap<String, Float>,
    /// A closer look at the scores in one space.
    pub same_space: SameSpace,
    /// What was claimed before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
}

// ---------------------------------------------------------------------------------------------
// An example small enough for pencil and paper
// ---------------------------------------------------------------------------------------------

/// One query, three keys, three values.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Example {
    /// q·k for melon, radish, apple.
    pub dots: [Float; 3],
    /// The same divided by √2.
    pub scores: [Float; 3],
    /// Their softmax.
    pub weights: [Float; 3],
    /// The weighted mean of the prices.
    pub context: Float,
}

/// Keys say how sweet and how crisp something is; values are prices.
pub fn example() -> Example {
    let query = Vector2::new(2.0, 1.0); // sweet, and a little crisp
    let keys: [Vector2<Float>; 3] =
        [Vector2::new(1.0, 0.0), Vector2::new(0.0, 1.0), Vector2::new(1.0, 1.0)];
    let prices = [4.0, 1.0, 3.0];
    let dots = keys.map(|key| query.dot(&key));
    let scores = dots.map(|dot| dot / Float::sqrt(2.0));
    let mut weights = scores;
    elementwise::softmax(&mut weights);
    Example { dots, scores, weights, context: elementwise::dot(&weights, &prices) }
}

// ---------------------------------------------------------------------------------------------
// Why 1/√d
// ---------------------------------------------------------------------------------------------

/// Attention between strangers: queries and keys with independent standard normal entries.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scaling {
    /// Entries of a query and of a key.
    pub d: usize,
    /// Scores `q·k`.
    pub unscaled: Softness,
    /// Scores `q·k/√d`.
    pub scaled: Softness,
}

/// How soft a softmax is, over many queries.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Softness {
    /// Variance of the scores.
    pub variance: Float,
    /// Mean entropy of the weights, in nats.
    pub entropy: Float,
    /// The mean over the queries of the Frobenius norm of diag(α) − ααᵀ.
    pub jacobian_mean: Float,
    /// The median of the same.
    pub jacobian_median: Float,
    /// The mean norm of the gradient with respect to the query.
    pub query_mean: Float,
    /// The median of the same.
    pub query_median: Float,
    /// The mean norm of the gradient with respect to the values.
    pub values_mean: Float,
    /// The mean weight on key i of a query that equals it: no stranger.
    pub match_weight: Float,
}

/// Keys in the scaling experiment.
pub const STRANGERS: usize = 64;

/// The sizes d: powers of two up to 4096.
pub fn sizes() -> Vec<usize> {
    (0..=12).map(|power| 1 << power).collect()
}

/// Draws queries, keys, values and a gradient of the output, all standard normal, and measures what
/// the softmax does with them.
pub fn scaling(d: usize, seed: u64) -> Scaling {
    let rng = &mut rng(seed);
    let scale = 1.0 / (d as Float).sqrt();
    let (mut unscaled, mut scaled) = (Samples::default(), Samples::default());
    for _ in 0..16 {
        let (queries, keys) = (normal(d, STRANGERS, rng), normal(d, STRANGERS, rng));
        let (values, doutput) = (normal(16, STRANGERS, rng), normal(16, STRANGERS, rng));
        let scores = product(&keys.t(), &queries); //    (m, n)
        let dalpha = product(&values.t(), &doutput); //  (m, n)
        let matches = product(&keys.t(), &keys); //      (m, m): queries that equal a key
        unscaled.add(1.0, &scores, &matches, &keys, &dalpha, &doutput);
        scaled.add(scale, &scores, &matches, &keys, &dalpha, &doutput);
    }
    Scaling { d, unscaled: unscaled.summary(), scaled: scaled.summary() }
}

/// One number a query.
#[derive(Default)]
struct Samples {
    squares: Vec<Float>,
    entropy: Vec<Float>,
    jacobian: Vec<Float>,
    query: Vec<Float>,
    values: Vec<Float>,
    matches: Vec<Float>,
}

impl Samples {
    fn add(
        &mut self,
        scale: Float,
        scores: &Matrix,
        matches: &Matrix,
        keys: &Matrix,
        dalpha: &Matrix,
        doutput: &Matrix,
    ) {
        for j in 0..scores.ncols() {
            let scores = scores.column(j) * scale;
            self.squares.push(scores.norm_squared() / scores.len() as Float); // their mean is 0
            let mut alpha = scores;
            elementwise::softmax(alpha.as_mut_slice());
            self.entropy
                .push(-alpha.iter().filter(|a| **a > 0.0).map(|a| a * a.ln()).sum::<Float>());

            // αᵢ(1 − αᵢ) and dα − αᵀdα would cancel where the softmax saturates: sums over the other
            // weights do not.
            let (mut jacobian, mut dscores) = (0.0, alpha.clone());
            for i in 0..alpha.len() {
                let (mut others, mut pull) = (0.0, 0.0);
                for k in (0..alpha.len()).filter(|k| *k != i) {
                    others += alpha[k];
                    pull += alpha[k] * (dalpha[(i, j)] - dalpha[(k, j)]);
                    jacobian += (alpha[i] * alpha[k]).powi(2);
                }
                jacobian += (alpha[i] * others).powi(2);
                dscores[i] = alpha[i] * pull;
            }
            self.jacobian.push(jacobian.sqrt());
            self.query.push(product(keys, &dscores).norm() * scale); // dq = K ds, scaled as s was
            self.values.push(doutput.column(j).norm() * alpha.norm()); // dV = do αᵀ

            let mut alpha = matches.column(j) * scale;
            elementwise::softmax(alpha.as_mut_slice());
            self.matches.push(alpha[j]);
        }
    }

    fn summary(self) -> Softness {
        Softness {
            variance: mean(&self.squares),
            entropy: mean(&self.entropy),
            jacobian_mean: mean(&self.jacobian),
            jacobian_median: median(self.jacobian),
            query_mean: mean(&self.query),
            query_median: median(self.query),
            values_mean: mean(&self.values),
            match_weight: mean(&self.matches),
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Associative recall
// ---------------------------------------------------------------------------------------------

/// How a query tells which key it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The query is the key, plus noise.
    Same,
    /// The query is the key, rotated by a matrix nobody tells, plus noise.
    Rotated,
    /// The query is the key, mapped to a space of another dimension, plus noise.
    Wider,
    /// The query says at which position to look, whatever key is there.
    Position,
}

impl Setting {
    /// All of them.
    pub const ALL: [Setting; 4] =
        [Setting::Same, Setting::Rotated, Setting::Wider, Setting::Position];

    /// Its name in results and figures.
    pub fn name(self) -> &'static str {
        match self {
            Setting::Same => "same",
            Setting::Rotated => "rotated",
            Setting::Wider => "wider",
            Setting::Position => "position",
        }
    }
}

/// Pairs of key and value in an episode, and queries: one for each pair. A location score can serve
/// them all.
pub const PAIRS: usize = POSITIONS;
const KEY: usize = 16; // entries of a key
const WIDER: usize = 24; // entries of a query in the setting of that name
const NOISE: Float = 0.3;
const EPISODES: usize = 16; // in a batch
const TESTED: usize = 100; // episodes, 1600 queries
/// How often a learning curve is sampled.
pub const SAMPLES: usize = 40;

/// The world behind the episodes: how queries arise from keys. The scores are not told.
pub struct Task {
    setting: Setting,
    map: Matrix, // (d_q, d_k)
}

/// Keys with values, and queries that ask for them.
pub struct Episode {
    /// (d_k, m)
    pub keys: Matrix,
    /// (d_q, n)
    pub queries: Matrix,
    /// One-hot columns (m, m): the answer stored with each key.
    pub values: Matrix,
    /// The key each query means.
    pub slots: Vec<usize>,
    /// The answer each query should get.
    pub answers: Vec<usize>,
}

// ANCHOR: episode
impl Task {
    /// Draws the map between the spaces.
    pub fn new(setting: Setting, rng: &mut impl Rng) -> Task {
        let map = match setting {
            Setting::Same => Matrix::identity(KEY, KEY),
            Setting::Rotated => normal(KEY, KEY, rng).qr().q(),
            Setting::Wider => normal(WIDER, KEY, rng) / (KEY as Float).sqrt(),
            Setting::Position => Matrix::identity(PAIRS, PAIRS) * (PAIRS as Float).sqrt(),
        };
        Task { setting, map }
    }

    /// New keys, new values and new questions: nothing to memorise but the map.
    pub fn episode(&self, rng: &mut impl Rng) -> Episode {
        let keys = normal(KEY, PAIRS, rng);
        let (stored, slots) = (shuffled(rng), shuffled(rng));
        let meant = match self.setting {
            Setting::Position => Matrix::identity(PAIRS, PAIRS).select_columns(&slots),
            _ => keys.select_columns(&slots),
        };
        let queries = product(&self.map, &meant);
        let queries = &queries + normal(queries.nrows(), PAIRS, rng) * NOISE;
        let values = Matrix::identity(PAIRS, PAIRS).select_columns(&stored);
        let answers = slots.iter().map(|slot| stored[*slot]).collect();
        Episode { keys, queries, values, slots, answers }
    }
}
// ANCHOR_END: episode

/// What a score learned in one setting, over the seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learned {
    /// Trainable scalars.
    pub parameters: usize,
    /// Share of right answers after training: mean over the seeds.
    pub accuracy: Float,
    /// The worst seed.
    pub lowest: Float,
    /// The best seed.
    pub highest: Float,
    /// Mean over the seeds of −ln(weight on the right value), in nats.
    pub loss: Float,
    /// Steps after which the mean accuracy first exceeded 0.9; absent when it never did.
    pub steps_to_90: Option<usize>,
    /// (step, mean, lowest, highest) accuracy.
    pub curve: Vec<(usize, Float, Float, Float)>,
}

/// One training run.
struct Run {
    parameters: usize,
    accuracy: Vec<Float>,
    loss: Float,
}

// ANCHOR: train
/// Trains nothing but the score: the prediction is the context itself, a weighted mean of one-hot
/// answers and so a distribution over them.
pub fn train(task: &Task, score: &mut Score, steps: usize, seed: u64) -> Vec<Float> {
    let rng = &mut rng(seed);
    let tested: Vec<Episode> = (0..TESTED).map(|_| task.episode(rng)).collect();
    let mut adam = Adam::new(0.01);
    let mut curve = vec![test(score, &tested).0];
    for step in 1..=steps {
        let batch: Vec<Episode> = (0..EPISODES).map(|_| task.episode(rng)).collect();
        if score.parameter_count() > 0 {
            let shards: Vec<&[Episode]> = batch.chunks(EPISODES / 2).collect();
            let (_, gradients) =
                loss_and_gradients(&shards, |tape, shard| loss(score, tape, shard));
            adam.step(score, &gradients);
        }
        if step * SAMPLES / steps > (step - 1) * SAMPLES / steps {
            curve.push(test(score, &tested).0);
        }
    }
    curve
}

/// −ln of the probability that the contexts give to the right answers, a mean over a batch. As the
/// values are one-hot, that probability is the weight of the right key, and softmax with the
/// logarithm are one operation.
fn loss<'t>(score: &Score, tape: &'t Tape, episodes: &[Episode]) -> shared::Var<'t> {
    let one = |episode: &Episode| {
        let queries = tape.constant(episode.queries.clone());
        let keys = tape.constant(episode.keys.clone());
        cross_entropy(score.forward(queries, keys), &episode.slots)
    };
    let sum =
        episodes.iter().map(one).reduce(|sum, loss| sum + loss).expect("a batch has episodes");
    sum * (1.0 / (EPISODES * PAIRS) as Float)
}
// ANCHOR_END: train

/// The share of right answers, and the loss.
pub fn test(score: &Score, episodes: &[Episode]) -> (Float, Float) {
    let (mut right, mut lost, mut asked) = (0, 0.0, 0);
    for Episode { keys, queries, values, slots, answers } in episodes {
        let tape = Tape::without_gradients();
        let (queries, keys) = (tape.constant(queries.clone()), tape.constant(keys.clone()));
        let scores = score.forward(queries, keys);
        let contexts = (tape.constant(values.clone()) * scores.softmax()).value();
        right += answers
            .iter()
            .enumerate()
            .filter(|(j, answer)| contexts.column(*j).imax() == **answer)
            .count();
        lost += cross_entropy(scores, slots).scalar();
        asked += answers.len();
    }
    (right as Float / asked as Float, lost / asked as Float)
}

/// The share of queries for which the nearest key, seen through the true map, is the right one: no
/// score can know more.
fn ceiling(setting: Setting, config: &Config) -> Float {
    let mut right = 0;
    for seed in 0..config.seeds as u64 {
        let (task, rng) = (task(setting, config, seed), &mut rng(config.stream(3000 + seed)));
        for Episode { keys, queries, slots, .. } in (0..TESTED).map(|_| task.episode(rng)) {
            let seen = match setting {
                Setting::Position => task.map.clone(),
                _ => product(&task.map, &keys),
            };
            for (query, slot) in queries.column_iter().zip(&slots) {
                let distance = |i: usize| (query - seen.column(i)).norm_squared();
                let nearest = (0..PAIRS).min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
                right += usize::from(nearest == Some(*slot));
            }
        }
    }
    right as Float / (config.seeds * TESTED * PAIRS) as Float
}

/// What wrong answers have in common.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Misses {
    /// Wrong answers.
    pub wrong: usize,
    /// Wrong answers for which the chosen key is longer than the right one.
    pub longer: usize,
}

/// Scores after training, queries and keys in one space, all seeds together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SameSpace {
    /// Questions asked.
    pub asked: usize,
    /// Of the dot product.
    pub dot: Misses,
    /// Of the trained bilinear score.
    pub general: Misses,
    /// The mean β that cosine learned.
    pub strength: Float,
}

/// Looks at wrong answers, and at β.
pub fn same_space(config: &Config) -> SameSpace {
    let mut found =
        SameSpace { asked: 0, dot: Misses::default(), general: Misses::default(), strength: 0.0 };
    for seed in 0..config.seeds as u64 {
        let (task, rng) = (task(Setting::Same, config, seed), &mut rng(config.stream(4000 + seed)));
        let fresh: Vec<Episode> = (0..TESTED).map(|_| task.episode(rng)).collect();
        for (kind, misses) in [(Kind::Dot, &mut found.dot), (Kind::General, &mut found.general)] {
            let (score, _) = learn(Setting::Same, kind, config, seed).expect("both fit one space");
            for Episode { keys, queries, slots, .. } in &fresh {
                let tape = Tape::without_gradients();
                let (queries, key_columns) =
                    (tape.constant(queries.clone()), tape.constant(keys.clone()));
                let scores = score.forward(queries, key_columns).value();
                for (scores, slot) in scores.column_iter().zip(slots) {
                    let chosen = scores.imax();
                    misses.wrong += usize::from(chosen != *slot);
                    misses.longer +=
                        usize::from(keys.column(chosen).norm() > keys.column(*slot).norm());
                }
            }
        }
        found.asked += TESTED * PAIRS;
        if let Some((Score::Cosine(cosine), _)) = learn(Setting::Same, Kind::Cosine, config, seed) {
            found.strength += cosine.strength.value()[0] / config.seeds as Float;
        }
    }
    found
}

fn task(setting: Setting, config: &Config, seed: u64) -> Task {
    Task::new(setting, &mut rng(config.stream(1000 + seed)))
}

/// Trains one score in one setting with one seed and returns it with its learning curve; `None` when
/// the score cannot be computed there.
pub fn learn(
    setting: Setting,
    kind: Kind,
    config: &Config,
    seed: u64,
) -> Option<(Score, Vec<Float>)> {
    let task = task(setting, config, seed);
    let mut score = kind.build(task.map.nrows(), KEY, &mut rng(config.stream(2000 + seed)))?;
    let curve = train(&task, &mut score, config.steps, config.stream(seed));
    Some((score, curve))
}

/// The same, told in numbers.
fn one_run(setting: Setting, kind: Kind, config: &Config, seed: u64) -> Option<Run> {
    let (mut score, accuracy) = learn(setting, kind, config, seed)?;
    let (task, rng) = (task(setting, config, seed), &mut rng(config.stream(4000 + seed)));
    let fresh: Vec<Episode> = (0..TESTED).map(|_| task.episode(rng)).collect();
    let loss = test(&score, &fresh).1; // on episodes that no curve has looked at
    Some(Run { parameters: score.parameter_count(), accuracy, loss })
}

/// Trains every score in every setting, `config.seeds` times each, on all cores. `done` is called
/// after each training.
pub fn recall(
    config: &Config,
    done: impl Fn() + Sync,
) -> BTreeMap<String, BTreeMap<String, Learned>> {
    let cells: Vec<(Setting, Kind)> =
        Setting::ALL.iter().flat_map(|s| Kind::ALL.map(|kind| (*s, kind))).collect();
    let jobs: Vec<(Setting, Kind, u64)> = cells
        .iter()
        .flat_map(|(setting, kind)| (0..config.seeds as u64).map(|seed| (*setting, *kind, seed)))
        .collect();
    let runs: Vec<Option<Run>> = jobs
        .par_iter()
        .map(|(setting, kind, seed)| {
            let run = one_run(*setting, *kind, config, *seed);
            done();
            run
        })
        .collect();
    let mut results: BTreeMap<String, BTreeMap<String, Learned>> = BTreeMap::new();
    for ((setting, kind), runs) in cells.iter().zip(runs.chunks(config.seeds)) {
        let runs: Vec<&Run> = runs.iter().flatten().collect();
        if !runs.is_empty() {
            let of_setting = results.entry(setting.name().into()).or_default();
            of_setting.insert(kind.name().into(), summary(&runs, config.steps));
        }
    }
    results
}

/// The number of trainings [`recall`] will do.
pub fn trainings(config: &Config) -> usize {
    Setting::ALL.len() * Kind::ALL.len() * config.seeds
}

fn summary(runs: &[&Run], steps: usize) -> Learned {
    let points = runs[0].accuracy.len();
    let curve: Vec<(usize, Float, Float, Float)> = (0..points)
        .map(|i| {
            let at: Vec<Float> = runs.iter().map(|run| run.accuracy[i]).collect();
            let low = at.iter().copied().fold(Float::INFINITY, Float::min);
            let high = at.iter().copied().fold(Float::NEG_INFINITY, Float::max);
            (i * steps / (points - 1), mean(&at), low, high)
        })
        .collect();
    let (_, accuracy, lowest, highest) = curve[points - 1];
    Learned {
        parameters: runs[0].parameters,
        accuracy,
        lowest,
        highest,
        loss: mean(&runs.iter().map(|run| run.loss).collect::<Vec<_>>()),
        steps_to_90: curve.iter().find(|point| point.1 > 0.9).map(|point| point.0),
        curve,
    }
}

// ---------------------------------------------------------------------------------------------
// What was claimed beforehand
// ---------------------------------------------------------------------------------------------

/// The claims about recall. Chance is 1/16 = 0.0625; "fails" means less than twice that.
pub fn claims(recall: &BTreeMap<String, BTreeMap<String, Learned>>) -> BTreeMap<String, Claim> {
    let accuracy = |setting: &str, score: &str| recall[setting][score].accuracy;
    let all = |setting: &str, scores: &[&str], holds: &dyn Fn(Float) -> bool| {
        scores.iter().all(|score| holds(accuracy(setting, score)))
    };
    let works = |accuracy: Float| accuracy > 0.9;
    let fails = |accuracy: Float| accuracy < 2.0 / PAIRS as Float;
    let fixed = ["dot", "scaled_dot", "cosine"];
    let learned = ["general", "additive", "concat"];
    let content = ["same", "rotated", "wider"];
    let steps =
        |setting: &str, score: &str| recall[setting][score].steps_to_90.unwrap_or(usize::MAX);
    let list = [
        (
            "a_same_space",
            "in the same space dot, scaled dot, cosine, general, additive and concat work",
            all("same", &fixed, &works) && all("same", &learned, &works),
        ),
        (
            "b_rotated",
            "in a rotated space dot, scaled dot and cosine fail; general, additive and concat work",
            all("rotated", &fixed, &fails) && all("rotated", &learned, &works),
        ),
        (
            "c_wider",
            "in a space of another dimension general, additive and concat work",
            all("wider", &learned, &works),
        ),
        (
            "d_location",
            "location fails wherever content counts, and works where the position counts",
            content.iter().all(|setting| fails(accuracy(setting, "location")))
                && works(accuracy("position", "location")),
        ),
        (
            "e_position",
            "where the position counts, every score but location fails",
            all("position", &fixed, &fails)
                && all("position", &learned, &fails)
                && fails(accuracy("position", "additive_without_bias")),
        ),
        (
            "f_odd",
            "additive without bias stays below 1/2 wherever content counts",
            content.iter().all(|setting| accuracy(setting, "additive_without_bias") < 0.5),
        ),
        (
            "g_slower",
            "additive needs more steps to 0.9 than general wherever content counts",
            content.iter().all(|setting| steps(setting, "additive") > steps(setting, "general")),
        ),
    ];
    workbench::claims(list)
}

// ---------------------------------------------------------------------------------------------
// All of it, and the pictures
// ---------------------------------------------------------------------------------------------

/// The quick part: everything but the trainings.
pub fn scalings(config: &Config) -> BTreeMap<String, Scaling> {
    let sizes = sizes();
    let one = |d: &usize| (format!("d{d}"), scaling(*d, config.seed));
    sizes.par_iter().map(one).collect()
}

/// Runs everything; `done` is called after each training.
pub fn run(config: &Config, done: impl Fn() + Sync) -> Results {
    let recall = recall(config, done);
    let ceiling = Setting::ALL.map(|s| (s.name().to_string(), ceiling(s, config))).into();
    let claims = claims(&recall);
    let same_space = same_space(config);
    Results { example: example(), scaling: scalings(config), recall, ceiling, same_space, claims }
}

/// All figures, by file name.
pub fn figures(config: &Config, results: &Results) -> Vec<(&'static str, Svg)> {
    let mut figures = vec![
        ("entropy", entropy_figure(&results.scaling)),
        ("jacobian", jacobian_figure(&results.scaling)),
        ("routes", routes_figure(&results.scaling)),
        ("weights", weights_figure(config)),
    ];
    let titles = [
        ("recall_same", "Queries and keys in one space"),
        ("recall_rotated", "Queries in a rotated space"),
        ("recall_wider", "Queries of another dimension"),
        ("recall_position", "Queries that name a position"),
    ];
    for (setting, (file, title)) in Setting::ALL.iter().zip(titles) {
        figures.push((file, recall_figure(title, &results.recall[setting.name()])));
    }
    figures
}

fn series(
    scaling: &BTreeMap<String, Scaling>,
    number: impl Fn(&Scaling) -> Float,
) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> =
        scaling.values().map(|at| (at.d as f64, f64::from(number(at)))).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

fn entropy_figure(scaling: &BTreeMap<String, Scaling>) -> Svg {
    let most = (STRANGERS as f64).ln();
    Chart::new("Entropy of the weights", "d", "nats")
        .line("q·k", &series(scaling, |at| at.unscaled.entropy))
        .line("q·k/√d", &series(scaling, |at| at.scaled.entropy))
        .dashed("uniform weights", &[(1.0, most), (4096.0, most)])
        .log(true, false)
        .y_range(0.0..4.4)
        .draw()
}

fn jacobian_figure(scaling: &BTreeMap<String, Scaling>) -> Svg {
    Chart::new("Norm of diag(α) − ααᵀ", "d", "Frobenius norm")
        .line("q·k, median", &series(scaling, |at| at.unscaled.jacobian_median))
        .line("q·k/√d, median", &series(scaling, |at| at.scaled.jacobian_median))
        .dashed("q·k, mean", &series(scaling, |at| at.unscaled.jacobian_mean))
        .log(true, true)
        .draw()
}

fn routes_figure(scaling: &BTreeMap<String, Scaling>) -> Svg {
    Chart::new("Gradient that arrives without 1/√d", "d", "norm, for a unit-variance dO")
        .line("at the values", &series(scaling, |at| at.unscaled.values_mean))
        .line("at the query, median", &series(scaling, |at| at.unscaled.query_median))
        .line("at the query, mean", &series(scaling, |at| at.unscaled.query_mean))
        .dashed("at the query with 1/√d, median", &series(scaling, |at| at.scaled.query_median))
        .log(true, true)
        .draw()
}

fn recall_figure(title: &str, scores: &BTreeMap<String, Learned>) -> Svg {
    let lines = [
        ("dot", "dot, scaled dot"),
        ("general", "general"),
        ("additive", "additive"),
        ("additive_without_bias", "additive, no bias"),
        ("cosine", "cosine"),
        ("location", "location"),
    ];
    let mut chart = Chart::new(title, "training step", "share of right answers");
    for (score, name) in lines {
        let curve = scores.get(score).map(|learned| learned.curve.as_slice()).unwrap_or_default();
        let at = |point: &(usize, Float, Float, Float)| {
            (point.0 as f64, f64::from(point.1), f64::from(point.2), f64::from(point.3))
        };
        let curve: Vec<_> = curve.iter().map(at).collect();
        let line: Vec<(f64, f64)> = curve.iter().map(|p| (p.0, p.1)).collect();
        let spread: Vec<(f64, f64, f64)> = curve.iter().map(|p| (p.0, p.2, p.3)).collect();
        chart = chart.band(&spread).line(if line.is_empty() { "" } else { name }, &line);
    }
    chart.y_range(0.0..1.03).draw()
}

/// One episode in the rotated space, after training: the right key of query j is key j.
fn weights_figure(config: &Config) -> Svg {
    let picture = |kind: Kind, title: &str| {
        let (score, _) = learn(Setting::Rotated, kind, config, 0).expect("both fit the sizes");
        let task = task(Setting::Rotated, config, 0);
        let Episode { keys, queries, slots, .. } = task.episode(&mut rng(config.stream(5000)));
        let mut in_order = queries.clone();
        for (query, slot) in queries.column_iter().zip(slots) {
            in_order.set_column(slot, &query);
        }
        let tape = Tape::without_gradients();
        let alpha = score.forward(tape.constant(in_order), tape.constant(keys)).softmax();
        Heatmap::new(title, "query", "key", &alpha.value()).range(0.0..1.0).draw()
    };
    Svg::grid(
        &[picture(Kind::ScaledDot, "Scaled dot"), picture(Kind::General, "General, trained")],
        1,
    )
}

fn normal(rows: usize, columns: usize, rng: &mut impl Rng) -> Matrix {
    Matrix::from_fn(rows, columns, |_, _| StandardNormal.sample(rng))
}

fn shuffled(rng: &mut impl Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..PAIRS).collect();
    order.shuffle(rng);
    order
}

fn mean(x: &[Float]) -> Float {
    x.iter().sum::<Float>() / x.len() as Float
}

fn median(mut x: Vec<Float>) -> Float {
    x.sort_by(Float::total_cmp);
    (x[(x.len() - 1) / 2] + x[x.len() / 2]) / 2.0
}
