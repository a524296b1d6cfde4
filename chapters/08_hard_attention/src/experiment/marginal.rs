//! The marginal likelihood `−ln Σ α p(y | v)` trained beside its bound `Σ α·(−ln p(y | v))`, both by
//! visiting all places.

use super::config::Config;
use super::statistics::{BothSolved, Paired, Seeds, round};
use super::training::{SAMPLES, TESTED, batch_loss, over_seeds, queries, spreads, test};
use crate::estimator::exact;
use crate::retrieval::{Episode, Method, Model};
use crate::{expected_loss, marginal_loss};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use shared::{Adam, Float, Matrix, Optimizer, Tape, elementwise, rng};
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::program::{Table, say};
use workbench::study::{Findings, Spread};

/// Everything `--about marginal` records.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Marginal {
    /// How often each training was repeated.
    pub seeds: usize,
    /// Steps of each.
    pub steps: usize,
    /// How hard each objective pulls at a place that is right and has little weight.
    pub example: Example,
    /// `bound` and `marginal`.
    pub trained: BTreeMap<String, Trained>,
    /// `marginal` minus `bound`, the same seeds, by what is compared.
    #[serde(skip_deserializing)] // made of the rest: see `judged`
    pub differences: BTreeMap<String, Paired>,
    /// The same in the seeds that both solve.
    #[serde(skip_deserializing)] // made of the rest: see `judged`
    pub both_solved: BothSolved,
    /// What was claimed beforehand.
    pub claims: BTreeMap<String, Claim>,
}

/// The right place has the weight 0.01 and the loss 0.1; all other places cost 5.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Example {
    /// `α(ℓ − J)` at the right place.
    pub bound: f64,
    /// `α − π` there.
    pub marginal: f64,
    /// π, the posterior of the right place.
    pub posterior: f64,
    /// The second over the first.
    pub ratio: f64,
}

/// Trainings on one objective, on new questions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trained {
    /// How many seeds ended above 0.9.
    pub solved: usize,
    /// Share of right answers by the likeliest place.
    pub accuracy: Spread,
    /// J, nats a question.
    pub bound: Spread,
    /// `−ln p(y)`, nats a question.
    pub marginal: Spread,
    /// Entropy of the alignments after 75 steps, nats.
    pub early_entropy: Spread,
    /// At the end.
    pub entropy: Spread,
    /// Steps until more than 0.8 were right; the number of steps when that never happened.
    pub steps_to_80: Spread,
}

/// Runs both; `done` is called after each training.
pub fn run(config: &Config, done: impl Fn() + Sync) -> Marginal {
    let trained: BTreeMap<String, Trained> =
        [("bound", Method::Enumerated), ("marginal", Method::Marginal)]
            .map(|(name, method)| (name.to_owned(), trainings(config, method, &done)))
            .into();
    let (differences, both_solved, claims) = Default::default();
    let (seeds, steps, example) = (config.seeds, config.steps, example());
    Marginal { seeds, steps, example, trained, differences, both_solved, claims }.judged()
}

impl Marginal {
    /// Compared and judged by what was recorded of the trainings.
    pub fn judged(self) -> Marginal {
        let [bound, marginal] = ["bound", "marginal"].map(|name| &self.trained[name]);
        let differences =
            COMPARED.map(|(name, of)| (name.to_owned(), of(marginal).minus(&of(bound)))).into();
        let both_solved = BothSolved::new(
            [&marginal.accuracy, &bound.accuracy],
            COMPARED[1..].iter().map(|(name, of)| (*name, [of(marginal), of(bound)])),
        );
        let claims = claims(&differences);
        Marginal { differences, both_solved, claims, ..self }
    }
}

/// The number of trainings.
pub fn count(config: &Config) -> usize {
    2 * config.seeds
}

/// Worked by hand.
pub fn example() -> Example {
    let tape = Tape::new();
    let losses = Matrix::from_fn(1, 100, |_, i| if i == 0 { 0.1 } else { 5.0 });
    let alpha = [0.01; 100];
    let scores = tape.leaf(Matrix::zeros(100, 1));
    let marginal = marginal_loss(scores, tape.constant(losses.clone())).backward().wrt(scores)[0];
    let bound = exact(&alpha, losses.as_slice())[0];
    let round = |x: Float| f64::from(round(x));
    Example {
        bound: round(bound),
        marginal: round(marginal),
        posterior: round(alpha[0] - marginal),
        ratio: round(marginal / bound),
    }
}

