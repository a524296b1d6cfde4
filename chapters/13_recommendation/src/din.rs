//! One vector of a history for each candidate: average pooling, and DIN.

use crate::histories::{AGES, Candidates, Histories};
use bahdanau::attention::{contexts, softmax_in_segments};
use scoring_functions::Sequences;
use serde::{Deserialize, Serialize};
use shared::{Embedding, Float, Linear, Matrix, Module, Param, Rng, Tape, Var, Visitor};

/// The vectors of items, and what an action adds to its item's: what was done, and how long ago.
#[derive(Debug)]
pub struct Behaviours {
    /// (d, items): an item's vector, as a candidate and in histories.
    pub items: Embedding,
    /// (d, kinds).
    pub kinds: Embedding,
    /// (d, 8), or none: then the order of a history does not matter.
    pub ages: Option<Embedding>,
}

impl Behaviours {
    /// The actions of histories as columns: (d, N).
    pub fn forward<'t>(&self, tape: &'t Tape, histories: &Histories) -> Var<'t> {
        let items = self.items.forward(tape, &histories.items);
        let x = items + self.kinds.forward(tape, &histories.kinds);
        match &self.ages {
            Some(ages) => x + ages.forward(tape, &histories.ages),
            None => x,
        }
    }
}

impl Behaviours {
    /// Vectors of length about 1.
    pub fn new([items, kinds, d]: [usize; 3], ages: bool, rng: &mut Rng) -> Behaviours {
        Behaviours {
            items: scaled(Embedding::new(items, d, rng)),
            kinds: scaled(Embedding::new(kinds, d, rng)),
            ages: ages.then(|| scaled(Embedding::new(AGES, d, rng))),
        }
    }
}

/// Entries from N(0, 1/d).
pub(crate) fn scaled(mut table: Embedding) -> Embedding {
    let d = table.weight.value().nrows();
    *table.weight.value_mut() /= (d as Float).sqrt();
    table
}

/// The activation unit of DIN (Zhou et al. 2018, section 4.3): a small network that scores an action
/// `k` for a candidate `q`,
///
/// `a(q, k) = vᵀ relu(W_q q + W_k k + (U_q q) ⊙ (U_k k)) + c`.
///
/// The paper puts `q`, `k` and their products through one layer. Here every hidden unit gets a
/// product of its own, and the projections of `q` and of `k` are computed once, not once a pair.
#[derive(Debug)]
pub struct ActivationUnit {
    /// `W_q` (h, d) and a bias.
    pub w_q: Linear,
    /// `W_k` (h, d).
    pub w_k: Linear,
    /// `U_q` (h, d).
    pub u_q: Linear,
    /// `U_k` (h, d).
    pub u_k: Linear,
    /// `vᵀ` (1, h) and `c`.
    pub v: Linear,
}

impl ActivationUnit {
    // ANCHOR: unit
    /// `queries` (d, n), `keys` (d, N) → scores (1, P), candidate by candidate.
    pub fn forward<'t>(&self, queries: Var<'t>, keys: Var<'t>, sequences: &Sequences) -> Var<'t> {
        let (of_q, of_k): (Vec<usize>, Vec<usize>) =
            sequences.pairs().map(|pair| (pair.query, pair.key)).unzip();
        let q = |layer: &Linear| layer.forward(queries).select_columns(&of_q); // (h, P)
        let k = |layer: &Linear| layer.forward(keys).select_columns(&of_k);
        let product = q(&self.u_q).component_mul(k(&self.u_k));
        self.v.forward((q(&self.w_q) + k(&self.w_k) + product).relu()) // (1, P)
    }
    // ANCHOR_END: unit
}

impl ActivationUnit {
    /// Random parameters: vectors of `d`, `h` hidden units. Under a softmax `c` is left out: what all
    /// scores share, it does not see.
    pub fn new(d: usize, h: usize, pooling: Pooling, rng: &mut Rng) -> ActivationUnit {
        let mut products = || {
            let mut layer = Linear::without_bias(d, h, rng);
            *layer.weight.value_mut() *= 3.0; // a product of two small numbers is very small
            layer
        };
        ActivationUnit {
            u_q: products(),
            u_k: products(),
            w_q: Linear::new(d, h, rng),
            w_k: Linear::without_bias(d, h, rng),
            v: match pooling {
                Pooling::Softmax => Linear::without_bias(h, 1, rng),
                Pooling::Sum | Pooling::Mean => Linear::new(h, 1, rng),
            },
        }
    }
}

/// How the scores become weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pooling {
    /// No score is asked for: every action counts the same.
    Mean,
    /// The scores are the weights, as in the paper: they do not sum to 1, so that a strong interest
    /// may be a long vector.
    Sum,
    /// A softmax over the history, as elsewhere in this course.
    Softmax,
}

