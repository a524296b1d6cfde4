//! A model's sizes, and its training.

use super::data::Data;
use super::split::{Example, Parts};
use super::task::RecommendationTask;
use crate::Sequential;
use crate::counting::{Counted, side_by_side};
use crate::{Action, AtRank, Din, Histories, ItemToItem, LastItem, Model, Pooling, Popularity};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use shared::{Adam, Float, Matrix, Module, rng};
use transformer::BlockSizes;
use workbench::error::Result;
use workbench::stream;
use workbench::training::{History, Method, Options, Schedule, Shape, json, train};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// How often an item is bought
    Popularity,
    /// How often it is bought right after the last action
    LastItem,
    /// How often it is bought by those who had to do with the items of the history
    ItemToItem,
    /// The same, of items and kinds of actions
    ItemToItemKind,
    /// The same, of items, kinds and ages of actions
    ItemToItemAge,
    /// The mean of a history's vectors, whatever the candidate
    Average,
    /// The same with vectors four times as long
    AverageWide,
    /// The candidate weighs the history; weights as they are
    DinSum,
    /// The same without ages: the paper's DIN
    DinSumWithoutAge,
    /// The candidate weighs the history by a softmax
    Din,
    /// DIN that does not know how long ago an action was
    DinWithoutAge,
    /// Self-attention among actions of several kinds, then the candidate
    Atrank,
    /// Causal self-attention, all items at once
    Sasrec,
    /// A GRU of as many parameters
    Gru,
}

impl Choice {
    pub fn is_counted(self) -> bool {
        self.counted().is_some() || matches!(self, Choice::Popularity | Choice::LastItem)
    }

    /// What of an action is counted, where items are counted after others.
    fn counted(self) -> Option<Counted> {
        match self {
            Choice::ItemToItem => Some(Counted::Item),
            Choice::ItemToItemKind => Some(Counted::Kind),
            Choice::ItemToItemAge => Some(Counted::Age),
            _ => None,
        }
    }

    /// As arguments and results have it.
    pub fn name(self) -> String {
        let name = self.to_possible_value().map(|value| value.get_name().replace('-', "_"));
        name.expect("no choice is hidden")
    }

    pub fn is_sequential(self) -> bool {
        matches!(self, Choice::Sasrec | Choice::Gru)
    }
}

/// All sizes of a model and of its training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    pub choice: Choice,
    pub width: usize,
    pub hidden: usize,
    pub blocks: usize,
    pub heads: usize,
    pub dropout: Float,
    pub longest: usize,
    /// Sequential models: how far apart the parts of a history begin that are trained on; 0 for `longest`.
    #[serde(default)]
    pub stride: usize,
    pub batch: usize,
    pub epochs: usize,
    pub rate: Float,
}

impl Recipe {
    /// The chapter's.
    pub fn new(choice: Choice) -> Recipe {
        let width = match choice {
            Choice::Sasrec | Choice::Gru => 32,
            Choice::AverageWide => 64,
            _ => 16,
        };
        Recipe {
            choice,
            width,
            hidden: match choice {
                Choice::Gru => 40,
                Choice::Sasrec => 64,
                _ => 16,
            },
            blocks: 1,
            heads: 1,
            dropout: if choice.is_sequential() { 0.2 } else { 0.0 },
            longest: 50,
            stride: 0,
            batch: if choice.is_sequential() { 32 } else { 128 },
            epochs: if choice.is_sequential() { 40 } else { 10 },
            rate: if choice.is_sequential() { 3e-3 } else { 5e-3 },
        }
    }

    /// Whether a file of so many numbers can hold its model: asked before one is built.
    pub fn fits(&self, items: usize, kinds: usize, numbers: u64) -> bool {
        let of_sasrec =
            if self.choice == Choice::Sasrec { [self.longest, self.blocks] } else { [1; 2] };
        let fits = |n: usize| n > 0 && (n as u64).saturating_mul(self.width as u64) <= numbers;
        let is_shared = self.heads > 0 && self.width > 0 && self.width.is_multiple_of(self.heads);
        let tables = [items, kinds, self.hidden].into_iter().chain(of_sasrec);
        self.longest > 0 && is_shared && (0.0..1.0).contains(&self.dropout) && { tables }.all(fits)
    }

