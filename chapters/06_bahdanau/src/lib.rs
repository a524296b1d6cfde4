//! What if the decoder may look back?
//!
//! Before every step the decoder scores all annotations of the source and reads their weighted mean
//! (Bahdanau et al. 2015). A column is a word. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `E`, `H` | entries of a word's vector, of a state |
//! | `c` | entries of an annotation: `2H` of both directions, `H` of one |
//! | `h` | hidden units of the score |
//! | `m`, `n` | source words, target words |
//!
//! | module | holds |
//! |---|---|
//! | [`attention`] | scores, weights and contexts, each sentence by itself |
//! | here | the model and its loss |
//! | [`fixed_context`] | the same without the look back |
//! | [`model_1`] | alignment without a network |
//! | [`program`] | the program |

pub mod attention;
pub mod fixed_context;
pub mod model_1;
#[cfg(feature = "program")]
pub mod program;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as bahdanau;

use attention::{additive_scores, contexts, softmax_in_segments};
use recurrent_networks::{Bidirectional, Gru, Stack};
use scoring_functions::{Additive, Sequences};
use seq2seq::{Batch, Next, Packed, Translator, chosen_columns, log_softmax, vectors};
use serde::{Deserialize, Serialize};
use shared::{Embedding, Float, Linear, Matrix, Module, Rng, Tape, Var, Visitor, cross_entropy};
use std::ops::Range;
use std::sync::Arc;

/// How the source is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Reading {
    /// One layer in both directions: an annotation says what stands before and after its word
    /// (Bahdanau et al. 2015, section 3.2).
    BothDirections,
    /// A stack with as many layers as the decoder, forward only, as textbooks program it.
    Forward,
}

/// The configuration of a [`Bahdanau`] model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Vocabularies, widths, layers, dropout.
    pub sizes: seq2seq::Sizes,
    /// How the source is read.
    pub reading: Reading,
    /// Hidden units of the score.
    pub score: usize,
    /// The probability with which an entry of an annotation, or of a state on its way to the output
    /// layer, is left out while training.
    pub state_dropout: Float,
}

/// Reads a source sentence into annotations.
#[derive(Debug)]
pub enum Encoder {
    /// See [`Reading::BothDirections`].
    BothDirections(Bidirectional<Gru>),
    /// See [`Reading::Forward`].
    Forward(Stack<Gru>),
}

/// The encoder–decoder with attention of Bahdanau et al. 2015, with gated units.
#[derive(Debug)]
pub struct Bahdanau {
    /// The vectors of the source words.
    pub source: Embedding,
    /// The vectors of the target words.
    pub target: Embedding,
    /// Reads the source into annotations `h_j`.
    pub encoder: Encoder,
    /// `s₀ = tanh(W_s h)`, one for every layer of the decoder; with [`Reading::Forward`] the
    /// decoder's layers start from the last states of the encoder's.
    pub start: Vec<Linear>,
    /// The score `e_ij = vᵀ tanh(W s_{i−1} + U h_j)`.
    pub score: Additive,
    /// Writes the target: the first layer reads a word's vector and, through [`Bahdanau::context`],
    /// the context.
    pub decoder: Stack<Gru>,
    /// `C`: from the context to the gates of the first layer.
    pub context: Linear,
    /// From the top state to the logits of the next word.
    pub output: Linear,
    /// See [`seq2seq::Sizes::dropout`].
    pub dropout: Float,
    /// See [`Config::state_dropout`].
    pub state_dropout: Float,
}

/// The sources as the decoder sees them: sentence after sentence, in the order of the targets.
struct Memory<'t> {
    values: Var<'t>, // (c, n): the annotations
    keys: Var<'t>,   // (h, n): U h, projected once, used at every step
}

impl Bahdanau {
    /// Random parameters.
    pub fn new(config: &Config, rng: &mut Rng) -> Bahdanau {
        let sizes = &config.sizes;
        let (embedding, hidden) = (sizes.embedding, sizes.hidden);
        let (encoder, annotation, starts) = match config.reading {
            Reading::BothDirections => {
                let both = Bidirectional::new(embedding, hidden, rng);
                (Encoder::BothDirections(both), 2 * hidden, sizes.layers)
            }
            Reading::Forward => {
                let stack = Stack::new(embedding, hidden, sizes.layers, sizes.dropout, rng);
                (Encoder::Forward(stack), hidden, 0)
            }
        };
        Bahdanau {
            source: Embedding::new(sizes.source_words, embedding, rng),
            target: Embedding::new(sizes.target_words, embedding, rng),
            encoder,
            start: (0..starts).map(|_| Linear::new(annotation, hidden, rng)).collect(),
            score: Additive::without_bias(hidden, annotation, config.score, rng),
            decoder: Stack::new(embedding, hidden, sizes.layers, sizes.dropout, rng),
            context: Linear::without_bias(annotation, 3 * hidden, rng),
            output: Linear::new(hidden, sizes.target_words, rng),
            dropout: sizes.dropout,
            state_dropout: config.state_dropout,
        }
    }

