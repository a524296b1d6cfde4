//! A run that is killed, twice, and a run on many threads: both end as if nothing had happened.

use crate::stuck::{self, Stuck};
use rayon::ThreadPoolBuilder;
use seq2seq::translating::TranslationTask;
use seq2seq::translating::corpus::Corpus;
use shared::{Module, rng};
use std::path::Path;
use transformer::program::{CHAPTER, Sizes};
use workbench::training::{Epoch, Options, Schedule, Shape, json, train};

/// Six epochs of three steps; the learning rate rises for 7 of these 18, then falls. Every parameter's
/// bits afterwards, and what the epochs report.
fn run(stuck: usize, checkpoint: Option<&Path>) -> (Vec<u32>, Vec<Epoch>) {
    let corpus = Corpus::generated(48, 1, 0);
    let sizes = Sizes { dropout: 0.2, ..Sizes::QUICK };
    let mut model = (CHAPTER.build)(&sizes, corpus.words(), &mut rng(0));
    let mut task = TranslationTask::new(&corpus, 16, json!({}));
    task.translated = 4;
    let options = Options {
        epochs: 6,
        schedule: Schedule { rate: 1e-2, warmup: 7, shape: Shape::InverseSquareRoot },
        shards: 4,
        checkpoint: checkpoint.map(Path::to_owned),
        checkpoint_steps: Some(1),
        resume: checkpoint.is_some(),
        ..Options::default()
    };
    let history = train(&Stuck::new(task, stuck), &mut model, &options).unwrap();
    let mut bits = Vec::new();
    model.for_each_parameter(|_, param| bits.extend(param.value().iter().map(|x| x.to_bits())));
    (bits, history.epochs)
}

#[test]
#[ignore = "is started, and killed, by the next test"]
fn trains_until_it_is_killed() {
    let (stuck, folder) = stuck::from_environment();
    run(stuck, Some(&folder));
}

/// Killed in the middle of the warm-up, and again after it, each time in the middle of an epoch.
#[test]
fn a_killed_run_goes_on_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    stuck::kill("survival::trains_until_it_is_killed", folder.path(), &[4, 6], &[]);
    let (bits, epochs) = run(usize::MAX, Some(folder.path()));
    let (expected, told) = run(usize::MAX, None);
    assert_eq!(epochs, told);
    assert!(bits == expected, "the parameters differ");
    let rates = epochs.iter().map(|epoch| epoch.learning_rate);
    assert!(Vec::from_iter(rates).windows(2).any(|rates| rates[1] < rates[0])); // past the warm-up
}

/// The results agree to the last bit.
#[test]
fn the_number_of_threads_does_not_matter() {
    let on = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(usize::MAX, None))
    };
    let one = on(1);
    assert!(one.1[5].loss < 0.9 * one.1[0].loss, "it does not learn");
    for threads in [2, 8] {
        let many = on(threads);
        assert_eq!(one.1, many.1);
        assert!(one.0 == many.0, "{threads} threads, other parameters");
    }
}
