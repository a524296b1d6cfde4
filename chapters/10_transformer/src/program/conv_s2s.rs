//! The convolutional translator of chapter 9 as a row of the comparison; it has no program of its own.

use crate::smoothed_cross_entropy;
use clap::Args;
use scoring_functions::Segments;
use self_attention::convolution::{self, ConvS2S, Memory};
use seq2seq::translating::count::linear;
use seq2seq::translating::{Recipe, Words};
use seq2seq::{Batch, Next, Translator, log_softmax};
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Module, Ragged, Rng, Tape, Var, Visitor};
use std::ops::Range;
use std::sync::Arc;

/// [`ConvS2S`], which knows nothing of translators, as one.
#[derive(Debug)]
pub struct Convolutional {
    pub model: ConvS2S,
    pub longest: usize,
    pub smoothing: Float,
}

#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConvSizes {
    pub width: u32,
    pub k: u32,
    /// Of the encoder, and as many of the decoder.
    pub layers: u32,
    pub dropout: Float,
    pub smoothing: Float,
    pub longest: u32,
}

impl ConvSizes {
    /// Five layers on either side over three tokens, and the width with which the model comes closest to so many
    /// parameters. The positions reach beyond the longest sentence that is judged.
    pub fn equalised(dropout: Float, smoothing: Float, words: Words, parameters: u64) -> ConvSizes {
        let with =
            |width: u32| ConvSizes { width, k: 3, layers: 5, dropout, smoothing, longest: 64 };
        let away = |width: &u32| {
            let count = Convolutions::parameters(&with(*width), words).unwrap_or(u64::MAX);
            count.abs_diff(parameters)
        };
        with((1..=4096).min_by_key(away).expect("some width"))
    }
}

pub struct Convolutions;

impl Recipe for Convolutions {
    const CHAPTER: &'static str = "transformer_conv_s2s";
    type Model = Convolutional;
    type Config = ConvSizes;

    fn check(_: &ConvSizes) -> Result<(), String> {
        Ok(())
    }

    fn parameters(sizes: &ConvSizes, words: Words) -> Option<u64> {
        let [d, k, layers, longest] =
            [sizes.width, sizes.k, sizes.layers, sizes.longest].map(u128::from);
        let [source, target] = words.counts();
        let vectors = (source + target + 2 * longest) * d;
        let convolutions = 2 * layers * linear(k * d, 2 * d);
        let model = vectors + convolutions + layers * linear(d, d) + linear(d, target);
        u64::try_from(model).ok()
    }

    fn width_and_heads(sizes: &ConvSizes) -> (u32, u32) {
        (sizes.width, sizes.layers)
    }

    fn build(sizes: &ConvSizes, words: Words, rng: &mut Rng) -> Convolutional {
        let [d, k, layers, longest] =
            [sizes.width, sizes.k, sizes.layers, sizes.longest].map(|size| size as usize);
        let of = convolution::Sizes {
            source_words: words.source,
            target_words: words.target,
            d,
            k,
            encoder: layers,
            decoder: layers,
            longest,
            dropout: sizes.dropout,
        };
        Convolutional { model: ConvS2S::new(&of, rng), longest, smoothing: sizes.smoothing }
    }
}

/// What decoding carries on: the sources, and of every layer the tokens that its next window needs.
pub struct State {
    keys: Arc<Matrix>,
    values: Arc<Matrix>,
    sources: Vec<Range<usize>>,
    /// Of every layer the k − 1 tokens before, one below another ((k − 1)·d, b).
    before: Vec<Matrix>,
    position: usize,
}

impl Convolutional {
    fn smoothed_loss<'t>(&self, tape: &'t Tape, batch: &Batch, epsilon: Float) -> Var<'t> {
        let memory = self.model.encode(tape, &batch.source);
        let (logits, _) = self.model.decode(memory, &batch.source, &batch.previous);
        smoothed_cross_entropy(logits, &batch.target.words, epsilon)
    }
}

impl Translator for Convolutional {
    type State = State;

    fn loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        self.smoothed_loss(tape, batch, 0.0)
    }

    fn training_loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        self.smoothed_loss(tape, batch, self.smoothing)
    }

    fn longest(&self) -> usize {
        self.longest
    }

    fn encode(&self, sources: &[&[usize]]) -> State {
        let (tape, source) = (Tape::without_gradients(), Ragged::new(sources));
        let Memory { keys, values } = self.model.encode(&tape, &source);
        let d = keys.shape().0;
        let before = self.model.decoder.iter();
        State {
            keys: keys.value(),
            values: values.value(),
            sources: source.offsets.windows(2).map(|ends| ends[0]..ends[1]).collect(),
            before: before
                .map(|layer| Matrix::zeros(layer.convolution.before * d, sources.len()))
                .collect(),
            position: 0,
        }
    }

    fn next(&self, state: &mut State, last: &[usize]) -> Next {
        let tape = Tape::without_gradients();
        let constant = |x: &Arc<Matrix>| tape.constant(x.clone());
        let memory = Memory { keys: constant(&state.keys), values: constant(&state.values) };
        let across = Segments::about(state.sources.iter().cloned());
        let g = self.model.embed(&tape, last, &vec![state.position; last.len()]);
        let (d, mut x, mut alignments) = (g.shape().0, g, Vec::new());
        for (layer, before) in self.model.decoder.iter().zip(&mut state.before) {
            let windows = tape.constant(before.clone()).stack(x); // (k·d, b)
            *before = windows.value().rows(d, before.nrows()).into_owned();
            let (y, looked) = layer.forward(windows, [x, g], memory, &across);
            let weights = |j: usize| looked.of(j, 0).as_slice().to_vec();
            alignments = (0..last.len()).map(weights).collect(); // of the last layer
            x = y;
        }
        state.position += 1;
        Next { log_probabilities: log_softmax(&self.model.logits(x).value()), alignments }
    }

    fn select(&self, state: &mut State, chosen: &[usize]) {
        state.sources = chosen.iter().map(|&j| state.sources[j].clone()).collect();
        state.before.iter_mut().for_each(|x| *x = x.select_columns(chosen));
    }
}

impl Module for Convolutional {
    fn visit(&mut self, visitor: &mut Visitor) {
        self.model.visit(visitor);
    }
}
