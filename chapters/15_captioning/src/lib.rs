//! Where does it look while it says "a red ring above a blue square"?
//!
//! Chapter 6's translator with another encoder: a convolutional network reads a picture into 64 annotations,
//! one for each square of 4 × 4 pixels, and before every word the decoder attends to them (Xu et al. 2015).
//! A column is a pixel, a place or a word. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `L`, `T` | places of a picture: 64; words of a caption |
//! | `c` | entries of an annotation |
//! | `E`, `H` | entries of a word's vector, of a state |
//! | `B`, `b` | pictures of a batch; those whose caption goes on |
//!
//! | module | holds |
//! |---|---|
//! | [`convolution`] | convolutions, and the encoder that is made of them |
//! | here | the decoder: soft and hard attention, the gate, the loss |
//! | [`objective`] | what is added to the loss: even coverage; the estimator for drawn places |
//! | [`pooling`] | one query that is learnt: attention pooling, for classification |
//! | [`program`] | the program, and what the page measures |

pub mod convolution;
mod gate;
pub mod objective;
pub mod pooling;
#[cfg(feature = "program")]
pub mod program;
pub mod world;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as captioning;

use bahdanau::attention::{additive_scores, contexts, softmax_in_segments};
use convolution::Encoder;
pub use convolution::{SIDE, word_of};
pub use gate::scaled_columns;
use hard_attention::{entropy, log_probability, place};
use rand::RngExt;
use recurrent_networks::{Lstm, Recurrent, State};
use scoring_functions::{Additive, Sequences, reshape};
use seq2seq::{Batch, Next, Packed, Translator, chosen_columns, log_softmax};
use serde::{Deserialize, Serialize};
use shared::{Embedding, Float, Linear, Matrix, Module, Rng, Tape, Var, Visitor, cross_entropy};
use std::ops::Range;
use std::sync::Arc;

/// Places of a picture.
pub const L: usize = (SIDE / 4) * (SIDE / 4);

/// What the decoder gets of the annotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum Attention {
    /// Their mean under the weights.
    Soft,
    /// One of them: in training drawn with the weights as chances, otherwise the one of the largest weight.
    Hard,
}

/// The sizes and choices of a [`Captioner`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Words of the vocabulary.
    pub words: usize,
    /// Channels after each convolution; the last are the entries of an annotation.
    pub channels: [usize; 3],
    /// Entries of a word's vector.
    pub embedding: usize,
    /// Entries of a state.
    pub hidden: usize,
    /// Hidden units of the score.
    pub score: usize,
    /// Soft or hard.
    pub attention: Attention,
    /// Whether a gate decides how much of the context counts.
    pub gate: bool,
    /// λ, the weight of the doubly stochastic term.
    pub even: Float,
    /// For hard attention: the chance that a training step takes the expected context after all.
    pub expected: Float,
    /// For hard attention: how many nats of loss a nat of entropy is worth.
    pub entropy: Float,
}

impl Config {
    /// The chapter's model for so many words.
    pub fn new(words: usize) -> Config {
        Config {
            words,
            channels: [16, 32, 64],
            embedding: 32,
            hidden: 96,
            score: 32,
            attention: Attention::Soft,
            gate: true,
            even: 0.0,
            expected: 0.5,
            entropy: 0.02,
        }
    }
}

/// A model that says what is in a picture (Xu et al. 2015).
#[derive(Debug)]
pub struct Captioner {
    /// Reads the picture into annotations `a`.
    pub encoder: Encoder,
    /// Map the mean annotation to the first state and the first memory.
    pub start: [Linear; 2],
    /// `E`: the vectors of the words.
    pub words: Embedding,
    /// The score of a place, `vᵀ tanh(W h_{t−1} + U aᵢ + b)`.
    pub score: Additive,
    /// `β = σ(w·h_{t−1} + b)`: how much of the context counts.
    pub gate: Option<Linear>,
    /// Writes the caption: reads a word's vector and, through [`Captioner::context`], the context.
    pub lstm: Lstm,
    /// Maps the context to the gates of the LSTM.
    pub context: Linear,
    /// `L_h`, from the state to a vector like a word's.
    pub of_state: Linear,
    /// `L_z`, the same from the context.
    pub of_context: Linear,
    /// `L_o`: from their sum to the logits of the next word.
    pub output: Linear,
    /// See [`Config::attention`].
    pub attention: Attention,
    /// See [`Config::even`].
    pub even: Float,
    /// See [`Config::expected`].
    pub expected: Float,
    /// See [`Config::entropy`].
    pub entropy: Float,
}

/// The pictures as the decoder knows them.
struct Memory<'t> {
    values: Var<'t>, // (c, L·B): the annotations
    keys: Var<'t>,   // (h, L·B): U a, projected once, used at every word
}

/// One look at the pictures.
pub(crate) struct Look<'t> {
    pub(crate) scores: Var<'t>,        // (1, L·b)
    pub(crate) weights: Var<'t>,       // (1, L·b): α
    pub(crate) context: Var<'t>,       // (c, b): z
    pub(crate) drawn: Option<Var<'t>>, // (1, b): ln α of the places that were drawn
}

