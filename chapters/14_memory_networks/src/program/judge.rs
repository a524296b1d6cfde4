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
    /// For each supporting fact, in the order of reasoning, and each hop: the share of questions in which that
    /// fact has the largest weight of all sentences.
    pub largest: Vec<Vec<f64>>,
}

impl Found {
    /// For every supporting fact the share in the hop that has it most often, and that hop.
    pub fn best(&self) -> Vec<(f64, usize)> {
        let best = self.largest.iter().map(|hops| {
            let hops = hops.iter().copied().enumerate().map(|(hop, share)| (share, hop));
            hops.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).unwrap_or_default()
        });
        best.collect()
    }
}

/// Loss, whether the answer is right, and by hop which sentence has the largest weight.
type Answer = (f64, bool, Vec<Option<usize>>);

const AT_ONCE: usize = 64;

pub fn judge(model: &(impl Answers + Sync), examples: &[Example]) -> Found {
    let answers: Vec<Answer> =
        examples.par_chunks(AT_ONCE).flat_map_iter(|part| answers(model, part)).collect();
    let n = examples.len().max(1) as f64;
    let share = |is: &dyn Fn(&Example, &Answer) -> bool| {
        examples.iter().zip(&answers).filter(|(example, answer)| is(example, answer)).count() as f64
            / n
    };
    let facts = examples.iter().map(|example| example.supports.len()).min().unwrap_or(0);
    let hops = answers.first().map_or(0, |(.., largest)| largest.len());
    let at = |fact: usize, hop: usize| share(&|one, (.., at)| at[hop] == Some(one.supports[fact]));
    Found {
        loss: answers.iter().map(|(loss, ..)| loss).sum::<f64>() / n,
        accuracy: share(&|_, (_, right, _)| *right),
        largest: (0..facts).map(|fact| (0..hops).map(|hop| at(fact, hop)).collect()).collect(),
    }
}

fn answers(model: &impl Answers, examples: &[Example]) -> Vec<Answer> {
    let (tape, stories) = (Tape::no_grad(), side_by_side(examples));
    let answered = model.answer(&tape, &stories, Alignment::Softmax);
    let logits = answered.logits.value();
    let answers = examples.iter().enumerate().map(|(j, example)| {
        let logits = logits.column(j);
        let (word, most) = logits.argmax();
        let sum: f64 = logits.iter().map(|x| f64::from(x - most).exp()).sum();
        let loss = sum.ln() + f64::from(most - logits[example.answer]);
        let own = stories.offsets[j]..stories.offsets[j + 1];
        let largest = answered.weights.iter().map(|weights| {
            (!own.is_empty()).then(|| weights.columns_range(own.clone()).iamax_full().1)
        });
        (loss, word == example.answer, largest.collect())
    });
    answers.collect()
}
