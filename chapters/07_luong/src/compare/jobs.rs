//! The trainings.

use super::arguments::Arguments;
use super::mechanisms::MECHANISMS;
use super::worth::Worth;
use crate::Luong;
use crate::choices::{Chapter, Choices, build};
use seq2seq::Sizes;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent;
use seq2seq::translating::train_counted;
use shared::{Module, rng};
use workbench::error::Result;
use workbench::study::Progress;

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
    pub(super) worth: Worth,
    pub(super) model: Option<Luong>,
}

/// # Errors
/// When nothing is wanted.
pub(super) fn jobs(arguments: &Arguments, base: &Sizes, parameters: usize) -> Result<Vec<Job>> {
    let mut kinds = vec![Job { name: "bahdanau", choices: None, sizes: base.clone(), seed: 0 }];
    for feeding in [false, true] {
        for mechanism in MECHANISMS.into_iter().filter(|m| feeding || m.both_ways()) {
            let choices = mechanism.choices(feeding);
            let sizes = equalised(base, &choices, parameters);
            kinds.push(Job { name: mechanism.name, choices: Some(choices), sizes, seed: 0 });
        }
    }
    arguments.check(&kinds.iter().map(label).collect::<Vec<_>>())?;
    kinds.retain(|job| arguments.wants(&label(job)));
    let seeds = arguments.repeated.seeds().into_iter();
    let jobs = seeds.flat_map(|seed| kinds.iter().cloned().map(move |job| Job { seed, ..job }));
    Ok(jobs.collect())
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
    let choices = bahdanau::Reading::BothDirections.into();
    bahdanau::experiment::build(sizes, &choices, &mut rng(0))
}

pub(super) fn run(
    job: &Job,
    corpus: &Corpus,
    arguments: &Arguments,
    progress: &Progress,
) -> Result<Done> {
    let options = arguments.options(&format!("{}_{}", job.name, feeding(job)), job.seed);
    let batch = arguments.batch as usize;
    match &job.choices {
        Some(choices) => {
            let of = recurrent::Config::new(&job.sizes, choices.clone());
            let model = train_counted::<Chapter>(progress, corpus, &of, batch, &options)?.model;
            let worth = Worth::of(&model, corpus);
            let model = (job.seed == arguments.repeated.common.seed).then_some(model);
            Ok(Done { worth, model })
        }
        None => {
            type Bahdanau = bahdanau::experiment::Chapter;
            let choices = bahdanau::experiment::Choices::from(bahdanau::Reading::BothDirections);
            let of = recurrent::Config::new(&job.sizes, choices);
            let model = train_counted::<Bahdanau>(progress, corpus, &of, batch, &options)?.model;
            Ok(Done { worth: Worth::of(&model, corpus), model: None })
        }
    }
}

/// Name and feeding.
pub(super) fn label(job: &Job) -> String {
    format!("{} {}", job.name, feeding(job))
}

pub(super) fn feeding(job: &Job) -> &'static str {
    if job.choices.as_ref().is_none_or(|choices| choices.feeding) { "fed" } else { "plain" }
}
