//! The next item from the last state: SASRec, and a GRU in its place.

use crate::din::scaled;
use crate::histories::Histories;
use recurrent_networks::{Gru, Recurrent, Steps};
use scoring_functions::fused::Weights;
use scoring_functions::{AttentionMask, Sequences};
use self_attention::positions::{Positions, token_positions};
use shared::{Embedding, Float, Linear, Module, Rng, Tape, Var, Visitor};
use std::cmp::Reverse;
use transformer::{BlockSizes, EncoderBlock, LayerNorm, Norm};

/// A state after every action, from that action and those before it; and the same vectors of items
/// once more, to compare the state with: `logits = Eᵀ h` (SASRec, Kang & McAuley 2018).
#[derive(Debug)]
pub struct Sequential {
    /// (d, items): `E`.
    pub items: Embedding,
    /// (d, kinds).
    pub kinds: Embedding,
    /// The network above the items' vectors.
    pub reader: Reader,
}

/// A network that reads a history.
#[derive(Debug)]
pub enum Reader {
    /// SASRec: positions, then blocks in which every action sees itself and those before it.
    Attention {
        /// Positions, counted from a history's first action.
        positions: Positions,
        /// The normalisation of the sum of item, kind and position.
        norm: LayerNorm,
        /// Chapter 10's, causal.
        blocks: Vec<EncoderBlock>,
        /// How many units are left out while training.
        dropout: Float,
    },
    /// GRU4Rec (Hidasi et al. 2016): chapter 4's unit, and a layer from its state to `d` entries.
    Gru {
        /// (hidden, d).
        layer: Gru,
        /// (d, hidden).
        output: Linear,
        /// How many units are left out while training.
        dropout: Float,
    },
}

impl Sequential {
    /// The states (d, N), and the weights of the last block, if it attends.
    pub fn forward<'t>(&self, tape: &'t Tape, histories: &Histories) -> (Var<'t>, Option<Weights>) {
        let x = self.items.forward(tape, &histories.items);
        self.reader.forward(x + self.kinds.forward(tape, &histories.kinds), &histories.offsets)
    }

    /// The logits of every item for the states in these columns: (items, n).
    pub fn logits<'t>(&self, h: Var<'t>, columns: &[usize]) -> Var<'t> {
        h.tape().param(&self.items.weight).tr_mul(h.select_columns(columns))
    }
}

impl Reader {
    /// `x` (d, N), cut at `offsets` → (d, N).
    fn forward<'t>(&self, x: Var<'t>, offsets: &[usize]) -> (Var<'t>, Option<Weights>) {
        match self {
            Reader::Attention { positions, norm, blocks, dropout } => {
                let x = positions.add(x, &token_positions(offsets));
                let start = (norm.forward(x).dropout(*dropout), None);
                let causal = Sequences::new(offsets).with(AttentionMask::Causal);
                blocks.iter().fold(start, |(x, _), block| {
                    let (x, weights) = block.forward(x, &causal);
                    (x, Some(weights))
                })
            }
            Reader::Gru { layer, output, dropout } => {
                let (steps, packed, unpacked) = packing(offsets);
                let x = x.dropout(*dropout).select_columns(&packed);
                let h = layer.forward(x, &steps, None).select_columns(&unpacked);
                (output.forward(h.dropout(*dropout)), None)
            }
        }
    }
}

/// Chapter 4's packing, longest history first: which column stands in each place of it, and where
/// each column stands.
fn packing(offsets: &[usize]) -> (Steps, Vec<usize>, Vec<usize>) {
    let mut own: Vec<(usize, usize)> =
        offsets.windows(2).map(|ends| (ends[0], ends[1] - ends[0])).collect();
    own.sort_by_key(|(_, length)| Reverse(*length));
    let steps = Steps::new(&own.iter().map(|(_, length)| *length).collect::<Vec<_>>());
    let packed =
        (0..steps.len()).flat_map(|t| own[..steps.size(t)].iter().map(move |(start, _)| start + t));
    let packed: Vec<usize> = packed.collect();
    let mut unpacked = vec![0; packed.len()];
    packed.iter().enumerate().for_each(|(place, column)| unpacked[*column] = place);
    (steps, packed, unpacked)
}

impl Sequential {
    /// SASRec with random parameters, for histories of at most `longest` actions.
    pub fn sasrec(
        [items, kinds, longest]: [usize; 3],
        blocks: usize,
        sizes: &BlockSizes,
        rng: &mut Rng,
    ) -> Sequential {
        let sizes = BlockSizes { norm: Norm::Post, ..*sizes };
        let d = sizes.d_model;
        let [item_vectors, kind_vectors] =
            [items, kinds].map(|count| scaled(Embedding::new(count, d, rng)));
        let reader = Reader::Attention {
            positions: Positions::learned(d, longest, rng),
            norm: LayerNorm::new(d),
            blocks: (0..blocks).map(|_| EncoderBlock::new(&sizes, rng)).collect(),
            dropout: sizes.dropout,
        };
        Sequential { items: item_vectors, kinds: kind_vectors, reader }
    }

    /// A GRU with random parameters.
    pub fn gru([items, kinds, d, hidden]: [usize; 4], dropout: Float, rng: &mut Rng) -> Sequential {
        let [item_vectors, kind_vectors] =
            [items, kinds].map(|count| scaled(Embedding::new(count, d, rng)));
        let layer = Gru::new(d, hidden, rng);
        let reader = Reader::Gru { layer, output: Linear::new(hidden, d, rng), dropout };
        Sequential { items: item_vectors, kinds: kind_vectors, reader }
    }
}

impl Module for Sequential {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("items", &mut self.items);
        visitor.module("kinds", &mut self.kinds);
        match &mut self.reader {
            Reader::Attention { positions, norm, blocks, .. } => {
                visitor.module("positions", positions);
                visitor.module("norm", norm);
                visitor.module("blocks", blocks);
            }
            Reader::Gru { layer, output, .. } => {
                visitor.module("layer", layer);
                visitor.module("output", output);
            }
        }
    }
}
