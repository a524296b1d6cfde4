//! The training loop does what its options say, whatever the number of threads.

use crate::plain::Plain;
use crate::toy::{Toy, Wave, options};
use rand::RngExt;
use shared::{Float, Linear, Matrix, Param, Rng, Sgd, Tape, Var, squared_error};
use std::sync::Mutex;
use workbench::training::{
    Evaluation, History, Method, Options, Prepared, Schedule, Task, Value, cut, json, train,
};

fn run(wave: &Wave, options: &Options) -> (Vec<u64>, History) {
    let mut toy = Toy::new(1);
    let history = train(wave, &mut toy, options).unwrap();
    (toy.bits(), history)
}

/// A loss that is known: `w` is drawn to the number of each example, weighted by its tokens.
struct Pull;

const TOKENS: [usize; 6] = [1, 4, 2, 8, 3, 5];

impl Task for Pull {
    type Model = Param;
    type Shard = Vec<usize>;

    fn describe(&self) -> Value {
        json!("pull")
    }

    fn batches(&self, _: &mut Rng) -> Vec<Vec<usize>> {
        vec![vec![0, 1, 2, 3], vec![4, 5]]
    }

    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Vec<usize>> {
        Prepared::mean(cut(examples, shards), examples.iter().map(|&i| TOKENS[i]).sum())
    }

    fn loss<'t>(&self, w: &Param, tape: &'t Tape, examples: &Vec<usize>) -> Var<'t> {
        let losses = examples.iter().map(|&i| {
            let target = Matrix::from_element(1, 1, i as Float);
            squared_error(tape.param(w), &target) * TOKENS[i] as Float
        });
        losses.reduce(|sum, loss| sum + loss).unwrap()
    }
}

/// Two steps of gradient descent on [`Pull`]: `w ← w − η·Σ 2 tᵢ(w − i)/Σ tᵢ`.
fn two_steps(rate: f64, clip: f64) -> f64 {
    [0..4, 4..6].into_iter().fold(10.0, |w, batch| {
        let tokens: usize = batch.clone().map(|i| TOKENS[i]).sum();
        let sum: f64 = batch.map(|i| 2.0 * TOKENS[i] as f64 * (w - i as f64)).sum();
        w - rate * (sum / tokens as f64).clamp(-clip, clip)
    })
}

fn pulled(options: &Options) -> (f64, History) {
    let mut w = Param::new(Matrix::from_element(1, 1, 10.0));
    let history = train(&Pull, &mut w, options).unwrap();
    (f64::from(w.value()[0]), history)
}

#[test]
fn a_step_follows_the_mean_over_the_tokens_of_the_batch() {
    for (shards, clip) in [(1, None), (2, None), (3, None), (64, None), (2, Some(3.0))] {
        let schedule = Schedule::constant(0.1);
        let method = Method::new(Sgd { learning_rate: 0.0 });
        let options = Options { epochs: 1, schedule, method, shards, clip, ..Options::default() };
        let (w, history) = pulled(&options);
        let expected = two_steps(0.1, clip.map_or(f64::INFINITY, f64::from));
        assert!((w - expected).abs() < 1e-5, "{w}, {expected} by hand ({shards} shards)");
        assert_eq!((history.epochs[0].steps, history.epochs.len()), (2, 1));
    }
}

#[test]
fn the_history_holds_means_over_tokens_and_steps() {
    let schedule = Schedule { warmup: 4, ..Schedule::constant(0.1) };
    let options = Options {
        epochs: 1,
        schedule,
        method: Method::new(Sgd { learning_rate: 0.0 }),
        clip: None,
        ..Options::default()
    };
    let epoch = pulled(&options).1.epochs.remove(0);
    // By hand: w = 10 at first, and after a step with the rate 0.1/4.
    let gradient = |w: f64, batch: [usize; 2]| {
        let tokens: usize = (batch[0]..batch[1]).map(|i| TOKENS[i]).sum();
        let of = |power| move |i: usize| TOKENS[i] as f64 * (w - i as f64).powi(power);
        let loss: f64 = (batch[0]..batch[1]).map(of(2)).sum();
        let slope: f64 = (batch[0]..batch[1]).map(of(1)).sum();
        (loss, tokens as f64, 2.0 * slope / tokens as f64)
    };
    let first = gradient(10.0, [0, 4]);
    let second = gradient(10.0 - 0.025 * first.2, [4, 6]);
    assert!((epoch.loss - (first.0 + second.0) / (first.1 + second.1)).abs() < 1e-4);
    assert!((epoch.gradient_norm - (first.2 + second.2) / 2.0).abs() < 1e-4);
    assert_eq!((epoch.epoch, epoch.learning_rate), (1, 0.05));
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&Wave::default(), &options(4)))
    };
    let one = on(1);
    for threads in [2, 4] {
        let several = on(threads);
        assert!(several.0 == one.0, "the parameters differ on {threads} threads");
        assert_eq!(several.1.epochs, one.1.epochs);
    }
    // The numbers are no constants: they depend on the seed.
    let other = run(&Wave::default(), &Options { seed: 5, ..options(4) });
    assert!(other.0 != one.0);
}

/// A matrix large enough for the optimiser to cut it into chunks for several threads.
fn large<'t>(w: &Linear, tape: &'t Tape, examples: &[usize]) -> Var<'t> {
    let x =
        Matrix::from_fn(300, examples.len(), |i, j| (((i + 1) * (examples[j] + 3)) as Float).sin());
    let y = Matrix::from_element(211, examples.len(), 1.0);
    squared_error(w.forward(tape.constant(x)), &y)
}

