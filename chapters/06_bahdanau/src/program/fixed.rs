//! The model without a look back that reads in both directions, as something that can be trained.

use crate::fixed_context::FixedContext;
use seq2seq::program::Choices;
use seq2seq::translating::count::{gru, linear, stack};
use seq2seq::translating::recurrent::Config;
use seq2seq::translating::{Recipe, Words};
use shared::Rng;

/// [`FixedContext`] for the comparison; it has no program of its own.
pub(super) struct Fixed;

impl Recipe for Fixed {
    const CHAPTER: &'static str = "bahdanau_fixed_context";
    type Model = FixedContext;
    type Config = Config<Choices>;

    fn check(config: &Config<Choices>) -> Result<(), String> {
        config.sizes.check()
    }

    fn parameters(config: &Config<Choices>, words: Words) -> Option<u64> {
        let [embedding, hidden, layers] = config.sizes.counts();
        let [source, target] = words.counts();
        let vectors = (source + target) * embedding;
        let start = layers * linear(2 * hidden, hidden);
        let decoder = stack(embedding + 2 * hidden, hidden, layers);
        let model = 2 * gru(embedding, hidden) + start + decoder + linear(hidden, target);
        u64::try_from(vectors + model).ok()
    }

    fn width_and_heads(config: &Config<Choices>) -> (u32, u32) {
        (config.sizes.hidden, 0)
    }

    fn build(config: &Config<Choices>, words: Words, rng: &mut Rng) -> FixedContext {
        FixedContext::new(&config.sizes.sizes(words), rng)
    }
}
