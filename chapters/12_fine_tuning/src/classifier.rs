//! The model: an encoder, and one new layer on top.

use crate::lora::Lora;
use crate::questions::Questions;
use bert::{Bert, Config, draw_weights};
use shared::{Float, Linear, Module, Rng, Tape, Var, Visitor, cross_entropy};

/// What a [`Classifier`] is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// A text or a pair as a whole: at `[CLS]`, after the pooler.
    Sequences,
    /// Each of the words: at its first piece, without a pooler.
    Words,
}

/// BERT with one new layer (Devlin et al. 2019, section 4 and figure 4), `K·(d + 1)` new parameters:
/// logits `W h + b`, where `h` is the token that is asked, in front of it `tanh(W_p h + b_p)`, the
/// pooler, when the question is about a whole sequence.
#[derive(Debug)]
pub struct Classifier {
    /// The encoder: with a pooler where sequences are classified, without one where words are.
    pub bert: Bert,
    /// The new layer (K, d).
    pub classifier: Linear,
    /// How many entries are left out in front of it while training.
    pub dropout: Float,
    /// What a frozen encoder's matrices get added, if they do.
    pub lora: Option<Lora>,
}

impl Classifier {
    /// A new layer for so many classes on top of an encoder, drawn like all of BERT: weights from N(0,
    /// `deviation`²), no bias. An encoder without a pooler gets a new one where it needs one; one that is
    /// not needed is left out.
    pub fn new(
        mut bert: Bert,
        config: &Config,
        asks: Asks,
        classes: usize,
        rng: &mut Rng,
    ) -> Classifier {
        let d = config.width;
        let mut layer = |outputs| {
            let mut layer = Linear::new(d, outputs, rng);
            draw_weights(&mut layer, config.deviation, rng);
            layer
        };
        let classifier = layer(classes);
        bert.pooler = match asks {
            Asks::Sequences => Some(bert.pooler.take().unwrap_or_else(|| layer(d))),
            Asks::Words => None,
        };
        Classifier { bert, classifier, dropout: config.dropout, lora: None }
    }

    /// Whether it is asked about sequences or words.
    pub fn asks(&self) -> Asks {
        match self.bert.pooler {
            Some(_) => Asks::Sequences,
            None => Asks::Words,
        }
    }

    // ANCHOR: logits
    /// Logits of the classes at every token that is asked, (K, m). Within a frozen encoder nothing is left
    /// out at random, so that its tokens are the same whenever a text is read.
    pub fn logits<'t>(&self, tape: &'t Tape, questions: &Questions) -> Var<'t> {
        self.lora.iter().for_each(|lora| lora.apply(tape)); // W + B A, a section below
        let read = || self.bert.forward_some(tape, &questions.tokens, &questions.asked);
        let h = if self.is_frozen() { tape.detach(read) } else { read() }; // (d, m)
        let h = match self.asks() {
            Asks::Sequences => self.bert.pool(h),
            Asks::Words => h,
        };
        self.classifier.forward(h.dropout(self.dropout))
    }

    /// `−Σ ln p(answer)` over the questions, 1 × 1, in nats.
    ///
    /// # Panics
    /// When there is not one answer a question.
    pub fn loss<'t>(&self, tape: &'t Tape, questions: &Questions) -> Var<'t> {
        cross_entropy(self.logits(tape, questions), &questions.answers)
    }
    // ANCHOR_END: logits
}

// ANCHOR: freeze
impl Classifier {
    /// Freezes the encoder, pooler included, or thaws it: what is frozen is a constant to the tape, so
    /// that the way back ends at the new layer.
    pub fn freeze_encoder(&mut self, frozen: bool) {
        self.freeze(|name| frozen && name.starts_with("bert."));
    }

    /// Whether the encoder is frozen, and nothing is added to it.
    pub fn is_frozen(&self) -> bool {
        self.bert.embeddings.words.weight.is_frozen() && self.lora.is_none()
    }
}
// ANCHOR_END: freeze

impl Classifier {
    /// Freezes the encoder, but for what queries and values get added at this rank (Hu et al. 2022, section 4.2).
    pub fn adapt(&mut self, rank: usize, rng: &mut Rng) {
        let which = |name: &str| name.ends_with("w_q.weight") || name.ends_with("w_v.weight");
        self.lora = Some(Lora::new(&mut self.bert, which, rank, rng));
    }

    /// Writes what was added into the encoder, which then is one like others.
    pub fn merge(&mut self) {
        if let Some(lora) = self.lora.take() {
            lora.merge(&mut self.bert);
        }
    }
}

impl Module for Classifier {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("bert", &mut self.bert);
        visitor.module("classifier", &mut self.classifier);
        visitor.module("lora", &mut self.lora);
    }
}
