//! What a model predicts, and how much of it is right.

use super::data::Example;
use super::reader::ReadExamples;
use crate::{Classifier, Questions};
use bert::Config;
use bert::program::reading_memory;
use rayon::prelude::*;
use shared::Tape;
use workbench::error::Result;
use workbench::memory::must_fit;
use workbench::statistics::Tally;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    pub class: usize,
    pub probability: f64,
    /// `−ln p(right answer)`; 0 where nobody knows it.
    pub loss: f64,
}

const AT_ONCE: usize = 32;

pub fn answers(model: &Classifier, read: &ReadExamples, examples: usize) -> Vec<Vec<Answer>> {
    let mut answers = vec![Vec::new(); examples];
    for (example, of_sequence) in read.examples.iter().zip(answers_of_sequences(model, read)) {
        answers[*example].extend(of_sequence);
    }
    answers
}

pub fn classes(answers: &[Vec<Answer>]) -> Vec<Vec<usize>> {
    answers.iter().map(|of| of.iter().map(|answer| answer.class).collect()).collect()
}

pub fn loss_and_accuracy(model: &Classifier, read: &ReadExamples) -> (f64, f64) {
    let answers: Vec<Answer> = answers_of_sequences(model, read).into_iter().flatten().collect();
    let right = read.sequences.iter().flat_map(|sequence| &sequence.answers);
    let right = answers.iter().zip(right).filter(|(answer, right)| answer.class == **right).count();
    let loss: f64 = answers.iter().map(|answer| answer.loss).sum();
    (loss / answers.len() as f64, right as f64 / answers.len() as f64)
}

/// The answers to the questions of every sequence.
fn answers_of_sequences(model: &Classifier, read: &ReadExamples) -> Vec<Vec<Answer>> {
    let answers = read.sequences.par_chunks(AT_ONCE).flat_map_iter(|part| {
        let mut found = ask(model, &Questions::side_by_side(part)).into_iter();
        let own = part.iter().map(|one| found.by_ref().take(one.asked.len()).collect());
        own.collect::<Vec<Vec<Answer>>>()
    });
    answers.collect()
}

fn ask(model: &Classifier, questions: &Questions) -> Vec<Answer> {
    let tape = Tape::no_grad();
    let logits = model.logits(&tape, questions).value(); // (K, m)
    let answers = logits.column_iter().enumerate().map(|(i, logits)| {
        let (class, most) = logits.argmax();
        let sum: f64 = logits.iter().map(|x| f64::from(x - most).exp()).sum();
        let right = questions.answers.get(i);
        let loss = right.map_or(0.0, |right| sum.ln() + f64::from(most - logits[*right]));
        Answer { class, probability: 1.0 / sum, loss }
    });
    answers.collect()
}

/// Counts for each example, among the words or texts that count, the right answers and all answers.
pub fn tallies(
    answers: &[Vec<usize>],
    examples: &[Example],
    counts: impl Fn(&str) -> bool,
) -> Vec<(usize, usize)> {
    let tallies = answers.iter().zip(examples).map(|(found, example)| {
        let words = example.texts.iter().zip(found.iter().zip(&example.answers));
        let counted = words.filter(|(text, _)| counts(text)).map(|(_, pair)| pair);
        counted.fold((0, 0), |(right, all), (a, b)| (right + usize::from(a == b), all + 1))
    });
    tallies.collect()
}

pub fn accuracy(tallies: &[(usize, usize)]) -> f64 {
    Tally::score(tallies.iter())
}

/// Refuses sequences whose reading does not fit into memory: as many at once as [`answers`] reads.
pub fn must_be_readable(config: &Config, read: &ReadExamples) -> Result<()> {
    let mut lengths: Vec<usize> = read.sequences.iter().map(|one| one.tokens.len()).collect();
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    lengths.truncate(AT_ONCE * rayon::current_num_threads());
    must_fit("reading these examples", Some(reading_memory(config, lengths, 1)))
}
