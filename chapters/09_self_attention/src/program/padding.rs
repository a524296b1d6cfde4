//! What does a wrong mask do?

use super::config::Config;
use super::section::Section;
use super::statistics::{change, normal};
use crate::SelfAttention;
use rand::RngExt;
use scoring_functions::{attention, masked_attention, scaled_dot};
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Rng, Tape, Var, rng};
use std::collections::BTreeMap;
use workbench::program::{Table, say};
use workbench::study::{mean, short};

/// Entries of a token; sentences; the length to which all are padded.
const WIDTH: usize = 64;
const SENTENCES: usize = 64;
const LONGEST: usize = 30;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Padding {
    /// How far the result is from the sentence alone, ‖difference‖/‖result‖, by what was done
    /// against the padding.
    pub change: BTreeMap<String, Float>,
}

pub const WAYS: [(&str, &str); 5] = [
    ("none", "no mask"),
    ("times_zero", "scores times 0"),
    ("after", "weights set to 0 after the softmax"),
    ("one_more", "a length one too large"),
    ("right", "the right mask"),
];

/// A head over a padded sentence of `length` true tokens.
fn padded<'t>(way: &str, head: &SelfAttention, x: Var<'t>, length: usize) -> Var<'t> {
    let [q, k, v] = [&head.w_q, &head.w_k, &head.w_v].map(|w| w.forward(x));
    let n = x.shape().1;
    let real = |i: usize| (i < length) as u8 as Float;
    let mask = x.tape().constant(Matrix::from_fn(n, n, |i, _| real(i)));
    match way {
        "none" => attention(q, k, v),
        "times_zero" => v * scaled_dot(q, k).component_mul(mask).softmax(),
        "after" => v * scaled_dot(q, k).softmax().component_mul(mask),
        "one_more" => masked_attention(q, k, v, &vec![(length + 1).min(n); n]),
        _ => masked_attention(q, k, v, &vec![length; n]),
    }
}

fn sentence(rng: &mut Rng) -> Matrix {
    let length = rng.random_range(3..=LONGEST);
    normal(WIDTH, length, rng)
}

pub fn measure(config: &Config) -> Padding {
    let rng = &mut rng(config.stream(300));
    let head = SelfAttention::new(WIDTH, WIDTH, rng);
    let filler = normal(WIDTH, 1, rng); // the vector of the padding word
    let sentences: Vec<Matrix> = (0..SENTENCES).map(|_| sentence(rng)).collect();
    let changed = |way: &str| {
        let of = |x: &Matrix| {
            let tape = Tape::without_gradients();
            let alone = head.forward(tape.constant(x.clone())).value();
            let (n, at) = (x.ncols(), |i, j| if j < x.ncols() { x[(i, j)] } else { filler[i] });
            let filled = Matrix::from_fn(WIDTH, LONGEST, at);
            let filled = padded(way, &head, tape.constant(filled), n).value();
            change(&alone, &filled.columns(0, n).into_owned())
        };
        short(mean(&sentences.iter().map(of).collect::<Vec<_>>()))
    };
    Padding { change: WAYS.map(|(way, _)| (way.to_string(), changed(way))).into() }
}

impl Section for Padding {
    fn report(&self) {
        let mut table = Table::new(["against padding", "change of the result"]);
        for (way, name) in WAYS {
            table.row([name.to_string(), format!("{:.1e}", self.change[way])]);
        }
        say("A head reads 64 sentences of 3 to 30 tokens, padded to 30");
        say(&table);
    }
}
