//! Two models that name what *it* stands for, and how they are trained.

use super::sentences::Sentence;
use crate::reader::{Reader, Resolver, Texts};
use corpora::Vocabulary;
use scoring_functions::Sight;
use scoring_functions::fused::Weights;
use shared::{Embedding, Linear, Matrix, Module, Rng, Tape, Var, Visitor, cross_entropy};
use workbench::error::Result;
use workbench::training::{Drill, Schedule};

const WIDTH: usize = Resolver::WIDTH;
const BATCH: usize = 32;

pub struct Batch {
    pub texts: Texts,
    its: Vec<usize>,
    answers: Vec<usize>,
}

impl Batch {
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

/// Names the noun that *it* stands for.
pub enum Guesser {
    /// From the column of the token *it* alone.
    Attention(Resolver),
    /// From the words of the sentence, whatever their order.
    Bag(Embedding, [Linear; 2]),
}

impl Guesser {
    /// Two blocks of attention, of which the first sees so far.
    pub fn attention(words: usize, sight: Sight, rng: &mut Rng) -> Guesser {
        Guesser::Attention(Resolver::new(words, sight, rng))
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
            Guesser::Attention(resolver) => &mut resolver.reader,
            Guesser::Bag(..) => panic!("a bag of words has no attention"),
        }
    }

    /// Logits (words, sentences).
    pub fn logits<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        match self {
            Guesser::Attention(resolver) => resolver.forward(tape, &batch.texts, &batch.its).0,
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

pub fn train(
    guesser: &mut Guesser,
    sentences: &[Sentence],
    vocabulary: &Vocabulary,
    epochs: usize,
    seed: u64,
) -> Result<()> {
    let schedule = Schedule { warmup: 50, ..Schedule::constant(5e-3) };
    let examples = sentences.len();
    let drill = Drill { examples, batch: BATCH, epochs, schedule, clip: None, seed };
    drill.train(
        guesser,
        |examples, _| {
            let batch: Vec<&Sentence> = examples.iter().map(|i| &sentences[*i]).collect();
            (Batch::new(&batch, vocabulary), batch.len())
        },
        |guesser, tape, batch: &Batch| cross_entropy(guesser.logits(tape, batch), &batch.answers),
    )
}

/// Which sentences are answered right.
pub fn right(guesser: &Guesser, sentences: &[&Sentence], vocabulary: &Vocabulary) -> Vec<bool> {
    let batch = Batch::new(sentences, vocabulary);
    let logits = guesser.logits(&Tape::without_gradients(), &batch).value();
    let told = logits.column_iter().map(|column| column.imax());
    told.zip(&batch.answers).map(|(told, answer)| told == *answer).collect()
}

pub fn looks(reader: &Reader, sentences: &[&Sentence], vocabulary: &Vocabulary) -> Vec<Weights> {
    let texts = Batch::new(sentences, vocabulary).texts;
    reader.forward(&Tape::without_gradients(), &texts).1
}

impl Module for Guesser {
    fn visit(&mut self, visitor: &mut Visitor) {
        match self {
            Guesser::Attention(resolver) => resolver.visit(visitor),
            Guesser::Bag(words, [hidden, readout]) => {
                visitor.module("words", words);
                visitor.module("hidden", hidden);
                visitor.module("readout", readout);
            }
        }
    }
}
