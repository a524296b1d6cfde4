//! How many layers connect the two ends of a sequence?

use super::config::Config;
use super::layers::Kind;
use super::section::Section;
use super::statistics::normal;
use serde::{Deserialize, Serialize};
use shared::{Float, Tape, rng};
use std::collections::BTreeMap;
use workbench::program::{Table, say};

pub const LENGTHS: [usize; 5] = [4, 8, 16, 32, 64];
const WIDTH: usize = 16;

/// The least number of layers through which the last output depends on the first token, by kind and
/// by length `n4`, `n8` …
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reach(pub BTreeMap<String, BTreeMap<String, usize>>);

/// The least number of layers for which the gradient of the last output with respect to the first
/// token is not exactly zero.
pub fn layers(kind: Kind, n: usize, seed: u64) -> usize {
    let rng = &mut rng(seed);
    let tokens = normal(WIDTH, n, rng);
    let mut layers = vec![kind.layer(WIDTH, rng)];
    loop {
        let tape = Tape::new();
        let x = tape.leaf(tokens.clone());
        let y = layers.iter().fold(x, |x, layer| layer.read(x));
        let dx = y.columns(n - 1, 1).sum().backward().wrt(x); // (d, n)
        if dx.column(0).iter().any(|d: &Float| *d != 0.0) {
            return layers.len();
        }
        layers.push(kind.layer(WIDTH, rng));
    }
}

pub fn measure(config: &Config) -> Reach {
    let of = |kind: Kind| {
        let at = |n: usize| (format!("n{n}"), layers(kind, n, config.stream(500)));
        (kind.name().to_string(), LENGTHS.map(at).into())
    };
    Reach(Kind::ALL.map(of).into())
}

impl Section for Reach {
    fn report(&self) {
        let mut table = Table::new(["layers for", "4 tokens", "8", "16", "32", "64"]);
        for kind in Kind::ALL {
            let at = |n: usize| self.0[kind.name()][&format!("n{n}")].to_string();
            let [a, b, c, d, e] = LENGTHS.map(at);
            table.row([kind.name().replace('_', "-"), a, b, c, d, e]);
        }
        say("How many layers until the last output depends on the first token");
        say(&table);
    }
}
