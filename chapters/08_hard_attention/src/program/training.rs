//! Soft, enumerated and sampled attention learn the same task.

use crate::Baseline;
use crate::retrieval::{DIGITS, Episode, KEY, Method, Model, World, normal};
use rand::RngExt;
use serde::Serialize;
use shared::{Adam, Float, Optimizer, Rng, Tape, Var, elementwise, rng};
use workbench::program::within;

/// What can be set.
#[derive(clap::Args, Clone, Debug, Serialize)]
pub struct Config {
    /// Training steps
    #[arg(long, value_name = "N", default_value_t = Config::default().steps, value_parser = within(40..=1_000_000))]
    pub steps: usize,
    /// Weight of the entropy bonus
    #[arg(long, value_name = "λ", default_value_t = Config::default().lambda, value_parser = number)]
    pub lambda: Float,
    /// Step size of Adam
    #[arg(long, value_name = "η", default_value_t = Config::default().learning_rate, value_parser = number)]
    pub learning_rate: Float,
}

impl Default for Config {
    fn default() -> Config {
        Config { steps: 3000, lambda: 0.1, learning_rate: 0.03 }
    }
}

fn number(text: &str) -> Result<Float, String> {
    let number = text.parse().ok().filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "it must be a number from 0 to 100".into())
}

/// The methods that are compared.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Kind {
    /// The expected value
    Soft,
    /// The expected loss, all places visited
    Enumerated,
    /// The marginal likelihood, all places visited
    Marginal,
    /// One look, no baseline
    NoBaseline,
    /// One look, moving-average baseline
    Baseline,
    /// One look, moving-average baseline, entropy bonus
    BaselineEntropy,
    /// One look, the gradient of soft attention
    StraightThrough,
}

impl Kind {
    /// The method of a step, `baseline` being what past batches led to expect.
    pub fn method(self, baseline: Float, lambda: Float) -> Method {
        match self {
            Kind::Soft => Method::Soft,
            Kind::Enumerated => Method::Enumerated,
            Kind::Marginal => Method::Marginal,
            Kind::NoBaseline => Method::Sampled { baseline: 0.0, entropy: 0.0 },
            Kind::Baseline => Method::Sampled { baseline, entropy: 0.0 },
            Kind::BaselineEntropy => Method::Sampled { baseline, entropy: lambda },
            Kind::StraightThrough => Method::StraightThrough,
        }
    }
}

/// The one thing that is changed in a training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Change {
    /// Nothing.
    None,
    /// The scores' parameters move with a tenth of the learning rate.
    SlowScores,
    /// In training every answer is a random digit: there is nothing to be learnt.
    RandomAnswers,
    /// [`Change::SlowScores`] with a random W of this standard deviation at the start: a quarter.
    SharpStart,
}

/// The seed of stream `number`: see [`workbench::stream`].
pub fn stream(number: u64) -> u64 {
    workbench::stream(0, number)
}

/// The world of a seed's trainings, which never changes.
pub fn world(seed: u64) -> World {
    World::new(&mut rng(stream(seed)))
}