/// The answers to candidates about histories: a logit each, and what every action of the history weighed.
pub struct Scored<'t> {
    /// (1, n).
    pub logits: Var<'t>,
    /// (1, P), candidate by candidate.
    pub weights: Var<'t>,
}

/// The last layers, on what the history says and on the candidate: `[u; q; u ⊙ q]` → a number.
#[derive(Debug)]
pub struct MlpHead {
    /// (h, 3d).
    pub hidden: Linear,
    /// (1, h).
    pub output: Linear,
    /// (1, items): how often an item is wanted anyway.
    pub item_bias: Param,
}

impl MlpHead {
    /// Random parameters.
    pub fn new([items, d, h]: [usize; 3], rng: &mut Rng) -> MlpHead {
        MlpHead {
            hidden: Linear::new(3 * d, h, rng),
            output: Linear::new(h, 1, rng),
            item_bias: Param::new(Matrix::zeros(1, items)),
        }
    }

    /// `u` and `q` (d, n) → logits (1, n).
    pub fn forward<'t>(&self, u: Var<'t>, q: Var<'t>, items: &[usize]) -> Var<'t> {
        let both = u.stack(q).stack(u.component_mul(q)); // (3d, n)
        let bias = u.tape().param(&self.item_bias).select_columns(items);
        self.output.forward(self.hidden.forward(both).relu()) + bias
    }
}

/// DIN: *deep interest network* (Zhou et al. 2018). With [`Pooling::Mean`] it is the paper's base
/// model, for which a history is the same whatever the candidate.
#[derive(Debug)]
pub struct Din {
    /// Vectors of items and actions.
    pub behaviours: Behaviours,
    /// Scores an action for a candidate.
    pub unit: ActivationUnit,
    /// How the scores become weights.
    pub pooling: Pooling,
    /// Compares candidate and history.
    pub judge: MlpHead,
}

impl Din {
    // ANCHOR: din
    /// Every candidate asks its history.
    pub fn forward<'t>(
        &self,
        tape: &'t Tape,
        histories: &Histories,
        asked: &Candidates,
    ) -> Scored<'t> {
        let sequences = asked.sequences(histories);
        let k = self.behaviours.forward(tape, histories); //            (d, N): keys and values
        let q = self.behaviours.items.forward(tape, &asked.items); //   (d, n)
        let weights = match self.pooling {
            Pooling::Mean => tape.constant(equal_weights(&sequences)), // (1, P)
            Pooling::Sum => self.unit.forward(q, k, &sequences),
            Pooling::Softmax => {
                softmax_in_segments(self.unit.forward(q, k, &sequences), &sequences)
            }
        };
        let u = contexts(k, weights, &sequences); //                     (d, n): Σ aᵢ kᵢ
        Scored { logits: self.judge.forward(u, q, &asked.items), weights }
    }
    // ANCHOR_END: din
}

impl Din {
    /// Random parameters: numbers of items and kinds, entries of a vector, hidden units.
    pub fn new(
        [items, kinds, d, h]: [usize; 4],
        pooling: Pooling,
        ages: bool,
        rng: &mut Rng,
    ) -> Din {
        Din {
            behaviours: Behaviours::new([items, kinds, d], ages, rng),
            unit: ActivationUnit::new(d, h, pooling, rng),
            pooling,
            judge: MlpHead::new([items, d, 2 * h], rng),
        }
    }
}

fn equal_weights(sequences: &Sequences) -> Matrix {
    let sizes = sequences.views().flat_map(|(_, keys)| {
        let count = keys.len();
        std::iter::repeat_n(1.0 / count as Float, count)
    });
    Matrix::from_iterator(1, sequences.pair_count(), sizes)
}

impl Module for Behaviours {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("items", &mut self.items);
        visitor.module("kinds", &mut self.kinds);
        visitor.module("ages", &mut self.ages);
    }
}

impl Module for ActivationUnit {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("w_q", &mut self.w_q);
        visitor.module("w_k", &mut self.w_k);
        visitor.module("u_q", &mut self.u_q);
        visitor.module("u_k", &mut self.u_k);
        visitor.module("v", &mut self.v);
    }
}

impl Module for MlpHead {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("hidden", &mut self.hidden);
        visitor.module("output", &mut self.output);
        visitor.param("item_bias", &mut self.item_bias);
    }
}

impl Module for Din {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("behaviours", &mut self.behaviours);
        if self.pooling != Pooling::Mean {
            visitor.module("unit", &mut self.unit);
        }
        visitor.module("judge", &mut self.judge);
    }
}
