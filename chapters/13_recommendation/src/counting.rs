//! Three models without a parameter: they count what was bought, and after what.

use crate::histories::Action;
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

    /// Of every item.
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

/// How often an item was bought by those who had done something with another one before, compared
/// with how often each occurs: `c(a, b) / √(c(a) c(b))`, the cosine of Linden et al. 2003.
///
/// A history's score for a candidate is the sum over its different items.
#[derive(Clone, Debug)]
pub struct ItemToItem {
    together: HashMap<(usize, usize), Float>,
    before: Vec<Float>,
    bought: Vec<Float>,
}

impl ItemToItem {
    /// Counts from (history, what was bought next).
    pub fn new<'a>(
        items: usize,
        bought: impl IntoIterator<Item = (&'a [Action], usize)>,
    ) -> ItemToItem {
        let mut counts = ItemToItem {
            together: HashMap::new(),
            before: vec![0.0; items],
            bought: vec![0.0; items],
        };
        for (history, next) in bought {
            counts.bought[next] += 1.0;
            for item in different(history) {
                counts.before[item] += 1.0;
                *counts.together.entry((item, next)).or_default() += 1.0;
            }
        }
        counts
    }

    // ANCHOR: says
    /// What an item of the history says for a candidate.
    pub fn says(&self, item: usize, candidate: usize) -> Float {
        let together = self.together.get(&(item, candidate)).copied().unwrap_or(0.0);
        together / (self.before[item] * self.bought[candidate]).max(1.0).sqrt()
    }

    /// A score for every item.
    pub fn scores(&self, history: &[Action]) -> Vec<Float> {
        let own = different(history);
        let score = |candidate| own.iter().map(|item| self.says(*item, candidate)).sum();
        (0..self.bought.len()).map(score).collect()
    }
    // ANCHOR_END: says
}

/// The items of a history, each once.
fn different(history: &[Action]) -> Vec<usize> {
    let mut items: Vec<usize> = history.iter().map(|action| action.item).collect();
    items.sort_unstable();
    items.dedup();
    items
}

/// Scores of several histories side by side: (items, B).
pub fn side_by_side(scores: &[Vec<Float>]) -> Matrix {
    Matrix::from_fn(scores.first().map_or(0, Vec::len), scores.len(), |i, j| scores[j][i])
}
