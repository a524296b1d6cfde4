//! A perceptron trained by several processes, and the network between them.
//!
//! ```text
//! cargo build --release -p workbench --features mpi --example ranks
//! mpirun -n 2 target/release/examples/ranks --width 1024 --layers 10
//! mpirun -n 2 target/release/examples/ranks --measure
//! ```
//!
//! Rank 0 prints JSON. Trained without MPI (`ranks` alone), the same options give the same fingerprint
//! of the parameters.

use clap::Parser;
use shared::{Float, Linear, Matrix, Module, Rng, Tape, Var, Visitor, squared_error};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use workbench::Fingerprint;
use workbench::error::{Error, Result};
use workbench::program::{parse, run, say};
use workbench::training::allreduce::Link;
use workbench::training::mpi::Ranks;
use workbench::training::{Options, Peers, Prepared, Task, Value, cut, json, train};

/// Trains a perceptron in several processes, or measures the network between two.
#[derive(Parser)]
struct Args {
    /// Units of each layer.
    #[arg(long, default_value_t = 512)]
    width: usize,
    /// Layers of as many units.
    #[arg(long, default_value_t = 4)]
    layers: usize,
    /// Examples in a batch.
    #[arg(long, default_value_t = 512)]
    batch: usize,
    /// Into how many parts a batch is cut.
    #[arg(long, default_value_t = 4)]
    shards: usize,
    /// Steps.
    #[arg(long, default_value_t = 20)]
    steps: usize,
    /// KiB of gradients that are sent at a time; 0 sends all when backward is over.
    #[arg(long, default_value_t = 1024)]
    bucket: usize,
    /// Save checkpoints in this folder.
    #[arg(long)]
    checkpoint: Option<PathBuf>,
    /// Go on from the checkpoint in the folder.
    #[arg(long)]
    resume: bool,
    /// Measure latency and bandwidth of messages between ranks 0 and 1 instead.
    #[arg(long)]
    measure: bool,
}

/// Layers as wide as the data.
struct Perceptron(Vec<Linear>);

impl Module for Perceptron {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("layers", &mut self.0);
    }
}

/// Learning to turn a wave upside down.
struct Waves {
    width: usize,
    layers: usize,
    batch: usize,
}

/// Examples in an epoch of eight batches.
const BATCHES: usize = 8;

impl Task for Waves {
    type Model = Perceptron;
    type Shard = Vec<usize>; // numbers alone: the shard itself makes its columns

    fn describe(&self) -> Value {
        json!({"task": "waves", "width": self.width, "layers": self.layers, "batch": self.batch})
    }

    fn batches(&self, _: &mut Rng) -> Vec<Vec<usize>> {
        (0..BATCHES).map(|i| (i * self.batch..(i + 1) * self.batch).collect()).collect()
    }

    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Vec<usize>> {
        Prepared::mean(cut(examples, shards), examples.len())
    }

    fn loss<'t>(&self, model: &Perceptron, tape: &'t Tape, examples: &Vec<usize>) -> Var<'t> {
        let wave = |i: usize, j: usize| ((i * (1 + examples[j] % 97)) as Float * 0.01).sin();
        let x = Matrix::from_fn(self.width, examples.len(), wave);
        let y = -&x;
        let mut h = tape.constant(x);
        for layer in &model.0 {
            h = layer.forward(h).tanh();
        }
        squared_error(h, &y) * (1.0 / self.width as Float)
    }
}

fn main() -> ExitCode {
    run(|| {
        let args: Args = parse();
        let bucket = (args.bucket > 0).then_some(args.bucket * 1024 / size_of::<Float>());
        let ranks = Ranks::with_bucket(bucket)?;
        ranks.leave(if args.measure { measure(&ranks) } else { trained(&args, &ranks) })
    })
}

fn trained(args: &Args, ranks: &Arc<Ranks>) -> Result<()> {
    ranks.can_share(args.shards)?;
    let rng = &mut shared::rng(0);
    let layers = (0..args.layers).map(|_| Linear::new(args.width, args.width, rng)).collect();
    let mut model = Perceptron(layers);
    let task = Waves { width: args.width, layers: args.layers, batch: args.batch };
    let peers: Arc<dyn Peers> = ranks.clone();
    let options = Options {
        epochs: args.steps.div_ceil(BATCHES),
        shards: args.shards,
        checkpoint: args.checkpoint.clone(),
        resume: args.resume,
        peers: Some(peers),
        ..Options::default()
    };
    let history = train(&task, &mut model, &options)?;
    if ranks.rank() > 0 {
        return Ok(());
    }
    let parameters = model.parameter_count();
    let mut fingerprint = Fingerprint::default();
    model.for_each_parameter(|_, param| {
        let bytes: Vec<u8> = param.value().iter().flat_map(|x| x.to_le_bytes()).collect();
        fingerprint = fingerprint.and(bytes);
    });
    let epochs = history.timings.iter().skip(1); // the first one finds the order of the gradients
    let (seconds, waited, sent, count) = epochs.fold((0.0, 0.0, 0, 0), |sum, epoch| {
        let (seconds, waited) = (sum.0 + epoch.seconds, sum.1 + epoch.seconds_waited);
        (seconds, waited, sum.2 + epoch.bytes_sent, sum.3 + BATCHES)
    });
    say(json!({
        "ranks": ranks.count(),
        "parameters": parameters,
        "bucket_kib": args.bucket,
        "ms_a_step": 1e3 * seconds / count as f64,
        "waiting": waited / seconds,
        "bytes_sent_a_step": sent / count as u64,
        "loss": history.epochs.last().map(|epoch| epoch.loss),
        "fingerprint": fingerprint.to_string(),
    }));
    Ok(())
}

/// Messages to and fro between ranks 0 and 1: half of the time of both is that of one.
fn measure(ranks: &Ranks) -> Result<()> {
    if ranks.count() < 2 {
        return Err(Error::argument("a network has two ends: mpirun -n 2"));
    }
    if ranks.rank() > 1 {
        return Ok(());
    }
    let sizes = [1, 1 << 8, 1 << 12, 1 << 16, 1 << 18, 1 << 20, 1 << 22];
    let seconds = ranks.with_link(move |link| sizes.map(|numbers| one_way(link, numbers)))?;
    if ranks.rank() == 0 {
        let bytes = sizes.map(|numbers| numbers * size_of::<Float>());
        let bandwidth = bytes.iter().zip(seconds).map(|(bytes, t)| *bytes as f64 / t);
        let messages = bytes.iter().zip(seconds);
        let messages: Vec<_> =
            messages.map(|(bytes, t)| json!({"bytes": bytes, "us": 1e6 * t})).collect();
        say(json!({
            "latency_us": 1e6 * seconds[0],
            "bandwidth_mb_s": bandwidth.fold(0.0, f64::max) / 1e6,
            "messages": messages,
        }));
    }
    Ok(())
}

/// The median of 21 times one way.
fn one_way(link: &mut dyn Link, numbers: usize) -> f64 {
    let (there, mut back) = (vec![1.0; numbers], vec![0.0; numbers]);
    let mut round = || {
        let begin = Instant::now();
        match link.rank() {
            0 => {
                link.exchange(1, &there, &mut []);
                link.exchange(1, &[], &mut back);
            }
            _ => {
                link.exchange(0, &[], &mut back);
                link.exchange(0, &there, &mut []);
            }
        }
        begin.elapsed().as_secs_f64() / 2.0
    };
    let mut times: Vec<f64> = (0..21).map(|_| round()).collect();
    times.sort_by(f64::total_cmp);
    times[10]
}
