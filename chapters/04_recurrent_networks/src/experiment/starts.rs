//! The plain network from other starts, and what the gates of trained cells do.

use super::adding::{self, Adder, HIDDEN, SOLVED};
use super::config::Config;
use super::figures::by_distance;
use super::flow::{self, LAGS};
use crate::layers::{Activation, Gru, Lstm, Recurrent, Rnn};
use crate::steps::Steps;
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Tape, Var, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::colour::{self, PALETTE};
use workbench::figure::{Chart, Svg};
use workbench::program::{Table, say};
use workbench::study::{Findings, significant as short, trainings, with_seeds};
use workbench::{Claim, smaller};

pub const LENGTHS: [usize; 3] = [10, 50, 100];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// tanh, `U` from `U(−1/√H, 1/√H)`: that of the chapter's first table.
    Usual,
    /// tanh, `U` an orthogonal matrix: all singular values are 1.
    Orthogonal,
    /// tanh, `U = I`.
    Identity,
    /// `max(x, 0)`, `U = I`, no biases (Le, Jaitly & Hinton 2015).
    Rectified,
}

impl Start {
    pub const ALL: [Start; 4] =
        [Start::Usual, Start::Orthogonal, Start::Identity, Start::Rectified];

    pub fn name(self) -> &'static str {
        ["usual", "orthogonal", "identity", "rectified"][self as usize]
    }

    /// A plain layer that starts from here; all but what is named is drawn as usual.
    pub fn layer(self, seed: u64) -> Rnn {
        let rng = &mut rng(seed);
        let mut layer = Rnn::new(2, HIDDEN, rng);
        let u = layer.weights.weight_h.value_mut();
        match self {
            Start::Usual => {}
            Start::Orthogonal => {
                let normal = Matrix::from_fn(HIDDEN, HIDDEN, |_, _| StandardNormal.sample(rng));
                *u = normal.qr().q(); // Q of a Gaussian matrix
            }
            Start::Identity => u.fill_with_identity(),
            Start::Rectified => {
                u.fill_with_identity();
                layer.weights.bias_x.value_mut().fill(0.0);
                layer.weights.bias_h.value_mut().fill(0.0);
                layer = layer.with_activation(Activation::Relu);
            }
        }
        layer
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Ended {
    pub errors: Vec<f64>,
    pub error: f64,
    pub solved: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Gates {
    /// The mean over all units of the gate that keeps (`z` of the GRU, `f` of the LSTM), before
    /// training.
    pub fresh: f64,
    pub unmarked: f64,
    pub marked: f64,
    /// How many of the units keep more than 0.99 of themselves at tokens without a mark, on average.
    pub keepers: usize,
    /// The mean over the eight units that keep most at tokens without a mark, there …
    pub most_unmarked: f64,
    /// … and at marked tokens.
    pub most_marked: f64,
    /// The mean over these eight of the gate that writes (`1 − z`, `i`) at tokens without a mark …
    pub writes_unmarked: f64,
    /// … and at marked tokens.
    pub writes_marked: f64,
    /// Of one test sequence, at every token: the mean over these eight of the gate that keeps.
    pub one: Vec<f64>,
    pub marks: Vec<usize>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Starts {
    /// By start, then by `t10`, `t50` …
    pub adding: BTreeMap<String, BTreeMap<String, Ended>>,
    pub lags: Vec<usize>,
    pub fresh: BTreeMap<String, Vec<f64>>,
    /// By start: after training at length 100, seed 0.
    pub trained: BTreeMap<String, Vec<f64>>,
    /// By cell, after training at length 100, seed 0.
    pub gates: BTreeMap<String, Gates>,
    pub claims: BTreeMap<String, Claim>,
}

trait Gated: Recurrent {
    /// Both gates (H, N) at every token of packed sequences.
    fn gates(&self, x: &Matrix, steps: &Steps) -> [Matrix; 2];
}

/// `W x + b` and `U h_{t−1} + c` at every token, where all sequences have one length.
fn parts<L: Recurrent>(layer: &L, x: &Matrix, steps: &Steps) -> [Matrix; 2] {
    let tape = Tape::without_gradients();
    let x = tape.constant(x.clone());
    let h = layer.forward(x, steps, None).value();
    let mut before = Matrix::zeros(h.nrows(), h.ncols());
    let (sequences, later) = (steps.sequences(), steps.tokens() - steps.sequences());
    before.columns_mut(sequences, later).copy_from(&h.columns(0, later));
    let gates = layer.weights().on(&tape);
    [gates.project(x), gates.recur(tape.constant(before))]
        .map(|part: Var| Matrix::clone(&part.value()))
}

fn opened([p, q]: &[Matrix; 2], k: usize, hidden: usize) -> Matrix {
    (p.rows(k * hidden, hidden) + q.rows(k * hidden, hidden)).map(shared::elementwise::sigmoid)
}

impl Gated for Gru {
    fn gates(&self, x: &Matrix, steps: &Steps) -> [Matrix; 2] {
        let z = opened(&parts(self, x, steps), 1, self.weights.hidden());
        let writes = z.map(|z| 1.0 - z);
        [z, writes]
    }
}

impl Gated for Lstm {
    fn gates(&self, x: &Matrix, steps: &Steps) -> [Matrix; 2] {
        let parts = parts(self, x, steps);
        [1, 0].map(|k| opened(&parts, k, self.weights.hidden()))
    }
}

/// Test sequences whose gates are looked at, and the units that keep most.
const LOOKED_AT: usize = 64;
const MOST: usize = 8;

fn gates<L: Gated + Sync>(config: &Config) -> Result<Gates> {
    let seed = config.stream(0);
    let fresh: Adder<L> = Adder::new(HIDDEN, &mut rng(seed));
    let seeds: Vec<usize> = (0..LOOKED_AT).map(|i| 2 * i).collect();
    let (x, steps, _) = adding::batch(flow::LENGTH, &seeds);
    let [kept, _] = fresh.layer.gates(&x, &steps);
    let fresh = kept.mean();
    let (model, _) = adding::learn::<L>(flow::LENGTH, config.steps, seed)?;
    let [kept, written] = model.layer.gates(&x, &steps);
    let (marked, unmarked): (Vec<usize>, Vec<usize>) =
        (0..steps.tokens()).partition(|column| x[(1, *column)] == 1.0);
    let mean = |gate: &Matrix, unit: usize, columns: &[usize]| {
        columns.iter().map(|j| f64::from(gate[(unit, *j)])).sum::<f64>() / columns.len() as f64
    };
    let over = |units: &[usize], gate: &Matrix, columns: &[usize]| {
        let sum: f64 = units.iter().map(|unit| mean(gate, *unit, columns)).sum();
        short(sum / units.len() as f64)
    };
    let kept_by = |unit: usize| mean(&kept, unit, &unmarked);
    let mut all: Vec<usize> = (0..HIDDEN).collect();
    all.sort_by(|a, b| kept_by(*b).total_cmp(&kept_by(*a)));
    let most = &all[..MOST];
    let token = |t: usize| steps.column(0, t);
    Ok(Gates {
        fresh: short(f64::from(fresh)),
        unmarked: over(&all, &kept, &unmarked),
        marked: over(&all, &kept, &marked),
        keepers: all.iter().filter(|unit| kept_by(**unit) > 0.99).count(),
        most_unmarked: over(most, &kept, &unmarked),
        most_marked: over(most, &kept, &marked),
        writes_unmarked: over(most, &written, &unmarked),
        writes_marked: over(most, &written, &marked),
        one: (0..steps.len()).map(|t| over(most, &kept, &[token(t)])).collect(),
        marks: (0..steps.len()).filter(|t| x[(1, token(*t))] == 1.0).collect(),
    })
}

/// The test's error at the end of a training from one start, and the model.
pub fn learn(start: Start, length: usize, steps: usize, seed: u64) -> Result<(f64, Adder<Rnn>)> {
    let mut model = Adder::new(HIDDEN, &mut rng(seed));
    model.layer = start.layer(seed);
    let curve = adding::train(&mut model, length, steps, seed)?;
    Ok((f64::from(*curve.last().expect("a look at the test")), model))
}

pub fn begin(config: &Config) -> Result<Starts> {
    let of_length = |length| Start::ALL.map(|start| (start, length));
    let jobs: Vec<(Start, usize)> = LENGTHS.into_iter().rev().flat_map(of_length).collect();
    let jobs = with_seeds(&jobs, config.seeds);
    let title = "other starts, the longest come first";
    let runs = trainings(title, &jobs, |((start, length), seed)| {
        let (error, model) = learn(*start, *length, config.steps, config.stream(*seed))?;
        let looked = *length == flow::LENGTH && *seed == 0;
        Ok((error, looked.then(|| flow::norms(&model.layer, config.stream(500)))))
    })?;
    let (mut adding, mut trained) = (BTreeMap::new(), BTreeMap::new());
    for (((start, length), _), (error, norms)) in jobs.iter().zip(runs) {
        let by_length: &mut BTreeMap<String, Ended> =
            adding.entry(start.name().to_string()).or_default();
        let ended = by_length.entry(format!("t{length}")).or_default();
        ended.errors.push(short(error));
        ended.error = short(ended.errors.iter().sum::<f64>() / ended.errors.len() as f64);
        ended.solved = ended.errors.iter().filter(|error| **error < f64::from(SOLVED)).count();
        if let Some(norms) = norms {
            trained.insert(start.name().to_string(), shortened(norms));
        }
    }
    let gates = BTreeMap::from([
        ("gru".to_string(), gates::<Gru>(config)?),
        ("lstm".to_string(), gates::<Lstm>(config)?),
    ]);
    let claims = start_claims(&adding, &gates);
    Ok(Starts { adding, lags: LAGS.to_vec(), fresh: fresh(config), trained, gates, claims })
}

pub fn fresh(config: &Config) -> BTreeMap<String, Vec<f64>> {
    let seed = config.stream(500);
    let norms = |start: Start| shortened(flow::norms(&start.layer(seed), seed));
    Start::ALL.map(|start| (start.name().to_string(), norms(start))).into()
}

pub fn start_claims(
    adding: &BTreeMap<String, BTreeMap<String, Ended>>,
    gates: &BTreeMap<String, Gates>,
) -> BTreeMap<String, Claim> {
    let of = |start: Start, length: &str| &adding[start.name()][length].errors;
    let solved = |start: Start| of(start, "t100").iter().all(|error| *error < f64::from(SOLVED));
    workbench::claims([
        (
            "a_orthogonal",
            "from an orthogonal start, the plain network solves length 100 with every seed",
            Some(solved(Start::Orthogonal)),
        ),
        (
            "b_rectified",
            "with rectified units and the identity, it solves length 100 with every seed",
            Some(solved(Start::Rectified)),
        ),
        (
            "c_short",
            "at length 10, the error is smaller from an orthogonal start than from the usual one",
            smaller(of(Start::Orthogonal, "t10"), of(Start::Usual, "t10")),
        ),
        (
            "d_longer",
            "at length 50, the error is smaller from an orthogonal start than from the usual one",
            smaller(of(Start::Orthogonal, "t50"), of(Start::Usual, "t50")),
        ),
        (
            "e_keepers",
            "the trained GRU and LSTM have units that keep more than 0.99 of themselves while nothing \
             is marked",
            Some(gates.values().all(|gates| gates.keepers > 0)),
        ),
        (
            "f_opened",
            "these units keep less at a mark than elsewhere",
            gates
                .values()
                .all(|gates| gates.keepers > 0)
                .then(|| gates.values().all(|gates| gates.most_marked < gates.most_unmarked)),
        ),
    ])
}

impl Findings for Starts {
    fn print(&self) {
        let mut table = Table::new(["start", "length 10", "50", "100"]);
        for start in Start::ALL {
            let of = &self.adding[start.name()];
            let [a, b, c] = LENGTHS.map(|n| format!("{:.4}", of[&format!("t{n}")].error));
            table.row([start.name().into(), a, b, c]);
        }
        say(&table);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    /// Gradients from every start, and the gates of one sequence.
    fn figures(&self) -> Vec<(String, Svg)> {
        let labels = ["usual", "orthogonal", "identity", "rectified, identity"];
        let lines = (Start::ALL.into_iter())
            .map(|start| ((labels[start as usize], PALETTE[start as usize]), start.name()))
            .map(|(shown, name)| (shown, &self.fresh[name]));
        let fresh = by_distance("Plain network before training, by its start", lines);
        let mut opened =
            Chart::new("What is kept at every token", "token", "gate, mean of eight units");
        for (name, label, own) in
            [("gru", "GRU: z", colour::GRU), ("lstm", "LSTM: f", colour::LSTM)]
        {
            let one = self.gates[name].one.iter().copied();
            opened = opened.curve(label, (1..).zip(one)).coloured(own);
        }
        for (k, mark) in self.gates["gru"].marks.iter().enumerate() {
            let x = *mark as f64 + 1.0;
            let name = if k == 0 { "marked" } else { "" };
            opened = opened.dashed(name, &[(x, 0.0), (x, 1.0)]).coloured(colour::GIVEN);
        }
        vec![
            ("starts".to_owned(), fresh.y_range(1e-25..1e3).draw()),
            ("gates".to_owned(), opened.y_range(0.0..1.05).draw()),
        ]
    }
}

fn shortened(norms: Vec<Float>) -> Vec<f64> {
    norms.into_iter().map(|norm| short(f64::from(norm))).collect()
}
