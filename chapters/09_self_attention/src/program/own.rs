//! How much does a token look at itself?

use super::config::Config;
use super::section::{JudgedClaim, Section};
use super::statistics::normal;
use crate::{MultiHead, positions};
use rand::RngExt;
use rayon::prelude::*;
use scoring_functions::{Segments, fused::Weights, weights};
use serde::{Deserialize, Serialize};
use shared::{
    Adam, Embedding, Float, Linear, Matrix, Module, Optimizer, Rng, Tape, Var, Visitor,
    cross_entropy, product, rng,
};
use std::collections::BTreeMap;
use workbench::figure::{Heatmap, Svg};
use workbench::program::{Table, say};
use workbench::study::{mean, short, with_seeds};

pub const TOKENS: usize = 16;
const SEQUENCES: usize = 200;
const STEPS: usize = 300;
/// Words of the vocabulary; entries of a token; sequences of a batch.
const WORDS: usize = 10;
const WIDTH: usize = 32;
const BATCH: usize = 32;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Own {
    /// Untrained, by the width of a token: `d2`, `d8`, `d64`, `d512`.
    pub untrained: BTreeMap<String, Untrained>,
    /// Trained, by what a token has to name: `itself`, `before`, `first`.
    pub trained: BTreeMap<String, Trained>,
    pub pictures: BTreeMap<String, Vec<Vec<Float>>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Untrained {
    pub plain: Share,
    pub one_matrix: Share,
    pub two_matrices: Share,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Share {
    /// The weight on the own position, the mean over all tokens.
    pub weight: Float,
    /// The share of tokens in which it is the largest.
    pub largest: Float,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trained {
    /// The share of tokens that are named rightly, the worst seed's.
    pub accuracy: Float,
    /// The weight on the own position before training, the mean of the seeds.
    pub before: Float,
    /// After training, the smallest of the seeds and the largest.
    pub lowest: Float,
    pub highest: Float,
    /// The share of tokens in which the own weight is the largest, the mean of the seeds.
    pub largest: Float,
    /// The weight on the position that is to be named.
    pub wanted: Float,
}

fn share(alphas: &[Matrix]) -> Share {
    let each = || alphas.iter().flat_map(|alpha| (0..alpha.ncols()).map(move |i| (alpha, i)));
    let own: Vec<Float> = each().map(|(alpha, i)| alpha[(i, i)]).collect();
    let largest = each().filter(|(alpha, i)| alpha.column(*i).imax() == *i).count();
    Share { weight: short(mean(&own)), largest: short(largest as Float / own.len() as Float) }
}

fn wanted(task: &str, alphas: &[Matrix]) -> Float {
    let of = |alpha: &Matrix| (0..TOKENS).map(|i| alpha[(target(task, i), i)]).sum::<Float>();
    alphas.iter().map(of).sum::<Float>() / (alphas.len() * TOKENS) as Float
}

/// Tokens of `d` entries that nobody trained.
pub fn untrained(d: usize, seed: u64) -> Untrained {
    let rng = &mut rng(seed);
    let mut alphas = [const { Vec::new() }; 3];
    for _ in 0..SEQUENCES {
        let x = normal(d, TOKENS, rng);
        let [q, k] = [(); 2].map(|()| {
            let w = Linear::without_bias(d, d, rng);
            product(w.weight.value(), &x)
        });
        for (alphas, (q, k)) in alphas.iter_mut().zip([(&x, &x), (&q, &q), (&q, &k)]) {
            alphas.push(weights(q, k));
        }
    }
    let [plain, one_matrix, two_matrices] = alphas.map(|alphas| share(&alphas));
    Untrained { plain, one_matrix, two_matrices }
}

pub const TASKS: [&str; 3] = ["itself", "before", "first"];

/// The position that the token at position `i` has to name.
fn target(task: &str, i: usize) -> usize {
    match task {
        "itself" => i,
        "before" => (i + TOKENS - 1) % TOKENS, // the first names the last
        _ => 0,
    }
}

pub struct Namer {
    words: Embedding,
    attention: MultiHead,
    readout: Linear,
}

impl Namer {
    fn new(rng: &mut Rng) -> Namer {
        Namer {
            words: Embedding::new(WORDS, WIDTH, rng),
            attention: MultiHead::new(WIDTH, 1, rng),
            readout: Linear::new(WIDTH, WORDS, rng),
        }
    }

    /// Logits (words, n) for sequences side by side, and the weights.
    fn forward<'t>(&self, tape: &'t Tape, words: &[usize]) -> (Var<'t>, Weights) {
        let sequences = words.len() / TOKENS;
        let places = positions::token_positions(&offsets(sequences));
        let p = positions::Positions::sinusoids(WIDTH, TOKENS);
        let x = p.add(self.words.forward(tape, words), &places); // (WIDTH, n)
        let segments = Segments::within(&offsets(sequences));
        let (y, weights) = self.attention.forward_with_weights(x, x, &segments);
        (self.readout.forward(y), weights)
    }
}

impl Module for Namer {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("attention", &mut self.attention);
        visitor.module("readout", &mut self.readout);
    }
}

fn offsets(sequences: usize) -> Vec<usize> {
    (0..=sequences).map(|j| j * TOKENS).collect()
}

fn draw(task: &str, sequences: usize, rng: &mut Rng) -> (Vec<usize>, Vec<usize>) {
    let words: Vec<usize> = (0..sequences * TOKENS).map(|_| rng.random_range(0..WORDS)).collect();
    let wanted = |j: usize| words[j / TOKENS * TOKENS + target(task, j % TOKENS)];
    let wanted = (0..words.len()).map(wanted).collect();
    (words, wanted)
}

/// The accuracy of a trained head, and its weights before training and after.
pub type Run = (Float, [Vec<Matrix>; 2]);

/// Trains one head to name, and looks at it on fresh sequences.
pub fn train(task: &str, steps: usize, seed: u64) -> Run {
    let rng = &mut rng(seed);
    let mut model = Namer::new(rng);
    let (words, wanted) = draw(task, SEQUENCES, rng);
    let look = |model: &Namer| {
        let tape = Tape::without_gradients();
        let (logits, weights) = model.forward(&tape, &words);
        let logits = logits.value();
        let right = wanted.iter().enumerate().filter(|(j, w)| logits.column(*j).imax() == **w);
        let alphas = (0..SEQUENCES).map(|j| weights.of(j, 0).clone()).collect();
        (right.count() as Float / wanted.len() as Float, alphas)
    };
    let (_, before) = look(&model);
    let mut adam = Adam::new(0.01);
    for _ in 0..steps {
        let ((words, wanted), tape) = (draw(task, BATCH, rng), Tape::new());
        let sum = cross_entropy(model.forward(&tape, &words).0, &wanted);
        let mean = sum * (1.0 / wanted.len() as Float);
        adam.step(&mut model, &mean.backward().into());
    }
    let (accuracy, after) = look(&model);
    (accuracy, [before, after])
}

pub fn pictured(task: &str, seed: u64) -> Vec<usize> {
    let rng = &mut rng(seed);
    Namer::new(rng); // draws before the words do
    draw(task, SEQUENCES, rng).0[..TOKENS].to_vec()
}

pub fn measure(config: &Config) -> Own {
    let untrained = [2, 8, 64, 512].map(|d| (format!("d{d}"), untrained(d, config.stream(100))));
    let jobs = with_seeds(&TASKS, config.seeds);
    let train = |(task, seed): &(&str, u64)| train(task, STEPS, config.stream(110 + seed));
    let runs: Vec<Run> = jobs.par_iter().map(train).collect();
    let by_task = || TASKS.into_iter().zip(runs.chunks(config.seeds));
    let columns = |alpha: &Matrix| {
        let column = |i: usize| alpha.column(i).iter().map(|a| short(*a)).collect();
        (0..alpha.ncols()).map(column).collect::<Vec<Vec<Float>>>()
    };
    let picture = |(task, runs): (&str, &[Run])| (task.to_string(), columns(&runs[0].1[1][0]));
    let x = normal(64, TOKENS, &mut rng(config.stream(101)));
    let plain = ("plain".to_string(), columns(&weights(&x, &x)));
    Own {
        untrained: untrained.into(),
        trained: by_task().map(|(task, runs)| (task.to_string(), summary(task, runs))).collect(),
        pictures: by_task().map(picture).chain([plain]).collect(),
    }
}

/// Of one task, over the seeds.
fn summary(task: &str, runs: &[Run]) -> Trained {
    let over = |of: &dyn Fn(&[Vec<Matrix>; 2]) -> Float| -> Vec<Float> {
        runs.iter().map(|run| of(&run.1)).collect()
    };
    let own = over(&|[_, after]| share(after).weight);
    Trained {
        accuracy: runs.iter().map(|run| short(run.0)).fold(1.0, Float::min),
        before: short(mean(&over(&|[before, _]| share(before).weight))),
        lowest: own.iter().copied().fold(1.0, Float::min),
        highest: own.iter().copied().fold(0.0, Float::max),
        largest: short(mean(&over(&|[_, after]| share(after).largest))),
        wanted: short(mean(&over(&|[_, after]| wanted(task, after)))),
    }
}

/// The words of the pictures of trained heads, a letter a word.
pub const PICTURED: &str = "ABCCBDDEFGCHFBCC";
/// The word whose queries look at the first when they are to name themselves.
const ASTRAY: char = 'C';

impl Section for Own {
    fn claims(&self) -> Vec<JudgedClaim> {
        let d64 = &self.untrained["d64"];
        vec![
            (
                "a_fresh",
                "with random matrices for queries and keys, the own weight is the largest in fewer than one in eight of 16 tokens of width 64",
                Some(d64.two_matrices.largest < 0.125),
            ),
            (
                "b_trained",
                "trained to name the token before, the weight on the own position is below 0.1 with every seed; trained to name itself, above 0.9",
                Some(self.trained["before"].highest < 0.1 && self.trained["itself"].lowest > 0.9),
            ),
        ]
    }

    fn figures(&self) -> Vec<(&'static str, Svg)> {
        let picture = |name: &str, title: &str| {
            let columns = &self.pictures[name];
            let alpha = Matrix::from_fn(TOKENS, TOKENS, |i, j| columns[j][i]);
            Heatmap::new(title, "query", "key", &alpha).range(0.0..1.0)
        };
        let words: Vec<char> = PICTURED.chars().collect();
        let trained = |name, title| picture(name, title).x_names(&words).y_names(&words);
        let astray = |i: &usize| words[*i] == ASTRAY;
        let astray: Vec<_> = (0..TOKENS).filter(astray).map(|i| (0, i)).collect();
        let pictures = [
            picture("plain", "1. Without matrices"),
            trained("itself", "2. Trained: name yourself")
                .rings(&format!("{ASTRAY} looks at {}", words[0]), &astray),
            trained("before", "3. Trained: name the word before"),
            trained("first", "4. Trained: name the first word"),
        ];
        let panels = pictures.each_ref().map(Heatmap::panel);
        vec![("own", Svg::grid(&panels, 2).keyed(&pictures[1].key()))]
    }

    fn report(&self) {
        let mut table =
            Table::new(["width", "plain", "largest", "one W", "largest", "W_q, W_k", "largest"]);
        for d in [2, 8, 64, 512] {
            let Untrained { plain, one_matrix, two_matrices } = &self.untrained[&format!("d{d}")];
            let cells = [plain, one_matrix, two_matrices]
                .map(|share| [share.weight, share.largest].map(|x| format!("{x:.3}")));
            let [[a, b], [c, d1], [e, f]] = cells;
            table.row([d.to_string(), a, b, c, d1, e, f]);
        }
        say(
            "The weight of a token on itself, untrained, 16 tokens; the share in which it is largest",
        );
        say(&table);
        let heads =
            ["names", "right", "own weight before", "after, from", "to", "largest", "wanted"];
        let mut table = Table::new(heads);
        for task in TASKS {
            let Trained { accuracy, before, lowest, highest, largest, wanted } =
                &self.trained[task];
            let numbers = [accuracy, before, lowest, highest, largest, wanted];
            let [a, b, c, d, e, f] = numbers.map(|x| format!("{x:.3}"));
            table.row([task.to_string(), a, b, c, d, e, f]);
        }
        say("The same, trained");
        say(&table);
    }
}
