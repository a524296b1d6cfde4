//! Models that fill in a hidden word, and how they are trained.

use super::texts::Text;
use crate::MultiHead;
use crate::experiment::reader::{Reader, Sizes, Texts};
use corpora::{UNKNOWN, Vocabulary};
use rand::RngExt;
use recurrent_networks::{Bidirectional, Gru, Steps};
use scoring_functions::{Segments, Sight};
use shared::{Embedding, Float, Linear, Module, Rng, Tape, Var, Visitor, cross_entropy};
use workbench::error::Result;
use workbench::training::{
    self, Options, Prepared, Schedule, Shape, Task, Value, cut, json, shuffled_batches,
};

/// Entries of a token.
pub const WIDTH: usize = 64;
/// Attentions, one after another.
pub const BLOCKS: usize = 2;
const BATCH: usize = 32;
/// How often a word is hidden while training.
const HIDDEN: f64 = 0.15;

/// Sentences with hidden words.
pub struct Batch {
    texts: Texts,
    /// How the sentences are packed for a recurrent layer: they stand longest first.
    steps: Steps,
    /// The columns of the hidden words, and what stood there.
    columns: Vec<usize>,
    answers: Vec<usize>,
}

impl Batch {
    /// From sentences and the places of their hidden words.
    pub fn new(mut sentences: Vec<(&[usize], Vec<usize>)>) -> Batch {
        sentences.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        let mut texts = Texts::new(sentences.iter().map(|(words, _)| *words));
        let lengths: Vec<usize> = sentences.iter().map(|(words, _)| words.len()).collect();
        let starts = texts.offsets.iter().zip(&sentences);
        let columns: Vec<usize> =
            starts.flat_map(|(start, (_, places))| places.iter().map(move |p| start + p)).collect();
        let hide = |column: &usize| std::mem::replace(&mut texts.words[*column], UNKNOWN);
        let answers = columns.iter().map(hide).collect();
        Batch { texts, steps: Steps::new(&lengths), columns, answers }
    }
}

// ANCHOR: fillers
/// What tells a word about the others. Each part adds what it has read to what a token is.
pub enum Context {
    /// Two blocks of attention; sinusoids tell the places.
    Attention(Reader),
    /// A GRU in either direction, and a matrix back to the width of a token.
    Recurrent(Embedding, Bidirectional<Gru>, Linear),
    /// The same, narrower, and one block of attention on top; nothing else tells the places.
    Both(Embedding, Bidirectional<Gru>, Linear, MultiHead),
}
// ANCHOR_END: fillers

/// Fills in hidden words.
pub struct Filler {
    /// What tells a word about the others.
    pub context: Context,
    readout: Linear,
}

/// Units of a GRU in one direction, so that the models have about equally many parameters.
const UNITS: [usize; 2] = [42, 24];

impl Filler {
    /// Attention with so many heads.
    pub fn attention(words: usize, heads: usize, rng: &mut Rng) -> Filler {
        let sizes = Sizes { d_model: WIDTH, heads, blocks: BLOCKS, sight: Sight::All };
        let context = Context::Attention(Reader::new(words, sizes, rng));
        Filler { context, readout: Linear::new(WIDTH, words, rng) }
    }

    /// A GRU.
    pub fn recurrent(words: usize, rng: &mut Rng) -> Filler {
        let gru = Bidirectional::new(WIDTH, UNITS[0], rng);
        let back = Linear::new(2 * UNITS[0], WIDTH, rng);
        let context = Context::Recurrent(Embedding::new(words, WIDTH, rng), gru, back);
        Filler { context, readout: Linear::new(WIDTH, words, rng) }
    }

    /// A GRU with attention of so many heads on top.
    pub fn both(words: usize, heads: usize, rng: &mut Rng) -> Filler {
        let gru = Bidirectional::new(WIDTH, UNITS[1], rng);
        let back = Linear::new(2 * UNITS[1], WIDTH, rng);
        let attention = MultiHead::new(WIDTH, heads, rng);
        let context = Context::Both(Embedding::new(words, WIDTH, rng), gru, back, attention);
        Filler { context, readout: Linear::new(WIDTH, words, rng) }
    }

    /// Logits (words, hidden) of what stands at the hidden places.
    pub fn logits<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        let x = match &self.context {
            Context::Attention(reader) => reader.forward(tape, &batch.texts).0, // (d_model, n)
            Context::Recurrent(words, gru, back) => {
                recurrent(words.forward(tape, &batch.texts.words), &batch.steps, gru, back)
            }
            Context::Both(words, gru, back, attention) => {
                let x = recurrent(words.forward(tape, &batch.texts.words), &batch.steps, gru, back);
                x + attention.forward(x, x, &Segments::within(&batch.texts.offsets))
            }
        };
        self.readout.forward(x.select_columns(&batch.columns))
    }
}

