//! What a model is worth on documents that it was not trained on.

use crate::inputs::Tokens;
use crate::masking::Masking;
use crate::program::texts::{Corpus, Part, Plan, Windows, examples};
use crate::{Examples, Ladder, Pretraining, Rungs};
use rand::RngExt;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::Serialize;
use shared::{Tape, rng};
use workbench::error::{Error, Result};

/// Examples of held-out documents: the same, with the same masked tokens, whenever they are looked at.
pub struct Held {
    pub parts: Vec<Examples>,
    pub rungs: Rungs,
    pub in_common: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Scores {
    /// The MLM loss, nats a masked token.
    pub hidden: f64,
    pub hidden_accuracy: f64,
    /// The NSP loss, nats a pair. Of pairs of one kind alone neither it nor the accuracies of pairs are
    /// numbers: the one class would always be right.
    pub next: f64,
    pub next_accuracy: f64,
    pub follow_accuracy: Option<f64>,
    pub other_accuracy: Option<f64>,
    /// NSP accuracy when no token is masked (cut to the longest sequence all the same).
    pub whole_accuracy: f64,
    pub pieces: usize,
    pub pairs: usize,
}

impl Scores {
    pub fn has_both_kinds(&self) -> bool {
        self.follow_accuracy.is_some() && self.other_accuracy.is_some()
    }
}

/// What a model predicts of some examples.
struct Predicted {
    /// Summed over all masked tokens, and over all pairs.
    losses: [f64; 2],
    /// Which masked tokens are predicted rightly.
    pieces: Vec<bool>,
    /// A pair each: whether it follows, whether it is classified rightly, and whether so with nothing masked.
    pairs: Vec<[bool; 3]>,
}

const AT_ONCE: usize = 16;

/// Pieces of the training part that are counted for the rungs, at least; documents all over it.
const COUNTED: usize = 3_000_000;

/// Pairs of the training part that the rule for pairs is learnt from.
const PAIRS: usize = 2048;

impl Held {
    pub fn new(
        corpus: &Corpus,
        part: &Part,
        longest: usize,
        pairs: usize,
        seed: u64,
    ) -> Result<Held> {
        let windows = Windows::new(part, longest);
        let plans = draw(&windows, part, pairs, seed);
        let parts: Vec<Examples> = plans
            .chunks(AT_ONCE)
            .map(|plans| examples(corpus, part, &Masking::default(), longest, plans))
            .collect();
        if parts.iter().all(|part| part.masked.is_empty()) {
            let reason = "the documents held out have no word that can be cut into known pieces: \
                          nothing can be masked and predicted";
            return Err(Error::argument(reason));
        }
        let ladder = ladder(corpus);
        let rungs = ladder.rungs(parts.iter().flat_map(|part| {
            let original = uncovered(part).pieces.words;
            part.masked.iter().map(move |&column| (original[column - 1], original[column]))
        }));
        let training = Windows::new(&corpus.training, longest);
        let learnt = draw(&training, &corpus.training, PAIRS, seed);
        let bound = threshold(common(&ladder, &corpus.training, &learnt));
        let scored = common(&ladder, part, &plans);
        let right = scored.iter().filter(|(score, follows)| (*score > bound) == *follows).count();
        Ok(Held { parts, rungs, in_common: right as f64 / scored.len() as f64 })
    }