#[test]
fn nor_does_it_for_large_matrices_and_chunks_lose_nothing() {
    let task = Plain { batches: vec![(0..8).collect(); 5], loss: large };
    let on = |threads: usize, clip| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut linear = Linear::new(300, 211, &mut shared::rng(0));
        let options = Options { epochs: 1, clip, ..Options::default() };
        let history = pool.install(|| train(&task, &mut linear, &options)).unwrap();
        (linear.weight.value().clone(), history.epochs)
    };
    let one = on(1, Some(0.1));
    assert_eq!(one, on(2, Some(0.1)));
    assert_eq!(one, on(4, Some(0.1)));
    // Adam moves every entry, and none by more than about the learning rate a step.
    let start = Linear::new(300, 211, &mut shared::rng(0));
    let moved = one.0 - start.weight.value();
    assert!(moved.iter().all(|x| *x != 0.0 && x.abs() < 5.1e-3), "{}", moved.abs().min());
}

/// Notes what its shards draw.
struct Drawing(Mutex<Vec<u64>>);

impl Task for Drawing {
    type Model = Param;
    type Shard = Vec<usize>;

    fn describe(&self) -> Value {
        json!(null)
    }

    fn batches(&self, _: &mut Rng) -> Vec<Vec<usize>> {
        vec![vec![0, 1, 2]; 5]
    }

    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Vec<usize>> {
        Prepared::mean(cut(examples, shards), examples.len())
    }

    fn loss<'t>(&self, w: &Param, tape: &'t Tape, _: &Vec<usize>) -> Var<'t> {
        self.0.lock().unwrap().push(tape.draw(|rng| rng.random()).expect("a tape for training"));
        tape.param(w).square().sum()
    }
}

#[test]
fn every_shard_of_every_step_draws_other_random_numbers() {
    let drawn = |seed| {
        let options = Options { epochs: 4, shards: 3, seed, ..Options::default() };
        let drawing = Drawing(Mutex::default());
        train(&drawing, &mut Param::new(Matrix::zeros(1, 1)), &options).unwrap();
        let mut drawn = drawing.0.into_inner().unwrap();
        drawn.sort_unstable();
        drawn
    };
    let first = drawn(1);
    assert_eq!(first, drawn(1));
    let mut all = [first, drawn(2)].concat();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 2 * 4 * 5 * 3);
}

/// Notes what its shards are given of the step.
#[derive(Default)]
struct Told {
    steps: Mutex<Vec<u64>>,
    fails_in: Option<usize>,
}

impl Task for Told {
    type Model = Param;
    type Shard = Option<u64>;

    fn describe(&self) -> Value {
        json!(null)
    }

    fn batches(&self, _: &mut Rng) -> Vec<Vec<usize>> {
        vec![vec![0, 1]; 3]
    }

    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Option<u64>> {
        Prepared::mean(vec![None; shards.min(examples.len())], examples.len())
    }

    fn begin_step(&self, before: u64, shards: &mut [Option<u64>]) {
        shards.fill(Some(before));
    }

    fn loss<'t>(&self, w: &Param, tape: &'t Tape, told: &Option<u64>) -> Var<'t> {
        self.steps.lock().unwrap().push(told.expect("the step was told"));
        tape.param(w).square().sum()
    }

    fn evaluate(&self, _: &Param, epoch: usize) -> Option<Evaluation> {
        Some(Evaluation::new(if self.fails_in == Some(epoch) { f64::NAN } else { 1.0 }))
    }
}

/// Every shard of a step is given how many steps of the run came before, over epochs and over an end.
#[test]
fn shards_are_told_how_many_steps_came_before() {
    let folder = tempfile::tempdir().unwrap();
    let begun = Options {
        epochs: 3,
        shards: 2,
        checkpoint: Some(folder.path().to_owned()),
        checkpoint_steps: Some(1),
        ..Options::default()
    };
    let told = |fails_in, options: &Options| {
        let task = Told { fails_in, ..Told::default() };
        let ended = train(&task, &mut Param::new(Matrix::zeros(1, 1)), options);
        assert_eq!(ended.is_err(), fails_in.is_some());
        let mut steps = task.steps.into_inner().unwrap();
        steps.sort_unstable();
        steps
    };
    // It ends before its second epoch has, with its sixth step saved.
    assert_eq!(told(Some(2), &begun), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    assert_eq!(told(None, &Options { resume: true, ..begun }), [6, 6, 7, 7, 8, 8]);
}

/// 10⁶ entries of 10⁻³ beside one of 1: single precision would lose the small squares; 10²⁵ squared is no f32.
#[test]
fn the_norm_of_a_large_gradient_is_exact() {
    let n = 1_000_000;
    let w = Param::new(Matrix::zeros(n, 1));
    for (first, others, exact) in
        [(1.0, 1e-3, (1.0 + 999_999.0 * 1e-6_f64).sqrt()), (1e25, 1e25, 1e28)]
    {
        let tape = Tape::new();
        let slope = Matrix::from_fn(n, 1, |i, _| if i == 0 { first } else { others });
        let loss = tape.param(&w).component_mul(tape.constant(slope)).sum();
        let norm = shared::ParamGradients::from(loss.backward()).norm();
        assert!((f64::from(norm) / exact - 1.0).abs() < 2e-7, "{norm} {exact}");
    }
}
