//! How large a model is, before it is built.

use seq2seq::program::{CHAPTER, Choices};
use seq2seq::translating::Words;
use seq2seq::translating::recurrent::{Config, SizeArgs};
use shared::Module;

/// Nothing is built before its size is known, also when no computer could build it.
#[test]
fn the_number_of_parameters_is_known_before_a_model_is_built() {
    let words = Words { source: 11, target: 7 };
    let config = |embedding, hidden, layers| {
        let sizes = SizeArgs { embedding, hidden, layers, dropout: 0.0 };
        Config { sizes, choices: Choices {} }
    };
    let parameters = |config, words| (CHAPTER.size)(&config, words).parameters;
    for layers in 1..4 {
        let built = (CHAPTER.build)(&config(3, 5, layers), words, &mut shared::rng(0));
        let count = { built }.parameter_count() as u64;
        assert_eq!(parameters(config(3, 5, layers), words), Some(count));
    }
    assert_eq!(parameters(config(1, u32::MAX, u32::MAX), words), None);
    let words = Words { source: usize::MAX, target: usize::MAX };
    assert_eq!(parameters(config(u32::MAX, 1, 1), words), None);
}
