//! A language model learns one side of the course's corpus: which word comes next?

use crate::bidirectional::Bidirectional;
use crate::language::LanguageModel;
use crate::layers::{Gru, Recurrent};
use crate::steps::Steps;
use corpora::{BEGIN, END, Pair, Vocabulary};
use shared::{Embedding, Float, Linear, Module, Rng, Tape, Var, Visitor, cross_entropy};
use std::collections::HashSet;
use std::marker::PhantomData;
use workbench::error::Result;
use workbench::training::{
    self, Options, Prepared, Schedule, Shape, Task, Value, cut, json, shuffled_batches,
};
use worlds::parallel::{English, French, Sizes, splits};

const BATCH: usize = 64;
/// Passes over the sentences.
const EPOCHS: usize = 4;
const RATE: Float = 5e-3;

/// English or French.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// the black cat
    English,
    /// le chat noir
    French,
}

impl Language {
    /// As results name it.
    pub fn name(self) -> &'static str {
        ["english", "french"][self as usize]
    }

    fn of(self, pair: Pair) -> Vec<String> {
        match self {
            Language::English => pair.source,
            Language::French => pair.target,
        }
    }

    /// Whether the language's reader finds a way to read it.
    pub(super) fn accepts(self, words: &[String]) -> bool {
        match self {
            Language::English => English.accepts(words),
            Language::French => French.accepts(words),
        }
    }
}

/// Sentences of one language as numbers, each closed by [`END`].
pub struct Text {
    pub(super) language: Language,
    /// The words of training.
    pub vocabulary: Vocabulary,
    pub(super) train: Vec<Vec<usize>>,
    pub(super) test: Vec<Vec<usize>>,
    pub(super) known: HashSet<Vec<String>>,
}

impl Text {
    /// The corpus of the chapters on translation, one side of it.
    pub fn new(language: Language) -> Text {
        let splits = splits(&Sizes::default(), 1);
        let words = |pairs: Vec<Pair>| -> Vec<Vec<String>> {
            pairs.into_iter().map(|pair| language.of(pair)).collect()
        };
        let (train, test) = (words(splits.train), words(splits.test));
        let vocabulary = Vocabulary::new(train.iter().map(Vec::as_slice), 1);
        let numbers = |sentences: &[Vec<String>]| -> Vec<Vec<usize>> {
            let closed = |words: &Vec<String>| [vocabulary.encode(words), vec![END]].concat();
            sentences.iter().map(closed).collect()
        };
        let (train_numbers, test) = (numbers(&train), numbers(&test));
        let known = train.into_iter().collect();
        Text { language, vocabulary, train: train_numbers, test, known }
    }
}

/// Sentences side by side, longest first: what is read, and what should have been told.
pub struct Packed {
    /// Which column is which word of which sentence.
    pub steps: Steps,
    /// What is read: [`BEGIN`], then all words of a sentence but the last.
    pub words: Vec<usize>,
    /// What should have been told: all words of a sentence.
    pub next: Vec<usize>,
}

impl Packed {
    /// Packs sentences, each closed by [`END`].
    pub fn new(sentences: &[&Vec<usize>]) -> Packed {
        let mut sorted = sentences.to_vec();
        sorted.sort_by_key(|sentence| std::cmp::Reverse(sentence.len()));
        let lengths: Vec<usize> = sorted.iter().map(|sentence| sentence.len()).collect();
        let steps = Steps::new(&lengths);
        let (mut words, mut next) = (vec![BEGIN; steps.tokens()], vec![END; steps.tokens()]);
        for (i, sentence) in sorted.iter().enumerate() {
            for (t, word) in sentence.iter().enumerate() {
                next[steps.column(i, t)] = *word;
                if t + 1 < sentence.len() {
                    words[steps.column(i, t + 1)] = *word;
                }
            }
        }
        Packed { steps, words, next }
    }
}

/// Tells the next word at every word.
pub trait Predicts: Module + Sync {
    /// Logits (V, N).
    fn logits<'t>(&self, tape: &'t Tape, words: &[usize], steps: &Steps) -> Var<'t>;
}

impl<L: Recurrent + Sync> Predicts for LanguageModel<L> {
    fn logits<'t>(&self, tape: &'t Tape, words: &[usize], steps: &Steps) -> Var<'t> {
        self.forward(tape, words, steps)
    }
}

/// What must not be done: a model of the next word that has read it.
pub struct BothWays {
    pub(super) words: Embedding,
    pub(super) layer: Bidirectional<Gru>,
    pub(super) readout: Linear,
}

impl Predicts for BothWays {
    fn logits<'t>(&self, tape: &'t Tape, words: &[usize], steps: &Steps) -> Var<'t> {
        self.readout.forward(self.layer.forward(self.words.forward(tape, words), steps))
    }
}

impl Module for BothWays {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("layer", &mut self.layer);
        visitor.module("readout", &mut self.readout);
    }
}

struct Next<'a, M> {
    text: &'a Text,
    model: PhantomData<fn() -> M>,
}

impl<M: Predicts> Task for Next<'_, M> {
    type Model = M;
    type Shard = Packed;

    fn describe(&self) -> Value {
        json!({"task": "next word", "sentences": self.text.train.len(), "batch": BATCH})
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        shuffled_batches(self.text.train.len(), BATCH, rng)
    }

    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Packed> {
        let packed = |shard: Vec<usize>| {
            Packed::new(&shard.iter().map(|i| &self.text.train[*i]).collect::<Vec<_>>())
        };
        let shards: Vec<_> = cut(examples, shards).into_iter().map(packed).collect();
        let words = shards.iter().map(|shard| shard.words.len()).sum();
        Prepared::mean(shards, words)
    }

    fn loss<'t>(&self, model: &M, tape: &'t Tape, packed: &Packed) -> Var<'t> {
        cross_entropy(model.logits(tape, &packed.words, &packed.steps), &packed.next)
    }
}

/// Trains a model on a text.
///
/// # Errors
/// When a number is not finite, or Ctrl-C was pressed.
pub fn train<M: Predicts>(text: &Text, model: &mut M, seed: u64) -> Result<()> {
    let steps = text.train.len().div_ceil(BATCH) * EPOCHS;
    let options = Options {
        epochs: EPOCHS,
        schedule: Schedule { rate: RATE, warmup: 0, shape: Shape::Cosine { total: steps as u64 } },
        clip: Some(1.0),
        shards: 1,
        seed,
        ..Options::default()
    };
    training::train(&Next { text, model: PhantomData }, model, &options)?;
    Ok(())
}

/// The mean cross-entropy in nats a word of the test, the end of a sentence being one.
pub(super) fn loss(text: &Text, model: &impl Predicts) -> f64 {
    let (mut sum, mut n) = (0.0, 0);
    for sentences in text.test.chunks(100) {
        let packed = Packed::new(&sentences.iter().collect::<Vec<_>>());
        let tape = Tape::without_gradients();
        let logits = model.logits(&tape, &packed.words, &packed.steps);
        sum += f64::from(cross_entropy(logits, &packed.next).scalar());
        n += packed.next.len();
    }
    sum / n as f64
}
