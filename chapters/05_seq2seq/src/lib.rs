//! Can one vector hold a sentence?

pub mod alignment;
mod batch;
pub mod bleu;
#[cfg(feature = "program")]
pub mod commands;
#[cfg(feature = "program")]
pub mod corpus;
pub mod decoding;
#[cfg(feature = "program")]
pub mod draw;
#[cfg(feature = "program")]
pub mod experiment;
#[cfg(feature = "program")]
pub mod judge;
#[cfg(feature = "program")]
mod task;
mod translator;
mod words;

pub use batch::{Batch, distinct};
#[cfg(feature = "program")]
pub use task::Translation;
pub use translator::{Next, Translator};
pub use words::{BEGIN, END, UNKNOWN};

use recurrent_networks::{Gru, Inputs, Stack};
use serde::{Deserialize, Serialize};
use shared::{Embedding, Float, Linear, Matrix, Module, Rng, Tape, Var, Visitor};
use shared::{cross_entropy, dropout, elementwise};
use std::sync::Arc;

/// The sizes of a translator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sizes {
    /// Words of the source vocabulary.
    pub source_words: usize,
    /// Words of the target vocabulary.
    pub target_words: usize,
    /// Entries of a word's vector.
    pub embedding: usize,
    /// Entries of a recurrent state.
    pub hidden: usize,
    /// Recurrent layers, in the encoder as in the decoder.
    pub layers: usize,
    /// The probability with which a unit is left out while training, of the vectors of words and
    /// of the states that a layer hands to the next.
    pub dropout: Float,
}

impl Sizes {
    /// Whether a model can be built: every size at least 1, the dropout a probability below 1.
    ///
    /// # Errors
    /// With the reason, when it cannot.
    pub fn check(&self) -> Result<(), String> {
        let sizes =
            [self.source_words, self.target_words, self.embedding, self.hidden, self.layers];
        if sizes.contains(&0) {
            return Err("every size must be at least 1".to_owned());
        }
        match (0.0..1.0).contains(&self.dropout) {
            true => Ok(()),
            false => Err(format!("a dropout of {}: not in 0 ≤ p < 1", self.dropout)),
        }
    }
}

// ANCHOR: model
/// Encoder and decoder with one vector between them (Cho et al. 2014, section 2.2; Sutskever et
/// al. 2014, section 2).
#[derive(Debug)]
pub struct EncoderDecoder {
    /// The vectors of the source words.
    pub source: Embedding,
    /// The vectors of the target words.
    pub target: Embedding,
    /// Reads the source.
    pub encoder: Stack<Gru>,
    /// Writes the target: its first layer reads a word's vector above the context.
    pub decoder: Stack<Gru>,
    /// From the top state to the logits of the next word.
    pub output: Linear,
    /// See [`Sizes::dropout`].
    pub dropout: Float,
}
// ANCHOR_END: model

impl EncoderDecoder {
    /// Random parameters.
    pub fn new(sizes: &Sizes, rng: &mut Rng) -> EncoderDecoder {
        let Sizes { source_words, target_words, embedding, hidden, layers, dropout } = *sizes;
        EncoderDecoder {
            source: Embedding::new(source_words, embedding, rng),
            target: Embedding::new(target_words, embedding, rng),
            encoder: Stack::new(embedding, hidden, layers, dropout, rng),
            decoder: Stack::new(embedding + hidden, hidden, layers, dropout, rng),
            output: Linear::new(hidden, target_words, rng),
            dropout,
        }
    }
}

/// The vectors of a batch's words, for a layer to read: each distinct word is looked up, and dropout
/// acts on it, once.
pub fn vectors<'t>(
    table: &Embedding,
    tape: &'t Tape,
    words: &[usize],
    p: Float,
    rng: &mut Option<&mut Rng>,
) -> Inputs<'t> {
    let (words, places) = distinct(words);
    let vectors = drop_units(table.forward(tape, &words), p, rng); // (I, u)
    Inputs { vectors, places: Some(places) }
}

