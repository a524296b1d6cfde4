//! A language model learns one side of the course's corpus: which word comes next?

use crate::language::LanguageModel;
use crate::layers::{Gru, Recurrent};
use crate::steps::Steps;
use corpora::{BEGIN, END, Vocabulary};
use parallel::{Sizes, splits};
use shared::rng;
use workbench::error::Result;
use workbench::stream;
use workbench::training::{Drill, Schedule, Shape};

const BATCH: usize = 64;
const EPOCHS: usize = 4;
/// Entries of a word's vector.
pub const WIDTH: usize = 48;
/// Entries of the GRU's state.
pub const HIDDEN: usize = 96;

/// One side of the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, clap::ValueEnum)]
pub enum Language {
    /// the black cat
    English,
    /// le chat noir
    French,
}

/// Sentences of one language as numbers, each closed by [`END`].
pub struct Text {
    /// Its words.
    pub vocabulary: Vocabulary,
    /// The sentences to learn from.
    pub train: Vec<Vec<usize>>,
    /// The sentences to be judged by.
    pub test: Vec<Vec<usize>>,
}

impl Text {
    /// The corpus's sentences.
    pub fn new(language: Language) -> Text {
        let splits = splits(&Sizes::default(), 1);
        let [train, test] = [splits.train, splits.test].map(|pairs| {
            let sentences = pairs.into_iter().map(|pair| match language {
                Language::English => pair.source,
                Language::French => pair.target,
            });
            sentences.collect::<Vec<Vec<String>>>()
        });
        let vocabulary = Vocabulary::new(train.iter().map(Vec::as_slice), 1);
        let closed = |words: &Vec<String>| [vocabulary.encode(words), vec![END]].concat();
        let [train, test] = [train, test].map(|sentences| sentences.iter().map(closed).collect());
        Text { vocabulary, train, test }
    }
}

/// Sentences side by side, longest first: what is read, and what should have been predicted.
pub struct Packed {
    /// How they are packed.
    pub steps: Steps,
    /// The words that are read: [`BEGIN`], then all words of a sentence but the last.
    pub words: Vec<usize>,
    /// The words that should be predicted.
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

/// Trains a model on a text.
pub fn train<L>(text: &Text, model: &mut LanguageModel<L>, seed: u64) -> Result<()>
where
    L: Recurrent + Sync,
{
    let total = (text.train.len().div_ceil(BATCH) * EPOCHS) as u64;
    let drill = Drill {
        examples: text.train.len(),
        batch: BATCH,
        epochs: EPOCHS,
        schedule: Schedule { rate: 5e-3, warmup: 0, shape: Shape::Cosine { total } },
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
        |model, tape, Packed { steps, words, next }: &Packed| model.loss(tape, words, next, steps),
    )
}

/// A trained GRU.
pub fn writer(text: &Text, seed: u64) -> Result<LanguageModel<Gru>> {
    let rng = &mut rng(stream(0, 800 + seed));
    let mut model = LanguageModel::new(text.vocabulary.len(), WIDTH, HIDDEN, 1, rng);
    train(text, &mut model, stream(0, 810 + seed))?;
    Ok(model)
}
