//! Translations of random sentences by a model with random weights: how fast this machine writes.

use crate::batch::Batch;
use crate::decoding::{beam_all, greedy_all};
use crate::translating::judging::judge::{BEAM, together};
use crate::translator::{Next, Translator};
use crate::words::END;
use clap::ValueEnum;
use rand::RngExt;
use serde::Serialize;
use shared::{Float, Module, Precision, Rng, Tape, Var, Visitor, arithmetic, rng};
use std::fmt;
use std::time::{Duration, Instant};
use workbench::memory::peak_memory;
use workbench::steps::kernel_peak;

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Search {
    /// The most probable word at every step
    Greedy,
    /// A beam of four
    Beam,
}

const SENTENCES: usize = 64;
/// Words of each, and of its translation.
const LENGTH: usize = 20;

#[derive(Serialize)]
pub struct WritingReport {
    config: String,
    precision: &'static str,
    decode: Search,
    sentences: usize,
    words: usize,
    calls: usize,
    milliseconds: f64,
    median_milliseconds: f64,
    tokens_per_second: f64,
    /// Multiplications and additions of the matrix products, in the fastest call.
    gflops: f64,
    peak_gflops: f64,
    share_of_peak: f64,
    peak_mib: Option<f64>,
    threads: usize,
}

impl fmt::Display for WritingReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let WritingReport { sentences, words, milliseconds, median_milliseconds, .. } = self;
        let WritingReport { precision, threads, calls, tokens_per_second, gflops, .. } = self;
        let (percent, peak) = (self.share_of_peak * 100.0, self.peak_gflops);
        write!(
            f,
            "{sentences} sentences of {words} words, {precision}, {threads} threads\n\
             {milliseconds:.1} ms to translate them (the fastest of {calls}; the median \
             {median_milliseconds:.1} ms)\n\
             {tokens_per_second:.0} target words a second; {gflops:.0} GFLOP/s in matrix products, \
             {percent:.0} % of the {peak:.0} that the matrix kernel alone reaches here"
        )
    }
}

/// Any words but the special ones.
pub(super) fn random_sentence(words: usize, vocabulary: usize, rng: &mut Rng) -> Vec<usize> {
    (0..words).map(|_| rng.random_range(3..vocabulary)).collect()
}

/// Times the writing of translations that are all as long as their sources.
pub fn time_writing<M: Translator>(
    config: String,
    model: &M,
    vocabulary: usize,
    search: Search,
    duration: Duration,
) -> WritingReport {
    let (model, rng) = (Exactly { model, words: LENGTH }, &mut rng(1));
    let sources: Vec<Vec<usize>> =
        (0..SENTENCES).map(|_| random_sentence(LENGTH, vocabulary, rng)).collect();
    let sources: Vec<&[usize]> = sources.iter().map(Vec::as_slice).collect();
    let mut times = Vec::new();
    let (begin, before) = (Instant::now(), arithmetic());
    while begin.elapsed() < duration || times.len() < 3 {
        let start = Instant::now();
        let found = together(SENTENCES, |some| match search {
            Search::Greedy => greedy_all(&model, &sources[some]),
            Search::Beam => beam_all(&model, &sources[some], BEAM, 1.0),
        });
        times.push(start.elapsed());
        let whole = |words: usize| words + 1 == LENGTH; // and the end word
        assert!(found.iter().all(|found| found.ended && whole(found.words.len())));
    }
    let operations = (arithmetic() - before) as f64 / times.len() as f64;
    let memory = peak_memory();
    let peak = kernel_peak();
    times.sort();
    let [best, median] = [times[0], times[times.len() / 2]].map(|time| time.as_secs_f64());
    WritingReport {
        config,
        precision: Precision::current().name(),
        decode: search,
        sentences: SENTENCES,
        words: LENGTH,
        calls: times.len(),
        milliseconds: best * 1e3,
        median_milliseconds: median * 1e3,
        tokens_per_second: (SENTENCES * LENGTH) as f64 / best,
        gflops: operations / best / 1e9,
        peak_gflops: peak / 1e9,
        share_of_peak: operations / best / peak,
        peak_mib: memory.map(|bytes| bytes as f64 / (1 << 20) as f64),
        threads: rayon::current_num_threads(),
    }
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
