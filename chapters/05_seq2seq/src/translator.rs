//! The interface of every translator of the course, whatever it is made of.

use crate::batch::Batch;
use shared::{Float, Matrix, Module, Tape, Var};

/// A model of p(target | source), one word after another:
/// `p(y | x) = Π p(yᵢ | y₁ … yᵢ₋₁, x)` (Sutskever et al. 2014, equation 1).
///
/// Decoding moves many hypotheses at once, beginnings of translations of one source or of several:
/// hypothesis `j` is a column of the matrices in the state.
pub trait Translator: Module + Sync {
    /// The state that decoding carries from one word to the next.
    type State: Send;

    /// `−ln p(target | source)` summed over the batch, 1 × 1, each word predicted from the true
    /// words before it (teacher forcing). On a tape for training, units are left out at random.
    fn loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t>;

    /// The loss that training makes small: the same, unless a model smooths its labels.
    fn training_loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        self.loss(tape, batch)
    }

    /// The most words, the end word included, that a sentence may have, source or target.
    fn longest(&self) -> usize {
        usize::MAX
    }

    // ANCHOR: decoding
    /// Reads source sentences, each closed by the end word: one hypothesis for each, without a word.
    fn encode(&self, sources: &[&[usize]]) -> Self::State;

    /// Moves every hypothesis one word further and answers what may follow: `last[j]` is the word of
    /// hypothesis `j` that came before.
    fn next(&self, state: &mut Self::State, last: &[usize]) -> Next;

    /// Chooses the hypotheses to go on with: the new hypothesis `j` continues the old one
    /// `chosen[j]`. One may be chosen several times, in any order, or not at all.
    fn select(&self, state: &mut Self::State, chosen: &[usize]);
    // ANCHOR_END: decoding
}

/// One step of decoding.
#[derive(Clone, Debug)]
pub struct Next {
    /// `ln p` of every word of the target vocabulary: (words, hypotheses).
    pub log_probabilities: Matrix,
    /// The weights of each hypothesis on its source's words; empty in a model without attention.
    pub alignments: Vec<Vec<Float>>,
}
