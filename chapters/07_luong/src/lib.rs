//! Before the step or after it, everywhere or nearby?
//!
//! The decoder attends after its recurrent step, with one of several scores and windows, and may read what
//! it has looked at (Luong et al. 2015). A column is a word. Sizes in this chapter:
//!
//! | letter | what it counts |
//! |---|---|
//! | `E`, `H` | entries of a word's vector; of a state and of an annotation |
//! | `m`, `n` | source words, target words |
//! | `D` | words of a window on either side of its middle |
//!
//! | module | holds |
//! |---|---|
//! | `score`, `position`, [`windows`] | how well a word fits; where to look; which words are seen |
//! | [`attention`] | the operations behind them |
//! | here | the model and its loss |
//! | `writing` | the same word by word |
//! | [`program`] | the program |

pub mod attention;
mod position;
#[cfg(feature = "program")]
pub mod program;
mod score;
pub mod windows;
mod writing;

pub use position::Position;
pub use score::{Score, Scoring};
pub use writing::State;

use attention::{contexts_by_sentence, near, together};
use bahdanau::attention::{contexts, softmax_in_segments};
use bahdanau::{Encoder, Reading};
use recurrent_networks::{Bidirectional, Gru, Inputs, Stack};
use scoring_functions::{AttentionMask, Sequence, Sequences};
use seq2seq::{Batch, Packed, vectors};
use serde::{Deserialize, Serialize};
use shared::{Embedding, Float, Linear, Module, Param, Rng, Tape, Var, Visitor, cross_entropy};
use windows::{Reach, around};

/// The configuration of a [`Luong`] model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Vocabularies, widths, layers, dropout.
    pub sizes: seq2seq::Sizes,
    /// How the source is read.
    pub reading: Reading,
    /// Whether a learnt matrix makes the annotations of two directions, 2H entries, as long as a
    /// state, H. Without it each direction has half as many entries.
    pub projected: bool,
    /// The score.
    pub scoring: Scoring,
    /// Where attention may look.
    pub reach: Reach,
    /// D: a window has the words up to D away from its center, at least 1.
    pub width: usize,
    /// Whether the decoder reads `s̃_{i−1}` beside the last word.
    pub feeding: bool,
    /// The positions that the location score knows.
    pub positions: usize,
}

/// An encoder–decoder that attends after its recurrent step (Luong et al. 2015), with gated units.
#[derive(Debug)]
pub struct Luong {
    /// The vectors of the source words.
    pub source: Embedding,
    /// The vectors of the target words.
    pub target: Embedding,
    /// Reads the source.
    pub encoder: Encoder,
    /// From an annotation of two directions (2H) to one as long as the decoder's state (H). There is
    /// none where the annotation has that length: see [`Config::projected`], and [`Reading::Forward`].
    pub narrow: Option<Linear>,
    /// `h₀ = tanh(W h)`, as in chapter 6; with [`Reading::Forward`] the encoder's last states.
    pub start: Vec<Linear>,
    /// Writes the target.
    pub decoder: Stack<Gru>,
    /// From `s̃_{i−1}` to the gates of the first layer: input feeding.
    pub feed: Option<Linear>,
    /// The score of `s_i` and `h_j`.
    pub score: Score,
    /// Predicts the positions of [`Reach::LocalP`].
    pub position: Option<Position>,
    /// `W_c` (H, 2H): `s̃_i = tanh(W_c [c_i; s_i])`.
    pub combine: Linear,
    /// `W_s`: from `s̃_i` to the logits of the next word.
    pub output: Linear,
    /// Where attention may look.
    pub reach: Reach,
    /// D
    pub width: usize,
    /// See [`seq2seq::Sizes::dropout`].
    pub dropout: Float,
}

/// The sources as the decoder sees them: sentence after sentence, in the order of the targets.
struct Memory<'t> {
    values: Var<'t>, // (H, n): h
    keys: Var<'t>,   // what the queries are multiplied with or added to, made once
}

/// The results of a step's attention.
struct Seen<'t> {
    attentional: Var<'t>, // (H, b): s̃
    weights: Var<'t>,     // (1, n)
    sequences: Sequences,
}

