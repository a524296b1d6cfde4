//! What the program's choices make of a model, and which are refused.

use bahdanau::Reading;
use bahdanau::program::{CHAPTER, Choices};
use seq2seq::translating::Words;
use seq2seq::translating::recurrent::{Config, SizeArgs};
use shared::Module;

fn config(layers: u32, choices: Choices) -> Config<Choices> {
    let sizes = SizeArgs { embedding: 3, hidden: 5, layers, dropout: 0.0 };
    Config { sizes, choices }
}

/// Nothing is built before its size is known.
#[test]
fn the_number_of_parameters_is_known_before_a_model_is_built() {
    let words = Words { source: 11, target: 7 };
    for (reading, layers) in
        [Reading::BothDirections, Reading::Forward].into_iter().flat_map(|r| [(r, 1), (r, 3)])
    {
        let config = config(layers, reading.into());
        let built = (CHAPTER.build)(&config, words, &mut shared::rng(0)).parameter_count();
        assert_eq!((CHAPTER.size)(&config, words).parameters, Some(built as u64), "{config:?}");
    }
}

/// Models that were kept before the states' dropout could be chosen are read on.
#[test]
fn choices_that_say_nothing_of_states_leave_none_out() {
    let read: Choices = serde_json::from_str(r#"{"reading": "Forward"}"#).unwrap();
    assert_eq!(read, Reading::Forward.into());
}

#[test]
fn a_dropout_that_leaves_nothing_is_refused() {
    for state_dropout in [1.0, -0.1] {
        let choices = Choices { state_dropout, ..Reading::Forward.into() };
        let refused = (CHAPTER.check)(&config(1, choices), false).unwrap_err();
        assert_eq!(refused, format!("a state dropout of {state_dropout}: not in 0 ≤ p < 1"));
    }
}
