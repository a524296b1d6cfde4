//! Models that predict a masked word, and how they are trained.

use crate::MultiHead;
use crate::reader::{Reader, Sizes, Texts};
use corpora::{UNKNOWN, Vocabulary};
use rand::RngExt;
use recurrent_networks::{Bidirectional, Gru, Steps};
use scoring_functions::{Segments, Sight};
use shared::{Embedding, Float, Linear, Module, Rng, Tape, Var, Visitor, cross_entropy, rng};
use workbench::error::Result;
use workbench::training::{Drill, Schedule, Shape};

pub const WIDTH: usize = 64;
pub const BLOCKS: usize = 2;
const BATCH: usize = 32;
/// How often a word is hidden while training.
const HIDDEN: f64 = 0.15;

pub struct Batch {
    texts: Texts,
    /// How the sentences are packed for a recurrent layer: they stand longest first.
    steps: Steps,
    columns: Vec<usize>,
    answers: Vec<usize>,
}

impl Batch {
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

/// What lets a word read the others. Each part adds what it has read to what a token is.
enum Context {
    /// Two blocks of attention; sinusoids give the positions.
    Attention(Reader),
    /// A GRU in either direction, and a matrix back to the width of a token.
    Recurrent(Embedding, Bidirectional<Gru>, Linear),
    /// The same, narrower, and one block of attention on top; nothing else gives the positions.
    Both(Embedding, Bidirectional<Gru>, Linear, Box<MultiHead>),
}

pub struct Filler {
    context: Context,
    readout: Linear,
}

/// Units of a GRU in one direction, so that the models have about equally many parameters.
const UNITS: [usize; 2] = [42, 24];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Attention alone, with so many heads a block.
    Heads(usize),
    Recurrent,
    /// A GRU below one block of attention with four heads.
    Both,
}

/// Heads of a block on top of a GRU.
const SEVERAL: usize = 4;

impl Kind {
    pub const ALL: [Kind; 6] = [
        Kind::Heads(1),
        Kind::Heads(2),
        Kind::Heads(SEVERAL),
        Kind::Heads(8),
        Kind::Recurrent,
        Kind::Both,
    ];

    pub fn name(self) -> String {
        match self {
            Kind::Heads(heads) => format!("h{heads}"),
            Kind::Recurrent => "gru".to_owned(),
            Kind::Both => "both".to_owned(),
        }
    }

    /// With random parameters.
    pub fn filler(self, words: usize, seed: u64) -> Filler {
        let rng = &mut rng(seed);
        let both_ways = |units: usize, rng: &mut Rng| {
            (Bidirectional::new(WIDTH, units, rng), Linear::new(2 * units, WIDTH, rng))
        };
        let context = match self {
            Kind::Heads(heads) => {
                let sizes = Sizes { d_model: WIDTH, heads, blocks: BLOCKS, sight: Sight::All };
                Context::Attention(Reader::new(words, sizes, rng))
            }
            Kind::Recurrent => {
                let (gru, back) = both_ways(UNITS[0], rng);
                Context::Recurrent(Embedding::new(words, WIDTH, rng), gru, back)
            }
            Kind::Both => {
                let (gru, back) = both_ways(UNITS[1], rng);
                let attention = MultiHead::new(WIDTH, SEVERAL, rng);
                Context::Both(Embedding::new(words, WIDTH, rng), gru, back, Box::new(attention))
            }
        };
        Filler { context, readout: Linear::new(WIDTH, words, rng) }
    }
}

impl Filler {
    /// Logits (words, hidden) of what stands at the masked positions.
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

/// Which words are hidden is drawn for each batch; at least one in a sentence.
fn hide<'s>(words: &'s [usize], rng: &mut Rng) -> (&'s [usize], Vec<usize>) {
    let mut places: Vec<usize> = (0..words.len()).filter(|_| rng.random_bool(HIDDEN)).collect();
    if places.is_empty() {
        places.push(rng.random_range(0..words.len()));
    }
    (words, places)
}

pub fn train(
    filler: &mut Filler,
    sentences: &[Vec<usize>],
    epochs: usize,
    seed: u64,
) -> Result<()> {
    let total = (epochs * sentences.len().div_ceil(BATCH)) as u64;
    let drill = Drill {
        examples: sentences.len(),
        batch: BATCH,
        epochs,
        schedule: Schedule { rate: 4e-3, warmup: 100, shape: Shape::Linear { total } },
        clip: None,
        seed,
    };
    drill.train(
        filler,
        |examples, rng| {
            let hidden = examples.iter().map(|i| hide(&sentences[*i], rng)).collect();
            let batch = Batch::new(hidden);
            let words = batch.answers.len();
            (batch, words)
        },
        |filler, tape, batch: &Batch| cross_entropy(filler.logits(tape, batch), &batch.answers),
    )
}

/// Loss in nats a word and accuracy, where one word of a sentence is masked: each in
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

pub fn encoded(texts: &[Vec<String>], vocabulary: &Vocabulary) -> Vec<Vec<usize>> {
    texts.iter().map(|words| vocabulary.encode(words)).collect()
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
                visitor.module("attention", &mut **attention);
            }
        }
        visitor.module("readout", &mut self.readout);
    }
}
