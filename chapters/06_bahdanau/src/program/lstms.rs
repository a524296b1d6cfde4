//! The translator of LSTM cells, as something that can be trained.

use crate::lstm::LstmTranslator;
use seq2seq::program::Choices;
use seq2seq::translating::count::linear;
use seq2seq::translating::recurrent::Config;
use seq2seq::translating::{Recipe, Words};
use shared::Rng;

/// [`LstmTranslator`] for the comparison; it has no program of its own.
pub struct Lstms;

impl Recipe for Lstms {
    const CHAPTER: &'static str = "bahdanau_lstm";
    type Model = LstmTranslator;
    type Config = Config<Choices>;

    fn check(config: &Config<Choices>) -> Result<(), String> {
        config.sizes.check()
    }

    fn parameters(config: &Config<Choices>, words: Words) -> Option<u64> {
        let [embedding, hidden, _] = config.sizes.counts();
        let [source, target] = words.counts();
        let lstm = 4 * hidden * (embedding + hidden + 2);
        let attention = (3 * hidden + 1) * hidden + 2 * hidden * 4 * hidden; // W, U, v; C
        let ends = linear(2 * hidden, hidden) + linear(hidden, target);
        u64::try_from((source + target) * embedding + 3 * lstm + attention + ends).ok()
    }

    fn width_and_heads(config: &Config<Choices>) -> (u32, u32) {
        (config.sizes.hidden, 1)
    }

    fn build(config: &Config<Choices>, words: Words, rng: &mut Rng) -> LstmTranslator {
        LstmTranslator::new(&config.sizes.sizes(words), rng)
    }
}
