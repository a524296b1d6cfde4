//! The chapter's model in the common program.

pub use crate::choices::{Chapter, Choices, build};
pub use crate::program::program;

use crate::windows::Reach;
use crate::{Luong, Scoring};
use bahdanau::Reading;
use seq2seq::translating::count::{gru, gru_keeps, linear, stack, step_keeps};
use seq2seq::translating::recurrent::{self, Preset};
use seq2seq::translating::{Benched, Recipe, Words, Workload};
use shared::Rng;
use workbench::training::Options;

impl Recipe for Chapter {
    const CHAPTER: &'static str = "luong";
    type Model = Luong;
    type Config = recurrent::Config<Choices>;

    fn check(config: &Self::Config) -> Result<(), String> {
        let choices = &config.choices;
        let halved = choices.reading == Reading::BothDirections && !choices.projected;
        match (choices.window.min(choices.positions), config.sizes.hidden % 2) {
            (0, _) => Err("a window and the positions must be at least 1".to_owned()),
            (_, 1) if halved => Err("an odd number of entries has no half".to_owned()),
            _ => config.sizes.check(),
        }
    }

    fn parameters(config: &Self::Config, words: Words) -> Option<u64> {
        let (choices, [embedding, hidden, layers]) = (&config.choices, config.sizes.counts());
        let [source, target] = words.counts();
        let vectors = (source + target) * embedding;
        let encoder = match choices.reading {
            Reading::BothDirections if choices.projected => {
                let (both, narrow) = (2 * gru(embedding, hidden), 2 * hidden * hidden);
                both + narrow + layers * linear(2 * hidden, hidden)
            }
            Reading::BothDirections => {
                2 * gru(embedding, hidden / 2) + layers * linear(hidden, hidden)
            }
            Reading::Forward => stack(embedding, hidden, layers),
        };
        let feed = if choices.feeding { 3 * hidden * hidden } else { 0 };
        let score = match choices.score {
            Scoring::Dot => 0,
            Scoring::General => hidden * hidden,
            Scoring::Concat => (2 * hidden + 1) * hidden.div_ceil(2), // W_a, v_a
            Scoring::Location => u128::from(choices.positions) * hidden,
        };
        let position = if choices.reach == Reach::LocalP { (hidden + 1) * hidden } else { 0 };
        let decoder = stack(embedding, hidden, layers) + feed;
        let output = 2 * hidden * hidden + linear(hidden, target); // W_c, W_s
        u64::try_from(vectors + encoder + decoder + score + position + output).ok()
    }

    fn kept(config: &Self::Config, words: Words, [source, target]: [u128; 2]) -> u128 {
        let [_, hidden, layers] = config.sizes.counts();
        let [_, words] = words.counts();
        let encoder = match config.choices.reading {
            Reading::BothDirections => 2 * gru_keeps(hidden) + 4 * hidden,
            Reading::Forward => layers * gru_keeps(hidden),
        };
        let memory = 6 * hidden; // annotations, in both orders, keys, their gradients
        let look = 8 * hidden + 4 * source; // query, context, s̃, scores, weights
        let write = 12 * hidden + layers * step_keeps(hidden) + 2 * words; // logits, softmax
        source * (encoder + memory) + target * (look + write)
    }

    fn build(config: &Self::Config, words: Words, rng: &mut Rng) -> Luong {
        build(&config.sizes.sizes(words), &config.choices, rng)
    }

    fn options(pairs: usize, batch: usize) -> Options {
        recurrent::options_for(pairs, batch)
    }

    fn scheduled(options: Options, steps: u64) -> Options {
        recurrent::falling(options, steps)
    }
}

impl Benched for Chapter {
    type Preset = Preset;

    fn workload(preset: &Preset) -> Workload<Self::Config> {
        preset.workload(Choices { reading: Reading::Forward, ..Choices::default() })
    }
}
