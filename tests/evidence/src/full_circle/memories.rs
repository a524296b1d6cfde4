//! What a memory of fixed size forgets: keys that are written again, and a target that drifts.

use crate::comparison::{Comparison, Expected, Row};
use full_circle::{Memory, Update};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use serde::Serialize;
use shared::{Float, Matrix, Rng, Vector, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::stream;

pub const MEMORIES: Comparison = Comparison {
    name: "memories",
    about: "What memories of fixed size forget: keys written again, and a target that drifts",
    record: "17_full_circle/figures/memories.json",
    claims: CLAIMS,
    figures: &[],
    run: |this, arguments| this.compare(arguments, "random keys", rows(), judge),
};

#[derive(Clone, Debug, Serialize)]
enum Plan {
    Add,
    Delta,
    Implicit,
    LeastSquares,
    Decayed,
}

impl Plan {
    /// For keys of length 1, and for keys from N(0, I/d).
    fn update(&self) -> Update {
        match self {
            Plan::Add => Update::Add(1.0),
            Plan::Delta => Update::Delta(1.0),
            Plan::Implicit => Update::Implicit(1.0),
            Plan::LeastSquares => Update::LeastSquares { ridge: 0.1, decay: 1.0 },
            Plan::Decayed => Update::LeastSquares { ridge: 0.1, decay: 0.9 },
        }
    }
}

fn rows() -> Vec<Row<Plan>> {
    let rows = [
        ("add", Plan::Add),
        ("delta", Plan::Delta),
        ("implicit", Plan::Implicit),
        ("least_squares", Plan::LeastSquares),
        ("decayed", Plan::Decayed),
    ];
    rows.map(|(name, plan)| Row::new(name, plan)).into()
}

const CLAIMS: &[Expected] = &[
    (
        "a_delta",
        "the delta rule finds what was written last under every key, however often it was written",
        |found| found.at_least("delta", "overwritten_8", 1.0),
    ),
    (
        "b_add",
        "a memory that adds finds it in less than a third of the keys that were written eight times",
        |found| Some(Some(found.of("add", "overwritten_8")?.highest < 1.0 / 3.0)),
    ),
    (
        "c_drift",
        "of a target that drifts, least squares that forget make less than half of the error of those that do not",
        |found| found.every(("decayed", "drift"), ("least_squares", "drift"), |a, b| a < 0.5 * b),
    ),
    ("d_implicit", "so does the implicit step, whose memory is a matrix alone", |found| {
        found.every(("implicit", "drift"), ("least_squares", "drift"), |a, b| a < 0.5 * b)
    }),
];

fn judge(plan: &Plan, seed: u64) -> Result<BTreeMap<String, f64>> {
    let rng = &mut rng(stream(seed, 0));
    let mut found = BTreeMap::from([("drift".to_owned(), drift(plan, rng))]);
    for times in [1, 2, 4, 8] {
        found.insert(format!("overwritten_{times}"), overwritten(plan, times, rng));
    }
    Ok(found)
}

const KEYS: usize = 16;
const SYMBOLS: usize = 16;

/// 16 orthonormal keys of 16 entries, each written so often with one of 16 symbols, in a random order of all; the share of
/// keys whose last symbol is the largest entry of what is read.
fn overwritten(plan: &Plan, times: usize, rng: &mut Rng) -> f64 {
    let mut right = 0;
    for _ in 0..100 {
        let keys = Matrix::from_fn(KEYS, KEYS, |_, _| StandardNormal.sample(rng)).qr().q();
        let mut memory = Memory::new(KEYS, SYMBOLS, plan.update());
        let mut last = [0; KEYS];
        for _ in 0..times {
            for i in rand::seq::index::sample(rng, KEYS, KEYS) {
                last[i] = rng.random_range(0..SYMBOLS);
                let symbol =
                    Vector::from_fn(SYMBOLS, |row, _| Float::from(u8::from(row == last[i])));
                memory.write(&keys.column(i).into_owned(), &symbol);
            }
        }
        // Equal entries are equally probable answers.
        for (i, last) in last.into_iter().enumerate() {
            let read = memory.read(&keys.column(i).into_owned());
            let shaken = read.map(|x| x + 1e-4 * rng.random_range(0.0..1.0) as Float);
            right += usize::from(shaken.imax() == last);
        }
    }
    right as f64 / (100 * KEYS) as f64
}

const D: usize = 8;

/// The mean squared error of the next value, relative to the values' variance, of a linear function whose weights walk
/// a hundredth of their variance a step.
fn drift(plan: &Plan, rng: &mut Rng) -> f64 {
    let normal = |rng: &mut Rng| Vector::from_fn(D, |_, _| StandardNormal.sample(rng));
    let step: Float = 0.01;
    let (mut error, mut variance) = (0.0, 0.0);
    for _ in 0..20 {
        let mut w: Vector = normal(rng);
        let mut memory = Memory::new(D, 1, plan.update());
        for t in 0..1_000 {
            w = w * (1.0 - step).sqrt() + normal(rng) * step.sqrt();
            let k = normal(rng) / (D as Float).sqrt();
            let v = w.dot(&k);
            if t >= 500 {
                error += f64::from(memory.read(&k)[0] - v).powi(2);
                variance += f64::from(v).powi(2);
            }
            memory.write(&k, &Vector::from_element(1, v));
        }
    }
    error / variance
}
