//! What of a training step can be done at the same time?
//!
//! Counted: all operations, and those that wait for one another ([`depth`]). Measured: one sequence alone, and
//! a batch of several in two shards, on one thread and on two.

use super::depth;
use super::statistics::normal;
use crate::MultiHead;
use rayon::{ThreadPool, ThreadPoolBuilder};
use recurrent_networks::{Gru, Recurrent, Steps};
use scoring_functions::Segments;
use serde::{Deserialize, Serialize};
use shared::{Matrix, Tape, Var, arithmetic, loss_and_gradients, rng};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use workbench::error::{Error, Result};
use workbench::figure::colour;
use workbench::figure::{Chart, Svg};
use workbench::program::{Table, say};
use workbench::study::{Claim, Findings, significant};

pub const WIDTH: usize = 64;
pub const HEADS: usize = 4;
pub const LENGTHS: [usize; 8] = [8, 16, 32, 64, 128, 256, 512, 1024];
/// Sequences of a batch, which is cut into two shards.
pub const SEQUENCES: usize = 8;
const SHARDS: usize = 2;
/// Processors for which the bound is given.
const PROCESSORS: [usize; 4] = [1, 2, 1_000, 1_000_000];
/// A step is taken again until so many seconds have passed, or so often.
const PATIENCE: f64 = 1.0;
const ROUNDS: usize = 200;

/// `parallel.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parallel {
    pub machine: String,
    /// A point for each of [`LENGTHS`].
    pub gru: Vec<Point>,
    pub attention: Vec<Point>,
    #[serde(skip)] // nothing was claimed
    pub claims: BTreeMap<String, Claim>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Point {
    pub n: usize,
    /// Multiplications and additions in matrix products, forward and backward, of one sequence.
    pub work: u64,
    /// Operations that wait for one another: the depth.
    pub dependent: usize,
    /// By the number of processors: work/p + depth. With all operations in the work, and not those of products
    /// alone, no more would be needed (Brent 1974).
    pub bound: BTreeMap<String, u64>,
    /// Milliseconds of a training step on one thread and on two, the shortest: one sequence.
    pub alone: [f64; 2],
    /// [`SEQUENCES`] of them, in two shards.
    pub batch: [f64; 2],
}

/// The two layers, of width [`WIDTH`].
pub enum Layer {
    Gru(Gru),
    Attention(MultiHead),
}

impl Layer {
    /// ½‖Y‖² of sequences of one length: `x` (d, sequences·n).
    pub fn loss<'t>(&self, x: Var<'t>, n: usize) -> Var<'t> {
        let sequences = x.shape().1 / n;
        let y = match self {
            Layer::Gru(layer) => layer.forward(x, &Steps::new(&vec![n; sequences]), None),
            Layer::Attention(layer) => {
                let offsets: Vec<usize> = (0..=sequences).map(|i| i * n).collect();
                layer.forward(x, x, &Segments::within(&offsets))
            }
        };
        y.square().sum() * 0.5
    }

    fn dependent(&self, n: usize) -> usize {
        match self {
            Layer::Gru(_) => depth::gru(n, WIDTH),
            Layer::Attention(_) => depth::attention(n, WIDTH, HEADS),
        }
    }

    /// Forward and backward, also to the tokens: below this layer there may be another.
    fn step(&self, x: &Arc<Matrix>, n: usize) {
        let tape = Tape::new();
        drop(self.loss(tape.leaf(x.clone()), n).backward());
    }

    fn point(&self, n: usize, pools: &[ThreadPool; 2]) -> Point {
        let rng = &mut rng(n as u64);
        let mut tokens = |sequences: usize| Arc::new(normal(WIDTH, sequences * n, rng));
        let one = tokens(1);
        let shards = [(); SHARDS].map(|()| tokens(SEQUENCES / SHARDS));
        let before = arithmetic();
        self.step(&one, n);
        let work = arithmetic() - before;
        let dependent = self.dependent(n);
        let bound = |p: usize| (format!("p{p}"), work.div_ceil(p as u64) + dependent as u64);
        Point {
            n,
            work,
            dependent,
            bound: PROCESSORS.map(bound).into(),
            alone: milliseconds(pools, || self.step(&one, n)),
            batch: milliseconds(pools, || {
                drop(loss_and_gradients(&shards, |tape, x| self.loss(tape.leaf(x.clone()), n)));
            }),
        }
    }
}