/// Dropout while training, nothing otherwise.
pub fn drop_units<'t>(x: Var<'t>, p: Float, rng: &mut Option<&mut Rng>) -> Var<'t> {
    match rng {
        Some(rng) => dropout(x, p, *rng),
        None => x,
    }
}

// ANCHOR: loss
impl EncoderDecoder {
    /// The last state of every layer, one column a sentence, in the order of the targets: all that
    /// the decoder learns about the source.
    fn encoded<'t>(
        &self,
        tape: &'t Tape,
        batch: &Batch,
        mut rng: Option<&mut Rng>,
    ) -> Vec<Var<'t>> {
        let x = vectors(&self.source, tape, &batch.source, self.dropout, &mut rng);
        let states = self.encoder.forward(x, &batch.source_steps, None, rng); // (H, N) each
        let last = batch.source_steps.last();
        let columns: Vec<usize> = batch.source_of.iter().map(|&j| last[j]).collect();
        states.into_iter().map(|h| h.select_columns(&columns)).collect() // (H, B) each
    }
}

impl Translator for EncoderDecoder {
    type State = State;

    fn loss<'t>(&self, tape: &'t Tape, batch: &Batch, mut rng: Option<&mut Rng>) -> Var<'t> {
        let starts = self.encoded(tape, batch, rng.as_deref_mut());
        let context = starts[starts.len() - 1]; // (H, B): c, the same at every step
        let words = self.target.forward(tape, &batch.previous); // (E, N)
        let words = drop_units(words, self.dropout, &mut rng);
        let x = words.stack(context.select_columns(&batch.sentence)); // (E + H, N): [y; c]
        let states = self.decoder.forward(x, &batch.target_steps, Some(&starts), rng);
        cross_entropy(self.output.forward(states[states.len() - 1]), &batch.target)
    }
    // ANCHOR_END: loss

    fn encode(&self, source: &[usize]) -> State {
        let tape = Tape::without_gradients();
        let batch = Batch::new(&[(source, &[BEGIN])], BEGIN); // the target is not looked at
        let hidden: Vec<_> = self.encoded(&tape, &batch, None).iter().map(|h| h.value()).collect();
        State { context: hidden[hidden.len() - 1].clone(), hidden }
    }

    fn next(&self, state: &State, last: usize) -> Next<State> {
        let tape = Tape::without_gradients();
        let context = tape.constant(state.context.clone());
        let mut x = self.target.forward(&tape, &[last]).stack(context);
        let mut hidden = Vec::new();
        for (layer, h) in self.decoder.layers.iter().zip(&state.hidden) {
            x = layer.step(layer.project(x), tape.constant(h.clone()));
            hidden.push(x.value());
        }
        let log_probabilities = log_softmax(&self.output.forward(x).value());
        let state = State { context: state.context.clone(), hidden };
        Next { state, log_probabilities, alignment: Vec::new() }
    }
}

/// The state of an [`EncoderDecoder`] between two words.
#[derive(Clone, Debug)]
pub struct State {
    /// c (H, 1)
    pub context: Arc<Matrix>,
    /// The state of every layer (H, 1).
    pub hidden: Vec<Arc<Matrix>>,
}

/// `ln softmax` of one column of logits.
pub fn log_softmax(logits: &Matrix) -> Vec<Float> {
    let mut exponentials = logits.as_slice().to_vec();
    let (max, sum) = elementwise::softmax(&mut exponentials);
    logits.iter().map(|x| x - max - sum.ln()).collect()
}

impl Module for EncoderDecoder {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("source", &mut self.source);
        visitor.module("target", &mut self.target);
        visitor.module("encoder", &mut self.encoder);
        visitor.module("decoder", &mut self.decoder);
        visitor.module("output", &mut self.output);
    }
}
