//! A small model whose training uses everything a checkpoint has to keep.

use shared::{
    Float, Linear, Matrix, Module, Param, Rng, Tape, Var, Visitor, mean_loss, squared_error,
};
use std::time::Duration;
use workbench::training::{
    Evaluation, Options, Prepared, Schedule, Shape, Task, Value, cut, json, shuffled_batches,
};

pub const EXAMPLES: usize = 29;

/// Two layers, and a shift that only some batches use.
pub struct Toy {
    pub hidden: Linear,
    pub output: Linear,
    pub shift: Param,
}

impl Toy {
    pub fn new(seed: u64) -> Toy {
        let rng = &mut shared::rng(seed);
        let (hidden, output) = (Linear::new(2, 16, rng), Linear::new(16, 1, rng));
        Toy { hidden, output, shift: Param::new(Matrix::zeros(1, 1)) }
    }

    /// Every parameter, as its bits.
    pub fn bits(&mut self) -> Vec<u64> {
        let mut bits = Vec::new();
        self.for_each_parameter(|_, param| {
            bits.extend(param.value().iter().map(|x| f64::from(*x).to_bits()));
        });
        bits
    }
}

impl Module for Toy {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("hidden", &mut self.hidden);
        visitor.module("output", &mut self.output);
        visitor.param("shift", &mut self.shift);
    }
}

/// Learning y = sin(3a)·b from a few points, with dropout; example i counts as 1 + i mod 3 tokens.
#[derive(Clone, Debug)]
pub struct Wave {
    /// How long a shard takes at least.
    pub pause: Duration,
    /// Part of the description.
    pub data: &'static str,
    /// Part of the description, too.
    pub share: Float,
    /// The example whose shard's loss is multiplied by this.
    pub spoil: Option<(usize, Float)>,
    /// Evaluations, from the first epoch on; afterwards the loss on the points.
    pub evaluations: Vec<Option<f64>>,
    /// Called at the start of each shard.
    pub begun: fn(),
    /// Called with the epoch at the start of each evaluation.
    pub judge: fn(usize),
}

impl Default for Wave {
    fn default() -> Wave {
        let evaluations = Vec::new();
        let (begun, judge): (fn(), fn(usize)) = (|| (), |_| ());
        let (pause, data, share) = (Duration::ZERO, "wave", 0.15);
        Wave { pause, data, share, spoil: None, evaluations, begun, judge }
    }
}

impl Wave {
    fn points(examples: &[usize]) -> (Matrix, Matrix) {
        let x = Matrix::from_fn(2, examples.len(), |i, j| {
            ((examples[j] + 5 * i) * 37 % EXAMPLES) as Float / EXAMPLES as Float
        });
        let y = Matrix::from_fn(1, examples.len(), |_, j| (3.0 * x[(0, j)]).sin() * x[(1, j)]);
        (x, y)
    }

    pub fn forward<'t>(&self, toy: &Toy, tape: &'t Tape, x: Matrix) -> Var<'t> {
        let h = toy.hidden.forward(tape.constant(x)).tanh();
        toy.output.forward(h.dropout(0.2))
    }
}

impl Task for Wave {
    type Model = Toy;
    type Shard = Vec<usize>;

    fn describe(&self) -> Value {
        json!({"model": {"hidden": 16}, "data": self.data, "share": self.share})
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        shuffled_batches(EXAMPLES, 5, rng)
    }

    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Vec<usize>> {
        Prepared::mean(cut(examples, shards), examples.iter().map(|i| 1 + i % 3).sum())
    }

    fn loss<'t>(&self, toy: &Toy, tape: &'t Tape, examples: &Vec<usize>) -> Var<'t> {
        (self.begun)();
        std::thread::sleep(self.pause);
        let (x, y) = Wave::points(examples);
        let mut f = self.forward(toy, tape, x);
        if examples.contains(&0) {
            f = f + tape.param(&toy.shift) * tape.constant(Matrix::from_element(1, y.ncols(), 1.0));
        }
        let mut loss = squared_error(f, &y);
        if let Some((example, factor)) = self.spoil
            && examples.contains(&example)
        {
            loss = loss * factor;
        }
        loss
    }

    fn evaluate(&self, toy: &Toy, epoch: usize) -> Option<Evaluation> {
        (self.judge)(epoch);
        if let Some(evaluation) = self.evaluations.get(epoch - 1) {
            return evaluation.map(Evaluation::new);
        }
        let all: Vec<usize> = (0..EXAMPLES).collect();
        let shards: Vec<&[usize]> = all.chunks(7).collect();
        let loss = mean_loss(&shards, |tape, examples| {
            let (x, y) = Wave::points(examples);
            (squared_error(self.forward(toy, tape, x), &y), examples.len())
        });
        Some(Evaluation::new(loss).with("third", loss / 3.0))
    }
}

/// A run with everything on.
pub fn options(epochs: usize) -> Options {
    let schedule = Schedule { rate: 0.03, warmup: 7, shape: Shape::InverseSquareRoot };
    Options { epochs, schedule, shards: 3, clip: Some(0.05), seed: 4, ..Options::default() }
}
