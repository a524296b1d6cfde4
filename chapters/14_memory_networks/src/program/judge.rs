//! How many answers are right, and where the model looked.

use super::data::{Example, side_by_side};
use crate::{Alignment, Answers};
use rayon::prelude::*;
use shared::Tape;

/// Over some questions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// −ln p(answer), in nats a question.
    pub loss: f64,
    pub accuracy: f64,
    /// By supporting fact, in the order of reasoning, and by hop: the share of questions in which that
    /// fact has the largest weight of all sentences.
    pub largest: Vec<Vec<f64>>,
}

impl Found {
    /// For every supporting fact the share in the hop that has it most often, and that hop.
    pub fn best(&self) -> Vec<(f64, usize)> {
        let best = |hops: &Vec<f64>| {
            let hops = hops.iter().copied().enumerate().map(|(hop, share)| (share, hop));
            hops.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).unwrap_or_default()
        };
        self.largest.iter().map(best).collect()
    }
}

/// What is counted of some questions before it is divided by their number.
#[derive(Clone, Default)]
struct Counts {
    loss: f64,
    right: usize,
    largest: Vec<Vec<usize>>,
}

const AT_ONCE: usize = 64;

pub fn judge(model: &(impl Answers + Sync), examples: &[Example]) -> Found {
    let facts = examples.iter().map(|example| example.supports.len()).min().unwrap_or(0);
    let parts: Vec<Counts> =
        examples.par_chunks(AT_ONCE).map(|part| counts(model, part, facts)).collect();
    let n = examples.len().max(1) as f64;
    let sum = |f: &dyn Fn(&Counts) -> f64| parts.iter().map(f).sum::<f64>() / n;
    let hops = parts.first().and_then(|part| part.largest.first()).map_or(0, Vec::len);
    let largest =
        |fact: usize| (0..hops).map(|hop| sum(&|p| p.largest[fact][hop] as f64)).collect();
    Found {
        loss: sum(&|part| part.loss),
        accuracy: sum(&|part| part.right as f64),
        largest: (0..facts).map(largest).collect(),
    }
}

fn counts(model: &impl Answers, examples: &[Example], facts: usize) -> Counts {
    let (tape, stories) = (Tape::without_gradients(), side_by_side(examples));
    let answered = model.answer(&tape, &stories, Alignment::Softmax);
    let logits = answered.logits.value();
    let largest = vec![vec![0; answered.weights.len()]; facts];
    let mut counts = Counts { largest, ..Counts::default() };
    for (j, example) in examples.iter().enumerate() {
        let logits = logits.column(j);
        let (word, most) = logits.argmax();
        let sum: f64 = logits.iter().map(|x| f64::from(x - most).exp()).sum();
        counts.loss += sum.ln() + f64::from(most - logits[example.answer]);
        counts.right += usize::from(word == example.answer);
        let own = stories.offsets[j]..stories.offsets[j + 1];
        for (hop, weights) in answered.weights.iter().enumerate() {
            if own.is_empty() {
                continue;
            }
            let place = weights.columns_range(own.clone()).iamax_full().1;
            for (fact, largest) in counts.largest.iter_mut().enumerate() {
                largest[hop] += usize::from(example.supports[fact] == place);
            }
        }
    }
    counts
}
