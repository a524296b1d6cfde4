//! `spans`: where does somebody work or live? Pre-trained against from scratch, on answers that stand in a passage.

use super::folder::{Encoder, read_pretrained};
use super::rows::{EXAMPLES, epochs};
use super::table::Form;
use super::tuning::{BATCH, drawn, options};
use crate::span::{SpanReader, Spans, f1};
use bert::program::special;
use bert::world::tasks::{Asked, Parts, Sizes, answers};
use clap::Args;
use rayon::prelude::*;
use serde::Serialize;
use shared::{Float, Rng, Tape, Var, rng};
use std::collections::BTreeMap;
use std::path::PathBuf;
use workbench::error::{Error, Result};
use workbench::stream;
use workbench::study::{Claim, Comparison, Expected, Numbers, Row, StudyArgs, claims_of_rows};
use workbench::training::{
    Options, Prepared, Schedule, Shape, Task, Value, cut, json, shuffled_batches, train,
};

#[derive(Args, Clone, Debug)]
pub struct SpansArgs {
    #[command(flatten)]
    pub study: StudyArgs,
    /// Folder of the encoder, as `train` has it [default: out/bert/model]
    #[arg(long, value_name = "DIR")]
    pub encoder: Option<PathBuf>,
}

#[derive(Clone, Debug, Serialize)]
struct Setup {
    examples: usize,
    from_scratch: bool,
}

/// Pieces of the longest answer that is looked for.
const LONGEST: usize = 12;

/// Written before the run.
const CLAIMS: [Expected; 3] = [
    (
        "span_fifty",
        "with 50 questions, the pre-trained encoder marks more answers exactly than the one from scratch",
        |found| found.less(("0050_from_scratch", "exact"), ("0050_pre_trained", "exact")),
    ),
    ("span_thousand", "so it does with 1000", |found| {
        found.less(("1000_from_scratch", "exact"), ("1000_pre_trained", "exact"))
    }),
    ("span_right", "with 1000 questions it marks at least nine of ten, with every seed", |found| {
        found.at_least("1000_pre_trained", "exact", 0.9)
    }),
];

/// What becomes of the claims by numbers that were found.
pub fn span_claims(found: &Numbers) -> BTreeMap<String, Claim> {
    claims_of_rows(CLAIMS.iter().map(|(name, claim, holds)| (*name, *claim, holds(found))))
}

pub fn spans(arguments: &SpansArgs) -> Result<()> {
    let encoder = read_pretrained(arguments.encoder.as_deref(), Form::Pair)?;
    let most = EXAMPLES[EXAMPLES.len() - 1] as usize;
    let seeds = arguments.study.seeds as usize;
    let sizes = Sizes { train: most * seeds, validation: 200, test: 1000, noise: 0.0 };
    let data = answers(&sizes, arguments.study.common.seed).map_err(Error::Argument)?;
    let row = |(examples, from_scratch): (u32, bool)| {
        let way = if from_scratch { "from_scratch" } else { "pre_trained" };
        Row::new(
            format!("{examples:04}_{way}"),
            Setup { examples: examples as usize, from_scratch },
        )
    };
    let both = |examples: &u32| [(*examples, false), (*examples, true)];
    let comparison = Comparison {
        program: "fine_tuning",
        about: &format!("{sizes:?}, encoder {}", encoder.fingerprint()),
        rows: EXAMPLES.iter().rev().flat_map(both).map(row).collect(),
        claims: &CLAIMS,
        figures: &[],
    };
    comparison.run(&arguments.study, |setup, seed| {
        let repetition = seed.wrapping_sub(arguments.study.common.seed) as usize;
        let training = &data.train[repetition * most..][..setup.examples];
        judged(setup, training, &data, &encoder, seed)
    })
}

