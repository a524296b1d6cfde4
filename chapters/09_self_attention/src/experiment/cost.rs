//! How much is computed, and how long does it take?

use super::config::Config;
use super::layers::Kind;
use super::section::Section;
use super::statistics::normal;
use serde::{Deserialize, Serialize};
use shared::{Tape, arithmetic, rng};
use std::collections::BTreeMap;
use std::time::Instant;
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Svg};
use workbench::program::{Table, say};
use workbench::study::significant;

pub const WIDTH: usize = 64;
pub const LENGTHS: [usize; 9] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
/// A layer reads until so many seconds have passed, or so often.
const PATIENCE: f64 = 0.15;
const TIMES: f64 = 200.0;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cost {
    pub machine: String,
    /// By kind of layer, a point for each of [`LENGTHS`].
    pub layers: BTreeMap<String, Vec<Point>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Point {
    pub n: usize,
    /// Multiplications and additions in matrix products, in millions.
    pub millions: f64,
    /// The shortest time, in milliseconds.
    pub milliseconds: f64,
    /// Billions of multiplications and additions in a second.
    pub rate: f64,
}

fn point(kind: Kind, n: usize, seed: u64) -> Point {
    let rng = &mut rng(seed);
    let layer = kind.layer(WIDTH, rng);
    let x = normal(WIDTH, n, rng);
    let read = || {
        let tape = Tape::without_gradients();
        layer.read(tape.constant(x.clone())).value().amax()
    };
    let before = arithmetic();
    assert!(read().is_finite(), "a fresh layer gives numbers");
    let operations = (arithmetic() - before) as f64;
    let (begin, mut shortest, mut times) = (Instant::now(), f64::INFINITY, 0.0);
    while begin.elapsed().as_secs_f64() < PATIENCE && times < TIMES {
        let start = Instant::now();
        read();
        shortest = shortest.min(start.elapsed().as_secs_f64());
        times += 1.0;
    }
    Point {
        n,
        millions: operations / 1e6,
        milliseconds: significant(1e3 * shortest),
        rate: significant(operations / shortest / 1e9),
    }
}

/// Every kind at every length. Counts are right while no other thread multiplies.
pub fn measure(config: &Config) -> Cost {
    let of = |kind: Kind| {
        let at = |n: usize| point(kind, n, config.stream(600));
        (kind.name().to_string(), LENGTHS.map(at).to_vec())
    };
    Cost { machine: config.machine.clone(), layers: Kind::ALL.map(of).into() }
}

fn own(kind: Kind) -> (&'static str, Colour) {
    match kind {
        Kind::Convolution => ("convolution, k = 3", colour::CONVOLUTION),
        Kind::Recurrence => ("recurrence (GRU)", colour::GRU),
        Kind::SelfAttention => ("self-attention", colour::SELF_ATTENTION),
    }
}

impl Section for Cost {
    fn figures(&self) -> Vec<(&'static str, Svg)> {
        let figure = |title: &str, y: &str, number: fn(&Point) -> f64| {
            let line = |chart: Chart, kind: Kind| {
                let (name, colour) = own(kind);
                let points = self.layers[kind.name()].iter();
                chart.curve(name, points.map(|point| (point.n, number(point)))).coloured(colour)
            };
            let chart = Chart::new(title, "tokens n", y).log(true, true);
            Kind::ALL.into_iter().fold(chart, line).draw()
        };
        let arithmetic = "Arithmetic of one layer, width 64";
        vec![
            ("arithmetic", figure(arithmetic, "millions of operations", |point| point.millions)),
            ("time", figure("Time of one layer, one thread", "milliseconds", |at| at.milliseconds)),
        ]
    }

    fn report(&self) {
        let mut table = Table::new(["layer", "tokens", "million operations", "ms", "billion/s"]);
        for kind in Kind::ALL {
            for Point { n, millions, milliseconds, rate } in
                self.layers[kind.name()].iter().step_by(2)
            {
                table.row([
                    kind.name().replace('_', "-"),
                    n.to_string(),
                    format!("{millions:.1}"),
                    format!("{milliseconds:.3}"),
                    format!("{rate:.1}"),
                ]);
            }
        }
        say("One layer of width 64 reads one sequence, forward, on one thread");
        say(&table);
    }
}
