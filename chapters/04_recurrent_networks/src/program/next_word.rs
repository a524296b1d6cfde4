//! A language model learns one side of the course's corpus: which word comes next?

use crate::bidirectional::Bidirectional;
use crate::language::LanguageModel;
use crate::layers::{Gru, Recurrent};
use crate::steps::Steps;
use corpora::{BEGIN, END, Pair, Vocabulary};
use parallel::{English, French, Sizes, splits};
use shared::{Embedding, Linear, Module, Tape, Var, Visitor, cross_entropy};
use std::collections::HashSet;
use workbench::error::Result;
use workbench::training::{Drill, Schedule, Shape};

const BATCH: usize = 64;
const EPOCHS: usize = 4;
const RATE: shared::Float = 5e-3;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// the black cat
    English,
    /// le chat noir
    French,
}

impl Language {
    pub fn name(self) -> &'static str {
        ["english", "french"][self as usize]
    }

    fn of(self, pair: Pair) -> Vec<String> {
        match self {
            Language::English => pair.source,
            Language::French => pair.target,
        }
    }

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
    pub vocabulary: Vocabulary,
    pub(super) train: Vec<Vec<usize>>,
    pub(super) test: Vec<Vec<usize>>,
    pub(super) known: HashSet<Vec<String>>,
}

impl Text {
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

/// Sentences side by side, longest first: what is read, and what should have been predicted.
pub struct Packed {
    pub steps: Steps,
    /// What is read: [`BEGIN`], then all words of a sentence but the last.
    pub words: Vec<usize>,
    pub next: Vec<usize>,
}

impl Packed {
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

pub trait Predicts: Module + Sync {
    /// Logits (V, N).
    fn logits<'t>(&self, tape: &'t Tape, words: &[usize], steps: &Steps) -> Var<'t>;
}

impl<L: Recurrent + Sync> Predicts for LanguageModel<L> {
    fn logits<'t>(&self, tape: &'t Tape, words: &[usize], steps: &Steps) -> Var<'t> {
        self.forward(tape, words, steps)
    }
}

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

pub fn train<M: Predicts>(text: &Text, model: &mut M, seed: u64) -> Result<()> {
    let total = (text.train.len().div_ceil(BATCH) * EPOCHS) as u64;
    let drill = Drill {
        examples: text.train.len(),
        batch: BATCH,
        epochs: EPOCHS,
        schedule: Schedule { rate: RATE, warmup: 0, shape: Shape::Cosine { total } },
        clip: Some(1.0),
        seed,
    };
    drill.train(
        model,
        |batch, _| {
            let packed = Packed::new(&batch.iter().map(|i| &text.train[*i]).collect::<Vec<_>>());
            let words = packed.words.len();
            (packed, words)
        },
        |model, tape, packed: &Packed| {
            cross_entropy(model.logits(tape, &packed.words, &packed.steps), &packed.next)
        },
    )
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