/// What is compared: the name, and where it stands.
type Compared = (&'static str, fn(&Trained) -> Spread);
const COMPARED: [Compared; 7] = [
    ("solved", |t| t.accuracy.above(0.9)),
    ("accuracy", |t| t.accuracy.clone()),
    ("bound", |t| t.bound.clone()),
    ("marginal", |t| t.marginal.clone()),
    ("early_entropy", |t| t.early_entropy.clone()),
    ("entropy", |t| t.entropy.clone()),
    ("steps_to_80", |t| t.steps_to_80.clone()),
];

/// Decided when the interval of the paired difference does not contain zero; of solved trainings, when
/// the sign test decides it as well.
fn claims(differences: &BTreeMap<String, Paired>) -> BTreeMap<String, Claim> {
    let more = |name: &str| differences[name].more();
    let less = |name: &str| more(name).map(|more| !more);
    workbench::claims([
        (
            "a_solved",
            "trained on the marginal likelihood, more trainings are solved than on the bound",
            differences["solved"].more_often(),
        ),
        (
            "b_marginal",
            "trained on the marginal likelihood, $-\\ln p(y)$ on new questions is smaller than trained on the bound",
            less("marginal"),
        ),
        (
            "c_bound",
            "trained on the bound, $J$ on new questions is smaller than trained on the marginal likelihood",
            more("bound"),
        ),
        ("d_entropy", "trained on the bound, alignments are sharper at the end", more("entropy")),
        (
            "e_steps",
            "trained on the marginal likelihood, fewer steps are needed to 0.8",
            less("steps_to_80"),
        ),
    ])
}

fn trainings(config: &Config, method: Method, done: &(impl Fn() + Sync)) -> Trained {
    let runs = over_seeds(config, done, |seed| one_run(config, method, seed));
    let [accuracy, bound, marginal, early_entropy, entropy, steps_to_80] = spreads(&runs);
    Trained {
        solved: accuracy.count_above(0.9),
        accuracy,
        bound,
        marginal,
        early_entropy,
        entropy,
        steps_to_80,
    }
}

/// The data of the page's other trainings, so that the bound is its row "enumerated" again.
fn one_run(config: &Config, method: Method, seed: u64) -> [f64; 6] {
    let (world, tested) = (config.world(seed), &mut rng(config.stream(2000 + seed)));
    let fresh: Vec<Episode> = (0..TESTED).map(|_| world.episode(tested)).collect();
    let rng = &mut rng(config.stream(1000 + seed));
    let (mut model, mut adam) = (Model::new(rng), Adam::new(config.learning_rate));
    let (mut early_entropy, mut steps_to_80) = (0.0, config.steps as f64);
    for step in 1..=config.steps {
        let batch: Vec<Episode> = (0..config.episodes).map(|_| world.episode(rng)).collect();
        let uniforms: Vec<Float> = (0..queries(&batch)).map(|_| rng.random()).collect(); // not used
        let tape = Tape::new();
        let loss = batch_loss(&model, &tape, &batch, method, &uniforms).1;
        adam.step(&mut model, &loss.backward().into());
        if step == 75 {
            early_entropy = f64::from(test(&model, &fresh, 0).entropy);
        }
        let sampled = step * SAMPLES / config.steps > (step - 1) * SAMPLES / config.steps;
        if sampled && steps_to_80 == config.steps as f64 && test(&model, &fresh, 0).argmax > 0.8 {
            steps_to_80 = step as f64;
        }
    }
    let (bound, marginal) = losses(&model, &fresh);
    let tested = test(&model, &fresh, 0);
    let (accuracy, entropy) = (f64::from(tested.argmax), f64::from(tested.entropy));
    [accuracy, bound, marginal, early_entropy, entropy, steps_to_80]
}

/// J and −ln p(y), a question.
fn losses(model: &Model, episodes: &[Episode]) -> (f64, f64) {
    let (mut bound, mut marginal) = (0.0, 0.0);
    for episode in episodes {
        let tape = Tape::without_gradients();
        let scores = model.scores(&tape, episode);
        let losses = model.losses(tape.constant(episode.values.clone()), &episode.answers);
        bound += f64::from(elementwise::sum(expected_loss(scores, losses).value().as_slice()));
        marginal += f64::from(elementwise::sum(marginal_loss(scores, losses).value().as_slice()));
    }
    let asked = queries(episodes) as f64;
    (bound / asked, marginal / asked)
}

impl Findings for Marginal {
    fn tell(&self) {
        let mut table = Table::new(["trained on", "solved", "right", "lowest", "J", "−ln p(y)"]);
        for (name, at) in &self.trained {
            table.row([
                name.clone(),
                format!("{}/{}", at.solved, self.seeds),
                format!("{:.3}", at.accuracy.mean),
                format!("{:.3}", at.accuracy.lowest),
                format!("{:.3}", at.bound.mean),
                format!("{:.3}", at.marginal.mean),
            ]);
        }
        say(&table);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }
}