/// Trains with every rate; tests the model that is best on validation.
fn judged(
    setup: &Setup,
    training: &[Asked],
    data: &Parts<Asked>,
    encoder: &Encoder,
    seed: u64,
) -> Result<[(&'static str, f64); 4]> {
    let read = |asked: &[Asked]| asked.iter().map(|one| read(one, encoder)).collect::<Vec<_>>();
    let (training, validation, test) = (read(training), read(&data.validation), read(&data.test));
    let rates: [Float; 3] =
        if setup.from_scratch { [3e-4, 1e-3, 3e-3] } else { [1e-4, 3e-4, 1e-3] };
    let mut best: Option<([f64; 2], Float, SpanReader)> = None;
    for rate in rates {
        let rng = &mut rng(stream(seed, 0));
        let bert = if setup.from_scratch { drawn(&encoder.config, rng) } else { encoder.copy() };
        let mut model = SpanReader::new(bert, &encoder.config, rng);
        let steps = (epochs(setup.examples) * training.len().div_ceil(BATCH)) as u64;
        let options = options(rate);
        let shape = Shape::Linear { total: steps };
        let schedule = Schedule { warmup: steps / 10, shape, ..options.schedule };
        let options = Options { epochs: epochs(setup.examples), seed, schedule, ..options };
        train(&SpanTask(&training), &mut model, &options)?;
        let found = scores(&model, &validation);
        if best.as_ref().is_none_or(|(most, ..)| found[1] > most[1]) {
            best = Some((found, rate, model));
        }
    }
    let ([.., valid], rate, model) = best.expect("a rate was tried");
    let [exact, f1] = scores(&model, &test);
    Ok([("exact", exact), ("f1", f1), ("validation_f1", valid), ("rate", f64::from(rate))])
}

/// Pieces, and which of them are the answer's words.
struct ReadAsked {
    spans: Spans,
    /// The word that each piece of the passage is of.
    words: Vec<usize>,
    asked: Asked,
}

fn read(asked: &Asked, encoder: &Encoder) -> ReadAsked {
    let special = special(&encoder.pieces);
    let cut = |word: &String| encoder.pieces.cut(word);
    let question: Vec<usize> = asked.question.iter().flat_map(cut).collect();
    let (mut passage, mut words) = (Vec::new(), Vec::new());
    for (number, word) in asked.passage.iter().enumerate() {
        let pieces = cut(word);
        words.extend(pieces.iter().map(|_| number));
        passage.extend(pieces);
    }
    let room = encoder.config.longest - 3 - question.len();
    passage.truncate(room);
    words.truncate(room);
    let is_answer = |i: &usize| asked.answer.contains(&words[*i]);
    let first = (0..words.len()).find(is_answer).unwrap_or(0);
    let last = (0..words.len()).rfind(is_answer).unwrap_or(0);
    let spans = Spans::of(&question, &passage, [first, last], &special);
    ReadAsked { spans, words, asked: asked.clone() }
}

/// Exact matches and the mean F1, both of words.
fn scores(model: &SpanReader, read: &[ReadAsked]) -> [f64; 2] {
    let of_part = |part: &[ReadAsked]| -> Vec<[f64; 2]> {
        let together = Spans::side_by_side(part.iter().map(|one| &one.spans));
        let found = model.answers(&together, LONGEST);
        let score = |([first, last], one): ([usize; 2], &ReadAsked)| {
            let passage = &one.asked.passage;
            let found = &passage[one.words[first]..=one.words[last]];
            let right = &passage[one.asked.answer.clone()];
            [f64::from(u8::from(found == right)), f1(found, right)]
        };
        found.into_iter().zip(part).map(score).collect()
    };
    let all: Vec<[f64; 2]> = read.par_chunks(32).flat_map_iter(of_part).collect();
    [0, 1].map(|i| all.iter().map(|one| one[i]).sum::<f64>() / all.len() as f64)
}

struct SpanTask<'a>(&'a [ReadAsked]);

impl Task for SpanTask<'_> {
    type Model = SpanReader;
    type Shard = Spans;

    fn describe(&self) -> Value {
        json!("spans")
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        shuffled_batches(self.0.len(), BATCH, rng)
    }

    /// The loss is a mean over the questions, start and end together.
    fn prepare(&self, examples: &[usize], shards: usize, _: &mut Rng) -> Prepared<Spans> {
        let shard = |own: &Vec<usize>| Spans::side_by_side(own.iter().map(|i| &self.0[*i].spans));
        let shards: Vec<Spans> = cut(examples, shards).iter().map(shard).collect();
        let tokens = shards.iter().map(|shard| shard.tokens.len()).sum();
        Prepared { shards, tokens, divisor: examples.len() as Float }
    }

    fn loss<'t>(&self, model: &SpanReader, tape: &'t Tape, shard: &Spans) -> Var<'t> {
        model.loss(tape, shard)
    }
}