    /// A model as it begins, for so many items and kinds; none where there is nothing to train.
    pub fn model(&self, items: usize, kinds: usize, seed: u64) -> Option<Model> {
        let rng = &mut rng(stream(seed, 0));
        let sizes = [items, kinds, self.width, self.hidden];
        let din = |pooling, age, rng| Some(Model::Din(Din::new(sizes, pooling, age, rng)));
        match self.choice {
            Choice::Average | Choice::AverageWide => din(Pooling::Mean, true, rng),
            Choice::DinSum => din(Pooling::Sum, true, rng),
            Choice::DinSumWithoutAge => din(Pooling::Sum, false, rng),
            Choice::Din => din(Pooling::Softmax, true, rng),
            Choice::DinWithoutAge => din(Pooling::Softmax, false, rng),
            Choice::Atrank => Some(Model::AtRank(AtRank::new(sizes, true, rng))),
            Choice::Sasrec => {
                let (d_model, heads, dropout) = (self.width, self.heads, self.dropout);
                let block = BlockSizes {
                    d_model,
                    d_ff: self.hidden,
                    heads,
                    dropout,
                    norm: Default::default(),
                };
                let sizes = [items, kinds, self.longest];
                Some(Model::Sequential(Sequential::sasrec(sizes, self.blocks, &block, rng)))
            }
            Choice::Gru => Some(Model::Sequential(Sequential::gru(sizes, self.dropout, rng))),
            _ => None,
        }
    }

    pub fn options(&self, seed: u64) -> Options {
        let schedule = Schedule { rate: self.rate, warmup: 0, shape: Shape::Linear { total: 1 } };
        let method = Method::new(Adam::new(0.0));
        Options {
            epochs: self.epochs,
            schedule,
            method,
            clip: Some(5.0),
            seed,
            ..Options::default()
        }
    }
}

/// What recommends.
#[expect(clippy::large_enum_variant, reason = "a program has one of them")]
pub enum Fitted {
    Popularity(Popularity),
    LastItem(LastItem),
    ItemToItem(ItemToItem),
    Trained(Model),
}

impl Fitted {
    /// A score for every item after each history: (items, B).
    pub fn scores(&self, histories: &Histories, items: usize) -> Matrix {
        let each = |score: &dyn Fn(&[Action]) -> Vec<Float>| {
            let scores: Vec<Vec<Float>> = histories.each().map(|own| score(&own)).collect();
            side_by_side(&scores)
        };
        match self {
            Fitted::Popularity(model) => each(&|_| model.counts().to_vec()),
            Fitted::LastItem(model) => each(&|history| model.scores(history)),
            Fitted::ItemToItem(model) => each(&|history| model.scores(history)),
            Fitted::Trained(model) => model.scores(histories, items),
        }
    }

    /// What each action of a history says for a candidate, where a model can say it.
    pub fn weights(&self, history: &[Action], candidate: usize) -> Option<Vec<Float>> {
        match self {
            Fitted::Popularity(_) => None,
            Fitted::LastItem(_) => {
                let last = history.len() - 1;
                Some((0..=last).map(|i| if i == last { 1.0 } else { 0.0 }).collect())
            }
            Fitted::ItemToItem(model) => Some(model.weights(history, candidate)),
            Fitted::Trained(model) => model.weights(history, candidate),
        }
    }

    /// By how much leaving out an action lowers a candidate's score, where candidates ask.
    pub fn falls(&self, history: &[Action], candidate: usize) -> Option<Vec<Float>> {
        if let Fitted::Trained(model) = self { model.falls(history, candidate) } else { None }
    }

    pub fn parameters(&mut self) -> usize {
        if let Fitted::Trained(model) = self { model.parameter_count() } else { 0 }
    }
}

/// How often every item was bought where a model may look.
pub fn popularity(data: &Data, parts: &Parts) -> Popularity {
    Popularity::new(data.items.len(), parts.training(data).map(|one| one.bought(data)))
}

/// Counts, or trains; `change` makes the options those of the run.
pub fn fit(
    recipe: &Recipe,
    data: &Data,
    parts: &Parts,
    seed: u64,
    change: impl FnOnce(Options) -> Options,
) -> Result<(Fitted, History)> {
    let bought = |example: Example| (example.history(data, recipe.longest), example.bought(data));
    let bought = parts.training(data).map(bought);
    let counted = match recipe.choice {
        Choice::Popularity => Some(Fitted::Popularity(popularity(data, parts))),
        Choice::LastItem => Some(Fitted::LastItem(LastItem::new(popularity(data, parts), bought))),
        choice => choice
            .counted()
            .map(|counted| Fitted::ItemToItem(ItemToItem::new(data.items.len(), counted, bought))),
    };
    if let Some(counted) = counted {
        return Ok((counted, History::default()));
    }
    let mut model = recipe.model(data.items.len(), data.kinds.len(), seed).expect("is trained");
    let data_are = data.fingerprint().to_string();
    let description =
        json!({ "recipe": recipe, "fingerprint of the data": data_are, "seed": seed });
    let stride = if recipe.stride == 0 { recipe.longest } else { recipe.stride };
    let sizes = [recipe.longest, stride, recipe.batch];
    let sequential = recipe.choice.is_sequential();
    let mut options = change(recipe.options(seed));
    let task =
        RecommendationTask::new(data, parts, sequential, sizes, options.progress, description);
    let total = task.steps(options.epochs);
    options.schedule =
        Schedule { warmup: total / 20, shape: Shape::Linear { total }, ..options.schedule };
    let history = train(&task, &mut model, &options)?;
    Ok((Fitted::Trained(model), history))
}
