//! Our side of `tests/peers/decoding.py`: 64 translations of 20 words by a Transformer with random weights, greedily or
//! with a beam of four, in f32 or another precision, as a line of JSON: `cargo bench -p benches --bench writing --
//! textbook beam bf16`.

use clap::Parser;
use seq2seq::decoding::{beam_within, greedy_within};
use seq2seq::translating::{Words, judge::together};
use seq2seq::{Batch, END, Next, Translator};
use shared::{Float, Module, Tape, Var, Visitor, rng};
use std::time::Duration;
use transformer::{Transformer, program::CHAPTER};
use workbench::program::PrecisionArgs;
use workbench::steps::{StepReport, time_steps};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SENTENCES: usize = 64;
/// Words of each, and of its translation.
const LENGTH: usize = 20;
/// With this a translation may have as many words as a source of that length.
const PER_WORD: f64 = 0.6;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, search] = [&arguments[0], &arguments[1]].map(String::as_str);
    let precision = arguments.get(2).map_or("f32", String::as_str);
    let arguments = Precise::parse_from(["", "--precision", precision]);
    arguments.precision.begin().expect("a precision that this processor has");
    let bench = CHAPTER.benches.iter().find(|(bench, _)| *bench == name).expect("a configuration");
    let (work, rng) = (bench.1(), &mut rng(0));
    let words = Words { source: work.words, target: work.words };
    let mut model = Endless((CHAPTER.build)(&work.config, words, rng));
    let word = |i: usize| 3 + i * 7919 % (work.words - 3); // no special one
    let sentence = |i| (i * LENGTH..(i + 1) * LENGTH).map(word).collect();
    let sources: Vec<Vec<usize>> = (0..SENTENCES).map(sentence).collect();
    let sources: Vec<&[usize]> = sources.iter().map(Vec::as_slice).collect();
    let steps = time_steps(Duration::from_secs(5), |_| {
        let found = together(SENTENCES, |some| match search {
            "greedy" => greedy_within(&model, &sources[some], PER_WORD),
            _ => beam_within(&model, &sources[some], 4, 1.0, PER_WORD),
        });
        assert!(found.iter().all(|found| found.words.len() == LENGTH));
    });
    let (tokens, parameters) = (SENTENCES * LENGTH, model.0.parameter_count());
    let report = StepReport::new(name.to_owned(), parameters, tokens, &steps);
    println!("{}", serde_json::to_string(&report).expect("numbers"));
}

/// As programs take it.
#[derive(Parser)]
struct Precise {
    #[command(flatten)]
    precision: PrecisionArgs,
}

/// Never ends a sentence: a comparison needs equal work, and random weights would end one anywhere.
struct Endless(Transformer);

impl Translator for Endless {
    type State = <Transformer as Translator>::State;

    fn loss<'t>(&self, tape: &'t Tape, batch: &Batch) -> Var<'t> {
        self.0.loss(tape, batch)
    }

    fn encode(&self, sources: &[&[usize]]) -> Self::State {
        Translator::encode(&self.0, sources)
    }

    fn next(&self, state: &mut Self::State, last: &[usize]) -> Next {
        let mut next = self.0.next(state, last);
        next.log_probabilities.row_mut(END).fill(Float::NEG_INFINITY);
        next
    }

    fn select(&self, state: &mut Self::State, chosen: &[usize]) {
        self.0.select(state, chosen);
    }
}

impl Module for Endless {
    fn visit(&mut self, visitor: &mut Visitor) {
        self.0.visit(visitor);
    }
}
