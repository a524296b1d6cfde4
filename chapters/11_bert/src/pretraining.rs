//! What BERT learns from text alone: masked language modelling (MLM) and next-sentence prediction (NSP).

use crate::encoder::{Bert, Config, draw_weights, norm};
use crate::gelu::gelu;
use crate::inputs::Tokens;
use crate::masked_loss::tied_cross_entropy;
use shared::{Float, Linear, Matrix, Module, Param, Rng, Tape, Var, Visitor, cross_entropy};
use transformer::LayerNorm;

/// The MLM head, from tokens to the pieces that were masked: `Eᵀ norm(gelu(W h + c)) + b`, where `E` is the table of the
/// input.
#[derive(Debug)]
pub struct MaskedHead {
    /// `W` and `c`.
    pub dense: Linear,
    /// Over its result.
    pub norm: LayerNorm,
    /// `b` (vocabulary, 1).
    pub bias: Param,
}

// ANCHOR: head
impl MaskedHead {
    /// `norm(gelu(W h + c))`, (d, M) → (d, M).
    pub fn forward<'t>(&self, h: Var<'t>) -> Var<'t> {
        self.norm.forward(gelu(self.dense.forward(h)))
    }
}
// ANCHOR_END: head

/// BERT while it is pre-trained (Devlin et al. 2019, section 3.1).
#[derive(Debug)]
pub struct Pretraining {
    /// The encoder, which stays.
    pub bert: Bert,
    /// The MLM head, which predicts masked tokens; an encoder that is read alone has none.
    pub masked: Option<MaskedHead>,
    /// The NSP head, which classifies: the second segment follows the first (class 0), or not (class
    /// 1); some checkpoints have none.
    pub next: Option<Linear>,
}

impl Pretraining {
    /// Random parameters, as in [`Bert::new`].
    pub fn new(config: &Config, rng: &mut Rng) -> Pretraining {
        let d = config.width;
        let bert = Bert::new(config, rng);
        let bias = Param::new(Matrix::zeros(config.vocabulary, 1));
        let mut masked = MaskedHead { dense: Linear::new(d, d, rng), norm: norm(config), bias };
        let mut next = Linear::new(d, 2, rng);
        draw_weights(&mut masked, config.deviation, rng);
        draw_weights(&mut next, config.deviation, rng);
        Pretraining { bert, masked: Some(masked), next: Some(next) }
    }

    // ANCHOR: logits
    /// Logits of the pieces at some columns of `h` (d, n) → (vocabulary, columns).
    ///
    /// # Panics
    /// When the model has no such head.
    pub fn masked_logits<'t>(&self, h: Var<'t>, columns: &[usize]) -> Var<'t> {
        let head = self.masked_head();
        let x = head.forward(h.select_columns(columns)); // (d, M)
        let (table, bias) = self.output(h.tape(), head);
        table.tr_mul(x).add_column(bias)
    }
    // ANCHOR_END: logits

    fn masked_head(&self) -> &MaskedHead {
        self.masked.as_ref().expect("a model with an MLM head")
    }

    /// `E` and `b`.
    fn output<'t>(&self, tape: &'t Tape, head: &MaskedHead) -> (Var<'t>, Var<'t>) {
        (tape.param(&self.bert.embeddings.words.weight), tape.param(&head.bias))
    }

    /// Logits of the classes *next* and *not next* from `h` (d, n) → (2, sequences).
    ///
    /// # Panics
    /// When the model has no such head, or no pooler.
    pub fn next_logits<'t>(&self, h: Var<'t>, tokens: &Tokens) -> Var<'t> {
        let next = self.next.as_ref().expect("a model with an NSP head");
        next.forward(self.bert.pooled(h, tokens))
    }
}

/// Examples to learn from: a part of a batch, or all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examples {
    /// The tokens that the model reads.
    pub tokens: Tokens,
    /// The columns whose token is to be predicted …
    pub masked: Vec<usize>,
    /// … and what these tokens are.
    pub originals: Vec<usize>,
    /// A class for every sequence: 0 when its second segment follows its first, 1 when not.
    pub follows: Vec<usize>,
}

/// The divisors of the two sums of a loss: counts of the whole batch, on all machines. Were each
/// part divided by its own, a masked token among few would count more than one among many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Denominators {
    /// Masked tokens.
    pub masked: usize,
    /// Pairs.
    pub pairs: usize,
}

/// The sums of both losses over some examples, in nats: MLM and NSP.
pub struct Losses<'t> {
    /// `−Σ ln p(original)`, 1 × 1.
    pub masked: Var<'t>,
    /// `−Σ ln p(follows)`, 1 × 1.
    pub next: Var<'t>,
}

impl<'t> Losses<'t> {
    /// `α · Σ masked/M + Σ next/N`, where masked tokens count `α` times as much as in the paper.
    pub fn weighted(self, whole: &Denominators, alpha: Float) -> Var<'t> {
        self.masked * (alpha / whole.masked as Float) + self.next * (1.0 / whole.pairs as Float)
    }
}

impl Pretraining {
    // ANCHOR: sums
    /// Both losses, as sums. Only the columns that are needed, those of masked tokens and of `[CLS]`,
    /// are computed to the end.
    pub fn losses<'t>(&self, tape: &'t Tape, examples: &Examples) -> Losses<'t> {
        let Examples { tokens, masked, originals, follows } = examples;
        let first = &tokens.pieces.offsets[..tokens.sequences()];
        let mut columns = [first, masked].concat();
        columns.sort_unstable(); // no special token is masked, so all of them differ
        let h = self.bert.forward_some(tape, tokens, &columns);
        let ranks = |wanted: &[usize]| -> Vec<usize> {
            wanted.iter().map(|column| columns.partition_point(|other| other < column)).collect()
        };
        let head = self.masked_head();
        let x = head.forward(h.select_columns(&ranks(masked))); // (d, M)
        let (table, bias) = self.output(tape, head);
        let pairs = self.next.as_ref().expect("a model with an NSP head");
        let next = pairs.forward(self.bert.pool(h.select_columns(&ranks(first))));
        Losses {
            masked: tied_cross_entropy(table, x, bias, originals),
            next: cross_entropy(next, follows),
        }
    }
    // ANCHOR_END: sums

    /// The share of some examples in the batch's loss, `Σ masked/M + Σ next/N`.
    pub fn loss<'t>(&self, tape: &'t Tape, examples: &Examples, whole: &Denominators) -> Var<'t> {
        self.losses(tape, examples).weighted(whole, 1.0)
    }
}

impl Module for MaskedHead {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("dense", &mut self.dense);
        visitor.module("norm", &mut self.norm);
        visitor.param("bias", &mut self.bias);
    }
}

impl Module for Pretraining {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("bert", &mut self.bert);
        visitor.module("masked", &mut self.masked);
        visitor.module("next", &mut self.next);
    }
}