/// The shortest time on one thread and on two, in turns.
fn milliseconds(pools: &[ThreadPool; 2], step: impl Fn() + Sync) -> [f64; 2] {
    let mut shortest = [f64::INFINITY; 2];
    let begin = Instant::now();
    for round in 0..ROUNDS {
        if round > 2 && begin.elapsed().as_secs_f64() > PATIENCE {
            break;
        }
        for (pool, shortest) in pools.iter().zip(&mut shortest) {
            let seconds = pool.install(|| {
                let start = Instant::now();
                step();
                start.elapsed().as_secs_f64()
            });
            *shortest = shortest.min(seconds);
        }
    }
    shortest.map(|seconds| significant(1e3 * seconds))
}

/// Both layers at every length. Counts are right while no other thread multiplies, times while the machine
/// has nothing else to do.
pub fn measure(seed: u64, machine: String) -> Result<Parallel> {
    let pool = |threads: usize| ThreadPoolBuilder::new().num_threads(threads).build();
    let pools = [pool(1).map_err(Error::argument)?, pool(2).map_err(Error::argument)?];
    let points = |layer: Layer| LENGTHS.map(|n| layer.point(n, &pools)).to_vec();
    let rng = &mut rng(seed);
    Ok(Parallel {
        machine,
        gru: points(Layer::Gru(Gru::new(WIDTH, WIDTH, rng))),
        attention: points(Layer::Attention(MultiHead::new(WIDTH, HEADS, rng))),
        claims: BTreeMap::new(),
    })
}

impl Findings for Parallel {
    fn print(&self) {
        let mut table = Table::new([
            "layer",
            "tokens",
            "in turn",
            "million operations",
            "alone, 1 thread",
            "2 threads",
            "eight, 1 thread",
            "2 threads",
        ]);
        for (name, points) in [("GRU", &self.gru), ("self-attention", &self.attention)] {
            for Point { n, work, dependent, alone, batch, .. } in points {
                let [one, two, eight_one, eight_two] =
                    [alone[0], alone[1], batch[0], batch[1]].map(|ms| format!("{ms:.3}"));
                let millions = format!("{:.1}", *work as f64 / 1e6);
                let (n, dependent) = (n.to_string(), dependent.to_string());
                table.row([
                    name.to_owned(),
                    n,
                    dependent,
                    millions,
                    one,
                    two,
                    eight_one,
                    eight_two,
                ]);
            }
        }
        say("A training step of one layer of width 64; times in milliseconds");
        say(&table);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        let all = |points: &[Point]| -> Vec<(f64, f64)> {
            points.iter().map(|point| (point.n as f64, point.work as f64)).collect()
        };
        let waiting = |points: &[Point]| -> Vec<(f64, f64)> {
            points.iter().map(|point| (point.n as f64, point.dependent as f64)).collect()
        };
        let chart = Chart::new("A training step, width 64", "tokens n", "operations")
            .line("attention, all", &all(&self.attention))
            .coloured(colour::SELF_ATTENTION)
            .line("GRU, all", &all(&self.gru))
            .coloured(colour::GRU)
            .line("GRU, in turn", &waiting(&self.gru))
            .coloured(colour::GRU)
            .wide(4)
            .line("attention, in turn", &waiting(&self.attention))
            .coloured(colour::SELF_ATTENTION)
            .wide(4)
            .log(true, true);
        vec![("parallel".to_owned(), chart.draw())]
    }
}
