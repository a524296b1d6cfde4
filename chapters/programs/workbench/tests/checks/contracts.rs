//! What the training loop promises to whoever brings a task: denominators of the whole batch, the
//! same bits however the shards are grouped, any optimiser, frozen parameters.

use crate::plain::Plain;
use crate::toy::{self, Toy, Wave};
use rand::RngExt;
use shared::{AdamW, Float, Linear, Matrix, Module, Param, Rng, Tape, Var, squared_error};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use workbench::error::Result;
use workbench::training::{
    Method, Options, Peers, Prepared, Schedule, Task, Value, cut, json, train,
};

/// Sixteen examples with up to three masked words each; which, is drawn for the batch as a whole.
/// The loss is (sum over masked words of (w·x)²)/M + (sum over examples of (w − 1)²)/N, the sums
/// being those of the whole batch. All numbers are small multiples of powers of two, so no sum is
/// rounded.
struct TwoTerms {
    /// Divide by the shard's own numbers instead.
    own: bool,
}

/// The masked words of some examples, and what the batch's sums are divided by.
struct Masked {
    words: Vec<Float>,
    examples: usize,
    all_words: Float,
    all_examples: Float,
}

impl Task for TwoTerms {
    type Model = Param;
    type Shard = Masked;

    fn describe(&self) -> Value {
        json!("two terms")
    }

    fn batches(&self, _: &mut Rng) -> Vec<Vec<usize>> {
        vec![(0..16).collect()]
    }

    fn prepare(&self, examples: &[usize], shards: usize, rng: &mut Rng) -> Prepared<Masked> {
        let mut drawn = [0; 16];
        (0..32).for_each(|_| drawn[rng.random_range(0..16)] += 1); // 32 masked words
        let shard = |examples: Vec<usize>| {
            let words = examples.iter().flat_map(|&i| vec![1.0 + (i % 4) as Float; drawn[i]]);
            let words: Vec<Float> = words.collect();
            let (all_words, all_examples) = if self.own {
                (words.len().max(1) as Float, examples.len() as Float)
            } else {
                (32.0, 16.0)
            };
            Masked { words, examples: examples.len(), all_words, all_examples }
        };
        let shards: Vec<_> = cut(examples, shards).into_iter().map(shard).collect();
        let divisor = if self.own { shards.len() as Float } else { 1.0 };
        Prepared { shards, tokens: 32, divisor }
    }

    fn loss<'t>(&self, w: &Param, tape: &'t Tape, shard: &Masked) -> Var<'t> {
        let x = tape.constant(Matrix::from_row_slice(1, shard.words.len(), &shard.words));
        let words = squared_error(tape.param(w) * x, &Matrix::zeros(1, shard.words.len()));
        let pairs = squared_error(tape.param(w), &Matrix::from_element(1, 1, 1.0));
        words * (1.0 / shard.all_words) + pairs * (shard.examples as Float / shard.all_examples)
    }
}

#[test]
fn two_terms_with_denominators_of_the_whole_batch_do_not_depend_on_the_shards() {
    let run = |own, shards| {
        let mut w = Param::new(Matrix::from_element(1, 1, 0.5));
        let method = Method::new(shared::Sgd { learning_rate: 0.0 });
        let schedule = Schedule::constant(0.125);
        let options =
            Options { epochs: 1, schedule, method, clip: None, shards, ..Options::default() };
        let history = train(&TwoTerms { own }, &mut w, &options).unwrap();
        (w.value()[0], history.epochs[0].loss)
    };
    let whole = run(false, 1);
    assert!([2, 4, 8, 16].iter().all(|shards| run(false, *shards) == whole), "{whole:?}");
    assert_eq!(run(true, 1), whole);
    assert_ne!(run(true, 8), whole); // the mean of the shards' means is another number
}

fn trained(options: &Options) -> Vec<u64> {
    let mut toy = Toy::new(1);
    train(&Wave::default(), &mut toy, options).unwrap();
    toy.bits()
}

#[test]
fn accumulated_gradients_are_those_of_the_larger_batch_to_the_last_bit() {
    let options = Options { shards: 4, ..toy::options(3) };
    let at_once = trained(&options);
    for accumulate in [2, 4] {
        assert_eq!(trained(&Options { accumulate, ..options.clone() }), at_once);
    }
}

/// A process that is a thread: a channel to each and one from each.
#[derive(Debug)]
struct Thread {
    rank: usize,
    to: Vec<Sender<Vec<Float>>>,
    from: Vec<Mutex<Receiver<Vec<Float>>>>,
}

impl Peers for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.to.len()
    }

    fn exchange(&self, with: usize, send: &[Float], receive: &mut [Float]) -> Result<()> {
        self.to[with].send(send.to_vec()).unwrap();
        receive.copy_from_slice(&self.from[with].lock().unwrap().recv().unwrap());
        Ok(())
    }
}

