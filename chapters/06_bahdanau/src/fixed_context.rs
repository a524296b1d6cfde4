//! The translator without the look back: everything else as it is, and one context for all words.

use recurrent_networks::{Bidirectional, Gru, Stack};
use seq2seq::{Batch, Next, Packed, Sizes, State, Translator, chosen_columns};
use seq2seq::{log_softmax, vectors};
use shared::{Embedding, Float, Linear, Module, Rng, Tape, Var, Visitor, cross_entropy};

/// A [`Bahdanau`](crate::Bahdanau) model that reads in both directions but has no score: the context
/// of every word is `c = [→h_m; ←h_1]`, what each of the two readers knows when it has read all.
#[derive(Debug)]
pub struct FixedContext {
    /// The vectors of the source words.
    pub source: Embedding,
    /// The vectors of the target words.
    pub target: Embedding,
    /// Reads the source.
    pub encoder: Bidirectional<Gru>,
    /// `s₀ = tanh(W_s h₁ + b)`, one for every layer of the decoder.
    pub start: Vec<Linear>,
    /// Writes the target: its first layer reads a word's vector above the context.
    pub decoder: Stack<Gru>,
    /// From the top state to the logits of the next word.
    pub output: Linear,
    /// See [`Sizes::dropout`].
    pub dropout: Float,
}

impl FixedContext {
    /// Random parameters.
    pub fn new(sizes: &Sizes, rng: &mut Rng) -> FixedContext {
        let Sizes { source_words, target_words, embedding, hidden, layers, dropout } = *sizes;
        FixedContext {
            source: Embedding::new(source_words, embedding, rng),
            target: Embedding::new(target_words, embedding, rng),
            encoder: Bidirectional::new(embedding, hidden, rng),
            start: (0..layers).map(|_| Linear::new(2 * hidden, hidden, rng)).collect(),
            decoder: Stack::new(embedding + 2 * hidden, hidden, layers, dropout, rng),
            output: Linear::new(hidden, target_words, rng),
            dropout,
        }
    }

    /// The context (2H, B) and the decoder's first states (H, B), in the order of the targets.
    fn read<'t>(&self, tape: &'t Tape, batch: &Packed) -> (Var<'t>, Vec<Var<'t>>) {
        let x = vectors(&self.source, tape, &batch.source, self.dropout);
        let h = self.encoder.forward(x, &batch.source_steps); // (2H, n)
        let hidden = h.shape().0 / 2;
        let first: Vec<usize> =
            batch.offsets[..batch.sentences()].iter().map(|&o| batch.annotations[o]).collect();
        let (first, last) = (h.select_columns(&first), h.select_columns(&batch.last_words()));
        let context = last.rows(0, hidden).stack(first.rows(hidden, hidden)); // [→h_m; ←h₁]
        (context, self.start.iter().map(|start| start.forward(first).tanh()).collect())
    }
}

impl Translator for FixedContext {
    type State = State;

    fn loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        let batch = Packed::new(batch);
        let (context, starts) = self.read(tape, &batch);
        let words = self.target.forward(tape, &batch.previous).dropout(self.dropout); // (E, N)
        let x = words.stack(context.select_columns(&batch.sentence)); // (E + 2H, N)
        let states = self.decoder.forward(x, &batch.target_steps, Some(&starts));
        cross_entropy(self.output.forward(states[states.len() - 1]), &batch.target)
    }

    fn encode(&self, sources: &[&[usize]]) -> State {
        let tape = Tape::no_grad();
        let batch = Packed::new(&Batch::to_translate(sources));
        let (context, starts) = self.read(&tape, &batch);
        let hidden = starts.iter().map(|state| state.value()).collect();
        State { context: context.value(), hidden }
    }

    fn next(&self, state: &mut State, last: &[usize]) -> Next {
        let tape = Tape::no_grad();
        let context = tape.constant(state.context.clone());
        let mut x = self.target.forward(&tape, last).stack(context);
        for (layer, s) in self.decoder.layers.iter().zip(&mut state.hidden) {
            x = layer.step(layer.project(x), tape.constant(s.clone()));
            *s = x.value();
        }
        let log_probabilities = log_softmax(&self.output.forward(x).value());
        Next { log_probabilities, alignments: vec![Vec::new(); last.len()] }
    }

    fn select(&self, state: &mut State, chosen: &[usize]) {
        state.context = chosen_columns(&state.context, chosen);
        state.hidden.iter_mut().for_each(|s| *s = chosen_columns(s, chosen));
    }
}

impl Module for FixedContext {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("source", &mut self.source);
        visitor.module("target", &mut self.target);
        visitor.module("encoder", &mut self.encoder);
        visitor.module("start", &mut self.start);
        visitor.module("decoder", &mut self.decoder);
        visitor.module("output", &mut self.output);
    }
}