impl Captioner {
    /// Random parameters.
    pub fn new(config: &Config, rng: &mut Rng) -> Captioner {
        let Config { words, embedding, hidden, .. } = *config;
        let annotation = config.channels[2];
        Captioner {
            encoder: Encoder::new(config.channels, rng),
            start: [(); 2].map(|()| Linear::new(annotation, hidden, rng)),
            words: Embedding::new(words, embedding, rng),
            score: Additive::new(hidden, annotation, config.score, rng),
            gate: config.gate.then(|| Linear::new(hidden, 1, rng)),
            lstm: Lstm::new(embedding, hidden, rng),
            context: Linear::without_bias(annotation, 4 * hidden, rng),
            of_state: Linear::new(hidden, embedding, rng),
            of_context: Linear::without_bias(annotation, embedding, rng),
            output: Linear::new(embedding, words, rng),
            attention: config.attention,
            even: config.even,
            expected: config.expected,
            entropy: config.entropy,
        }
    }

    /// The annotations, and the first state: what the mean annotation says.
    fn read<'t>(&self, tape: &'t Tape, pictures: &[&[usize]]) -> (Memory<'t>, State<'t>) {
        let values = self.encoder.forward(tape, pictures); // (c, L·B)
        let keys = self.score.w_k.forward(values); //        (h, L·B)
        let sequences = whole_pictures(pictures.len());
        let alike = Matrix::from_element(1, L * pictures.len(), 1.0 / L as Float);
        let mean = contexts(values, tape.constant(alike), &sequences); // (c, B)
        let [h, c] = self.start.each_ref().map(|start| start.forward(mean).tanh());
        (Memory { values, keys }, State { h, c })
    }

    // ANCHOR: look
    /// The attention weights before the next word, and their context: `h` (H, b) is the state before it.
    fn look<'t>(
        &self,
        how: Attention,
        h: Var<'t>,
        memory: &Memory<'t>,
        sequences: &Sequences,
    ) -> Look<'t> {
        let tape = h.tape();
        let query = self.score.w_q.forward(h); // (h, b)
        let scores = additive_scores(query, memory.keys, tape.param(&self.score.v), sequences);
        let weights = softmax_in_segments(scores, sequences); // (1, L·b)
        let (z, drawn) = match how {
            Attention::Soft => (contexts(memory.values, weights, sequences), None),
            Attention::Hard => self.one_place(scores, weights, memory, sequences),
        };
        let context = match &self.gate {
            Some(gate) => scaled_columns(z, gate.forward(h).sigmoid()), // β·z
            None => z,
        };
        Look { scores, weights, context, drawn }
    }
    // ANCHOR_END: look

    /// One annotation of each picture (c, b), and ln of the chance with which it was drawn (1, b).
    fn one_place<'t>(
        &self,
        scores: Var<'t>,
        weights: Var<'t>,
        memory: &Memory<'t>,
        sequences: &Sequences,
    ) -> (Var<'t>, Option<Var<'t>>) {
        let b = sequences.queries();
        let places = self.places(weights, b);
        let columns = sequences.views().zip(&places).map(|((_, own), place)| own.start + place);
        let z = memory.values.select_columns(&columns.collect::<Vec<_>>());
        (z, Some(log_probability(reshape(scores, L, b), &places)))
    }

    /// Drawn on a tape for training, otherwise those of the largest weights.
    fn places(&self, weights: Var<'_>, b: usize) -> Vec<usize> {
        let uniforms =
            weights.tape().draw(|rng| (0..b).map(|_| rng.random()).collect::<Vec<Float>>());
        let weights = weights.value();
        let each = weights.as_slice().chunks_exact(L).enumerate();
        each.map(|(j, own)| match &uniforms {
            Some(uniforms) => place(own, uniforms[j]),
            None => (0..L).fold(0, |a, b| if own[b] > own[a] { b } else { a }),
        })
        .collect()
    }

    /// The logits of the next words (words, n): `L_o (E y + L_h h + L_z z)`.
    fn logits<'t>(&self, y: Var<'t>, h: Var<'t>, z: Var<'t>) -> Var<'t> {
        self.output.forward(y + self.of_state.forward(h) + self.of_context.forward(z))
    }

    /// Decodes word by word, the true words given.
    fn run<'t>(
        &self,
        tape: &'t Tape,
        how: Attention,
        batch: &Packed,
        pictures: &[&[usize]],
    ) -> (Var<'t>, Vec<Look<'t>>) {
        let (memory, mut state) = self.read(tape, pictures);
        let words = self.words.forward(tape, &batch.previous); // (E, N)
        let y = self.lstm.project(words); //                      (4H, N)
        let steps = &batch.target_steps;
        let (mut states, mut looks) = (Vec::new(), Vec::<Look>::new());
        // ANCHOR: run
        for i in 0..steps.len() {
            let b = steps.size(i); // captions that go on
            if b < state.h.shape().1 {
                state = State { h: state.h.columns(0, b), c: state.c.columns(0, b) };
            }
            let look = self.look(how, state.h, &memory, &whole_pictures(b));
            let y_i = y.columns(steps.columns(i).start, b); // the words before
            state = self.lstm.step(y_i + self.context.forward(look.context), state);
            states.push(state.h);
            looks.push(look);
        }
        // ANCHOR_END: run
        let seen: Vec<Var> = looks.iter().map(|look| look.context).collect();
        let logits = self.logits(words, Var::side_by_side(&states), Var::side_by_side(&seen));
        (logits, looks)
    }
}