impl Luong {
    /// Random parameters.
    ///
    /// # Panics
    /// When width or positions are 0, or a state cannot be halved that must be.
    pub fn new(config: &Config, rng: &mut Rng) -> Luong {
        let sizes = &config.sizes;
        let (embedding, hidden) = (sizes.embedding, sizes.hidden);
        assert!(config.width > 0 && config.positions > 0, "windows without words");
        let (encoder, annotation) = match config.reading {
            Reading::BothDirections => {
                let direction = if config.projected { hidden } else { half(hidden) };
                let both = Bidirectional::new(embedding, direction, rng);
                (Encoder::BothDirections(both), 2 * direction)
            }
            Reading::Forward => {
                let stack = Stack::new(embedding, hidden, sizes.layers, sizes.dropout, rng);
                (Encoder::Forward(stack), hidden)
            }
        };
        let starts = if config.reading == Reading::BothDirections { sizes.layers } else { 0 };
        let narrow = annotation > hidden;
        Luong {
            source: Embedding::new(sizes.source_words, embedding, rng),
            target: Embedding::new(sizes.target_words, embedding, rng),
            encoder,
            narrow: narrow.then(|| Linear::without_bias(annotation, hidden, rng)),
            start: (0..starts).map(|_| Linear::new(annotation, hidden, rng)).collect(),
            decoder: Stack::new(embedding, hidden, sizes.layers, sizes.dropout, rng),
            feed: config.feeding.then(|| Linear::without_bias(hidden, 3 * hidden, rng)),
            score: Score::new(config.scoring, hidden, config.positions, rng),
            position: (config.reach == Reach::LocalP).then(|| Position {
                w: Linear::without_bias(hidden, hidden, rng),
                v: Param::glorot(hidden, 1, rng),
            }),
            combine: Linear::without_bias(2 * hidden, hidden, rng),
            output: Linear::new(hidden, sizes.target_words, rng),
            reach: config.reach,
            width: config.width,
            dropout: sizes.dropout,
        }
    }

