//! The key–value memory network (Miller et al. 2016).

use crate::sentences::{Order, Stories, bags};
use crate::{Alignment, Answered, Answers, read, table};
use shared::{Linear, Module, Param, Rng, Tape, Visitor};

/// A slot is found by its key and read by its value (§3.1): one table for the words of questions, keys
/// and values, and between two hops a matrix, `q ← R (q + o)`.
#[derive(Debug)]
pub struct KeyValue {
    /// `A` (d, V).
    pub words: Param,
    /// `R₁ … R_H`, each (d, d).
    pub updates: Vec<Linear>,
    /// `B` (d, V): the answers.
    pub answers: Param,
    /// Whether the order of words counts.
    pub order: Order,
}

impl KeyValue {
    /// Random tables for so many words.
    pub fn new(words: usize, width: usize, hops: usize, order: Order, rng: &mut Rng) -> KeyValue {
        KeyValue {
            words: table(width, words, rng),
            updates: (0..hops).map(|_| Linear::without_bias(width, width, rng)).collect(),
            answers: table(width, words, rng),
            order,
        }
    }
}

impl Answers for KeyValue {
    // ANCHOR: answer
    /// Stories without values are read as they are found: key and value are the sentence.
    fn answer<'t>(&self, tape: &'t Tape, stories: &Stories, alignment: Alignment) -> Answered<'t> {
        let (a, sequences) = (tape.param(&self.words), stories.sequences());
        let mut q = bags(a, &stories.questions, self.order); // (d, n)
        let keys = bags(a, &stories.sentences, self.order); // (d, m)
        let values = stories.values.as_ref().map_or(keys, |values| bags(a, values, self.order));
        let mut weights = Vec::new();
        for update in &self.updates {
            let (o, p) = read(q, keys, values, &sequences, alignment);
            q = update.forward(q + o);
            weights.push(p);
        }
        Answered { logits: tape.param(&self.answers).tr_mul(q), weights } // (V, n)
    }
    // ANCHOR_END: answer
}

impl Module for KeyValue {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.param("words", &mut self.words);
        visitor.module("updates", &mut self.updates);
        visitor.param("answers", &mut self.answers);
    }
}
