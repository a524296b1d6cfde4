//! Can one vector hold a sentence?
//!
//! An encoder reads the source into one vector, the *context*; a decoder writes the target from it, word by
//! word (Cho et al. 2014; Sutskever et al. 2014). A column is a word. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `E`, `H` | entries of a word's vector; of a state, and so of the context |
//! | `m`, `n` | source words, target words |
//! | `V` | words of the target vocabulary |
//! | `b` | hypotheses while decoding |
//!
//! | module | holds |
//! |---|---|
//! | `words`, `batch`, `packed` | special words; pairs side by side without padding; the same step by step |
//! | here | the model and its loss |
//! | `translator` | what every translator of the course can do |
//! | [`decoding`] | greedy and beam search |
//! | [`bleu`], [`chrf`], [`alignment`] | how translations and alignments are scored |
//! | [`written`], [`bleu_13a`] | BLEU of sentences as people write them |
//! | [`own_words`] | a decoder that reads its own words |
//! | [`translating`], [`program`] | what all translators' programs share; this chapter's |

pub mod alignment;
mod batch;
pub mod bleu;
pub mod bleu_13a;
pub mod chrf;
pub mod decoding;
pub mod own_words;
mod packed;
#[cfg(feature = "program")]
pub mod program;
#[cfg(feature = "program")]
pub mod translating;
mod translator;
mod words;
pub mod written;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as seq2seq;

pub use batch::Batch;
pub use packed::{Packed, distinct};
pub use translator::{Next, Translator};
pub use words::{BEGIN, END, UNKNOWN};

use recurrent_networks::{Gru, Inputs, Stack};
use serde::{Deserialize, Serialize};
use shared::{Embedding, Float, Linear, Matrix, Module, Rng, Tape, Var, Visitor};
use shared::{cross_entropy, elementwise};
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
    /// When it cannot: the reason.
    pub fn check(&self) -> Result<(), String> {
        let sizes =
            [self.source_words, self.target_words, self.embedding, self.hidden, self.layers];
        if sizes.contains(&0) {
            return Err("every size must be at least 1".to_owned());
        }
        if (0.0..1.0).contains(&self.dropout) {
            Ok(())
        } else {
            Err(format!("a dropout of {}: not in 0 ≤ p < 1", self.dropout))
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
pub fn vectors<'t>(table: &Embedding, tape: &'t Tape, words: &[usize], p: Float) -> Inputs<'t> {
    let (words, places) = distinct(words);
    let vectors = table.forward(tape, &words).dropout(p); // (I, u)
    Inputs { vectors, places: Some(places) }
}

// ANCHOR: loss
impl EncoderDecoder {
    /// The last state of every layer, one column a sentence, in the order of the targets: all that
    /// the decoder learns about the source.
    fn encoded<'t>(&self, tape: &'t Tape, batch: &Packed) -> Vec<Var<'t>> {
        let x = vectors(&self.source, tape, &batch.source, self.dropout);
        let states = self.encoder.forward(x, &batch.source_steps, None); // (H, N) each
        let last = batch.last_words();
        states.into_iter().map(|h| h.select_columns(&last)).collect() // (H, B) each
    }
}

impl Translator for EncoderDecoder {
    type State = State;

    fn loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        let batch = Packed::new(batch);
        let starts = self.encoded(tape, &batch);
        let context = starts[starts.len() - 1]; // (H, B): c, the same at every step
        let words = self.target.forward(tape, &batch.previous).dropout(self.dropout); // (E, N)
        let x = words.stack(context.select_columns(&batch.sentence)); // (E + H, N): [y; c]
        let states = self.decoder.forward(x, &batch.target_steps, Some(&starts));
        cross_entropy(self.output.forward(states[states.len() - 1]), &batch.target)
    }
    // ANCHOR_END: loss

    fn encode(&self, sources: &[&[usize]]) -> State {
        let tape = Tape::no_grad();
        let batch = Packed::new(&Batch::to_translate(sources));
        let hidden: Vec<_> = self.encoded(&tape, &batch).iter().map(|h| h.value()).collect();
        State { context: hidden[hidden.len() - 1].clone(), hidden }
    }

    fn next(&self, state: &mut State, last: &[usize]) -> Next {
        let tape = Tape::no_grad();
        let context = tape.constant(state.context.clone());
        let mut x = self.target.forward(&tape, last).stack(context); // [y; c]
        for (layer, s) in self.decoder.layers.iter().zip(&mut state.hidden) {
            x = layer.step(layer.project(x), tape.constant(s.clone()));
            *s = x.value();
        }
        let log_probabilities = log_softmax(&self.output.forward(x).value());
        Next { log_probabilities, alignments: vec![Vec::new(); last.len()] }
    }

    fn select(&self, state: &mut State, chosen: &[usize]) {
        state.context = chosen_columns(&state.context, chosen);
        state.hidden.iter_mut().for_each(|h| *h = chosen_columns(h, chosen));
    }
}

/// The state of an [`EncoderDecoder`] between two words, a column a hypothesis.
#[derive(Clone, Debug)]
pub struct State {
    /// c (H, b)
    pub context: Arc<Matrix>,
    /// The state of every layer (H, b).
    pub hidden: Vec<Arc<Matrix>>,
}

/// The columns of hypotheses that go on; the matrix itself when all do, in their order.
pub fn chosen_columns(x: &Arc<Matrix>, chosen: &[usize]) -> Arc<Matrix> {
    if chosen.iter().copied().eq(0..x.ncols()) {
        x.clone()
    } else {
        Arc::new(x.select_columns(chosen))
    }
}

/// `ln softmax` of every column of logits.
///
/// ```
/// use shared::{Float, Matrix};
/// let log_p = seq2seq::log_softmax(&Matrix::from_row_slice(2, 2, &[0.0, 5.0, 0.0, -1000.0]));
/// assert!((log_p[(1, 0)] - Float::ln(0.5)).abs() < 1e-6); // two equal logits
/// assert_eq!(log_p[(1, 1)], -1005.0); // no underflow
/// ```
pub fn log_softmax(logits: &Matrix) -> Matrix {
    let (mut log_p, mut exponentials) = (logits.clone(), vec![0.0; logits.nrows()]);
    for mut column in log_p.column_iter_mut() {
        exponentials.copy_from_slice(column.as_slice());
        let (max, sum) = elementwise::softmax(&mut exponentials);
        let log_sum = sum.ln();
        elementwise::map_slice(column.as_mut_slice(), |x| x - max - log_sum);
    }
    log_p
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
