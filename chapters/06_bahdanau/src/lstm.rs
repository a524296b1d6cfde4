//! The translator of this chapter with another cell: long short-term memory in place of gated units.

use crate::State;
use crate::attention::{additive_scores, contexts, softmax_in_segments};
use recurrent_networks::{Bidirectional, Lstm, State as Cell};
use scoring_functions::{Additive, Segments};
use seq2seq::{Batch, Next, Packed, Sizes, Translator, chosen_columns, log_softmax, vectors};
use shared::{Embedding, Float, Linear, Module, Rng, Tape, Var, Visitor, cross_entropy};

/// A [`Bahdanau`](crate::Bahdanau) model of one layer that reads in both directions, with the cells of
/// chapter 4's LSTM. The attention sees `h` alone, and not the memory `c` that the cell keeps to itself.
#[derive(Debug)]
pub struct LstmTranslator {
    /// The vectors of the source words.
    pub source: Embedding,
    /// The vectors of the target words.
    pub target: Embedding,
    /// Reads the source into annotations.
    pub encoder: Bidirectional<Lstm>,
    /// `s₀ = tanh(W_s h₁)`; the first memory is 0.
    pub start: Linear,
    /// The score `e_ij = vᵀ tanh(W s_{i−1} + U h_j)`.
    pub score: Additive,
    /// Writes the target.
    pub decoder: Lstm,
    /// `C`: from the context to the four gates.
    pub context: Linear,
    /// From the state to the logits of the next word.
    pub output: Linear,
    /// See [`Sizes::dropout`].
    pub dropout: Float,
}

/// The annotations (2H, n), and the same as keys (H, n).
type Memory<'t> = [Var<'t>; 2];

impl LstmTranslator {
    /// Random parameters; its score has as many hidden units as a state has entries. Of the sizes' layers
    /// it has one.
    pub fn new(sizes: &Sizes, rng: &mut Rng) -> LstmTranslator {
        let Sizes { source_words, target_words, embedding, hidden, dropout, .. } = *sizes;
        let context = 2 * hidden;
        LstmTranslator {
            source: Embedding::new(source_words, embedding, rng),
            target: Embedding::new(target_words, embedding, rng),
            encoder: Bidirectional::new(embedding, hidden, rng),
            start: Linear::new(context, hidden, rng),
            score: Additive::without_bias(hidden, context, hidden, rng),
            decoder: recurrent_networks::Recurrent::new(embedding, hidden, rng),
            context: Linear::without_bias(context, 4 * hidden, rng),
            output: Linear::new(hidden, target_words, rng),
            dropout,
        }
    }

    fn read<'t>(&self, tape: &'t Tape, batch: &Packed) -> (Memory<'t>, Cell<'t>) {
        let x = vectors(&self.source, tape, &batch.source, self.dropout);
        let annotations = self.encoder.forward(x, &batch.source_steps); // (2H, n)
        let values = annotations.select_columns(&batch.annotations);
        let first = values.select_columns(&batch.offsets[..batch.sentences()]);
        let h = self.start.forward(first).tanh(); // (H, B)
        let c = tape.constant(shared::Matrix::zeros(h.shape().0, h.shape().1));
        ([values, self.score.w_k.forward(values)], Cell { h, c })
    }

    /// From `y` (4H, b), the projected vectors of the words before, and the state to the next one, and the
    /// weights (1, n).
    fn step<'t>(
        &self,
        y: Var<'t>,
        state: Cell<'t>,
        [values, keys]: Memory<'t>,
        segments: &Segments,
    ) -> (Cell<'t>, Var<'t>) {
        let query = self.score.w_q.forward(state.h); // (H, b): W s_{i−1}
        let e = additive_scores(query, keys, y.tape().param(&self.score.v), segments); // (1, n)
        let alpha = softmax_in_segments(e, segments); // (1, n)
        let c = contexts(values, alpha, segments); // (2H, b)
        (self.decoder.step(y + self.context.forward(c), state), alpha)
    }
}

impl Translator for LstmTranslator {
    /// Hidden are the state and the memory.
    type State = State;

    fn loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        let batch = Packed::new(batch);
        let (memory, mut state) = self.read(tape, &batch);
        let words = vectors(&self.target, tape, &batch.previous, self.dropout);
        let y = self.decoder.project(words); // (4H, N)
        let steps = &batch.target_steps;
        let mut tops = Vec::with_capacity(steps.len());
        for i in 0..steps.len() {
            let b = steps.size(i); // sentences that go on
            if b < state.h.shape().1 {
                state = Cell { h: state.h.columns(0, b), c: state.c.columns(0, b) };
            }
            let y_i = y.columns(steps.columns(i).start, b);
            let segments = Segments::one_each(&batch.offsets[..=b]);
            state = self.step(y_i, state, memory, &segments).0;
            tops.push(state.h);
        }
        cross_entropy(self.output.forward(Var::side_by_side(&tops)), &batch.target)
    }

    fn encode(&self, sources: &[&[usize]]) -> State {
        let tape = Tape::without_gradients();
        let batch = Packed::new(&Batch::to_translate(sources));
        let ([values, keys], start) = self.read(&tape, &batch);
        let sources = batch.offsets.windows(2).map(|words| words[0]..words[1]).collect();
        let hidden = [start.h, start.c].map(|x| x.value()).into();
        State { values: values.value(), keys: keys.value(), sources, hidden }
    }

    fn next(&self, state: &mut State, last: &[usize]) -> Next {
        let tape = Tape::without_gradients();
        let memory = [&state.values, &state.keys].map(|x| tape.constant(x.clone()));
        let segments = Segments::about(state.sources.iter().cloned());
        let [h, c] = [0, 1].map(|i| tape.constant(state.hidden[i].clone()));
        let y = self.decoder.project(self.target.forward(&tape, last));
        let (after, alpha) = self.step(y, Cell { h, c }, memory, &segments);
        let (logits, alpha) = (self.output.forward(after.h).value(), alpha.value());
        state.hidden = [after.h, after.c].map(|x| x.value()).into();
        let weights = |own: &[usize]| alpha.as_slice()[own[0]..own[1]].to_vec();
        let alignments = segments.pair_offsets().windows(2).map(weights).collect();
        Next { log_probabilities: log_softmax(&logits), alignments }
    }

    fn select(&self, state: &mut State, chosen: &[usize]) {
        state.sources = chosen.iter().map(|&j| state.sources[j].clone()).collect();
        state.hidden.iter_mut().for_each(|h| *h = chosen_columns(h, chosen));
    }
}

impl Module for LstmTranslator {
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
