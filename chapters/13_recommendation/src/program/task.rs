//! A model of this chapter as a task for the course's training loop.

use super::data::Data;
use super::judge::{Order, ranks};
use super::split::{Example, Parts};
use crate::rulers::Ruler;
use crate::{Action, Asked, Histories, Model, Question};
use rand::RngExt;
use shared::{Float, Matrix, Rng, Tape, Var};
use workbench::training::{Evaluation, Prepared, Task, Value, cut, shuffled_batches};

/// Negatives that are drawn for every purchase.
pub const NEGATIVES: usize = 7;
/// Validation purchases that are looked at after an epoch.
const WATCHED: usize = 1000;

pub struct RecommendationTask<'a> {
    data: &'a Data,
    longest: usize,
    batch: usize,
    examples: Examples,
    watched: &'a [Example],
    description: Value,
}

/// What a batch is made of.
enum Examples {
    /// Purchases, each with its history.
    Purchases(Vec<Example>),
    /// Parts of histories, with every purchase in them at once.
    Windows(Vec<Window>),
}

impl<'a> RecommendationTask<'a> {
    pub fn new(
        data: &'a Data,
        parts: &'a Parts,
        sequential: bool,
        [longest, stride, batch]: [usize; 3],
        is_watched: bool,
        description: Value,
    ) -> RecommendationTask<'a> {
        let examples = if sequential {
            Examples::Windows(windows(&parts.trained, longest, stride))
        } else {
            Examples::Purchases(parts.training(data).collect())
        };
        let watched =
            &parts.validation[..parts.validation.len().min(if is_watched { WATCHED } else { 0 })];
        RecommendationTask { data, longest, batch, examples, watched, description }
    }

    pub fn steps(&self, epochs: usize) -> u64 {
        (epochs * self.len().div_ceil(self.batch)) as u64
    }

    fn len(&self) -> usize {
        match &self.examples {
            Examples::Purchases(examples) => examples.len(),
            Examples::Windows(windows) => windows.len(),
        }
    }

    fn question(&self, own: &[usize], rng: &mut Rng) -> Question {
        match &self.examples {
            Examples::Purchases(examples) => {
                let examples: Vec<Example> = own.iter().map(|i| examples[*i]).collect();
                self.candidates(&examples, rng)
            }
            Examples::Windows(windows) => {
                self.next(&own.iter().map(|i| windows[*i]).collect::<Vec<_>>())
            }
        }
    }

    /// Every purchase among items that are drawn.
    fn candidates(&self, examples: &[Example], rng: &mut Rng) -> Question {
        let items = self.data.items.len();
        let mut draw = |bought: usize| (bought + rng.random_range(1..items)) % items; // any other
        let candidates = |example: &Example| {
            let bought = example.bought(self.data);
            let others = (0..NEGATIVES).map(|_| draw(bought));
            std::iter::once(bought).chain(others).collect::<Vec<usize>>()
        };
        let asked = Asked::new(&examples.iter().map(candidates).collect::<Vec<_>>());
        let histories: Vec<&[Action]> =
            examples.iter().map(|example| example.history(self.data, self.longest)).collect();
        let is_first = |j: usize| if j.is_multiple_of(NEGATIVES + 1) { 1.0 } else { 0.0 };
        let bought = Matrix::from_fn(1, asked.items.len(), |_, j| is_first(j));
        Question::Candidates { histories: Histories::new(&histories), asked, bought }
    }

    /// What was bought next, after every action that a purchase follows.
    fn next(&self, windows: &[Window]) -> Question {
        let (mut columns, mut next, mut column) = (Vec::new(), Vec::new(), 0);
        let mut histories: Vec<&[Action]> = Vec::new();
        for &Window { customer, first, end, asked } in windows {
            let actions = &self.data.customers[customer].actions;
            for (place, follows) in actions[first + 1..=end].iter().enumerate() {
                if first + place >= asked && follows.kind == self.data.purchase() {
                    columns.push(column + place);
                    next.push(follows.item);
                }
            }
            histories.push(&actions[first..end]);
            column += end - first;
        }
        Question::Next { histories: Histories::new(&histories), columns, next }
    }
}

/// Actions `first..end` of a customer; from `asked` on, what follows each is to be predicted.
#[derive(Clone, Copy)]
struct Window {
    customer: usize,
    first: usize,
    end: usize,
    asked: usize,
}

/// Cuts what is trained on, from its end, into parts of at most `longest` actions that are followed by one
/// that is trained on, too. They begin `stride` apart: where they overlap, a purchase is asked for in one
/// of them, after at least `longest - stride` actions if there are so many.
fn windows(trained: &[usize], longest: usize, stride: usize) -> Vec<Window> {
    let mut all = Vec::new();
    for (customer, end) in trained.iter().enumerate() {
        let mut end = end.saturating_sub(1);
        while end > 0 {
            let first = end.saturating_sub(longest);
            let asked = if first == 0 { 0 } else { end - stride };
            all.push(Window { customer, first, end, asked });
            end = asked;
        }
    }
    all
}

impl Task for RecommendationTask<'_> {
    type Model = Model;
    type Shard = Question;

    fn describe(&self) -> Value {
        self.description.clone()
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        shuffled_batches(self.len(), self.batch, rng)
    }

    fn prepare(&self, examples: &[usize], shards: usize, rng: &mut Rng) -> Prepared<Question> {
        let own = cut(examples, shards);
        let shards: Vec<Question> = own.iter().map(|own| self.question(own, rng)).collect();
        let tokens = shards.iter().map(Question::actions).sum();
        let answers: usize = shards.iter().map(Question::answers).sum();
        Prepared { shards, tokens, divisor: answers.max(1) as Float }
    }

    fn loss<'t>(&self, model: &Model, tape: &'t Tape, shard: &Question) -> Var<'t> {
        model.loss(tape, shard)
    }

    fn evaluate(&self, model: &Model, _epoch: usize) -> Option<Evaluation> {
        if self.watched.is_empty() {
            return None;
        }
        let scores = |histories: &Histories| model.scores(histories, self.data.items.len());
        let case = (self.data, self.watched, self.longest);
        let Some(ranks) = ranks(case, Order::AsItWas, &[], &[Ruler::Full], &scores) else {
            return Some(Evaluation::new(f64::NAN)); // the loop says what to do
        };
        let mean = |of: &dyn Fn(&crate::Rank) -> f64| {
            ranks.iter().map(|of_case| of(&of_case[0])).sum::<f64>() / ranks.len().max(1) as f64
        };
        let miss = mean(&|rank| 1.0 - rank.hit(10));
        Some(Evaluation::new(miss).with("NDCG@10", mean(&|rank| rank.ndcg(10))))
    }
}