    pub fn judge(&self, model: &Pretraining) -> Scores {
        let predicted: Vec<Predicted> =
            self.parts.par_iter().map(|part| predict(model, part)).collect();
        let loss = |which: usize| predicted.iter().map(|part| part.losses[which]).sum::<f64>();
        let pieces: Vec<bool> = predicted.iter().flat_map(|part| part.pieces.clone()).collect();
        let pairs: Vec<[bool; 3]> = predicted.iter().flat_map(|part| part.pairs.clone()).collect();
        let of_kind = |kind: bool| {
            let pairs: Vec<_> = pairs.iter().filter(|[follows, ..]| *follows == kind).collect();
            (!pairs.is_empty()).then(|| share(pairs.iter().map(|[_, right, _]| *right)))
        };
        let (follow_accuracy, other_accuracy) = (of_kind(true), of_kind(false));
        let has_both_kinds = follow_accuracy.is_some() && other_accuracy.is_some();
        let among_both = |x: f64| if has_both_kinds { x } else { f64::NAN };
        Scores {
            hidden: loss(0) / pieces.len() as f64,
            hidden_accuracy: share(pieces.iter().copied()),
            next: among_both(loss(1) / pairs.len() as f64),
            next_accuracy: among_both(share(pairs.iter().map(|[_, right, _]| *right))),
            follow_accuracy,
            other_accuracy,
            whole_accuracy: among_both(share(pairs.iter().map(|[.., whole]| *whole))),
            pieces: pieces.len(),
            pairs: pairs.len(),
        }
    }
}

fn share(right: impl ExactSizeIterator<Item = bool>) -> f64 {
    let all = right.len() as f64;
    right.filter(|right| *right).count() as f64 / all
}

fn predict(model: &Pretraining, part: &Examples) -> Predicted {
    let tape = Tape::no_grad();
    let read = |tokens: &Tokens| {
        let (h, _) = model.bert.forward(&tape, tokens);
        (h, model.next_logits(h, tokens))
    };
    let right = |logits: shared::Var, targets: &[usize]| -> Vec<bool> {
        let logits = logits.value();
        let columns = logits.column_iter().zip(targets);
        columns.map(|(logits, target)| logits.argmax().0 == *target).collect()
    };
    let (h, next) = read(&part.tokens);
    let masked = model.masked_logits(h, &part.masked);
    let (_, whole) = read(&uncovered(part));
    let pairs = part.follows.iter().zip(right(next, &part.follows));
    let pairs = pairs.zip(right(whole, &part.follows));
    let losses = [(masked, &part.originals), (next, &part.follows)];
    Predicted {
        losses: losses
            .map(|(logits, targets)| shared::cross_entropy(logits, targets).scalar().into()),
        pieces: right(masked, &part.originals),
        pairs: pairs.map(|((class, right), whole)| [*class == 0, right, whole]).collect(),
    }
}

fn draw(windows: &Windows, part: &Part, pairs: usize, seed: u64) -> Vec<(Plan, u64)> {
    let rng = &mut rng(seed);
    let mut order: Vec<usize> = (0..windows.len()).collect();
    order.shuffle(rng);
    order.truncate(pairs);
    let masking = Masking::default();
    order.iter().map(|&window| (windows.plan(window, part, &masking, rng), rng.random())).collect()
}

/// Counts the training part. The token before a masked one is known to the baselines, even where it is
/// masked for the model.
fn ladder(corpus: &Corpus) -> Ladder {
    let part = &corpus.training;
    let mut ladder = Ladder::new(corpus.pieces.len(), &corpus.special);
    let (_, pieces) = part.size();
    let stride = (pieces / COUNTED).max(1);
    for document in (0..part.documents.len()).step_by(stride) {
        ladder.count(corpus.special.cls, &part.read(part.sentences(document)));
    }
    ladder
}

/// How much the halves of some pairs have in common, before any token is masked or cut off, and whether
/// the second follows.
fn common(ladder: &Ladder, part: &Part, plans: &[(Plan, u64)]) -> Vec<(f64, bool)> {
    let scored = plans.iter().map(|(plan, _)| {
        let [first, second] = [&plan.first, &plan.second].map(|half| part.read(half.clone()));
        (ladder.in_common(&first, &second), plan.follows)
    });
    scored.collect()
}

/// The number above which to say *follows*, so that most of these are classified rightly.
fn threshold(mut scored: Vec<(f64, bool)>) -> f64 {
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    // How many more are right when those up to here are said not to follow.
    let mut gain = 0;
    let gains = scored.iter().map(|(score, follows)| {
        gain += if *follows { -1 } else { 1 };
        (gain, *score)
    });
    gains.max_by_key(|(gain, _)| *gain).map_or(0.0, |(_, score)| score)
}

fn uncovered(part: &Examples) -> Tokens {
    let mut tokens = part.tokens.clone();
    let words = &mut tokens.pieces.words;
    part.masked.iter().zip(&part.originals).for_each(|(&column, &piece)| words[column] = piece);
    tokens
}
