//! Chapter 11: how training would scale over machines, predicted from a few constants.
//!
//! A step is computation, which the processes share, and an exchange of gradients, which they wait for where the
//! backward pass does not hide it. A message of n bytes takes `latency + n/bandwidth` (Hockney 1994); every process
//! has a link of its own, and additions cost nothing. So the prediction is a lower bound of the time.

use crate::arguments::StudyArgs;
use crate::comparison::{Comparison, Numbers, Row};
use bert::{Config, count};
use serde::Serialize;
use workbench::figure::{Chart, Svg};

pub const EVIDENCE: &[Comparison] = &[Comparison {
    name: "scaling",
    about: "Predicts how training scales over processes, from a few constants",
    record: "11_bert/figures/scaling.json",
    claims: &[],
    figures: &[("scaling", figure)],
    run: |this, arguments| {
        let once = StudyArgs { seeds: 1, ..arguments.clone() }; // nothing is drawn
        this.compare(&once, "constants", rows(), |step: &Step, _| Ok(step.speedups()))
    },
}];

/// A network's name in the record and in the figure, microseconds until the first byte of a message arrives,
/// gigabytes a second. The first was measured (`workbench`'s example `ranks --measure`), the others are
/// assumed, as such links are sold.
const NETWORKS: [(&str, &str, f64, f64); 3] = [
    ("memory", "memory of one machine", 2.2, 10.0),
    ("ethernet", "Ethernet, 10 Gbit/s", 30.0, 1.2),
    ("infiniband", "InfiniBand, 200 Gbit/s", 2.0, 24.0),
];

/// Name in the record, title in the figure, sequences of the batch that all processes share.
const MODELS: [(&str, &str, usize); 2] =
    [("small", "A small BERT", 64), ("base", "BERT-Base", 256)];

/// A training step of a batch that processes share.
#[derive(Clone, Serialize)]
struct Step {
    sequences: usize,
    /// Seconds that one process computes: all of the batch, and of it the optimiser, whose work is a parameter's.
    computing: f64,
    optimizer: f64,
    /// The gradients, sent in buckets of 1 MiB, or of one larger parameter.
    bytes: f64,
    buckets: f64,
    /// The part of the exchange that the backward pass can hide: all but the table of pieces, whose gradient is
    /// complete last.
    overlap: f64,
    latency: f64,
    bandwidth: f64,
}

fn rows() -> Vec<Row<Step>> {
    let small = Config { vocabulary: 1000, width: 128, feed_forward: 512, ..Config::BASE };
    let small = Config { heads: 4, blocks: 3, longest: 128, ..small };
    // Seconds of the step that was measured and of the optimiser in it; how often the batch holds it; buckets.
    let measured = [(small, 0.14, 0.0006, 1.0, 3.0), (Config::BASE, 1.7, 0.09, 64.0, 76.0)];
    let models = MODELS.into_iter().zip(&measured);
    let all =
        models.flat_map(|((name, _, sequences), (config, step, optimizer, times, buckets))| {
            let parameters = count(config).pretraining() as f64;
            let table = (config.vocabulary * config.width) as f64;
            NETWORKS.map(|(link, _, latency, bandwidth)| {
                let step = Step {
                    sequences,
                    computing: optimizer + (step - optimizer) * times,
                    optimizer: *optimizer,
                    bytes: parameters * 4.0,
                    buckets: *buckets,
                    overlap: 1.0 - table / parameters,
                    latency: latency / 1e6,
                    bandwidth: bandwidth * 1e9,
                };
                Row::new(format!("{name}_{link}"), step)
            })
        });
    all.collect()
}

impl Step {
    /// Halving, then doubling (Rabenseifner 2004): 2·log₂ R messages and n·(1 − 1/R) bytes each way.
    fn seconds(&self, processes: f64) -> f64 {
        let messages = processes.log2() * self.buckets * self.latency;
        let exchange = 2.0 * (messages + (1.0 - 1.0 / processes) * self.bytes / self.bandwidth);
        let shared = (self.computing - self.optimizer) / processes;
        let backward = shared * 2.0 / 3.0; // twice the products of the forward pass
        self.optimizer + shared + exchange - (self.overlap * exchange).min(backward)
    }

    /// The time on one process over that on 1, 2, 4, …: no more processes than sequences.
    fn speedups(&self) -> Vec<(String, f64)> {
        let powers = (0..).map(|power| 1usize << power).take_while(|n| *n <= self.sequences);
        let alone = self.seconds(1.0);
        powers.map(|n| (format!("speedup_{n:04}"), alone / self.seconds(n as f64))).collect()
    }
}

/// A panel a model, a line a network: efficiency is the speedup over the number of processes.
fn figure(found: &Numbers) -> Svg {
    let panels = MODELS.map(|(model, title, _)| {
        let mut chart = Chart::new(title, "processes", "efficiency, %").log(true, false);
        for (link, name, ..) in NETWORKS {
            let mut points = Vec::new();
            for (number, speedup) in &found.rows[&format!("{model}_{link}")] {
                let processes = number.trim_start_matches("speedup_");
                let processes: f64 = processes.parse().expect("a number");
                points.push((processes, 100.0 * speedup.mean / processes));
            }
            chart = chart.line(name, &points);
        }
        chart.x_range(1.0..1200.0).y_range(0.0..105.0).draw()
    });
    Svg::grid(&panels, 2)
}
