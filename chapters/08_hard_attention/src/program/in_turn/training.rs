//! Ways to teach several looks, and a training.

use crate::program::config::Config;
use crate::retrieval::{KEY, VALUE, World};
use crate::sequence::{Baselines, Credit};
use crate::trail::{Asked, Episode, LOOKS, Loss, Method, Model, QUERIES};
use rand::RngExt;
use shared::{Adam, Float, Matrix, Optimizer, Rng, Tape, rng};

/// How the looks are taught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimator {
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

impl Estimator {
    pub const ALL: [Estimator; 8] = {
        use Estimator::*;
        [Soft, Exact, WholeBare, Whole, ToGoBare, ToGoOne, ToGo, Own]
    };

    pub fn name(self) -> &'static str {
        ["soft", "exact", "whole_bare", "whole", "to_go_bare", "to_go_one", "to_go", "own"]
            [self as usize]
    }

    pub(super) fn credit(self) -> Credit {
        match self {
            Estimator::WholeBare | Estimator::Whole => Credit::Whole,
            Estimator::Own => Credit::Own,
            _ => Credit::ToGo,
        }
    }

    /// What to do at a step, `means` being what each look had to answer for on average.
    pub(super) fn method(self, means: &[Float]) -> Method {
        let credit = self.credit();
        let baselines = match self {
            Estimator::Soft => return Method::Soft,
            Estimator::Exact => return Method::Exact,
            Estimator::WholeBare | Estimator::ToGoBare => vec![0.0; LOOKS],
            Estimator::ToGoOne => vec![means.iter().sum::<Float>() / LOOKS as Float; LOOKS],
            Estimator::Whole | Estimator::ToGo | Estimator::Own => means.to_vec(),
        };
        Method::Looks { credit, baselines }
    }
}

const RATE: Float = 0.01;

/// The notes' language and the digits of one repetition.
pub fn world(config: &Config, seed: u64) -> World {
    World::new(&mut rng(config.stream(11_000 + seed)))
}

/// Random numbers for every look of some episodes.
pub(super) fn uniforms(episodes: usize, rng: &mut Rng) -> Vec<Vec<Float>> {
    (0..episodes).map(|_| (0..LOOKS * QUERIES).map(|_| rng.random()).collect()).collect()
}

/// Trains a model with one score or with one for each look; `look` sees it before the first step and after each.
pub fn train(
    estimator: Estimator,
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
        let method = estimator.method(&baselines.values());
        let tape = Tape::new();
        let losses: Vec<Loss> = batch
            .iter()
            .zip(&uniforms)
            .map(|(episode, uniforms)| model.loss(&tape, episode, asked, &method, uniforms))
            .collect();
        baselines.update(&means(estimator.credit(), &losses));
        let sum = losses.into_iter().map(|loss| loss.sum).reduce(|a, b| a + b).expect("episodes");
        let mean = sum * (1.0 / (config.episodes * QUERIES) as Float);
        adam.step(&mut model, &mean.backward().into());
        look(step, &model);
    }
    model
}

/// What each look answered for, the mean over the batch; nothing where nobody looked.
pub(super) fn means(credit: Credit, losses: &[Loss]) -> Vec<Float> {
    let credits: Vec<Vec<Matrix>> = losses.iter().map(|loss| credit.of(&loss.by_look)).collect();
    let looks = credits.first().map_or(0, Vec::len);
    let of = |i: usize| credits.iter().map(|c| c[i].mean()).sum::<Float>() / losses.len() as Float;
    (0..looks).map(of).collect()
}

/// Follows the likeliest places: accuracy of last answers, and of first looks at the right place.
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