    /// The annotations and the decoder's first states, (H, B) each.
    fn read<'t>(&self, tape: &'t Tape, batch: &Packed) -> (Memory<'t>, Vec<Var<'t>>) {
        let x = vectors(&self.source, tape, &batch.source, self.dropout);
        let steps = &batch.source_steps;
        let (annotations, summaries) = match &self.encoder {
            Encoder::BothDirections(both) => {
                (both.forward(x, steps), Vec::new()) // (2H, n)
            }
            Encoder::Forward(stack) => {
                let states = stack.forward(x, steps, None); // (H, n) each
                (states[states.len() - 1], states)
            }
        };
        let values = annotations.select_columns(&batch.annotations).dropout(self.state_dropout);
        let keys = self.score.w_k.forward(values);
        let starts = if summaries.is_empty() {
            // the backward reading has seen the whole sentence when it arrives at its first word
            let h = values.select_columns(&batch.offsets[..batch.sentences()]);
            self.start.iter().map(|start| start.forward(h).tanh()).collect()
        } else {
            let last = batch.last_words();
            summaries.iter().map(|h| h.select_columns(&last)).collect()
        };
        (Memory { values, keys }, starts)
    }

    // ANCHOR: step
    /// One word further: from `y` (3H, b), the projected vectors of the words before, and the
    /// states (H, b) of the layers to the states after, and the weights (1, n).
    fn step<'t>(
        &self,
        y: Var<'t>,
        states: &mut [Var<'t>],
        memory: &Memory<'t>,
        sequences: &Sequences,
    ) -> Var<'t> {
        let tape = y.tape();
        let query = self.score.w_q.forward(states[states.len() - 1]); // (h, b): W s_{i−1}
        let e = additive_scores(query, memory.keys, tape.param(&self.score.v), sequences); // (1, n)
        let alpha = softmax_in_segments(e, sequences); // (1, n)
        let c = contexts(memory.values, alpha, sequences); // (c, b)
        let mut gates = y + self.context.forward(c); // (3H, b)
        for (l, layer) in self.decoder.layers.iter().enumerate() {
            states[l] = layer.step(gates, states[l]); // s_i = f(s_{i−1}, y_{i−1}, c_i)
            if let Some(above) = self.decoder.layers.get(l + 1) {
                gates = above.project(states[l].dropout(self.dropout));
            }
        }
        alpha
    }
    // ANCHOR_END: step
}

// ANCHOR: loss
impl Translator for Bahdanau {
    type State = State;

    fn loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        let batch = Packed::new(batch);
        let (memory, mut states) = self.read(tape, &batch);
        let words = vectors(&self.target, tape, &batch.previous, self.dropout);
        let y = self.decoder.layers[0].project(words); // (3H, N)
        let steps = &batch.target_steps;
        let mut tops = Vec::with_capacity(steps.len());
        for i in 0..steps.len() {
            let b = steps.size(i); // sentences that go on
            if b < states[0].shape().1 {
                states.iter_mut().for_each(|s| *s = s.columns(0, b));
            }
            let y_i = y.columns(steps.columns(i).start, b); // the words before
            let sequences = Sequences::one_each(&batch.offsets[..=b]);
            self.step(y_i, &mut states, &memory, &sequences);
            tops.push(states[states.len() - 1]);
        }
        let tops = Var::side_by_side(&tops).dropout(self.state_dropout);
        cross_entropy(self.output.forward(tops), &batch.target)
    }
    // ANCHOR_END: loss

    fn encode(&self, sources: &[&[usize]]) -> State {
        let tape = Tape::no_grad();
        let batch = Packed::new(&Batch::to_translate(sources));
        let (memory, starts) = self.read(&tape, &batch);
        let hidden = starts.iter().map(|s| s.value()).collect();
        let sources = batch.offsets.windows(2).map(|words| words[0]..words[1]).collect();
        State { values: memory.values.value(), keys: memory.keys.value(), sources, hidden }
    }

    fn next(&self, state: &mut State, last: &[usize]) -> Next {
        let tape = Tape::no_grad();
        let constant = |x: &Arc<Matrix>| tape.constant(x.clone());
        let memory = Memory { values: constant(&state.values), keys: constant(&state.keys) };
        let sequences = Sequences::per_query(state.sources.iter().cloned());
        let mut states: Vec<Var> = state.hidden.iter().map(constant).collect();
        let y = self.decoder.layers[0].project(self.target.forward(&tape, last));
        let alpha = self.step(y, &mut states, &memory, &sequences).value();
        let logits = self.output.forward(states[states.len() - 1]).value();
        state.hidden = states.iter().map(|s| s.value()).collect();
        let offsets = sequences.pair_offsets();
        let alignments = offsets.windows(2).map(|own| alpha.as_slice()[own[0]..own[1]].to_vec());
        Next { log_probabilities: log_softmax(&logits), alignments: alignments.collect() }
    }

    fn select(&self, state: &mut State, chosen: &[usize]) {
        state.sources = chosen.iter().map(|&j| state.sources[j].clone()).collect();
        state.hidden.iter_mut().for_each(|h| *h = chosen_columns(h, chosen));
    }
}

