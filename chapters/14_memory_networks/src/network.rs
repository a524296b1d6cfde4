//! The end-to-end memory network (Sukhbaatar et al. 2015).

use crate::sentences::{Order, Stories, bags};
use crate::{Alignment, Answered, Answers, read, table};
use shared::{Module, Param, Rng, Tape, Var, Visitor};

/// How large it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Words that it knows, V. Answers are among them.
    pub words: usize,
    /// Sentences that a story may have, M.
    pub memory: usize,
    /// Entries of a sentence, d.
    pub width: usize,
    /// How often it looks, K.
    pub hops: usize,
}

/// K hops over the sentences of a story. Tied as the paper's *adjacent* networks (§2.2): what hop `k`
/// reads is what hop `k + 1` searches, the first table reads the question, the last one writes the answer.
#[derive(Debug)]
pub struct MemoryNetwork {
    /// E₀ … E_K, each (d, V).
    pub words: Vec<Param>,
    /// T₀ … T_K, each (d, M): column `i` is added to the sentence that has `i` after it. None: a story
    /// is a set.
    pub times: Vec<Param>,
    /// Whether the order of words counts.
    pub order: Order,
}

impl MemoryNetwork {
    /// Random tables.
    pub fn new(sizes: Sizes, rng: &mut Rng) -> MemoryNetwork {
        let Sizes { words, memory, width, hops } = sizes;
        MemoryNetwork {
            words: (0..=hops).map(|_| table(width, words, rng)).collect(),
            times: (0..=hops).map(|_| table(width, memory, rng)).collect(),
            order: Order::Positions,
        }
    }

    // ANCHOR: sentences
    /// The sentences as table `k` has them (d, m): the values of hop `k`, the keys of hop `k + 1`.
    pub fn sentences<'t>(&self, tape: &'t Tape, stories: &Stories, k: usize) -> Var<'t> {
        let sentences = bags(tape.param(&self.words[k]), &stories.sentences, self.order);
        match self.times.get(k) {
            Some(times) => sentences + tape.param(times).select_columns(&stories.ages()),
            None => sentences,
        }
    }
    // ANCHOR_END: sentences
}

impl Answers for MemoryNetwork {
    // ANCHOR: answer
    /// # Panics
    /// When a story has more sentences than the memory holds, or a word is not known.
    fn answer<'t>(&self, tape: &'t Tape, stories: &Stories, alignment: Alignment) -> Answered<'t> {
        let sequences = stories.sequences();
        let mut u = bags(tape.param(&self.words[0]), &stories.questions, self.order); // (d, n)
        let mut keys = self.sentences(tape, stories, 0); // (d, m)
        let mut weights = Vec::new();
        for k in 1..self.words.len() {
            let values = self.sentences(tape, stories, k);
            let (o, p) = read(u, keys, values, &sequences, alignment);
            u = u + o; // the question of the next hop
            keys = values;
            weights.push(p);
        }
        let last = tape.param(&self.words[self.words.len() - 1]);
        Answered { logits: last.tr_mul(u), weights } // (V, n)
    }
    // ANCHOR_END: answer
}

impl Module for MemoryNetwork {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("times", &mut self.times);
    }
}
