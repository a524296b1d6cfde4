//! Actions of several kinds look at each other; then the candidate asks them.

use crate::din::{Behaviours, MlpHead, Scored};
use crate::histories::{Candidates, Histories};
use scoring_functions::Sequences;
use scoring_functions::fused::{Weights, attention_with_weights};
use shared::{Linear, Matrix, Module, Rng, Tape, Var, Visitor};
use transformer::{BlockSizes, EncoderBlock};

/// ATRank (Zhou et al. 2018): kinds of actions have spaces of their own, self-attention relates the
/// actions (chapter 9's, in a block of chapter 10), and the candidate asks what came of it.
#[derive(Debug)]
pub struct AtRank {
    /// Vectors of items and actions.
    pub behaviours: Behaviours,
    /// One (d, d) for every kind: into the space that they share.
    pub spaces: Vec<Linear>,
    /// The actions ask each other.
    pub block: EncoderBlock,
    /// What a candidate asks, and what an action is found by (d, d).
    pub w_q: Linear,
    /// See `w_q`.
    pub w_k: Linear,
    /// Compares candidate and history.
    pub judge: MlpHead,
}

impl AtRank {
    // ANCHOR: forward
    /// Every candidate asks its history.
    pub fn forward<'t>(
        &self,
        tape: &'t Tape,
        histories: &Histories,
        asked: &Candidates,
    ) -> Scored<'t> {
        let x = self.in_spaces(self.behaviours.forward(tape, histories), &histories.kinds);
        let (x, _) = self.block.forward(x, &Sequences::new(&histories.offsets)); // (d, N)
        let q = self.behaviours.items.forward(tape, &asked.items); //                 (d, n)
        let sequences = asked.sequences(histories);
        let (q_, k_) = (self.w_q.forward(q), self.w_k.forward(x));
        let (u, weights) = attention_with_weights(q_, k_, x, 1, &sequences); //        (d, n)
        let weights = tape.constant(in_a_row(&weights, histories.len(), &sequences));
        Scored { logits: self.judge.forward(u, q, &asked.items), weights }
    }
    // ANCHOR_END: forward

    /// Every action through the layer of its kind.
    fn in_spaces<'t>(&self, x: Var<'t>, kinds: &[usize]) -> Var<'t> {
        let mut places = vec![0; kinds.len()]; // where every action's column goes
        let (mut parts, mut next) = (Vec::new(), 0);
        for (kind, space) in self.spaces.iter().enumerate() {
            let own: Vec<usize> = (0..kinds.len()).filter(|i| kinds[*i] == kind).collect();
            if own.is_empty() {
                continue;
            }
            parts.push(space.forward(x.select_columns(&own)));
            own.iter().zip(next..).for_each(|(action, place)| places[*action] = place);
            next += own.len();
        }
        Var::side_by_side(&parts).select_columns(&places)
    }
}

impl AtRank {
    /// Random parameters: numbers of items and kinds, entries of a vector, hidden units.
    pub fn new([items, kinds, d, h]: [usize; 4], ages: bool, rng: &mut Rng) -> AtRank {
        let sizes = BlockSizes {
            d_model: d,
            d_ff: 2 * d,
            heads: 1,
            dropout: 0.0,
            norm: Default::default(),
        };
        AtRank {
            behaviours: Behaviours::new([items, kinds, d], ages, rng),
            spaces: (0..kinds).map(|_| Linear::new(d, d, rng)).collect(),
            block: EncoderBlock::new(&sizes, rng),
            w_q: Linear::without_bias(d, d, rng),
            w_k: Linear::without_bias(d, d, rng),
            judge: MlpHead::new([items, d, 2 * h], rng),
        }
    }
}

/// The weights candidate by candidate, as [`Scored`] has them.
fn in_a_row(weights: &Weights, histories: usize, sequences: &Sequences) -> Matrix {
    let of = (0..histories).flat_map(|number| weights.of(number, 0).iter().copied());
    Matrix::from_iterator(1, sequences.pair_count(), of)
}

impl Module for AtRank {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("behaviours", &mut self.behaviours);
        visitor.module("spaces", &mut self.spaces);
        visitor.module("block", &mut self.block);
        visitor.module("w_q", &mut self.w_q);
        visitor.module("w_k", &mut self.w_k);
        visitor.module("judge", &mut self.judge);
    }
}