/// The state of a [`Bahdanau`] model between two words: what was read, once for every source, and
/// the hypotheses, a column each.
#[derive(Clone, Debug)]
pub struct State {
    /// The annotations (c, n) of all sources.
    pub values: Arc<Matrix>,
    /// The annotations as keys (h, n).
    pub keys: Arc<Matrix>,
    /// The columns of every hypothesis's source.
    pub sources: Vec<Range<usize>>,
    /// The state of every layer (H, b).
    pub hidden: Vec<Arc<Matrix>>,
}

impl Module for Encoder {
    fn visit(&mut self, visitor: &mut Visitor) {
        match self {
            Encoder::BothDirections(both) => both.visit(visitor),
            Encoder::Forward(layers) => layers.visit(visitor),
        }
    }
}

impl Module for Bahdanau {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("source", &mut self.source);
        visitor.module("target", &mut self.target);
        visitor.module("encoder", &mut self.encoder);
        visitor.module("start", &mut self.start);
        visitor.module("score", &mut self.score);
        visitor.module("decoder", &mut self.decoder);
        visitor.module("context", &mut self.context);
        visitor.module("output", &mut self.output);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::{assert_close, golden};
    use shared::Param;

    /// A model of one layer with the weights of the golden file.
    fn model(g: &golden::Golden) -> Bahdanau {
        let weight = |name| Param::new(g.matrix(name).transpose()); // PyTorch's are (outputs, inputs)
        let column = |name| Param::new(g.matrix(name));
        let sizes = seq2seq::Sizes {
            source_words: 3,
            target_words: 3,
            embedding: 3,
            hidden: 5,
            layers: 1,
            dropout: 0.0,
        };
        let config = Config { sizes, reading: Reading::Forward, score: 6, state_dropout: 0.0 };
        let mut model = Bahdanau::new(&config, &mut shared::rng(0));
        model.score.w_q.weight = weight("w");
        model.score.w_k.weight = weight("u");
        model.score.v = column("v");
        model.context.weight = weight("weight_c");
        let gru = &mut model.decoder.layers[0];
        gru.weights.weight_x = weight("weight_x");
        gru.weights.weight_h = weight("weight_h");
        gru.weights.bias_x = column("bias_x");
        gru.weights.bias_h = column("bias_h");
        model
    }

    #[test]
    fn a_decoder_step_equals_pytorch_with_all_gradients() {
        let g = golden::load("bahdanau");
        let model = model(&g);
        let of = |name| -> Matrix { g.matrix(name) };
        let tape = Tape::new();
        let leaf = |name| tape.leaf(of(name));
        let (values, start, previous) = (leaf("values"), leaf("states"), leaf("previous"));
        let memory = Memory { values, keys: model.score.w_k.forward(values) };
        let sequences = Sequences::one_each(&[0, 4, 5, 8]);
        let mut states = [start];
        let y = model.decoder.layers[0].project(previous);
        let alpha = model.step(y, &mut states, &memory, &sequences);
        let c = contexts(values, alpha, &sequences);
        assert_close!(alpha.value().transpose(), of("weights"), 1e-6);
        assert_close!(&*c.value(), of("contexts"), 1e-6);
        assert_close!(&*states[0].value(), of("following"), 1e-6);

        let loss = c.component_mul(tape.constant(of("dcontexts"))).sum()
            + states[0].component_mul(tape.constant(of("dfollowing"))).sum();
        let gradients = loss.backward();
        for (leaf, name) in [(values, "dvalues"), (start, "dstates"), (previous, "dprevious")] {
            assert_close!(gradients.wrt(leaf), of(name), 1e-5, "{name}");
        }
        let gru = &model.decoder.layers[0];
        let weights = [
            (&model.score.w_q.weight, "dw"),
            (&model.score.w_k.weight, "du"),
            (&model.context.weight, "dweight_c"),
            (&gru.weights.weight_x, "dweight_x"),
            (&gru.weights.weight_h, "dweight_h"),
        ];
        for (param, name) in weights {
            assert_close!(gradients.of(param).unwrap().transpose(), of(name), 1e-5, "{name}");
        }
        for (param, name) in [
            (&model.score.v, "dv"),
            (&gru.weights.bias_x, "dbias_x"),
            (&gru.weights.bias_h, "dbias_h"),
        ] {
            assert_close!(gradients.of(param).unwrap(), of(name), 1e-5, "{name}");
        }
    }
}
