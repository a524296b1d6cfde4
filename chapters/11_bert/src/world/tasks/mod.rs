//! Four tasks to fine-tune on, made of stories that no pre-training has seen.
//!
//! | task | input | labels |
//! |---|---|---|
//! | [`topic`] | a sentence | food, games, weather, jobs |
//! | [`continuation`] | two sentences, a third | the next, of another story |
//! | [`answers`] | a question, a passage | where the answer begins and ends |
//! | [`tags`] | words | for each: person, animal, place, thing, other |
//!
//! Some labels of the training part are wrong, as those of people are: [`Sizes::noise`] says how many.

mod answers;
mod continuation;
mod tags;
mod topic;

pub use answers::{Asked, answers};
pub use continuation::{Continuation, Continued, continuation};
pub use tags::{Tagged, ambiguous, tags};
pub use topic::{About, Topic, topic};

use super::splits::{Part, story};
use super::told::Story;
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::Rng;
use std::collections::HashSet;
use std::hash::Hash;

/// How much of a task there is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Examples to learn from.
    pub train: usize,
    /// Examples to choose by.
    pub validation: usize,
    /// Examples to be judged by.
    pub test: usize,
    /// The share of the training part's labels that another label has replaced, from 0 to 1; in the
    /// other parts all labels are right.
    pub noise: f64,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { train: 1_000, validation: 500, test: 1_000, noise: 0.05 }
    }
}

/// The three parts of a task. No two examples of a task are the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts<E> {
    /// The examples that a model learns from.
    pub train: Vec<E>,
    /// The examples that settings are chosen by.
    pub validation: Vec<E>,
    /// The examples that a model is judged by.
    pub test: Vec<E>,
}

/// Stories that are in no part of [`documents`](super::documents), one after the other, and
/// chances beside them.
struct Source {
    seed: u64,
    part: Part,
    next: u64,
    rng: Rng,
}

impl Source {
    /// The stories of part `part` (0, 1, 2) of task `task`.
    fn new(seed: u64, task: u8, part: u8) -> Source {
        let part = Part(16 * (task + 1) + part);
        let mut rng = shared::rng(seed);
        rng.set_stream(part.number(u64::MAX >> 8)); // the last of the part: no story gets so far
        Source { seed, part, next: 0, rng }
    }

    fn story(&mut self) -> Story {
        self.next += 1;
        story(self.seed, self.part.number(self.next - 1))
    }

    fn below(&mut self, n: usize) -> usize {
        self.rng.random_range(0..n)
    }
}

/// After so many examples in a row that were there before, there are no others, or hardly any.
const SAME: usize = 200;

/// The parts of a task, from what makes an example; equal examples are made anew. Of the `labels` that
/// examples to learn from have, [`Sizes::noise`] become another one of `all`.
///
/// # Errors
/// When there are not so many that differ.
///
/// # Panics
/// When the noise is no share.
fn parts<E: Clone + Eq + Hash, L: Copy + PartialEq>(
    sizes: &Sizes,
    seed: u64,
    task: u8,
    mut example: impl FnMut(&mut Source) -> E,
    labels: impl Fn(&mut E) -> &mut [L],
    all: &[L],
) -> Result<Parts<E>, String> {
    assert!((0.0..=1.0).contains(&sizes.noise), "a share of noise of {}", sizes.noise);
    let mut seen = HashSet::new();
    let mut part = |number, size| {
        let mut source = Source::new(seed, task, number);
        let mut examples = Vec::new();
        let mut same = 0;
        while examples.len() < size {
            let example = example(&mut source);
            if seen.insert(example.clone()) {
                examples.push(example);
                same = 0;
            } else if same < SAME {
                same += 1;
            } else {
                let all = sizes.train + sizes.validation + sizes.test;
                let found = seen.len();
                return Err(format!(
                    "{all} different examples are asked for, after {found} hardly any is new"
                ));
            }
        }
        Ok((examples, source))
    };
    let (mut train, mut source) = part(0, sizes.train)?;
    let (validation, _) = part(1, sizes.validation)?;
    let (test, _) = part(2, sizes.test)?;
    let given = train.iter_mut().flat_map(labels).collect();
    disturb(given, all, sizes.noise, &mut source.rng);
    Ok(Parts { train, validation, test })
}

/// Replaces the nearest whole number to `share` of the labels, each by one of the others.
fn disturb<L: Copy + PartialEq>(mut given: Vec<&mut L>, all: &[L], share: f64, rng: &mut Rng) {
    given.shuffle(rng);
    let wrong = (share * given.len() as f64).round() as usize;
    for label in given.into_iter().take(wrong) {
        let others: Vec<L> = all.iter().copied().filter(|one| *one != *label).collect();
        *label = others[rng.random_range(0..others.len())];
    }
}
