//! What the training loop promises to whoever brings a task: denominators of the whole batch, the
//! same bits however the shards are grouped, frozen parameters.

use crate::toy::{self, Toy, Wave};
use rand::RngExt;
use shared::{Float, Matrix, Module, Param, Rng, Tape, Var, squared_error};
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
struct TwoTerms;

/// The masked words of some examples, and how many examples there are.
struct Masked {
    words: Vec<Float>,
    examples: usize,
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
        let shards = cut(examples, shards).into_iter().map(|examples| {
            let words = examples.iter().flat_map(|&i| vec![1.0 + (i % 4) as Float; drawn[i]]);
            Masked { words: words.collect(), examples: examples.len() }
        });
        Prepared { shards: shards.collect(), tokens: 32, divisor: 1.0 }
    }

    fn loss<'t>(&self, w: &Param, tape: &'t Tape, shard: &Masked) -> Var<'t> {
        let x = tape.constant(Matrix::from_row_slice(1, shard.words.len(), &shard.words));
        let words = squared_error(tape.param(w) * x, &Matrix::zeros(1, shard.words.len()));
        let pairs = squared_error(tape.param(w), &Matrix::from_element(1, 1, 1.0));
        words * (1.0 / 32.0) + pairs * (shard.examples as Float / 16.0)
    }
}

#[test]
fn two_terms_with_denominators_of_the_whole_batch_do_not_depend_on_the_shards() {
    let run = |shards| {
        let mut w = Param::new(Matrix::from_element(1, 1, 0.5));
        let method = Method::new(shared::Sgd { learning_rate: 0.0 });
        let schedule = Schedule::constant(0.125);
        let options =
            Options { epochs: 1, schedule, method, clip: None, shards, ..Options::default() };
        let history = train(&TwoTerms, &mut w, &options).unwrap();
        (w.value()[0], history.epochs[0].loss)
    };
    let whole = run(1);
    assert!([2, 4, 8, 16].iter().all(|shards| run(*shards) == whole), "{whole:?}");
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
        let all: Vec<_> = threads
            .map(|(rank, (to, from))| scope.spawn(move || run(Arc::new(Thread { rank, to, from }))))
            .collect();
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
