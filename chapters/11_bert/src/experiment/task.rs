//! Pre-training as a task for the course's training loop.

use super::corpus::{Corpus, Part};
use super::evaluate::Held;
use super::windows::{Plan, Windows};
use crate::inputs::{Special, Tokens, fit};
use crate::masking::Masking;
use crate::{Denominators, Examples, Pretraining};
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::{Float, Rng, Tape, Var};
use std::ops::Range;
use workbench::training::{Evaluation, Prepared, Schedule, Shape, Task, Value, cut};

/// Pre-training a model on a corpus.
pub struct PretrainingTask<'a> {
    corpus: &'a Corpus,
    held: Option<&'a Held>,
    windows: Windows,
    masking: Masking,
    batch: usize,
    pairs_first: PairsFirst,
    description: Value,
}

// ANCHOR: share
/// A share of a batch: what to read and what to divide by. Nothing is read before it is this share's
/// turn, so a process that computes some shares reads these alone.
pub struct Share {
    /// Each with the seed of what it hides.
    plans: Vec<(Plan, u64)>,
    whole: Denominators,
    /// What hidden pieces count in this step, α.
    weight: Float,
}
// ANCHOR_END: share

// ANCHOR: first
/// What hidden pieces count at first.
const LEAST: Float = 0.03;

/// How long pairs come first. Until half of these steps are over, hidden pieces hardly count and steps are
/// small; then both grow on straight lines. The rate takes a tenth of the run for it at least.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairsFirst {
    /// Steps of the run until hidden pieces count fully; 0: they do from the beginning.
    pub steps: u64,
}

impl PairsFirst {
    /// What hidden pieces count in a step, after so many others.
    ///
    /// ```
    /// use bert::experiment::PairsFirst;
    /// let weights = [0, 50, 75, 100, 200].map(|before| PairsFirst { steps: 100 }.weight(before));
    /// let wanted = [0.03, 0.03, 0.515, 1.0, 1.0];
    /// assert!(weights.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-6));
    /// ```
    pub fn weight(&self, before: u64) -> Float {
        if before >= self.steps {
            return 1.0;
        }
        let half = self.steps as Float / 2.0;
        let rise = (before as Float - half) / half;
        LEAST + (1.0 - LEAST) * rise.max(0.0)
    }

    /// The rate in so many steps: after a warm-up over a hundredth of them a quarter of `rate`, until half
    /// of the steps in which pairs come first are over; then ever more until these all are, and from there
    /// on a straight line to 0. (Where these steps are less than a tenth of all, a tenth stands in for
    /// them.) When nothing comes first, it rises over the first tenth of the steps and falls to 0 (Devlin et
    /// al. 2019, appendix A.2).
    ///
    /// ```
    /// use bert::experiment::PairsFirst;
    /// let rates = |steps, at: [u64; 4]| {
    ///     let schedule = PairsFirst { steps }.schedule(1.0, 1000);
    ///     at.map(|s| schedule.at(s))
    /// };
    /// assert_eq!(rates(200, [5, 100, 200, 600]), [0.125, 0.25, 1.0, 0.5]);
    /// assert_eq!(rates(0, [5, 100, 550, 1000]), [0.05, 1.0, 0.5, 0.0]);
    /// ```
    pub fn schedule(&self, rate: Float, total: u64) -> Schedule {
        let a_tenth = total / 10;
        if self.steps == 0 {
            return Schedule { rate, warmup: a_tenth, shape: Shape::Linear { total } };
        }
        let full = self.steps.max(a_tenth);
        let shape = Shape::SlowThenLinear { slow: full / 2, full, total };
        Schedule { rate, warmup: total / 100, shape }
    }
}
// ANCHOR_END: first

// ANCHOR: decay
/// λ of a parameter: weights and tables decay, biases and what normalises does not (Devlin et al. 2019,
/// appendix A.2 has λ = 0.01; their code names the exceptions).
pub fn decay(name: &str) -> Float {
    match name.ends_with("bias") || name.ends_with("gain") {
        true => 0.0,
        false => 0.01,
    }
}
// ANCHOR_END: decay

/// Pieces of the short pairs that are read beside the long ones.
const SHORT: usize = 48;

/// A pass reads every document twice, once in short pairs and once in pairs of up to `longest` pieces: a
/// short pair costs little, and whether it belongs together hangs on few words. (Devlin et al. 2019,
/// appendix A.2, read short sequences first, in nine tenths of their steps, and long ones then.)
fn lengths(longest: usize) -> Vec<usize> {
    match longest > SHORT {
        true => vec![SHORT, longest],
        false => vec![longest],
    }
}

