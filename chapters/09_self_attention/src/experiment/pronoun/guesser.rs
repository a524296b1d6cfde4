//! Two models that name what *it* stands for, and how they are trained.

use super::sentences::Sentence;
use crate::experiment::reader::{Reader, Sizes, Texts};
use corpora::Vocabulary;
use scoring_functions::Sight;
use scoring_functions::fused::Weights;
use shared::{Embedding, Float, Linear, Matrix, Module, Rng, Tape, Var, Visitor, cross_entropy};
use workbench::error::Result;
use workbench::training::{
    self, Options, Prepared, Schedule, Task, Value, cut, json, shuffled_batches,
};

/// Entries of a token.
pub const WIDTH: usize = 32;
/// Attentions, one after another.
pub const BLOCKS: usize = 2;
/// Heads of each.
pub const HEADS: usize = 4;
const BATCH: usize = 32;

/// Sentences of a batch as numbers.
pub struct Batch {
    /// Their words.
    pub texts: Texts,
    /// The column of each *it*.
    its: Vec<usize>,
    /// The number of the noun that each stands for.
    answers: Vec<usize>,
}

impl Batch {
    /// These sentences.
    pub fn new(sentences: &[&Sentence], vocabulary: &Vocabulary) -> Batch {
        let numbers: Vec<Vec<usize>> =
            sentences.iter().map(|sentence| vocabulary.encode(&sentence.words)).collect();
        let texts = Texts::new(numbers.iter().map(Vec::as_slice));
        let starts = texts.offsets.iter().zip(sentences);
        let its = starts.map(|(start, sentence)| start + sentence.it).collect();
        let answers = numbers.iter().zip(sentences).map(|(n, s)| n[s.referent]).collect();
        Batch { texts, its, answers }
    }
}

// ANCHOR: guessers
/// Names the noun that *it* stands for.
pub enum Guesser {
    /// From the column of the token *it*, which is its own vector and place and what attention has
    /// added: nothing else is read out. The answer is the word whose vector fits best.
    Attention(Reader, Linear),
    /// From the words of the sentence, whatever their order.
    Bag(Embedding, [Linear; 2]),
}

impl Guesser {
    /// Two blocks of attention, of which the first sees so far.
    pub fn attention(words: usize, sight: Sight, rng: &mut Rng) -> Guesser {
        let sizes = Sizes { d_model: WIDTH, heads: HEADS, blocks: BLOCKS, sight };
        let reader = Reader::new(words, sizes, rng);
        Guesser::Attention(reader, Linear::new(WIDTH, WIDTH, rng))
    }

    /// The sum of the words' vectors, and a network with a hidden layer.
    pub fn bag(words: usize, rng: &mut Rng) -> Guesser {
        let layers = [Linear::new(WIDTH, 2 * WIDTH, rng), Linear::new(2 * WIDTH, words, rng)];
        Guesser::Bag(Embedding::new(words, WIDTH, rng), layers)
    }

    /// The attentions.
    ///
    /// # Panics
    /// When it is a bag.
    pub fn reader(&mut self) -> &mut Reader {
        match self {
            Guesser::Attention(reader, _) => reader,
            Guesser::Bag(..) => panic!("a bag of words has no attention"),
        }
    }

    /// Logits (words, sentences).
    pub fn logits<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        match self {
            Guesser::Attention(reader, turn) => {
                let (x, _) = reader.forward(tape, &batch.texts); // (d_model, n)
                let y = turn.forward(x.select_columns(&batch.its)); // at the tokens "it"
                tape.param(&reader.words.weight).tr_mul(y) * (1.0 / (WIDTH as Float).sqrt())
            }
            Guesser::Bag(words, [hidden, readout]) => {
                let offsets = &batch.texts.offsets;
                let mut belongs = Matrix::zeros(batch.texts.words.len(), offsets.len() - 1);
                for (j, ends) in offsets.windows(2).enumerate() {
                    belongs.view_mut((ends[0], j), (ends[1] - ends[0], 1)).fill(1.0);
                }
                let sums = words.forward(tape, &batch.texts.words) * tape.constant(belongs);
                readout.forward(hidden.forward(sums).tanh())
            }
        }
    }
}
// ANCHOR_END: guessers

/// The task for the training loop.
struct Referents<'a> {
    sentences: &'a [Sentence],
    vocabulary: &'a Vocabulary,
}

impl Task for Referents<'_> {
    type Model = Guesser;
    type Shard = Batch;

    fn describe(&self) -> Value {
        json!({"task": "it", "sentences": self.sentences.len(), "batch": BATCH})
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        shuffled_batches(self.sentences.len(), BATCH, rng)
    }

    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Batch> {
        let batch = |shard: Vec<usize>| {
            let sentences: Vec<&Sentence> = shard.iter().map(|i| &self.sentences[*i]).collect();
            Batch::new(&sentences, self.vocabulary)
        };
        let shards = cut(examples, shards).into_iter().map(batch).collect();
        Prepared::mean(shards, examples.len())
    }

    fn loss<'t>(&self, guesser: &Guesser, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        cross_entropy(guesser.logits(tape, batch), &batch.answers)
    }
}

/// Trains a guesser.
///
/// # Errors
/// When a number is not finite, or Ctrl-C was pressed.
pub fn train(
    guesser: &mut Guesser,
    sentences: &[Sentence],
    vocabulary: &Vocabulary,
    epochs: usize,
    seed: u64,
) -> Result<()> {
    let options = Options {
        epochs,
        schedule: Schedule { warmup: 50, ..Schedule::constant(5e-3) },
        shards: 1,
        seed,
        ..Options::default()
    };
    training::train(&Referents { sentences, vocabulary }, guesser, &options).map(|_| ())
}

/// Which sentences are answered right.
pub fn right(guesser: &Guesser, sentences: &[&Sentence], vocabulary: &Vocabulary) -> Vec<bool> {
    let batch = Batch::new(sentences, vocabulary);
    let logits = guesser.logits(&Tape::without_gradients(), &batch).value();
    let told = logits.column_iter().map(|column| column.imax());
    told.zip(&batch.answers).map(|(told, answer)| told == *answer).collect()
}

/// Where the heads of each block look.
pub fn looks(reader: &Reader, sentences: &[&Sentence], vocabulary: &Vocabulary) -> Vec<Weights> {
    let texts = Batch::new(sentences, vocabulary).texts;
    reader.forward(&Tape::without_gradients(), &texts).1
}

impl Module for Guesser {
    fn visit(&mut self, visitor: &mut Visitor) {
        match self {
            Guesser::Attention(reader, readout) => {
                visitor.module("reader", reader);
                visitor.module("readout", readout);
            }
            Guesser::Bag(words, [hidden, readout]) => {
                visitor.module("words", words);
                visitor.module("hidden", hidden);
                visitor.module("readout", readout);
            }
        }
    }
}
