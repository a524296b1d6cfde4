//! Three models without a parameter: they count what was bought, and after what.

use crate::histories::{Action, age};
use shared::{Float, Matrix};
use std::collections::HashMap;

/// How often every item was bought: the same ranking for everybody.
#[derive(Clone, Debug)]
pub struct Popularity {
    counts: Vec<Float>,
}

impl Popularity {
    /// Counts purchases.
    pub fn new(items: usize, bought: impl IntoIterator<Item = usize>) -> Popularity {
        let mut counts = vec![0.0; items];
        bought.into_iter().for_each(|item| counts[item] += 1.0);
        Popularity { counts }
    }

    /// The count of every item.
    pub fn counts(&self) -> &[Float] {
        &self.counts
    }
}

/// How often an item was bought right after another action: a Markov chain. Where nothing followed
/// the last action, popularity decides, and it breaks ties.
#[derive(Clone, Debug)]
pub struct LastItem {
    popularity: Popularity,
    after: HashMap<(usize, usize), HashMap<usize, Float>>, // (item, kind) of the last action → bought
}

impl LastItem {
    /// Counts from (history, what was bought next).
    pub fn new<'a>(
        popularity: Popularity,
        bought: impl IntoIterator<Item = (&'a [Action], usize)>,
    ) -> LastItem {
        let mut after: HashMap<_, HashMap<_, Float>> = HashMap::new();
        for (history, next) in bought {
            let Some(last) = history.last() else { continue };
            *after.entry((last.item, last.kind)).or_default().entry(next).or_default() += 1.0;
        }
        LastItem { popularity, after }
    }

    /// A score for every item.
    pub fn scores(&self, history: &[Action]) -> Vec<Float> {
        let all: Float = self.popularity.counts.iter().sum::<Float>().max(1.0);
        let mut scores: Vec<Float> = self.popularity.counts.iter().map(|c| c / all).collect();
        let followers = history.last().and_then(|last| self.after.get(&(last.item, last.kind)));
        followers.into_iter().flatten().for_each(|(item, count)| scores[*item] += count);
        scores
    }
}

/// The part of an action that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Its item, whatever was done with it: the usual count.
    Item,
    /// Its item and its kind.
    Kind,
    /// Its item, its kind and its [`age`].
    Age,
}

type Feature = (usize, usize, usize); // item, kind, age; 0 where that is not counted

impl Counted {
    fn features(self, history: &[Action]) -> Vec<Feature> {
        let features = history.iter().enumerate().map(|(i, action)| match self {
            Counted::Item => (action.item, 0, 0),
            Counted::Kind => (action.item, action.kind, 0),
            Counted::Age => (action.item, action.kind, age(history.len() - 1 - i)),
        });
        features.collect()
    }
}

/// How often an item was bought after something was done with another one, compared with how often each
/// occurs: `c(a, b) / √(c(a) c(b))`, after the cosine of Linden et al. 2003, which is that of the lists of
/// customers who bought the one and the other.
///
/// A history's score for a candidate is the sum over what is different in it.
#[derive(Clone, Debug)]
pub struct ItemToItem {
    counted: Counted,
    together: HashMap<Feature, HashMap<usize, Float>>, // what was bought after it
    before: HashMap<Feature, Float>,
    bought: Vec<Float>,
}

impl ItemToItem {
    /// Counts from (history, what was bought next).
    pub fn new<'a>(
        items: usize,
        counted: Counted,
        bought: impl IntoIterator<Item = (&'a [Action], usize)>,
    ) -> ItemToItem {
        let mut counts = ItemToItem {
            counted,
            together: HashMap::new(),
            before: HashMap::new(),
            bought: vec![0.0; items],
        };
        for (history, next) in bought {
            counts.bought[next] += 1.0;
            for feature in different(counted.features(history)) {
                *counts.before.entry(feature).or_default() += 1.0;
                let after = counts.together.entry(feature).or_default();
                *after.entry(next).or_default() += 1.0;
            }
        }
        counts
    }

    // ANCHOR: says
    /// The score that an action of the history gives a candidate.
    fn says(&self, action: Feature, candidate: usize) -> Float {
        let count = |counts: Option<&Float>| counts.copied().unwrap_or(0.0);
        let after = self.together.get(&action);
        let together = count(after.and_then(|bought| bought.get(&candidate)));
        together / (count(self.before.get(&action)) * self.bought[candidate]).max(1.0).sqrt()
    }

    /// A score for every item.
    pub fn scores(&self, history: &[Action]) -> Vec<Float> {
        let mut scores = vec![0.0; self.bought.len()];
        for action in different(self.counted.features(history)) {
            let candidates = self.together.get(&action).into_iter().flat_map(HashMap::keys);
            candidates.for_each(|item| scores[*item] += self.says(action, *item));
        }
        scores
    }
    // ANCHOR_END: says

    /// The score that each action gives a candidate.
    pub fn weights(&self, history: &[Action], candidate: usize) -> Vec<Float> {
        let features = self.counted.features(history);
        features.into_iter().map(|action| self.says(action, candidate)).collect()
    }
}

/// Each once.
fn different(mut features: Vec<Feature>) -> Vec<Feature> {
    features.sort_unstable();
    features.dedup();
    features
}

/// Scores of several histories side by side: (items, B).
pub fn side_by_side(scores: &[Vec<Float>]) -> Matrix {
    Matrix::from_fn(scores.first().map_or(0, Vec::len), scores.len(), |i, j| scores[j][i])
}
