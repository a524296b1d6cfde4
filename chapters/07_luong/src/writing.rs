//! The model as a translator: one word after another, of several hypotheses at a time.

use crate::{Luong, Memory, Order};
use scoring_functions::Sequences;
use seq2seq::{Batch, Next, Packed, Translator, chosen_columns, log_softmax};
use shared::{Float, Matrix, Tape, Var};
use std::ops::Range;
use std::sync::Arc;

impl Translator for Luong {
    type State = State;

    fn loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        let order = if self.feed.is_some() { Order::StepByStep } else { Order::AllAtOnce };
        self.loss_in(order, tape, batch)
    }

    fn encode(&self, sources: &[&[usize]]) -> State {
        let tape = Tape::no_grad();
        let batch = Packed::new(&Batch::to_translate(sources));
        let (memory, starts) = self.read(&tape, &batch);
        let hidden = starts.iter().map(|h| h.value()).collect();
        let (values, keys) = (memory.values.value(), memory.keys.value());
        let sources = batch.offsets.windows(2).map(|words| words[0]..words[1]).collect();
        State { values, keys, sources, hidden, attentional: None, written: 0 }
    }

    fn next(&self, state: &mut State, last: &[usize]) -> Next {
        let tape = Tape::no_grad();
        let constant = |value: &Arc<Matrix>| tape.constant(value.clone());
        let memory = Memory { values: constant(&state.values), keys: constant(&state.keys) };
        let mut states: Vec<Var> = state.hidden.iter().map(constant).collect();
        let y = self.decoder.layers[0].project(self.target.forward(&tape, last));
        let about = Sequences::per_query(state.sources.iter().cloned());
        let sequences = self.at_step(state.written, about);
        let fed = state.attentional.as_ref().map(constant);
        let seen = self.step(y, &mut states, fed, &memory, sequences);
        let unseen = state.sources.iter().map(|words| vec![0.0; words.len()]);
        let mut alignments: Vec<Vec<Float>> = unseen.collect();
        for (pair, weight) in seen.sequences.pairs().zip(seen.weights.value().iter()) {
            alignments[pair.query][pair.position] = *weight;
        }
        state.hidden = states.iter().map(|h| h.value()).collect();
        state.attentional = Some(seen.attentional.value());
        state.written += 1;
        let logits = self.output.forward(seen.attentional).value();
        Next { log_probabilities: log_softmax(&logits), alignments }
    }

    fn select(&self, state: &mut State, chosen: &[usize]) {
        state.sources = chosen.iter().map(|&j| state.sources[j].clone()).collect();
        state.hidden.iter_mut().chain(&mut state.attentional).for_each(|h| {
            *h = chosen_columns(h, chosen);
        });
    }
}

/// The state of a [`Luong`] model between two words: what was read, once for every source, and the
/// hypotheses, a column each.
#[derive(Clone, Debug)]
pub struct State {
    /// `h` (H, n) of all sources.
    pub values: Arc<Matrix>,
    /// What the score makes of them.
    pub keys: Arc<Matrix>,
    /// The columns of every hypothesis's source.
    pub sources: Vec<Range<usize>>,
    /// The state of every layer (H, b).
    pub hidden: Vec<Arc<Matrix>>,
    /// `s̃` (H, b) of the last words; none before the first.
    pub attentional: Option<Arc<Matrix>>,
    /// How many words are written.
    pub written: usize,
}