impl<'a> PretrainingTask<'a> {
    /// Batches of `batch` pairs with at most `longest` pieces each; `description` tells corpus and
    /// model. Of several processes, the one that evaluates needs what is held out.
    pub fn new(
        corpus: &'a Corpus,
        held: Option<&'a Held>,
        longest: usize,
        batch: usize,
        description: Value,
    ) -> PretrainingTask<'a> {
        let windows = Windows::of_lengths(&corpus.training, &lengths(longest));
        let (masking, pairs_first) = (Masking::default(), PairsFirst::default());
        PretrainingTask { corpus, held, windows, masking, batch, pairs_first, description }
    }

    /// The same, with pairs first.
    pub fn with_pairs_first(self, pairs_first: PairsFirst) -> PretrainingTask<'a> {
        PretrainingTask { pairs_first, ..self }
    }

    /// Whether there are pairs of both kinds to learn from. Where there are not, only hidden pieces are
    /// learnt: of one kind alone, nothing could be told but its name.
    pub fn has_pairs(&self) -> bool {
        self.windows.has_both_kinds()
    }

    /// Pairs in a pass over the corpus.
    pub fn pairs(&self) -> usize {
        self.windows.len()
    }

    /// The longest examples that a batch can have, in pieces, the longest first.
    pub fn lengths(&self) -> Vec<usize> {
        let length = |window| self.windows.length(window, &self.corpus.training);
        let mut lengths: Vec<usize> = (0..self.windows.len()).map(length).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    }
}

// ANCHOR: task
impl Task for PretrainingTask<'_> {
    type Model = Pretraining;
    type Shard = Share;

    fn describe(&self) -> Value {
        self.description.clone()
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.windows.len()).collect();
        order.shuffle(rng);
        order.chunks(self.batch).map(<[usize]>::to_vec).collect()
    }

    /// Plans the batch as a whole and counts what its two sums will be divided by.
    fn prepare(&self, examples: &[usize], shards: usize, rng: &mut Rng) -> Prepared<Share> {
        let part = &self.corpus.training;
        let mut plans: Vec<(Plan, u64)> = examples
            .iter()
            .map(|&i| (self.windows.plan(i, part, &self.masking, rng), rng.random()))
            .collect();
        plans.sort_by_key(|(plan, _)| std::cmp::Reverse(plan.length)); // long and short ones for each
        let hidden = plans.iter().map(|(plan, _)| plan.hidden).sum();
        let whole = Denominators { hidden, pairs: plans.len() };
        let tokens = plans.iter().map(|(plan, _)| plan.length).sum();
        let order: Vec<usize> = (0..plans.len()).collect();
        let share = |numbers: Vec<usize>| Share {
            plans: numbers.iter().map(|&i| plans[i].clone()).collect(),
            whole,
            weight: 1.0,
        };
        let shards = cut(&order, shards).into_iter().map(share).collect();
        Prepared { shards, tokens, divisor: 1.0 }
    }

    fn begin_step(&self, before: u64, shares: &mut [Share]) {
        shares.iter_mut().for_each(|share| share.weight = self.pairs_first.weight(before));
    }

    fn loss<'t>(&self, model: &Pretraining, tape: &'t Tape, share: &Share) -> Var<'t> {
        let (part, longest) = (&self.corpus.training, self.windows.longest());
        let examples = examples(self.corpus, part, &self.masking, longest, &share.plans);
        let losses = model.losses(tape, &examples);
        match self.has_pairs() {
            true => losses.weighted(&share.whole, share.weight),
            false => losses.hidden * (share.weight / share.whole.hidden as Float),
        }
    }

    fn evaluate(&self, model: &Pretraining, _epoch: usize) -> Option<Evaluation> {
        let scores = self.held?.judge(model);
        let evaluation = Evaluation::new(scores.hidden);
        Some(match scores.has_both_kinds() {
            true => evaluation.with("next %", scores.next_accuracy * 100.0),
            false => evaluation,
        })
    }
}
// ANCHOR_END: task

/// Reads what was planned, and hides pieces of it: as many as planned, fewer where nearly all words are
/// unknown.
pub fn examples(
    corpus: &Corpus,
    part: &Part,
    masking: &Masking,
    longest: usize,
    plans: &[(Plan, u64)],
) -> Examples {
    let special: Special = corpus.special;
    let vocabulary = corpus.pieces.len();
    let (mut parts, mut hidden, mut originals) = (Vec::new(), Vec::new(), Vec::new());
    let mut column = 0;
    for (plan, seed) in plans {
        let [mut first, mut second] =
            [&plan.first, &plan.second].map(|sentences| text(part, sentences.clone(), &special));
        fit(&mut first, &mut second, longest);
        let mut tokens = Tokens::of(&first, Some(&second), &special);
        let found =
            masking.hide(&mut tokens.pieces.words, &special, vocabulary, &mut shared::rng(*seed));
        hidden.extend(found.iter().map(|hidden| column + hidden.place));
        originals.extend(found.iter().map(|hidden| hidden.original));
        column += tokens.len();
        parts.push(tokens);
    }
    let follows = plans.iter().map(|(plan, _)| usize::from(!plan.follows)).collect();
    Examples { tokens: Tokens::side_by_side(&parts), hidden, originals, follows }
}

/// The pieces of some sentences. Whoever writes `[SEP]` in a text means the word: as a mark it would end a
/// segment that goes on.
fn text(part: &Part, sentences: Range<usize>, special: &Special) -> Vec<usize> {
    let mut pieces = part.read(sentences);
    let marks = pieces.iter_mut().filter(|piece| special.contains(**piece));
    marks.for_each(|piece| *piece = special.unknown);
    pieces
}
