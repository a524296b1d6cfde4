//! Does 1/√d make training faster?

use super::super::config::Config;
use super::super::statistics::normal;
use super::super::training::world;
use super::super::world::{Episode, KEY, Setting};
use super::spreads;
use crate::scores::{dot, scaled_dot};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::{
    Adam, Float, Linear, Module, Optimizer, Param, Tape, Var, Visitor, cross_entropy, rng,
};
use workbench::study::Spread;

pub(super) const WIDTHS: [usize; 4] = [16, 64, 256, 1024];
const RATES: [Float; 4] = [0.001, 0.003, 0.01, 0.03];
const STEPS: usize = 200;
const EPISODES: usize = 8; // in a batch
const TESTED: usize = 20; // episodes, 320 questions

/// `(W_q q)·(W_k k)`, divided by √d or not: the score of a head, before chapter 9 calls it so.
struct Projected {
    w_q: Linear,  // (d, 16)
    w_k: Linear,  // (d, 16)
    scaled: bool, // by 1/√d
}

impl Projected {
    /// Projected queries and keys begin as strangers, with entries of variance 1.
    fn new(d: usize, scaled: bool, rng: &mut impl rand::Rng) -> Projected {
        let mut linear = || {
            let weight = Param::new(normal(d, KEY, rng) / (KEY as Float).sqrt());
            Linear { weight, bias: None }
        };
        Projected { w_q: linear(), w_k: linear(), scaled }
    }

    fn forward<'t>(&self, queries: Var<'t>, keys: Var<'t>) -> Var<'t> {
        let (q, k) = (self.w_q.forward(queries), self.w_k.forward(keys)); // (d, n), (d, m)
        if self.scaled { scaled_dot(q, k) } else { dot(q, k) }
    }

    /// −ln of the weight of the right key, a mean over all questions.
    fn loss<'t>(&self, tape: &'t Tape, episodes: &[Episode]) -> Var<'t> {
        let one = |episode: &Episode| {
            let queries = tape.constant(episode.queries.clone());
            let keys = tape.constant(episode.keys.clone());
            cross_entropy(self.forward(queries, keys), &episode.slots)
        };
        let sum = episodes.iter().map(one).reduce(|sum, loss| sum + loss).expect("episodes");
        let asked: usize = episodes.iter().map(|episode| episode.slots.len()).sum();
        sum * (1.0 / asked as Float)
    }

    fn test(&self, episodes: &[Episode]) -> (Float, Float) {
        let (mut right, mut asked) = (0, 0);
        for Episode { keys, queries, slots, .. } in episodes {
            let tape = Tape::without_gradients();
            let scores = self.forward(tape.constant(queries.clone()), tape.constant(keys.clone()));
            let scores = scores.value();
            let chosen = scores.column_iter().map(|scores| scores.imax());
            right += chosen.zip(slots).filter(|(chosen, slot)| chosen == *slot).count();
            asked += slots.len();
        }
        let loss = self.loss(&Tape::without_gradients(), episodes).scalar();
        (right as Float / asked as Float, loss)
    }
}

impl Module for Projected {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("w_q", &mut self.w_q);
        visitor.module("w_k", &mut self.w_k);
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scaled {
    pub unscaled: Best,
    pub scaled: Best,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Best {
    pub fastest: Form,
    pub lowest: Form,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Form {
    pub rate: Float,
    /// The loss before the first step, in nats.
    pub first: Spread,
    /// Steps until more than 0.9 of the answers are right; one more than all when they never are.
    pub steps: Spread,
    pub last: Spread,
}

/// Both forms at one width; the same worlds, start values and batches for both.
pub fn scaled(d: usize, config: &Config) -> Scaled {
    let [unscaled, scaled] = [false, true].map(|scaled| {
        let at_rate = |rate: Float| form(d, scaled, rate, config);
        let forms: Vec<Form> = RATES.into_iter().map(at_rate).collect();
        let best = |of: fn(&Form) -> f64| {
            let best = forms.iter().min_by(|a, b| of(a).total_cmp(&of(b)));
            best.expect("rates were tried").clone()
        };
        Best { fastest: best(|form| form.steps.mean), lowest: best(|form| form.last.mean) }
    });
    Scaled { unscaled, scaled }
}

fn form(d: usize, scaled: bool, rate: Float, config: &Config) -> Form {
    let runs: Vec<[Float; 3]> = (0..config.seeds as u64)
        .into_par_iter()
        .map(|seed| projected(d, scaled, rate, config, seed))
        .collect();
    let [first, steps, last] = spreads(&runs);
    Form { rate, first, steps, last }
}

/// One training in the rotated world: the loss before, the steps to 0.9, and the loss after.
pub fn projected(d: usize, scaled: bool, rate: Float, config: &Config, seed: u64) -> [Float; 3] {
    let world = world(Setting::Rotated, config, seed);
    let mut score = Projected::new(d, scaled, &mut rng(config.stream(5000 + seed)));
    let rng = &mut rng(config.stream(6000 + seed));
    let tested: Vec<Episode> = (0..TESTED).map(|_| world.episode(rng)).collect();
    let (mut adam, mut steps) = (Adam::new(rate), None);
    let first = score.test(&tested).1;
    for step in 1..=STEPS {
        let batch: Vec<Episode> = (0..EPISODES).map(|_| world.episode(rng)).collect();
        let tape = Tape::new();
        let gradients = score.loss(&tape, &batch).backward().into();
        adam.step(&mut score, &gradients);
        if steps.is_none() && score.test(&tested).0 > 0.9 {
            steps = Some(step);
        }
    }
    [first, steps.unwrap_or(STEPS + 1) as Float, score.test(&tested).1]
}
