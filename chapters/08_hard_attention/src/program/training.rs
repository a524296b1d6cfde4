//! Soft, enumerated and sampled attention learn the same task.

use super::config::{Config, SAMPLES};
use crate::retrieval::{DIGITS, Episode, KEY, Method, Model, World, normal};
use crate::{Baseline, entropy};
use rand::RngExt;
use shared::{Adam, Float, Matrix, Optimizer, Rng, Tape, Var, cross_entropy, elementwise, rng};

pub const TESTED: usize = 50; // episodes, 800 queries

/// The methods that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The expected value.
    Soft,
    /// The expected loss, all places visited.
    Enumerated,
    /// One look, no baseline.
    NoBaseline,
    /// One look, moving-average baseline.
    Baseline,
    /// One look, moving-average baseline, entropy bonus.
    BaselineEntropy,
    /// One look, the gradient of soft attention.
    StraightThrough,
    /// The marginal likelihood, all places visited: in a comparison of its own.
    Marginal,
}

impl Kind {
    pub const ALL: [Kind; 6] = {
        use Kind::*;
        [Soft, Enumerated, NoBaseline, Baseline, BaselineEntropy, StraightThrough]
    };

    pub fn name(self) -> &'static str {
        [
            "soft",
            "enumerated",
            "no_baseline",
            "baseline",
            "baseline_entropy",
            "straight_through",
            "marginal",
        ][self as usize]
    }

    /// What the model is asked to do at a step, `baseline` being what past batches led to expect.
    pub fn method(self, baseline: Float, lambda: Float) -> Method {
        match self {
            Kind::Soft => Method::Soft,
            Kind::Enumerated => Method::Enumerated,
            Kind::NoBaseline => Method::Sampled { baseline: 0.0, entropy: 0.0 },
            Kind::Baseline => Method::Sampled { baseline, entropy: 0.0 },
            Kind::BaselineEntropy => Method::Sampled { baseline, entropy: lambda },
            Kind::StraightThrough => Method::StraightThrough,
            Kind::Marginal => Method::Marginal,
        }
    }
}

/// The one thing that is changed in a training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
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
    pub const ALL: [Change; 8] = {
        use Change::*;
        [None, SlowScores, SlowReader, RandomAnswers, Waiting, Taught, Bonus, SharpStart]
    };

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
            _ if step <= self.wait() => (0.0, 1.0),
            _ => (1.0, 1.0),
        }
    }

    /// Steps in which the scores do not move.
    pub fn wait(self) -> usize {
        if matches!(self, Change::Waiting | Change::Taught) { 100 } else { 0 }
    }
}

/// Standard deviation of W's entries at a sharp start.
const SHARP: Float = 0.25;

/// Trains a model; `look` sees it before the first step and after each.
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
        let (mut batch, uniforms) = draw(config, &world, rng);
        if change == Change::RandomAnswers {
            for answer in batch.iter_mut().flat_map(|episode| &mut episode.answers) {
                *answer = others.random_range(0..DIGITS);
            }
        }
        let method = kind.method(baseline.value(), config.lambda);
        let tape = Tape::new();
        let (plain, mut objective) = batch_loss(&model, &tape, &batch, method, &uniforms);
        match change {
            Change::Taught if step <= change.wait() => objective = taught(&model, &tape, &batch),
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

/// Whether a learning curve has a point after a step.
pub fn is_sampled(step: usize, config: &Config) -> bool {
    step == 0 || step * SAMPLES / config.steps > (step - 1) * SAMPLES / config.steps
}

/// A batch, and a random number for each of its queries.
pub fn draw(config: &Config, world: &World, rng: &mut Rng) -> (Vec<Episode>, Vec<Float>) {
    let batch: Vec<Episode> = (0..config.episodes).map(|_| world.episode(rng)).collect();
    let uniforms = (0..queries(&batch)).map(|_| rng.random()).collect();
    (batch, uniforms)
}

/// What trainings with a seed are tested on.
pub fn fresh(config: &Config, seed: u64) -> Vec<Episode> {
    let (world, rng) = (config.world(seed), &mut rng(config.stream(2000 + seed)));
    (0..TESTED).map(|_| world.episode(rng)).collect()
}

/// The mean loss of a batch, as it is and as it is differentiated.
pub fn batch_loss<'t>(
    model: &Model,
    tape: &'t Tape,
    batch: &[Episode],
    method: Method,
    uniforms: &[Float],
) -> (Var<'t>, Var<'t>) {
    let n = queries(batch);
    let of = |(episode, uniforms): (&Episode, &[Float])| {
        let loss = model.loss(tape, episode, method, uniforms);
        (loss.plain, loss.objective)
    };
    let losses = batch.iter().zip(uniforms.chunks(n / batch.len())).map(of);
    let sum = losses.reduce(|a, b| (a.0 + b.0, a.1 + b.1)).expect("a batch has episodes");
    (sum.0 * (1.0 / n as Float), sum.1 * (1.0 / n as Float))
}

/// How many queries a batch asks.
pub fn queries(batch: &[Episode]) -> usize {
    batch.iter().map(|episode| episode.answers.len()).sum()
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

/// How a model does on episodes it has not seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tested {
    /// Accuracy from the expected value, from the most probable place, and from one drawn
    /// at random.
    pub mean: Float,
    pub argmax: Float,
    pub sampled: Float,
    /// How often the most probable place is the one that was asked for.
    pub found: Float,
    /// The same among queries that do not ask for place 0.
    pub found_elsewhere: Float,
    /// Mean entropy of the alignments, nats.
    pub entropy: Float,
}

/// Asks a model; where it looks at random, `seed` decides.
pub fn test(model: &Model, episodes: &[Episode], seed: u64) -> Tested {
    let (mut sum, mut asked, mut elsewhere) = (Tested::default(), 0.0, 0.0);
    let rng = &mut rng(seed);
    for episode in episodes {
        let tape = Tape::without_gradients();
        let scores = model.scores(&tape, episode);
        sum.entropy += crate::entropy(scores).value().sum();
        let mut alpha = Matrix::clone(&scores.value());
        elementwise::softmax_columns(&mut alpha);
        let likeliest: Vec<usize> = alpha.column_iter().map(|column| column.imax()).collect();
        let right = |contexts: &Matrix| {
            let digits = model.reader.forward(tape.constant(contexts.clone())).value();
            let right = |(j, answer): (usize, &usize)| digits.column(j).imax() == *answer;
            episode.answers.iter().enumerate().filter(|pair| right(*pair)).count() as Float
        };
        sum.mean += right(&shared::product(&episode.values, &alpha));
        sum.argmax += right(&episode.values.select_columns(&likeliest));
        sum.sampled += right(&episode.values.select_columns(&crate::draw(&alpha, rng)));
        for (place, found) in episode.places.iter().zip(&likeliest) {
            let hit = if place == found { 1.0 } else { 0.0 };
            sum.found += hit;
            if *place != 0 {
                (sum.found_elsewhere, elsewhere) = (sum.found_elsewhere + hit, elsewhere + 1.0);
            }
        }
        asked += episode.answers.len() as Float;
    }
    Tested {
        mean: sum.mean / asked,
        argmax: sum.argmax / asked,
        sampled: sum.sampled / asked,
        found: sum.found / asked,
        found_elsewhere: sum.found_elsewhere / elsewhere,
        entropy: sum.entropy / asked,
    }
}
