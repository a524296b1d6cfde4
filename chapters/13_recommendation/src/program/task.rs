//! A model of this chapter as a task for the course's training loop.

use super::data::Data;
use super::judge::ranks;
use super::recipe::Recipe;
use super::split::{Example, Parts};
use crate::rulers::Ruler;
use crate::{Action, Candidates, Histories, Model, Question};
use rand::RngExt;
use shared::{Float, Matrix, Rng, Tape, Var};
use workbench::training::{Evaluation, Prepared, Task, Value, cut, json, shuffled_batches};

/// Negatives that are drawn for every purchase.
const NEGATIVES: usize = 7;
/// Validation purchases that are looked at after an epoch.
const WATCHED: usize = 1000;

pub struct RecommendationTask<'a> {
    data: &'a Data,
    recipe: Recipe,
    parts: Vec<Part>,
    watched: &'a [Example],
    description: Value,
}

/// Actions `first..end` of a customer, and the one after them. Candidates are asked for that one alone,
/// sequential models after every action that a purchase follows.
#[derive(Clone, Copy)]
struct Part {
    customer: usize,
    first: usize,
    end: usize,
}

impl<'a> RecommendationTask<'a> {
    pub fn new(
        recipe: &Recipe,
        data: &'a Data,
        parts: &'a Parts,
        is_watched: bool,
    ) -> RecommendationTask<'a> {
        let fingerprint = data.fingerprint().to_string();
        let description = json!({ "recipe": recipe, "fingerprint of the data": fingerprint });
        let watched = if is_watched { parts.validation.len().min(WATCHED) } else { 0 };
        let watched = &parts.validation[..watched];
        let part = |customer, end: usize| Part {
            customer,
            first: end.saturating_sub(recipe.longest),
            end,
        };
        let parts = if recipe.choice.is_sequential() {
            // What is trained on is cut from its end; its last action is only predicted.
            let cut = parts.trained.iter().enumerate().flat_map(|(customer, trained)| {
                (1..*trained).rev().step_by(recipe.longest).map(move |end| part(customer, end))
            });
            cut.collect()
        } else {
            parts.training(data).map(|Example { customer, at }| part(customer, at)).collect()
        };
        RecommendationTask { data, recipe: *recipe, parts, watched, description }
    }

    pub fn steps(&self, epochs: usize) -> u64 {
        (epochs * self.parts.len().div_ceil(self.recipe.batch)) as u64
    }

    fn actions(&self, Part { customer, first, end }: Part) -> (&[Action], Action) {
        let actions = &self.data.customers[customer].actions;
        (&actions[first..end], actions[end])
    }

    /// Every purchase among items that are drawn.
    fn candidates(&self, own: &[usize], rng: &mut Rng) -> Question {
        let items = self.data.items.len();
        let (mut histories, mut asked) = (Vec::new(), Vec::new());
        for (history, Action { item, .. }) in own.iter().map(|i| self.actions(self.parts[*i])) {
            let others = (0..NEGATIVES).map(|_| (item + rng.random_range(1..items)) % items); // any other
            asked.push(std::iter::once(item).chain(others).collect::<Vec<usize>>());
            histories.push(history);
        }
        let asked = Candidates::new(&asked);
        let bought = Matrix::from_fn(1, asked.items.len(), |_, j| {
            if j.is_multiple_of(NEGATIVES + 1) { 1.0 } else { 0.0 }
        });
        Question::Candidates { histories: Histories::new(&histories), asked, bought }
    }

    /// What was bought next, after every action that a purchase follows.
    fn next(&self, own: &[usize]) -> Question {
        let (mut histories, mut columns, mut next) = (Vec::new(), Vec::new(), Vec::new());
        let mut column = 0;
        for (history, last) in own.iter().map(|i| self.actions(self.parts[*i])) {
            for follows in history[1..].iter().chain([&last]) {
                if follows.kind == self.data.purchase() {
                    columns.push(column);
                    next.push(follows.item);
                }
                column += 1;
            }
            histories.push(history);
        }
        Question::Next { histories: Histories::new(&histories), columns, next }
    }
}

impl Task for RecommendationTask<'_> {
    type Model = Model;
    type Shard = Question;

    fn describe(&self) -> Value {
        self.description.clone()
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        shuffled_batches(self.parts.len(), self.recipe.batch, rng)
    }

    fn prepare(&self, examples: &[usize], shards: usize, rng: &mut Rng) -> Prepared<Question> {
        let is_sequential = self.recipe.choice.is_sequential();
        let shards = cut(examples, shards)
            .into_iter()
            .map(|own| if is_sequential { self.next(&own) } else { self.candidates(&own, rng) });
        let shards: Vec<Question> = shards.collect();
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
        let case = (self.data, self.watched, self.recipe.longest);
        let ranks = ranks(case, &[], &[Ruler::Full], &|histories| {
            model.scores(histories, self.data.items.len())
        });
        let Some(ranks) = ranks else {
            return Some(Evaluation::new(f64::NAN)); // the loop says what to do
        };
        let mean = |of: fn(crate::Rank) -> f64| {
            ranks.iter().map(|of_case| of(of_case[0])).sum::<f64>() / ranks.len() as f64
        };
        let miss = mean(|rank| 1.0 - rank.hit(10));
        Some(Evaluation::new(miss).with("NDCG@10", mean(|rank| rank.ndcg(10))))
    }
}
