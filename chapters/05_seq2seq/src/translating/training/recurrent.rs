//! What the recurrent translators of chapters 5 to 7 have in common: sizes as arguments, a schedule,
//! the textbook's sizes.

use super::chapter::{Bench, Chapter, Workload};
use crate::Sizes;
use crate::translating::corpus::Words;
use clap::Args;
use serde::{Deserialize, Serialize};
use shared::{Float, Rng};
use workbench::training::{Options, Schedule, Shape};

#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config<C: Args> {
    #[command(flatten)]
    pub sizes: SizeArgs,
    #[command(flatten)]
    pub choices: C,
}

impl<C: Args> Config<C> {
    /// The widths of these sizes; how many words they have is the corpus's affair.
    pub fn new(sizes: &Sizes, choices: C) -> Config<C> {
        let Sizes { embedding, hidden, layers, dropout, .. } = *sizes;
        let [embedding, hidden, layers] = [embedding, hidden, layers].map(|size| size as u32);
        Config { sizes: SizeArgs { embedding, hidden, layers, dropout }, choices }
    }
}

#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SizeArgs {
    /// Entries of a word's vector
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub embedding: u32,
    /// Entries of a recurrent state
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub hidden: u32,
    /// Recurrent layers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub layers: u32,
    /// Probability of leaving out a unit while training
    #[arg(long, value_name = "P", default_value_t = 0.1)]
    pub dropout: Float,
}

impl SizeArgs {
    pub fn sizes(&self, words: Words) -> Sizes {
        Sizes {
            source_words: words.source,
            target_words: words.target,
            embedding: self.embedding as usize,
            hidden: self.hidden as usize,
            layers: self.layers as usize,
            dropout: self.dropout,
        }
    }

    pub fn check(&self) -> Result<(), String> {
        self.sizes(Words { source: 1, target: 1 }).check()
    }
}

/// The chapters' way of training, behind every number on their pages: Adam, its rate falling in a straight line from
/// 0.003 to 0, gradients no longer than 1.
pub fn options() -> Options {
    let schedule = Schedule { shape: Shape::Linear { total: 0 }, ..Schedule::constant(3e-3) };
    Options { epochs: 15, schedule, ..Options::default() }
}

/// Words' vectors, rows of the output layer, and two layers of [`recurrent_networks::Gru`] or more: the least that the
/// choices leave of them.
fn least<C: Args>(config: &Config<C>, words: Words) -> u128 {
    let SizeArgs { embedding, hidden, layers, .. } = config.sizes;
    let [embedding, hidden, layers] = [embedding, hidden, layers].map(u128::from);
    let [source, target] = [words.source, words.target].map(|words| words as u128);
    (source + target) * embedding + target * hidden + 6 * hidden * (embedding + layers * hidden)
}

impl<C: Args + 'static, M> Chapter<Config<C>, M> {
    /// A chapter whose model is trained as those of its kind are: see [`options`], with as many passes as give 3,000
    /// steps, if the pairs are few.
    pub const fn recurrent(
        name: &'static str,
        about: [&'static str; 2],
        build: fn(&Config<C>, Words, &mut Rng) -> M,
        benches: &'static [Bench<Config<C>>],
    ) -> Chapter<Config<C>, M> {
        Chapter {
            name,
            about,
            batch: 64,
            check: |config, _| config.sizes.check(),
            heeds: |_| Ok(()),
            least,
            build,
            options: |_, pairs, batch| {
                const STEPS: usize = 3_000;
                let usual = options();
                let epochs = STEPS.div_ceil(pairs.div_ceil(batch).max(1)).clamp(usual.epochs, 200);
                Options { epochs, ..usual }
            },
            heads: None,
            benches,
        }
    }
}

/// Sizes as textbooks choose them, and small ones: words 200, two layers of a width, dropout 0.2; so many sentences of
/// so many words.
pub fn workload<C: Args>(
    width: u32,
    [sentences, length]: [usize; 2],
    choices: C,
) -> Workload<Config<C>> {
    let sizes = SizeArgs { embedding: width, hidden: width, layers: 2, dropout: 0.2 };
    let what = format!("two layers of {width}");
    Workload { what, config: Config { sizes, choices }, words: 200, sentences, length }
}
