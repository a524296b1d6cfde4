//! What recommends: it has counted, or was trained.

use super::data::Data;
use super::recipe::{Choice, Recipe};
use super::split::{Example, Parts};
use super::task::RecommendationTask;
use crate::counting::{Counted, side_by_side};
use crate::{Action, Histories, ItemToItem, LastItem, Model, Popularity};
use shared::{Float, Matrix};
use workbench::error::Result;
use workbench::memory::must_fit;
use workbench::training::{History, Options, Schedule, Shape, train};

/// A recommender, counted or trained.
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
            side_by_side(&histories.each().map(|own| score(&own)).collect::<Vec<_>>())
        };
        match self {
            Fitted::Popularity(model) => each(&|_| model.counts().to_vec()),
            Fitted::LastItem(model) => each(&|history| model.scores(history)),
            Fitted::ItemToItem(model) => each(&|history| model.scores(history)),
            Fitted::Trained(model) => model.scores(histories, items),
        }
    }

    /// The weight of each action of a history for a candidate, where a model has it.
    pub fn weights(&self, history: &[Action], candidate: usize) -> Option<Vec<Float>> {
        match self {
            Fitted::Popularity(_) | Fitted::LastItem(_) => None,
            Fitted::ItemToItem(model) => Some(model.weights(history, candidate)),
            Fitted::Trained(model) => model.weights(history, candidate),
        }
    }
}

/// Fits a choice that only counts; `None` where there is something to train.
fn count(recipe: &Recipe, data: &Data, parts: &Parts) -> Result<Option<Fitted>> {
    let bought = |example: Example| (example.history(data, recipe.longest), example.bought(data));
    let bought = parts.training(data).map(bought);
    let counted = match recipe.choice {
        Choice::Popularity => return Ok(Some(Fitted::Popularity(parts.popularity(data)))),
        Choice::LastItem => {
            return Ok(Some(Fitted::LastItem(LastItem::new(parts.popularity(data), bought))));
        }
        Choice::ItemToItem => Counted::Item,
        Choice::ItemToItemKind => Counted::Kind,
        Choice::ItemToItemAge => Counted::Age,
        _ => return Ok(None),
    };
    // Every purchase may make as many new pairs as its history has.
    let (items, trained) = (data.items.len() as u64, parts.trained.iter().sum::<usize>() as u64);
    let pairs = items.saturating_mul(items).min(trained * recipe.longest as u64);
    must_fit("counting pairs of these items", pairs.checked_mul(32))?;
    Ok(Some(Fitted::ItemToItem(ItemToItem::new(data.items.len(), counted, bought))))
}

/// Counts, or trains.
pub fn fit(
    recipe: &Recipe,
    data: &Data,
    parts: &Parts,
    options: &Options,
) -> Result<(Fitted, History)> {
    if let Some(counted) = count(recipe, data, parts)? {
        return Ok((counted, History::default()));
    }
    let model = recipe.model(data.items.len(), data.kinds.len(), options.seed);
    let mut model = model.expect("is trained");
    let task = RecommendationTask::new(recipe, data, parts, options.progress);
    let total = task.steps(options.epochs);
    let schedule =
        Schedule { warmup: total / 20, shape: Shape::Linear { total }, ..options.schedule };
    let history = train(&task, &mut model, &Options { schedule, ..options.clone() })?;
    Ok((Fitted::Trained(model), history))
}
