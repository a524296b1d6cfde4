//! Models, and the sizes of each.

use crate::{AtRank, Din, Model, Pooling, Sequential};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use shared::{Adam, Float, rng};
use transformer::BlockSizes;
use workbench::stream;
use workbench::training::{Method, Options, Schedule};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Serialize, Deserialize, ValueEnum)]
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
        self < Choice::Average
    }

    pub fn is_sequential(self) -> bool {
        matches!(self, Choice::Sasrec | Choice::Gru)
    }

    /// The name that arguments and results have.
    pub fn name(self) -> String {
        let name = self.to_possible_value().map(|value| value.get_name().replace('-', "_"));
        name.expect("no choice is hidden")
    }
}

/// All sizes of a model and of its training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    pub choice: Choice,
    pub width: usize,
    pub hidden: usize,
    /// SASRec's; a file of version 1.0.0 may have several.
    pub heads: usize,
    pub dropout: Float,
    pub longest: usize,
    pub batch: usize,
    pub epochs: usize,
    pub rate: Float,
}

impl Recipe {
    /// The chapter's.
    pub fn new(choice: Choice) -> Recipe {
        let is_sequential = choice.is_sequential();
        Recipe {
            choice,
            width: match choice {
                Choice::AverageWide => 64,
                _ if is_sequential => 32,
                _ => 16,
            },
            hidden: match choice {
                Choice::Gru => 40,
                Choice::Sasrec => 64,
                _ => 16,
            },
            heads: 1,
            dropout: if is_sequential { 0.2 } else { 0.0 },
            longest: 50,
            batch: if is_sequential { 32 } else { 128 },
            epochs: if is_sequential { 40 } else { 10 },
            rate: if is_sequential { 3e-3 } else { 5e-3 },
        }
    }

    /// Whether a file of so many numbers can hold its model: asked before one is built.
    pub fn fits(&self, items: usize, kinds: usize, numbers: u64) -> bool {
        let positions = if self.choice == Choice::Sasrec { self.longest } else { 1 };
        let mut sizes = [items, kinds, self.hidden, positions].into_iter();
        let is_share = (0.0..1.0).contains(&self.dropout);
        let are_shared = self.heads > 0 && self.width.is_multiple_of(self.heads);
        self.longest > 0
            && is_share
            && are_shared
            && sizes.all(|n| (1..=numbers).contains(&(n as u64).saturating_mul(self.width as u64)))
    }

    /// A model as it begins, for so many items and kinds; none where there is nothing to train.
    pub fn model(&self, items: usize, kinds: usize, seed: u64) -> Option<Model> {
        let rng = &mut rng(stream(seed, 0));
        let sizes = [items, kinds, self.width, self.hidden];
        let din = |pooling, age, rng| Model::Din(Din::new(sizes, pooling, age, rng));
        Some(match self.choice {
            Choice::Average | Choice::AverageWide => din(Pooling::Mean, true, rng),
            Choice::DinSum => din(Pooling::Sum, true, rng),
            Choice::DinSumWithoutAge => din(Pooling::Sum, false, rng),
            Choice::Din => din(Pooling::Softmax, true, rng),
            Choice::DinWithoutAge => din(Pooling::Softmax, false, rng),
            Choice::Atrank => Model::AtRank(AtRank::new(sizes, true, rng)),
            Choice::Sasrec => {
                let (d_model, d_ff, dropout) = (self.width, self.hidden, self.dropout);
                let block = BlockSizes {
                    d_model,
                    d_ff,
                    heads: self.heads,
                    dropout,
                    norm: Default::default(),
                };
                Model::Sequential(Sequential::sasrec([items, kinds, self.longest], 1, &block, rng))
            }
            Choice::Gru => Model::Sequential(Sequential::gru(sizes, self.dropout, rng)),
            _ => return None,
        })
    }

    pub fn options(&self, seed: u64) -> Options {
        Options {
            epochs: self.epochs,
            schedule: Schedule::constant(self.rate),
            method: Method::new(Adam::new(0.0)),
            clip: Some(5.0),
            seed,
            ..Options::default()
        }
    }
}
