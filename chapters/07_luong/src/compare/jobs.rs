//! The trainings, and how each is judged.

use super::arguments::Arguments;
use super::mechanisms::{MECHANISMS, NARROW};
use super::reordering::{Looked, halves};
use super::results::{Run, round};
use crate::Luong;
use crate::choices::{Chapter, Choices, build};
use seq2seq::translating::Progress;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::judge::{bleu_of, mean_loss};
use seq2seq::translating::recurrent::{self, options};
use seq2seq::{Sizes, Translator};
use shared::{Module, rng};
use workbench::error::Result;
use workbench::training::Options;

/// A training to do.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) name: &'static str,
    pub(super) choices: Option<Choices>, // None: chapter 6's
    pub(super) sizes: Sizes,
    pub(super) seed: u64,
}

/// What a training leaves.
pub(super) struct Done {
    pub(super) run: Run,
    pub(super) by_displacement: Vec<f64>,
    pub(super) model: Option<Luong>,
}

pub(super) fn jobs(arguments: &Arguments, base: &Sizes, parameters: usize) -> Vec<Job> {
    let mut kinds = vec![Job { name: "bahdanau", choices: None, sizes: base.clone(), seed: 0 }];
    for feeding in [false, true] {
        for mechanism in MECHANISMS.into_iter().filter(|m| feeding || m.both_ways()) {
            let choices = mechanism.choices(feeding);
            let sizes = equalised(base, &choices, parameters);
            kinds.push(Job { name: mechanism.name, choices: Some(choices), sizes, seed: 0 });
        }
    }
    kinds.retain(|job| label(job).contains(&arguments.only));
    let seeds = arguments.repeated.seeds().into_iter();
    seeds.flat_map(|seed| kinds.iter().cloned().map(move |job| Job { seed, ..job })).collect()
}

/// The sizes with which a mechanism has as many parameters as `parameters`, or nearly: the vectors
/// of words are as wide as that takes.
// ANCHOR: equalised
pub fn equalised(base: &Sizes, choices: &Choices, parameters: usize) -> Sizes {
    let with = |embedding: usize| Sizes { embedding, ..base.clone() };
    let count = |embedding: usize| build(&with(embedding), choices, &mut rng(0)).parameter_count();
    let (one, two) = (count(1), count(2));
    let room = parameters.saturating_sub(one) as f64 / (two - one) as f64;
    with(1 + room.round() as usize)
}
// ANCHOR_END: equalised

pub(super) fn bahdanau_of(sizes: &Sizes) -> bahdanau::Bahdanau {
    let choices = bahdanau::experiment::Choices { reading: bahdanau::Reading::BothDirections };
    bahdanau::experiment::build(sizes, &choices, &mut rng(0))
}

pub(super) fn run(
    job: &Job,
    corpus: &Corpus,
    arguments: &Arguments,
    progress: &Progress,
) -> Result<Done> {
    let epochs = arguments.repeated.epochs as usize;
    let options = Options { seed: job.seed, epochs, ..options() };
    let batch = arguments.batch as usize;
    match &job.choices {
        Some(choices) => {
            let of = recurrent::Config::new(&job.sizes, choices.clone());
            let model = progress.train::<Chapter>(corpus, &of, batch, &options)?.model;
            let (run, by_displacement) = judge(&model, corpus);
            let model = (job.seed == arguments.repeated.common.seed).then_some(model);
            Ok(Done { run, by_displacement, model })
        }
        None => {
            let choices =
                bahdanau::experiment::Choices { reading: bahdanau::Reading::BothDirections };
            let of = recurrent::Config::new(&job.sizes, choices);
            type Bahdanau = bahdanau::experiment::Chapter;
            let model = progress.train::<Bahdanau>(corpus, &of, batch, &options)?.model;
            let (run, by_displacement) = judge(&model, corpus);
            Ok(Done { run, by_displacement, model: None })
        }
    }
}

fn judge(model: &impl Translator, corpus: &Corpus) -> (Run, Vec<f64>) {
    let (test, long) = (&corpus.tests[0], &corpus.tests[1]);
    let loss = mean_loss(model, test);
    let looked = Looked::of(model, corpus, test);
    let all: Vec<usize> = (0..test.len()).collect();
    let whole = looked.half(test, &all);
    let [near, displaced] = halves(test, NARROW).map(|half| looked.half(test, &half));
    let run = Run {
        loss,
        perplexity: loss.exp(),
        bleu: whole.bleu,
        aer: whole.aer,
        long: bleu_of(model, corpus, long, long.len()),
        near,
        displaced,
    };
    (run.map(round), looked.right_by_displacement(test))
}

/// Name and feeding.
pub(super) fn label(job: &Job) -> String {
    format!("{} {}", job.name, feeding(job))
}

pub(super) fn feeding(job: &Job) -> &'static str {
    if job.choices.as_ref().is_none_or(|choices| choices.feeding) { "fed" } else { "plain" }
}
