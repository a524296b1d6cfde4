//! What every translator of the course can do, whatever it is made of.

use crate::batch::{Batch, distinct};
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

    /// For how many columns of a batch a parameter is multiplied, which tells the arithmetic of a
    /// step: the encoder's for every source word, or for every distinct one where it reads words;
    /// the embeddings' for none, all others for every target word.
    fn columns_of(&self, parameter: &str, batch: &Batch) -> usize {
        match parameter {
            "source.weight" | "target.weight" => 0,
            name if name.starts_with("encoder.") => columns_of_encoder(name, batch),
            _ => batch.target.len(),
        }
    }
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

/// [`Translator::columns_of`] for the parameters of an encoder that reads [`crate::vectors`].
pub fn columns_of_encoder(parameter: &str, batch: &Batch) -> usize {
    match parameter {
        "encoder.layers.0.weight_x" | "encoder.forward.weight_x" | "encoder.backward.weight_x" => {
            distinct(&batch.source).0.len()
        }
        _ => batch.source.len(),
    }
}
