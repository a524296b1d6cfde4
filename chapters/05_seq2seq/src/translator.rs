//! What every translator of the course can do, whatever it is made of.

use crate::batch::Batch;
use shared::{Float, Module, Rng, Tape, Var};

// ANCHOR: translator
/// A model of p(target | source), one word after another:
/// `p(y | x) = Π p(yₜ | y₁ … yₜ₋₁, x)` (Sutskever et al. 2014, equation 1).
pub trait Translator: Module + Sync {
    /// What decoding carries from one word to the next.
    type State: Clone + Send + Sync;

    /// `−ln p(target | source)` summed over the batch, 1 × 1, each word predicted from the true
    /// words before it (teacher forcing). `dropout` draws the units to leave out while training.
    fn loss<'t>(&self, tape: &'t Tape, batch: &Batch, dropout: Option<&mut Rng>) -> Var<'t>;

    /// Reads a source sentence, which ends in the end word.
    fn encode(&self, source: &[usize]) -> Self::State;

    /// Answers a word: what may follow when `last` was the word before.
    fn next(&self, state: &Self::State, last: usize) -> Next<Self::State>;
}

/// One step of decoding.
#[derive(Clone, Debug)]
pub struct Next<S> {
    /// The state after the step.
    pub state: S,
    /// `ln p` of every word of the target vocabulary.
    pub log_probabilities: Vec<Float>,
    /// The weights on the source words; empty in a model without attention.
    pub alignment: Vec<Float>,
}
// ANCHOR_END: translator