/// What each of several processes arrives at.
fn in_processes<T: Send>(count: usize, run: impl Fn(Arc<dyn Peers>) -> T + Sync) -> Vec<T> {
    let mut from: Vec<Vec<_>> = (0..count).map(|_| Vec::new()).collect();
    let mut to: Vec<Vec<_>> = (0..count).map(|_| Vec::new()).collect();
    for (a, b) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))) {
        let (sender, receiver) = channel();
        to[a].push(sender);
        from[b].push(Mutex::new(receiver));
    }
    let threads = to.into_iter().zip(from).enumerate();
    let run = &run;
    std::thread::scope(|scope| {
        let start =
            |(rank, (to, from))| scope.spawn(move || run(Arc::new(Thread { rank, to, from })));
        let all: Vec<_> = threads.map(start).collect();
        all.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// The reference implementation.
fn tree(parts: &[Vec<Float>]) -> Vec<Float> {
    match parts {
        [one] => one.clone(),
        _ => {
            let (left, right) = parts.split_at(parts.len().next_power_of_two() / 2);
            tree(left).iter().zip(tree(right)).map(|(a, b)| a + b).collect()
        }
    }
}

#[test]
fn sums_over_processes_have_the_bits_of_the_tree_and_bytes_arrive() {
    for count in 1..=9 {
        for numbers in [0, 1, 7, 100] {
            let rng = &mut shared::rng(count as u64);
            let mut number = || (rng.random::<Float>() - 0.5).powi(5);
            let parts: Vec<Vec<Float>> =
                (0..count).map(|_| (0..numbers).map(|_| number()).collect()).collect();
            let found = in_processes(count, |peers| {
                let mut bytes = vec![7 + peers.rank() as u8; 5 * (1 + peers.rank())];
                peers.share(&mut bytes).unwrap();
                assert_eq!(bytes, [7; 5]);
                let mut numbers = parts[peers.rank()].clone();
                peers.sum(&mut numbers).unwrap();
                numbers
            });
            assert!(found.iter().all(|sum| *sum == tree(&parts)), "{count} × {numbers}");
        }
    }
}

#[test]
fn one_process_two_and_four_train_to_the_same_bits() {
    let options = Options { shards: 4, ..toy::options(3) };
    let alone = trained(&options);
    for (count, accumulate) in [(2, 1), (2, 2), (4, 1)] {
        let found = in_processes(count, |peers| {
            trained(&Options { accumulate, peers: Some(peers), ..options.clone() })
        });
        assert!(found.iter().all(|bits| *bits == alone), "{count} processes");
    }
}

#[test]
#[should_panic(expected = "12 shards in 2 processes: each needs a power of two")]
fn processes_whose_sum_would_have_other_bits_are_refused() {
    let (sender, receiver) = channel();
    let to = vec![sender.clone(), sender];
    let peers = Thread { rank: 0, to, from: vec![Mutex::new(receiver)] };
    let peers: Option<Arc<dyn Peers>> = Some(Arc::new(peers));
    trained(&Options { shards: 12, accumulate: 3, peers, ..toy::options(1) });
}

/// Learning y = x.
fn copy<'t>(layer: &Linear, tape: &'t Tape, examples: &[usize]) -> Var<'t> {
    let x = Matrix::from_fn(3, examples.len(), |i, j| (i + examples[j]) as Float);
    squared_error(layer.forward(tape.constant(x.clone())), &x)
}

#[test]
fn a_rule_by_name_decides_what_decays_and_a_run_with_it_survives_a_stop() {
    let task = Plain { batches: vec![vec![0, 1]; 10], loss: copy };
    let run = |decay: fn(&str) -> Float, epochs, checkpoint: Option<&std::path::Path>, resume| {
        let mut layer = Linear::new(3, 3, &mut shared::rng(0));
        let method = Method::new(AdamW::new(0.0, decay));
        let checkpoint = checkpoint.map(Into::into);
        let schedule = Schedule::constant(0.01);
        let options =
            Options { epochs, schedule, method, checkpoint, resume, ..Options::default() };
        train(&task, &mut layer, &options).unwrap();
        (layer.weight.value().clone(), layer.bias.unwrap().value().clone())
    };
    let none = run(|_| 0.0, 1, None, false);
    let both = run(|_| 50.0, 1, None, false);
    let weights = run(|name| if name == "weight" { 50.0 } else { 0.0 }, 1, None, false);
    assert!(both.0.norm() < none.0.norm() && both.1.norm() < none.1.norm());
    assert!(weights.0.norm() < none.0.norm() && weights.1.norm() > both.1.norm());

    let folder = tempfile::tempdir().unwrap();
    run(|_| 0.1, 2, Some(folder.path()), false);
    assert_eq!(run(|_| 0.1, 4, Some(folder.path()), true), run(|_| 0.1, 4, None, false));
}

#[test]
fn what_is_frozen_stays_and_the_rest_learns() {
    let mut toy = Toy::new(1);
    let before = toy.hidden.weight.value().clone();
    let output = toy.output.weight.value().clone();
    toy.freeze(|name| name.starts_with("hidden."));
    train(&Wave::default(), &mut toy, &toy::options(2)).unwrap();
    assert_eq!(*toy.hidden.weight.value(), before);
    assert_ne!(*toy.output.weight.value(), output);
}
