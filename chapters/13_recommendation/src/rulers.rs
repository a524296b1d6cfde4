//! The place of the item that was bought among others, and what a place is worth.

use rand::RngExt;
use rand::seq::index;
use shared::{Float, Rng};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The place of the bought item: so many others scored higher, so many the same.
///
/// Equal scores are in no order. So the item's place is one of `above + 1 … above + equal + 1`, each
/// as probable as another, and a measure is its mean over these. A model that scores everything the
/// same then gets what chance gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// How many others scored higher.
    pub above: usize,
    /// How many others scored the same.
    pub equal: usize,
}

impl Rank {
    /// Ranks one item among others.
    ///
    /// # Panics
    /// When a score is not a number.
    pub fn of(bought: Float, others: impl IntoIterator<Item = Float>) -> Rank {
        let mut rank = Rank { above: 0, equal: 0 };
        for other in others {
            match other.partial_cmp(&bought) {
                Some(Ordering::Greater) => rank.above += 1,
                Some(Ordering::Equal) => rank.equal += 1,
                Some(Ordering::Less) => {}
                None => panic!("scores {bought} and {other} cannot be compared"),
            }
        }
        rank
    }

    /// HR@k, *hit rate*: 1 if the item is among the first `k`, else 0.
    ///
    /// ```
    /// use recommendation::Rank;
    /// assert_eq!(Rank { above: 9, equal: 0 }.hit(10), 1.0);
    /// assert_eq!(Rank { above: 9, equal: 3 }.hit(10), 0.25); // tenth of four that are alike
    /// ```
    pub fn hit(self, k: usize) -> f64 {
        let places = self.equal + 1;
        k.saturating_sub(self.above).min(places) as f64 / places as f64
    }

    /// NDCG@k (after Järvelin & Kekäläinen 2002, who discount later) where one item is relevant:
    /// `1/log₂(place + 1)` if it is among the first `k`, else 0.
    ///
    /// ```
    /// use recommendation::Rank;
    /// assert_eq!([0, 2, 10].map(|above| Rank { above, equal: 0 }.ndcg(10)), [1.0, 0.5, 0.0]);
    /// ```
    pub fn ndcg(self, k: usize) -> f64 {
        let places = self.above + 1..=(self.above + self.equal + 1).min(k);
        let gain = |place: usize| 1.0 / (place as f64 + 1.0).log2();
        places.map(gain).fold(0.0, |sum, gain| sum + gain) / (self.equal + 1) as f64 // an empty `sum` is −0
    }
}

/// Which other items the bought one is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruler {
    /// All of them: the full ranking.
    Full,
    /// So many, each as probable as another.
    Uniform(usize),
    /// So many, drawn by how often they are bought.
    Popular(usize),
}

impl Ruler {
    /// The rank of `bought` by this ruler. `popularity` is how often every item was bought.
    ///
    /// Negatives are different from each other and from the bought item; where there are too few
    /// others, all are taken.
    pub fn rank(
        self,
        scores: &[Float],
        bought: usize,
        popularity: &[Float],
        rng: &mut Rng,
    ) -> Rank {
        let others = (0..scores.len()).filter(|item| *item != bought);
        let of = |items: Vec<usize>| Rank::of(scores[bought], items.iter().map(|i| scores[*i]));
        match self {
            Ruler::Full => of(others.collect()),
            Ruler::Uniform(count) => {
                let all = scores.len() - 1;
                let drawn = index::sample(rng, all, count.min(all)).into_iter();
                of(drawn.map(|i| if i < bought { i } else { i + 1 }).collect())
            }
            Ruler::Popular(count) => of(weighted(others, popularity, count, rng)),
        }
    }
}

/// Draws without replacement, by weight: the largest of `u^(1/w)` (Efraimidis & Spirakis 2006), here
/// as logarithms. What was never bought comes last.
fn weighted(
    items: impl Iterator<Item = usize>,
    weights: &[Float],
    count: usize,
    rng: &mut Rng,
) -> Vec<usize> {
    let mut keys = Vec::new();
    for item in items {
        let u: f64 = rng.random();
        keys.push((u.ln() / f64::from(weights[item]).max(1e-9), item));
    }
    keys.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    keys.truncate(count);
    keys.into_iter().map(|(_, item)| item).collect()
}

/// The `k` items with the highest scores, the highest first; of equal ones the smaller number.
///
/// A heap holds the best `k` so far, and a score is compared with the worst of them: one pass over
/// the items, however many.
///
/// ```
/// assert_eq!(recommendation::top(&[0.1, 0.9, 0.5, 0.9], 3), [1, 3, 2]);
/// ```
pub fn top(scores: &[Float], k: usize) -> Vec<usize> {
    let mut best: BinaryHeap<Worst> = BinaryHeap::with_capacity(k + 1);
    for (item, &score) in scores.iter().enumerate() {
        let new = Worst(score, item);
        if best.len() < k || best.peek().is_some_and(|worst| new < *worst) {
            best.push(new);
        }
        if best.len() > k {
            best.pop();
        }
    }
    best.into_sorted_vec().into_iter().map(|Worst(_, item)| item).collect()
}

/// Ordered by how late it comes in the list: the greatest has the lowest score.
#[derive(PartialEq)]
struct Worst(Float, usize);

impl Eq for Worst {}

impl Ord for Worst {
    fn cmp(&self, other: &Worst) -> Ordering {
        other.0.total_cmp(&self.0).then(self.1.cmp(&other.1))
    }
}

impl PartialOrd for Worst {
    fn partial_cmp(&self, other: &Worst) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
