//! Translations of random sentences by a model with random weights: how fast this machine writes.

use crate::batch::Batch;
use crate::decoding::{beam_all, greedy_all};
use crate::translating::judge::{BEAM, together};
use crate::translator::{Next, Translator};
use crate::words::END;
use clap::ValueEnum;
use rand::RngExt;
use shared::{Float, Module, Rng, Tape, Var, Visitor, rng};
use std::time::Duration;
use workbench::steps::{Steps, time_steps};

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Search {
    /// The most probable word at every step
    Greedy,
    /// A beam of four
    Beam,
}

pub(super) const SENTENCES: usize = 64;
/// Words of each, and of its translation.
pub(super) const LENGTH: usize = 20;

/// Any words but the special ones.
pub(super) fn random_sentence(words: usize, vocabulary: usize, rng: &mut Rng) -> Vec<usize> {
    (0..words).map(|_| rng.random_range(3..vocabulary)).collect()
}

/// Times the writing of translations that are all as long as their sources.
pub(super) fn time_writing<M: Translator>(
    model: &M,
    vocabulary: usize,
    search: Search,
    duration: Duration,
) -> Steps {
    let (model, rng) = (Exactly { model, words: LENGTH }, &mut rng(1));
    let sources: Vec<Vec<usize>> =
        (0..SENTENCES).map(|_| random_sentence(LENGTH, vocabulary, rng)).collect();
    let sources: Vec<&[usize]> = sources.iter().map(Vec::as_slice).collect();
    time_steps(duration, |_| {
        let found = together(SENTENCES, |some| match search {
            Search::Greedy => greedy_all(&model, &sources[some]),
            Search::Beam => beam_all(&model, &sources[some], BEAM, 1.0),
        });
        let whole = |words: usize| words + 1 == LENGTH; // and the end word
        assert!(found.iter().all(|found| found.ended && whole(found.words.len())));
    })
}

/// A model all of whose translations have so many words, the end word included: a comparison needs
/// equal work, and random weights would end a sentence anywhere.
struct Exactly<'a, M> {
    model: &'a M,
    words: usize,
}

impl<M: Translator> Translator for Exactly<'_, M> {
    type State = (M::State, usize); // and the words written

    fn loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        self.model.loss(tape, batch)
    }

    fn encode(&self, sources: &[&[usize]]) -> Self::State {
        (self.model.encode(sources), 0)
    }

    fn next(&self, (state, written): &mut Self::State, last: &[usize]) -> Next {
        let mut next = self.model.next(state, last);
        *written += 1;
        for mut log_p in next.log_probabilities.column_iter_mut() {
            let end = std::mem::replace(&mut log_p[END], Float::NEG_INFINITY);
            if *written == self.words {
                log_p.fill(Float::NEG_INFINITY);
                log_p[END] = end;
            }
        }
        next
    }

    fn select(&self, (state, _): &mut Self::State, chosen: &[usize]) {
        self.model.select(state, chosen);
    }
}

/// What is timed is not trained.
impl<M> Module for Exactly<'_, M> {
    fn visit(&mut self, _: &mut Visitor) {}
}
