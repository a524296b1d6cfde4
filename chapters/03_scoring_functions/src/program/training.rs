//! A score learns the lookup.

use crate::kinds::Kind;
use crate::lookup::{Episode, KEY, PAIRS, Setting, World};
use crate::scores::Score;
use shared::{Adam, Float, Module, Optimizer, Tape, Var, cross_entropy, loss_and_gradients, rng};
use workbench::stream;

const EPISODES: usize = 16; // in a batch
/// Episodes of a test: 1600 queries.
pub const TESTED: usize = 100;
/// How often a learning curve is sampled.
pub const SAMPLES: usize = 40;

// ANCHOR: train
/// Trains nothing but the score: the prediction is the context itself, a weighted mean of one-hot
/// answers and so a distribution over them.
pub fn train(world: &World, score: &mut Score, steps: usize, seed: u64) -> Vec<Float> {
    let rng = &mut rng(seed);
    let tested: Vec<Episode> = (0..TESTED).map(|_| world.episode(rng)).collect();
    let mut adam = Adam::new(0.01);
    let mut curve = vec![test(score, &tested)];
    for step in 1..=steps {
        let batch: Vec<Episode> = (0..EPISODES).map(|_| world.episode(rng)).collect();
        if score.parameter_count() > 0 {
            let shards: Vec<&[Episode]> = batch.chunks(EPISODES / 2).collect();
            let (_, gradients) =
                loss_and_gradients(&shards, |tape, shard| loss(score, tape, shard));
            adam.step(score, &gradients);
        }
        if step * SAMPLES / steps > (step - 1) * SAMPLES / steps {
            curve.push(test(score, &tested));
        }
    }
    curve
}

/// −ln of the probability that the contexts give to the right answers, a mean over a batch. As the
/// values are one-hot, that probability is the weight of the right key, and softmax with the
/// logarithm are one operation.
fn loss<'t>(score: &Score, tape: &'t Tape, episodes: &[Episode]) -> Var<'t> {
    let losses = episodes.iter().map(|episode| {
        let queries = tape.constant(episode.queries.clone());
        let keys = tape.constant(episode.keys.clone());
        cross_entropy(score.forward(queries, keys), &episode.slots)
    });
    let sum = losses.reduce(|sum, loss| sum + loss).expect("a batch has episodes");
    sum * (1.0 / (EPISODES * PAIRS) as Float)
}
// ANCHOR_END: train

/// The accuracy.
pub fn test(score: &Score, episodes: &[Episode]) -> Float {
    let (mut right, mut asked) = (0, 0);
    for Episode { keys, queries, values, answers, .. } in episodes {
        let tape = Tape::no_grad();
        let (queries, keys) = (tape.constant(queries.clone()), tape.constant(keys.clone()));
        let alpha = score.forward(queries, keys).softmax();
        let contexts = (tape.constant(values.clone()) * alpha).value();
        let likeliest = contexts.column_iter().map(|context| context.imax());
        right += likeliest.zip(answers).filter(|(likeliest, answer)| likeliest == *answer).count();
        asked += answers.len();
    }
    right as Float / asked as Float
}

/// The world of a seed.
pub fn world(setting: Setting, seed: u64) -> World {
    World::new(setting, &mut rng(stream(0, 1000 + seed)))
}

/// Trains one score in one setting with one seed and returns it with its learning curve; `None` when
/// the score cannot be computed there.
pub fn learn(setting: Setting, kind: Kind, steps: usize, seed: u64) -> Option<(Score, Vec<Float>)> {
    let world = world(setting, seed);
    let mut score = kind.build(world.map.nrows(), KEY, &mut rng(stream(0, 2000 + seed)))?;
    let curve = train(&world, &mut score, steps, stream(0, seed));
    Some((score, curve))
}
