//! What does it do to leave weights out at random?

use super::super::config::Config;
use super::super::training::{TESTED, world};
use super::super::world::{Episode, KEY, Setting};
use super::spreads;
use crate::scores::General;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::{Adam, Float, Matrix, Optimizer, Tape, Var, rng, squared_error};
use workbench::study::Spread;

pub(super) const SHARES: [Float; 4] = [0.0, 0.1, 0.3, 0.5];
const LEARNT: usize = 4; // episodes, 64 questions, seen again at every step
const STEPS: usize = 400;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dropped {
    /// The squared error of an answer in the episodes that were learnt from, nothing left out.
    pub seen: Spread,
    pub fresh: Spread,
    pub accuracy: Spread,
}

/// The general score learns the rotated world from a few episodes, with dropout on its weights.
pub fn dropped(p: Float, config: &Config) -> Dropped {
    let runs: Vec<[Float; 3]> =
        (0..config.seeds as u64).into_par_iter().map(|seed| run(p, config, seed)).collect();
    let [seen, fresh, accuracy] = spreads(&runs);
    Dropped { seen, fresh, accuracy }
}

fn run(p: Float, config: &Config, seed: u64) -> [Float; 3] {
    let world = world(Setting::Rotated, config, seed);
    let mut score = General::new(KEY, KEY, &mut rng(config.stream(7000 + seed)));
    let data = &mut rng(config.stream(8000 + seed));
    let learnt: Vec<Episode> = (0..LEARNT).map(|_| world.episode(data)).collect();
    let fresh: Vec<Episode> = (0..TESTED).map(|_| world.episode(data)).collect();
    let (mut adam, mut rng) = (Adam::new(0.01), rng(config.stream(9000 + seed)));
    for _ in 0..STEPS {
        let tape = Tape::training(rng);
        let losses = learnt
            .iter()
            .map(|episode| squared_error(contexts(&score, &tape, episode, p), &wanted(episode)));
        let loss = losses.reduce(|sum, loss| sum + loss).expect("episodes");
        let gradients = (loss * (1.0 / LEARNT as Float)).backward().into();
        adam.step(&mut score, &gradients);
        rng = tape.draw(|rng| rng.clone()).expect("a tape for training"); // one generator for all steps
    }
    let (fresh, accuracy) = test(&score, &fresh);
    [test(&score, &learnt).0, fresh, accuracy]
}

// ANCHOR: dropout
/// `V·dropout(A)`: each weight is left out with probability p, and the others are divided by 1 − p,
/// so that the mean over all draws is `VA`.
fn contexts<'t>(score: &General, tape: &'t Tape, episode: &Episode, p: Float) -> Var<'t> {
    let [queries, keys, values] =
        [&episode.queries, &episode.keys, &episode.values].map(|x| tape.constant(x.clone()));
    values * score.forward(queries, keys).softmax().dropout(p) // (d, n)·(n, m)
}
// ANCHOR_END: dropout

fn wanted(episode: &Episode) -> Matrix {
    episode.values.select_columns(&episode.slots)
}

/// The squared error of an answer, and the share of right ones, with nothing left out.
fn test(score: &General, episodes: &[Episode]) -> (Float, Float) {
    let (mut error, mut right, mut asked) = (0.0, 0, 0);
    for episode in episodes {
        let tape = Tape::without_gradients();
        let answers = contexts(score, &tape, episode, 0.0).value();
        error += (&*answers - wanted(episode)).norm_squared();
        let chosen = answers.column_iter().map(|answer| answer.imax());
        right += chosen.zip(&episode.answers).filter(|(chosen, answer)| chosen == *answer).count();
        asked += episode.answers.len();
    }
    (error / asked as Float, right as Float / asked as Float)
}
