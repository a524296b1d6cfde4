//! Five sets of pairs that share no sentence.

use super::{examples, sample};
use corpora::Pair;
use rand::RngExt;
use shared::Rng;
use std::collections::HashSet;

/// No sentence of training, validation, test and compositional is longer, in either language
/// (words and punctuation).
pub const LONGEST_TRAINED: usize = 16;

/// No sentence at all is longer, in either language.
pub const LONGEST: usize = 30;

/// How many pairs there are to be: fewer where the grammar has no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Pairs to learn from.
    pub train: usize,
    /// Pairs to choose by.
    pub validation: usize,
    /// Pairs to be judged by.
    pub test: usize,
    /// Longer than anything in the other sets.
    pub long: usize,
    /// Pairs with words together that stand together in no other set.
    pub compositional: usize,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { train: 20_000, validation: 1_000, test: 1_000, long: 500, compositional: 500 }
    }
}

/// Pairs to learn from, to choose by, and three ways to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splits {
    /// Up to [`LONGEST_TRAINED`] words.
    pub train: Vec<Pair>,
    /// Pairs as long as those of `train`.
    pub validation: Vec<Pair>,
    /// Pairs as long as those of `train`.
    pub test: Vec<Pair>,
    /// More than [`LONGEST_TRAINED`] words in both languages, up to [`LONGEST`].
    pub long: Vec<Pair>,
    /// Pairs as long as those of `train`; each has a [`Combination`](super::Combination) that is held out of all others.
    pub compositional: Vec<Pair>,
}

/// The five sets, the same for the same seed.
///
/// No sentence occurs twice, in either language, within a set or in two of them, and none of the
/// [`examples`] occurs at all.
///
/// ```
/// use parallel::{Sizes, splits};
/// let sizes = Sizes { train: 100, validation: 10, test: 10, long: 10, compositional: 10 };
/// let splits = splits(&sizes, 1);
/// assert_eq!(splits.train.len(), 100);
/// assert!(splits.train.iter().all(|pair| pair.source.len() <= 16));
/// assert!(splits.long.iter().all(|pair| pair.source.len() > 16));
/// ```
pub fn splits(sizes: &Sizes, seed: u64) -> Splits {
    let mut drawer = Drawer { rng: shared::rng(seed), seen: HashSet::new() };
    for pair in examples() {
        drawer.is_new(&pair);
    }
    // The rarest first.
    let long = drawer.draw(sizes.long, Kind::Long);
    let compositional = drawer.draw(sizes.compositional, Kind::Compositional);
    let test = drawer.draw(sizes.test, Kind::Usual);
    let validation = drawer.draw(sizes.validation, Kind::Usual);
    let train = drawer.draw(sizes.train, Kind::Usual);
    Splits { train, validation, test, long, compositional }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Usual,
    Long,
    Compositional,
}

struct Drawer {
    rng: Rng,
    seen: HashSet<Vec<String>>,
}

impl Drawer {
    fn draw(&mut self, size: usize, kind: Kind) -> Vec<Pair> {
        /// So many in a row without a new one: there are no more.
        const IN_VAIN: usize = 1_000_000;
        let (mut pairs, mut in_vain) = (Vec::new(), 0);
        let mut least = LONGEST_TRAINED + 1;
        while pairs.len() < size && in_vain < IN_VAIN {
            in_vain += 1;
            let room = match kind {
                Kind::Long => self.rng.random_range(least..least + 10) - 6,
                _ => self.rng.random_range(0..14),
            };
            let sentence = sample(room, &mut self.rng);
            let new = sentence.combinations().iter().any(|combination| combination.held_out());
            if new != (kind == Kind::Compositional) {
                continue;
            }
            let pair = sentence.pair();
            let length = pair.source.len();
            let wanted = kind != Kind::Long || (least..least + 3).contains(&length);
            if wanted && fits(&pair, kind) && self.is_new(&pair) {
                pairs.push(pair);
                in_vain = 0;
                // Long sentences would mostly be just too long: ask for all lengths in turn.
                least = LONGEST_TRAINED + 1 + pairs.len() % (LONGEST - LONGEST_TRAINED - 2);
            }
        }
        pairs
    }

    /// Whether neither sentence has been seen, which from now on they have.
    fn is_new(&mut self, pair: &Pair) -> bool {
        let known = self.seen.contains(&pair.source) || self.seen.contains(&pair.target);
        if !known {
            self.seen.insert(pair.source.clone());
            self.seen.insert(pair.target.clone());
        }
        !known
    }
}

fn fits(pair: &Pair, kind: Kind) -> bool {
    let (n, m) = (pair.source.len(), pair.target.len());
    match kind {
        Kind::Long => n.min(m) > LONGEST_TRAINED && n.max(m) <= LONGEST,
        Kind::Usual | Kind::Compositional => n.max(m) <= LONGEST_TRAINED,
    }
}
