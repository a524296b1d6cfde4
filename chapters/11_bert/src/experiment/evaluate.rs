//! What a model is worth on documents that it was not trained on.

use super::corpus::{Corpus, Part};
use super::task::examples;
use super::windows::Windows;
use crate::inputs::Tokens;
use crate::masking::Masking;
use crate::{Examples, Ladder, Pretraining, Rungs};
use rand::RngExt;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::{Tape, rng};
use workbench::error::{Error, Result};

/// Examples of held-out documents: the same, with the same hidden pieces, whenever they are looked at.
pub struct Held {
    parts: Vec<Examples>,
    /// What they cost who looks at less.
    pub rungs: Rungs,
}

/// What a model is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// The loss of the hidden pieces, nats a piece.
    pub hidden: f64,
    /// The share of them that are told rightly, as the most likely piece.
    pub hidden_accuracy: f64,
    /// The loss of the pairs, nats a pair.
    pub next: f64,
    /// The share of pairs that are told rightly.
    pub next_accuracy: f64,
    /// How many pieces were hidden.
    pub pieces: usize,
    /// How many pairs there were.
    pub pairs: usize,
}

/// Sums over a part, as [`Scores`] has means.
type Sums = [f64; 6];

/// Examples that are judged at once.
const AT_ONCE: usize = 16;

/// Pieces of the training part that are counted for the rungs, at least; documents all over it.
const COUNTED: usize = 3_000_000;

impl Held {
    /// At most so many examples of a part.
    ///
    /// # Errors
    /// When they have no known word, so that nothing can be hidden.
    pub fn new(
        corpus: &Corpus,
        part: &Part,
        longest: usize,
        pairs: usize,
        seed: u64,
    ) -> Result<Held> {
        let (rng, masking) = (&mut rng(seed), Masking::default());
        let windows = Windows::new(part, longest);
        let mut order: Vec<usize> = (0..windows.len()).collect();
        order.shuffle(rng);
        order.truncate(pairs);
        let plans: Vec<_> = order
            .iter()
            .map(|&window| (windows.plan(window, part, &masking, rng), rng.random()))
            .collect();
        let parts: Vec<Examples> = plans
            .chunks(AT_ONCE)
            .map(|plans| examples(corpus, part, &masking, longest, plans))
            .collect();
        if parts.iter().all(|part| part.hidden.is_empty()) {
            let reason = "the documents held out have no word that can be cut into known pieces: \
                          nothing can be hidden and told";
            return Err(Error::argument(reason));
        }
        let rungs = rungs(corpus, &parts);
        Ok(Held { parts, rungs })
    }

    /// Judges a model, without dropout.
    pub fn judge(&self, model: &Pretraining) -> Scores {
        let sums: Vec<Sums> = self.parts.par_iter().map(|part| judge(model, part)).collect();
        let sum = sums.iter().fold([0.0; 6], |sum, part| std::array::from_fn(|i| sum[i] + part[i]));
        let [hidden, right, next, next_right, pieces, pairs] = sum;
        Scores {
            hidden: hidden / pieces,
            hidden_accuracy: right / pieces,
            next: next / pairs,
            next_accuracy: next_right / pairs,
            pieces: pieces as usize,
            pairs: pairs as usize,
        }
    }
}

fn judge(model: &Pretraining, part: &Examples) -> Sums {
    let tape = Tape::without_gradients();
    let (h, _) = model.bert.forward(&tape, &part.tokens, None);
    let hidden = model.masked_logits(h, &part.hidden);
    let next = model.next_logits(h, &part.tokens);
    let right = |logits: shared::Var, targets: &[usize]| {
        let logits = logits.value();
        let columns = logits.column_iter().zip(targets);
        columns.filter(|(logits, target)| logits.argmax().0 == **target).count() as f64
    };
    [
        f64::from(shared::cross_entropy(hidden, &part.originals).scalar()),
        right(hidden, &part.originals),
        f64::from(shared::cross_entropy(next, &part.follows).scalar()),
        right(next, &part.follows),
        part.originals.len() as f64,
        part.follows.len() as f64,
    ]
}

/// Counts the training part, and looks up the hidden pieces: what stands before each is known here,
/// even where it is hidden from the model.
fn rungs(corpus: &Corpus, parts: &[Examples]) -> Rungs {
    let part = &corpus.training;
    let mut ladder = Ladder::new(corpus.pieces.len(), &corpus.special);
    let (_, pieces) = part.size();
    let stride = (pieces / COUNTED).max(1);
    for document in (0..part.documents.len()).step_by(stride) {
        ladder.count(corpus.special.cls, &part.read(part.sentences(document)));
    }
    ladder.rungs(parts.iter().flat_map(|part| {
        let original = originals(part);
        part.hidden.iter().map(move |&column| (original[column - 1], original[column]))
    }))
}

/// The pieces of some examples before any was hidden, and of a piece that begins a segment the mark
/// before it.
fn originals(part: &Examples) -> Vec<usize> {
    let Tokens { pieces, .. } = &part.tokens;
    let mut words = pieces.words.clone();
    part.hidden.iter().zip(&part.originals).for_each(|(&column, &piece)| words[column] = piece);
    words
}