/// Trains a model; `look` sees it before the first step and after each.
pub fn train(
    kind: Kind,
    change: Change,
    config: &Config,
    seed: u64,
    mut look: impl FnMut(usize, &Model),
) -> Model {
    let (world, rng) = (world(seed), &mut rng(stream(1000 + seed)));
    let mut others = shared::rng(stream(10_000 + seed)); // what the change alone draws
    let mut model = Model::new(rng);
    if change == Change::SharpStart {
        *model.content.w.weight.value_mut() = normal(KEY, KEY, &mut others) * 0.25;
    }
    let slow = matches!(change, Change::SlowScores | Change::SharpStart);
    let slow = if slow { 0.1 } else { 1.0 };
    let (mut adam, mut baseline) = (Adam::new(config.learning_rate), Baseline::default());
    look(0, &model);
    for step in 1..=config.steps {
        let (mut batch, uniforms) = draw(&world, rng);
        if change == Change::RandomAnswers {
            for answer in batch.iter_mut().flat_map(|episode| &mut episode.answers) {
                *answer = others.random_range(0..DIGITS);
            }
        }
        let method = kind.method(baseline.value(), config.lambda);
        let tape = Tape::new();
        let (plain, objective) = batch_loss(&model, &tape, &batch, method, &uniforms);
        baseline.update(plain.scalar());
        let gradients = objective.backward().into();
        adam.learning_rate = config.learning_rate * slow;
        adam.step(&mut model.content.w, &gradients);
        adam.step(&mut model.preference, &gradients);
        adam.learning_rate = config.learning_rate;
        adam.step(&mut model.reader, &gradients);
        look(step, &model);
    }
    model
}

/// A batch of two episodes, and a random number for each of its queries.
pub fn draw(world: &World, rng: &mut Rng) -> (Vec<Episode>, Vec<Float>) {
    let batch: Vec<Episode> = (0..2).map(|_| world.episode(rng)).collect();
    let asked: usize = batch.iter().map(|episode| episode.answers.len()).sum();
    let uniforms = (0..asked).map(|_| rng.random()).collect();
    (batch, uniforms)
}

/// The mean loss of a batch, as it is and as it is differentiated.
pub fn batch_loss<'t>(
    model: &Model,
    tape: &'t Tape,
    batch: &[Episode],
    method: Method,
    uniforms: &[Float],
) -> (Var<'t>, Var<'t>) {
    let n: usize = batch.iter().map(|episode| episode.answers.len()).sum();
    let losses = batch.iter().zip(uniforms.chunks(n / batch.len())).map(|(episode, uniforms)| {
        let loss = model.loss(tape, episode, method, uniforms);
        (loss.plain, loss.objective)
    });
    let sum = losses.reduce(|a, b| (a.0 + b.0, a.1 + b.1)).expect("a batch has episodes");
    (sum.0 * (1.0 / n as Float), sum.1 * (1.0 / n as Float))
}

/// How a model does on episodes it has not seen.
#[derive(Clone, Copy, Debug)]
pub struct Tested {
    /// Share of right digits, looking where the weight is largest.
    pub argmax: f64,
    /// Mean entropy of the alignments, nats.
    pub entropy: f64,
}

/// Asks a model.
pub fn test(model: &Model, episodes: &[Episode]) -> Tested {
    let (mut right, mut entropy, mut asked) = (0, 0.0, 0);
    for episode in episodes {
        let tape = Tape::no_grad();
        let scores = model.scores(&tape, episode);
        entropy += f64::from(elementwise::sum(crate::entropy(scores).value().as_slice()));
        let places: Vec<usize> = scores.value().column_iter().map(|column| column.imax()).collect();
        let values = tape.constant(episode.values.select_columns(&places));
        let digits = model.reader.forward(values).value();
        let said = digits.column_iter().map(|column| column.imax());
        right += said.zip(&episode.answers).filter(|(said, answer)| said == *answer).count();
        asked += places.len();
    }
    Tested { argmax: right as f64 / asked as f64, entropy: entropy / asked as f64 }
}

/// One training, tested on 50 new episodes before it, at 40 steps and after it.
pub fn learning_curve(
    kind: Kind,
    change: Change,
    config: &Config,
    seed: u64,
) -> Vec<(usize, Tested)> {
    let (world, fresh) = (world(seed), &mut rng(stream(2000 + seed)));
    let fresh: Vec<Episode> = (0..50).map(|_| world.episode(fresh)).collect();
    let mut curve = Vec::new();
    train(kind, change, config, seed, |step, model| {
        if step == 0 || step * 40 / config.steps > (step - 1) * 40 / config.steps {
            curve.push((step, test(model, &fresh)));
        }
    });
    curve
}
