//! How long does a training step take? Measured after the trainings, one thread, all kinds in turn.

use super::mechanisms::{Row, Setup, bahdanau_of};
use crate::Order;
use crate::choices::build;
use corpora::{BEGIN, bucketed_batches};
use seq2seq::translating::corpus::Corpus;
use seq2seq::{Batch, Translator};
use serde::{Deserialize, Serialize};
use shared::{Tape, rng};
use std::collections::BTreeMap;
use std::time::Instant;

/// What depends on the machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Of the loss of 64 pairs and its gradients on one thread, the fastest of [`ROUNDS`]:
    /// mechanism → `plain`, `plain_stepwise` or `fed`.
    pub milliseconds: BTreeMap<String, BTreeMap<String, f64>>,
}

/// How often each is timed.
const ROUNDS: usize = 40;

struct Kind {
    mechanism: &'static str,
    order: &'static str,
    step: Box<dyn Fn()>,
}

pub(super) fn measure(corpus: &Corpus, rows: &[Row]) -> Measured {
    let batch = some_batch(corpus);
    let kinds: Vec<Kind> = rows.iter().flat_map(|row| kinds_of(&row.config, &batch)).collect();
    let mut milliseconds: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for _ in 0..ROUNDS {
        for kind in &kinds {
            let begin = Instant::now();
            (kind.step)();
            let time = (begin.elapsed().as_secs_f64() * 1e5).round() / 100.0;
            let best = milliseconds.entry(kind.mechanism.to_owned()).or_default();
            let best = best.entry(kind.order.to_owned()).or_insert(f64::INFINITY);
            *best = best.min(time);
        }
    }
    Measured { milliseconds }
}

fn kinds_of(setup: &Setup, batch: &Batch) -> Vec<Kind> {
    let kind = |order, step| Kind { mechanism: setup.mechanism, order, step };
    let Some(choices) = &setup.choices else {
        let (model, batch) = (bahdanau_of(&setup.sizes), batch.clone());
        let step = move || drop(model.loss(&Tape::training(rng(0)), &batch).backward());
        return vec![kind(setup.feeding(), Box::new(step))];
    };
    let timed = |order: Order| -> Box<dyn Fn()> {
        let (model, batch) = (build(&setup.sizes, choices, &mut rng(0)), batch.clone());
        Box::new(move || {
            model.loss_in(order, &Tape::training(rng(0)), &batch).backward();
        })
    };
    if choices.feeding {
        return vec![kind("fed", timed(Order::StepByStep))];
    }
    vec![kind("plain", timed(Order::AllAtOnce)), kind("plain_stepwise", timed(Order::StepByStep))]
}

/// A batch of 64 pairs of medium length.
fn some_batch(corpus: &Corpus) -> Batch {
    let training = &corpus.training;
    let lengths: Vec<(usize, usize)> = (0..training.len())
        .map(|i| (training.numbers(i).0.len(), training.numbers(i).1.len()))
        .collect();
    let mut batches = bucketed_batches(&lengths, 64, &mut rng(0));
    batches.sort_by_key(|batch| batch.iter().map(|&i| lengths[i].1).sum::<usize>());
    let pairs: Vec<_> = batches[batches.len() / 2].iter().map(|&i| training.numbers(i)).collect();
    Batch::new(&pairs, BEGIN)
}
