//! What a model predicts, and how much of it is right.

use super::data::Example;
use super::reader::ReadExamples;
use crate::{Classifier, Questions};
use rayon::prelude::*;
use shared::Tape;
use workbench::study;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    pub class: usize,
    pub probability: f64,
    /// `−ln p(right answer)`; 0 where nobody knows it.
    pub loss: f64,
}

pub(super) const AT_ONCE: usize = 32;

/// Of some questions: how many were answered rightly, and how many there were.
pub type Tally = (usize, usize);

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

/// The answers to the questions of every sequence. Sequences of about the same length are read
/// together, so that no thread waits for another one's long ones.
fn answers_of_sequences(model: &Classifier, read: &ReadExamples) -> Vec<Vec<Answer>> {
    let mut order: Vec<usize> = (0..read.sequences.len()).collect();
    order.sort_by_key(|i| std::cmp::Reverse(read.sequences[*i].tokens.len()));
    let of_part = |part: &[usize]| {
        let sequences = part.iter().map(|i| &read.sequences[*i]);
        ask(model, &Questions::side_by_side(sequences))
    };
    let found: Vec<Vec<Answer>> = order.par_chunks(AT_ONCE).map(of_part).collect();
    let mut found = found.into_iter().flatten();
    let mut answers: Vec<Vec<Answer>> = order.iter().map(|_| Vec::new()).collect();
    for i in order {
        answers[i] = found.by_ref().take(read.sequences[i].asked.len()).collect();
    }
    answers
}

fn ask(model: &Classifier, questions: &Questions) -> Vec<Answer> {
    let tape = Tape::without_gradients();
    let logits = model.logits(&tape, questions).value(); // (K, m)
    let answer = |i: usize| {
        let logits = logits.column(i);
        let (class, most) = logits.argmax();
        let sum: f64 = logits.iter().map(|x| f64::from(x - most).exp()).sum();
        let right = questions.answers.get(i);
        let loss = right.map_or(0.0, |right| sum.ln() + f64::from(most - logits[*right]));
        Answer { class, probability: 1.0 / sum, loss }
    };
    (0..logits.ncols()).map(answer).collect()
}

/// Which answers are right, example by example, of those words or texts that count.
pub fn tallies(
    answers: &[Vec<usize>],
    examples: &[Example],
    counts: impl Fn(&str) -> bool,
) -> Vec<Tally> {
    let tally = |(found, example): (&Vec<usize>, &Example)| {
        let words = example.texts.iter().zip(found.iter().zip(&example.answers));
        let counted = words.filter(|(text, _)| counts(text)).map(|(_, pair)| pair);
        counted.fold((0, 0), |(right, all), (a, b)| (right + usize::from(a == b), all + 1))
    };
    answers.iter().zip(examples).map(tally).collect()
}

pub fn accuracy(tallies: &[Tally]) -> f64 {
    study::Tally::score(tallies.iter())
}