    /// The annotations and the decoder's first states, (H, B) each.
    fn read<'t>(&self, tape: &'t Tape, batch: &Packed) -> (Memory<'t>, Vec<Var<'t>>) {
        let x = vectors(&self.source, tape, &batch.source, self.dropout);
        let steps = &batch.source_steps;
        let (annotations, starts) = match &self.encoder {
            Encoder::BothDirections(both) => {
                let h = both.forward(x, steps).select_columns(&batch.annotations); // (2H, n)
                let first = h.select_columns(&batch.offsets[..batch.sentences()]);
                (h, self.start.iter().map(|start| start.forward(first).tanh()).collect())
            }
            Encoder::Forward(stack) => {
                let states = stack.forward(x, steps, None); // (H, n) each
                let last = batch.last_words();
                let h = states[states.len() - 1].select_columns(&batch.annotations);
                (h, states.iter().map(|h| h.select_columns(&last)).collect())
            }
        };
        let values = self.narrow.as_ref().map_or(annotations, |narrow| narrow.forward(annotations));
        (Memory { values, keys: self.score.keys(values) }, starts)
    }

    // ANCHOR: attend
    /// From the states `s` (H, b) to `s̃`.
    fn attend<'t>(&self, s: Var<'t>, memory: &Memory<'t>, sequences: Sequences) -> Seen<'t> {
        let p = self.position.as_ref().map(|position| position.predict(s, &sequences)); // (1, b)
        let sequences = self.windows(p, sequences);
        let e = self.score.of(s, memory.keys, &sequences); // (1, n)
        let alpha = softmax_in_segments(e, &sequences);
        let weights = match p {
            Some(p) => near(alpha, p, &sequences, self.width as Float / 2.0), // σ = D/2
            None => alpha,
        };
        let c = if together(&sequences) {
            contexts_by_sentence(memory.values, weights, &sequences)
        } else {
            contexts(memory.values, weights, &sequences)
        };
        let attentional = self.combine.forward(c.stack(s)).tanh(); // s̃ = tanh(W_c [c; s])
        Seen { attentional, weights, sequences }
    }
    // ANCHOR_END: attend

    fn windows(&self, p: Option<Var>, sequences: Sequences) -> Sequences {
        let d = self.width;
        let mask = match (self.reach, p) {
            (Reach::LocalP, Some(p)) => {
                let p = p.value();
                let windows = sequences.each().map(|(i, own)| around(p[i], d, own.keys.len()));
                AttentionMask::Given(windows.collect())
            }
            (Reach::LocalM, _) => AttentionMask::Window { behind: d, ahead: d }, // p_i = i, or the last
            _ => AttentionMask::All,
        };
        sequences.with(mask)
    }

    // ANCHOR: step
    /// One word further: from `y` (3H, b), the projected vectors of the words before, the states of
    /// the layers and the last `s̃`, (H, b) each.
    fn step<'t>(
        &self,
        y: Var<'t>,
        states: &mut [Var<'t>],
        last: Option<Var<'t>>,
        memory: &Memory<'t>,
        sequences: Sequences,
    ) -> Seen<'t> {
        let mut gates = match (&self.feed, last) {
            (Some(feed), Some(last)) => y + feed.forward(last), // [y_{i−1}; s̃_{i−1}]
            _ => y,
        };
        for (l, layer) in self.decoder.layers.iter().enumerate() {
            states[l] = layer.step(gates, states[l]); // s_i = f(s_{i−1}, …)
            if let Some(above) = self.decoder.layers.get(l + 1) {
                gates = above.project(states[l].dropout(self.dropout));
            }
        }
        self.attend(states[states.len() - 1], memory, sequences)
    }
    // ANCHOR_END: step

    /// `s̃` of all words, packed, one step after another.
    fn step_by_step<'t>(
        &self,
        words: Inputs<'t>,
        batch: &Packed,
        (memory, mut states): (Memory<'t>, Vec<Var<'t>>),
    ) -> Var<'t> {
        let y = self.decoder.layers[0].project(words); // (3H, N)
        let steps = &batch.target_steps;
        let mut all: Vec<Var<'t>> = Vec::with_capacity(steps.len());
        for i in 0..steps.len() {
            let b = steps.size(i); // sentences that go on
            let shrunk = |x: Var<'t>| if b < x.shape().1 { x.columns(0, b) } else { x };
            states.iter_mut().for_each(|s| *s = shrunk(*s));
            let last = all.last().map(|last| shrunk(*last)); // s̃₀ = 0 adds nothing
            let sequences = self.at_step(i, Sequences::one_each(&batch.offsets[..=b]));
            let y_i = y.columns(steps.columns(i).start, b);
            all.push(self.step(y_i, &mut states, last, &memory, sequences).attentional);
        }
        Var::side_by_side(&all)
    }

    // ANCHOR: all_at_once
    /// `s̃` of all words, sentence after sentence: without input feeding no state waits for a
    /// context, so the decoder is one recurrent layer, and then all its states ask at once.
    fn all_at_once<'t>(
        &self,
        words: Inputs<'t>,
        batch: &Packed,
        (memory, starts): (Memory<'t>, Vec<Var<'t>>),
    ) -> Var<'t> {
        let steps = &batch.target_steps;
        let states = self.decoder.forward(words, steps, Some(&starts));
        let s = states[states.len() - 1].select_columns(&steps.by_sequence()); // (H, N)
        let ends = steps.lengths().iter().scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        let asked: Vec<usize> = std::iter::once(0).chain(ends).collect();
        let sequences = self.at_step(0, Sequences::between(&asked, &batch.offsets));
        self.attend(s, &memory, sequences).attentional
    }
    // ANCHOR_END: all_at_once

    /// Sequences of which the first queries write word number `step` of their sentences, from 0. The
    /// words after the last position that a location score knows are left out.
    fn at_step(&self, step: usize, mut sequences: Sequences) -> Sequences {
        for Sequence { keys, offset, .. } in &mut sequences.sequences {
            *offset = step;
            if let Score::Location(location) = &self.score {
                keys.end = keys.end.min(keys.start + location.w.weight.value().nrows());
            }
        }
        sequences
    }

    /// The loss, with all states asking at once or one step after another.
    ///
    /// # Panics
    /// When all are to ask at once, but `s̃` is fed back.
    pub fn loss_in<'t>(&self, order: Order, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        let batch = &Packed::new(batch);
        let read = self.read(tape, batch);
        let words = vectors(&self.target, tape, &batch.previous, self.dropout);
        match order {
            Order::StepByStep => {
                let s = self.step_by_step(words, batch, read); // (H, N)
                cross_entropy(self.output.forward(s), &batch.target)
            }
            Order::AllAtOnce => {
                assert!(self.feed.is_none(), "a state that is fed s̃ must wait for it");
                let s = self.all_at_once(words, batch, read); // (H, N)
                let sorted = batch.target_steps.by_sequence();
                let target: Vec<usize> = sorted.iter().map(|&i| batch.target[i]).collect();
                cross_entropy(self.output.forward(s), &target)
            }
        }
    }
}

/// The entries of each of two directions that make a state together.
fn half(hidden: usize) -> usize {
    assert!(hidden.is_multiple_of(2), "{hidden} entries, of which each direction has half");
    hidden / 2
}

/// How the decoder's states come to their contexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Each before the next state is computed.
    StepByStep,
    /// All states first, then all contexts: not with input feeding.
    AllAtOnce,
}

impl Module for Luong {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("source", &mut self.source);
        visitor.module("target", &mut self.target);
        visitor.module("encoder", &mut self.encoder);
        visitor.module("narrow", &mut self.narrow);
        visitor.module("start", &mut self.start);
        visitor.module("decoder", &mut self.decoder);
        visitor.module("feed", &mut self.feed);
        visitor.module("score", &mut self.score);
        visitor.module("position", &mut self.position);
        visitor.module("combine", &mut self.combine);
        visitor.module("output", &mut self.output);
    }
}

#[cfg(test)]
mod golden;

/// The checks of the exercises, which name this crate, for the chapter's notebook.
#[cfg(feature = "exercises")]
#[path = "../tests/exercises/main.rs"]
pub mod exercises;
#[cfg(feature = "exercises")]
extern crate self as luong;
