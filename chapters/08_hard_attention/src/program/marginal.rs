//! The marginal likelihood `−ln Σ α p(y | v)` trained beside its bound `Σ α·(−ln p(y | v))`, both by
//! visiting all places.

use super::config::Config;
use super::statistics::{BothSolved, Paired, Seeds, Trained, round};
use super::training::{Change, Kind, fresh, is_sampled, queries, test, train};
use crate::estimator::exact;
use crate::retrieval::{Episode, Model};
use crate::{expected_loss, marginal_loss};
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Tape, elementwise};
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::error::Result;
use workbench::program::{Table, say};
use workbench::study::{Findings, trainings, with_seeds};

/// Everything `--about marginal` records.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Marginal {
    pub seeds: usize,
    pub steps: usize,
    /// How hard each objective pulls at a place that is right and has little weight.
    pub example: Example,
    /// `bound` and `marginal`.
    pub trained: BTreeMap<String, Trained>,
    /// `marginal` minus `bound`, the same seeds, by what is compared.
    #[serde(skip_deserializing)] // made of the rest: see `judged`
    pub differences: BTreeMap<String, Paired>,
    #[serde(skip_deserializing)] // made of the rest: see `judged`
    pub both_solved: BothSolved,
    pub claims: BTreeMap<String, Claim>,
}

/// The right place has the weight 0.01 and the loss 0.1; all other places cost 5.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Example {
    /// `α(ℓ − J)` at the right place.
    pub bound: f64,
    /// `α − π` there.
    pub marginal: f64,
    pub posterior: f64,
    /// The second over the first.
    pub ratio: f64,
}

pub fn run(config: &Config) -> Result<Marginal> {
    let objectives = [("bound", Kind::Enumerated), ("marginal", Kind::Marginal)];
    let jobs = with_seeds(&objectives, config.seeds);
    let runs = trainings("bound and marginal", &jobs, |((_, kind), seed)| {
        Ok(one_run(config, *kind, *seed))
    })?;
    let of_objective = objectives.into_iter().zip(runs.chunks(config.seeds));
    let trained = of_objective.map(|((name, _), runs)| (name.to_owned(), Trained::new(runs)));
    let (differences, both_solved, claims) = Default::default();
    let (seeds, steps, example, trained) =
        (config.seeds, config.steps, example(), trained.collect());
    let all = Marginal { seeds, steps, example, trained, differences, both_solved, claims };
    Ok(all.judged())
}

impl Marginal {
    pub fn judged(self) -> Marginal {
        let [bound, marginal] = ["bound", "marginal"].map(|name| &self.trained[name]);
        let of = |name: &&str| (name.to_string(), marginal[name].minus(&bound[name]));
        let solved = [marginal, bound].map(|of| of["accuracy"].above(0.9));
        let mut differences: BTreeMap<String, Paired> = COMPARED.iter().map(of).collect();
        differences.insert("solved".into(), solved[0].minus(&solved[1]));
        let both =
            COMPARED.iter().map(|name| (*name, [marginal, bound].map(|of| of[name].clone())));
        let both_solved = BothSolved::new([&marginal["accuracy"], &bound["accuracy"]], both);
        let claims = claims(&differences);
        Marginal { differences, both_solved, claims, ..self }
    }
}

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

const COMPARED: [&str; 6] =
    ["accuracy", "bound", "marginal", "early_entropy", "entropy", "steps_to_80"];

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

/// The data of the page's other trainings, so that the bound is its row "enumerated" again. On new questions:
/// the accuracy by the likeliest place, J and −ln p(y) in nats a question, the entropy of
/// the alignments in nats after 75 steps and at the end; the steps until more than 0.8 were right, or all.
fn one_run(config: &Config, kind: Kind, seed: u64) -> [(&'static str, f64); 6] {
    let fresh = fresh(config, seed);
    let (mut early_entropy, mut steps_to_80) = (0.0, None);
    let model = train(kind, Change::None, config, seed, |step, model| {
        if step == 75 {
            early_entropy = f64::from(test(model, &fresh, 0).entropy);
        }
        let asked = step > 0 && steps_to_80.is_none() && is_sampled(step, config);
        if asked && test(model, &fresh, 0).argmax > 0.8 {
            steps_to_80 = Some(step);
        }
    });
    let (bound, marginal) = losses(&model, &fresh);
    let tested = test(&model, &fresh, 0);
    [
        ("accuracy", f64::from(tested.argmax)),
        ("bound", bound),
        ("marginal", marginal),
        ("early_entropy", early_entropy),
        ("entropy", f64::from(tested.entropy)),
        ("steps_to_80", steps_to_80.unwrap_or(config.steps) as f64),
    ]
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
    fn print(&self) {
        let mut table = Table::new(["trained on", "solved", "right", "lowest", "J", "−ln p(y)"]);
        for (name, at) in &self.trained {
            table.row([
                name.clone(),
                format!("{}/{}", at.solved, self.seeds),
                format!("{:.3}", at["accuracy"].mean),
                format!("{:.3}", at["accuracy"].lowest),
                format!("{:.3}", at["bound"].mean),
                format!("{:.3}", at["marginal"].mean),
            ]);
        }
        say(&table);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }
}