/// `x + W [→h; ←h]`, sentences side by side (d_model, n) → (d_model, n).
fn recurrent<'t>(x: Var<'t>, steps: &Steps, gru: &Bidirectional<Gru>, back: &Linear) -> Var<'t> {
    let packed = steps.by_sequence(); // the packed column of each token
    let mut side_by_side = vec![0; packed.len()];
    packed.iter().enumerate().for_each(|(token, column)| side_by_side[*column] = token);
    let h = gru.forward(x.select_columns(&side_by_side), steps); // (2H, n)
    x + back.forward(h).select_columns(&packed)
}

/// The task for the training loop.
struct Hidden<'a> {
    sentences: &'a [Vec<usize>],
}

impl Task for Hidden<'_> {
    type Model = Filler;
    type Shard = Batch;

    fn describe(&self) -> Value {
        json!({"task": "hidden words", "sentences": self.sentences.len(), "batch": BATCH})
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        shuffled_batches(self.sentences.len(), BATCH, rng)
    }

    /// Which words are hidden is drawn for each batch; at least one in a sentence.
    fn prepare(&self, examples: &[usize], shards: usize, rng: &mut Rng) -> Prepared<Batch> {
        let mut hidden = |i: &usize| {
            let words = self.sentences[*i].as_slice();
            let mut places: Vec<usize> =
                (0..words.len()).filter(|_| rng.random_bool(HIDDEN)).collect();
            if places.is_empty() {
                places.push(rng.random_range(0..words.len()));
            }
            (words, places)
        };
        let mut shard = |shard: Vec<usize>| Batch::new(shard.iter().map(&mut hidden).collect());
        let shards: Vec<Batch> = cut(examples, shards).into_iter().map(&mut shard).collect();
        let words = shards.iter().map(|shard| shard.answers.len()).sum();
        Prepared::mean(shards, words)
    }

    fn loss<'t>(&self, filler: &Filler, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        cross_entropy(filler.logits(tape, batch), &batch.answers)
    }
}

/// Trains a filler.
///
/// # Errors
/// When a number is not finite, or Ctrl-C was pressed.
pub fn train(
    filler: &mut Filler,
    sentences: &[Vec<usize>],
    epochs: usize,
    seed: u64,
) -> Result<()> {
    let total = (epochs * sentences.len().div_ceil(BATCH)) as u64;
    let options = Options {
        epochs,
        schedule: Schedule { rate: 4e-3, warmup: 100, shape: Shape::Linear { total } },
        shards: 1,
        seed,
        ..Options::default()
    };
    training::train(&Hidden { sentences }, filler, &options).map(|_| ())
}

/// Loss in nats a word and share of right answers, where one word of a sentence is hidden: each in
/// turn.
pub fn judge(filler: &Filler, sentences: &[Vec<usize>]) -> (Float, Float) {
    let (mut loss, mut right, mut all) = (0.0, 0, 0);
    for part in sentences.chunks(BATCH) {
        let asked = part
            .iter()
            .flat_map(|words| (0..words.len()).map(|place| (words.as_slice(), vec![place])))
            .collect();
        let batch = Batch::new(asked);
        let tape = Tape::without_gradients();
        let logits = filler.logits(&tape, &batch);
        loss += cross_entropy(logits, &batch.answers).scalar();
        let value = logits.value();
        let told = value.column_iter().zip(&batch.answers);
        right += told.filter(|(column, answer)| column.imax() == **answer).count();
        all += batch.answers.len();
    }
    (loss / all as Float, right as Float / all as Float)
}

/// The sentences as numbers.
pub fn encoded(texts: &[Text], vocabulary: &Vocabulary) -> Vec<Vec<usize>> {
    texts.iter().map(|text| vocabulary.encode(&text.words)).collect()
}

impl Module for Filler {
    fn visit(&mut self, visitor: &mut Visitor) {
        match &mut self.context {
            Context::Attention(reader) => visitor.module("reader", reader),
            Context::Recurrent(words, gru, back) => {
                visitor.module("words", words);
                visitor.module("gru", gru);
                visitor.module("back", back);
            }
            Context::Both(words, gru, back, attention) => {
                visitor.module("words", words);
                visitor.module("gru", gru);
                visitor.module("back", back);
                visitor.module("attention", attention);
            }
        }
        visitor.module("readout", &mut self.readout);
    }
}
