//! Chapter 9's self-attention on the same columns: sentences that read each other, and the question them.

use crate::sentences::{Order, Stories, bags};
use crate::{Alignment, Answered, Answers, table};
use scoring_functions::Sequences;
use self_attention::MultiHead;
use shared::{Matrix, Module, Param, Ragged, Rng, Tape, Visitor};
use std::sync::Arc;

/// The sentences of a story and its question are columns of one sequence, `X ← X + attention(X)` in every
/// layer; the answer is read at the question.
#[derive(Debug)]
pub struct SelfAttending {
    /// (d, V)
    pub words: Param,
    /// (d, M + 1): the last column is the question's.
    pub times: Param,
    /// One head each.
    pub layers: Vec<MultiHead>,
    /// (d, V)
    pub answers: Param,
}

impl SelfAttending {
    /// Random parameters; `layers` are its hops.
    pub fn new(sizes: crate::Sizes, rng: &mut Rng) -> SelfAttending {
        let crate::Sizes { words, memory, width, hops } = sizes;
        SelfAttending {
            words: table(width, words, rng),
            times: table(width, memory + 1, rng),
            layers: (0..hops).map(|_| MultiHead::new(width, 1, rng)).collect(),
            answers: table(width, words, rng),
        }
    }
}

impl Answers for SelfAttending {
    fn answer<'t>(&self, tape: &'t Tape, stories: &Stories, _: Alignment) -> Answered<'t> {
        let question = self.times.value().ncols() - 1;
        let (mut texts, mut ages, mut offsets) = (Vec::new(), Vec::new(), vec![0]);
        let (told, asked): (Vec<_>, Vec<_>) =
            (stories.sentences.iter().collect(), stories.questions.iter().collect());
        let age = stories.ages();
        for (ends, asked) in stories.offsets.windows(2).zip(asked) {
            texts.extend_from_slice(&told[ends[0]..ends[1]]);
            ages.extend_from_slice(&age[ends[0]..ends[1]]);
            texts.push(asked);
            ages.push(question);
            offsets.push(texts.len());
        }
        let sequences = Sequences::new(&offsets);
        let mut x = bags(tape.param(&self.words), &Ragged::new(&texts), Order::Positions)
            + tape.param(&self.times).select_columns(&ages); // (d, m + n)
        let mut weights = Vec::new();
        for layer in &self.layers {
            let (y, alpha) = layer.forward_with_weights(x, x, &sequences);
            x = x + y;
            let mut all = Vec::with_capacity(told.len());
            for s in 0..stories.questions.len() {
                let alpha = alpha.of(s, 0); // column: a token that looks
                all.extend(alpha.column(alpha.ncols() - 1).iter().take(alpha.nrows() - 1));
            }
            weights.push(Arc::new(Matrix::from_vec(1, told.len(), all)));
        }
        let asked: Vec<usize> = offsets[1..].iter().map(|end| end - 1).collect();
        let logits = tape.param(&self.answers).tr_mul(x.select_columns(&asked));
        Answered { logits, weights }
    }
}

impl Module for SelfAttending {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.param("words", &mut self.words);
        visitor.param("times", &mut self.times);
        visitor.module("layers", &mut self.layers);
        visitor.param("answers", &mut self.answers);
    }
}