/// `b` queries, each about the places of a picture of its own.
fn whole_pictures(b: usize) -> Sequences {
    Sequences::per_query((0..b).map(|j| j * L..(j + 1) * L))
}

/// A picture is a sentence of 1,024 pixels ([`word_of`]), without an end word: from here on, every
/// search and every score of chapter 5 is at hand.
impl Translator for Captioner {
    type State = Said;

    fn loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        let (packed, pictures) = packed(batch);
        let (logits, _) = self.run(tape, self.attention, &packed, &pictures);
        cross_entropy(logits, &packed.target)
    }

    fn training_loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        let (packed, pictures) = packed(batch);
        let how = match tape.draw(|rng| rng.random::<Float>() < self.expected) {
            Some(true) => Attention::Soft, // of the paper too (§4.1), here shard by shard: a gradient without noise
            _ => self.attention,
        };
        let (logits, looks) = self.run(tape, how, &packed, &pictures);
        let mut loss = match how {
            Attention::Soft => cross_entropy(logits, &packed.target),
            Attention::Hard => objective::drawn(logits, &looks, &packed),
        };
        if self.even > 0.0 {
            loss = loss + objective::even(&looks) * self.even;
        }
        if how == Attention::Hard && self.entropy > 0.0 {
            let entropies = looks
                .iter()
                .map(|look| entropy(reshape(look.scores, L, look.context.shape().1)).sum());
            let sum = entropies.reduce(|a, b| a + b).expect("a caption has words");
            loss = loss + sum * -self.entropy;
        }
        loss
    }

    /// More words than four things need.
    fn longest(&self) -> usize {
        32
    }

    fn encode(&self, sources: &[&[usize]]) -> Said {
        let tape = Tape::no_grad();
        let (memory, state) = self.read(&tape, sources);
        let pictures = (0..sources.len()).map(|j| j * L..(j + 1) * L).collect();
        let [values, keys, h, c] = [memory.values, memory.keys, state.h, state.c].map(Var::value);
        Said { values, keys, pictures, h, c }
    }

    fn next(&self, said: &mut Said, last: &[usize]) -> Next {
        let tape = Tape::no_grad();
        let [values, keys, h, c] =
            [&said.values, &said.keys, &said.h, &said.c].map(|x| tape.constant(x.clone()));
        let sequences = Sequences::per_query(said.pictures.iter().cloned());
        let y = self.words.forward(&tape, last);
        let look = self.look(self.attention, h, &Memory { values, keys }, &sequences);
        let state = self
            .lstm
            .step(self.lstm.project(y) + self.context.forward(look.context), State { h, c });
        let logits = self.logits(y, state.h, look.context).value();
        (said.h, said.c) = (state.h.value(), state.c.value());
        let alignments =
            look.weights.value().as_slice().chunks_exact(L).map(<[Float]>::to_vec).collect();
        Next { log_probabilities: log_softmax(&logits), alignments }
    }

    fn select(&self, said: &mut Said, chosen: &[usize]) {
        said.pictures = chosen.iter().map(|&j| said.pictures[j].clone()).collect();
        [&mut said.h, &mut said.c].into_iter().for_each(|x| *x = chosen_columns(x, chosen));
    }
}

/// The captions step by step, and the pictures in their order.
fn packed(batch: &Batch) -> (Packed, Vec<&[usize]>) {
    let packed = Packed::new(batch);
    let sources: Vec<&[usize]> = batch.source.iter().collect(); // all equally long: sorting left them in place
    let pictures = packed.source_of.iter().map(|&i| sources[i]).collect();
    (packed, pictures)
}

/// The state of a [`Captioner`] between two words.
#[derive(Clone, Debug)]
pub struct Said {
    /// The annotations (c, L·B) of all pictures.
    pub values: Arc<Matrix>,
    /// The annotations as keys (h, L·B).
    pub keys: Arc<Matrix>,
    /// The columns of every hypothesis's picture.
    pub pictures: Vec<Range<usize>>,
    /// States and memories (H, b).
    pub h: Arc<Matrix>,
    /// See there.
    pub c: Arc<Matrix>,
}

impl Module for Captioner {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("encoder", &mut self.encoder);
        let [h, c] = &mut self.start;
        visitor.module("start_h", h);
        visitor.module("start_c", c);
        visitor.module("words", &mut self.words);
        visitor.module("score", &mut self.score);
        if let Some(gate) = &mut self.gate {
            visitor.module("gate", gate);
        }
        visitor.module("lstm", &mut self.lstm);
        visitor.module("context", &mut self.context);
        visitor.module("of_state", &mut self.of_state);
        visitor.module("of_context", &mut self.of_context);
        visitor.module("output", &mut self.output);
    }
}
