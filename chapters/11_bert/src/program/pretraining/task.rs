//! Pre-training as a task for the course's training loop.

use super::beginning::NspFirst;
use super::held::Held;
use crate::masking::Masking;
use crate::program::texts::{Corpus, Plan, Windows, examples};
use crate::{Denominators, Pretraining};
use rand::RngExt;
use shared::{Float, Rng, Tape, Var};
use workbench::training::{Evaluation, Prepared, Schedule, Task, Value, cut, shuffled_batches};

pub struct PretrainingTask<'a> {
    corpus: &'a Corpus,
    held: Option<&'a Held>,
    windows: Windows,
    masking: Masking,
    batch: usize,
    nsp_first: NspFirst,
    description: Value,
}

/// A share of a batch: what to read and what to divide by. Nothing is read before it is this share's
/// turn, so a process that computes some shares reads these alone.
pub struct Share {
    /// Each with the seed of what it hides.
    plans: Vec<(Plan, u64)>,
    whole: Denominators,
    /// The weight of the MLM loss in this step, α.
    weight: Float,
}

/// λ of a parameter: weights and tables decay, biases and what normalises does not (Devlin et al. 2019,
/// appendix A.2 has λ = 0.01; their code names the exceptions).
pub fn decay(name: &str) -> Float {
    if name.ends_with("bias") || name.ends_with("gain") { 0.0 } else { 0.01 }
}

const SHORT: usize = 48;

/// A pass reads every document twice, once in short pairs and once in pairs of up to `longest` pieces: a
/// short pair costs little, and whether it belongs together hangs on few words. (Devlin et al. 2019,
/// appendix A.2, read short sequences first, in nine tenths of their steps, and long ones then.)
fn lengths(longest: usize) -> Vec<usize> {
    if longest > SHORT { vec![SHORT, longest] } else { vec![longest] }
}

impl<'a> PretrainingTask<'a> {
    /// Batches of `batch` pairs with at most `longest` pieces each; `description` names corpus and
    /// model. Of several processes, the one that evaluates needs what is held out.
    pub fn new(
        corpus: &'a Corpus,
        held: Option<&'a Held>,
        longest: usize,
        batch: usize,
        description: Value,
    ) -> PretrainingTask<'a> {
        let windows = Windows::of_lengths(&corpus.training, &lengths(longest));
        let (masking, nsp_first) = (Masking::default(), NspFirst::default());
        PretrainingTask { corpus, held, windows, masking, batch, nsp_first, description }
    }

    pub fn with_nsp_first(self, nsp_first: NspFirst) -> PretrainingTask<'a> {
        PretrainingTask { nsp_first, ..self }
    }

    /// Whether there are pairs of both kinds to learn from. Where there are not, only masked tokens are
    /// learnt: of one kind alone, the one class would always be right.
    pub fn has_pairs(&self) -> bool {
        self.windows.has_both_kinds()
    }

    pub fn pairs(&self) -> usize {
        self.windows.len()
    }

    pub fn longest(&self) -> usize {
        let lengths =
            (0..self.windows.len()).map(|i| self.windows.length(i, &self.corpus.training));
        lengths.max().unwrap_or(0)
    }
}

impl Task for PretrainingTask<'_> {
    type Model = Pretraining;
    type Shard = Share;

    fn describe(&self) -> Value {
        self.description.clone()
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        shuffled_batches(self.windows.len(), self.batch, rng)
    }

    /// Plans the batch as a whole and counts what its two sums will be divided by.
    fn prepare(&self, examples: &[usize], shards: usize, rng: &mut Rng) -> Prepared<Share> {
        let part = &self.corpus.training;
        let mut plans: Vec<(Plan, u64)> = examples
            .iter()
            .map(|&i| (self.windows.plan(i, part, &self.masking, rng), rng.random()))
            .collect();
        plans.sort_by_key(|(plan, _)| std::cmp::Reverse(plan.length)); // long and short ones for each
        let masked = plans.iter().map(|(plan, _)| plan.masked).sum();
        let whole = Denominators { masked, pairs: plans.len() };
        let tokens = plans.iter().map(|(plan, _)| plan.length).sum();
        let order: Vec<usize> = (0..plans.len()).collect();
        let shares = cut(&order, shards).into_iter().map(|numbers| {
            let plans = numbers.iter().map(|&i| plans[i].clone()).collect();
            Share { plans, whole, weight: 1.0 }
        });
        Prepared { shards: shares.collect(), tokens, divisor: 1.0 }
    }

    fn begin_step(&self, before: u64, shares: &mut [Share]) {
        shares.iter_mut().for_each(|share| share.weight = self.nsp_first.weight(before));
    }

    fn rate(&self, schedule: &Schedule, step: u64) -> Float {
        self.nsp_first.rate(schedule, step)
    }

    fn loss<'t>(&self, model: &Pretraining, tape: &'t Tape, share: &Share) -> Var<'t> {
        let (part, longest) = (&self.corpus.training, self.windows.longest());
        let examples = examples(self.corpus, part, &self.masking, longest, &share.plans);
        let losses = model.losses(tape, &examples);
        debug_assert!(share.whole.masked > 0, "`Masking::count` is at least 1 for every example");
        if self.has_pairs() {
            losses.weighted(&share.whole, share.weight)
        } else {
            losses.masked * (share.weight / share.whole.masked as Float)
        }
    }

    fn evaluate(&self, model: &Pretraining, _epoch: usize) -> Option<Evaluation> {
        let scores = self.held?.judge(model);
        let evaluation = Evaluation::new(scores.hidden);
        Some(if scores.has_both_kinds() {
            evaluation.with("next %", scores.next_accuracy * 100.0)
        } else {
            evaluation
        })
    }
}
