//! Two blocks of attention learn what *it* stands for.

#![allow(missing_docs)] // a program: names say it

pub mod sentences;

use crate::reader::{Head, NEAR, Reader, Resolver, Texts};
use corpora::Vocabulary;
use scoring_functions::fused::Weights;
use sentences::{Sentence, corpus};
use shared::{Module, Tape, Var, cross_entropy, rng};
use workbench::training::{Drill, Schedule};
use workbench::{error::Result, stream};

/// Sentences for training, validation and test, and the words of the first.
pub fn drawn(seed: u64) -> ([Vec<Sentence>; 3], Vocabulary) {
    let parts = corpus([6, 1, 2], &mut rng(stream(0, 500 + seed)));
    let words = Vocabulary::new(parts[0].iter().map(|s| s.words.as_slice()), 1);
    (parts, words)
}

/// Sentences side by side, where their *it* is, and the words that it stands for.
pub struct Batch {
    pub texts: Texts,
    pub its: Vec<usize>,
    pub answers: Vec<usize>,
}

impl Batch {
    pub fn new<'a>(
        sentences: impl IntoIterator<Item = &'a Sentence>,
        vocabulary: &Vocabulary,
    ) -> Batch {
        let sentences: Vec<&Sentence> = sentences.into_iter().collect();
        let numbers: Vec<Vec<usize>> =
            sentences.iter().map(|sentence| vocabulary.encode(&sentence.words)).collect();
        let texts = Texts::new(numbers.iter().map(Vec::as_slice));
        let starts = texts.offsets.iter().zip(&sentences);
        let its = starts.map(|(start, sentence)| start + sentence.it).collect();
        let answers = numbers.iter().zip(&sentences).map(|(n, s)| n[s.referent]).collect();
        Batch { texts, its, answers }
    }
}

/// Trains whatever names a noun, in 14 passes.
pub fn train<M: Module + Sync>(
    model: &mut M,
    logits: impl for<'t> Fn(&M, &'t Tape, &Batch) -> Var<'t> + Sync,
    sentences: &[Sentence],
    vocabulary: &Vocabulary,
    seed: u64,
) -> Result<()> {
    let schedule = Schedule { warmup: 50, ..Schedule::constant(5e-3) };
    let (examples, seed) = (sentences.len(), stream(0, 800 + seed));
    let drill = Drill { examples, batch: 32, epochs: 14, schedule, clip: None, seed };
    let prepare = |chosen: &[usize], _: &mut _| {
        (Batch::new(chosen.iter().map(|i| &sentences[*i]), vocabulary), chosen.len())
    };
    drill.train(model, prepare, |model, tape, batch: &Batch| {
        cross_entropy(logits(model, tape, batch), &batch.answers)
    })
}

/// The words' logits (words, sentences).
pub fn logits<'t>(model: &Resolver, tape: &'t Tape, batch: &Batch) -> Var<'t> {
    model.forward(tape, &batch.texts, &batch.its).0
}

pub fn weights(reader: &Reader, sentences: &[Sentence], vocabulary: &Vocabulary) -> Vec<Weights> {
    reader.forward(&Tape::no_grad(), &Batch::new(sentences, vocabulary).texts).1
}

/// Whether the head's largest weight from *it* lies on the noun that it stands for, in each sentence.
pub fn finds(weights: &[Weights], head: Head, sentences: &[Sentence]) -> Vec<bool> {
    let weights = &weights[head.block];
    let sentences = sentences.iter().enumerate();
    sentences.map(|(j, s)| weights.of(j, head.head).column(s.it).imax() == s.referent).collect()
}

/// The head that does so most often: of several, the first.
pub fn best(reader: &Reader, sentences: &[Sentence], vocabulary: &Vocabulary) -> Head {
    let weights = weights(reader, sentences, vocabulary);
    let found = |head: &Head| finds(&weights, *head, sentences).into_iter().filter(|f| *f).count();
    reader.heads().into_iter().rev().max_by_key(found).expect("heads")
}

/// A seed's model, trained; its sentences and words; the head that is chosen on those for validation.
pub fn trained(seed: u64) -> Result<(Resolver, [Vec<Sentence>; 3], Vocabulary, Head)> {
    let (parts, vocabulary) = drawn(seed);
    let mut model = Resolver::new(vocabulary.len(), NEAR, &mut rng(stream(0, 600 + seed)));
    train(&mut model, logits, &parts[0], &vocabulary, seed)?;
    let head = best(&model.reader, &parts[1], &vocabulary);
    Ok((model, parts, vocabulary, head))
}
