//! A model trained on windows of a source that are drawn for every step.

use super::source::Source;
use crate::world;
use crate::{Gpt, shifted};
use recurrent_networks::{LanguageModel, Steps};
use serde::Serialize;
use shared::{AdamW, Float, Module, Rng, Tape, Var, cross_entropy, mean_loss};
use std::marker::PhantomData;
use workbench::error::Result;
use workbench::training::{
    Evaluation, History, Method, Options, Prepared, Schedule, Shape, Task, Value, json, train,
};

/// Steps of an epoch, and texts of a step.
const STEPS: usize = 50;
pub const BATCH: usize = 16;
/// The chapter's.
pub const EPOCHS: usize = 40;

/// A model that predicts the next word.
pub trait NextWord: Module + Sync {
    /// The logits (V, n) of what follows each word but the last of each text, text by text.
    fn logits<'t>(&self, tape: &'t Tape, texts: &[&[usize]]) -> Var<'t>;

    /// `−Σ ln p` of every word of the texts but their first.
    fn loss<'t>(&self, tape: &'t Tape, texts: &[&[usize]]) -> Var<'t> {
        cross_entropy(self.logits(tape, texts), &shifted(texts).1)
    }
}

impl NextWord for Gpt {
    fn logits<'t>(&self, tape: &'t Tape, texts: &[&[usize]]) -> Var<'t> {
        Gpt::logits(self, self.forward(tape, &shifted(texts).0).0)
    }
}

/// Chapter 4's language model.
pub type Lstm = LanguageModel<recurrent_networks::Lstm>;

impl NextWord for Lstm {
    /// The texts are equally long.
    fn logits<'t>(&self, tape: &'t Tape, texts: &[&[usize]]) -> Var<'t> {
        let length = texts[0].len() - 1;
        let steps = Steps::new(&vec![length; texts.len()]);
        let mut words = vec![0; steps.tokens()]; // step by step …
        let mut order = Vec::with_capacity(words.len()); // … and back, text by text
        for (i, text) in texts.iter().enumerate() {
            for (t, word) in text[..length].iter().enumerate() {
                words[steps.column(i, t)] = *word;
                order.push(steps.column(i, t));
            }
        }
        self.forward(tape, &words, &steps).select_columns(&order)
    }
}

/// The mean loss of a word of these texts, which are equally long, in nats.
pub fn mean_nats(model: &impl NextWord, texts: &[Vec<usize>]) -> f64 {
    let shards: Vec<&[Vec<usize>]> = texts.chunks(BATCH).collect();
    mean_loss(&shards, |tape, texts| {
        let words = texts.iter().map(|text| text.len() - 1).sum();
        (model.loss(tape, &slices(texts)), words)
    })
}

/// The share of the answers in texts of the world at which the true word is the most probable.
pub fn right_answers(model: &impl NextWord, texts: &[Vec<usize>]) -> f64 {
    let (mut right, mut asked) = (0, 0);
    for text in texts {
        let logits = model.logits(&Tape::no_grad(), &[text]).value();
        for i in world::answers(text) {
            right += usize::from(logits.column(i - 1).imax() == text[i]);
            asked += 1;
        }
    }
    right as f64 / asked as f64
}

pub fn slices(texts: &[Vec<usize>]) -> Vec<&[usize]> {
    texts.iter().map(Vec::as_slice).collect()
}

/// Windows of a source, drawn anew for every step.
pub struct Windows<'a, M> {
    source: &'a Source,
    length: usize,
    steps: usize, // of an epoch
    watched: &'a [Vec<usize>],
    description: Value,
    model: PhantomData<fn() -> M>,
}

/// Windows of `length` words, so many steps an epoch, for a model that is described so.
pub fn windows<'a, M>(
    source: &'a Source,
    length: usize,
    steps: usize,
    config: &impl Serialize,
) -> Windows<'a, M> {
    let description = json!({
        "model": "language_model",
        "config": config,
        "fingerprint of the text": source.fingerprint(),
        "length": length,
        "batch": BATCH,
        "steps": steps,
    });
    Windows { source, length, steps, watched: &[], description, model: PhantomData }
}

impl<M: NextWord> Task for Windows<'_, M> {
    type Model = M;
    type Shard = Vec<Vec<usize>>;

    fn describe(&self) -> Value {
        self.description.clone()
    }

    /// Numbers of texts that are not drawn yet.
    fn batches(&self, _: &mut Rng) -> Vec<Vec<usize>> {
        vec![(0..BATCH).collect(); self.steps]
    }

    fn prepare(&self, texts: &[usize], shards: usize, rng: &mut Rng) -> Prepared<Self::Shard> {
        let drawn: Vec<_> = texts.iter().map(|_| self.source.draw(self.length, rng)).collect();
        let shards = drawn.chunks(texts.len().div_ceil(shards)).map(<[_]>::to_vec).collect();
        Prepared::mean(shards, texts.len() * self.length)
    }

    fn loss<'t>(&self, model: &M, tape: &'t Tape, texts: &Vec<Vec<usize>>) -> Var<'t> {
        model.loss(tape, &slices(texts))
    }

    fn evaluate(&self, model: &M, _: usize) -> Option<Evaluation> {
        (!self.watched.is_empty()).then(|| Evaluation::new(mean_nats(model, self.watched)))
    }
}

/// How much of a parameter is taken away: a hundredth of a weight times the rate, nothing of what has one column.
pub fn decay(name: &str) -> Float {
    if name.ends_with("weight") && !name.contains("norm") { 0.01 } else { 0.0 }
}

/// The rate rises over the first of `epochs` and falls to a tenth of it along a cosine; weights decay, biases and
/// normalisations do not (Loshchilov & Hutter 2019).
pub fn options(epochs: usize) -> Options {
    let shape = Shape::Cosine { total: (epochs * STEPS) as u64 };
    let schedule = Schedule { rate: RATE, warmup: STEPS as u64, shape };
    let method = Method::new(AdamW::new(0.0, decay));
    Options { epochs, schedule, method, clip: Some(1.0), ..Options::default() }
}

const RATE: Float = 2e-3;

/// Trains a model that `config` describes on windows of `length` words; `watched` are looked at after each epoch.
pub fn fit<M: NextWord>(
    model: &mut M,
    config: &impl Serialize,
    source: &Source,
    length: usize,
    watched: &[Vec<usize>],
    options: &Options,
) -> Result<History> {
    train(&Windows { watched, ..windows(source, length, STEPS, config) }, model, options)
}
